"""The learner's opponents: a whole batch asks at once.

    greedy, my-v1, ...    a baseline, see below
    another name          a player of `players.registry`, asked game by game: alphabeta, path/to/file.py, ...
    a network's file.npz  the network's best action, see `golearn.alphazero.weights`
    a function            of (observations, masks), rows of a batch's `observation` and `legal_action_mask`; returns actions
    a Baseline            restarted with the environment's own seed

A baseline is an opponent to measure against: the play of a name and version does not change.

    greedy = baseline("greedy", seed=1)           greedy.name == "greedy-v1"
    batch.step(greedy(batch))                     an action for every game of a batch
    GoVectorEnv(1024, size=5, rules="course", opponent=baseline("greedy-v1"))

    name              what it plays                                                where
    random            a legal placement, drawn uniformly                           everywhere
    naive             the same, but fills its own eyes only if it must             everywhere
    greedy            captures most                                                everywhere
    aggressive        captures most, now or with its next stone                    everywhere
    smart             loses least to the next reply, then like aggressive          everywhere
    my                as Q-learning taught `my_player.py`; hand-written off 5x5    everywhere
    montecarlo-1000   tree search, 1,000 simulations a move                        everywhere
    perfect           never loses a won game                                       2x2 to 5x5, `course` and `littlego`

The version goes up with every change of behaviour, even of one move. A release has one version of each; other versions are
refused. docs/environments.md says how strong they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_kind
from goban.common.command_lines import how_to_install
from goban.common.excerpts import quoted, suggestion
from goban.kernels.numba_tools.bits import Words
from goban.kernels.numba_tools.compile import HAVE_NUMBA
from goban.rulesets import Repetition
from golearn.environments.batches import Chances, Flags, GoBatch, Rows
from golearn.environments.settings import Settings, whole_setting
from golearn.errors import SettingError
from players.errors import BadPlayerError

# Players, kernels and searches are imported when they are asked for: who only steps batches needs none of them.

_SMALL = 8
_AS_PYTHON = ("greedy", "aggressive", "smart")
_32 = np.uint64(32)
# So many games are asked about at once: what is found in them stays in a core's cache.
_LOT = 256


class _CompiledOpponent:
    """One of the players of `goban.kernels.environments.opponents`. It passes only where it has no placement."""

    looks = False
    """Whether it looks at `observation` or `legal_action_mask`; assumed if not given."""

    def __init__(self, name: str, seed: int, settings: Settings) -> None:
        self._name, self._chances = name, Chances(seed)
        # On small boards without superko all have drawn by the word itself in version 1, elsewhere some as the player object.
        simple_ko = settings.rules.repetition is Repetition.SIMPLE_KO
        self._as_python = name in _AS_PYTHON and not (simple_ko and settings.size <= _SMALL)

    def choose(self, batch: GoBatch, rows: Rows) -> npt.NDArray[np.int64]:
        """Return an action for each of these games."""
        actions, words = np.empty(len(rows), dtype=np.int64), self._chances.words(rows)
        for first in range(0, len(rows), _LOT):
            lot = slice(first, first + _LOT)
            actions[lot] = self._draw(batch, rows[lot], words[lot])
        return actions

    def _draw(self, batch: GoBatch, rows: Rows, words: Words) -> npt.NDArray[np.int16]:
        from goban.kernels.environments.opponents import FINDERS, new_work
        from goban.kernels.numba_tools.random_numbers import draw_as_python, new_twisters

        found = np.empty((len(rows), batch.settings.actions), dtype=np.int16)
        counts = np.empty(len(rows), dtype=np.int64)
        FINDERS[self._name](rows, batch.arrays.plain(), batch.table, new_work(), found, counts)
        if self._as_python:
            drawn = np.empty(len(rows), dtype=np.int64)
            draw_as_python(words, counts, new_twisters(), drawn)
        else:
            drawn = ((words >> _32) * counts.astype(np.uint64) >> _32).astype(np.int64)
        return found[np.arange(len(rows)), drawn]


class Opponent(Protocol):
    """Chooses actions for some games of a batch."""

    def choose(self, batch: GoBatch, rows: Rows) -> npt.ArrayLike:
        """Return an action for each of these games, in which it is this opponent's turn."""


@dataclass(frozen=True)
class _Kind:
    """version; player: the same one's name in `players.registry`; make: who plays, for a seed and settings."""

    version: int
    player: str
    make: Callable[[int, Settings], Opponent]


def _player(name: str, seed: int) -> Opponent:
    from golearn.environments.asked_opponents import PlayerOpponent

    return PlayerOpponent(name, seed)


def _make_compiled(name: str) -> _Kind:
    return _Kind(1, name, lambda seed, settings: _CompiledOpponent(name, seed, settings))


def _check_numba(name: str) -> None:
    """Raise SettingError where numba is missing: uncompiled, a search takes minutes for a move."""
    if not HAVE_NUMBA:
        raise SettingError(f"baseline {name!r} needs numba, which is not installed: {how_to_install()}")


def _load_shipped(seed: int, settings: Settings) -> Opponent:
    from players.shipped_player import SHIPPED

    return _player(SHIPPED, seed)


def _monte_carlo(seed: int, settings: Settings) -> Opponent:
    _check_numba("montecarlo-1000")
    from golearn.environments.asked_opponents import MonteCarloOpponent

    return MonteCarloOpponent(seed, 1000)


def _perfect(seed: int, settings: Settings) -> Opponent:
    _check_numba("perfect")
    from golearn.environments.asked_opponents import PerfectOpponent

    return PerfectOpponent(seed, settings)


_KINDS = {
    "random": _make_compiled("random"),
    "naive": _make_compiled("naive"),
    "greedy": _make_compiled("greedy"),
    "aggressive": _make_compiled("aggressive"),
    "smart": _make_compiled("smart"),
    "my": _Kind(1, "my", _load_shipped),
    "montecarlo-1000": _Kind(7, "montecarlo:simulations=1000,reuse=no", _monte_carlo),
    "perfect": _Kind(2, "perfect", _perfect),
}

BASELINES = tuple(f"{name}-v{kind.version}" for name, kind in _KINDS.items())


class Baseline:
    """An opponent that plays as its name and version say. Made by `baseline`.

    name: with its version. player: the same player's name in a tournament. Every row of a batch has its own random choices,
    so its moves in one game do not depend on the other games.
    """

    def __init__(self, name: str, player: str, seed: int) -> None:
        self.name, self.player = name, player
        self._seed = seed
        self._ready: tuple[Settings, Opponent] | None = None

    def __repr__(self) -> str:
        return f"<Baseline {self.name}>"

    def __copy__(self) -> Baseline:
        return deepcopy(self)

    def __call__(self, batch: GoBatch) -> npt.NDArray[np.int64]:
        """Return an action for every game, 0 for those that are over; raises SettingError."""
        check_kind(batch, GoBatch, "a batch of games (GoBatch)", SettingError)
        rows = np.flatnonzero(~batch.terminated)
        actions = np.zeros(len(batch), dtype=np.int64)
        if len(rows):
            actions[rows] = self.choose(batch, rows)
        return actions

    def choose(self, batch: GoBatch, rows: Rows) -> npt.ArrayLike:
        """Return an action for each of these games, which are not over; raises SettingError."""
        return self.prepare(batch.settings).choose(batch, rows)

    def prepare(self, settings: Settings) -> Opponent:
        """Return an opponent for games with these settings; raises SettingError if this baseline does not support them."""
        if self._ready is None or self._ready[0] != settings:
            self._ready = settings, _KINDS[_parts(self.name)[0]].make(self._seed, settings)
        return self._ready[1]


def _is_baseline(name: str) -> bool:
    """Tell whether this is the name of a baseline, of whatever version."""
    return _parts(name)[0] in _KINDS


def baseline(name: str, seed: int = 0) -> Baseline:
    """Return a baseline by name, with its version or without; raises SettingError.

    seed: of its random choices.
    """
    short, version = _parts(str(name))
    kind = _KINDS.get(short)
    if kind is None:
        raise SettingError(f"baseline: expected one of {', '.join(_KINDS)}, got {quoted(name)}{suggestion(short, _KINDS)}")
    full = f"{short}-v{kind.version}"
    if version and name != full:
        raise SettingError(f"baseline: expected {full}, the version of this release, got {quoted(name)}")
    return Baseline(full, kind.player, whole_setting("seed", seed, -(2**63), 2**64 - 1))


def _parts(name: str) -> tuple[str, str]:
    """Return the name without its version, and the version, '' if it has none."""
    found = re.fullmatch(r"(.+)-v([0-9]+)", name)
    return (name, "") if found is None else (found[1], found[2])


Function: TypeAlias = Callable[[Flags, Flags], npt.ArrayLike]


class _FunctionOpponent:
    """A function of observations and masks."""

    def __init__(self, function: Function) -> None:
        self.function = function

    def choose(self, batch: GoBatch, rows: Rows) -> npt.ArrayLike:
        """Return what the function says."""
        return self.function(batch.observation[rows], batch.legal_action_mask[rows])


def opponent_of(what: str | os.PathLike[str] | Baseline | Function, seed: int, settings: Settings) -> Opponent:
    """Return an opponent for games with these settings; raises SettingError for a name of no player that can play them."""
    what = os.fspath(what) if isinstance(what, os.PathLike) else what
    if isinstance(what, Baseline) or (isinstance(what, str) and _is_baseline(what)):
        return baseline(what if isinstance(what, str) else what.name, seed).prepare(settings)
    if callable(what):
        return _FunctionOpponent(what)
    check_kind(what, str, "a player's name or file, a baseline or a function as opponent", SettingError)
    if what.endswith(".npz"):
        from golearn.environments.asked_opponents import NetworkOpponent

        return NetworkOpponent(what, settings)
    try:
        return _player(what, seed)
    except BadPlayerError as error:
        raise SettingError(f"opponent: {error}") from None
