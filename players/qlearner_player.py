"""qlearner: plays by a learned table alone, as a student's first Q-learning player does."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol, cast

from players.host import Answer, Host
from players.registry import make_player
from players.tactics import draw, highest

# Values may be negative.
_LEAST = 1_000_000


class _Learner(Protocol):
    """What `my_player.MyPlayer` can tell, see `my_player.Values`."""

    def values_for(self, go: Host, piece_type: int, /) -> Callable[[int, int, int, list[tuple[int, int]], int], list[int]]:
        """Return what values the boards of this game."""


class QLearnerPlayer:
    """Plays the placement with the highest Q-value in the table of `my`, ties at random; it looks no further.

    The table values boards after at most 23 moves; after the last move of a game the stones count.
    """

    type = "qlearner"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._learner = cast(_Learner, make_player("my", rng))

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point; "PASS" only if no placement is legal."""
        state = go.position(piece_type)
        grid, (own, other), stage = state.grid, state.colours(), state.n_move + 1
        learned = self._learner.values_for(go, piece_type)
        last = stage == state.rules.max_move(grid.size)

        def worth(bit: int) -> int:
            taken = grid.dead(other, state.empty ^ bit)
            if last:
                return (own | bit).bit_count() - (other ^ taken).bit_count() + _LEAST
            return learned(own, other, stage, [(bit, taken)], _LEAST)[0] + _LEAST

        return draw(grid, highest(grid, state.placements(), worth)[0], self.rng)
