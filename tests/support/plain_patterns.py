"""A slow second opinion on Monte Carlo playouts: every weight from the bare board, move by move.

Written from the description of GNU Go 3.8's playouts, with no code of the packages under test; only the values come from a
table of theirs. Boards, points and colours are those of `tests.support.oracle`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.support.oracle import Board, Point, area, neighbours, with_value

# From the lowest bits of a code on, (rows down, columns right).
ORDER = {"S": (1, 0), "W": (0, -1), "N": (-1, 0), "E": (0, 1), "SW": (1, -1), "NW": (-1, -1), "NE": (-1, 1), "SE": (1, 1)}
MOST_MOVES = 600
PASSES = 3

Value = Callable[[int, int], int]
"""A table: the weight for the code of a neighbourhood and a combination of properties."""


def around(point: Point, size: int) -> list[Point]:
    """The up to eight points around `point` that are on the board."""
    points = [(point[0] + i, point[1] + j) for i, j in ORDER.values()]
    return [(i, j) for i, j in points if 0 <= i < size and 0 <= j < size]


def string(board: Board, start: Point) -> tuple[set[Point], set[Point]]:
    """The stones connected with the one on `start`, and their liberties."""
    colour, stones, liberties, waiting = board[start[0]][start[1]], {start}, set(), [start]
    while waiting:
        for i, j in neighbours(waiting.pop(), len(board)):
            if board[i][j] == 0:
                liberties.add((i, j))
            elif board[i][j] == colour and (i, j) not in stones:
                stones.add((i, j))
                waiting.append((i, j))
    return stones, liberties


def strings_next_to(board: Board, points: set[Point], colour: int) -> list[tuple[set[Point], set[Point]]]:
    """The strings of a colour that touch any of the points, each once, with their liberties."""
    found: dict[Point, tuple[set[Point], set[Point]]] = {}
    for point in points:
        for i, j in neighbours(point, len(board)):
            if board[i][j] == colour:
                stones, liberties = string(board, (i, j))
                found[min(stones)] = stones, liberties
    return list(found.values())


@dataclass(frozen=True)
class Placed:
    """A stone placed. with_all: the board before the captured stones come off; after: the board then."""

    with_all: Board
    captured: set[Point]
    after: Board


def place(board: Board, point: Point, colour: int) -> Placed:
    """What comes of a stone on an empty point. Suicide is not looked at."""
    with_all = with_value(board, [point], colour)
    dead = [stones for stones, liberties in strings_next_to(with_all, {point}, 3 - colour) if not liberties]
    captured = set().union(*dead)
    return Placed(with_all, captured, with_value(with_all, sorted(captured), 0))


def code(board: Board, point: Point, colour: int) -> int:
    """The neighbourhood of a point as `colour` sees it: 0 empty, 1 own, 2 the opponent's, 3 beyond the edge."""
    size, found = len(board), 0
    for place_in_code, (down, right) in enumerate(ORDER.values()):
        i, j = point[0] + down, point[1] + right
        thing = 3 if not (0 <= i < size and 0 <= j < size) else 0 if board[i][j] == 0 else 1 if board[i][j] == colour else 2
        found += thing * 4**place_in_code
    return found


def effect(board: Board, point: Point, colour: int) -> tuple[int, bool, bool]:
    """Of a stone of `colour` on an empty point: stones captured, whether it is safe, whether it is suicide."""
    placed = place(board, point, colour)
    liberties = len(string(placed.after, point)[1])
    return len(placed.captured), liberties >= 2, liberties == 0


def combination(board: Board, point: Point, colour: int, near: bool) -> int:
    """The properties of a move as the index of a table."""
    own_captures, own_safe, _ = effect(board, point, colour)
    captures, safe, suicide = effect(board, point, 3 - colour)
    return suicide * 128 + (not own_safe) * 64 + (not safe) * 32 + min(own_captures, 3) * 8 + min(captures, 3) * 2 + near


def near_after(board: Board, point: Point, colour: int) -> set[Point]:
    """What is near for the reply to a move of `colour`; `board` is the one before it."""
    placed, size = place(board, point, colour), len(board)
    near = set(around(point, size))
    for _, liberties in strings_next_to(board, {point}, colour):
        near |= liberties if len(liberties) == 2 else set()
    changed = [*strings_next_to(placed.after, {point}, 3 - colour), string(placed.after, point)]
    changed += strings_next_to(placed.with_all, placed.captured, colour)
    for _, liberties in changed:
        near |= liberties if len(liberties) <= 2 else set()
    for stone in placed.captured:
        near |= {stone, *around(stone, size)}
    return {(i, j) for i, j in near if placed.after[i][j] == 0}


def ko_after(board: Board, point: Point, colour: int) -> Point | None:
    """Where the reply to a move of `colour` may not take back at once."""
    placed = place(board, point, colour)
    stones, liberties = string(placed.after, point)
    return min(placed.captured) if len(placed.captured) == len(stones) == len(liberties) == 1 else None


def weights(board: Board, colour: int, ko: Point | None, near: set[Point], value: Value) -> dict[Point, int]:
    """The weight of every point where `colour` may play: empty, no suicide, no ko."""
    size = len(board)
    points = [(i, j) for i in range(size) for j in range(size) if board[i][j] == 0 and (i, j) != ko]
    legal = [point for point in points if not effect(board, point, colour)[2]]
    return {point: value(code(board, point, colour), combination(board, point, colour, point in near)) for point in legal}


class PlainPlayout:
    """A playout, move by move. `depth`: moves and passes made, those before the playout counted in."""

    def __init__(self, board: Board, colour: int, value: Value, ko: Point | None = None, depth: int = 0) -> None:
        self.board, self.colour, self.value, self.ko, self.depth = board, colour, value, ko, depth
        self.near: set[Point] = set()
        self.passes = 0

    def over(self) -> bool:
        """Whether it has ended, by passes in a row."""
        return self.passes == PASSES

    def weights(self) -> dict[Point, int]:
        """The weights of the player to move; none where it can only pass."""
        if self.depth > MOST_MOVES:
            return {}
        return weights(self.board, self.colour, self.ko, self.near, self.value)

    def play(self, point: Point | None) -> None:
        """Make a move, or pass. Whether it may be made is not looked at."""
        if point is None:
            self.passes, self.near, self.ko = self.passes + 1, set(), None
        else:
            self.near, self.ko = near_after(self.board, point, self.colour), ko_after(self.board, point, self.colour)
            self.board, self.passes = place(self.board, point, self.colour).after, 0
        self.colour, self.depth = 3 - self.colour, self.depth + 1

    def play_out(self, rng: random.Random) -> int:
        """Draw moves in proportion to their weights until the end; return White's area less Black's."""
        while not self.over():
            found = self.weights()
            self.play(rng.choices(list(found), list(found.values()))[0] if any(found.values()) else None)
        return area(self.board, 2) - area(self.board, 1)


def bits_that_matter(table):
    """The bits of a combination of properties on which any value of a table depends, as a mask."""
    classes, combinations = table.values.shape
    places = range(combinations.bit_length() - 1)
    halves = [(1 << place, np.moveaxis(table.values.reshape(classes, -1, 2, 1 << place), 2, 0)) for place in places]
    return sum(bit for bit, (without, with_it) in halves if (without != with_it).any())
