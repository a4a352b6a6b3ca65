"""Connect Four: six rows, seven columns; an action is a column, a stone falls to the lowest free row. Four in a row wins.

With perfect play +1 wins by opening in the middle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from learning.alphazero.errors import IllegalActionError
from learning.alphazero.masks import check_range, drawing, planes
from learning.alphazero.symmetries import Symmetry, column_mirror, identity

ROWS, COLUMNS = 6, 7
_FULL = (1 << ROWS * COLUMNS) - 1
_LEFT = sum(1 << COLUMNS * row for row in range(ROWS))
# Four in a row goes on to the right, straight down, down to the right, or down to the left; in the last three columns (the
# first three, to the left) there is no room for one to begin.
_ROOM_RIGHT = _LEFT * 0b0001111
_ROOM_LEFT = _LEFT * 0b1111000
_DIRECTIONS = ((1, _ROOM_RIGHT), (COLUMNS, _FULL), (COLUMNS + 1, _ROOM_RIGHT), (COLUMNS - 1, _ROOM_LEFT))


class Discs(NamedTuple):
    """A state: the discs of +1 and of -1, as masks."""

    first: int
    second: int


def has_four(discs: int) -> bool:
    """Tell whether four of these discs are in a row."""
    for step, room in _DIRECTIONS:
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step & room:
            return True
    return False


class ConnectFour:
    """The game, for `learning.alphazero.games`."""

    action_size = COLUMNS
    board_shape = (ROWS, COLUMNS)
    num_planes = 2
    max_plies = ROWS * COLUMNS

    def initial_state(self) -> Discs:
        return Discs(0, 0)

    def current_player(self, state: Discs) -> int:
        return 1 if state.first.bit_count() == state.second.bit_count() else -1

    def legal_moves(self, state: Discs) -> list[int]:
        taken = state.first | state.second
        return [] if self.is_terminal(state) else [column for column in range(COLUMNS) if not taken >> column & 1]

    def apply_move(self, state: Discs, action: int) -> Discs:
        check_range(action, self.action_size)
        if self.is_terminal(state):
            raise IllegalActionError("the game is over: the state is terminal")
        taken = state.first | state.second
        free = _LEFT << action & ~taken
        if not free:
            raise IllegalActionError(f"column {action} is full: every row is occupied")
        disc = 1 << free.bit_length() - 1
        if self.current_player(state) == 1:
            return Discs(state.first | disc, state.second)
        return Discs(state.first, state.second | disc)

    def is_terminal(self, state: Discs) -> bool:
        return self.winner(state) is not None

    def winner(self, state: Discs) -> int | None:
        if has_four(state.first):
            return 1
        if has_four(state.second):
            return -1
        return 0 if state.first | state.second == _FULL else None

    def encode(self, state: Discs) -> npt.NDArray[np.float32]:
        return planes(tuple(state) if self.current_player(state) == 1 else tuple(state)[::-1], self.board_shape)

    def symmetries(self) -> list[Symmetry]:
        return [identity(ROWS * COLUMNS, COLUMNS), column_mirror(ROWS, COLUMNS)]

    def __str__(self, state: Discs) -> str:  # type: ignore[override]
        return drawing(state.first, state.second, self.board_shape)
