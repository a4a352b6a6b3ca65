"""What playouts read and never write: the geometry of a board, and the weights of moves in a form that is quick to look up.

A table of weights has 1,107 classes by 256 combinations of properties, but few rows of it differ, and few columns. Those
that do are kept: the three built-in sets then fit into a processor's nearest cache.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of, stone_keys
from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.entry_points import kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.patterns.boards import BLACK, WHITE, around, cells, point_of, set_of
from goban.kernels.patterns.facts import FactTable, fact_table
from goban.kernels.patterns.neighbourhoods import CLASSES, EMPTY, STEPS, all_codes, class_of_code, contents
from goban.kernels.patterns.point_sets import Words, span_of
from goban.kernels.patterns.properties import (
    COMBINATIONS,
    NEAR,
    OTHER_ATARI,
    OTHER_CAPTURES,
    OTHER_SUICIDE,
    OWN_ATARI,
    OWN_CAPTURES,
)

Weights = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]

FLATNESS = 8

_SIDE = 2 * COMBINATIONS
_CODES = 1 << 2 * len(STEPS)
_OWN_BITS = 0x5555


class Tables(NamedTuple):
    """Of one board size and one table of weights. For an entry: `tuple(tables)`, of the type TABLES."""

    keys: Words
    """Of `goban.grids`: that of a stone of a colour on p is keys[3 * p + colour]."""
    around: Words
    """Sets of the up to eight points around each point, one set after the other."""
    beside: Words
    """Sets of the up to four points next to each point."""
    facts: FactTable
    rows: Weights
    """By code: the row for Black in the lower 16 bits, that for White in the upper."""
    columns: npt.NDArray[np.uint16]
    """By colour, nearness and facts, see `column_of`."""
    values: Weights
    """Row by row."""
    width: int
    """How many columns there are."""
    flat: int
    """The largest weight, if what a move does never matters and weights other than 0 are not far apart, up to FLATNESS times
    the smallest; else 0."""
    even: int
    """1 if, besides, every point with an empty point next to it is worth the same; else 0."""


TABLES = (
    "Tuple((uint64[::1], uint64[::1], uint64[::1], uint16[::1], uint32[::1], uint16[::1], uint32[::1], int64, int64, int64))"
)


def make_tables(size: int, values: Weights) -> Tables:
    """Return the tables of a board size and of weights (CLASSES, COMBINATIONS), as `goban.montecarlo` has them.

    Raises BadBoardError outside 2..19, ValueError for weights of another shape.
    """
    if values.shape != (CLASSES, COMBINATIONS):
        raise ValueError(f"expected weights of shape {(CLASSES, COMBINATIONS)}, got {values.shape}")
    # A column of zeros stands for suicide, a row of zeros for codes that no point has.
    padded = np.zeros((CLASSES + 1, COMBINATIONS + 1), dtype=np.uint32)
    padded[:-1, :-1] = values
    narrow, row_of_class = np.unique(padded, axis=0, return_inverse=True)
    narrow, column_of_combination = np.unique(narrow, axis=1, return_inverse=True)
    rows = row_of_class.ravel()[class_of_code()]
    columns = column_of_combination.ravel()[combinations_by_facts()]
    least, most = int(narrow[narrow > 0].min(initial=2**32 - 1)), int(narrow.max())
    flat = most if narrow.shape[1] <= 2 and most <= FLATNESS * least else 0
    even = int(flat != 0 and (values[class_of_code()[_open_codes()], 0] == flat).all())
    return Tables(
        *_geometry(size), fact_table(), (rows | rows[swapped_codes()] << 16).astype(np.uint32), columns.astype(np.uint16),
        np.ascontiguousarray(narrow).ravel(), narrow.shape[1], flat, even,
    )  # fmt: skip


@kernel
def column_of(tables: Tables, colour: int, near: int, facts: int) -> int:
    """Return the column of a move of a colour."""
    return signed(tables.columns[nth((colour - BLACK) * _SIDE + near * COMBINATIONS + facts)])


@kernel
def row_of(tables: Tables, colour: int, code: int) -> int:
    """Return the row of a move of a colour on a point with such a code."""
    return signed(tables.rows[nth(code)]) >> 16 * (colour - BLACK) & 0xFFFF


@kernel
def value_of(tables: Tables, row: int, column: int) -> np.uint64:
    """Return a weight."""
    return np.uint64(tables.values[nth(row * tables.width + column)])


def combinations_by_facts() -> Numbers:
    """Return the combination of properties by colour, nearness and facts; COMBINATIONS for suicide."""
    facts = np.arange(COMBINATIONS)

    def bits(place: int, mask: int = 1) -> Numbers:
        return facts >> place & mask

    swapped = bits(OTHER_CAPTURES, 3) << OWN_CAPTURES | bits(OWN_CAPTURES, 3) << OTHER_CAPTURES
    swapped |= bits(OTHER_ATARI) << OWN_ATARI | bits(OWN_ATARI) << OTHER_ATARI | bits(0) << OTHER_SUICIDE
    found = []
    for combination, suicide in ((facts & ~1, bits(0)), (swapped, bits(OTHER_SUICIDE))):
        found += [np.where(suicide == 1, COMBINATIONS, combination | near << NEAR) for near in (0, 1)]
    return np.concatenate(found)


def _open_codes() -> Numbers:
    """Return the codes of points with an empty one next to them."""
    is_open = (contents(all_codes())[:, :4] == EMPTY).any(axis=1)
    found: Numbers = all_codes()[is_open]
    return found


def swapped_codes() -> Numbers:
    """Return each code as the other player sees it."""
    codes = np.arange(_CODES)
    return (codes & _OWN_BITS) << 1 | codes >> 1 & _OWN_BITS


@cache
def _geometry(size: int) -> tuple[Words, Words, Words]:
    grid, span = grid_of(size), span_of(size)
    keys = np.zeros(3 * cells(size), dtype=np.uint64)
    for colour in (BLACK, WHITE):
        for bit, key in stone_keys(size)[colour].items():
            keys[3 * point_of(*grid.point[bit], size) + colour] = key
    points = {point_of(i, j, size) for i, j in grid.points}
    wide, narrow = np.zeros((2, cells(size), len(span)), dtype=np.uint64)
    for p in points:
        eight = around(p, size)
        wide[p], narrow[p] = (set_of(points.intersection(some), span) for some in (eight, eight[:4]))
    return keys, wide.ravel(), narrow.ravel()
