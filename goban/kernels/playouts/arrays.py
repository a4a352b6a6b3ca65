"""Boards of any size from 2 to 19 as flat arrays, with strings and liberties kept up to date stone by stone.

A *board* is one row of `WORDS` numbers (uint16), so copying a row copies the position and many games are one 2-D array:

    0 .. 23            single facts: the constants SIZE to LIMIT below
    COLOUR + p         what is on a point, as flags: BLACK 1, WHITE 2, EMPTY 4, OFF 0 (the frame)
    STRING + p         the head of the string a stone belongs to; an empty point is its own
    NEXT + p           the next stone of the same string, in a circle
    PLACE + p          where an empty point stands in the list of empty points
    EMPTIES + k        the list of empty points, k < board[COUNT], in no particular order
    LIBERTIES + head   the string's pseudo-liberties: an empty point counts once for each stone of the string next to it
    STONES + head      the string's number of stones

A point p is `STRIDE * (i + 1) + j + 1` on every size of board, so the steps to its neighbours are constants; 0 is no point.
Pseudo-liberties are zero exactly when liberties are. That is all the rules ask for, and it costs one addition per neighbour
(as in Lew's libego). At points without a stone LIBERTIES is scratch, kept from running below zero.

`hashes` (uint64) belongs to a board: the board's Zobrist hash, then by head the hash of each string, then from SEEN on the
set of situations that have stood, where the rules ask for it. `keys` are the Zobrist keys of the size, by point and colour.

All numbers are read from a board with `at`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of, stone_keys
from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.compile import inlined, kernel

Board = npt.NDArray[np.uint16]
Hashes = npt.NDArray[np.uint64]

STRIDE = 20
CELLS = 424
"""At least the 21 rows of STRIDE points, and one point diagonally after the last."""

SIZE, TO_MOVE, N_MOVE, COUNT, CAPTURED, KO, LAST, PASSED, ENDING, WINNER = range(10)
"""Size; 1 or 2; moves played; empty points; stones the last move captured; the point where retaking them is banned, or 0;
the last move's point, 0 for a pass; whether a pass would end the game; and the `goban.kernels.playouts.array_rules.ENDINGS`
code with the winner where the points do not decide."""
PASSING, REPETITION, ON_REPEAT, AREA, LIMIT = range(10, 15)
"""The rules, as `goban.kernels.playouts.array_rules.new_board` writes them; LIMIT 0 is none."""

COLOUR, STRING, NEXT, PLACE, EMPTIES, LIBERTIES, STONES = (24 + CELLS * n for n in range(7))
WORDS = 24 + CELLS * 7

OFF, BLACK, WHITE, EMPTY = 0, 1, 2, 4
_SCRATCH = 8

BOARD_HASH, STRING_HASH, SEEN = 0, 1, 1 + CELLS


def point_of(i: int, j: int) -> int:
    """Return the point of a row and a column."""
    return STRIDE * (i + 1) + j + 1


def pair_of(point: int) -> tuple[int, int]:
    """Return (row, column) of a point."""
    return int(point) // STRIDE - 1, int(point) % STRIDE - 1


def empty_board(size: int) -> Board:
    """Return a board without stones, Black to move, and no rules written into it; BadBoardError outside 2..19."""
    board = np.zeros(WORDS, dtype=np.uint16)
    board[SIZE], board[TO_MOVE] = size, BLACK
    cells = np.arange(CELLS)
    board[STRING + cells], board[NEXT + cells], board[STONES + cells], board[LIBERTIES + cells] = cells, cells, 1, _SCRATCH
    points = np.array([point_of(i, j) for i, j in grid_of(size).points])
    board[COLOUR + points] = EMPTY
    board[PLACE + points] = np.arange(len(points))
    board[EMPTIES : EMPTIES + len(points)] = points
    board[COUNT] = len(points)
    return board


def key_table(size: int) -> Hashes:
    """Return the keys of `goban.grids` for a size: `keys[CELLS * colour + point]`, colour 1 or 2."""
    grid = grid_of(size)
    keys = np.zeros(3 * CELLS, dtype=np.uint64)
    for colour, by_bit in stone_keys(size).items():
        for bit, key in by_bit.items():
            keys[CELLS * colour + point_of(*grid.point[bit])] = key
    return keys


@kernel
def at(board: Board, index: int) -> int:
    """Return a word of a board as a signed number."""
    return signed(board[index])


@kernel
def colours_around(board: Board, p: int) -> int:
    """Return the colours of the four neighbours of a point, as one set of flags."""
    vertical = at(board, p + (COLOUR - STRIDE)) | at(board, p + (COLOUR + STRIDE))
    return vertical | at(board, p + (COLOUR - 1)) | at(board, p + (COLOUR + 1))


@kernel
def _change(board: Board, q: int, by: int) -> None:
    """Add to the pseudo-liberties of what is on q; where no stone is that does no harm."""
    slot = at(board, q + STRING) + LIBERTIES
    board[slot] = at(board, slot) + by


@kernel
def _change_around(board: Board, p: int, by: int) -> None:
    _change(board, p - STRIDE, by)
    _change(board, p - 1, by)
    _change(board, p + 1, by)
    _change(board, p + STRIDE, by)


@kernel
def _saves(board: Board, q: int, own: int, same: int) -> bool:
    """Tell whether a neighbour, which meets the point `same` times, lets a stone there live: an own string with other
    liberties, or an opposing one without."""
    colour = at(board, q + COLOUR)
    alive = at(board, at(board, q + STRING) + LIBERTIES) != same
    return (colour != OFF) & ((colour == own) == alive)


@kernel
def is_alive(board: Board, p: int, own: int) -> bool:
    """Tell whether a stone on p, an empty point without empty neighbours, would have a liberty, captures counted in.

    Without branches: which neighbours are one string is nothing a processor could guess.
    """
    one, two = at(board, p - STRIDE + STRING), at(board, p - 1 + STRING)
    three, four = at(board, p + 1 + STRING), at(board, p + STRIDE + STRING)
    first, second, third = one == two, one == three, one == four
    fourth, fifth, sixth = two == three, two == four, three == four
    alive = _saves(board, p - STRIDE, own, 1 + first + second + third)
    alive |= _saves(board, p - 1, own, 1 + first + fourth + fifth)
    alive |= _saves(board, p + 1, own, 1 + second + fourth + sixth)
    return alive | _saves(board, p + STRIDE, own, 1 + third + fifth + sixth)


@kernel
def is_eye(board: Board, p: int, own: int) -> bool:
    """Tell whether p, whose neighbours are known to be own stones, is an eye as `goban.grids.Grid.is_eye` has it."""
    missing, edge = 0, False
    for q in (p - STRIDE - 1, p - STRIDE + 1, p + STRIDE - 1, p + STRIDE + 1):
        colour = at(board, q + COLOUR)
        if colour == OFF:
            edge = True
        elif colour != own:
            missing += 1
    return missing == 0 or (missing == 1 and not edge)


@kernel
def _doomed(board: Board, hashes: Hashes, q: int, other: int) -> np.uint64:
    """Return the hash of the opposing string on q if it has no liberty left, else 0."""
    if at(board, q + COLOUR) != other:
        return np.uint64(0)
    head = at(board, q + STRING)
    string: np.uint64 = hashes[head + STRING_HASH]
    return string if at(board, head + LIBERTIES) == 0 else np.uint64(0)


@kernel
def hash_after(board: Board, hashes: Hashes, keys: Hashes, p: int, own: int) -> np.uint64:
    """Return the board's hash after an own stone on the empty point p and what it captures."""
    other = BLACK + WHITE - own
    after: np.uint64 = hashes[BOARD_HASH] ^ keys[p + CELLS * own]
    if colours_around(board, p) & other == 0:
        return after
    _change_around(board, p, -1)
    one, two = _doomed(board, hashes, p - STRIDE, other), _doomed(board, hashes, p - 1, other)
    three, four = _doomed(board, hashes, p + 1, other), _doomed(board, hashes, p + STRIDE, other)
    _change_around(board, p, 1)
    # A string that touches p twice counts once. (Equal hashes of different strings: one in 2**64.)
    if two != one:
        after ^= two
    if three != one and three != two:
        after ^= three
    if four != one and four != two and four != three:
        after ^= four
    return after ^ one


@kernel
def _take_from_empties(board: Board, p: int) -> None:
    count = at(board, COUNT) - 1
    moved, slot = at(board, count + EMPTIES), at(board, p + PLACE)
    board[slot + EMPTIES] = moved
    board[moved + PLACE] = slot
    board[COUNT] = count


@kernel
def put_aside(board: Board, slot: int, last: int) -> None:
    """Swap two entries of the list of empty points."""
    p, q = at(board, slot + EMPTIES), at(board, last + EMPTIES)
    board[slot + EMPTIES] = q
    board[q + PLACE] = slot
    board[last + EMPTIES] = p
    board[p + PLACE] = last


@kernel
def _join(board: Board, hashes: Hashes, p: int, q: int, own: int) -> None:
    """Make one string of those on p and q, if q holds an own stone; the smaller one is renamed."""
    if at(board, q + COLOUR) != own:
        return
    big, small = at(board, p + STRING), at(board, q + STRING)
    if big == small:
        return
    if at(board, big + STONES) < at(board, small + STONES):
        big, small = small, big
    board[big + LIBERTIES] = at(board, big + LIBERTIES) + at(board, small + LIBERTIES)
    board[big + STONES] = at(board, big + STONES) + at(board, small + STONES)
    hashes[big + STRING_HASH] ^= hashes[small + STRING_HASH]
    stone, last = small, small
    while True:
        board[stone + STRING] = big
        last = stone
        stone = at(board, stone + NEXT)
        if stone == small:
            break
    board[last + NEXT] = board[big + NEXT]
    board[big + NEXT] = small


@kernel
def _capture(board: Board, hashes: Hashes, q: int, other: int) -> None:
    """Remove the string on q, if it is the opponent's and without a liberty; its points go to the end of the empty ones."""
    if at(board, q + COLOUR) != other:
        return
    head = at(board, q + STRING)
    if at(board, head + LIBERTIES) != 0:
        return
    hashes[BOARD_HASH] ^= hashes[head + STRING_HASH]
    count, stone = at(board, COUNT), head
    while True:
        after = at(board, stone + NEXT)
        board[stone + COLOUR], board[stone + STRING], board[stone + NEXT] = EMPTY, stone, stone
        board[stone + STONES], board[stone + LIBERTIES] = 1, _SCRATCH
        board[stone + PLACE] = count
        board[count + EMPTIES] = stone
        count += 1
        _change_around(board, stone, 1)
        stone = after
        if stone == head:
            break
    board[COUNT] = count


@inlined
def place(board: Board, hashes: Hashes, keys: Hashes, p: int, own: int) -> None:
    """Put an own stone on p, where it is known to live, and remove what it captures; sets COUNT, CAPTURED, KO and LAST.

    The captured points are the last CAPTURED entries of the list of empty points.
    """
    around, other = colours_around(board, p), BLACK + WHITE - own
    _take_from_empties(board, p)
    before = at(board, COUNT)
    board[p + COLOUR] = own
    _change_around(board, p, -1)
    free = at(board, p + (COLOUR - STRIDE)) >> 2
    free += at(board, p + (COLOUR - 1)) >> 2
    free += at(board, p + (COLOUR + 1)) >> 2
    free += at(board, p + (COLOUR + STRIDE)) >> 2
    board[p + LIBERTIES] = free
    key = keys[p + CELLS * own]
    hashes[p + STRING_HASH] = key
    hashes[BOARD_HASH] ^= key
    if around & own != 0:
        _join(board, hashes, p, p - STRIDE, own)
        _join(board, hashes, p, p - 1, own)
        _join(board, hashes, p, p + 1, own)
        _join(board, hashes, p, p + STRIDE, own)
    board[KO] = 0
    if around & other != 0:
        _capture(board, hashes, p - STRIDE, other)
        _capture(board, hashes, p - 1, other)
        _capture(board, hashes, p + 1, other)
        _capture(board, hashes, p + STRIDE, other)
        # Retaking restores the board only if it takes this one stone, which then stands alone, back with one stone.
        if at(board, COUNT) == before + 1 and around & (own | EMPTY) == 0:
            board[KO] = board[before + EMPTIES]
    board[CAPTURED] = at(board, COUNT) - before
    board[LAST] = p
