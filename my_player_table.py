"""The table of `my_player.py`, packed: a file of 2.6 MB, and the sums of a search's many boards in a few additions.

`my_player.py` says what the weights mean; nothing here learns. Beside the weights of pieces the file has values of single
boards, which came up often in training, up to the 12th placement. They are better than a sum of pieces, and are asked first.
Key: how many placements there were, and the board as a number in base 3 (0 empty, 1 of the player who has just placed, 2 of
the opponent), the least of the eight that its rotations and reflections give. What stones in atari weigh comes last; the
table that is shipped has no such weights.

    table = PackedTable.read(path)
    weights_of(table)                                to look up and learn from, as `my_player.QTable` does
    table.values(own, other, stage, moves, enough)   V after each move in 1/64 before it is squashed, as the search wants it

A board is two masks here, as in `goban.grids`. A stone is in 3 to 13 of the 17 pieces. So the pieces of a board are summed
once, and for each move what it changes.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from operator import getitem
from pathlib import Path

from goban.grids import grid_of

STAGES = 24
PASS = 0
UNIT = 64
"""Values and weights are kept in parts of so many."""

# The points of the board, and those of a piece of each kind, all from the last to the first: see `my_player.KINDS`.
BOARD, OUTER, INNER, CORNER, EDGE, CENTRE = (
    list(product(rows, columns))
    for rows, columns in (
        ((4, 3, 2, 1, 0), range(5)), ((1, 0), range(5)), ((2, 1), range(5)),
        ((2, 1, 0), (0, 1, 2)), ((2, 1, 0), (1, 2, 3)), ((3, 2, 1), (1, 2, 3)),
    )
)  # fmt: skip
PIECES = OUTER, INNER, CORNER, EDGE, CENTRE

# Stones in atari are counted to MOST, and numbered with the lead of -24 to 24.
MOST, LEADS = 5, 49

# For how many sets of stones their numbers are remembered: a search comes by the same ones on many boards.
REMEMBERED = 1 << 13

# Eight numbers of 64 bits in one, and 17 of 16 bits.
EIGHT, SEVENTEEN = struct.Struct("<8Q"), struct.Struct("<17H")

# What is added to a weight of -128 to 127 to keep it as a byte, and to each byte in a file's two's complement.
RAISED = 128
RAISING = bytes((byte + RAISED) % 256 for byte in range(256))

# Above any value.
NEVER = 2_000_000

Point = tuple[int, int]

Move = tuple[int, int]
"""(bit, stones taken), masks as in `goban.grids`; a pass is (0, 0)."""

Look = tuple[int, ...]
"""What stands on the points of a piece: 0, 1 or 2 for each; or what `atari` counts."""


Board = list[int]
"""The points row by row: 0 empty, 1 of the player who has just placed, 2 of the opponent."""

Reading = Callable[[Board], Look]
"""Looks at a board in one way."""


class Looks(dict[Look, float]):
    """What a kind of piece weighs by its look, after so many placements: what was learned here, else what is packed, else 0."""

    def __init__(self, packed: bytes = b"") -> None:
        self.packed = packed

    def __missing__(self, look: Look) -> float:
        return (self.packed[_number(look)] - RAISED) / UNIT if self.packed else 0.0

    def repack(self, length: int) -> bytes:
        """Return a byte for each of so many looks, raised, with what was learned in its place."""
        packed = bytearray(self.packed or [RAISED] * length)
        for look, weight in self.items():
            packed[_number(look)] = RAISED + max(-127, min(127, round(weight * UNIT)))
        return bytes(packed)


Weights = list[list[Looks]]
"""By the number of placements, then by the kind of piece."""


def weights_of(table: PackedTable | None) -> Weights:
    """Return the weights in a table, to look up and to learn from; with no table all are 0."""
    return [[Looks(packed) for packed in kinds] for kinds in (table.kinds if table else [[b""] * (len(PIECES) + 1)] * STAGES)]


def write_weights(weights: Weights, path: Path) -> None:
    """Write weights to a file, each in 1/64 from -127 to 127, with no values of single boards."""
    lengths = (*PackedTable.LAYOUT, PackedTable.ATARI)
    packed = [[looks.repack(length) for looks, length in zip(kinds, lengths, strict=True)] for kinds in weights[1:]]
    data = b"".join(b"".join(kinds[:-1]) for kinds in packed) + b"".join(kinds[-1] for kinds in packed)
    path.write_bytes(zlib.compress(struct.pack("<4sII", PackedTable.MAGIC, 0, 0) + data.translate(RAISING), 6))


def atari(own: int, other: int) -> Look:
    """Return how many stones of each player the other could take at once, five at most, and how many more `own` has."""
    grid = grid_of(5)
    empty = grid.full ^ own ^ other
    mine, theirs = (
        sum(stones.bit_count() for free, stones in grid.by_liberties(side, empty).items() if not free & free - 1)
        for side in (own, other)
    )
    return min(mine, MOST), min(theirs, MOST), own.bit_count() - other.bit_count()


def in_atari(board: Board) -> Look:
    """Return what `atari` counts on a board of points."""
    _, own, other = grid_of(5).masks([board[k : k + 5] for k in range(0, 25, 5)])
    return atari(own, other)


def _number(look: Look) -> int:
    if len(look) == 3:
        mine, theirs, lead = look
        return (mine * (MOST + 1) + theirs) * LEADS + lead + LEADS // 2
    return int("".join(map(str, look)), 3)


class PackedTable:
    """The learned values for 5x5. `read` makes one from a file, which `golearn/qlearning/checkpoints.py` lays out."""

    MAGIC = b"goQ1"
    LAYOUT = tuple(3 ** len(piece) for piece in PIECES)
    ATARI = (MOST + 1) ** 2 * LEADS

    def __init__(self, keys: array[int], states: array[int], last_stage: int, patterns: bytes) -> None:
        self.keys = keys
        self.states = states
        self.last_stage = last_stage
        self.images = _numbering(_turn_points(BOARD), 64)
        # Where a piece and its mirror image lie on the same points, one of them is enough.
        places = [list({frozenset(points): points for points in _turn_points(piece)}.values()) for piece in PIECES]
        pieces = [points for kind in places for points in kind]
        self.pieces = _numbering(pieces, 16)
        self.kinds = [self._kinds(patterns, stage) for stage in range(STAGES)]
        # stage -> the weights of each piece; those of a kind are the same.
        self.weights = [
            [weights for weights, places_of in zip(kinds[:-1], places, strict=True) for _ in places_of] for kinds in self.kinds
        ]
        # bit -> (piece, what a stone there with the digit 1 adds to its number) for each piece that the point is in.
        self.touched: dict[int, list[tuple[int, int]]] = {PASS: []}
        for i, j in BOARD:
            around = [(n, 3 ** points.index((i, j))) for n, points in enumerate(pieces) if (i, j) in points]
            self.touched[1 << 6 * i + j] = around

    @classmethod
    def read_or_say(cls, path: Path) -> PackedTable | None:
        """Return the table in a file; None, and a line on stderr, if it cannot be read."""
        try:
            return cls.read(path)
        except (OSError, ValueError) as error:
            print(f"{path.name}: cannot be read, playing without learned values: {error}", file=sys.stderr)
            return None

    @classmethod
    def read(cls, path: Path) -> PackedTable:
        """Return the table in a file; raises OSError or ValueError if there is none or it is damaged."""
        try:
            data = memoryview(zlib.decompress(path.read_bytes()))
            magic, last_stage, number = struct.unpack_from("<4sII", data)
        except (zlib.error, struct.error) as error:
            raise ValueError(str(error)) from error
        keys, states = array("Q"), array("h")
        keys.frombytes(data[12 : 12 + 8 * number])
        states.frombytes(data[12 + 8 * number : 12 + 10 * number])
        patterns = data[12 + 10 * number :].tobytes().translate(RAISING)
        length = (STAGES - 1) * sum(cls.LAYOUT)
        if magic != cls.MAGIC or len(patterns) not in (length, length + (STAGES - 1) * cls.ATARI):
            raise ValueError("not a table of this version")
        if sys.byteorder == "big":
            keys.byteswap()
            states.byteswap()
        return cls(keys, states, last_stage, patterns)

    def _kinds(self, patterns: bytes, stage: int) -> list[bytes]:
        """Return the weights of a stage (1 to 23; 0 is never asked for) by kind: PIECES, then stones in atari, b"" if none."""
        start, kinds = (stage - 1) * sum(self.LAYOUT), []
        for length in self.LAYOUT:
            kinds.append(patterns[start : start + length])
            start += length
        at = (STAGES - 1) * sum(self.LAYOUT) + (stage - 1) * self.ATARI
        return [*kinds, patterns[at : at + self.ATARI]]

    def values(self, own: int, other: int, stage: int, moves: list[Move], enough: int) -> list[int]:
        """Return V of afterstates in the table's unit; see `Values`.

        A stone is in 3 to 13 of the 17 pieces. So the pieces are summed once, and for each move what it changes.
        """
        weights, touched, by_atari = self.weights[stage], self.touched, self.kinds[stage][-1]
        numbers = self._numbers(own, other)
        before = list(map(getitem, weights, numbers))
        total = sum(before) - 17 * RAISED
        found = []
        for bit, taken in moves:
            value = self._met_often(own | bit, other ^ taken, stage) if stage <= self.last_stage else None
            if value is None and taken:
                value = self._by_patterns(own | bit, other ^ taken, stage)
            elif value is None:
                value = total
                for n, more in touched[bit]:
                    value += weights[n][numbers[n] + more] - before[n]
            if by_atari:
                value += by_atari[_number(atari(own | bit, other ^ taken))] - RAISED
            found.append(value)
            if value >= enough:
                break
        return found

    def value(self, own: int, other: int, stage: int) -> int:
        """Return V of one afterstate: `own` has just placed as placement number `stage`."""
        return self.values(own, other, stage, [(PASS, 0)], NEVER)[0]

    def _met_often(self, own: int, other: int, stage: int) -> int | None:
        """Return the value of its own that a state has which was met often in training. It is better than a sum of patterns."""
        eight = self.images(own) + 2 * self.images(other)
        key = stage * 3**25 + min(EIGHT.unpack(eight.to_bytes(64, "little")))
        at = bisect_left(self.keys, key)
        return self.states[at] if at < len(self.keys) and self.keys[at] == key else None

    def _by_patterns(self, own: int, other: int, stage: int) -> int:
        return sum(map(getitem, self.weights[stage], self._numbers(own, other))) - 17 * RAISED

    def _numbers(self, own: int, other: int) -> tuple[int, ...]:
        """Return the number of each piece on a board."""
        return SEVENTEEN.unpack((self.pieces(own) + 2 * self.pieces(other)).to_bytes(34, "little"))


def _turn_points(points: list[Point]) -> list[tuple[Point, ...]]:
    """Return what becomes of points when the board is turned or mirrored in its eight ways."""
    around = [[(y, x) for y in (i, 4 - i) for x in (j, 4 - j)] for i, j in points]
    return list(zip(*(four + [(x, y) for y, x in four] for four in around), strict=True))


def _numbering(pieces: list[tuple[Point, ...]], bits: int) -> Callable[[int], int]:
    """Return a function that tells what stones (a mask) with the digit 1 add to the numbers of all pieces.

    The number of a piece has a digit in base 3 for each of its points, the first one lowest. The numbers of all pieces stand
    side by side in a single one, `bits` for each, so that one addition makes them all.
    """
    share = {1 << 6 * i + j: 0 for i, j in BOARD}
    for n, piece in enumerate(pieces):
        for k, (i, j) in enumerate(piece):
            share[1 << 6 * i + j] += 3**k << bits * n

    @lru_cache(REMEMBERED)
    def numbers(stones: int) -> int:
        return sum(number for bit, number in share.items() if bit & stones)

    return numbers
