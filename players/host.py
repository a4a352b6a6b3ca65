"""What a player may rely on: the object it is given, and the answers it may give."""

from __future__ import annotations

from typing import Protocol

from goban.grids import Rows
from goban.points import Point
from goban.rulesets import opponent
from goban.states import State

Answer = Point | str
"""A point (row, column), or "PASS"."""


class Host(Protocol):
    """The part of `go.GO` the players of this package use."""

    @property
    def previous_board(self) -> Rows:
        """The stones before the last move, as lists of 0, 1, 2."""

    def position(self, piece_type: int) -> State:
        """Return the position with `piece_type` to move."""


def position_with_last_move(go: Host, piece_type: int) -> State:
    """Return the position of a host together with the move before it, which its boards show and its state leaves out."""
    state = go.position(piece_type)
    grid, other = state.grid, opponent(piece_type)
    previous = grid.masks(go.previous_board)[1:]
    new = state.stones(other) & ~previous[other - 1]
    if (state.passed and state.rules.passing) or new.bit_count() != 1:
        return state
    return State(
        state.rules, grid, state.black, state.white, state.empty, piece_type, state.n_move, previous, state.captured,
        grid.point[new], history=state.history,
    )  # fmt: skip
