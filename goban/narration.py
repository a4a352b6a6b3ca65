"""A game told in words and drawings, move by move, for those who watch it in a terminal."""

from __future__ import annotations

from goban.diagrams import diagram
from goban.game import GameRecord
from goban.grids import BLACK, WHITE
from goban.moves import Move, Resign, move_name
from goban.rulesets import opponent
from goban.states import State

LETTERS = {BLACK: "X", WHITE: "O"}


def move_in_words(state: State, move: Move, colours: bool = False) -> str:
    """Return who has just played what, and the board after it: `state` is the one after the move, or that of who resigned.

    colours: draw it for a terminal that has them.
    """
    if isinstance(move, Resign):
        return f"\nMove {state.n_move + 1}: {LETTERS[state.to_move]} resigns"
    mover = LETTERS[opponent(state.to_move)]
    drawn = diagram(state.rows(), state.last_point, state.grid.points_of(state.captured), colours)
    return f"\nMove {state.n_move}: {mover} {move_name(move, state.grid.size)}\n{drawn}"


def result_in_words(record: GameRecord) -> str:
    """Return in one line how a game ended, and with how many points."""
    outcome = record.outcome
    points = f"X {outcome.black:g}, O {outcome.white:g} (komi included)"
    winner = f"The winner is {LETTERS[outcome.winner]}." if outcome.winner else "The game is a tie."
    return f"Game ended: {outcome.detail or outcome.ending.value}. {points}. {winner}"
