"""What the solver searches with: a table of proven bounds, a space for each thread, the limits, and one question.

The question is `reaches(state, margin)`: does Black end at least so many stones ahead of White? `goban.solver.solver` builds
all its answers from it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress

import numpy as np

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from goban.grids import BLACK
from goban.moves import Move
from goban.rulesets import opponent
from goban.solver.alphabeta.boards import (
    MAX_SIZE,
    WIDTH,
    Ints,
    check_state,
    inverse,
    ko_point,
    mask_of_state,
    turned_point,
)
from goban.solver.alphabeta.null_window import STORED, UNKNOWN, YES, prove
from goban.solver.alphabeta.stack import (
    BITS,
    FULL,
    LIMIT,
    MARKS,
    NODES,
    PASSING,
    SIZE,
    STOP,
    SYMMETRIC,
    new_common,
    new_space,
)
from goban.solver.alphabeta.transpositions import (
    BUCKET,
    NOTHING,
    dump,
    fill,
    look_up,
    lower_bound,
    move_of,
    new_table,
    symmetric_key,
    value_of,
    work_of,
)
from goban.solver.book import Book, BookOf, shipped_book
from goban.solver.errors import BadBudgetError, check_limits
from goban.states import State

# In the last third of a game, symmetric positions are not worth looking for.
_LAST_PART = 3
# Books are made of positions of so many moves at most.
_BOOK_MOVES = 10
# Seconds between looks at the clock.
_POLL = 0.02
# This many positions take about as long.
_BRIEF = 100_000
# So few take a fifth of a millisecond, and are searched whatever the time: the table, the book or the next moves may tell.
_FREE = 1000
NO_LIMIT = 1 << 60
# Each takes memory of its own.
_MOST_THREADS = 1024
# The share of the table that a book may take up.
_ROOM = 4

Position = tuple[int, int, int, bool, int, int]
"""own, other, ko, whether a pass would end the game, moves left, margin wanted; as `null_window.prove` takes it."""


class OutOfBudgetError(Exception):
    """A limit was reached before the answer."""


class Engine:
    """Answers one question at a time; its arguments are described in `goban.solver.solver.Solver`."""

    def __init__(self, memory_mib: int, threads: int, clock: Callable[[], float], book: BookOf) -> None:
        if not is_whole(threads, 1, _MOST_THREADS):
            raise BadBudgetError(f"expected 1 to {_MOST_THREADS} threads, got {quoted(threads)}")
        self._table = new_table(memory_mib)
        self.clock = clock
        self._book = book
        self._game: tuple[str, int] | None = None
        self._least_left = 0
        self._spaces = [new_space() for _ in range(threads)]
        self._common = new_common()
        self._nodes = 0
        self._limit = NO_LIMIT
        self._deadline: float | None = None

    @property
    def nodes(self) -> int:
        """Positions searched since `start`."""
        return self._nodes

    def share(self) -> tuple[Ints, Ints, Ints]:
        """Return a space, the table and the histories, for kernels that search in them; of a game that has been started.

        From now on symmetric positions count as one in all that is stored, until another game is started: that takes a little
        longer, and what is known of one is known of all.
        """
        for space in self._spaces:
            space[SYMMETRIC] = STORED
        return self._spaces[0], self._table, self._common

    def forget(self) -> None:
        """Empty the table and the histories, as if nothing had been asked yet."""
        self._table[:] = 0
        self._game = None
        self._spaces = [new_space() for _ in self._spaces]
        self._common[:] = 0

    def entries(self, least_work: int, most: int) -> tuple[Ints, Ints, Ints]:
        """Return keys, values (as `goban.solver.book` holds them) and work of what the table knows of early positions.

        Up to `most` entries that took at least `least_work` (the binary logarithm of nodes).
        """
        keys, values, works = (np.zeros(most, dtype=np.int64) for _ in range(3))
        space = self._spaces[0]
        number = dump(self._table, int(space[BITS]), least_work, self._least_left, keys, values, works)
        number = min(number, most)
        return keys[:number], values[:number], works[:number]

    def start(self, state: State, nodes: int | None, seconds: float | None) -> None:
        """Begin to answer about a state, within a number of positions and of seconds for all questions until the next start.

        Raises UnsupportedGameError, BadPositionError or BadBudgetError.
        """
        check_state(state)
        check_limits(nodes, seconds)
        game = state.rules.name, state.grid.size
        if self._game != game:
            if self._game is not None:
                self.forget()
            self._game, self._least_left = game, _moves_in(state) - _BOOK_MOVES
            for space in self._spaces:
                self._prepare(space, state)
            book = self._book_for(state)
            # A table that the book would fill leaves no room to search in.
            if book is not None and len(self._table) >= _ROOM * len(book):
                self._fill(book)
            self._compile(state)
        self._nodes = 0
        self._limit = NO_LIMIT if nodes is None else nodes
        self._deadline = None if seconds is None else self.clock() + seconds

    def _compile(self, state: State) -> None:
        """Compile, or load, what every question needs: that takes seconds, and is no question's time."""
        nothing = np.zeros(0, dtype=np.int64)
        self._fill(Book(nothing, nothing))
        self._limit, self._deadline = 1, None
        with suppress(OutOfBudgetError):
            self.reaches(state, 0)
        self._look_up(position_of(state, 0))
        # The next question may be about an earlier position, or ask for a move.
        lower_bound(0)
        turned_point(move_of(0), inverse(0), MAX_SIZE)

    def _book_for(self, state: State) -> Book | None:
        return self._book(state.rules.name) if state.grid.size == MAX_SIZE else None

    def _prepare(self, space: Ints, state: State) -> None:
        space[FULL] = mask_of_state(state, state.grid.full)
        space[PASSING] = state.rules.passing
        space[SIZE] = state.grid.size
        space[BITS] = (len(self._table) // BUCKET).bit_length() - 1
        space[SYMMETRIC] = max(STORED, _moves_in(state) // _LAST_PART)

    def reaches(self, state: State, margin: int) -> bool:
        """Tell whether Black reaches a margin; raises OutOfBudgetError."""
        if state.is_over:
            return state.black.bit_count() - state.white.bit_count() >= margin
        self._recall(state)
        reached = self.settle(position_of(state, _wanted(state, margin)))
        if reached is None:
            raise OutOfBudgetError
        return reached == (state.to_move == BLACK)

    def settle(self, position: Position, nodes: int = NO_LIMIT) -> bool | None:
        """Tell whether the player to move reaches the margin wanted; None if so many nodes more, or all limits, do not tell."""
        limit, self._limit = self._limit, min(self._limit, self._nodes + nodes)
        answer = self._search(position)
        self._limit = limit
        return None if answer == UNKNOWN else answer == YES

    def proving_move(self, state: State, margin: int) -> Move | None:
        """Return the placement that the table remembers as proof of the mover's side; None if it remembers none.

        Black's side is to reach the margin, White's to prevent it.
        """
        point = self.proving_point(position_of(state, _wanted(state, margin)))
        placements = (move for move in state.legal_moves() if isinstance(move, tuple))
        return next(((row, column) for row, column in placements if WIDTH * row + column == point), None)

    def proving_point(self, position: Position) -> int | None:
        """Return the point of the move that the table remembers as proof of what is wanted; None if it remembers none."""
        _, entry, which = self._look_up(position)
        if not entry or lower_bound(entry) < position[-1]:
            return None
        return turned_point(move_of(entry), inverse(which), int(self._spaces[0][SIZE]))

    def entry(self, state: State) -> tuple[int, int, int]:
        """Return key, value and work, as `entries` does, of one position; without bounds if the table knows none."""
        key, entry, _ = self._look_up(position_of(state, 0))
        return key, value_of(entry) if entry else NOTHING, work_of(entry)

    def _look_up(self, position: Position) -> tuple[int, int, int]:
        """Return the key of a position in the table, its entry (0 if there is none), and which symmetry led there."""
        own, other, ko, passed, left, _ = position
        symmetric, size, bits = (int(self._spaces[0][place]) for place in (SYMMETRIC, SIZE, BITS))
        key, which = symmetric_key(own, other, ko, passed, left, symmetric, size)
        return key, look_up(self._table, bits, key), which

    def _recall(self, state: State) -> None:
        """Put the shipped book's entry of a position back into the table, if others in its bucket have crowded it out.

        Other books only fill the table: the shipped ones were made with such books, and must come out the same again.
        """
        book = self._book_for(state) if self._book is shipped_book else None
        if book is not None:
            key, entry, _ = self._look_up(position_of(state, 0))
            if not entry:
                self._fill(book.part_about(key))

    def _fill(self, book: Book) -> None:
        fill(self._table, int(self._spaces[0][BITS]), book.keys, book.values)

    def _search(self, position: Position) -> int:
        """Return what `prove` answers within the limits, from whichever thread is first."""
        before = self._nodes
        self._common[:MARKS] = 0
        for space in self._spaces:
            space[NODES], space[STOP] = 0, 0
            space[LIMIT] = max(0, (self._limit - before) // len(self._spaces))
        if len(self._spaces) == 1 and self._deadline is None:
            answer = self._prove(position, self._spaces[0])
        else:
            answer = self._search_in_threads(position)
        self._nodes = before + sum(int(space[NODES]) for space in self._spaces)
        return answer

    def _search_in_threads(self, position: Position) -> int:
        if self._deadline is not None:
            answer = self._prove_briefly(position, self._spaces[0], _FREE)
            if answer != UNKNOWN or self._out_of_time():
                return answer
            self._spaces[0][STOP] = 0
        with ThreadPoolExecutor(len(self._spaces)) as pool:

            def begun(space: Ints) -> Future[int]:
                return pool.submit(self._prove, position, space)

            try:
                if self._deadline is not None:
                    return self._first_answer({begun(space) for space in self._spaces})
                # A system may start two threads on one core and move one of them milliseconds later: one search begins here.
                here, *others = self._spaces
                running = {begun(space) for space in others}
                answer = self._prove_briefly(position, here, _BRIEF)
                return answer if answer != UNKNOWN else self._first_answer({*running, begun(here)})
            finally:
                # Whatever happens here, leaving the pool waits for its threads.
                self._stop()

    def _prove(self, position: Position, space: Ints) -> int:
        """Search with one space; the first thread with an answer stops the others."""
        answer = int(prove(*position, space, self._table, self._common))
        if answer != UNKNOWN:
            self._stop()
        return answer

    def _prove_briefly(self, position: Position, space: Ints, most: int) -> int:
        """Search so many positions at most, in the calling thread: it hears Ctrl-C afterwards."""
        limit = int(space[LIMIT])
        space[LIMIT] = min(limit, most)
        answer = self._prove(position, space)
        space[LIMIT] = limit
        # The marks of what was being searched must not put it off when the search goes on.
        self._common[:MARKS] = 0
        return answer

    def _stop(self) -> None:
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
        return self._deadline is not None and self.clock() >= self._deadline


def position_of(state: State, wanted: int) -> Position:
    """Return a position down to the margin wanted by the player to move."""
    own = mask_of_state(state, state.stones(state.to_move))
    other = mask_of_state(state, state.stones(opponent(state.to_move)))
    return own, other, ko_point(state), state.pass_ends, _moves_in(state) - state.n_move, wanted


def _wanted(state: State, margin: int) -> int:
    """Return what the player to move must reach so that Black reaches a margin, or White prevents it."""
    return margin if state.to_move == BLACK else 1 - margin


def _moves_in(state: State) -> int:
    """Return in how many moves the game ends."""
    limit = state.rules.max_move(state.grid.size)
    assert limit is not None
    return limit
