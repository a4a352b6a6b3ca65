"""perfect: never loses a won game, by the exact solver; 2x2 to 5x5. Needs numpy and numba."""

from __future__ import annotations

import random

from goban.moves import PASS, Move
from goban.points import Point
from goban.rulesets import RuleSet
from goban.solver.errors import UnsupportedGameError
from goban.solver.positions import counts_area
from goban.solver.solver import Solver, check_state, perfect_moves, proven_moves
from goban.states import State, new_game
from players.errors import BadPlayerError
from players.host import Answer, Host
from players.registry import tell_compilation

_MEMORY_MIB = 64
_SIMULATIONS, _TREE_MIB = 3_000, 16


class PerfectPlayer:
    """Plays a winning move whenever there is one; in a tied game a move that keeps the tie.

    In a lost one it gives no stone away, and plays the move after which the opponent has the fewest winning replies; in the
    first ten moves it plays the one that looks best; ties at random. Where area counts, and it cannot find out in a second who
    wins, as in the openings of 5x5, it plays what playouts take for best.

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
        with tell_compilation(self.type):
            self.solver.prepare(new_game(rules, size))

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return a point, or "PASS" where passing is the best."""
        state = go.position(piece_type)
        if state.n_move <= self._n_move:
            # Otherwise what earlier games left in the solver's memory would decide which of several winning moves it finds.
            self.solver.forget()
        self._n_move = state.n_move
        if counts_area(state.rules):
            moves = proven_moves(state, self.solver) or [_likely_move(state)]
        else:
            moves = perfect_moves(state, self.solver)
        move = self.rng.choice(moves)
        return "PASS" if move is PASS else _point(move)


def _likely_move(state: State) -> Move:
    """Return the move that playouts take for best; it depends on the position alone."""
    from goban.montecarlo.pattern_sets import DEFAULT, table_of
    from goban.montecarlo.trees import Tree, TreeSettings

    tree = Tree(TreeSettings(table_of(DEFAULT), _TREE_MIB))
    tree.stand(state)
    tree.grow(_SIMULATIONS, state.black << 32 | state.white)
    return tree.best()


def _point(move: object) -> Point:
    assert isinstance(move, tuple)
    return move
