"""What the source of a player says: whether Python can read it, which class plays, whether it is a program by itself.

    a class      has a method get_input(self, go, piece_type), of its own or of a base in the same file
    a program    has a main part, or reads input.txt

A main part is `if __name__ == ...`, or a call of one of the file's own functions while it is run. What only a comment or a
docstring says counts for nothing. The file is decoded and parsed, never run, so some names stay unsure: those it imports, or
assigns.

What is wrong is one line, and everybody who looks at a player's file says it in these words: go_play.py, the board in a
browser, `check` and the judge. What goes wrong once its code runs is worded in `goban.common.player_faults`.
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from goban.common.excerpts import printable, quoted
from goban.common.files import is_utf_16
from goban.common.player_faults import ASYNC, NOTEBOOK, is_for_python_2, no_class, syntax_words

USUAL_CLASS = "MyPlayer"
_METHOD = "get_input"
_READER = "readInput"
# Bases that bring no methods along.
_EMPTY_BASES = ("object", "ABC")
_Scope = ast.If | ast.Try | ast.With | ast.For | ast.While
_Function = ast.FunctionDef | ast.AsyncFunctionDef

_MOST_BYTES = 2**20
# Python itself accepts any codec named in a comment, and with some of them decoding never ends.
_CODINGS = re.compile(r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|koi8-\w|mac-\w+")
_PROGRAM_SIGN = re.compile(rb"input\.txt|readInput|__main__")


class PlayerSourceError(ValueError):
    """A source is no player; the message says why, and where, in one line. for_python_2: it was written for Python 2."""

    for_python_2 = False


# Reading it


def show_path(path: PurePosixPath) -> str:
    """Return a file's name as messages have it."""
    return printable(str(path), 100)


def python_tree(data: bytes, path: PurePosixPath) -> ast.Module:
    """Return a source as Python reads it; raises PlayerSourceError with the line."""
    text = _text(data, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        wrong = PlayerSourceError(f"{show_path(path)}, line {error.lineno or 1}: {syntax_words(error)}")
        wrong.for_python_2 = is_for_python_2(error)
        raise wrong from error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise PlayerSourceError(f"{show_path(path)}: its source is nested too deeply to be read") from error


def _text(data: bytes, path: PurePosixPath) -> str:
    """Return a source as text, decoded as Python would; raises PlayerSourceError with the line."""
    if len(data) > _MOST_BYTES:
        raise PlayerSourceError(
            f"{show_path(path)}: expected at most {_MOST_BYTES >> 20} MiB of Python, got {len(data) / 2**20:.1f}; "
            "tables belong in a file of their own"
        )
    if is_utf_16(data):
        raise PlayerSourceError(f"{show_path(path)}: expected UTF-8, got UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise PlayerSourceError(f"{show_path(path)}, line {_line(data, data.index(0))}: expected text, got a NUL byte")
    if data.lstrip().startswith(b"{") and b'"nbformat"' in data:
        raise PlayerSourceError(f"{show_path(path)}: {NOTEBOOK}")
    coding = _coding(data, path)
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        where = f"{show_path(path)}, line {_line(data, error.start)}"
        got = f"the byte 0x{data[error.start]:02x}"
        raise PlayerSourceError(f"{where}: expected {coding} text, got {got}; save it as UTF-8") from error


def _coding(data: bytes, path: PurePosixPath) -> str:
    try:
        coding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        reason = printable(str(error), 80)
        if "missing" in reason:
            # Not UTF-8. The decoding will say where.
            return "utf-8"
        raise PlayerSourceError(f"{show_path(path)}, line 1: {reason}") from error
    if not _CODINGS.fullmatch(codecs.lookup(coding).name):
        raise PlayerSourceError(f"{show_path(path)}, line 1: expected a coding such as utf-8, got {quoted(coding)}")
    return coding


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


# What it says


@dataclass
class Evidence:
    """What one file says.

    players: classes that can play, in order; bases: those that can, and are bases of others. unsure: names that may stand for
    such a class. unfit: name of a class -> why it cannot play, one line. objects: the same for names of objects. main, reads:
    whether it has a main part, and whether it reads input.txt.
    """

    players: list[str] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    unfit: dict[str, str] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)
    main: bool = False
    reads: bool = False


def looks_like_a_program(data: bytes) -> bool:
    """Tell whether a source that cannot be parsed seems to be a program, rather than a class that is asked."""
    return _PROGRAM_SIGN.search(data) is not None


def look(files: Mapping[str, bytes], path: PurePosixPath) -> Evidence:
    """Return what a Python source says; raises PlayerSourceError, with the line, if Python cannot read it.

    files: path -> contents, of those that lie beside it too.
    """
    return _look(files, path, {path})


def class_in(evidence: Evidence, path: PurePosixPath, class_name: str, decides: str, only: str = "") -> str:
    """Return the name of the class that plays; raises PlayerSourceError if there is none, or more than one.

    class_name: the one that is wanted, '' for the usual one or else the only one. decides: what can say which of several
    plays. only: what to add where it is a program.
    """
    wanted = class_name or USUAL_CLASS
    if wanted in evidence.objects:
        raise PlayerSourceError(evidence.objects[wanted])
    if wanted in evidence.players or wanted in evidence.bases or wanted in evidence.unsure:
        return wanted
    if not class_name and len(evidence.players) == 1:
        return evidence.players[0]
    if not class_name and evidence.players:
        players = _list(evidence.players)
        raise PlayerSourceError(f"{show_path(path)}: expected one class with get_input, found {players}; {decides}")
    if not class_name and evidence.reads:
        raise not_a_class(path, class_name, only)
    if wanted in evidence.unfit:
        raise PlayerSourceError(evidence.unfit[wanted])
    others = sorted({*evidence.players, *evidence.unfit})
    if not class_name and evidence.main and not others:
        # Modules beside it read input.txt.
        raise not_a_class(path, class_name, only, "has a main part")
    raise PlayerSourceError(f"{show_path(path)}: {no_class(wanted, others)}")


def not_a_class(path: PurePosixPath, class_name: str, only: str, sign: str = "reads input.txt") -> PlayerSourceError:
    """Return what to raise for a program where a class is wanted. only: what to add; sign: how it is known to be a program."""
    wanted = class_name or USUAL_CLASS
    return PlayerSourceError(f"{show_path(path)}: expected a class {wanted}, found a program that {sign}{only}")


def _list(names: Sequence[str]) -> str:
    known = ", ".join(printable(name, 60) for name in names[:4])
    return f"{known} and {len(names) - 4} more" if len(names) > 4 else known


def _look(files: Mapping[str, bytes], path: PurePosixPath, seen: set[PurePosixPath]) -> Evidence:
    tree = python_tree(files[str(path)], path)
    evidence = Evidence(reads=_reads(tree))
    functions = {node.name: node.lineno for node in _statements(tree) if isinstance(node, _Function)}
    bases: set[str] = set()
    alone: set[ast.AST] = set()
    for node in _statements(tree):
        match node:
            case ast.ClassDef() if node in alone and node.name not in evidence.players:
                why = "only there where the file is started by itself: it stands below `if __name__ == ...`"
                place = f"{show_path(path)}, line {node.lineno}"
                evidence.unfit[node.name] = f"{place}: the class {printable(node.name, 60)} is {why}"
            case ast.ClassDef():
                _judge(node, path, evidence, functions.get(_METHOD, 0))
                bases |= _names(node.bases)
            case ast.ImportFrom():
                evidence.unsure |= _find_imports(node, files, path, seen)
            case ast.Assign():
                _assign(node, path, evidence)
            case ast.If(test=test) if any(isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(test)):
                evidence.main = True
                if isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Eq):
                    alone.update(node.body)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in functions:
                evidence.main = True
    evidence.bases = [name for name in evidence.players if name in bases]
    evidence.players = [name for name in evidence.players if name not in bases]
    return evidence


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported, without the insides of functions and classes, in the order of the source."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if node is not tree:
            yield node
        if node is tree or isinstance(node, _Scope | ast.ExceptHandler):
            stack += reversed(list(ast.iter_child_nodes(node)))


def _names(nodes: list[ast.expr]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _reads(tree: ast.Module) -> bool:
    """Tell whether a source names input.txt in a string that it uses, or the course's function that reads it."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if "input.txt" in text and id(node) not in docstrings:
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name == _READER:
                return True
    return False


def _find_imports(
    node: ast.ImportFrom, files: Mapping[str, bytes], path: PurePosixPath, seen: set[PurePosixPath]
) -> set[str]:
    """Return the names that `from ... import ...` may bring; for `*`, those of the submission's own file of that name."""
    if all(alias.name != "*" for alias in node.names):
        return {alias.asname or alias.name for alias in node.names}
    source = path.parent / f"{(node.module or '').replace('.', '/')}.py"
    if str(source) not in files or source in seen:
        return set()
    seen.add(source)
    try:
        evidence = _look(files, source, seen)
    except PlayerSourceError:
        return set()
    return {*evidence.players, *evidence.unsure}


# Classes


def _assign(node: ast.Assign, path: PurePosixPath, evidence: Evidence) -> None:
    """Note what names stand for from here on: perhaps a class, but not if an object of a class of the same file is made."""
    names = _names(node.targets)
    match node.value:
        case ast.Call(func=ast.Name(id=name)) if name in evidence.players or name in evidence.unfit:
            where = f"{show_path(path)}, line {node.lineno}"
            evidence.objects |= {one: f"{where}: {no_class(one, [], an_object=True)}" for one in names}
        case _:
            evidence.unsure |= names
    for target in node.targets:
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if attribute == _METHOD:
                # A class that is given its method later.
                evidence.unsure.add(name)


def _judge(node: ast.ClassDef, path: PurePosixPath, evidence: Evidence, outside: int) -> None:
    """Note whether a class can play. outside: the line of a function get_input that is in no class; 0 if there is none."""
    # A class is judged by its last definition.
    evidence.players = [name for name in evidence.players if name != node.name]
    evidence.unfit.pop(node.name, None)
    evidence.objects.pop(node.name, None)
    bases = [base for base in node.bases if _names([base]).isdisjoint(_EMPTY_BASES)]
    strange = bool(bases or node.decorator_list or node.keywords)
    methods = [one for one in _statements(node) if getattr(one, "name", "") == _METHOD]
    assigned = any(isinstance(one, ast.Name) and one.id == _METHOD for one in ast.walk(node))
    complaint = "" if strange else _complaint(methods, path)
    if complaint:
        evidence.unfit[node.name] = complaint
    elif methods or assigned or not _names(node.bases).isdisjoint(evidence.players):
        evidence.players.append(node.name)
    elif strange:
        evidence.unsure.add(node.name)
    else:
        evidence.unfit[node.name] = _without_method(node, path, outside)


def _without_method(node: ast.ClassDef, path: PurePosixPath, outside: int) -> str:
    # Imported late, because it takes a while and is needed for mistakes only.
    from difflib import get_close_matches

    near = get_close_matches(_METHOD, [one.name[:60] for one in _statements(node) if isinstance(one, _Function)], 1)
    where = f"{show_path(path)}, line {node.lineno}"
    expected = f"expected a method get_input(self, go, piece_type) in class {node.name}"
    inner = [one.lineno for one in ast.walk(node) if isinstance(one, _Function) and one.name == _METHOD]
    if inner:
        return f"{where}: {expected}, found one inside another function (line {inner[0]}); indent it less"
    if outside:
        return f"{where}: {expected}, found one outside of it (line {outside}); indent it below the class"
    return f"{where}: {expected}, found {printable(near[0], 60) if near else 'none'}"


def _complaint(methods: Collection[ast.AST], path: PurePosixPath) -> str:
    """Return why none of these can be called as `get_input(go, piece_type)` on an object, one line; '' if they can."""
    for method in methods:
        if isinstance(method, ast.AsyncFunctionDef):
            return f"{show_path(path)}, line {method.lineno}: {ASYNC}"
        if isinstance(method, ast.FunctionDef) and not method.decorator_list:
            given = method.args
            most = len(given.posonlyargs) + len(given.args)
            needed = most - len(given.defaults)
            swapped = [one.arg for one in (*given.posonlyargs, *given.args)][1:3] == ["piece_type", "go"]
            if swapped or needed > 3 or (most < 3 and given.vararg is None) or any(one is None for one in given.kw_defaults):
                got = printable(_parameters(given), 60)
                line = f"{show_path(path)}, line {method.lineno}"
                return f"{line}: expected get_input(self, go, piece_type), got get_input({got})"
    return ""


def _parameters(given: ast.arguments) -> str:
    """Return parameters as Python writes them, with `...` for defaults and without annotations: both may be of any depth.

    They are cut off the tree.
    """
    dots = ast.Constant(...)
    given.defaults = [dots for _ in given.defaults]
    given.kw_defaults = [one and dots for one in given.kw_defaults]
    for one in (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg):
        if one is not None:
            one.annotation = None
    return ast.unparse(given)
