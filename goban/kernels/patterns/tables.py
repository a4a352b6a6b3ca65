"""What playouts read and never write: the geometry of a board, and the weights of moves in a form that is quick to look up.

A table of weights has 1,107 classes by 256 combinations of properties, but few rows of it differ, and few columns. Those
that do are kept: the three built-in sets then fit into a processor's nearest cache.

*Facts* are what a move to an empty point does, of either player, one byte a point:

    bit   7               6               5               4-3         2-1         0
          White suicide   Black's stone   White's stone   Black       White       Black suicide
                          in atari        in atari        captures    captures

These are the `properties` of a move of Black, but for the lowest bit. They follow from the four neighbours, of which a *kind*
says all that can be said of one alone: edge, empty, or a string of a colour with its liberties (one, two or more) and, if it
has one only, its stones (one, two or more). A table of all four kinds answers nearly always. Left over are moves that may
join two strings with the same other liberty, or free a second point by a capture; these are looked at.

Captures may be added up without asking which neighbours are of the same string: only strings of three stones and more can
touch a point twice, and three is all that counts.

A `BoardEntry` is an entry point that takes a pattern board: compiled once for small boards and once for large ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of, stone_keys
from goban.kernels.numba_tools.bits import nth, signed
from goban.kernels.numba_tools.compile import Entry, kernel

# isort: off
from goban.kernels.patterns.boards import (
    BLACK, COLOUR, EMPTY_KIND, FIRST, KIND, LIBERTIES, NEXT, SECOND, STRING, WHITE, Board, around, cells, get, point_of, set_of,
)  # fmt: skip
from goban.kernels.patterns.neighbourhoods import (
    CLASSES, COMBINATIONS, EMPTY, LARGE, MOST_CAPTURES, NEAR, OTHER_ATARI, OTHER_CAPTURES, OTHER_SUICIDE, OWN_ATARI,
    OWN_CAPTURES, SMALL, STEPS, Span, Words, all_codes, class_of_code, contents, span_of,
)  # fmt: skip

# isort: on

BLACK_SUICIDE, WHITE_SUICIDE = 1, 1 << OTHER_SUICIDE
BLACK_ATARI, WHITE_ATARI = 1 << OWN_ATARI, 1 << OTHER_ATARI
BLACK_UNSURE, WHITE_UNSURE = 1 << 8, 1 << 9
"""In the table: whether the stone is in atari, the kinds do not say."""

_STRING_KINDS = 5

FactTable = npt.NDArray[np.uint16]


@kernel
def kind_of(colour: int, liberties: int, stones: int) -> int:
    """Return the kind of a string."""
    narrow = 0 if liberties > 2 else 1 if liberties == 2 else 1 + min(stones, MOST_CAPTURES)
    return EMPTY_KIND + 1 + (colour - BLACK) * _STRING_KINDS + narrow


@cache
def fact_table() -> FactTable:
    """Return the facts of a point by the kinds of its neighbours, four bits for each. Shared: not to be written to."""
    kinds = np.arange(1 << 16)[:, None] >> np.array([0, 4, 8, 12]) & 15
    empty = (kinds == EMPTY_KIND).sum(axis=1)
    first = EMPTY_KIND + 1
    atari, suicide, unsure, captures = {}, {}, {}, {}
    for colour in (BLACK, WHITE):
        own, other = first + (colour - BLACK) * _STRING_KINDS, first + (WHITE - colour) * _STRING_KINDS
        stones = kinds - (other + 1)
        captured = (stones > 0) & (stones <= MOST_CAPTURES)
        captures[colour] = np.minimum(MOST_CAPTURES, (stones * captured).sum(axis=1))
        freed, two = captured.sum(axis=1), (kinds == own + 1).sum(axis=1)
        one = (kinds > own + 1) & (kinds < own + _STRING_KINDS)
        safe = (kinds == own).any(axis=1) | (empty + freed + (two > 0) * (freed > 0) >= 2)
        joins = (two > 0) & (two + empty >= 2)
        frees = (empty + two == 0) & (freed == 1) & one.any(axis=1) & (captures[colour] > 1)
        unsure[colour] = ~safe & (joins | frees)
        atari[colour] = ~safe & ~unsure[colour]
        suicide[colour] = atari[colour] & (empty + freed + two == 0)
    table = captures[BLACK] << OWN_CAPTURES | captures[WHITE] << OTHER_CAPTURES
    table |= atari[BLACK] * BLACK_ATARI | atari[WHITE] * WHITE_ATARI
    table |= suicide[BLACK] * BLACK_SUICIDE | suicide[WHITE] * WHITE_SUICIDE
    table |= unsure[BLACK] * BLACK_UNSURE | unsure[WHITE] * WHITE_UNSURE
    found: FactTable = table.astype(np.uint16)
    return found


@kernel
def find_facts(board: Board, table: FactTable, p: int, stride: int) -> int:
    """Return the facts of an empty point."""
    kinds = _kind_at(board, p + stride) | _kind_at(board, p - 1) << 4
    kinds |= _kind_at(board, p - stride) << 8 | _kind_at(board, p + 1) << 12
    facts = signed(table[nth(kinds)])
    if facts < BLACK_UNSURE:
        return facts
    if facts & BLACK_UNSURE != 0 and liberties_after(board, p, BLACK, stride) < 2:
        facts |= BLACK_ATARI
    if facts & WHITE_UNSURE != 0 and liberties_after(board, p, WHITE, stride) < 2:
        facts |= WHITE_ATARI
    return facts & (BLACK_UNSURE - 1)


@kernel
def is_atari(facts: int, colour: int) -> bool:
    """Tell whether a stone of a colour would be in atari by the facts of the point."""
    return facts & (BLACK_ATARI if colour == BLACK else WHITE_ATARI) != 0


@kernel
def _kind_at(board: Board, q: int) -> int:
    return get(board, get(board, q, STRING), KIND)


@kernel
def liberties_after(board: Board, p: int, own: int, stride: int) -> int:
    """Return how many liberties an own stone on the empty point p would have, 2 standing for more."""
    seen = 0
    for q in (p + stride, p - 1, p - stride, p + 1):
        colour, string = get(board, q, COLOUR), get(board, q, STRING)
        liberties, liberty = get(board, string, LIBERTIES), 0
        if colour == EMPTY:
            liberty = q
        elif colour == own:
            if liberties > 2:
                return 2
            liberty = get(board, string, FIRST) + get(board, string, SECOND) - p if liberties == 2 else 0
        elif colour == BLACK + WHITE - own and liberties == 1:
            if _frees_another(board, p, q, own, stride):
                return 2
            liberty = q
        if liberty != 0 and liberty != seen:
            if seen != 0:
                return 2
            seen = liberty
    return 1 if seen != 0 else 0


@kernel
def _frees_another(board: Board, p: int, q: int, own: int, stride: int) -> bool:
    """Tell whether capturing the string on q by a stone on p frees a point beside q that an own string next to p touches.

    Only such strings matter as have no liberty but p.
    """
    stone = get(board, q, NEXT)
    while stone != q:
        for beside in (stone + stride, stone - 1, stone - stride, stone + 1):
            if get(board, beside, COLOUR) == own:
                string = get(board, beside, STRING)
                if get(board, string, LIBERTIES) == 1 and get(board, string, FIRST) == p:
                    return True
        stone = get(board, stone, NEXT)
    return False


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
    narrow, row_of_class = _different_rows(padded)
    turned, column_of_combination = _different_rows(narrow.T)
    narrow = turned.T
    rows, columns = row_of_class[class_of_code()], column_of_combination[combinations_by_facts()]
    least, most = int(narrow[narrow > 0].min(initial=2**32 - 1)), int(narrow.max())
    flat = most if narrow.shape[1] <= 2 and most <= FLATNESS * least else 0
    even = int(flat != 0 and (values[class_of_code()[_open_codes()], 0] == flat).all())
    return Tables(
        *_geometry(size), fact_table(), (rows | rows[swapped_codes()] << 16).astype(np.uint32), columns.astype(np.uint16),
        np.ascontiguousarray(narrow).ravel(), narrow.shape[1], flat, even,
    )  # fmt: skip


def _different_rows(table: Weights) -> tuple[Weights, Numbers]:
    """Return the rows that differ, and which of them each row is. `np.unique` takes a hundred times longer, to sort them."""
    numbers: dict[bytes, int] = {}
    which = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in table])
    return table[np.unique(which, return_index=True)[1]], which


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


Result = TypeVar("Result")


class BoardEntry(Generic[Result]):
    """A kernel to be called from Python with (board, words, tables, span, ...); see `board_entry`."""

    def __init__(self, function: Callable[..., Result], result: str, rest: str) -> None:
        self._entries: dict[int, Entry[..., Result]] = {
            len(span): Entry(function, f"{result}(uint16[::1], uint64[::1], {TABLES}, UniTuple(int64, {len(span)}){rest})")
            for span in (SMALL, LARGE)
        }

    def prepare(self, span: Span) -> None:
        """Compile or load the kernel now rather than on the first call; before threads share it, say."""
        self._entries[len(span)].prepare()

    def __call__(self, board: Board, words: Words, tables: Tables, span: Span, *rest: Any) -> Result:  # noqa: ANN401
        """Call it; the tables arrive as a plain tuple, of which the kernel makes `Tables(*...)`."""
        return self._entries[len(span)](board, words, tuple(tables), span, *rest)


def board_entry(result: str, rest: str = "") -> Callable[[Callable[..., Result]], BoardEntry[Result]]:
    """Make a function a `BoardEntry`. result, rest: types as numba writes them; rest begins with a comma if there is any."""
    return lambda function: BoardEntry(function, result, rest)
