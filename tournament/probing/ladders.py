"""Ladders: a group with two liberties that is put into atari again and again, until it cannot run any further.

What is read is the ladder alone. A runner who can take a stone of the ladder counts as safe; the exact solver has the last
word on every position that is drawn by this.
"""

from __future__ import annotations

from goban.points import Point
from goban.states import State


def ladder_ataris(state: State, point: Point) -> int:
    """Return in how many ataris the player to move catches the opposing group on `point`, 0 if it is not caught so.

    The group must have two liberties. Of two ladders the first that works counts.
    """
    return next((found for move in ladder_starts(state, point) if (found := ataris_after(state, move, point))), 0)


def ladder_starts(state: State, point: Point) -> list[Point]:
    """Return the legal moves that put the opposing group on `point` into atari; [] unless it has two liberties."""
    _, liberties = state.group_at(point)
    if liberties.bit_count() != 2:
        return []
    return [move for move in state.grid.points_of(liberties) if state.allows(move)]


def ataris_after(state: State, move: Point, point: Point) -> int:
    """Return in how many ataris, this one counted, the group on `point` is caught if `move` puts it into atari; 0 if not."""
    after = state.after(move)
    stones, liberties = after.group_at(point)
    if after.is_over or liberties.bit_count() != 1 or _can_take(after, stones):
        return 0
    flight = after.grid.point[liberties]
    if not after.allows(flight):
        return 1
    fled = after.after(flight)
    left = fled.group_at(point)[1].bit_count()
    if fled.is_over or left > 2:
        return 0
    if left < 2:
        return 1
    rest = ladder_ataris(fled, point)
    return rest + 1 if rest else 0


def _can_take(state: State, stones: int) -> bool:
    """Tell whether the player to move, whose `stones` are in atari, can take a group that touches them."""
    grid, other = state.grid, state.colours()[1]
    touching = grid.adjacent(stones) & other
    groups = grid.by_liberties(grid.group(touching, other) if touching else 0, state.empty)
    return any(free.bit_count() == 1 and state.allows(grid.point[free]) for free in groups)
