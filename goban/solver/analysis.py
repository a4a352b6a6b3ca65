"""What moves are worth under perfect play: every move of a finished game, and every legal move of a position.

    analyse(moves, rules)             a row for each move of a game
    ExactAnalyst().candidates(...)    every legal move with its exact value, for whatever the solver knows
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import NoneType

from goban.common.arguments import check_functions, check_kind
from goban.errors import BadArgumentError
from goban.grids import BLACK
from goban.moves import AnyMove, Move, Resign, move_of
from goban.points import Point
from goban.rulesets import RuleSet, opponent
from goban.solver.candidates import Candidate, Candidates, Moves, cost_stones, is_mistake, loses, turn_of
from goban.solver.errors import check_limits
from goban.solver.positions import counts_area
from goban.solver.solver import Solution, Solver, check_state
from goban.states import State, new_game

MEMORY_MIB = 256
QUESTIONS = 5

_Question = Callable[[int, float | None], Solution]
"""Asks a solver about the position with this number, within this many seconds, or without a limit."""


@dataclass(frozen=True)
class Row:
    """One move. Winners: 1, 2, or 0 for a tie; margins: Black's stones less White's at the end; None where unknown.

    ply: its number in the game, from 1. cost_stones: by how much it worsened the mover's margin, 0 or more. turns_win:
    'win to loss', 'win to tie', 'tie to loss' or ''. best_moves: those that would have cost nothing; () if unknown.
    winning_moves: those after which the mover wins; () if there are none or they are unknown.
    """

    ply: int
    colour: int
    move: Move
    winner_before: int | None
    margin_before: int | None
    winner_after: int | None
    margin_after: int | None
    cost_stones: int | None
    turns_win: str
    best_moves: tuple[Move, ...]
    winning_moves: tuple[Move, ...] = ()

    @property
    def is_mistake(self) -> bool:
        """True if the move is known to have cost something."""
        return is_mistake(self.cost_stones, self.turns_win)


def values_of(
    states: Sequence[State], solver: Solver, seconds: float | None = None, progress: Callable[[], object] | None = None
) -> list[Solution]:
    """Return what is found within `seconds` of the values of the positions of one game, in their order.

    Who wins comes first, of all positions, and may take all the time. Then the moves that would have won, where a win was let
    go, in at most a quarter of what is left; then margins, in at most three quarters; then best moves, and where those stay
    unknown, all other winning moves. They go from the last position to the first: late ones take no time, and what is
    proven of them helps with the earlier ones. An earlier margin takes several times as long as the one after it, so each
    may take all the time there is for them; no other single answer takes more than half of what is left, until all have been
    tried. What the book knows, or what has been proven, is found whatever the time. progress: called after each of the
    QUESTIONS for every position.
    """
    # Compiling, and reading the book, must not use up the time there is.
    solver.winner(states[0], nodes=0)
    values = _Values(states, solver, None if seconds is None else solver.clock() + seconds, progress)
    found = values.found
    values.ask(values.of_position(solver.winner), 1, lambda k: found[k].winner is None)
    values.ask(values.of_position(solver.winning_moves), 1 / 4, lambda k: not found[k].winning_moves and values.lets_go(k))
    # What the book tells of a position helps with the one after it.
    for k, state in enumerate(states):
        found[k] = _with(found[k], solver.margin(state, seconds=0))
    values.ask(values.margin, 3 / 4, lambda k: found[k].margin is None, parts=(1,))
    values.ask(values.of_position(solver.best_moves), 1 / 2, lambda k: found[k].margin is not None and not found[k].best_moves)
    values.ask(values.of_position(solver.winning_moves), 1, lambda k: not found[k].best_moves and not found[k].winning_moves)
    return found


class _Values:
    """The values of a game's positions, as far as they are known. end: by the solver's clock, when no time is left."""

    def __init__(
        self, states: Sequence[State], solver: Solver, end: float | None, progress: Callable[[], object] | None
    ) -> None:
        self.found = [Solution()] * len(states)
        self._states, self._solver, self._end, self._progress = states, solver, end, progress

    def ask(self, question: _Question, share: float, unknown: Callable[[int], bool], parts: Sequence[int] = (2, 1)) -> None:
        """Ask about the positions of which something is unknown, from the last to the first, in a share of the time left.

        parts: for each round, into how many parts an answer divides the time that is left then.
        """
        clock = self._solver.clock
        until = None if self._end is None else clock() + (self._end - clock()) * share
        for part in parts:
            for k in reversed(range(len(self._states))):
                if unknown(k):
                    answer = question(k, None if until is None else max(0.0, until - clock()) / part)
                    self.found[k] = _with(self.found[k], answer)
                if part == parts[0] and self._progress is not None:
                    self._progress()

    def of_position(self, ask: Callable[..., Solution]) -> _Question:
        """Return a question of the solver's as one about the position of a number."""
        return lambda k, limit: ask(self._states[k], seconds=limit)

    def margin(self, k: int, limit: float | None) -> Solution:
        """Ask for a margin, which is near those of the positions beside it."""
        before, after = (self.found[n].margin if 0 <= n < len(self.found) else None for n in (k - 1, k + 1))
        return self._solver.margin(self._states[k], seconds=limit, near=before if after is None else after, before=before)

    def lets_go(self, k: int) -> bool:
        """Tell whether the move made in a position is known to have let a win go."""
        winners = [solution.winner for solution in self.found[k : k + 2]]
        return len(winners) == 2 and winners[0] == self._states[k].to_move and winners[1] not in (winners[0], None)


def value_with_line(state: State, solver: Solver, seconds: float) -> Solution:
    """Return what is found about a position within `seconds` and, within the same time again, a line of best play."""
    value = values_of([state], solver, seconds)[0]
    return _with(value, solver.line(state, seconds=seconds))


def _with(known: Solution, more: Solution) -> Solution:
    """Return what is known and what has been found out since."""
    return replace(known, **{name: value for name, value in vars(more).items() if value not in (None, ())})


def analyse(
    moves: Iterable[AnyMove],
    rules: RuleSet | str,
    size: int = 5,
    *,
    start: State | None = None,
    solver: Solver | None = None,
    seconds: float | None = None,
    progress: Callable[[], object] | None = None,
) -> list[Row]:
    """Return a row for each move of a game, from the empty board or from `start` (whose rules and size then apply).

    seconds: thinking time for the whole game. None means as long as it takes: on 5x5, many minutes for the margins of
    the first moves. progress: see `values_of`; there are `len(moves) + 1` positions. Raises IllegalMoveError or
    BadPointError for a move that may not be played, and UnsupportedGameError or BadPositionError for games and positions that
    `goban.solver.solver` does not support.
    """
    check_kind(moves, Iterable, "the moves of a game", BadArgumentError)
    check_kind(solver, (Solver, NoneType), "a solver (goban.Solver)", BadArgumentError)
    check_kind(start, (State, NoneType), "a position (goban.State)", BadArgumentError)
    check_limits(None, seconds)
    if progress is not None:
        check_functions(BadArgumentError, progress=progress)
    state = new_game(rules, size) if start is None else start
    states, played = [state], [move_of(move, state.grid.size) for move in moves]
    for move in played:
        state = state.play(move)
        states.append(state)
    values = values_of(states, solver or Solver(MEMORY_MIB), seconds, progress)
    return [_row(states[k], move, values[k], values[k + 1]) for k, move in enumerate(played)]


def _row(state: State, move: Move, before: Solution, after: Solution) -> Row:
    cost = cost_stones(state.to_move, before.margin, after.margin)
    turn = turn_of(state.to_move, before.winner, after.winner)
    return Row(
        state.n_move + 1, state.to_move, move, before.winner, before.margin, after.winner, after.margin, cost, turn,
        before.best_moves, before.winning_moves,
    )  # fmt: skip


def first_losing_move(rows: Sequence[Row]) -> Row | None:
    """Return the first move known to have turned a win or a tie into a loss; None if there is none."""
    return next((row for row in rows if loses(row.turns_win)), None)


def mistakes_of(rows: Sequence[Row], colour: int) -> dict[str, int]:
    """Return how many moves a player made, how many of unknown cost; mistakes, stones lost by them, and wins thrown away."""
    own = [row for row in rows if row.colour == colour]
    return {
        "moves": len(own),
        "unknown": sum(row.cost_stones is None for row in own),
        "mistakes": sum(row.is_mistake for row in own),
        "stones": sum(row.cost_stones or 0 for row in own),
        "win_lost": sum(row.turns_win.startswith("win") for row in own),
    }


# Every legal move

# Nothing is sampled here. Programs that show candidates make those with many visits stand out, and hide those with few.
_VISITS_OF_BEST, _VISITS_OF_OTHERS = 1000, 100
# To the solver, an analysis is a question with a limit that it does not reach, unless its clock jumps.
_FOR_EVER = 1e9

# Under `area` rules some positions are out of reach: all moves are tried with so many positions each before one gets more.
_ROUNDS = (5_000, 50_000, 500_000)

Values = dict[Point | None, Solution]


class ExactAnalyst:
    """A `goban.solver.candidates.Analyst` with a solver of its own. Not for two threads at once."""

    def __init__(self, memory_mib: int = 64) -> None:
        self._stopped: Callable[[], bool] = lambda: False
        self._solver = Solver(memory_mib, clock=self._clock)

    def _clock(self) -> float:
        return math.inf if self._stopped() else time.monotonic()

    def candidates(self, state: State, stopped: Callable[[], bool], only: Moves | None = None) -> Iterator[Candidates]:
        """Yield the moves, of `only`, whose winner is known; raises UnsupportedGameError or BadPositionError at once.

        First who wins after each move is found out, then by how much, which takes minutes in the first moves on 5x5. Under
        `area` rules some moves may stay unknown.
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
        for nodes in _ROUNDS if counts_area(state.rules) else (None,):
            for ask in (solver.winner, solver.margin):
                for move in (move for move in moves if values[move].margin is None):
                    if ask == solver.winner and values[move].winner is not None:
                        continue
                    after = ask(state.after(move), nodes=nodes, seconds=_FOR_EVER)
                    known = {name: value for name, value in vars(after).items() if value is not None}
                    values[move] = replace(values[move], **known)
                    if stopped():
                        return
                    yield rank(state, values)


def rank(state: State, values: Values) -> Candidates:
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
