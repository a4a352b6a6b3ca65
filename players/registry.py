"""From a name to a player.

    what is given            what plays
    random, my, ...          a player of this project, see NAMES
    path/to/file.py          the class MyPlayer in that file
    path/to/file.py:Class    another class in that file
    module:Class             a class in a module that can be imported

Nothing is imported before it is asked for. A class whose constructor has a parameter named `rng` is given a
`random.Random` of its own; every other class is called without arguments.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Protocol

from players.errors import BadPlayerError
from players.host import Host

NAMES = {
    "random": "players.random_player:RandomPlayer",
    "greedy": "players.greedy_player:GreedyPlayer",
    "aggressive": "players.aggressive_player:AggressivePlayer",
    "smart": "players.smart_player:SmartPlayer",
    "naive": "players.naive_player:NaivePlayer",
    "manual": "players.manual_player:ManualPlayer",
    "my": "my_player:MyPlayer",
}


class Player(Protocol):
    """An object that plays; it may have a `type`, a string."""

    def get_input(self, go: Host, piece_type: int, /) -> object:
        """Return a point or "PASS"."""


def make_player(name: str, rng: random.Random) -> Player:
    """Return a new player for a name, file or class.

    Raises BadPlayerError if there is none, or if its code fails while it is loaded or made: that code may be anybody's.
    """
    cls = _find_class(name)
    try:
        takes_rng = "rng" in inspect.signature(cls).parameters
        player = cls(rng=rng) if takes_rng else cls()
    except (Exception, SystemExit) as error:
        raise BadPlayerError(f"player {name!r} cannot be made: {_in_one_line(error)}") from error
    if not callable(getattr(player, "get_input", None)):
        raise BadPlayerError(f"player {name!r}: expected a method get_input(go, piece_type), but it has none")
    return player  # type: ignore[no-any-return]


def _find_class(name: str) -> type:
    where, _, class_name = NAMES.get(name, name).rpartition(":")
    if not where and class_name.endswith(".py"):
        where, class_name = class_name, "MyPlayer"
    if not where or not class_name.isidentifier():
        raise BadPlayerError(
            f"expected a player ({', '.join(NAMES)}), a file.py, a file.py:Class or a module:Class, got {name!r}"
        )
    module = _load_file(Path(where)) if where.endswith(".py") else _import(where)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        raise BadPlayerError(f"expected a class {class_name} in {where}, found none")
    return found


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise BadPlayerError(f"module {name!r} cannot be imported: {_in_one_line(error)}") from error


def _load_file(path: Path) -> ModuleType:
    """Run a file as a module of its own, whatever its name clashes with."""
    if not path.is_file():
        raise BadPlayerError(f"player file {str(path)!r}: no such file")
    name = f"player file {path.resolve()}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadPlayerError(f"player file {str(path)!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise BadPlayerError(f"player file {str(path)!r} cannot be loaded: {_in_one_line(error)}") from error
    return module


def _in_one_line(error: BaseException) -> str:
    """Return what went wrong, for a syntax error with its line number, as printable text without line ends."""
    text = ascii(str(error))[1:-1]
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
