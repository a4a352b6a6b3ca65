"""perfect: never loses a won game, by the exact solver; 2x2 to 5x5, course and littlego. Needs numpy and numba."""

from __future__ import annotations

import random

from goban.moves import PASS
from goban.points import Point
from goban.rulesets import RuleSet
from goban.solver.alphabeta.boards import check_state
from goban.solver.errors import UnsupportedGameError
from goban.solver.solver import Solver, perfect_moves
from goban.states import new_game
from players.errors import BadPlayerError
from players.host import Answer, Host
from players.registry import compilation_told

_MEMORY_MIB = 64


class PerfectPlayer:
    """Plays a winning move whenever there is one; in a tied game a move that keeps the tie.

    In a lost one it gives no stone away, and plays the move after which the opponent has the fewest winning replies; in the
    first ten moves it plays the one that looks best; ties at random.

    Raises UnsupportedGameError for games that cannot be solved.
    """

    type = "perfect"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.solver = Solver(_MEMORY_MIB)
        self._n_move = -1

    @staticmethod
    def check_game(rules: RuleSet, size: int) -> None:
        """Raise BadPlayerError for games that cannot be solved."""
        try:
            check_state(new_game(rules, size))
        except UnsupportedGameError as error:
            raise BadPlayerError(str(error)) from None

    def prepare(self, rules: RuleSet, size: int) -> None:
        """Compile the solver."""
        with compilation_told(self.type):
            self.solver.prepare(new_game(rules, size))

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point, or "PASS" where passing is the best."""
        state = go.position(piece_type)
        if state.n_move <= self._n_move:
            # Otherwise what earlier games left in the solver's memory would decide which of several winning moves it finds.
            self.solver.forget()
        self._n_move = state.n_move
        move = self.rng.choice(perfect_moves(state, self.solver))
        return "PASS" if move is PASS else _point(move)


def _point(move: object) -> Point:
    assert isinstance(move, tuple)
    return move
