"""qlearner: plays by a learned table alone, as a student's first Q-learning player does."""

from __future__ import annotations

import random

from goban.rulesets import RuleSet
from players.host import Answer, Host
from players.shipped_player import ShippedPlayer, shipped_files
from players.tactics import draw, highest

# Values may be negative.
_LEAST = 1_000_000


class QLearnerPlayer:
    """Plays the placement with the highest Q-value in the project's own table, ties at random; it looks no further.

    The table values boards after at most 23 moves; after the last move of a game the stones count.
    """

    type = "qlearner"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._learner = ShippedPlayer()

    @staticmethod
    def check_game(rules: RuleSet, size: int) -> None:
        """Raise BadPlayerError if what was learned is not the project's own."""
        shipped_files()

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
