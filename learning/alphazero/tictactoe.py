"""Tic-tac-toe: actions are the nine squares, row by row. With perfect play a draw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from learning.alphazero.errors import IllegalActionError
from learning.alphazero.masks import bits, check_range, drawing, planes
from learning.alphazero.symmetries import Symmetry, board_symmetries

_FULL = 0b111_111_111
_LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


class Squares(NamedTuple):
    """A state: the squares of +1 and of -1, as masks."""

    first: int
    second: int


class TicTacToe:
    """The game, for `learning.alphazero.games`."""

    action_size = 9
    board_shape = (3, 3)
    num_planes = 2
    max_plies = 9

    def initial_state(self) -> Squares:
        return Squares(0, 0)

    def current_player(self, state: Squares) -> int:
        return 1 if state.first.bit_count() == state.second.bit_count() else -1

    def legal_moves(self, state: Squares) -> list[int]:
        return [] if self.is_terminal(state) else bits(_FULL & ~(state.first | state.second))

    def apply_move(self, state: Squares, action: int) -> Squares:
        check_range(action, self.action_size)
        if self.is_terminal(state):
            raise IllegalActionError("the game is over: the state is terminal")
        square = 1 << action
        if (state.first | state.second) & square:
            raise IllegalActionError(f"square {action} is occupied")
        if self.current_player(state) == 1:
            return Squares(state.first | square, state.second)
        return Squares(state.first, state.second | square)

    def is_terminal(self, state: Squares) -> bool:
        return self.winner(state) is not None

    def winner(self, state: Squares) -> int | None:
        if any(state.first & line == line for line in _LINES):
            return 1
        if any(state.second & line == line for line in _LINES):
            return -1
        return 0 if state.first | state.second == _FULL else None

    def encode(self, state: Squares) -> npt.NDArray[np.float32]:
        return planes(tuple(state) if self.current_player(state) == 1 else tuple(state)[::-1], self.board_shape)

    def symmetries(self) -> list[Symmetry]:
        return board_symmetries(3)

    def __str__(self, state: Squares) -> str:  # type: ignore[override]
        return drawing(state.first, state.second, self.board_shape)
