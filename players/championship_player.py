"""championship: the strongest there is within ten seconds a move: exact where it can be in time, else the shipped player."""

from __future__ import annotations

import random
from importlib.util import find_spec
from typing import TYPE_CHECKING

from goban.moves import PASS, Move
from goban.rulesets import RuleSet
from goban.states import State, new_game
from players.host import Answer, Host
from players.registry import tell_compilation
from players.shipped_player import ShippedPlayer, shipped_files

if TYPE_CHECKING:
    from goban.solver.solver import Solver

# Positions the solver may look at for one answer: 3 to 4 s where it looks at four million a second, which leaves room for
# slower machines. Not a clock, so that the same position gives the same move everywhere.
NODES = 14_000_000
_MEMORY_MIB = 64
# In earlier moves a lost position is too far from its end to count the winning replies.
_COUNTED_FROM = 10


class ChampionshipPlayer:
    """Plays a winning move where the solver finds one; in a lost position the move that leaves the fewest winning replies.

    The project's own `my_player.py` answers instead where the solver cannot decide in time, under other rules than `course` and
    `littlego`, on boards above 5x5, and everywhere if numba is missing. Each answer depends on the position alone.
    """

    type = "championship"

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._searcher = ShippedPlayer()
        self._solver = _new_solver()

    @staticmethod
    def check_game(rules: RuleSet, size: int) -> None:
        """Raise BadPlayerError if the player that answers instead is not the project's own."""
        shipped_files()

    def prepare(self, rules: RuleSet, size: int) -> None:
        """Compile the solver, if it is there."""
        if self._solver is not None:
            with tell_compilation(self.type):
                self._solver.prepare(new_game(rules, size))

    def get_input(self, go: Host, piece_type: int) -> object:
        """Return a point, or "PASS" where passing is the best."""
        state = go.position(piece_type)
        move = None if self._solver is None else _solve(state, self._solver)
        return self._searcher.get_input(go, piece_type) if move is None else move


def _new_solver() -> Solver | None:
    """Return a solver, None if the packages it needs are missing: uncompiled it would take minutes."""
    if find_spec("numpy") is None or find_spec("numba") is None:
        return None
    from goban.solver.solver import Solver

    return Solver(_MEMORY_MIB)


def _solve(state: State, solver: Solver) -> Answer | None:
    """Return a move that is known to be the right one; None if that cannot be found out."""
    from goban.solver.errors import UnsupportedGameError
    from goban.solver.positions import counts_area

    if counts_area(state.rules):
        return None
    # Otherwise what earlier positions left in its memory would decide which positions it can solve in time.
    solver.forget()
    try:
        found = solver.winning_move(state, nodes=NODES)
    except UnsupportedGameError:
        return None
    if found.winning_moves:
        return _answer(found.winning_moves[0])
    if found.winner in (None, state.to_move) or state.n_move < _COUNTED_FROM:
        return None
    return _hardest(state, solver, NODES - found.nodes)


def _hardest(state: State, solver: Solver, nodes: int) -> Answer | None:
    """Return the move of a lost or tied position that leaves the fewest winning replies; None beyond so many nodes."""
    from goban.solver.solver import least, looks_after

    moves, replies = state.legal_moves(), {}
    for move in moves:
        after = state.after(move)
        if after.is_over:
            # Lost beyond repair.
            replies[move] = state.grid.size**2 + 1 if after.leader() == after.to_move else 0
            continue
        found = solver.winning_moves(after, nodes=max(nodes, 0))
        nodes -= found.nodes
        replies[move] = len(found.winning_moves)
        if found.winner is None or (found.winner == after.to_move and not replies[move]):
            return None
    return _answer(least(least(moves, lambda move: replies[move]), lambda move: -looks_after(state, move))[0])


def _answer(move: Move) -> Answer:
    return move if isinstance(move, tuple) else "PASS" if move is PASS else move.value
