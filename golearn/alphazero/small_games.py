"""Small games besides Go: tic-tac-toe, Connect Four, Othello on boards of even size. A state is two masks of stones.

    game            actions                                                 who wins
    TicTacToe       the nine squares, row by row                            three in a row; with perfect play a draw
    ConnectFour     the seven columns, a stone falls to the lowest free     four in a row; +1 wins by opening in the middle
    Othello         the points, row by row, then a pass for those who can   more discs, once neither can place
                    place nothing

In Othello a disc must turn opposing ones: those in a straight line between it and another own disc. On 8x8 +1 is Black, and the
discs of the start are where the World Othello Federation has them. A mask has one bit for each point, row by row from the top
left.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from golearn.alphazero.games import Symmetry, board_symmetries, check_range, column_mirror, identity
from golearn.errors import BadGameError, IllegalActionError


def flags(mask: int, points: int) -> npt.NDArray[np.bool_]:
    """Return a mask as so many truth values, the lowest bit first."""
    octets = np.frombuffer(mask.to_bytes(-(-points // 8), "little"), dtype=np.uint8)
    return np.unpackbits(octets, bitorder="little", count=points).view(np.bool_)


def planes(masks: tuple[int, ...], shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Return masks as planes of ones and zeros: float32, shape (masks, height, width)."""
    height, width = shape
    return np.array([flags(mask, height * width) for mask in masks], dtype=np.float32).reshape(-1, height, width)


def bits(mask: int) -> list[int]:
    """Return the numbers of the set bits, lowest first."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def drawing(first: int, second: int, shape: tuple[int, int]) -> str:
    """Return a board as lines of `X`, `O` and dots: `first` are the stones of +1."""
    height, width = shape
    signs = ["X" if first >> k & 1 else "O" if second >> k & 1 else "." for k in range(height * width)]
    return "\n".join(" ".join(signs[row * width : (row + 1) * width]) for row in range(height))


_ALL_SQUARES = 0b111_111_111
_LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


class Squares(NamedTuple):
    """A state: the squares of +1 and of -1, as masks."""

    first: int
    second: int


class TicTacToe:
    """The game, for `golearn.alphazero.games`."""

    action_size = 9
    board_shape = (3, 3)
    num_planes = 2
    max_plies = 9

    def initial_state(self) -> Squares:
        return Squares(0, 0)

    def current_player(self, state: Squares) -> int:
        return 1 if state.first.bit_count() == state.second.bit_count() else -1

    def legal_moves(self, state: Squares) -> list[int]:
        return [] if self.is_terminal(state) else bits(_ALL_SQUARES & ~(state.first | state.second))

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
        return 0 if state.first | state.second == _ALL_SQUARES else None

    def encode(self, state: Squares) -> npt.NDArray[np.float32]:
        return planes(tuple(state) if self.current_player(state) == 1 else tuple(state)[::-1], self.board_shape)

    def symmetries(self) -> list[Symmetry]:
        return board_symmetries(3)

    def __str__(self, state: Squares) -> str:  # type: ignore[override]
        return drawing(state.first, state.second, self.board_shape)


ROWS, COLUMNS = 6, 7
_ALL_DISCS = (1 << ROWS * COLUMNS) - 1
_LEFT = sum(1 << COLUMNS * row for row in range(ROWS))
# Four in a row goes on to the right, straight down, down to the right, or down to the left; in the last three columns (the
# first three, to the left) there is no room for one to begin.
_ROOM_RIGHT = _LEFT * 0b0001111
_ROOM_LEFT = _LEFT * 0b1111000
_DIRECTIONS = ((1, _ROOM_RIGHT), (COLUMNS, _ALL_DISCS), (COLUMNS + 1, _ROOM_RIGHT), (COLUMNS - 1, _ROOM_LEFT))


class FourDiscs(NamedTuple):
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
    """The game, for `golearn.alphazero.games`."""

    action_size = COLUMNS
    board_shape = (ROWS, COLUMNS)
    num_planes = 2
    max_plies = ROWS * COLUMNS

    def initial_state(self) -> FourDiscs:
        return FourDiscs(0, 0)

    def current_player(self, state: FourDiscs) -> int:
        return 1 if state.first.bit_count() == state.second.bit_count() else -1

    def legal_moves(self, state: FourDiscs) -> list[int]:
        taken = state.first | state.second
        return [] if self.is_terminal(state) else [column for column in range(COLUMNS) if not taken >> column & 1]

    def apply_move(self, state: FourDiscs, action: int) -> FourDiscs:
        check_range(action, self.action_size)
        if self.is_terminal(state):
            raise IllegalActionError("the game is over: the state is terminal")
        taken = state.first | state.second
        free = _LEFT << action & ~taken
        if not free:
            raise IllegalActionError(f"column {action} is full: every row is occupied")
        disc = 1 << free.bit_length() - 1
        if self.current_player(state) == 1:
            return FourDiscs(state.first | disc, state.second)
        return FourDiscs(state.first, state.second | disc)

    def is_terminal(self, state: FourDiscs) -> bool:
        return self.winner(state) is not None

    def winner(self, state: FourDiscs) -> int | None:
        if has_four(state.first):
            return 1
        if has_four(state.second):
            return -1
        return 0 if state.first | state.second == _ALL_DISCS else None

    def encode(self, state: FourDiscs) -> npt.NDArray[np.float32]:
        return planes(tuple(state) if self.current_player(state) == 1 else tuple(state)[::-1], self.board_shape)

    def symmetries(self) -> list[Symmetry]:
        return [identity(ROWS * COLUMNS, COLUMNS), column_mirror(ROWS, COLUMNS)]

    def __str__(self, state: FourDiscs) -> str:  # type: ignore[override]
        return drawing(state.first, state.second, self.board_shape)


class Discs(NamedTuple):
    """A state: the discs of +1 and of -1, as masks, and who is to move."""

    first: int
    second: int
    player: int


class Othello:
    """The game, for `golearn.alphazero.games`; BadGameError for a size that is odd or not from 4 to 16."""

    num_planes = 2

    def __init__(self, size: int = 8) -> None:
        if size not in range(4, 17, 2):
            raise BadGameError(f"expected an even size from 4 to 16 for othello, got {size}")
        self.size = size
        self.board_shape = (size, size)
        self.action_size = size * size + 1
        # No two passes follow each other, and the last move is no pass.
        self.max_plies = 2 * (size * size - 4)
        self._full = (1 << size * size) - 1
        self._steps = self._directions()

    def _directions(self) -> tuple[tuple[int, int], ...]:
        """Return (shift of the bits, the points where such a step can arrive) for the eight directions."""
        size = self.size
        left = sum(1 << size * row for row in range(size))
        rows = {-1: self._full & ~left, 0: self._full, 1: self._full & ~(left << size - 1)}
        steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        # A step to the right never arrives in the first column, one to the left never in the last.
        return tuple((size * i + j, rows[-j]) for i, j in steps)

    @cached_property
    def _start(self) -> Discs:
        middle = self.size // 2
        places = [self.size * i + j for i, j in ((middle - 1, middle), (middle, middle - 1))]
        others = [self.size * i + j for i, j in ((middle - 1, middle - 1), (middle, middle))]
        return Discs(sum(1 << k for k in places), sum(1 << k for k in others), 1)

    def initial_state(self) -> Discs:
        return self._start

    def current_player(self, state: Discs) -> int:
        return state.player

    def _step(self, mask: int, shift: int, arrive: int) -> int:
        return (mask << shift if shift > 0 else mask >> -shift) & arrive

    def _placements(self, own: int, other: int) -> int:
        """Return the mask of the points where a disc turns others."""
        empty = self._full & ~(own | other)
        found = 0
        for shift, arrive in self._steps:
            line = self._step(own, shift, arrive) & other
            while line:
                line = self._step(line, shift, arrive)
                found |= line & empty
                line &= other
        return found

    def _find_turned(self, own: int, other: int, place: int) -> int:
        """Return the mask of the opposing discs that a disc on `place` turns."""
        turned = 0
        for shift, arrive in self._steps:
            line, here = 0, self._step(place, shift, arrive)
            while here & other:
                line |= here
                here = self._step(here, shift, arrive)
            if here & own:
                turned |= line
        return turned

    def _sides(self, state: Discs) -> tuple[int, int]:
        return (state.first, state.second) if state.player == 1 else (state.second, state.first)

    def legal_moves(self, state: Discs) -> list[int]:
        own, other = self._sides(state)
        placements = self._placements(own, other)
        if placements:
            return bits(placements)
        return [self.size * self.size] if self._placements(other, own) else []

    def apply_move(self, state: Discs, action: int) -> Discs:
        check_range(action, self.action_size)
        own, other = self._sides(state)
        if action == self.size * self.size:
            if self.legal_moves(state) != [action]:
                raise IllegalActionError("passing is for those who can place nothing, before the end")
            return Discs(state.first, state.second, -state.player)
        place = 1 << action
        if (own | other) & place:
            raise IllegalActionError(f"point {action} is occupied")
        turned = self._find_turned(own, other, place)
        if not turned:
            raise IllegalActionError(f"a disc on point {action} would turn no other")
        own, other = own | place | turned, other & ~turned
        return Discs(own, other, -1) if state.player == 1 else Discs(other, own, 1)

    def is_terminal(self, state: Discs) -> bool:
        return not (self._placements(state.first, state.second) or self._placements(state.second, state.first))

    def winner(self, state: Discs) -> int | None:
        if not self.is_terminal(state):
            return None
        margin = self.margin(state)
        return (margin > 0) - (margin < 0)

    def margin(self, state: Discs) -> int:
        return state.first.bit_count() - state.second.bit_count()

    def ownership(self, state: Discs) -> npt.NDArray[np.int8]:
        first, second = (flags(mask, self.size * self.size).astype(np.int8) for mask in (state.first, state.second))
        return (first - second).reshape(self.board_shape)

    def encode(self, state: Discs) -> npt.NDArray[np.float32]:
        return planes(self._sides(state), self.board_shape)

    def symmetries(self) -> list[Symmetry]:
        """Return the four that leave the discs of the start where they are; the other four exchange the colours."""
        start = self.encode(self._start).reshape(2, -1)
        return [turn for turn in board_symmetries(self.size, others=1) if (start[:, turn.points] == start).all()]

    def __str__(self, state: Discs) -> str:  # type: ignore[override]
        return drawing(state.first, state.second, self.board_shape)
