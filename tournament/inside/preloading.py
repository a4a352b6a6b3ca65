"""What a Python program will import, loaded before it starts, so that a fork of this process need not.

Nothing of the program's own is loaded or run: names are found by parsing, and those its own folder has a file for are left
alone. Where loading them early could make a difference to the program, `why_not_preload` says so, and it is started for
real instead.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
import time
import warnings
from collections.abc import Iterator

# No more is loaded once this has taken so many seconds; what is left out the program loads itself.
_PATIENCE = 5.0
_MOST_SOURCES, _MOST_BYTES = 50, 1 << 20

# Modules that do something when they are imported.
_DO_SOMETHING = frozenset({"antigravity", "this", "idlelib", "test", "turtledemo", "__hello__", "__phello__", "__main__"})

# What a library loads by itself only when a program first uses it.
_PARTS_LOADED_LATE = ("numpy.random", "numpy.linalg")

# What every start of Python loads before a program's own folder is looked at, and so finds in the library.
_ALWAYS_LOADED = frozenset(
    {
        "__main__", "abc", "aliases", "codecs", "encodings", "genericpath", "importlib", "io", "os", "posixpath", "site",
        "stat", "sys", "zipimport", "zipfile", "_collections_abc", "_sitebuiltins",
    }
)  # fmt: skip


def own_names(home: str) -> set[str]:
    """Return the names by which a program can import what lies in its folder."""
    return {entry.name.partition(".")[0] for entry in os.scandir(home)}


def preload(home: str) -> None:
    """Import what the sources in a folder name, as far as it lies elsewhere; what fails will fail again where it matters."""
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
    """Return which file of a program would have been imported in place of a module that is loaded by now, '' if none.

    ours: names of modules that the program will not find loaded.
    """
    loaded = {name.partition(".")[0] for name in sys.modules} - ours - _ALWAYS_LOADED - set(sys.builtin_module_names)
    hidden = sorted(own_names(home) & loaded)
    return f"its {hidden[0]} stands in for a module of that name" if hidden else ""


def _imports(home: str) -> Iterator[str]:
    """Yield the modules that sources in a folder import, functions' insides included."""
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
