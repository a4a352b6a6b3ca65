"""Which stones would be captured if play went on, by playouts: those that the opponent owns the points of in most of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goban.grids import BLACK
from goban.kernels.patterns.pattern_games import ownership
from goban.kernels.patterns.tables import make_tables
from goban.montecarlo.pattern_sets import GNUGO_DEFAULT, table_of
from goban.states import State

_PLAYOUTS = 500


def owners_of(state: State) -> list[float]:
    """Return what the player to move owns of each point at the end of playouts, -1 to 1, row by row; always the same."""
    owners = ownership(state, make_tables(state.grid.size, table_of(GNUGO_DEFAULT).values), _PLAYOUTS, 0)
    sign = 1 if state.to_move == BLACK else -1
    return [sign * float(share) for share in owners.ravel()]


def dead_stones(positions: Sequence[State]) -> int:
    """Return a mask of stones. Strings live and die as a whole; those in a seki mostly live.

    positions: the same stones with each player to move, for whose turn it is decides nothing. The answer is always the same.
    """
    state = positions[0]
    tables, grid = make_tables(state.grid.size, table_of(GNUGO_DEFAULT).values), state.grid
    owners = np.sum([ownership(position, tables, _PLAYOUTS, seed) for seed, position in enumerate(positions)], axis=0)
    dead, left = 0, state.black | state.white
    while left:
        stones, _ = state.group_at(grid.point[left & -left])
        lead = sum(float(owners[point]) for point in grid.points_of(stones))
        if (lead < 0) if stones & state.black else (lead > 0):
            dead |= stones
        left ^= stones
    return dead
