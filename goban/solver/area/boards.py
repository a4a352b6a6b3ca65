"""Boards of up to 30 points of any shape as masks, for the solver of `area` rules.

The bit of (row, column) is `1 << (width * row + column)`; nothing is left free between rows, so that two masks and two bits
more make a number of 62 bits. A `Shape` travels through the kernels as a tuple of whole numbers.
"""

from __future__ import annotations

import numpy as np

from goban.grids import symmetric_places
from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.errors import UnsupportedGameError

MOST_POINTS = 30
Shape = tuple[int, int, int, int]
"""width, all points, all but those of the first column, all but those of the last column."""

_PARTS = 3
_PART_BITS = MOST_POINTS // _PARTS


def shape_of(height: int, width: int) -> Shape:
    """Return the shape of a board; raises UnsupportedGameError for one that is too large, or too narrow for two eyes."""
    if min(height, width) < 2 or height * width > MOST_POINTS:
        raise UnsupportedGameError(
            f"expected a board of 2x2 to {MOST_POINTS} points under area rules, at least 2 wide, got {height}x{width}"
        )
    full = (1 << height * width) - 1
    first = sum(1 << width * row for row in range(height))
    return width, full, full ^ first, full ^ first << width - 1


def symmetries_of(height: int, width: int) -> Ints:
    """Return tables that turn masks under every symmetry of a board, eight of a square, four of another; see `turned`."""
    turns = symmetric_places(height, width)
    tables = np.zeros((len(turns), _PARTS, 1 << _PART_BITS), dtype=np.int64)
    for which, places in enumerate(turns):
        for point in range(MOST_POINTS):
            part, bit = tables[which, point // _PART_BITS], 1 << point % _PART_BITS
            part[bit : 2 * bit] = part[:bit] | (1 << places[point] if point < len(places) else 0)
    return tables.reshape(-1)


@kernel
def turned(mask: int, which: int, symmetries: Ints) -> int:
    """Return a mask under a symmetry, 0 for none."""
    place = which * (_PARTS << _PART_BITS)
    low, middle, high = mask & 1023, (mask >> 10) & 1023, mask >> 20
    return int(
        symmetries[nth(place + low)] | symmetries[nth(place + 1024 + middle)] | symmetries[nth(place + 2048 + high)]
    )


@kernel
def largest_turned(mask: int, symmetries: Ints) -> int:
    """Return the largest of the masks that this one becomes under the symmetries."""
    best = mask
    for which in range(1, len(symmetries) // (_PARTS << _PART_BITS)):
        best = max(best, turned(mask, which, symmetries))
    return best


@inlined
def pair_of(first: int, second: int, symmetries: Ints) -> int:
    """Return two masks as one number, under the symmetry that makes it smallest."""
    best = first | second << MOST_POINTS
    for which in range(1, len(symmetries) // (_PARTS << _PART_BITS)):
        found = turned(first, which, symmetries) | turned(second, which, symmetries) << MOST_POINTS
        best = min(best, found)
    return best


@inlined
def adjacent(mask: int, shape: Shape) -> int:
    """Return the points orthogonally next to any point of the mask (which may include points of the mask)."""
    return ((mask << shape[0]) | (mask >> shape[0]) | ((mask & shape[3]) << 1) | ((mask & shape[2]) >> 1)) & shape[1]


@kernel
def group(seed: int, stones: int, shape: Shape) -> int:
    """Return the part of `stones` connected with `seed`; `seed` itself must lie within `stones`."""
    while True:
        grown = (seed | adjacent(seed, shape)) & stones
        if grown == seed:
            return seed
        seed = grown


@kernel
def without_liberties(stones: int, empty: int, shape: Shape) -> int:
    """Return those of `stones` whose group has no liberty."""
    alive = adjacent(empty, shape) & stones
    while True:
        grown = (alive | adjacent(alive, shape)) & stones
        if grown == alive:
            return stones ^ alive
        alive = grown


@kernel
def area(own: int, other: int, shape: Shape) -> int:
    """Return the points that count for `own`: its stones, and the empty points that reach no other colour."""
    empty = shape[1] & ~(own | other)
    reached = adjacent(other, shape) & empty
    while True:
        grown = reached | adjacent(reached, shape) & empty
        if grown == reached:
            return own | adjacent_region(own, empty & ~reached, shape)
        reached = grown


@kernel
def adjacent_region(own: int, empty: int, shape: Shape) -> int:
    """Return the part of `empty` that reaches `own`."""
    reached = adjacent(own, shape) & empty
    while True:
        grown = reached | adjacent(reached, shape) & empty
        if grown == reached:
            return reached
        reached = grown
