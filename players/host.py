"""What a player may lean on: the object it is given, and the answers it may give."""

from __future__ import annotations

from typing import Protocol

from goban.points import Point
from goban.states import State

Answer = Point | str
"""A point (row, column), or "PASS"."""


class Host(Protocol):
    """The part of `go.GO` the players of this package use."""

    def position(self, piece_type: int) -> State:
        """Return the position with `piece_type` to move."""
