"""Exact values of positions under `course` and `littlego`, on boards of 2 x 2 to 5 x 5.

    solver = Solver(memory_mib=1024)
    solver.winner(state)          Solution(winner=1, ...)       one question
    solver.margin(state)          ... margin=5                  a few
    solver.best_moves(state)      ... best_moves=((2, 2),)      one or two for every legal move
    solver.line(state)            ... line=((2, 2), (1, 2), ...)

A margin is Black's stones less White's at the end of the game, komi left out, when both play for as many stones as they
can. (Whoever maximises his margin also wins if he can, since the winner is who has the margin on his side of komi.)
A solver keeps what it has proven, so asking about the positions of one game one after the other is cheap. It remembers
one rule set and one board size; a state of another game makes it forget the rest.

Limits in nodes or seconds give None for whatever is then unknown, never a guess.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from goban.grids import BLACK, WHITE
from goban.moves import Move
from goban.outcomes import opponent
from goban.states import State
from search.errors import BadBudgetError
from search.proof import BITS, FULL, LIMIT, NODES, PASSING, SIZE, STOP, SYMMETRIC, UNKNOWN, YES, new_busy, new_space, prove
from search.smallboards import Ints, check_state, ko_point, mask_of_state
from search.transpositions import BUCKET, new_table

# Symmetric positions are worth looking for while few stones have been placed.
_SYMMETRIC_MOVES = 10
# How often the clock is looked at, in seconds.
_POLL = 0.02
_NO_LIMIT = 1 << 60

_Position = tuple[int, int, int, bool, int, int]


@dataclass(frozen=True)
class Solution:
    """What is known of a position; None or () for what was not asked for or could not be found out.

    winner: 1, 2, or 0 for a tie. margin: Black's stones less White's at the end. winning_moves: the moves after which the
    player to move still wins, in the order of `State.legal_moves`. best_moves: those that keep the margin. line: best
    moves to the end of the game, the first of the best ones each time. nodes: positions searched.
    """

    winner: int | None = None
    margin: int | None = None
    winning_moves: tuple[Move, ...] = ()
    best_moves: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()
    nodes: int = 0


class _OutOfBudgetError(Exception):
    """A limit was reached before the answer."""


class Solver:
    """Answers questions about positions, with one table of proven bounds behind them. Not for two threads at once.

    memory_mib: size of the table, 16 or more, rounded down to a power of two. threads: how many search at the same time;
    the answers do not depend on it, only `nodes` does. Of two, each visits 0.5 (empty board) to 0.75 times
    (after six moves) as many positions as one alone.
    """

    def __init__(self, memory_mib: int = 256, threads: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        if threads < 1:
            raise BadBudgetError(f"expected 1 thread or more, got {threads}")
        self._table = new_table(memory_mib)
        self._clock = clock
        self._game: tuple[str, int] | None = None
        self._spaces = [new_space() for _ in range(threads)]
        self._busy = new_busy()
        self._nodes = 0
        self._limit = _NO_LIMIT
        self._deadline: float | None = None

    def forget(self) -> None:
        """Empty the table and the histories, as if nothing had been asked yet."""
        self._table[:] = 0
        self._game = None
        self._spaces = [new_space() for _ in self._spaces]

    # Questions

    def winner(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return who wins."""
        self._start(state, nodes, seconds)
        return self._collected(Solution(), state, self._add_winner)

    def margin(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return who wins and by how many stones."""
        self._start(state, nodes, seconds)
        return self._collected(Solution(), state, self._add_winner, self._add_margin)

    def winning_moves(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return who wins, and the moves that win if that is the player to move."""
        self._start(state, nodes, seconds)
        return self._collected(Solution(), state, self._add_winner, self._add_winning_moves)

    def best_moves(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return winner, margin, the winning moves and the moves that keep the margin."""
        self._start(state, nodes, seconds)
        steps = self._add_winner, self._add_margin, self._add_best_moves, self._add_winning_moves
        return self._collected(Solution(), state, *steps)

    def line(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return winner, margin, and one line of best play to the end of the game."""
        self._start(state, nodes, seconds)
        return self._collected(Solution(), state, self._add_winner, self._add_margin, self._add_line)

    def everything(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return all there is to know."""
        self._start(state, nodes, seconds)
        steps = self._add_winner, self._add_margin, self._add_best_moves, self._add_winning_moves, self._add_line
        return self._collected(Solution(), state, *steps)

    def black_reaches(self, state: State, margin: int, nodes: int | None = None, seconds: float | None = None) -> bool | None:
        """Tell whether Black ends at least `margin` stones ahead of White; None if a limit came first."""
        self._start(state, nodes, seconds)
        try:
            return self._reaches(state, margin)
        except _OutOfBudgetError:
            return None

    # Steps, each of which adds to what is known

    def _collected(self, known: Solution, state: State, *steps: Callable[[State, Solution], Solution]) -> Solution:
        try:
            for step in steps:
                known = step(state, known)
        except _OutOfBudgetError:
            pass
        return replace(known, nodes=self._nodes)

    def _add_winner(self, state: State, known: Solution) -> Solution:
        size = state.grid.size
        if self._reaches(state, size // 2 + 1):
            return replace(known, winner=BLACK)
        # Komi is half the size, so only even boards know ties.
        tie = size % 2 == 0 and self._reaches(state, size // 2)
        return replace(known, winner=0 if tie else WHITE)

    def _add_margin(self, state: State, known: Solution) -> Solution:
        half, points = state.grid.size // 2, state.grid.size**2
        low = half + 1 if known.winner == BLACK else half if known.winner == 0 else -points
        high = points if known.winner == BLACK else half
        # One stone at a time from the winner's threshold: neighbouring questions share most of their proofs.
        if known.winner == BLACK:
            while low < high and self._reaches(state, low + 1):
                low += 1
        else:
            while high > low and not self._reaches(state, high):
                high -= 1
            low = high
        return replace(known, margin=low)

    def _add_winning_moves(self, state: State, known: Solution) -> Solution:
        if known.winner != state.to_move:
            return known
        half = state.grid.size // 2
        wanted = half + 1 if state.to_move == BLACK else (state.grid.size + 1) // 2
        return replace(known, winning_moves=self._keeping(state, wanted))

    def _add_best_moves(self, state: State, known: Solution) -> Solution:
        assert known.margin is not None
        return replace(known, best_moves=self._keeping(state, known.margin + (state.to_move == WHITE)))

    def _add_line(self, state: State, known: Solution) -> Solution:
        assert known.margin is not None
        line: list[Move] = []
        while not state.is_over:
            wanted = known.margin + (state.to_move == WHITE)
            move = next(move for move in state.legal_moves() if self._keeps(state, move, wanted))
            line.append(move)
            state = state.after(move)
        return replace(known, line=tuple(line))

    def _keeping(self, state: State, wanted: int) -> tuple[Move, ...]:
        """Return the moves after which Black reaches `wanted` if he moves, or does not reach it if White moves."""
        return tuple(move for move in state.legal_moves() if self._keeps(state, move, wanted))

    def _keeps(self, state: State, move: Move, wanted: int) -> bool:
        return self._reaches(state.after(move), wanted) == (state.to_move == BLACK)

    # Searching

    def _start(self, state: State, nodes: int | None, seconds: float | None) -> None:
        check_state(state)
        if (nodes is not None and nodes < 0) or (seconds is not None and not seconds >= 0):
            raise BadBudgetError(f"expected limits of 0 or more, got nodes={nodes!r}, seconds={seconds!r}")
        game = state.rules.name, state.grid.size
        if self._game != game:
            if self._game is not None:
                self.forget()
            self._game = game
            for space in self._spaces:
                self._prepare(space, state)
        self._nodes = 0
        self._limit = _NO_LIMIT if nodes is None else nodes
        self._deadline = None if seconds is None else self._clock() + seconds

    def _prepare(self, space: Ints, state: State) -> None:
        space[FULL] = mask_of_state(state, state.grid.full)
        space[PASSING] = state.rules.passing
        space[SIZE] = state.grid.size
        space[BITS] = (len(self._table) // BUCKET).bit_length() - 1
        space[SYMMETRIC] = max(3, _moves_in(state) - _SYMMETRIC_MOVES)

    def _reaches(self, state: State, margin: int) -> bool:
        """Tell whether Black reaches a margin; raises _OutOfBudgetError."""
        if state.is_over:
            return state.black.bit_count() - state.white.bit_count() >= margin
        black = state.to_move == BLACK
        own = mask_of_state(state, state.stones(state.to_move))
        other = mask_of_state(state, state.stones(opponent(state.to_move)))
        pass_ends = state.rules.passing and (state.passed or state.previous == (state.black, state.white))
        left = _moves_in(state) - state.n_move
        answer = self._search((own, other, ko_point(state), pass_ends, left, margin if black else 1 - margin))
        if answer == UNKNOWN:
            raise _OutOfBudgetError
        return (answer == YES) == black

    def _search(self, position: _Position) -> int:
        """Return what `prove` answers within the limits, from whichever thread is first."""
        before = self._nodes
        self._busy[:] = 0
        for space in self._spaces:
            space[NODES], space[STOP] = 0, 0
            space[LIMIT] = max(0, (self._limit - before) // len(self._spaces))
        if len(self._spaces) == 1 and self._deadline is None:
            answer = _prove(position, self._spaces[0], self._table, self._busy)
        else:
            answer = self._search_in_threads(position)
        self._nodes = before + sum(int(space[NODES]) for space in self._spaces)
        return int(answer)

    def _search_in_threads(self, position: _Position) -> int:
        if self._out_of_time():
            return UNKNOWN
        with ThreadPoolExecutor(len(self._spaces)) as pool:
            running = {pool.submit(_prove, position, space, self._table, self._busy) for space in self._spaces}
            try:
                return self._first_answer(running)
            finally:
                # Whatever happens here, leaving the pool waits for its threads.
                for space in self._spaces:
                    space[STOP] = 1

    def _first_answer(self, running: set[Future[int]]) -> int:
        while running and not self._out_of_time():
            done, running = wait(running, None if self._deadline is None else _POLL, FIRST_COMPLETED)
            answers = [future.result() for future in done if future.result() != UNKNOWN]
            if answers:
                return answers[0]
        return UNKNOWN

    def _out_of_time(self) -> bool:
        return self._deadline is not None and self._clock() >= self._deadline


def _prove(position: _Position, space: Ints, table: Ints, busy: Ints) -> int:
    return int(prove(*position, space, table, busy))


def _moves_in(state: State) -> int:
    """Return after how many moves the game ends."""
    limit = state.rules.max_move(state.grid.size)
    assert limit is not None
    return limit


def solve(
    state: State,
    *,
    memory_mib: int = 256,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    clock: Callable[[], float] = time.monotonic,
) -> Solution:
    """Return all there is to know about one position; see `Solver` for more than one, or for less.

    Raises UnsupportedGameError, BadPositionError or BadBudgetError.
    """
    return Solver(memory_mib, threads, clock).everything(state, nodes, seconds)
