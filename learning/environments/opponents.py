"""Who plays against the learner: a whole batch asks at once.

    greedy, my-v1, ...    a baseline, see `learning.environments.baselines`
    another name          a player of `players.registry`, asked game by game: alphabeta, path/to/file.py, ...
    a network's file.npz  what the network holds for best, see `learning.alphazero.weights`
    a function            of (observations, masks), rows of a batch's `observation` and `legal_action_mask`; returns actions
    a Baseline            begun anew with the environment's own seed
"""

from __future__ import annotations

from collections.abc import Callable

import numpy.typing as npt

from learning.environments.asked_opponents import PlayerOpponent
from learning.environments.baselines import Baseline, Opponent, baseline, is_baseline
from learning.environments.batches import Flags, GoBatch, Rows
from learning.environments.errors import SettingError
from learning.environments.settings import Settings
from players.errors import BadPlayerError

Function = Callable[[Flags, Flags], npt.ArrayLike]


class FunctionOpponent:
    """A function of observations and masks."""

    def __init__(self, function: Function) -> None:
        self.function = function

    def choose(self, batch: GoBatch, rows: Rows) -> npt.ArrayLike:
        """Return what the function says."""
        return self.function(batch.observation[rows], batch.legal_action_mask[rows])


def opponent_of(what: str | Baseline | Function, seed: int, settings: Settings) -> Opponent:
    """Return who plays games of these settings; raises SettingError for a name that is no player's, or not in such games."""
    if isinstance(what, Baseline) or (isinstance(what, str) and is_baseline(what)):
        return baseline(what if isinstance(what, str) else what.name, seed).prepared(settings)
    if callable(what):
        return FunctionOpponent(what)
    if what.endswith(".npz"):
        from learning.environments.network_opponents import NetworkOpponent

        return NetworkOpponent(what, settings)
    try:
        return PlayerOpponent(what, seed)
    except BadPlayerError as error:
        raise SettingError(f"opponent: {error}") from None
