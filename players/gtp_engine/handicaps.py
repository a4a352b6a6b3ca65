"""Where handicap stones stand.

Source: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html, section 4.1.1.
"""

from __future__ import annotations

from goban.grids import grid_of
from goban.points import Point


def fixed_points(size: int) -> tuple[Point, ...]:
    """Return the points of the most handicap stones that have fixed places on a board: 9, 4 or none.

    Lines count from the edge: the fourth on boards from 13x13 on, else the third.
    """
    if size < 7:
        return ()
    low = 3 if size >= 13 else 2
    high, middle = size - 1 - low, size // 2
    corners = ((high, low), (low, high), (low, low), (high, high))
    if size % 2 == 0 or size == 7:
        return corners
    return (*corners, (middle, low), (middle, high), (high, middle), (low, middle), (middle, middle))


def fixed_handicap(size: int, stones: int) -> tuple[Point, ...]:
    """Return the places of so many stones, () if they have none: D4 Q16 D16 Q4 ... on 19x19, of odd numbers the centre last."""
    places = fixed_points(size)
    if not 2 <= stones <= len(places):
        return ()
    return (*places[: stones - 1], places[-1]) if stones in (5, 7) else places[:stones]


def free_handicap(size: int, stones: int) -> tuple[Point, ...]:
    """Return places for any number of stones below that of the board's points: the fixed ones, then those around the middle."""
    fixed = fixed_handicap(size, stones) or fixed_points(size)
    centre = size - 1
    others = sorted(grid_of(size).points, key=lambda point: (abs(2 * point[0] - centre) + abs(2 * point[1] - centre), point))
    return tuple(dict.fromkeys((*fixed, *others)))[:stones]
