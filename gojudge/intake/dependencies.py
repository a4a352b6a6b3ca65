"""The other files of its folder that a single submitted file needs: modules that it imports, files that it names.

    import helper            helper.py, or all sources in the folder helper
    open("table.json")       a file of that name; also "data/table.json", and join("data", "table.json")
    #include "board.h"       the same; a C++ or Java program brings all sources of its language, which are compiled together

and whatever these need in turn. Nothing is run. A name counts only if the source has it in full, as a string of its own or
between slashes, because the folder may hold other people's submissions too.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path, PurePosixPath

from goban.common.excerpts import quoted
from goban.common.player_sources import PlayerSourceError, python_tree
from gojudge.errors import BadSubmissionError
from gojudge.inside.zygote import HOST_MODULES
from gojudge.intake.archives import JUNK, Bounds, Files, open_regular

MOST_MIB = 64
_MOST_FILES = Bounds().entries
_ROOT = Path(__file__).resolve().parents[2]
_MODULE_ENDINGS = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)
_COMPILED_TOGETHER = (".cpp", ".java")
_SOURCES = (".py", *_COMPILED_TOGETHER, ".h", ".hpp")
_IMPORTS = re.compile(r"^[ \t\f]*(?:from|import)\s+([\w., \t]+)", re.M)
_SLASHES = re.compile(r"[/\\]")
_MISSING = re.compile(r"(?:No such file or directory: |No module named )'([^']+)'")


def companions(source: Path) -> Files:
    """Return the files that `source` needs, by their paths from its folder, without `source` itself.

    Raises BadSubmissionError if there are too many, if they are too large, or if one is a link or cannot be read.
    """
    files = _Gathering(source).all()
    del files[source.name]
    return files


def hint(source: Path, detail: str) -> str:
    """Return advice if `detail` says that a game of a lone file missed a file that lies beside it; else ''."""
    missing = _MISSING.search(detail)
    if missing is None or not source.is_file():
        return ""
    folder, name = source.resolve().parent, missing[1].lstrip("/")
    if not any(os.path.exists(folder / path) for path in (name, f"{name}.py", name.rpartition("/")[2])):
        return ""
    return (
        f"{name} lies beside it, but only such files come along as it imports, or names in full; to bring all, "
        "name the folder, and call the player my_player.py"
    )


@dataclass(frozen=True)
class _Needs:
    """modules: those imported, with dots. names: tells whether a string in the source may mean a file of that name."""

    modules: frozenset[str]
    names: Callable[[str], bool]


class _Gathering:
    """The files found so far, the source first. Paths are relative to the source's folder, with `/` between folders."""

    def __init__(self, source: Path) -> None:
        self._folder = source.parent
        self._source = source.name
        self._files: Files = {}
        self._left = MOST_MIB << 20

    def all(self) -> Files:
        todo = [self._source]
        while todo:
            path = todo.pop()
            if path not in self._files:
                self._files[path] = data = self._read(path)
                if path.endswith(_SOURCES):
                    todo += self._find_wanted(path, _needs(path, data))
        return self._files

    def _read(self, path: str) -> bytes:
        what = f"{quoted(path)}, which it needs" if self._files else quoted(path)
        if (self._folder / path).is_symlink():
            raise BadSubmissionError(f"expected regular files, got the symbolic link {what}")
        try:
            with open_regular(self._folder / path) as file:
                data = file.read(self._left + 1)
        except OSError as error:
            raise BadSubmissionError(f"{what}, cannot be read: {error.strerror}") from error
        self._left -= len(data)
        if self._left < 0 or len(self._files) == _MOST_FILES:
            most = f"{MOST_MIB} MiB and {_MOST_FILES} files"
            raise BadSubmissionError(f"expected at most {most} with all it needs from its folder, found more at {quoted(path)}")
        return data

    def _find_wanted(self, path: str, needs: _Needs) -> Iterator[str]:
        for module in {module.partition(".")[0] for module in needs.modules}:
            found = self._module(module)
            if module not in HOST_MODULES or not all(map(self._is_the_hosts, found)):
                yield from found
        # A module of a package may look beside itself, or in the folder in which the game is played.
        for folder in {"", _parent(path)}:
            yield from (name for name in self._find_named(folder, needs.names) if not self._is_the_hosts(name))
        if path.endswith(_COMPILED_TOGETHER):
            yield from (other for other in self._files_in(_parent(path)) if other.endswith(PurePosixPath(path).suffix))

    def _module(self, name: str) -> list[str]:
        """Return the files that Python would find for `import name`; for a package, all its sources."""
        package = sorted(self._package(name))
        single = [f"{name}{ending}" for ending in _MODULE_ENDINGS if os.path.isfile(self._folder / f"{name}{ending}")]
        return package if f"{name}/__init__.py" in package or not single else single[:1]

    def _package(self, folder: str) -> Iterator[str]:
        yield from (path for path in self._files_in(folder) if path.endswith(_MODULE_ENDINGS))
        for inner in self._folders_in(folder):
            yield from self._package(inner)

    def _find_named(self, folder: str, names: Callable[[str], bool]) -> Iterator[str]:
        yield from (path for path in self._files_in(folder) if names(PurePosixPath(path).name))
        for inner in self._folders_in(folder):
            if names(PurePosixPath(inner).name):
                yield from self._find_named(inner, names)

    def _files_in(self, folder: str) -> list[str]:
        return [path for path in self._entries(folder) if (self._folder / path).is_file()]

    def _folders_in(self, folder: str) -> list[str]:
        if len(folder.split("/")) >= Bounds().depth:
            return []
        paths = [self._folder / path for path in self._entries(folder)]
        return [path.relative_to(self._folder).as_posix() for path in paths if path.is_dir() and not path.is_symlink()]

    def _entries(self, folder: str) -> list[str]:
        try:
            names = sorted(path.name for path in (self._folder / folder).iterdir())
        except OSError:
            return []
        return [f"{folder}/{name}" if folder else name for name in names if name not in JUNK]

    def _is_the_hosts(self, path: str) -> bool:
        """Tell whether a file is the same as the judge's own of that name."""
        if path.partition("/")[0].removesuffix(".py") not in HOST_MODULES:
            return False
        try:
            return (self._folder / path).read_bytes() == (_ROOT / path).read_bytes()
        except OSError:
            return False


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


# What a source says


def _needs(path: str, data: bytes) -> _Needs:
    if path.endswith(".py"):
        try:
            return _of_python(python_tree(data, PurePosixPath(path)))
        except PlayerSourceError:
            pass  # perhaps written for another Python
    return _of_text(data.decode("utf-8", "replace"))


def _of_python(tree: ast.Module) -> _Needs:
    modules: set[str] = set()
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                modules.update(alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module), level=0):
                modules.add(module)
            case ast.Constant(value=str(text)):
                names.update(_SLASHES.split(text))
    return _Needs(frozenset(modules), names.__contains__)


def _of_text(text: str) -> _Needs:
    parts = (part.split() for line in _IMPORTS.findall(text) for part in line.split(","))

    def named(name: str) -> bool:
        return re.search(rf"""["'/<\\]{re.escape(name)}["'/>\\]""", text) is not None

    return _Needs(frozenset(words[0] for words in parts if words), named)
