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
import inspect
import os
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
    "alphabeta": "players.alphabeta_player:AlphaBetaPlayer",
    "qlearner": "players.qlearner_player:QLearnerPlayer",
    "championship": "players.championship_player:ChampionshipPlayer",
    "perfect": "players.perfect_player:PerfectPlayer",
    "naive": "players.naive_player:NaivePlayer",
    "manual": "players.manual_player:ManualPlayer",
    # By its file: in a student's folder, `import my_player` would find the student's own.
    "my": str(Path(__file__).resolve().parent.parent / "my_player.py"),
}


class Player(Protocol):
    """An object that plays; it may have a `type`, a string."""

    def get_input(self, go: Host, piece_type: int, /) -> object:
        """Return a point or "PASS"."""


def make_player(name: str, rng: random.Random) -> Player:
    """Return a new player for a name, file or class.

    Raises BadPlayerError if there is none, or if its code, which may be anybody's, fails while it is loaded or made.
    """
    module, cls = _find_class(name)
    try:
        takes_rng = "rng" in inspect.signature(cls).parameters
        player = cls(rng=rng) if takes_rng else cls()
        plays = callable(getattr(player, "get_input", None))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BadPlayerError(f"player {name!r} cannot be made: {_in_one_line(error, module)}") from error
    if not plays:
        raise BadPlayerError(f"player {name!r}: expected a method get_input(go, piece_type), but it has none")
    return player  # type: ignore[no-any-return]


def _find_class(name: str) -> tuple[ModuleType, type]:
    target = NAMES.get(name, name)
    if target.endswith(".py"):
        target += ":MyPlayer"
    where, _, class_name = target.rpartition(":")
    if not where or not class_name.isidentifier():
        raise BadPlayerError(
            f"expected a player ({', '.join(NAMES)}), a file.py, a file.py:Class or a module:Class, got {name!r}"
        )
    module = _load_file(where) if where.endswith(".py") else _import(where)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        classes = [key for key in own if isinstance(vars(module)[key], type)]
        raise BadPlayerError(f"expected a class {class_name} in {where!r}, found {', '.join(classes) or 'no class'}")
    return module, found


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BadPlayerError(f"module {name!r} cannot be imported: {_in_one_line(error)}") from error


def _load_file(path: str) -> ModuleType:
    """Run a file as a module of its own, whatever its name clashes with; leaves no compiled file beside it."""
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
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[module.__name__]
        raise BadPlayerError(f"player file {path!r} cannot be loaded: {_in_one_line(error, module)}") from error
    return module


def _in_one_line(error: BaseException, module: ModuleType | None = None) -> str:
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
