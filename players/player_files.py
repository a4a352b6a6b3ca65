"""Files that a player is in, run as modules of their own; modules that lie beside them can be imported.

For that alone this place edits sys.path, and only while code of such a file runs:

    module = load_file("ann/my_player.py")
    with beside(module): ...                  what it imports now may lie beside it as well
    stay_beside(module, player)               and what this player does when it is asked
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import islice
from types import ModuleType
from typing import Any

from players.errors import BadPlayerError

PROJECT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

_SURROUNDINGS: dict[str, Surroundings] = {}


def load_file(path: str) -> ModuleType:
    """Run a file as a module of its own, whatever its name clashes with; leaves no compiled file beside it.

    What it imports may lie beside it; later on, only within `beside`. Raises BadPlayerError.
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
    folder = os.path.dirname(os.path.realpath(path))
    # What anybody can import is nobody's own.
    if folder != PROJECT and folder not in map(os.path.realpath, sys.path):
        _SURROUNDINGS[module.__name__] = Surroundings(folder)
    try:
        with beside(module):
            exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[module.__name__]
        _SURROUNDINGS.pop(module.__name__, None)
        raise BadPlayerError(f"player file {path!r} cannot be loaded: {in_one_line(error, module)}") from error
    return module


def beside(module: ModuleType) -> AbstractContextManager[object]:
    """Let a module's code import what lies beside it, if `load_file` has loaded it."""
    return _SURROUNDINGS.get(module.__name__, nullcontext())


def stay_beside(module: ModuleType, player: Any) -> None:  # noqa: ANN401
    """Have a player's `get_input` run within `beside`, if its module is such a file."""
    surroundings, get_input = _SURROUNDINGS.get(module.__name__), player.get_input
    if surroundings is None:
        return

    def asked(go: object, piece_type: int) -> object:
        with surroundings:
            return get_input(go, piece_type)

    # Where a class allows no such attribute it is asked as it is.
    with suppress(Exception):
        player.get_input = asked


class Surroundings:
    """Lets modules in a folder be imported, before others; in between they are nobody else's, whatever their names.

    Within itself it changes nothing: a player may load its own file again while it is asked.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._entered = 0
        self._kept: dict[str, ModuleType] = {}
        self._hidden: dict[str, ModuleType] = {}
        self._before = 0
        self._writes = False

    def __enter__(self) -> None:
        self._entered += 1
        if self._entered > 1:
            return
        self._before = len(sys.modules)
        self._hidden = {name: sys.modules.pop(name) for name in self._kept if name in sys.modules}
        sys.modules.update(self._kept)
        self._writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        sys.path.insert(0, self._folder)

    def __exit__(self, *error: object) -> None:
        self._entered -= 1
        if self._entered:
            return
        sys.dont_write_bytecode = self._writes
        if self._folder in sys.path:
            sys.path.remove(self._folder)
        # New modules are the last ones.
        new = list(islice(reversed(sys.modules), max(0, len(sys.modules) - self._before + len(self._hidden))))
        own = {name for name in new if "." not in name and _folder_of(sys.modules[name]) == self._folder}
        self._kept.update({name: sys.modules.pop(name) for name in new if name.partition(".")[0] in own})
        sys.modules.update(self._hidden)


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
