"""What a submission's source says, found by parsing. Nothing is imported or run.

    find_player(files, "MyPlayer")     which file holds the class, or that this is a program that reads input.txt
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from common.excerpts import printable, quoted
from goban.rulesets import LITTLEGO
from tournament.errors import BadSubmissionError
from tournament.intake.archives import Files
from tournament.records import CLASS, PROGRAM

PROGRAM_FILES = ("my_player.py", "my_player3.py", "my_player.cpp", "my_player11.cpp", "my_player.java")
"""Entry files of the file protocol; the first one that exists counts."""


def kinds_for(rules: str) -> tuple[str, ...]:
    """Return which kinds of player can play under a preset of `goban.rulesets`."""
    return (CLASS, PROGRAM) if rules == LITTLEGO.name else (CLASS,)


_MOST_SOURCE_BYTES = 2**20
# Where no file is called my_player.py, each one has to be read.
_MOST_SOURCES = 50
# Python itself accepts any codec named in a comment, and with some of them decoding never ends.
_CODINGS = re.compile(r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|koi8-\w|mac-\w+")
_PYTHON_2 = re.compile(r"Missing parentheses in call|multiple exception types must be|inconsistent use of tabs|leading zeros")
_READS_FILES = re.compile(rb"input\.txt|readInput")
_Scope = ast.If | ast.Try | ast.With | ast.For | ast.While


@dataclass(frozen=True)
class Found:
    """Where a player is. folder: within the submission, '' for its top; entry: the file in it; kind: CLASS or PROGRAM."""

    folder: str
    entry: str
    kind: str


def find_player(files: Files, class_name: str) -> Found:
    """Return where the player is: my_player.py in the topmost folder that has one, else the only file with the class.

    Raises BadSubmissionError if there is none or more than one, and for a source that Python cannot read.
    """
    paths = [PurePosixPath(path) for path in files]
    named = _uppermost([path for path in paths if path.name in PROGRAM_FILES])
    folders = sorted({str(path.parent) for path in named})
    if len(folders) > 1:
        raise BadSubmissionError(f"expected one player, found some in the folders {_list(folders)}")
    if named:
        return _named_player(files, min(named, key=lambda path: PROGRAM_FILES.index(path.name)), class_name)
    sources = _uppermost([path for path in paths if path.suffix == ".py"])
    if not sources:
        archives = any(path.suffix in (".zip", ".tar", ".tgz", ".gz") for path in paths)
        hint = " (archives within archives are not unpacked)" if archives else ""
        raise BadSubmissionError(f"expected my_player.py, found {_list(sorted(files))}{hint}")
    if len(sources) > _MOST_SOURCES:
        raise BadSubmissionError(f"expected my_player.py, found {len(sources)} other .py files")
    holders = [path for path in sources if _holds(files, path, class_name)]
    if not holders and len(sources) == 1:
        raise _no_class(files, sources[0], class_name)
    if len(holders) != 1:
        where = _list(sorted(map(str, holders or sources)))
        raise BadSubmissionError(f"expected one file with a class {class_name}, found {'it' if holders else 'none'} in {where}")
    return Found(_folder(holders[0]), holders[0].name, CLASS)


def _named_player(files: Files, path: PurePosixPath, class_name: str) -> Found:
    if path.name == "my_player.py" and _holds(files, path, class_name):
        return Found(_folder(path), path.name, CLASS)
    if path.name != "my_player.py" or _READS_FILES.search(files[str(path)]):
        if path.suffix == ".py":
            # Syntax errors, above all Python 2, are reported here rather than by a traceback at every move.
            python_tree(files, path)
        return Found(_folder(path), path.name, PROGRAM)
    raise _no_class(files, path, class_name)


def _no_class(files: Files, path: PurePosixPath, class_name: str) -> BadSubmissionError:
    others = sorted(node.name for node in _statements(python_tree(files, path)) if isinstance(node, ast.ClassDef))
    return BadSubmissionError(f"{_shown(path)}: expected a class {class_name}, found {_list(others) if others else 'no class'}")


def _uppermost(paths: list[PurePosixPath]) -> list[PurePosixPath]:
    depth = min((len(path.parts) for path in paths), default=0)
    return [path for path in paths if len(path.parts) == depth]


def _folder(path: PurePosixPath) -> str:
    return "" if str(path.parent) == "." else str(path.parent)


def _list(names: list[str]) -> str:
    shown = ", ".join("its top" if name == "." else printable(name, 60) for name in names[:4])
    return f"{shown} and {len(names) - 4} more" if len(names) > 4 else shown


def _shown(path: PurePosixPath) -> str:
    return printable(str(path), 100)


# Python


def _holds(files: Files, path: PurePosixPath, class_name: str) -> bool:
    """Return whether a module defines or imports the name `class_name`, as far as can be told without running it.

    Raises BadSubmissionError if the name is that of a class that cannot play.
    """
    for node in _statements(python_tree(files, path)):
        match node:
            case ast.ClassDef(name=name) if name == class_name:
                _check_class(node, path)
                return True
            case ast.ImportFrom() if any((alias.asname or alias.name) in (class_name, "*") for alias in node.names):
                return True
            case ast.Assign() if any(isinstance(one, ast.Name) and one.id == class_name for one in node.targets):
                return True
    return False


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported, without the insides of functions and classes, in the order of the source."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if node is not tree:
            yield node
        if node is tree or isinstance(node, _Scope | ast.ExceptHandler):
            stack += reversed(list(ast.iter_child_nodes(node)))


def _check_class(node: ast.ClassDef, path: PurePosixPath) -> None:
    """Raise BadSubmissionError if a class has no way to answer `get_input(go, piece_type)`."""
    if node.bases or node.decorator_list or node.keywords:
        return
    body = [one for one in _statements(node) if getattr(one, "name", "") == "get_input"]
    assigned = any(isinstance(one, ast.Name) and one.id == "get_input" for one in ast.walk(node))
    where = f"{_shown(path)}, line {node.lineno}"
    if not body and not assigned:
        raise BadSubmissionError(f"{where}: expected a method get_input(self, go, piece_type) in class {node.name}, found none")
    for method in body:
        if isinstance(method, ast.AsyncFunctionDef):
            raise BadSubmissionError(f"{where}: expected a plain method get_input, got an async one")
        if isinstance(method, ast.FunctionDef) and not method.decorator_list:
            given = method.args
            most = len(given.posonlyargs) + len(given.args)
            needed = most - len(given.defaults)
            if needed > 3 or (most < 3 and given.vararg is None) or any(one is None for one in given.kw_defaults):
                got = printable(_parameters(given), 60)
                line = f"{_shown(path)}, line {method.lineno}"
                raise BadSubmissionError(f"{line}: expected get_input(self, go, piece_type), got get_input({got})")


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


def python_tree(files: Files, path: PurePosixPath) -> ast.Module:
    """Return a source as Python reads it; raises BadSubmissionError with the line."""
    text = _text(files[str(path)], path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        said = printable(str(error.msg), 120)
        hint = " (this looks like Python 2)" if _PYTHON_2.search(said) else ""
        raise BadSubmissionError(f"{_shown(path)}, line {error.lineno or 1}: {type(error).__name__}: {said}{hint}") from error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise BadSubmissionError(f"{_shown(path)}: its source is nested too deeply to be read") from error


def _text(data: bytes, path: PurePosixPath) -> str:
    """Return a source as text, decoded as Python would; raises BadSubmissionError with the line."""
    if len(data) > _MOST_SOURCE_BYTES:
        raise BadSubmissionError(
            f"{_shown(path)}: expected at most {_MOST_SOURCE_BYTES >> 20} MiB of Python, got {len(data) / 2**20:.1f}; "
            "tables belong in a file of their own"
        )
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadSubmissionError(f"{_shown(path)}: expected UTF-8, got UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise BadSubmissionError(f"{_shown(path)}, line {_line(data, data.index(0))}: expected text, got a NUL byte")
    coding = _coding(data, path)
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        where = f"{_shown(path)}, line {_line(data, error.start)}"
        got = f"the byte 0x{data[error.start]:02x}"
        raise BadSubmissionError(f"{where}: expected {coding} text, got {got}; save it as UTF-8") from error


def _coding(data: bytes, path: PurePosixPath) -> str:
    try:
        coding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        said = printable(str(error), 80)
        if "missing" in said:
            # Not UTF-8. The decoding will say where.
            return "utf-8"
        raise BadSubmissionError(f"{_shown(path)}, line 1: {said}") from error
    if not _CODINGS.fullmatch(codecs.lookup(coding).name):
        raise BadSubmissionError(f"{_shown(path)}, line 1: expected a coding such as utf-8, got {quoted(coding)}")
    return coding


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
