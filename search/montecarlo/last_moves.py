"""The last moves of `course` and `littlego` on small boards, solved exactly."""

from __future__ import annotations

from collections.abc import Callable

from goban.moves import Move
from goban.states import State
from search.errors import BadBudgetError, UnsupportedGameError
from search.solver import Solver

_NODES = 1_000_000
"""Positions that the solver may look at for one move: a quarter of a second."""
_MEMORY_MIB = 16


class LastMoves:
    """Finds a winning move where so many moves or fewer are left; most: 0 for never. Raises BadBudgetError."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        if most < 0:
            raise BadBudgetError(f"expected 0 or more exact moves, got {most}")
        self._most = most
        self._solver = Solver(_MEMORY_MIB, clock=clock) if most else None

    def prepare(self, state: State) -> None:
        """Compile the solver, if it is to be asked about a state's game."""
        if self._solver is not None:
            self._solver.prepare(state)

    def winning_moves(self, state: State, seconds: float | None) -> tuple[Move, ...]:
        """Return one move that wins, () if there is none, none is found in time, or the solver does not know the game.

        Without a limit in seconds the answer depends on the position alone.
        """
        limit = state.rules.max_move(state.grid.size)
        if self._solver is None or limit is None or limit - state.n_move > self._most:
            return ()
        self._solver.forget()
        try:
            return self._solver.winning_move(state, nodes=_NODES, seconds=seconds).winning_moves[:1]
        except UnsupportedGameError:
            return ()
