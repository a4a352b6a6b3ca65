"""alphabeta: looks at its own placement and the reply to it."""

from __future__ import annotations

import random

from goban.points import Point
from goban.states import State
from players.host import Answer, Host
from players.tactics import distance_to_centre

DEPTH = 2
BRANCHES = 10
_BEYOND = 1000


class AlphaBetaPlayer:
    """Minimax with alpha-beta over two placements, its own and the reply, at most ten branches at every node.

    A position is worth the stones of the player to move less those of the opponent. The branches are the placements that
    capture most, then those nearest to the centre, ties at random. Of equally good ones it plays the first in that order. It
    passes only when nothing is legal.
    """

    type = "alphabeta"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point; "PASS" only if no placement is legal."""
        state = go.position(piece_type)
        best, answer = -_BEYOND, "PASS"  # type: int, Answer
        for point in self._branches(state):
            worth = -self._value(state.after(point), DEPTH - 1, -_BEYOND, -best)
            if worth > best:
                best, answer = worth, point
        return answer

    def _value(self, state: State, depth: int, low: int, high: int) -> int:
        """Return what a position is worth to the player to move; exact if that lies between `low` and `high`."""
        branches = self._branches(state) if depth and not state.is_over else []
        if not branches:
            own, other = state.colours()
            return own.bit_count() - other.bit_count()
        for point in branches:
            low = max(low, -self._value(state.after(point), depth - 1, -high, -low))
            if low >= high:
                break
        return low

    def _branches(self, state: State) -> list[Point]:
        """Return the placements to look at, the most promising first."""
        grid, (_, other) = state.grid, state.colours()

        def promise(point: Point) -> tuple[int, int]:
            captured = grid.dead(other, state.empty ^ grid.bit[point]).bit_count()
            return -captured, distance_to_centre(grid, point)

        points = grid.points_of(state.placements())
        self.rng.shuffle(points)
        return sorted(points, key=promise)[:BRANCHES]
