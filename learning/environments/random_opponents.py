"""random and naive: placements drawn for all games at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from learning.environments.batches import Chances, Flags, GoBatch, Rows, numbers_below


class RandomOpponent:
    """Plays a legal placement, each with the same chance, and passes only where there is none; `eyes`: also on own eyes.

    Without `eyes` it fills them only where it may not pass.
    """

    def __init__(self, seed: int, eyes: bool) -> None:
        self._chances, self._eyes = Chances(seed), eyes

    def choose(self, batch: GoBatch, rows: Rows) -> npt.NDArray[np.int64]:
        """Return an action for each of these games."""
        wanted, passing = batch.legal_action_mask[rows], batch.settings.rules.passing
        placements = wanted[:, :-1].copy()
        wanted[:, -1] = False
        if not self._eyes:
            wanted[:, :-1] &= ~own_eyes(batch.observation[rows, :, :, 0], batch.observation[rows, :, :, 1])
        nothing = ~wanted.any(axis=1)
        if passing:
            wanted[nothing, -1] = True
        else:
            wanted[nothing, :-1] = placements[nothing]
        drawn = numbers_below(self._chances.words(rows), wanted.sum(axis=1))
        actions: npt.NDArray[np.int64] = (wanted.cumsum(axis=1) > drawn[:, None]).argmax(axis=1).astype(np.int64)
        return actions


def own_eyes(own: Flags, other: Flags) -> Flags:
    """Return which points of boards (games, size, size) are eyes of `own`, as `goban.grids.Grid.is_eye` has it; flat."""
    inside = np.pad(np.ones_like(own), ((0, 0), (1, 1), (1, 1)))
    good = np.pad(own, ((0, 0), (1, 1), (1, 1))) | ~inside
    sides = good[:, :-2, 1:-1] & good[:, 2:, 1:-1] & good[:, 1:-1, :-2] & good[:, 1:-1, 2:]
    corners = [(slice(None, -2), slice(None, -2)), (slice(None, -2), slice(2, None))]
    corners += [(slice(2, None), slice(None, -2)), (slice(2, None), slice(2, None))]
    missing = np.sum([~good[:, rows, columns] for rows, columns in corners], axis=0)
    edge = np.any([~inside[:, rows, columns] for rows, columns in corners], axis=0)
    eyes: Flags = ~(own | other) & sides & ((missing == 0) | ((missing == 1) & ~edge))
    return eyes.reshape(len(own), -1)
