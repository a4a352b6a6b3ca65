"""greedy, aggressive and smart, compiled: all games at once, on boards up to 8x8 under rules of simple ko."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.rulesets import Repetition
from kernels.bitboards import MAX_SIZE, Masks, board_shape
from kernels.reference_players import REFERENCES, reference_points
from learning.environments.batches import Chances, Flags, GoBatch, Rows
from learning.environments.settings import Settings


class ReferenceOpponent:
    """A reference player of `kernels.reference_players`. It passes only where no placement is legal."""

    def __init__(self, name: str, seed: int) -> None:
        self._number, self._chances = REFERENCES.index(name), Chances(seed)

    @staticmethod
    def knows(settings: Settings) -> bool:
        """Tell whether such games fit its boards, and what `smart` looks ahead at is legal by simple ko alone."""
        return settings.size <= MAX_SIZE and settings.rules.repetition is Repetition.SIMPLE_KO

    def choose(self, batch: GoBatch, rows: Rows) -> npt.NDArray[np.int64]:
        """Return an action for each of these games."""
        actions = np.empty(len(rows), dtype=np.int64)
        legal = _masks(batch.legal_action_mask[rows, :-1])
        own, other = (_masks(batch.observation[rows, :, :, plane]) for plane in (0, 1))
        words = self._chances.words(rows)
        reference_points(self._number, legal, own, other, words, board_shape(batch.settings.size), actions)
        return actions


def _masks(flags: Flags) -> Masks:
    """Return boards of 64 points or fewer as words, the first point lowest."""
    octets = np.packbits(flags.reshape(len(flags), -1), axis=1, bitorder="little")
    return np.pad(octets, ((0, 0), (0, 8 - octets.shape[1]))).view("<u8")[:, 0].astype(np.uint64)
