"""The grid: which points touch, which stones are connected, which are dead; hashes of boards and of whole games.

A set of points is one Python integer with a bit per point, a *mask*. Rows are `size + 1` bits apart, so every row
ends in a bit that belongs to no point: shifting a mask by one never wraps a stone into the next row.

    a 3x3 board           bit of (i, j) = 1 << (4 * i + j)
    (0,0) (0,1) (0,2)       0  1  2  (3: no point)
    (1,0) (1,1) (1,2)       4  5  6  (7: no point)
    (2,0) (2,1) (2,2)       8  9 10

Everything here is geometry: colours and rules come in as masks. `own` are the stones of the player who places,
`other` those of the opponent, `empty` the free points.

Zobrist hashing makes a 64-bit number of a board, kept up to date stone by stone. Every (point, colour) has a fixed random
key; a board's hash is the XOR of the keys of its stones, so placing or removing a stone is one XOR (A. Zobrist, *A New
Hashing Method with Application for Game Playing*, 1970). Keys come from a fixed stream, so hashes are the same in every run
and may be stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import compress
from sys import maxsize
from types import NoneType
from typing import Any, TypeVar

from goban.common.arguments import check_kind, take_whole
from goban.common.excerpts import quoted
from goban.errors import BadBoardError
from goban.points import Point, point_of

BLACK, WHITE = 1, 2
MIN_SIZE, MAX_SIZE = 2, 19

Rows = list[list[int]]
Masks = tuple[int, int, int]
"""The points of a board that are empty, Black's and White's."""
_Row = tuple[int, int, int, list[int] | None]

Key = TypeVar("Key")
Value = TypeVar("Value")

# The digits '0' and '1' as the numbers 0 and 1.
_DIGITS = bytes.maketrans(b"01", b"\0\1")

_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Grid:
    """The points of one board size. Get it from `grid_of(size)`, which makes each size once.

    Attributes (read only): `size`, `stride` (bits between rows), `full` (mask of all points), `points` (all points, row
    by row), `bit` (point -> its mask), `point` (single-bit mask -> its point), `near` (single-bit mask -> mask of its
    orthogonal neighbours), `diagonal` (single-bit mask -> mask of its diagonal neighbours).
    """

    def __init__(self, size: int) -> None:
        if size not in range(MIN_SIZE, MAX_SIZE + 1):
            raise BadBoardError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got {quoted(size)}")
        # A number of numpy's would make masks of 64 bits, for everybody who plays on this size.
        self.size = size = int(size)
        self.stride: int = size + 1
        self.points: tuple[Point, ...] = tuple((i, j) for i in range(size) for j in range(size))
        self.bit: dict[Point, int] = {point: 1 << (point[0] * self.stride + point[1]) for point in self.points}
        self.point: dict[int, Point] = {bit: point for point, bit in self.bit.items()}
        self.full: int = sum(self.point)
        self.near: dict[int, int] = {bit: self.adjacent(bit) for bit in self.point}
        self.diagonal: dict[int, int] = {bit: self._mask_around(point, _DIAGONALS) for point, bit in self.bit.items()}
        # The point of every bit; a row's last bit belongs to none, and takes any.
        self._places = tuple(self.points[i * size + min(j, size - 1)] for i in range(size) for j in range(self.stride))
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
        """Return the part of `stones` whose groups have no liberty, anywhere on the board."""
        alive = self.adjacent(empty) & stones
        if alive == stones:
            return 0
        return stones ^ self.group(alive, stones)

    def trapped(self, seed: int, stones: int, empty: int) -> int:
        """Return the part of `stones` connected with `seed` if it has no liberty, else 0. Looks no further than necessary."""
        beside = self.adjacent(empty)
        group = self.flood(seed, stones, beside)
        return 0 if group & beside else group

    def flood(self, seed: int, stones: int, beside: int) -> int:
        """Return the stones that are linked to a seed, as far as it takes to find one on a point of `beside`; all if none is.

        beside: the points next to empty ones, stones or not.
        """
        stride = self.stride
        while not seed & beside:
            grown = (seed | seed << 1 | seed >> 1 | seed << stride | seed >> stride) & stones
            if grown == seed:
                break
            seed = grown
        return seed

    def captured(self, bit: int, other: int, empty: int) -> int:
        """Return the stones of `other` that an own stone on the empty point `bit` captures.

        Looks only next to `bit`; `dead` looks everywhere, for boards on which some groups had no liberty before.
        """
        taken, left, free, stride = 0, self.near[bit] & other, empty ^ bit, self.stride
        if not left:
            return 0
        beside = free << 1 | free >> 1 | free << stride | free >> stride
        # Most neighbours have a liberty of their own.
        left ^= left & beside
        while left:
            group = self.flood(left & -left, other, beside)
            if not group & beside:
                taken |= group
            left &= ~group
        return taken

    def by_liberties(self, stones: int, empty: int) -> dict[int, int]:
        """Return liberties -> the stones of all groups with exactly these liberties."""
        by_liberties: dict[int, int] = {}
        while stones:
            group = self.group(stones & -stones, stones)
            free = self.adjacent(group) & empty
            by_liberties[free] = by_liberties.get(free, 0) | group
            stones ^= group
        return by_liberties

    def place(self, bit: int, own: int, other: int, empty: int) -> tuple[int, int]:
        """Place an own stone on the empty point `bit`; return (captured opposing stones, own group's liberties).

        The placement is suicide if the second mask is 0. The opponent's remaining stones are `other ^ captured`.
        """
        free = empty ^ bit
        captured = self.dead(other, free)
        free |= captured
        return captured, self.near[bit] & free or self.adjacent(self.group(bit, own | bit)) & free

    def is_suicide(self, bit: int, own: int, other: int, empty: int) -> bool:
        """Return True if a stone on the empty point `bit` would have no liberty, even after captures."""
        return not self.near[bit] & empty and not self.place(bit, own, other, empty)[1]

    def is_eye(self, bit: int, own: int) -> bool:
        """Return True if the empty point `bit` is an eye of `own`, by the random bot's definition.

        All orthogonal neighbours are own stones, and of the diagonal ones at least three of four in the middle, all of
        them on the edge or in the corner (*Deep Learning and the Game of Go*, chapter 3).
        """
        if self.near[bit] & ~own:
            return False
        diagonal = self.diagonal[bit]
        missing = diagonal & ~own
        return not missing or (missing.bit_count() == 1 and diagonal.bit_count() == 4)

    def singles(self, mask: int) -> Iterator[int]:
        """Yield the mask of every single point, row by row."""
        while mask:
            bit = mask & -mask
            yield bit
            mask ^= bit

    def points_of(self, mask: int) -> list[Point]:
        """Return the points of a mask, row by row."""
        # One pass in C over the binary digits, lowest first, beside the points that they stand for.
        return list(compress(self._places, bin(mask)[:1:-1].encode().translate(_DIGITS)))

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

    def masks(self, rows: Sequence[Sequence[int]]) -> Masks:
        """Return the masks (empty, black, white) of a board given as rows of 0, 1, 2.

        Any other number is a point that is neither empty nor anybody's stone: students mark points in their copies.
        Raises BadBoardError if the rows are not `size` rows of `size` numbers.
        """
        return self.read(rows)[0]

    def read(self, rows: Sequence[Sequence[int]]) -> tuple[Masks, list[list[int] | None]]:
        """Return the masks, as `masks` does, and a read-only copy of the rows, to find out later whether they have changed.

        Rows that equal the copy have these masks. For a row that does not hold plain integers, the copy holds None.
        """
        size = self.size
        if len(rows) != size:
            raise BadBoardError(f"expected {size} rows, got {len(rows)}")
        empty = black = white = shift = 0
        copy = []
        for row in rows:
            if len(row) != size:
                raise BadBoardError(f"expected rows of {size} numbers, got {row!r}")
            try:
                free, first, second, plain = _ROWS[tuple(row)]
            except TypeError:  # a student's mark that cannot be hashed
                free, first, second, plain = _read_row(tuple(row))
            empty |= free << shift
            black |= first << shift
            white |= second << shift
            shift += self.stride
            copy.append(plain)
        return (empty, black, white), copy


def owned(grid: Grid, black: int, white: int) -> tuple[int, int]:
    """Return the masks of Black's and White's area: stones, and the empty points from which only that colour can be reached.

    Source: Tromp-Taylor rules 9 and 10, https://tromp.github.io/go.html.
    """
    empty = grid.full & ~(black | white)
    near_black = grid.group(grid.adjacent(black) & empty, empty)
    near_white = grid.group(grid.adjacent(white) & empty, empty)
    return black | near_black & ~near_white, white | near_white & ~near_black


def area(grid: Grid, black: int, white: int) -> tuple[int, int]:
    """Return how many points Black and White own; see `owned`."""
    blacks, whites = owned(grid, black, white)
    return blacks.bit_count(), whites.bit_count()


@cache
def grid_of(size: int) -> Grid:
    """Return the grid of a board size; raises BadBoardError outside 2..19."""
    return Grid(size)


@cache
def symmetric_places(height: int, width: int) -> list[list[int]]:
    """Return where each symmetry of a board maps its points, counted row by row: eight for a square board, four for others.

    The first is the identity.
    """
    turns = []
    for flip_rows in (False, True):
        for flip_columns in (False, True):
            for swap in (False, True) if height == width else (False,):
                places = []
                for row in range(height):
                    for column in range(width):
                        i = height - 1 - row if flip_rows else row
                        j = width - 1 - column if flip_columns else column
                        places.append(j * width + i if swap else i * width + j)
                turns.append(places)
    return turns


class _Table(dict[Key, Value]):
    """Rows already translated. Forgets all at once when full: on wide boards the variety of rows has no end."""

    def __init__(self, translate: Callable[[Key], Value]) -> None:
        self._translate = translate

    def __missing__(self, key: Key) -> Value:
        if len(self) >= 1 << 16:
            self.clear()
        self[key] = value = self._translate(key)
        return value


def _read_row(row: tuple[int, ...]) -> _Row:
    """Return the masks (empty, black, white) of a row, and the row as a list, None if it holds other things than integers."""
    empty, black, white = (sum(1 << j for j, stone in enumerate(row) if stone == kind) for kind in (0, BLACK, WHITE))
    return empty, black, white, list(row) if all(type(stone) is int for stone in row) else None


class _PlainRows(_Table[tuple[int, ...], _Row]):
    """Remembers rows of plain integers only: an object that claims to equal 1 must not answer for 1."""

    def __missing__(self, key: tuple[int, ...]) -> _Row:
        row = _read_row(key)
        return row if row[3] is None else super().__missing__(key)


_ROWS = _PlainRows(_read_row)

_MASK64 = (1 << 64) - 1

Keys = dict[int, int]


def _stream(seed: int) -> Iterator[int]:
    """Yield 64-bit numbers of the SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014)."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & _MASK64
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & _MASK64
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _MASK64
        yield word ^ word >> 31


@cache
def stone_keys(size: int) -> dict[int, Keys]:
    """Return the keys of a board size: colour (1 or 2) -> single-bit mask -> 64-bit key."""
    stream = _stream(size)
    bits = list(grid_of(size).point)
    return {colour: {bit: next(stream) for bit in bits} for colour in (BLACK, WHITE)}


WHITE_TO_MOVE = next(_stream(0))
"""XORed into a board's hash to make a *situation*: the board together with White to move."""

_EMPTY_BOARD = 0


def board_hash(size: int, black: int, white: int) -> int:
    """Return the hash of a whole board given as masks; 0 for the empty board."""
    return mask_hash(size, BLACK, black) ^ mask_hash(size, WHITE, white)


def mask_hash(size: int, colour: int, stones: int) -> int:
    """Return the XOR of the keys of some stones of one colour: what changes when they come or go."""
    keys = stone_keys(size)[colour]
    total = 0
    while stones:
        bit = stones & -stones
        total ^= keys[bit]
        stones ^= bit
    return total


class History:
    """Situation hashes in the order they stood: entry k is the situation after k moves. Append only."""

    __slots__ = ("_claims", "_order", "numbers")

    def __init__(self, order: list[int]) -> None:
        self._order = order
        # Place -> whose entry it gets: of threads that want to fill the same one, `setdefault` lets the first.
        self._claims: dict[int, object] = {}
        self.numbers: dict[int, int] = {}
        """Situation -> after how many moves it stood first, those after other branches' moves too. Read only."""
        for number, situation in enumerate(order):
            self.numbers.setdefault(situation, number)

    def first(self, situation: int, before: int) -> int | None:
        """Return the number of moves (fewer than `before`) after which the situation first stood; None if it did not."""
        number = self.numbers.get(situation)
        return number if number is not None and number < before else None

    def extend(self, situation: int, length: int) -> History:
        """Return a history whose first `length` entries are those of this one and whose next is `situation`.

        This is the object itself if nothing else has been recorded at that place. Entries that are missing, because the
        position was set up by hand, become the empty board, which no move can bring back. Threads may do this at once.
        """
        order = self._order
        claim = object()
        if length == len(order) and self._claims.setdefault(length, claim) is claim:
            self.numbers.setdefault(situation, length)
            order.append(situation)
            return self
        if length < len(order) and order[length] == situation:
            return self
        past = order[:length]
        return History([*past, *[_EMPTY_BOARD] * (length - len(past)), situation])

    def entries(self, length: int) -> tuple[int, ...]:
        """Return the first `length` situations."""
        return tuple(self._order[:length])


# What callers give as a position


def take_colour(given: object) -> int:
    """Return 1 or 2 as Python's number; raises BadBoardError for what is no player to move."""
    return take_whole(given, BLACK, WHITE, "1, Black, or 2, White, to move", BadBoardError)


def take_count(given: object) -> int:
    """Return a number of moves as Python's number; raises BadBoardError for what is none."""
    return take_whole(given, 0, maxsize, "a number of moves", BadBoardError)


def take_position(grid: Grid, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a caller may give in several forms as a `State` has it: masks, numbers, its last point.

    given: all of a state, by name. Raises BadBoardError and BadPointError.
    """
    masks = {name: _mask(grid, name, given[name]) for name in ("black", "white", "empty", "captured")}
    black, white, empty, _ = masks.values()
    if black & white or (black | white) & empty:
        raise BadBoardError("expected masks without a common point as `black`, `white` and `empty`")
    previous, last = given["previous"], given["last_point"]
    check_kind(previous, (tuple, NoneType), "two masks as `previous`", BadBoardError)
    check_kind(given["history"], (History, NoneType), "the `history` of a state", BadBoardError)
    return masks | {
        "to_move": take_colour(given["to_move"]),
        "n_move": take_count(given["n_move"]),
        "previous": previous and tuple(_mask(grid, "previous", mask) for mask in previous),
        "last_point": None if last is None else point_of(last, grid.size),
        "passed": bool(given["passed"]),
    }


def _mask(grid: Grid, name: str, value: object) -> int:
    return take_whole(value, 0, grid.full, f"a mask of the board as `{name}`", BadBoardError)
