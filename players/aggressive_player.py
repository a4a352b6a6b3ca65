"""aggressive: captures now, or prepares to capture with its next stone."""

from __future__ import annotations

import random

from players.host import Answer, Host
from players.tactics import aggressive_candidates, draw, nearest_to_centre


class AggressivePlayer:
    """Captures as much as it can now, ties at random. If nothing can be captured, it thinks of two placements in a row.

    It looks at every pair of its own placements without a reply in between, keeps the pairs that leave most opposing stones
    without a liberty, and plays the first placement of such a pair. Of several it takes the one nearest to the centre, ties
    at random.
    """

    type = "aggressive"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point; "PASS" only if no placement is legal."""
        state = go.position(piece_type)
        best, captures = aggressive_candidates(state, state.placements())
        return draw(state.grid, best if captures else nearest_to_centre(state.grid, best), self.rng)
