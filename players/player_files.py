"""Files that a player is in, run as modules of their own; modules that lie beside them can be imported.

For that alone this place edits sys.path, and only while a file is loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from players.errors import BadPlayerError

PROJECT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def load_file(path: str) -> ModuleType:
    """Run a file as a module of its own, whatever its name clashes with; leaves no compiled file beside it.

    What it imports while it is loaded may lie beside it.
    """
    try:
        with open(path, "rb") as file:
            source = file.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadPlayerError(f"player file {path!r} cannot be read: {reason}") from error
    module = ModuleType(f"player file {os.path.realpath(path)}")
    module.__file__ = path
    sys.modules[module.__name__] = module
    try:
        with _modules_beside(os.path.dirname(os.path.realpath(path))):
            exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[module.__name__]
        raise BadPlayerError(f"player file {path!r} cannot be loaded: {in_one_line(error, module)}") from error
    return module


@contextmanager
def _modules_beside(folder: str) -> Iterator[None]:
    """Let modules in a folder be imported, before others; afterwards they are nobody else's, whatever their names."""
    if folder in map(os.path.realpath, sys.path) or folder == PROJECT:
        yield
        return
    before, writes = set(sys.modules), sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        if folder in sys.path:
            sys.path.remove(folder)
        new = set(sys.modules) - before
        beside = {name for name in new if "." not in name and _folder_of(sys.modules[name]) == folder}
        for name in new:
            if name.partition(".")[0] in beside:
                del sys.modules[name]


def _folder_of(module: ModuleType) -> str:
    """Return the folder in which a module's file or a package lies, '' if it is nowhere."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str):
        return ""
    place = os.path.realpath(file)
    return os.path.dirname(os.path.dirname(place) if os.path.basename(place) == "__init__.py" else place)


def in_one_line(error: BaseException, module: ModuleType | None = None) -> str:
    """Return what went wrong, and on which line of the module, as printable text without line ends.

    A syntax error's own text names its line already.
    """
    try:
        text = ascii(str(error))[1:-1][:200]
    except Exception:
        text = ""
    if isinstance(error, SystemExit):
        text = "it calls sys.exit()"
    file, line, step = getattr(module, "__file__", None), 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            line = step.tb_lineno
        step = step.tb_next
    place = f" (line {line})" if line else ""
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"
