"""Counting a board: stones, or area."""

from __future__ import annotations

from goban.grids import Grid
from goban.rulesets import Scoring


def owned(grid: Grid, black: int, white: int) -> tuple[int, int]:
    """Return the masks of Black's and White's area: stones, and the empty points from which only that colour can be reached.

    Source: Tromp-Taylor rules 9 and 10, https://tromp.github.io/go.html.
    """
    empty = grid.full & ~(black | white)
    near_black = grid.group(grid.adjacent(black) & empty, empty)
    near_white = grid.group(grid.adjacent(white) & empty, empty)
    return black | near_black & ~near_white, white | near_white & ~near_black


def area(grid: Grid, black: int, white: int) -> tuple[int, int]:
    """Return how many points Black and White own; see `owned`."""
    blacks, whites = owned(grid, black, white)
    return blacks.bit_count(), whites.bit_count()


def points_on_board(scoring: Scoring, grid: Grid, black: int, white: int) -> tuple[int, int]:
    """Return (Black's, White's) points on the board, komi not included."""
    if scoring is Scoring.AREA:
        return area(grid, black, white)
    return black.bit_count(), white.bit_count()
