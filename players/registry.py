"""From a name to a player.

    what is given            what plays
    random, my, ...          a player of this project, see NAMES; case does not matter
    path/to/file.py          the class MyPlayer in that file, or else its only class with get_input
    path/to/file.py:Class    another class in that file
    module:Class             a class in a module that can be imported
    ...:key=value,key=value  any of these with options, see `read_options`
    gtp:COMMAND              an engine that speaks GTP, such as gtp:gnugo --mode gtp --level 1

Players are imported on first use. A class whose constructor has a parameter named `rng` is given its own
`random.Random`, together with the given options.

Options are the parameters of the player's constructor that hold a whole number, a number, yes or no, or a text. Values
cannot contain commas.
"""

from __future__ import annotations

import importlib
import inspect
import os
import random
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import PurePosixPath
from types import ModuleType
from typing import NamedTuple, Protocol

from go import is_manual
from goban.common.command_lines import command_line, complain, how_to_install, missing_package, what_is_needed
from goban.common.excerpts import printable, quoted, suggestion
from goban.common.player_faults import (
    NOTEBOOK,
    RefusedError,
    check_can_be_asked,
    class_of,
    endless,
    fault_line,
    fault_words,
    steps,
)
from goban.common.player_sources import PlayerSourceError, class_in, look
from goban.rulesets import RuleSet
from players.errors import BadPlayerError
from players.host import Host
from players.player_files import PROJECT, FolderFiles, beside, data_of, is_ours, load_file, read_file, stay_beside

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
    "zero": "golearn.alphazero.go_zero:ZeroPlayer",
    "manual": "players.manual_player:ManualPlayer",
    # By its file: in a student's folder, `import my_player` would find the student's own.
    "my": os.path.join(PROJECT, "my_player.py"),
}

# Without these they would take minutes for a move, or fail.
NEEDS: dict[str, tuple[str, ...]] = {"perfect": ("numpy", "numba"), "montecarlo": ("numpy", "numba"), "zero": ("numpy",)}

_WHICH = "file.py:Class says which plays"


class Player(Protocol):
    """An object that plays; it may have a `type`, a string."""

    def get_input(self, go: Host, piece_type: int, /) -> object:
        """Return a point or "PASS"."""


def make_player(name: str, rng: random.Random) -> Player:
    """Return a new player for a name, file or class, with or without options.

    Raises BadPlayerError if there is none, or if its code, which may be anybody's, fails while it is loaded or created.
    """
    return PlayerMaker(name, rng).next_player()


class PlayerMaker:
    """Makes the players of one match from a name: each game of a file or class has a new object, as at the judge.

    A file whose own data have changed since it was loaded is also reloaded: nothing that it remembers is there in the next
    game. The project's own players and engines play all games with one object. Raises the errors of `make_player`.
    """

    def __init__(self, name: str, rng: random.Random) -> None:
        self._name = name
        self._rng = rng
        self._kept: Player | None = None
        self._found: _Found | None = None
        self._data: dict[str, bytes] = {}

    def next_player(self) -> Player:
        """Return the player of the next game."""
        if self._kept is not None:
            return self._kept
        if self._name.startswith("gtp:"):
            from players.gtp_player import engine_player

            self._kept = engine_player(self._name, self._rng)
            return self._kept
        if self._found is None or data_of(self._found.module) != self._data:
            self._found = _find(self._name)
        # Looked at before the constructor runs: what it changes is changed by a game.
        self._data = data_of(self._found.module)
        player = _make(self._name, self._found, self._rng)
        if self._found.ours:
            self._kept = player
        return player


def _make(name: str, found: _Found, rng: random.Random) -> Player:
    home = _home(found.module)
    try:
        takes_rng = "rng" in inspect.signature(found.cls).parameters
        with beside(found.module):
            player = found.cls(rng=rng, **found.options) if takes_rng else found.cls(**found.options)
            check_can_be_asked(player)
    except KeyboardInterrupt as stopped:
        stopped.add_note(endless(steps(stopped.__traceback__), home))
        raise
    except BadPlayerError as error:
        raise BadPlayerError(f"player {name!r}: {error}") from error
    except BaseException as error:
        raise BadPlayerError(f"player {name!r}: {fault_line(error, home)}") from error
    stay_beside(found.module, player, is_manual(player))
    return player  # type: ignore[no-any-return]


def _home(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return os.path.dirname(os.path.realpath(file)) if isinstance(file, str) else ""


def home_of(name: str) -> str:
    """Return the folder of a player's file, '' for players that are named otherwise."""
    target = split_options(name)[0]
    file = target if target.endswith(".py") else target.rpartition(":")[0]
    return os.path.dirname(os.path.realpath(file)) if file.endswith(".py") else ""


def check_player(name: str) -> None:
    """Raise BadPlayerError for a name, file or class that gives no player, and for options it does not have.

    Whether an engine, `gtp:COMMAND`, can be started is not checked before it starts.
    """
    if not name.startswith("gtp:"):
        _find(name)


def check_game(name: str, rules: RuleSet, size: int) -> None:
    """Raise BadPlayerError if a player of this project does not play by these rules, or on boards of this size.

    Such a player has a static method `check_game(rules, size, **options)`. Files, classes and engines are not checked before
    they are asked.
    """
    if split_options(name)[0].lower() not in NAMES:
        return
    found = _find(name)
    try:
        getattr(found.cls, "check_game", _anything)(rules, size, **found.options)
    except BadPlayerError as error:
        raise BadPlayerError(f"player {name!r}: {error}") from None


def _anything(rules: RuleSet, size: int, **options: Value) -> None:
    """Of a player that plays every game."""


class _Found(NamedTuple):
    """A class that plays, the module it was found in, the options of its constructor, and whether it is of this project."""

    module: ModuleType
    cls: type
    options: dict[str, Value]
    ours: bool


def _find(name: str) -> _Found:
    player, text = split_options(name)
    target = NAMES.get(player.lower(), player)
    ours = is_ours(target) if target.endswith(".py") else target is not player
    module, cls = _find_class(player, target, ours)
    try:
        return _Found(module, cls, read_options(text, cls), ours)
    except BadPlayerError as error:
        raise BadPlayerError(f"player {name!r}: {error}") from None


def _find_class(name: str, target: str, ours: bool) -> tuple[ModuleType, type]:
    """Return the class that plays. target: what the name stands for; ours: whether that is of this project."""
    for package in NEEDS.get(name.lower(), ()):
        if find_spec(package) is None:
            raise BadPlayerError(f"player {name!r} needs {package}, which is not installed: {how_to_install()}")
    if target.endswith(".py"):
        return _class_in_file(target, "", ours)
    where, _, class_name = target.rpartition(":")
    if target.endswith(".ipynb"):
        raise BadPlayerError(f"player {name!r}: {NOTEBOOK}")
    if not where or not class_name.isidentifier():
        if meant := _meant_file(name):
            raise BadPlayerError(f"player {name!r}: {meant}")
        raise BadPlayerError(
            f"expected a player ({', '.join(NAMES)}), a file.py, a file.py:Class or a module:Class, got {name!r}"
            f"{suggestion(name, NAMES)}"
        )
    if where in NAMES and find_spec(where) is None:
        raise BadPlayerError(f"expected options as {where}:key=value,key=value, got {name!r}")
    if where.endswith(".py"):
        return _class_in_file(where, class_name, ours)
    module = _import(where)
    try:
        return module, class_of(module, class_name, repr(where))
    except RefusedError as error:
        raise BadPlayerError(str(error)) from None


def _meant_file(name: str) -> str:
    """Return what to say of a name that is a folder's or a file's and no player's; '' if it is neither."""
    if "\0" in name:
        return ""
    if os.path.isdir(name):
        inside = os.path.join(name, "my_player.py")
        return "expected a file.py, got a folder" + (f"; did you mean {inside}?" if os.path.isfile(inside) else "")
    if os.path.isfile(f"{name}.py"):
        return f"expected a file.py; did you mean {name}.py?"
    program = f"; {_asked()}" if name.endswith((".cpp", ".java")) else ""
    return f"expected a file whose name ends in .py{program}" if os.path.isfile(name) else ""


def _asked() -> str:
    return f"a program is asked by `{command_line('tournament')} play`"


def _class_in_file(path: str, class_name: str, ours: bool) -> tuple[ModuleType, type]:
    """Return the class that plays in a file. class_name: '' for the one that the source says. ours: the project's own file."""
    file = PurePosixPath(os.path.basename(path))
    wanted = "MyPlayer"
    if not ours:
        try:
            read_file(path)
            folder = FolderFiles(os.path.dirname(os.path.realpath(path)))
            wanted = class_in(look(folder, file), file, class_name, _WHICH, f"; {_asked()}")
        except PlayerSourceError as error:
            raise BadPlayerError(f"player {path!r}: {error}") from error
    module = load_file(path, ours)
    try:
        return module, class_of(module, wanted, printable(file.name, 100))
    except RefusedError as error:
        raise BadPlayerError(f"player {path!r}: {error}") from None


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except ModuleNotFoundError as error:
        package = missing_package(error)
        if package in ("", name.partition(".")[0]):
            raise BadPlayerError(f"module {name!r} cannot be imported: {fault_words(error)}") from error
        raise BadPlayerError(what_is_needed(package, f"module {name!r}")) from error
    except BaseException as error:
        raise BadPlayerError(f"module {name!r} cannot be imported: {fault_words(error)}") from error


# Options behind the name of a player: `montecarlo:simulations=5000,patterns=mogo_classic`


Value = int | float | bool | str

_BEGINNING = re.compile(r":(?=[A-Za-z_]\w*=)")
_BETWEEN_NAMES = re.compile(r",(?![A-Za-z_]\w*=)")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
_FLAGS = {"yes": True, "no": False}


class _WrongValueError(Exception):
    """The message says what was expected."""


def split_options(name: str) -> tuple[str, str]:
    """Return the parts before and after the colon that starts the options; '' after it if there are none.

    >>> split_options("mine.py:Player:depth=3,fast=yes")
    ('mine.py:Player', 'depth=3,fast=yes')
    """
    found = _BEGINNING.search(name)
    return (name, "") if found is None else (name[: found.start()], name[found.end() :])


def split_names(text: str) -> list[str]:
    """Return the names in a comma-separated list, each with its options.

    >>> split_names("my,montecarlo:simulations=500,rave=no,smart")
    ['my', 'montecarlo:simulations=500,rave=no', 'smart']
    """
    return _BETWEEN_NAMES.split(text)


def read_options(text: str, cls: type) -> dict[str, Value]:
    """Return the values of a class's options; raises BadPlayerError, which names the choices.

    text: the part after the colon, '' for no options.
    """
    found: dict[str, Value] = {}
    readers = _readers(cls) if text else {}
    for option in text.split(",") if text else ():
        key, equals, value = option.partition("=")
        if key not in readers or not equals:
            choices = f"one of {', '.join(readers)}" if readers else "no options"
            raise BadPlayerError(f"expected {choices}, got {quoted(option)}")
        if key in found:
            raise BadPlayerError(f"expected {key} once, got it again: {quoted(option)}")
        try:
            found[key] = readers[key](value)
        except _WrongValueError as wrong:
            raise BadPlayerError(f"{key}: expected {wrong}, got {quoted(value)}") from None
    return found


def _readers(cls: type) -> dict[str, Callable[[str], Value]]:
    """Return what reads the value of each option that a class has."""
    found = {}
    for name, parameter in inspect.signature(cls).parameters.items():
        reader = _READERS.get(_type_of(parameter))
        if reader is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            found[name] = reader
    return found


def _type_of(parameter: inspect.Parameter) -> str:
    """Return the name of a parameter's type: that of its annotation, None left out, else that of its default."""
    if parameter.annotation is parameter.empty:
        return type(parameter.default).__name__
    said = parameter.annotation
    text = said.__name__ if isinstance(said, type) else str(said)
    return text.replace("| None", "").replace("None |", "").strip()


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise _WrongValueError("a whole number")
    return int(text)


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise _WrongValueError("a number")
    return float(text)


def _flag(text: str) -> bool:
    if text not in _FLAGS:
        raise _WrongValueError(" or ".join(_FLAGS))
    return _FLAGS[text]


_READERS: dict[str, Callable[[str], Value]] = {"int": _whole, "float": _number, "bool": _flag, "str": str}


# Getting ready before anybody's clock runs: players that are compiled do it then, once for a machine, and say so


def prepare_player(name: str, player: Player, rules: RuleSet, size: int) -> None:
    """Let a player that was made from a name prepare for games under these rules and of this size, if it is one of ours.

    Such a player has a method `prepare(rules, size)`, which changes none of its moves. A file, including `my`, may be
    anybody's: there a method of that name may mean anything, and is not called.
    """
    if not NAMES.get(split_options(name)[0].lower(), ".py").endswith(".py"):
        prepare: Callable[[RuleSet, int], None] | None = getattr(player, "prepare", None)
        if prepare is not None:
            prepare(rules, size)


def tell_compilation(name: str) -> AbstractContextManager[None]:
    """During the block, say on standard error, in the name of a player or command, why nothing happens for a minute."""
    # It brings numba with it.
    from goban.kernels.numba_tools.compile import compilation_told

    return compilation_told(lambda: complain(name, "compiling, once for this machine..."))
