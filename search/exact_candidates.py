"""Every legal move with its exact value, as candidates. For whatever the solver knows: see `search.alphabeta.boards.RULES`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from goban.grids import BLACK
from goban.moves import Resign
from goban.points import Point
from goban.rulesets import opponent
from goban.states import State
from search.alphabeta.boards import check_state
from search.candidates import Candidate, Candidates, Moves
from search.solver import Solution, Solver

# Nothing is sampled here. Programs that show candidates make those with many visits stand out, and hide those with few.
_VISITS_OF_BEST, _VISITS_OF_OTHERS = 1000, 100
# To the solver, an analysis is a question with a limit that it does not reach, unless its clock jumps.
_FOR_EVER = 1e9

Values = dict[Point | None, Solution]


class ExactAnalyst:
    """A `search.candidates.Analyst` with a solver of its own. Not for two threads at once."""

    def __init__(self, memory_mib: int = 64) -> None:
        self._stopped: Callable[[], bool] = lambda: False
        self._solver = Solver(memory_mib, clock=self._clock)

    def _clock(self) -> float:
        return math.inf if self._stopped() else time.monotonic()

    def candidates(self, state: State, stopped: Callable[[], bool], only: Moves | None = None) -> Iterator[Candidates]:
        """Yield the moves, of `only`, whose winner is known; raises UnsupportedGameError or BadPositionError at once.

        First who wins after each move is found out, then by how much, which takes minutes in the first moves on 5x5.
        """
        solver = self.solver_until(state, stopped)
        moves = [move for move in state.legal_moves() if not isinstance(move, Resign) and (only is None or move in only)]
        return self._found(state, moves, solver, stopped)

    def solver_until(self, state: State, stopped: Callable[[], bool]) -> Solver:
        """Return the solver for other questions about positions of this game; it gives up once `stopped()` is true.

        Raises UnsupportedGameError or BadPositionError.
        """
        check_state(state)
        self._stopped = stopped
        return self._solver

    def _found(
        self, state: State, moves: list[Point | None], solver: Solver, stopped: Callable[[], bool]
    ) -> Iterator[Candidates]:
        values: Values = dict.fromkeys(moves, Solution())
        for ask in (solver.winner, solver.margin):
            for move in moves:
                found = ask(state.after(move), seconds=_FOR_EVER)
                known = {name: value for name, value in vars(found).items() if value is not None}
                values[move] = replace(values[move], **known)
                if stopped():
                    return
                yield ranked(state, values)


def ranked(state: State, values: Values) -> Candidates:
    """Return the moves whose winner is known, the best for the player to move first, equal ones in the order of `values`."""
    known = {move: value for move, value in values.items() if value.winner is not None}
    rates = {move: _winrate(state, value) for move, value in known.items()}
    leads = {move: _lead(state, value) for move, value in known.items()}

    def worth(move: Point | None) -> tuple[float, float]:
        lead = leads[move]
        return rates[move], -math.inf if lead is None else lead

    order = sorted(known, key=worth, reverse=True)
    visits = (_VISITS_OF_BEST if worth(move) == worth(order[0]) else _VISITS_OF_OTHERS for move in order)
    return tuple(Candidate(move, n, rates[move], leads[move]) for move, n in zip(order, visits, strict=True))


def _winrate(state: State, value: Solution) -> float:
    return {state.to_move: 1.0, opponent(state.to_move): 0.0}.get(value.winner or 0, 0.5)


def _lead(state: State, value: Solution) -> float | None:
    if value.margin is None:
        return None
    black = value.margin - state.rules.komi(state.grid.size)
    return black if state.to_move == BLACK else -black
