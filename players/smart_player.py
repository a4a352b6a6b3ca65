"""smart: first of all, loses nothing to the next reply."""

from __future__ import annotations

import random

from players.host import Answer, Host
from players.tactics import aggressive_candidates, draw, fewest_losses, nearest_to_centre


class SmartPlayer:
    """Keeps the placements after which the opponent's worst reply leaves it most stones on the board.

    Among those it chooses as the aggressive player would (most captures now, else by two placements), then the one
    nearest to the centre, ties at random.
    """

    type = "smart"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point; "PASS" only if no placement is legal."""
        state = go.position(piece_type)
        best, _ = aggressive_candidates(state, fewest_losses(state, state.placements()))
        return draw(state.grid, nearest_to_centre(state.grid, best), self.rng)
