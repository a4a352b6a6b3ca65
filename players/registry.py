"""From a name to a player.

    what is given            what plays
    random, my, ...          a player of this project, see NAMES; in capitals or not
    path/to/file.py          the class MyPlayer in that file
    path/to/file.py:Class    another class in that file
    module:Class             a class in a module that can be imported
    ...:key=value,key=value  any of these with options, see `players.options`
    gtp:COMMAND              an engine that speaks GTP, as gtp:gnugo --mode gtp --level 1

Nothing is imported before it is asked for. A class whose constructor has a parameter named `rng` is given a
`random.Random` of its own; besides, it is called with the options that were given.
"""

from __future__ import annotations

import importlib
import inspect
import os
import random
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol

from common.command_lines import missing_package
from common.suggestions import suggestion
from goban.rulesets import RuleSet
from players.errors import BadPlayerError
from players.host import Host
from players.options import Value, read_options, split_options
from players.player_files import PROJECT, beside, in_one_line, load_file, stay_beside

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
    "montecarlo": "players.montecarlo_player:MonteCarloPlayer",
    "zero": "learning.alphazero.go_zero:ZeroPlayer",
    "manual": "players.manual_player:ManualPlayer",
    # By its file: in a student's folder, `import my_player` would find the student's own.
    "my": os.path.join(PROJECT, "my_player.py"),
}

# Without these they would take minutes for a move, or fail.
NEEDS = {"perfect": ("numpy", "numba"), "zero": ("numpy",)}


class Player(Protocol):
    """An object that plays; it may have a `type`, a string."""

    def get_input(self, go: Host, piece_type: int, /) -> object:
        """Return a point or "PASS"."""


def make_player(name: str, rng: random.Random) -> Player:
    """Return a new player for a name, file or class, with options or without.

    Raises BadPlayerError if there is none, or if its code, which may be anybody's, fails while it is loaded or made.
    """
    if name.startswith("gtp:"):
        from players.gtp_player import engine_player

        return engine_player(name, rng)
    module, cls, options = _find(name)
    try:
        takes_rng = "rng" in inspect.signature(cls).parameters
        with beside(module):
            player = cls(rng=rng, **options) if takes_rng else cls(**options)
        plays = callable(getattr(player, "get_input", None))
    except KeyboardInterrupt:
        raise
    except BadPlayerError as error:
        raise BadPlayerError(f"player {name!r}: {error}") from error
    except BaseException as error:
        raise BadPlayerError(f"player {name!r} cannot be made: {in_one_line(error, module)}") from error
    if not plays:
        raise BadPlayerError(f"player {name!r}: expected a method get_input(go, piece_type), but it has none")
    stay_beside(module, player)
    return player  # type: ignore[no-any-return]


def check_player(name: str) -> None:
    """Raise BadPlayerError for a name, file or class that gives no player, and for options that it does not have.

    Whether an engine, `gtp:COMMAND`, can be started is found out when it is.
    """
    if not name.startswith("gtp:"):
        _find(name)


def check_game(name: str, rules: RuleSet, size: int) -> None:
    """Raise BadPlayerError if a player of this project does not play by these rules, or on boards of this size.

    Such a player has a static method `check_game(rules, size, **options)`. What files, classes and engines play is found out
    when they are asked.
    """
    if split_options(name)[0].lower() not in NAMES:
        return
    _, cls, options = _find(name)
    try:
        getattr(cls, "check_game", _anything)(rules, size, **options)
    except BadPlayerError as error:
        raise BadPlayerError(f"player {name!r}: {error}") from None


def _anything(rules: RuleSet, size: int, **options: Value) -> None:
    """Of a player that plays every game."""


def _find(name: str) -> tuple[ModuleType, type, dict[str, Value]]:
    player, text = split_options(name)
    module, cls = _find_class(player)
    try:
        return module, cls, read_options(text, cls)
    except BadPlayerError as error:
        raise BadPlayerError(f"player {name!r}: {error}") from None


def _find_class(name: str) -> tuple[ModuleType, type]:
    target = NAMES.get(name.lower(), name)
    for package in NEEDS.get(name.lower(), ()):
        if find_spec(package) is None:
            raise BadPlayerError(f"player {name!r} needs {package}, which is not installed: pip install numpy numba")
    if target.endswith(".py"):
        target += ":MyPlayer"
    where, _, class_name = target.rpartition(":")
    if not where or not class_name.isidentifier():
        raise BadPlayerError(
            f"expected a player ({', '.join(NAMES)}), a file.py, a file.py:Class or a module:Class, got {name!r}"
            f"{suggestion(name, NAMES)}"
        )
    if where in NAMES and find_spec(where) is None:
        raise BadPlayerError(f"expected options as {where}:key=value,key=value, got {name!r}")
    module = load_file(where) if where.endswith(".py") else _import(where)
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
    except ModuleNotFoundError as error:
        package = missing_package(error)
        if package in ("", name.partition(".")[0]):
            raise BadPlayerError(f"module {name!r} cannot be imported: {in_one_line(error)}") from error
        raise BadPlayerError(f"module {name!r} needs {package}: pip install -e . (or run it with .venv/bin/python)") from error
    except BaseException as error:
        raise BadPlayerError(f"module {name!r} cannot be imported: {in_one_line(error)}") from error
