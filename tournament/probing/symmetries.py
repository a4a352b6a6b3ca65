"""The eight symmetries of a square board, numbered from 0, which leaves it as it is."""

from __future__ import annotations

from collections.abc import Sequence

from goban.moves import Move
from goban.rulesets import RuleSet
from goban.states import State, new_game

IMAGES = range(8)


def image(move: Move, number: int, size: int) -> Move:
    """Return where a symmetry takes a move: 1 to 3 turn it by so many quarters, 4 to 7 reflect it first."""
    if not isinstance(move, tuple):
        return move
    row, column = move
    if number >= len(IMAGES) // 2:
        column = size - 1 - column
    for _ in range(number % (len(IMAGES) // 2)):
        row, column = column, size - 1 - row
    return row, column


def played(moves: Sequence[Move], rules: RuleSet, size: int, number: int = 0) -> State:
    """Return the position after these moves, each taken through a symmetry.

    Raises IllegalMoveError or BadPointError for a move that may not be played.
    """
    state = new_game(rules, size)
    for move in moves:
        state = state.play(image(move, number, size))
    return state


def boards(state: State) -> frozenset[tuple[tuple[int, ...], ...]]:
    """Return all images of a board: two boards that differ by a symmetry have the same."""
    rows = state.rows()
    found = []
    for _ in range(len(IMAGES) // 2):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        found += [rows, [row[::-1] for row in rows]]
    return frozenset(tuple(map(tuple, each)) for each in found)
