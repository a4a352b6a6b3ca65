"""Exact values of positions under `course`, `littlego` and `area` rules, on boards of 2 x 2 to 5 x 5, and perfect play by them.

    solver = Solver(memory_mib=1024)
    solver.winner(state)          Solution(winner=1, ...)       one question
    solver.margin(state)          ... margin=5                  a few
    solver.best_moves(state)      ... best_moves=((2, 2),)      one or two for every legal move
    solver.line(state)            ... line=((2, 2), (1, 2), ...)
    perfect_moves(state, solver)  [(2, 2), ...]                 the moves to choose from

`area` rules are those with area scoring where two passes end the game; there, points take the place of stones.
`goban.solver.area.engine` defines a value under them. A margin is Black's stones less White's at the end of the game, without
komi, when both play for as many stones as they can. (A player who maximises the margin also wins if that is possible: the
margin lies on the winner's side of komi.)
A solver keeps what it has proven, so it is cheap to ask about the positions of one game one after the other. It remembers
one rule set and one board size; a state of another game makes it forget the rest.

With limits in nodes or seconds, what could not be found is None, never a guess; `bounds` give proven limits of the margin.
Under `area` rules some values depend on the rule about repetition: those stay None whatever the limits.

Perfect play is a winning move whenever there is one, otherwise a move that gives no stone away and is hard to beat. Of the
moves that keep the margin of a lost position, the hardest leaves the fewest winning replies. To know both, the position after
each move and each reply must be solved. In the first moves of a game that would take minutes; there it is the move after
which the player's stones look best, see `looks_after`. The result depends on the position alone, except which of several
winning moves is found first.

The margin comes before the replies: a player who gives up five stones to leave only one winning reply has lost once that
reply is found. A player who stays behind by half a point to the end wins after any mistake (docs/laboratory.md, Perfect play).

Under `area` rules the openings of 5x5 are out of reach: if a search of half a second does not find who wins, or which moves
keep the margin of a lost position, the move that looks best takes the place of perfect play.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from goban.common.arguments import check_fields, check_functions, check_kind
from goban.common.turns import Turns, in_turn
from goban.errors import BadArgumentError
from goban.grids import BLACK, WHITE
from goban.moves import PASS, Move
from goban.solver.alphabeta import boards
from goban.solver.alphabeta.boards import groups_of, mask_of_state
from goban.solver.alphabeta.moves import ATARI, GROUP, LIBERTY, STONE_IN_ATARI, STONE_THREATENED, THREAT
from goban.solver.alphabeta.stack import new_space
from goban.solver.area.engine import AreaEngine, check_area_state
from goban.solver.book import BookOf, shipped_book
from goban.solver.engine import Engine, OutOfBudgetError
from goban.solver.errors import BadBudgetError, UnsupportedGameError
from goban.solver.positions import counts_area, plays
from goban.states import State

# From this many moves on, margins and replies are looked at.
COUNTED_FROM = 10
_LAST_NODES = 1_000_000
"""Positions that the solver may search for one move: a quarter of a second."""
_LAST_MEMORY_MIB = 16
_AREA_NODES = 200_000
"""Positions looked at for each question of perfect play under `area` rules: about half a second."""
_MOST_BOUNDS = 10_000
"""Number of positions whose bounds are kept."""


@dataclass(frozen=True)
class Solution:
    """What is known about a position; None or () for what was not asked for or not found.

    winner: 1, 2, or 0 for a tie. margin: Black's stones less White's at the end. winning_moves: the moves after which the
    player to move still wins, in the order of `State.legal_moves`. best_moves: those that keep the margin. line: best
    moves to the end of the game, each time the first of the best ones. nodes: positions searched. bounds: the lowest and the
    highest possible margin, as far as is known.
    """

    winner: int | None = None
    margin: int | None = None
    winning_moves: tuple[Move, ...] = ()
    best_moves: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()
    nodes: int = 0
    bounds: tuple[int, int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_fields(self, BadArgumentError)


class Solver:
    """Answers questions about positions, backed by one table of proven bounds. Threads that share it wait for each other.

    memory_mib: size of the table, 16 or more, rounded down to a power of two. threads: how many search at the same time;
    they affect only `nodes`, not the answers. With two, each visits 0.5 (empty board) to 0.75 times
    (after six moves) as many positions as one alone. book: the source of the entries with which a search on 5x5 starts; a table
    with room for fewer than four times as many starts without them. The default, the book that comes with the project, is
    consulted whatever else the table holds.

    `engine` holds the table and searches; each question here takes a few calls of its `reaches`. Under `area` rules another
    engine does this, with the same amount of memory again and one thread.
    """

    def __init__(
        self,
        memory_mib: int = 256,
        threads: int = 1,
        clock: Callable[[], float] = time.monotonic,
        book: BookOf = shipped_book,
    ) -> None:
        check_functions(BadArgumentError, clock=clock, book=book)
        self.engine = Engine(memory_mib, threads, clock, book)
        self._area_engine = AreaEngine(memory_mib, clock)
        self._bounds: dict[State, tuple[int, int]] = {}
        self.clock, self._turns = clock, Turns()

    @in_turn
    def forget(self) -> None:
        """Clear the tables and the histories, as if nothing had been asked yet."""
        self.engine.forget()
        self._area_engine.forget()
        self._bounds.clear()

    @in_turn
    def prepare(self, state: State) -> None:
        """Compile or load what questions about this state's game need; does nothing for games that cannot be solved."""
        with suppress(UnsupportedGameError):
            self._start(state, 0, None)

    # Questions

    @in_turn
    def winner(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return who wins."""
        self._start(state, nodes, seconds)
        return self._collect(Solution(), state, self._add_winner)

    @in_turn
    def margin(
        self,
        state: State,
        nodes: int | None = None,
        seconds: float | None = None,
        near: int | None = None,
        before: int | None = None,
    ) -> Solution:
        """Return who wins and by how many stones.

        near: a guess, such as the margin one move later; the closer it is, the sooner the margin is found.
        before: the margin of the position one move earlier, which the player to move here can only keep or improve.
        """
        self._start(state, nodes, seconds)
        return self._collect(Solution(), state, partial(self._add_margin, near=near, before=before))

    @in_turn
    def winning_moves(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return who wins and, if that is the player to move, all winning moves."""
        self._start(state, nodes, seconds)
        return self._collect(Solution(), state, self._add_winner, self._add_winning_moves)

    @in_turn
    def winning_move(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return who wins and, if that is the player to move, the winning move on which the proof rests."""
        self._start(state, nodes, seconds)
        return self._collect(Solution(), state, self._add_winner, self._add_winning_move)

    @in_turn
    def best_moves(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return the winner, the margin, the winning moves and the moves that keep the margin."""
        self._start(state, nodes, seconds)
        steps = self._add_margin, self._add_best_moves, self._add_winning_moves
        return self._collect(Solution(), state, *steps)

    @in_turn
    def line(self, state: State, nodes: int | None = None, seconds: float | None = None) -> Solution:
        """Return the winner, the margin, and one line of best play to the end of the game."""
        self._start(state, nodes, seconds)
        return self._collect(Solution(), state, self._add_margin, self._add_line)

    # Engines

    def _engine_for(self, state: State) -> Engine | AreaEngine:
        return self._area_engine if counts_area(state.rules) else self.engine

    def _start(self, state: State, nodes: int | None, seconds: float | None) -> None:
        check_state(state)
        self._engine_for(state).start(state, nodes, seconds)

    def _reaches(self, state: State, margin: int) -> bool:
        reached = self._engine_for(state).reaches(state, margin)
        low, high = self._bounds_of(state)
        self._keep_bounds(state, max(low, margin) if reached else low, high if reached else min(high, margin - 1))
        return reached

    def _bounds_of(self, state: State) -> tuple[int, int]:
        points = state.grid.size**2
        return self._bounds.get(state, (-points, points))

    def _keep_bounds(self, state: State, low: int, high: int) -> None:
        if len(self._bounds) >= _MOST_BOUNDS:
            self._bounds.clear()
        self._bounds[state] = low, high

    # Steps, each of which adds to what is known

    def _collect(self, known: Solution, state: State, *steps: Callable[[State, Solution], Solution]) -> Solution:
        try:
            for step in steps:
                known = step(state, known)
        except OutOfBudgetError:
            pass
        low, high = self._bounds_of(state)
        if known.winner is None:
            known = replace(known, winner=_winner_between(state, low, high))
        if known.margin is None and low == high:
            known = replace(known, margin=low)
        return replace(known, nodes=self._engine_for(state).nodes, bounds=(low, high))

    def _add_winner(self, state: State, known: Solution) -> Solution:
        least = _least_win(state)
        if self._reaches(state, least):
            return replace(known, winner=BLACK)
        tie = _can_tie(state) and self._reaches(state, least - 1)
        return replace(known, winner=0 if tie else WHITE)

    def _add_margin(self, state: State, known: Solution, near: int | None = None, before: int | None = None) -> Solution:
        if counts_area(state.rules):
            return self._narrow(state, known, before)
        known = self._add_winner(state, known)
        low, high = self._between(state, before)
        if near is None:
            near = low if known.winner == BLACK else high
        # One stone at a time from where it may be: neighbouring questions share most of their proofs.
        near = min(max(near, low), high)
        if self._reaches(state, near):
            low = near
            while low < high and self._reaches(state, low + 1):
                low += 1
        else:
            high = near - 1
            while high > low and not self._reaches(state, high):
                high -= 1
            low = high
        return replace(known, margin=low)

    def _narrow(self, state: State, known: Solution, before: int | None) -> Solution:
        for low, high in self._area_engine.bounds(state, *self._between(state, before)):
            self._keep_bounds(state, low, high)
        low, high = self._bounds_of(state)
        if low < high:
            raise OutOfBudgetError
        return replace(known, winner=_winner_between(state, low, high), margin=low)

    def _between(self, state: State, before: int | None) -> tuple[int, int]:
        low, high = self._bounds_of(state)
        if before is None:
            return low, high
        return (max(low, before), high) if state.to_move == BLACK else (low, min(high, before))

    def _add_winning_move(self, state: State, known: Solution) -> Solution:
        if known.winner != state.to_move or state.is_over:
            return known
        wanted = self._find_wanted_margin(state)
        proving = self._engine_for(state).proving_move(state, wanted)
        if proving is not None:
            return replace(known, winning_moves=(proving,))
        # Where a pass would end the game, and win it, that was the proof.
        moves = sorted(plays(state), key=lambda move: not state.after(move).is_over)
        move = next(move for move in moves if self._keeps(state, move, wanted))
        return replace(known, winning_moves=(move,))

    def _add_winning_moves(self, state: State, known: Solution) -> Solution:
        if known.winner != state.to_move:
            return known
        return replace(known, winning_moves=self._keeping(state, self._find_wanted_margin(state)))

    def _add_best_moves(self, state: State, known: Solution) -> Solution:
        assert known.margin is not None
        return replace(known, best_moves=self._keeping(state, known.margin + (state.to_move == WHITE)))

    def _add_line(self, state: State, known: Solution) -> Solution:
        assert known.margin is not None
        line: list[Move] = []
        # Under `area` rules moves that keep the margin can go on for ever.
        while not state.is_over and len(line) < 2 * state.grid.size**2:
            wanted = known.margin + (state.to_move == WHITE)
            move = next(move for move in _in_line(state, known.margin) if self._keeps(state, move, wanted))
            line.append(move)
            state = state.after(move)
        return replace(known, line=tuple(line))

    @staticmethod
    def _find_wanted_margin(state: State) -> int:
        """Return the margin that Black must reach if Black moves, or must not reach if White moves, for the mover to win."""
        return _least_win(state) - (state.to_move == WHITE and _can_tie(state))

    def _keeping(self, state: State, wanted: int) -> tuple[Move, ...]:
        """Return the moves after which Black reaches `wanted` if Black moves, or does not reach it if White moves."""
        return tuple(move for move in plays(state) if self._keeps(state, move, wanted))

    def _keeps(self, state: State, move: Move, wanted: int) -> bool:
        return self._reaches(state.after(move), wanted) == (state.to_move == BLACK)


def check_state(state: State) -> None:
    """Raise UnsupportedGameError or BadPositionError unless a solver can search this state."""
    check_kind(state, State, "a position (goban.State)", BadArgumentError)
    if counts_area(state.rules):
        check_area_state(state)
    else:
        boards.check_state(state)


def _least_win(state: State) -> int:
    """Return the least margin by which Black wins."""
    return math.floor(state.rules.komi(state.grid.size)) + 1


def _can_tie(state: State) -> bool:
    """Tell whether a margin of one less is a tie."""
    return state.rules.komi(state.grid.size).is_integer() and not state.rules.tie_winner


def _winner_between(state: State, low: int, high: int) -> int | None:
    """Return who wins if the margin lies between two bounds; None if that decides nothing."""
    least = _least_win(state)
    if low >= least:
        return BLACK
    if high < least - _can_tie(state):
        return WHITE
    return 0 if _can_tie(state) and low == high == least - 1 else None


def _in_line(state: State, margin: int) -> list[Move]:
    """Return the moves in the order in which a line of best play takes them."""
    moves = plays(state)
    black, white = state.points()
    # Under `area` rules the game is as good as over once the points on the board are those of best play.
    return sorted(moves, key=lambda move: move is not PASS) if counts_area(state.rules) and black - white == margin else moves


# Perfect play


def perfect_moves(state: State, solver: Solver) -> list[Move]:
    """Return the moves to choose from in a position that is not over: one that wins, or all that are equally good."""
    if counts_area(state.rules):
        return proven_moves(state, solver) or least(plays(state), lambda move: -looks_after(state, move))
    winning = solver.winning_move(state)
    if winning.winning_moves:
        return list(winning.winning_moves)
    if winning.winner == 0:
        return list(solver.best_moves(state).best_moves)
    return hardest_moves(state, solver)


def proven_moves(state: State, solver: Solver) -> list[Move]:
    """Return moves under `area` rules that are as good as any: one that wins, or all that keep a margin; [] if unknown."""
    winning = solver.winning_move(state, nodes=_AREA_NODES)
    if winning.winning_moves or winning.winner is None:
        return list(winning.winning_moves)
    return list(solver.best_moves(state, nodes=_AREA_NODES).best_moves)


def hardest_moves(state: State, solver: Solver) -> list[Move]:
    """Return the moves of a lost position that give nothing away, and of these the hardest for the opponent."""
    moves: Sequence[Move] = plays(state)
    if state.n_move >= COUNTED_FROM:
        moves = least(solver.best_moves(state).best_moves, lambda move: winning_replies(state.after(move), solver))
    return least(moves, lambda move: -looks_after(state, move))


def least(moves: Sequence[Move], number: Callable[[Move], int]) -> list[Move]:
    """Return the moves with the smallest number, in their order."""
    numbers = [number(move) for move in moves]
    return [move for move, each in zip(moves, numbers, strict=True) if each == min(numbers)]


def winning_replies(state: State, solver: Solver) -> int:
    """Return the number of moves that keep the win of the player to move; if the game is over, a number beyond any."""
    return state.grid.size**2 + 1 if state.is_over else len(solver.winning_moves(state).winning_moves)


def looks_after(state: State, move: Move) -> int:
    """Return how good the position after a move looks for the player who made it.

    It is good to have few groups, none of them in atari, and many liberties; for the opponent the opposite. The weights are
    those by which the search orders moves far from the end (`goban.solver.alphabeta.moves`), here at every stage of the game.
    """
    after = state.after(move)
    score = LIBERTY * (_liberties(after, state.to_move) - _liberties(after, after.to_move))
    for stones, liberties in _groups(after, state.to_move):
        score -= GROUP + (ATARI + STONE_IN_ATARI * stones.bit_count() if liberties.bit_count() == 1 else 0)
    for stones, liberties in _groups(after, after.to_move):
        score += THREAT + STONE_THREATENED * stones.bit_count() if liberties.bit_count() == 1 else 0
    return score


def _groups(state: State, player: int) -> list[tuple[int, int]]:
    """Return (stones, liberties) of each of a player's groups, as masks."""
    stones, empty, full = (mask_of_state(state, mask) for mask in (state.stones(player), state.empty, state.grid.full))
    space = new_space()
    end = groups_of(stones, empty, full, space, 0)
    return [(int(space[i]), int(space[i + 1])) for i in range(0, end, 2)]


def _liberties(state: State, player: int) -> int:
    """Return how many liberties a player's groups have together."""
    return state.grid.liberties(state.stones(player), state.empty).bit_count()


# The last moves, for other searches


class LastMoves:
    """Finds a winning move if at most `most` moves are left; 0 for never. Raises BadBudgetError."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        if most < 0:
            raise BadBudgetError(f"expected 0 or more exact moves, got {most}")
        self._most = most
        self._solver = Solver(_LAST_MEMORY_MIB, clock=clock) if most else None

    def prepare(self, state: State) -> None:
        """Compile the solver, if it will be asked about this state's game."""
        if self._solver is not None:
            self._solver.prepare(state)

    def winning_moves(self, state: State, seconds: float | None) -> tuple[Move, ...]:
        """Return one move that wins, () if there is none, none is found in time, or the solver does not know the game.

        Without a limit in seconds the answer depends on the position alone.
        """
        limit = state.rules.max_move(state.grid.size)
        # Where area counts, a limit stops games that go on for ever, and the solver leaves it aside.
        if self._solver is None or limit is None or limit - state.n_move > self._most or counts_area(state.rules):
            return ()
        self._solver.forget()
        try:
            return self._solver.winning_move(state, nodes=_LAST_NODES, seconds=seconds).winning_moves[:1]
        except UnsupportedGameError:
            return ()
