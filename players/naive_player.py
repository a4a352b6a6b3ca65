"""naive: the simplest bot that can finish a game with passing and area scoring."""

from __future__ import annotations

import random

from players.host import Answer, Host


class NaivePlayer:
    """Plays uniformly among the legal placements that do not fill an own eye; passes when none is left.

    Source: the random bot of *Deep Learning and the Game of Go*, chapter 3. Where the rules know no passing it fills
    its eyes when it has to.
    """

    type = "naive"
    only_reads = True

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point, or "PASS"."""
        state = go.position(piece_type)
        grid, own = state.grid, state.stones(piece_type)
        near, bit, other = grid.near, grid.bit, ~own
        candidates, draw = state.empty_points(), self.rng.random
        eyes = []
        while candidates:
            point = candidates.pop(int(draw() * len(candidates)))
            # An eye has own stones on all sides, which few points have.
            if not near[bit[point]] & other and grid.is_eye(bit[point], own):
                eyes.append(point)
            elif state.why_illegal_placement(point) is None:
                return point
        if not state.rules.passing:
            return next((point for point in eyes if state.why_illegal_placement(point) is None), "PASS")
        return "PASS"
