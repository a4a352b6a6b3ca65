"""Imports what a Python program will import before it starts, so that the forks of this process find it loaded.

Nothing of the program's own is loaded or run. The names come from parsing its sources, and names for which its own folder
has a file are left alone. Where early loading could make a difference to the program, `why_not_preload` says so, and the
program is started for real instead.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
import time
import warnings
from collections.abc import Iterator

# After so many seconds nothing more is loaded; the program loads the rest itself.
_PATIENCE = 5.0
_MOST_SOURCES, _MOST_BYTES = 50, 1 << 20

# Importing one of these does something visible.
_DO_SOMETHING = frozenset({"antigravity", "this", "idlelib", "test", "turtledemo", "__hello__", "__phello__", "__main__"})

# Parts that a library loads only when a program first uses them.
_PARTS_LOADED_LATE = ("numpy.random", "numpy.linalg")

# Python loads these at every start, before it looks into the program's own folder: a file there never takes their place.
_ALWAYS_LOADED = frozenset(
    {
        "__main__", "abc", "aliases", "codecs", "encodings", "genericpath", "importlib", "io", "os", "posixpath", "site",
        "stat", "sys", "zipimport", "zipfile", "_collections_abc", "_sitebuiltins",
    }
)  # fmt: skip


def own_names(home: str) -> set[str]:
    """Return the names under which a program can import what lies in its folder."""
    return {entry.name.partition(".")[0] for entry in os.scandir(home)}


def preload(home: str) -> None:
    """Import what the sources in a folder import from elsewhere. Failures are ignored: the program will meet them itself."""
    own = own_names(home) | _DO_SOMETHING
    started = time.monotonic()
    for name in dict.fromkeys((*_imports(home), *_PARTS_LOADED_LATE)):
        if name in _PARTS_LOADED_LATE and name.partition(".")[0] not in sys.modules:
            continue
        if name.partition(".")[0] in own or time.monotonic() - started > _PATIENCE:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                importlib.import_module(name)
        except BaseException:
            continue


def why_not_preload(home: str, ours: frozenset[str]) -> str:
    """Return why early loading would change what a program imports, one line; '' if it would not.

    That is so where the program has a file of its own with the name of a module that is loaded by now. ours: names of
    modules that the program will not find loaded.
    """
    loaded = {name.partition(".")[0] for name in sys.modules} - ours - _ALWAYS_LOADED - set(sys.builtin_module_names)
    hidden = sorted(own_names(home) & loaded)
    return f"its {hidden[0]} stands in for a module of that name" if hidden else ""


def _imports(home: str) -> Iterator[str]:
    """Yield the names of the modules that the sources in a folder import, also those imported within functions."""
    sources = sorted(entry.path for entry in os.scandir(home) if entry.name.endswith(".py") and entry.is_file())
    for path in sources[:_MOST_SOURCES]:
        try:
            with open(path, "rb") as file, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(file.read(_MOST_BYTES))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module
