"""Othello on boards of even size: actions are the points, row by row, then a pass, which is for those who can place nothing.

A disc must turn opposing ones: those in a straight line between it and another own disc. Neither can place: the game is over,
and who has more discs has won. On 8x8 +1 is Black, and the discs of the start are where the World Othello Federation has them.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from learning.alphazero.errors import BadGameError, IllegalActionError
from learning.alphazero.masks import bits, check_range, drawing, flags, planes
from learning.alphazero.symmetries import Symmetry, board_symmetries


class Discs(NamedTuple):
    """A state: the discs of +1 and of -1, as masks, and who is to move."""

    first: int
    second: int
    player: int


class Othello:
    """The game, for `learning.alphazero.games`; BadGameError for a size that is odd or not from 4 to 16."""

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

    def _turned(self, own: int, other: int, place: int) -> int:
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
        turned = self._turned(own, other, place)
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
