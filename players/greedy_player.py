"""greedy: captures what it can capture now."""

from __future__ import annotations

import random

from players.host import Answer, Host
from players.tactics import draw, most_captures


class GreedyPlayer:
    """Plays the placement that captures most stones; ties at random, so anywhere when nothing can be captured."""

    type = "greedy"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point; "PASS" only if no placement is legal."""
        state = go.position(piece_type)
        best, _ = most_captures(state, state.placements())
        return draw(state.grid, best, self.rng)
