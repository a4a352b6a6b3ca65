"""What every move of a game was worth under perfect play: `analyse(moves, rules)` gives a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from goban.moves import Move
from goban.rulesets import RuleSet
from goban.states import State, new_game
from search.mistakes import cost_stones, is_mistake, loses, turn_of
from search.solver import Solution, Solver

MEMORY_MIB = 256
QUESTIONS = 4


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

    Four questions get an equal share of the time: all winners, all margins, all best moves and, where those stay unknown, all
    winning moves. Each goes from the last position to the first: late ones take no time, and what is proven of them helps with
    the earlier ones. No single answer takes more than half of what is left of its share. progress: called after each of the
    QUESTIONS for every position.
    """
    end = None if seconds is None else solver.clock() + seconds
    found = [Solution()] * len(states)
    for asked, ask in enumerate((solver.winner, solver.margin, solver.best_moves, solver.winning_moves)):
        until = None if end is None else solver.clock() + (end - solver.clock()) / (QUESTIONS - asked)
        for k in reversed(range(len(states))):
            if not found[k].best_moves:
                answer = ask(states[k], seconds=None if until is None else max(0.0, until - solver.clock()) / 2)
                found[k] = _with(found[k], answer)
            if progress is not None:
                progress()
    return found


def _with(known: Solution, more: Solution) -> Solution:
    """Return what is known and what has been found out since."""
    return replace(known, **{name: value for name, value in vars(more).items() if value not in (None, ())})


def analyse(
    moves: Sequence[Move],
    rules: RuleSet,
    size: int = 5,
    *,
    start: State | None = None,
    solver: Solver | None = None,
    seconds: float | None = None,
    progress: Callable[[], object] | None = None,
) -> list[Row]:
    """Return a row for each move of a game, from the empty board or from `start` (then `rules` and `size` are its own).

    seconds: how long to think about the game, as long as it takes if None: on 5x5 that is many minutes for the margins of
    the first moves. progress: see `values_of`; there are `len(moves) + 1` positions. Raises IllegalMoveError or
    BadPointError for a move that may not be played, UnsupportedGameError or BadPositionError for what `search.solver`
    does not know.
    """
    state = new_game(rules, size) if start is None else start
    states = [state]
    for move in moves:
        state = state.play(move)
        states.append(state)
    solver = solver or Solver(MEMORY_MIB)
    # Compiling must not use up the time there is.
    solver.winner(states[0], nodes=1)
    values = values_of(states, solver, seconds, progress)
    return [_row(states[k], move, values[k], values[k + 1]) for k, move in enumerate(moves)]


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
