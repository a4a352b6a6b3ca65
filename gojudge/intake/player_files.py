"""Which file of a submission plays, and which class in it: the course's names first, then what the sources say.

    littlego        the first of PROGRAM_FILES that is meant as a program; else the first that is meant as a class
    other rules     a class with get_input: in my_player.py, else in my_player3.py
    both            only where no file has such a name, the one other file that plays

A file with one of these names decides, also when it is broken: what is wrong with it is told, and nothing else plays in its
place. A source for Python 2 alone gives way to another of these names, as it did at the course. A roster's columns `entry` and
`class` decide where names do not. What else could have played is named too, so that nobody is judged by the wrong file
unawares. For what a program and a class are see `goban.common.player_sources`.

The course's own files never play for a student: host, read, write, go_play and the reference players.

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
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from goban.common.excerpts import printable, quoted
from goban.common.player_faults import NOTEBOOK
from goban.common.player_sources import (
    USUAL_CLASS,
    Evidence,
    PlayerSourceError,
    class_in,
    look,
    looks_like_a_program,
    not_a_class,
    python_tree,
    show_path,
)
from gojudge.errors import BadSubmissionError
from gojudge.game import LITTLEGO
from gojudge.inside.zygote import COURSE_MODULES, HOST_MODULES
from gojudge.intake.archives import ARCHIVES, Files
from gojudge.records import CLASS, PROGRAM

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
# What only the course's host has. A student's program with its own copy of GO also writes an answer.
_HOST_METHODS = {"init_board", "set_board", "place_chess", "valid_place_check", "visualize_board", "judge_winner", "game_end"}
_WRITERS = {"writeOutput", "writePass", "get_input"}

_WITHOUT_FORM = (
    ast.Import, ast.ImportFrom, ast.Pass, ast.FunctionDef, ast.ClassDef, ast.Global, ast.Try, ast.Break, ast.Continue,
)  # fmt: skip
_PLAIN = {"len", "Compare", "Eq", "NotEq", "Gt", "UnaryOp", "Not", "List", "Dict", "Set", "set", "list", "dict", "USub"}
# A player of fewer statements is known by its name only: too many others would look like it.
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
    forms = []
    stack: list[ast.AST | None] = list(reversed(nodes))
    while stack:
        node = stack.pop()
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                forms.append("Class" if name[:1].isupper() else name)
                if name != "range":
                    stack += reversed([*node.args, *(one.value for one in node.keywords)])
            case None | ast.Name() | ast.Constant() | ast.Attribute() | ast.expr_context() | ast.arg() | ast.arguments():
                continue
            case _:
                forms.append(type(node).__name__)
                stack += reversed(list(ast.iter_child_nodes(node)))
    return tuple(forms)


PROGRAM_FILES = ("my_player.py", "my_player3.py", "my_player.cpp", "my_player.java", "my_player11.cpp")
"""Entry files of the file protocol, in the course's order."""

_COMPILED = (".cpp", ".java")
# Where no file has one of the course's names, each one has to be read.
_MOST_SOURCES = 50
DECIDES = "a roster's columns entry and class can say which plays"


def kinds_for(rules: str) -> tuple[str, ...]:
    """Return which kinds of player can play under a preset of `goban.rulesets`."""
    return (CLASS, PROGRAM) if rules == LITTLEGO.name else (CLASS,)


@dataclass(frozen=True)
class Found:
    """Where a player is. folder: within the submission, '' for its top; entry: the file in it; kind: CLASS or PROGRAM.

    class_name: '' for a program. others: what else in that folder could have played, in words.
    """

    folder: str
    entry: str
    kind: str
    class_name: str = ""
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{show_path(PurePosixPath(self.entry))} ({f'class {self.class_name}' if self.kind == CLASS else 'a program'})"


@dataclass(frozen=True)
class _Candidate:
    """A file that could play. rank: how much speaks for it, 0 most; compared only between files without the course's names."""

    found: Found
    rank: int
    also: str = ""


def find_player(
    files: Files, class_name: str = "", kinds: Collection[str] = (CLASS, PROGRAM), entry: str = ""
) -> Found:
    """Return what plays. class_name, entry: the class and the file that do, where somebody has said so; else ''.

    Raises BadSubmissionError if there is none or more than one, and for a source that Python cannot read.
    """
    search = _Search(files, class_name, kinds)
    if entry:
        return search.candidate(_entry(files, entry)).found
    paths = [PurePosixPath(path) for path in files]
    named = _uppermost([path for path in paths if path.name in PROGRAM_FILES])
    folders = sorted({str(path.parent) for path in named})
    if len(folders) > 1:
        raise BadSubmissionError(f"expected one player, found some in the folders {_list(folders)}")
    named.sort(key=lambda path: PROGRAM_FILES.index(path.name))
    decider = search.decider(named)
    if decider is not None:
        rest = search.candidates(path for path in named if path != decider)
        # Programs first; the sort keeps the course's order otherwise.
        return _choose([search.candidate(decider), *sorted(rest, key=lambda one: one.found.kind == CLASS)])
    sources = [path for path in paths if path.suffix == ".py" and (not named or path.parent == named[0].parent)]
    sources = [path for path in _uppermost(sources) if path not in named]
    return _other_player(search, named, sources)


def _other_player(search: _Search, named: list[PurePosixPath], sources: list[PurePosixPath]) -> Found:
    """Return the one player in files without the course's names. named: files with such names, which cannot play."""
    if not named and not sources:
        hint = _new_name(search) or _hint(search.files)
        raise BadSubmissionError(f"expected {search.wanted}, found {_list(sorted(search.files))}{hint}")
    if len(sources) > _MOST_SOURCES:
        raise BadSubmissionError(f"expected {search.wanted}, found {len(sources)} other .py files")
    alone = len(sources) == 1 and not named
    own = [path for path in sources if not is_handout(search.files, path, alone)]
    players = search.candidates(own)
    best = [one for one in players if one.rank == min(other.rank for other in players)]
    if len(best) == 1:
        return _choose([*best, *(one for one in players if one is not best[0])])
    if best:
        raise BadSubmissionError(f"expected one player, found {_list([str(one.found) for one in best])}; {DECIDES}")
    if named:
        search.candidate(named[0])
    if not own:
        names = _list(sorted(map(str, sources)))
        raise BadSubmissionError(f"expected {search.wanted}, found only the course's own files: {names}{_hint(search.files)}")
    if len(sources) == 1:
        raise search.complaints[sources[0]]
    where = _list(sorted(map(str, own)))
    raise BadSubmissionError(f"expected one file with a class {search.class_name or USUAL_CLASS}, found none in {where}")


def _hint(files: Files) -> str:
    if any(path.lower().endswith(ARCHIVES) for path in files):
        return " (archives within a submission are not unpacked)"
    notebook = next((path for path in sorted(files) if path.endswith(".ipynb")), None)
    return f"; {show_path(PurePosixPath(notebook))}: {NOTEBOOK}" if notebook is not None else ""


def _new_name(search: _Search) -> str:
    """Return what to say of a file that would play if it had its right name: 'my_player3.PY', 'my_player3.py.txt'."""
    wanted = PROGRAM_FILES if PROGRAM in search.kinds else PROGRAM_FILES[:1]
    for path in sorted(search.files):
        name = PurePosixPath(path).name
        meant = _NOT_OF_A_NAME.sub("", name.casefold())
        if meant in wanted:
            return f"; rename {quoted(name)} to {meant}"
    return ""


# What a browser, an editor or a person puts into a name besides: blanks, 'my_player(1).py', 'my_player.py.txt'.
_NOT_OF_A_NAME = re.compile(r"\s+|\(\d+\)|(?:\.txt)+$")


def _choose(players: list[_Candidate]) -> Found:
    """Return the first of some candidates, with the others in words."""
    first, *rest = players
    also = [first.also] if first.also else []
    return replace(first.found, others=(*also, *(str(one.found) for one in rest)))


class _Search:
    """Looks at files one by one. complaints: why a file cannot play, of those that `candidates` has looked at.

    wanted: the names that the course asks for, in words.
    """

    def __init__(self, files: Files, class_name: str, kinds: Collection[str]) -> None:
        self.files = files
        self.class_name = class_name
        self.kinds = kinds
        self.complaints: dict[PurePosixPath, BadSubmissionError] = {}
        self.wanted = f"{', '.join(PROGRAM_FILES[:-1])} or {PROGRAM_FILES[-1]}" if PROGRAM in kinds else PROGRAM_FILES[0]
        self._only = "" if PROGRAM in kinds else "; those play under the rules 'littlego' only"

    def decider(self, named: list[PurePosixPath]) -> PurePosixPath | None:
        """Return which of the files with the course's names decides, whether it can play or not; None if none does."""
        for kind in (PROGRAM, CLASS):
            for path in named if kind in self.kinds else ():
                if self._is_meant_as(path, kind):
                    return path
        sources = [path for path in named if path.suffix == ".py"]
        return sources[0] if sources and not self.class_name else None

    def _is_meant_as(self, path: PurePosixPath, kind: str) -> bool:
        """Tell whether a file is to be a program, or a class that is asked; what cannot be parsed is judged by its words."""
        if kind == PROGRAM and self.class_name:
            return False
        if path.suffix in _COMPILED:
            return kind == PROGRAM
        try:
            evidence = look(self.files, path)
        except PlayerSourceError as error:
            data = self.files[str(path)]
            program = path.name == "my_player3.py" or looks_like_a_program(data)
            fits = program if kind == PROGRAM else b"get_input" in data or not program
            return fits and not error.for_python_2
        if kind == PROGRAM:
            return _is_program(evidence, path)
        wanted = self.class_name or USUAL_CLASS
        if wanted in {*evidence.players, *evidence.bases, *evidence.unsure, *evidence.unfit, *evidence.objects}:
            return True
        return not self.class_name and bool(evidence.players or (evidence.unfit and not evidence.reads))

    def candidates(self, paths: Iterable[PurePosixPath]) -> list[_Candidate]:
        """Return those of these files that can play, in order."""
        candidates = []
        for path in paths:
            try:
                candidates.append(self.candidate(path))
            except BadSubmissionError as error:
                self.complaints[path] = error
        return candidates

    def candidate(self, path: PurePosixPath) -> _Candidate:
        """Return a file as a player; raises BadSubmissionError if it cannot play."""
        try:
            return self._candidate(path)
        except PlayerSourceError as error:
            raise BadSubmissionError(str(error)) from error

    def _candidate(self, path: PurePosixPath) -> _Candidate:
        if path.suffix in _COMPILED:
            if PROGRAM in self.kinds and not self.class_name:
                return self._as_program(path, 0)
            raise not_a_class(path, self.class_name, self._only)
        evidence = look(self.files, path)
        if PROGRAM in self.kinds and not self.class_name and _is_program(evidence, path):
            also = "" if evidence.reads or not evidence.players else f"class {evidence.players[0]} in it"
            return self._as_program(path, 0 if evidence.reads else 4, also)
        class_name = class_in(evidence, path, self.class_name, DECIDES, self._only)
        rank = 3 if class_name not in {*evidence.players, *evidence.bases} else 1 if class_name == USUAL_CLASS else 2
        return _Candidate(_find(path, CLASS, class_name), rank)

    def _as_program(self, path: PurePosixPath, rank: int, also: str = "") -> _Candidate:
        if not self.files[str(path)].strip():
            # As an upload that broke off leaves it. It would lose each game without a word.
            raise BadSubmissionError(f"{show_path(path)}: the file is empty")
        return _Candidate(_find(path, PROGRAM), rank, also)


def _is_program(evidence: Evidence, path: PurePosixPath) -> bool:
    # What is called my_player3.py has never been anything else at the course, so it may leave all to a module.
    return evidence.main or evidence.reads or (path.name == "my_player3.py" and not evidence.players)


def _find(path: PurePosixPath, kind: str, class_name: str = "") -> Found:
    return Found("" if str(path.parent) == "." else str(path.parent), path.name, kind, class_name)


def _entry(files: Files, entry: str) -> PurePosixPath:
    """Return the file that a roster, or a student, has named: by its path, or by its name if no two have that."""
    paths = [PurePosixPath(path) for path in files]
    fitting = [path for path in paths if str(path) == entry] or _uppermost([path for path in paths if path.name == entry])
    if len(fitting) == 1 and fitting[0].suffix == ".ipynb":
        raise BadSubmissionError(f"{show_path(fitting[0])}: {NOTEBOOK}")
    if len(fitting) != 1:
        what = f"{len(fitting)} of them" if fitting else _list(sorted(files))
        raise BadSubmissionError(f"expected the file {quoted(entry)}, which is said to play, found {what}")
    if fitting[0].suffix not in (".py", *_COMPILED):
        raise BadSubmissionError(f"expected a .py, .cpp or .java file as the one that plays, got {quoted(entry)}")
    return fitting[0]


def _uppermost(paths: list[PurePosixPath]) -> list[PurePosixPath]:
    depth = min((len(path.parts) for path in paths), default=0)
    return [path for path in paths if len(path.parts) == depth]


def _list(names: list[str]) -> str:
    known = ", ".join("its top" if name == "." else printable(name, 60) for name in names[:4])
    return f"{known} and {len(names) - 4} more" if len(names) > 4 else known
