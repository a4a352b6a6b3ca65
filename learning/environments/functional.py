"""Pgx's way of calling: a state goes in, another comes out, and nothing that was handed out changes any more.

    env = Go(size=9)
    state = env.init(seed=0, games=64)
    state = env.step(state, actions)

`init` stands for Pgx's `vmap(env.init)(keys)`, `step` for `vmap(env.step)`. Every step copies the games; where the states
before are not needed, a `GoBatch` steps faster.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from goban.rulesets import RuleSet
from goban.states import State
from learning.environments.batches import Flags, GoBatch, Numbers
from learning.environments.settings import AutoReset


@dataclass(frozen=True, eq=False)
class BatchState:
    """Where many games stand. The arrays are those of `GoBatch`, and can only be read."""

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
    _batch: GoBatch = field(repr=False)

    def rows(self, game: int) -> State:
        """Return a game as a state of `goban`, to be looked at."""
        return self._batch.rows(game)


class Go:
    """Go with Pgx's arguments, `rules` and `auto_reset` added; see `GoBatch`.

    num_actions: size * size + 1. observation_shape: (size, size, 2 * history_length + 1).
    """

    num_players = 2

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
        self._first = GoBatch(
            size, rules=rules, komi=komi, history_length=history_length, max_terminal_steps=max_terminal_steps,
            auto_reset=auto_reset,
        )  # fmt: skip
        self.num_actions = self._first.settings.actions
        self.observation_shape = self._first.observation.shape[1:]

    def init(self, seed: int, games: int = 1) -> BatchState:
        """Begin so many games; the seed decides which player has Black in each. Raises SettingError."""
        kind = self._first.settings
        batch = GoBatch(
            kind.size, games, rules=kind.rules, history_length=kind.history_length, seed=seed, auto_reset=kind.auto_reset
        )
        return _state_of(batch)

    def step(self, state: BatchState, actions: npt.ArrayLike) -> BatchState:
        """Return the state after one action in each game; raises ActionError."""
        batch = state._batch.copy()
        batch.step(actions)
        return _state_of(batch)


def _state_of(batch: GoBatch) -> BatchState:
    names = [name for name in BatchState.__dataclass_fields__ if not name.startswith("_")]
    arrays = {name: getattr(batch, name).view() for name in names}
    for array in arrays.values():
        array.flags.writeable = False
    return BatchState(**arrays, _batch=batch)
