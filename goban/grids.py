"""The grid: which points touch, which stones are connected, which have died.

A set of points is one Python integer with a bit per point, a *mask*. Rows are `size + 1` bits apart, so every row
ends in a bit that belongs to no point: shifting a mask by one never wraps a stone into the next row.

    a 3x3 board           bit of (i, j) = 1 << (4 * i + j)
    (0,0) (0,1) (0,2)       0  1  2  (3: no point)
    (1,0) (1,1) (1,2)       4  5  6  (7: no point)
    (2,0) (2,1) (2,2)       8  9 10

Everything here is geometry: colours and rules come in as masks. `own` are the stones of the player who places,
`other` those of the opponent, `empty` the free points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from goban.errors import BadBoardError
from goban.points import Point

BLACK, WHITE = 1, 2
MIN_SIZE, MAX_SIZE = 2, 19

Rows = list[list[int]]

Key = TypeVar("Key")
Value = TypeVar("Value")

_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Grid:
    """The points of one board size. Get it from `grid_of(size)`, which makes each size once.

    Attributes (read only): `size`, `stride` (bits between rows), `full` (mask of all points), `points` (all points, row
    by row), `bit` (point -> its mask), `point` (single-bit mask -> its point), `near` (single-bit mask -> mask of its
    orthogonal neighbours), `diagonal` (single-bit mask -> mask of its diagonal neighbours).
    """

    def __init__(self, size: int) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise BadBoardError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got {size}")
        self.size = size
        self.stride = size + 1
        self.points: tuple[Point, ...] = tuple((i, j) for i in range(size) for j in range(size))
        self.bit: dict[Point, int] = {(i, j): 1 << (i * self.stride + j) for i, j in self.points}
        self.point: dict[int, Point] = {bit: point for point, bit in self.bit.items()}
        self.full = sum(self.point)
        self.near = {bit: self.adjacent(bit) for bit in self.point}
        self.diagonal = {bit: self._mask_around(point, _DIAGONALS) for point, bit in self.bit.items()}
        self._shifts = range(0, size * self.stride, self.stride)
        self._row_lists = _Table(self._row_list)

    def _mask_around(self, point: Point, steps: tuple[Point, ...]) -> int:
        around = ((point[0] + di, point[1] + dj) for di, dj in steps)
        return self.mask_of([p for p in around if p in self.bit])

    def _row_list(self, key: int) -> list[int]:
        """Return a row of 0, 1, 2 from its black stones (upper `size` bits of the key) and its white ones."""
        black, white = key >> self.size, key
        return [BLACK if black >> j & 1 else WHITE if white >> j & 1 else 0 for j in range(self.size)]

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return grid_of, (self.size,)

    def adjacent(self, mask: int) -> int:
        """Return the points orthogonally next to any point of the mask (which may include points of the mask)."""
        return (mask << 1 | mask >> 1 | mask << self.stride | mask >> self.stride) & self.full

    def group(self, seed: int, stones: int) -> int:
        """Return the part of `stones` connected with `seed`; `seed` itself must lie within `stones`."""
        stride = self.stride
        while True:
            grown = (seed | seed << 1 | seed >> 1 | seed << stride | seed >> stride) & stones
            if grown == seed:
                return seed
            seed = grown

    def liberties(self, stones: int, empty: int) -> int:
        """Return the empty points next to `stones`."""
        return self.adjacent(stones) & empty

    def dead(self, stones: int, empty: int) -> int:
        """Return those of `stones` whose group has no liberty, anywhere on the board."""
        alive = self.adjacent(empty) & stones
        if alive == stones:
            return 0
        return stones ^ self.group(alive, stones)

    def place(self, bit: int, own: int, other: int, empty: int) -> tuple[int, int]:
        """Place an own stone on the empty point `bit`; return (captured opposing stones, own group's liberties).

        The placement is suicide if the second mask is 0. What the opponent has left is `other ^ captured`.
        """
        free = empty ^ bit
        captured = self.dead(other, free)
        free |= captured
        return captured, self.near[bit] & free or self.adjacent(self.group(bit, own | bit)) & free

    def is_suicide(self, bit: int, own: int, other: int, empty: int) -> bool:
        """Tell whether a stone on the empty point `bit` would be left without a liberty, captures counted in."""
        return not self.near[bit] & empty and not self.place(bit, own, other, empty)[1]

    def is_eye(self, bit: int, own: int) -> bool:
        """Tell whether the empty point `bit` is an eye of `own`, as the random bot sees it.

        All orthogonal neighbours are own stones, and of the diagonal ones at least three of four in the middle, all of
        them on the edge or in the corner (*Deep Learning and the Game of Go*, chapter 3).
        """
        if self.near[bit] & ~own:
            return False
        missing = (self.diagonal[bit] & ~own).bit_count()
        return missing <= (1 if self.diagonal[bit].bit_count() == 4 else 0)

    def singles(self, mask: int) -> Iterator[int]:
        """Yield the mask of every single point, row by row."""
        while mask:
            bit = mask & -mask
            yield bit
            mask ^= bit

    def points_of(self, mask: int) -> list[Point]:
        """Return the points of a mask, row by row."""
        names, points = self.point, []
        while mask:
            bit = mask & -mask
            points.append(names[bit])
            mask ^= bit
        return points

    def mask_of(self, points: Sequence[Point]) -> int:
        """Return the mask of some points, all of them on the board."""
        mask = 0
        for point in points:
            mask |= self.bit[point]
        return mask

    def rows(self, black: int, white: int) -> Rows:
        """Return the board as fresh lists of 0, 1 (Black), 2 (White), as the course writes it."""
        width, cut, table = self.size, (1 << self.size) - 1, self._row_lists
        return [table[(black >> k & cut) << width | white >> k & cut][:] for k in self._shifts]

    def masks(self, rows: Sequence[Sequence[int]]) -> tuple[int, int, int]:
        """Return the masks (empty, black, white) of a board given as rows of 0, 1, 2.

        Any other number is a point that is neither empty nor anybody's stone: students mark points in their copies.
        Raises BadBoardError if the rows are not `size` rows of `size` numbers.
        """
        size = self.size
        if len(rows) != size:
            raise BadBoardError(f"expected {size} rows, got {len(rows)}")
        empty = black = white = shift = 0
        for row in rows:
            if len(row) != size:
                raise BadBoardError(f"expected rows of {size} numbers, got {row!r}")
            try:
                free, first, second = _ROW_MASKS[tuple(row)]
            except TypeError:  # a student's mark that cannot be hashed
                free, first, second = _row_masks(tuple(row))
            empty |= free << shift
            black |= first << shift
            white |= second << shift
            shift += self.stride
        return empty, black, white


@cache
def grid_of(size: int) -> Grid:
    """Return the grid of a board size; raises BadBoardError outside 2..19."""
    return Grid(size)


class _Table(dict[Key, Value]):
    """Rows already translated. Forgets all at once when full: on wide boards the variety of rows has no end."""

    def __init__(self, translate: Callable[[Key], Value]) -> None:
        self._translate = translate

    def __missing__(self, key: Key) -> Value:
        if len(self) >= 1 << 16:
            self.clear()
        self[key] = value = self._translate(key)
        return value


def _row_masks(row: tuple[int, ...]) -> tuple[int, int, int]:
    empty, black, white = (sum(1 << j for j, stone in enumerate(row) if stone == kind) for kind in (0, BLACK, WHITE))
    return empty, black, white


class _PlainRows(_Table[tuple[int, ...], tuple[int, int, int]]):
    """Remembers rows of plain integers only: an object that claims to equal 1 must not answer for 1."""

    def __missing__(self, key: tuple[int, ...]) -> tuple[int, int, int]:
        return super().__missing__(key) if all(type(stone) is int for stone in key) else _row_masks(key)


_ROW_MASKS = _PlainRows(_row_masks)
