"""random: plays anywhere it may."""

from __future__ import annotations

import random

from players.host import Answer, Host


class RandomPlayer:
    """Plays uniformly at random among the legal placements; passes only when there is none."""

    type = "random"
    only_reads = True

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point, each legal one with the same chance."""
        state = go.position(piece_type)
        candidates = state.empty_points()
        # Drawing until a legal one comes is uniform over the legal ones, and tests few.
        while candidates:
            point = candidates.pop(int(self.rng.random() * len(candidates)))
            if state.why_illegal_placement(point) is None:
                return point
        return "PASS"
