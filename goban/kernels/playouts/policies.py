"""How a random game chooses its moves."""

from __future__ import annotations

from enum import IntEnum


class Policy(IntEnum):
    """What the moves of a random game are drawn from, each with the same chance."""

    PLACEMENTS = 0
    """The legal placements; a pass only where there is none. The `random` reference player."""
    ALL_MOVES = 1
    """The legal placements and, where the rules know it, the pass."""
    NO_OWN_EYES = 2
    """The legal placements that fill no own eye; where there is none, a pass, or an eye if the rules know no passing.
    The `naive` reference player."""


# As plain numbers, for kernels.
ALL_MOVES, NO_OWN_EYES, PLACEMENTS = int(Policy.ALL_MOVES), int(Policy.NO_OWN_EYES), int(Policy.PLACEMENTS)
