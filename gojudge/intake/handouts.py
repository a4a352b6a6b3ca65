"""The course's own files among a student's: host, read, write, go_play and the reference players. None plays for a student.

    by its name        host.py, random_player.py, ...
    by its contents    under any name, a reference player in which nothing is the student's own, or the course's host

Where the line is: a file is a copy of a reference player if every statement in it stands in that player too, and it has three
quarters of them. Names of variables and classes, texts, numbers, comments, layout, imports, what is printed and plain settings
count for nothing. One statement of one's own makes it a player of one's own: many begin with the course's random player. A
file with one of the course's entry names is never asked: it is what the student has handed in as theirs. Two lines that draw a
legal point are nobody's: where a random player is the only file, and not called as the course's, it is the student's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from goban.common.player_sources import PlayerSourceError, python_tree
from gojudge.inside.judge_modules import COURSE_MODULES, HOST_MODULES
from gojudge.intake.archives import Files

# The course gave these to everybody as well; they are no modules that a program imports.
NAMES = COURSE_MODULES | HOST_MODULES | {"alphabeta_player", "qlearner_player", "championship_player", "manual_player"}

_PLAYERS = Path(__file__).resolve().parents[2] / "players"
_COURSE = Path(__file__).resolve().parents[1] / "inside" / "course_modules"
_REFERENCES = ("random", "greedy", "aggressive", "smart", "alphabeta", "qlearner", "championship")

# As the course wrote its random player, and as people rewrite it.
_RANDOM_PLAYERS = (
    """
for i in range(go.size):
    for j in range(go.size):
        if go.valid_place_check(i, j, piece_type, test_check=True):
            legal.append((i, j))
random.choice(legal)
""",
    """
legal = [(i, j) for i in range(go.size) for j in range(go.size) if go.valid_place_check(i, j, piece_type, test_check=True)]
random.choice(legal)
""",
)
# What may stand besides in any of them, above all where it is a program.
_ALLOWED = """
piece_type, previous_board, board = readInput(size)
go = GO(size)
go.set_board(piece_type, previous_board, board)
player = RandomPlayer()
action = player.get_input(go, piece_type)
writeOutput(action)
writePass()
writeOutput(random.choice(legal) if legal else "PASS")
random.choice(legal) if legal else "PASS"
random.choice(legal or ["PASS"])
random.seed(1)
"""
# What only the course's host has; a student's own copy of GO within a program of theirs writes an answer besides.
_HOST_METHODS = {"init_board", "set_board", "place_chess", "valid_place_check", "visualize_board", "judge_winner", "game_end"}
_WRITERS = {"writeOutput", "writePass", "get_input"}

_WITHOUT_FORM = (
    ast.Import, ast.ImportFrom, ast.Pass, ast.FunctionDef, ast.ClassDef, ast.Global, ast.Try, ast.Break, ast.Continue,
)  # fmt: skip
_PLAIN = {"len", "Compare", "Eq", "NotEq", "Gt", "UnaryOp", "Not", "List", "Dict", "Set", "set", "list", "dict", "USub"}
# A player of fewer statements is known by its name only: too much would be like it.
_FEWEST = 2

Form = tuple[str, ...]
"""A statement without its body: what it calls and does, whatever its variables are called."""


def is_handout(files: Files, path: PurePosixPath, alone: bool = False) -> bool:
    """Tell whether a source is one of the course's own files. alone: whether nothing else was handed in that could play."""
    if path.stem.lower() in NAMES:
        return True
    try:
        tree = python_tree(files[str(path)], path)
    except PlayerSourceError:
        return False
    return _is_host(tree) or _is_reference(tree, with_random=not alone)


def _is_host(tree: ast.Module) -> bool:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    if len(classes) != 1:
        return False
    methods = {node.name for node in classes[0].body if isinstance(node, ast.FunctionDef)}
    words = {name for node in ast.walk(tree) if (name := _name(node))}
    texts = any(isinstance(node, ast.Constant) and node.value == "output.txt" for node in ast.walk(tree))
    return methods >= _HOST_METHODS and not texts and words.isdisjoint(_WRITERS)


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name):
            return name
    return ""


def _is_reference(tree: ast.Module, with_random: bool) -> bool:
    own = set(_forms(tree))
    references = _references(with_random)
    return any(own <= allowed and 4 * len(own & core) >= 3 * len(core) for core, allowed in references)


@cache
def _references(with_random: bool) -> tuple[tuple[frozenset[Form], frozenset[Form]], ...]:
    """Return of each reference player the statements it consists of, and those that may stand in a copy of it."""
    allowed = frozenset(_forms(ast.parse(_ALLOWED)))
    cores = [frozenset(_forms(ast.parse(text))) for text in _RANDOM_PLAYERS if with_random]
    names = [name for name in _REFERENCES if with_random or name != "random"]
    for folder in (_PLAYERS, _COURSE):
        sources = [path for name in names if (path := folder / f"{name}_player.py").is_file()]
        cores += [frozenset(_forms(ast.parse(path.read_bytes()))) for path in sources]
    return tuple((core, core | allowed) for core in cores if len(core) >= _FEWEST)


def _forms(tree: ast.Module) -> Iterator[Form]:
    """Yield the forms of all statements, without those that count for nothing."""
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=value) | ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
                form = _form([value])
            case ast.For(iter=value):
                form = ("for", *_form([value]))
            case ast.If(test=value) | ast.While(test=value):
                # Whether something is empty, or equal to a number, or the main part: no decision by itself.
                form = _form([value])
            case ast.stmt() if not isinstance(node, _WITHOUT_FORM):
                form = (type(node).__name__, *_form(list(ast.iter_child_nodes(node))))
            case _:
                continue
        if form and form[0] != "print" and set(form) - _PLAIN:
            yield form


def _form(nodes: Sequence[ast.AST | None]) -> Form:
    """Return what some expressions do: the kinds of their parts and the names that are called, in their order."""
    found = []
    stack: list[ast.AST | None] = list(reversed(nodes))
    while stack:
        node = stack.pop()
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                found.append("Class" if name[:1].isupper() else name)
                if name != "range":
                    stack += reversed([*node.args, *(one.value for one in node.keywords)])
            case None | ast.Name() | ast.Constant() | ast.Attribute() | ast.expr_context() | ast.arg() | ast.arguments():
                continue
            case _:
                found.append(type(node).__name__)
                stack += reversed(list(ast.iter_child_nodes(node)))
    return tuple(found)
