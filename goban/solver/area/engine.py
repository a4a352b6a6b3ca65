"""What the solver searches with under `area` rules: the one question, limits, and bounds of the margin.

The question is that of `goban.solver.engine`: does Black end at least so many points ahead of White? An answer is what one side
can force whoever repeats positions (see `goban.solver.area.solver`), so some positions have none: they raise
OutOfBudgetError, as those do that take too long. Boards of before the position forbid nothing but a ko, and a limit of moves is
left aside: rules have one to stop games that would go on for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from goban.grids import BLACK, WHITE
from goban.moves import PASS, Move
from goban.rulesets import opponent
from goban.solver.area.moves import key_of
from goban.solver.area.proof_search import PROVEN, REFUTED, REPEATED, UNKNOWN
from goban.solver.area.solver import AreaSolver
from goban.solver.area.table import proof_of
from goban.solver.engine import OutOfBudgetError
from goban.solver.errors import BadPositionError, UnsupportedGameError, check_limits
from goban.solver.positions import counts_area, plays
from goban.states import State, is_sound, ko_points

MIN_SIZE, MAX_SIZE = 2, 5
_TABLES = 4
"""Claims of which something is remembered at the same time: what is known of positions is about one margin."""
_SLICE = 20_000
"""Positions between looks at the clock: some hundredths of a second."""
_FREE = 1_000
"""So few are searched whatever the time."""
_FIRST, _GROWTH = 2_000, 6
"""The limit of every claim in a first round of looking for bounds, and how much more each round takes."""
_NO_LIMIT = 1 << 60


def check_area_state(state: State) -> None:
    """Raise UnsupportedGameError or BadPositionError unless a state of `area` rules can be searched."""
    size = state.grid.size
    if not counts_area(state.rules):
        raise UnsupportedGameError(f"expected rules that count area, got {state.rules.name!r}")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UnsupportedGameError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got {size}")
    if state.black | state.white | state.empty != state.grid.full or state.black & state.white:
        raise BadPositionError("expected every point to be empty, black or white, got one that is none of these")
    if not is_sound(state):
        raise BadPositionError("expected every group to have a liberty")


class AreaEngine:
    """Answers one question at a time; the arguments are those of `goban.solver.solver.Solver`."""

    def __init__(self, memory_mib: int, clock: Callable[[], float]) -> None:
        self._memory_mib = max(1, memory_mib // _TABLES)
        self.clock = clock
        self._game: tuple[int, bool] | None = None
        self._solvers: dict[int, AreaSolver] = {}
        self.nodes = 0
        self._limit = _NO_LIMIT
        self._deadline: float | None = None

    def forget(self) -> None:
        """Empty the tables, as if nothing had been asked yet."""
        for solver in self._solvers.values():
            solver.forget()

    def start(self, state: State, nodes: int | None, seconds: float | None) -> None:
        """Begin to answer, as `goban.solver.engine.Engine.start` does."""
        check_area_state(state)
        check_limits(nodes, seconds)
        game = state.grid.size, state.rules.suicide
        if self._game != game:
            self._game, self._solvers = game, {}
            self._limit, self._deadline, self.nodes = 1, None, 0
            # Compiling, or loading, is no question's time.
            with suppress(OutOfBudgetError):
                self.reaches(state, 0)
            self.proving_move(state, 0)
        self.nodes = 0
        self._limit = _NO_LIMIT if nodes is None else nodes
        self._deadline = None if seconds is None else self.clock() + seconds

    def reaches(self, state: State, margin: int) -> bool:
        """Tell whether Black reaches a margin; raises OutOfBudgetError where that is not found out."""
        if state.is_over:
            return final_margin(state) >= margin
        points = state.grid.size**2
        if not -points < margin <= points:
            return margin <= -points
        limit, refuted = _FREE, {BLACK: False, WHITE: False}
        # Nobody knows yet whose side can be proven: both in turn, with growing limits.
        while not all(refuted.values()):
            for prover, wanted in ((BLACK, margin), (WHITE, 1 - margin)):
                answer = UNKNOWN if refuted[prover] else self._ask(state, prover, wanted, limit)
                if answer == PROVEN:
                    return prover == BLACK
                refuted[prover] |= answer in (REFUTED, REPEATED)
            limit *= 2
        raise OutOfBudgetError

    def proving_move(self, state: State, margin: int) -> Move | None:
        """Return a move after which the tables know the mover's side as proven, a pass first; None if they know none.

        Black's side is to reach the margin, White's to prevent it.
        """
        prover, wanted = state.to_move, margin if state.to_move == BLACK else 1 - margin
        solver = self._solvers.get(wanted)
        if solver is None:
            return None
        for move in sorted(plays(state), key=lambda move: move is not PASS):
            after = state.after(move)
            if after.is_over:
                if (final_margin(after) >= margin) == (prover == BLACK):
                    return move
            else:
                p, o, ko = _masks(after, prover)
                contents = solver.entry(int(key_of(p, o, ko, 1, int(after.pass_ends), solver.symmetries)))
                if contents and proof_of(contents) == 0:
                    return move
        return None

    def bounds(self, state: State, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield closer and closer bounds of the margin between `low` and `high`, until they are equal or nothing else is known.

        Raises OutOfBudgetError when a limit is reached.
        """
        if state.is_over:
            yield final_margin(state), final_margin(state)
            return
        # What a side surely cannot force, by its own count: it is not asked for again.
        most, limit = {BLACK: high, WHITE: -low}, _FIRST
        while low < high and (low < most[BLACK] or -high < most[WHITE]):
            for prover in (BLACK, WHITE):
                least, tried = (low if prover == BLACK else -high), most[prover]
                while least < tried:
                    wanted = (least + tried + 1) // 2
                    answer = self._ask(state, prover, wanted, limit)
                    if answer == PROVEN:
                        least = wanted
                        low, high = (wanted, high) if prover == BLACK else (low, -wanted)
                        most = {BLACK: min(most[BLACK], high), WHITE: min(most[WHITE], -low)}
                        yield low, high
                    else:
                        tried = wanted - 1
                        if answer in (REFUTED, REPEATED):
                            most[prover] = tried
            limit *= _GROWTH

    def _ask(self, state: State, prover: int, wanted: int, limit: int) -> int:
        """Return what is found about a claim within `limit` positions; raises OutOfBudgetError at the question's limits."""
        solver = self._solver_for(wanted, state)
        p, o, ko = _masks(state, prover)
        while True:
            free = limit <= _FREE and self._limit > 0
            if self.nodes >= self._limit or (not free and self._out_of_time()):
                raise OutOfBudgetError
            most = min(limit, _SLICE, self._limit - self.nodes)
            answer = solver.settle(p, o, ko, int(state.to_move != prover), wanted, most, int(state.pass_ends))
            self.nodes += solver.nodes
            limit -= solver.nodes
            if answer != UNKNOWN or limit <= 0:
                return answer

    def _solver_for(self, wanted: int, state: State) -> AreaSolver:
        """Return the solver that remembers most about a claim."""
        if wanted in self._solvers:
            # The one asked last stands last.
            self._solvers[wanted] = self._solvers.pop(wanted)
        elif len(self._solvers) < _TABLES:
            size = state.grid.size
            self._solvers[wanted] = AreaSolver(size, size, self._memory_mib, state.rules.suicide)
        else:
            self._solvers[wanted] = self._solvers.pop(next(iter(self._solvers)))
        return self._solvers[wanted]

    def _out_of_time(self) -> bool:
        return self._deadline is not None and self.clock() >= self._deadline


def final_margin(state: State) -> int:
    """Return Black's points less White's of a game that is over; all points where something else than the count decided."""
    outcome = state.outcome
    assert outcome is not None
    if outcome.counted:
        black, white = state.points()
        return black - white
    return {BLACK: 1, WHITE: -1}.get(outcome.winner, 0) * state.grid.size**2


def _masks(state: State, prover: int) -> tuple[int, int, int]:
    """Return a state's stones of the prover and of the opponent and its ko, as `goban.solver.area.boards` has them."""
    grid = state.grid

    def mask(of: int) -> int:
        return sum(1 << grid.size * i + j for i, j in grid.points_of(of))

    return mask(state.stones(prover)), mask(state.stones(opponent(prover))), mask(ko_points(state))
