"""Pattern boards: what a position is worth knowing for playouts by patterns, in two flat arrays that are kept stone by stone.

`board` (uint16) begins with single facts (SIZE to AREA below); then comes a record of RECORD numbers for each point:

    COLOUR      EMPTY, BLACK, WHITE or EDGE, as in the codes of `neighbourhoods`
    CODE        the code of the eight points around, as Black sees them
    STRING      the head of the string a stone belongs to; an empty point is its own; 0 beyond the edge
    NEXT        the next stone of the same string, in a circle
    STONES, LIBERTIES, KIND      of a head: how many, and both in short (`tables`); of an empty point KIND says so
    FIRST, SECOND                of a head with two liberties: these; with one: twice the same
    FACTS       of an empty point: what moves there do, of either player (`tables`)

`words` (uint64) begins with the board's hash, sums of weights and sets of points (HASH to SUMS); then for each point:

    the liberties of a head, a set        the weight of a move of Black there, and that of White, not counting nearness

A point is `(size + 1) * (i + 1) + j + 1`: between two rows there is one point of frame, and 0 is no point. Copying both
arrays copies the position. Numbers of points are read with `get` and single facts with `head`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of
from goban.kernels.numba_tools.bits import nth, signed
from goban.kernels.numba_tools.compile import kernel
from goban.kernels.patterns.neighbourhoods import EDGE, EMPTY, STEPS, Span, Words, span_of

Board = npt.NDArray[np.uint16]

SIZE, TO_MOVE, KO, CAPTURED, DEPTH, PASSES, LIMIT, PASSING, AREA = range(9)
"""Size; 1 or 2; the point that may not be retaken, or 0; stones the last move captured; moves and passes since the board was
made; passes in a row; the depth at which the rules end the game, 0 for none; whether they know passing; whether they count
area (else stones)."""

RECORD = 16
COLOUR, CODE, STRING, NEXT, STONES, LIBERTIES, KIND, FIRST, SECOND, FACTS = range(RECORD, RECORD + 10)

BLACK, WHITE = 1, 2

HASH = 0
TOTALS = 0
"""Black's and White's sums of weights lie at TOTALS + colour; nearness is not counted."""
NEAR_SUM, FAR_SUM = 3, 4
"""What the near points are worth to the player to move, and what the sums above have counted for them."""
EMPTIES, NEAR, STALE = 8, 16, 24
"""Sets: the empty points; the near ones; those whose facts are to be found anew, within a move."""
SUMS = 32
"""Black's and White's weights summed over blocks of neighbouring points, 32 sums each: at SUMS + 32 * (colour - 1)."""
SETS = 96
"""Where the records of points begin."""

EDGE_KIND, EMPTY_KIND = 0, 1


def cells(size: int) -> int:
    """Return how many points there are, the frame counted."""
    return (size + 2) * (size + 1) + 1


def point_of(i: int, j: int, size: int) -> int:
    """Return the point of a row and a column."""
    return (size + 1) * (i + 1) + j + 1


def pair_of(point: int, size: int) -> tuple[int, int]:
    """Return (row, column) of a point."""
    return int(point) // (size + 1) - 1, int(point) % (size + 1) - 1


@kernel
def head(board: Board, place: int) -> int:
    """Return a single fact."""
    return signed(board[nth(place)])


@kernel
def get(board: Board, p: int, field: int) -> int:
    """Return a number of a point's record."""
    return signed(board[nth(p * RECORD + field)])


@kernel
def put(board: Board, p: int, field: int, value: int) -> None:
    """Write a number of a point's record."""
    board[nth(p * RECORD + field)] = value


@kernel
def liberties_of(span: Span, p: int) -> int:
    """Return where the set of a string's liberties begins."""
    return SETS + p * (len(span) + 2)


@kernel
def weight_of(span: Span, p: int, colour: int) -> int:
    """Return where the weight of a move of a colour stands."""
    return SETS - 1 + len(span) + p * (len(span) + 2) + colour


@kernel
def sum_of(span: Span, p: int, colour: int) -> int:
    """Return where the sum of the weights of a point's block stands."""
    return SUMS - 32 + 32 * colour + (p >> block_bits(span))


@kernel
def block_bits(span: Span) -> int:
    """Return the logarithm of the number of points in a block."""
    return 3 if len(span) == 2 else 4


def new_arrays(size: int) -> tuple[Board, Words]:
    """Return (board, words) of the empty board, Black to move, without facts and weights; BadBoardError outside 2..19."""
    points = [point_of(i, j, size) for i, j in grid_of(size).points]
    span, number = span_of(size), cells(size)
    board = np.zeros(RECORD * (number + 1), dtype=np.uint16)
    board[SIZE], board[TO_MOVE] = size, BLACK
    record = RECORD * np.arange(number)
    board[COLOUR + record], board[KIND + record] = EDGE, EDGE_KIND
    for p in points:
        put(board, p, COLOUR, EMPTY)
        put(board, p, KIND, EMPTY_KIND)
        put(board, p, STRING, p)
    for p in points:
        code = sum(EDGE << 2 * k for k, q in enumerate(around(p, size)) if get(board, q, COLOUR) == EDGE)
        put(board, p, CODE, code)
    words = np.zeros(SETS + number * (len(span) + 2), dtype=np.uint64)
    words[EMPTIES : EMPTIES + len(span)] = set_of(points, span)
    return board, words


def around(p: int, size: int) -> list[int]:
    """Return the eight points around p, some of which may be frame, in the order of STEPS: first the four next to it."""
    return [p + row * (size + 1) + col for row, col in STEPS]


def set_of(points: Iterable[int], span: Span) -> Words:
    """Return a set of points as an array of its words."""
    mask = sum(1 << p for p in points)
    return np.array([mask >> 64 * k & 2**64 - 1 for k in range(len(span))], dtype=np.uint64)
