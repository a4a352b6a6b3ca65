"""Pgx's calling style: a state goes in, another comes out, and no returned state ever changes.

    env = make("go_9x9")                         or Go(size=9), with Pgx's arguments
    state = env.init(seed=0, games=64)           or init(keys), jax's
    state = env.step(state, actions)

`init` corresponds to Pgx's `vmap(env.init)(keys)`, `step` to `vmap(env.step)`; from a single key `init` makes a state of one
game, without an axis for games. Where jax is installed, a state is a pytree: its leaves hold everything about the games, so
states may be indexed, stacked and joined by `jax.tree_util`. Every step copies the games; if earlier states are not needed, a
`GoBatch` steps faster.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_kind
from goban.common.excerpts import quoted
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.kernels.environments.steps import ENDED, ORDER, PLAYER, STEPS, TURN, WON, start_streams
from goban.rulesets import RuleSet
from goban.states import State
from golearn.environments.batches import Flags, GoBatch, Numbers
from golearn.environments.settings import AutoReset, Settings
from golearn.environments.views import other_side
from golearn.errors import SettingError

Leaves: TypeAlias = tuple[npt.NDArray[Any], ...]

_SHOWN = ("observation", "legal_action_mask", "rewards", "terminated")
_FACTS = {"current_player": PLAYER, "colour": TURN, "step_count": STEPS, "winner": WON, "ending": ENDED}
_HIDDEN = ("boards", "pasts", "views", "finals", "empties", "legal", "streams", "log")
"""Of a batch's arrays; see `goban.kernels.environments.steps`."""


@dataclass(frozen=True, eq=False)
class BatchState:
    """The state of one game or many. The arrays are those of `GoBatch`, and read-only."""

    current_player: Numbers
    observation: Flags
    rewards: npt.NDArray[np.float32]
    terminated: Flags
    truncated: Flags
    legal_action_mask: Flags
    colour: Numbers
    winner: Numbers
    ending: Numbers
    step_count: Numbers
    _player_order: Numbers
    _x: Leaves
    """The rest of each game's state. Long words are stored as two of 32 bits, which jax does not shorten."""
    _settings: Settings
    """With one game."""

    def __post_init__(self) -> None:
        _tell_jax()
        for name in _LEAVES:
            value = getattr(self, name)
            object.__setattr__(self, name, tuple(map(_read_only, value)) if name == "_x" else _read_only(value))

    def __repr__(self) -> str:
        return f"<BatchState of shape {np.shape(self.current_player)}, {self.env_id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return BatchState, tuple(getattr(self, field.name) for field in fields(self))

    @property
    def _step_count(self) -> Numbers:
        """Pgx's name for `step_count`."""
        return self.step_count

    @property
    def env_id(self) -> str:
        """The environment's name in Pgx."""
        return _id_of(self._settings.size)

    def replace(self, **changes: Any) -> BatchState:  # noqa: ANN401
        """Return the state with some arrays replaced."""
        return replace(self, **changes)

    def rows(self, game: int = 0) -> State:
        """Return a game as a state of `goban`, for viewing."""
        return _batch_of(self).rows(game)


class Go:
    """Go with Pgx's arguments, `rules` and `auto_reset` added; see `GoBatch`.

    id, version: as in Pgx. num_actions: size * size + 1. observation_shape: (size, size, 2 * history_length + 1).
    """

    num_players = 2
    version = "v1"

    def __init__(
        self,
        *,
        size: int = 19,
        komi: float | None = None,
        history_length: int = 8,
        max_terminal_steps: int | None = None,
        rules: str | RuleSet = "tromp-taylor-pgx",
        auto_reset: str = AutoReset.DISABLED,
    ) -> None:
        """Make the environment; raises SettingError."""
        first = GoBatch(
            size, rules=rules, komi=komi, history_length=history_length, max_terminal_steps=max_terminal_steps,
            auto_reset=auto_reset,
        )  # fmt: skip
        self._settings = first.settings
        self.id = _id_of(size)
        self.num_actions = first.settings.actions
        self.observation_shape = first.observation.shape[1:]

    def __repr__(self) -> str:
        return f"<Go {self.id}, {self._settings.rules.name}>"

    def init(self, seed: Any, games: int | None = None) -> BatchState:  # noqa: ANN401
        """Start this many games; the seed decides which player has Black in each. Raises SettingError.

        seed: a number, for `games` games, by default 1; or a jax key, for `games` games, or for one without an axis
        for games; or an array of keys, for one game each. (A key may give Black to another player than in Pgx, where this
        depends on the version of jax.)
        """
        words = _words_of(seed)
        if words is None:
            return _state_of(self._begin(seed, 1 if games is None else games))
        if games is not None:
            if words.size != 1:
                raise SettingError(f"games: expected none beside {words.size} keys, got {games!r}")
            return _state_of(self._begin(int(words), games))
        batch = self._begin(0, words.size)
        for game, word in enumerate(words.ravel()):
            start_streams(word, batch.arrays.streams[game : game + 1])
        batch.reset()
        return _state_of(batch, words.shape)

    def step(self, state: BatchState, actions: npt.ArrayLike, key: object = None) -> BatchState:
        """Return the state after one action in each game; raises ActionError. key: as in Pgx, not used."""
        batch, shape = _batch_of(state), np.shape(state.current_player)
        chosen = _numbers(actions)
        batch.step(chosen.reshape(len(batch)) if chosen.shape == shape else chosen)
        return _state_of(batch, shape)

    def observe(self, state: BatchState, player: npt.ArrayLike | None = None) -> Flags:
        """Return the observation of a player, 0 or 1, or one for each game; by default that of the player to move."""
        seen: Flags = _numbers(state.observation)
        if player is None:
            return seen
        players = _numbers(player)
        if not np.isin(players, (0, 1)).all():
            raise SettingError(f"player: expected 0 or 1, got {player!r}")
        mine = np.broadcast_to(players == np.asarray(state.current_player), np.shape(state.current_player))
        return np.where(mine[..., None, None, None], seen, other_side(seen))

    def _begin(self, seed: int, games: int) -> GoBatch:
        kind = self._settings
        return GoBatch(
            kind.size, games, rules=kind.rules, history_length=kind.history_length, seed=seed, auto_reset=kind.auto_reset
        )


def make(env_id: str) -> Go:
    """Return an environment by Pgx's name, 'go_9x9' or of any other size from 2 to 19; raises SettingError."""
    found = re.fullmatch(r"go_([0-9]{1,2})x\1", str(env_id))
    if found is None or not MIN_SIZE <= int(found[1]) <= MAX_SIZE:
        raise SettingError(f"expected go_{MIN_SIZE}x{MIN_SIZE} to go_{MAX_SIZE}x{MAX_SIZE}, got {quoted(str(env_id))}")
    return Go(size=int(found[1]))


# States and batches

_LEAVES = tuple(field.name for field in fields(BatchState) if field.name != "_settings")


def _id_of(size: int) -> str:
    return f"go_{size}x{size}"


def _state_of(batch: GoBatch, shape: tuple[int, ...] | None = None) -> BatchState:
    """Return the state of a batch that nobody steps any more. shape: of the axes of games, one of all games if not given."""
    shape = (len(batch),) if shape is None else shape
    arrays = {name: getattr(batch, name) for name in (*_SHOWN, "truncated", *_FACTS)}
    hidden = tuple(_halves(getattr(batch.arrays, name)) for name in _HIDDEN)
    return BatchState(
        **{name: array.reshape((*shape, *array.shape[1:])) for name, array in arrays.items()},
        _player_order=batch.player_order.reshape(*shape, 2),
        _x=tuple(array.reshape((*shape, *array.shape[1:])) for array in hidden),
        _settings=replace(batch.settings, games=1),
    )


def _batch_of(state: BatchState) -> GoBatch:
    """Return a new batch that goes on from a state; raises SettingError for what is none."""
    check_kind(state, BatchState, "a state of `init` or `step`", SettingError)
    axes = np.ndim(state.current_player)
    batch = GoBatch.bare(replace(state._settings, games=max(1, int(np.size(state.current_player)))))
    arrays = batch.arrays
    pairs = [(getattr(batch, name), getattr(state, name)) for name in _SHOWN]
    pairs += [(arrays.facts[row], getattr(state, name)) for name, row in _FACTS.items()]
    pairs += [(arrays.facts[ORDER], _numbers(state._player_order)[..., 0])]
    pairs += [(_halves(getattr(arrays, name)), leaf) for name, leaf in zip(_HIDDEN, state._x, strict=True)]
    for mine, theirs in pairs:
        array = _numbers(theirs)
        mine[...] = array.reshape((len(batch), *array.shape[axes:]))
    return batch


def _halves(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of long words, the last axis of which is that of a game, as one of words of 32 bits."""
    if array.dtype != np.uint64:
        return array
    rows = array if array.ndim > 1 else array[:, None]
    return rows.view(np.uint32)


def _read_only(array: Any) -> Any:  # noqa: ANN401
    """Return an array of numpy as one that cannot be written; jax's never can, and its inner markers stay as they are."""
    if not isinstance(array, np.ndarray):
        return array
    shown = array.view()
    shown.flags.writeable = False
    return shown


# jax

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _words_of(seed: Any) -> npt.NDArray[np.uint64] | None:  # noqa: ANN401
    """Return a random word for each key, of the shape of the keys; None for what is no key. Raises SettingError."""
    if isinstance(seed, (int, np.integer)) or not hasattr(seed, "dtype"):
        return None
    data = seed
    if "key<" in str(seed.dtype):
        data = sys.modules["jax"].random.key_data(seed)
    array = _numbers(data)
    if array.dtype != np.uint32 or array.ndim == 0:
        raise SettingError(f"seed: expected a number or keys of jax, got {array.dtype} of shape {array.shape}")
    words = np.zeros(array.size // array.shape[-1], dtype=np.uint64)
    for column in array.reshape(len(words), -1).T.astype(np.uint64):
        words = (words ^ column) * _GOLDEN
        words ^= words >> np.uint64(29)
    return words.reshape(array.shape[:-1])


def _numbers(array: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return an array of numpy; raises SettingError within a function that jax is tracing."""
    try:
        return np.asarray(array)
    except TypeError:
        raise SettingError("call this without jax.vmap and jax.jit: it takes all games at once") from None


@cache
def _tell_jax() -> None:
    """Make states pytrees, where jax is installed."""
    try:
        from jax import tree_util
    except ImportError:
        return
    tree_util.register_pytree_with_keys(
        BatchState,
        lambda state: ([(tree_util.GetAttrKey(name), getattr(state, name)) for name in _LEAVES], state._settings),
        lambda kind, leaves: BatchState(*(*leaves, kind)),
        lambda state: ([getattr(state, name) for name in _LEAVES], state._settings),
    )
