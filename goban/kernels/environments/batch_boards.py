"""The boards of a batch: the rules of `goban.kernels.playouts.array_rules` on boards that take little room.

A batch may hold thousands of games, and memory hands out its bytes by 64: what a step touches stands together. A *board* is a
row of numbers (uint16), 376 bytes at 5x5, 920 at 9x9, 3,400 at 19x19:

    0 .. 15            single facts: the constants SIZE to FILTER below
    p + OWNER          the head of a point's string, an empty point being its own, and from bit COLOUR on what is on it
    p + NEXT           the next stone of the same string, in a circle
    p + LIBERTIES      of a head: the string's pseudo-liberties, as in `goban.kernels.playouts.arrays`; elsewhere scratch
    p + STONES         of a head: how many stones the string has

A point p is `FIRST + 4 * (stride * (i + 1) + j + 1)` with a stride of size + 1, so that one column of the frame serves the rows
on its left and on its right. What is kept elsewhere of a point has the index `p >> 2`. There is no list of empty points, as the
batch has them as bits, and no hash of a string, which is computed when it is captured.

The *past* of a game (uint64): the board's Zobrist hash, how many situations have stood, then, where the rules ask for it, a
filter of FILTER words with a bit for each of them, which nearly always knows the answer, and the situations in turn.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.grids import WHITE_TO_MOVE, grid_of, stone_keys
from goban.kernels.environments.observations import clear_bit, set_bit
from goban.kernels.numba_tools.bits import Words, signed
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.playouts import arrays
from goban.kernels.playouts.array_rules import MOVE_LIMIT, REPEATED, TWO_PASSES
from goban.kernels.playouts.array_rules import new_board as new_array_board
from goban.kernels.playouts.arrays import BLACK, EMPTY, OFF, WHITE, Board, at
from goban.rulesets import RuleSet

Keys = npt.NDArray[np.uint64]
Spots = npt.NDArray[np.uint16]

SIZE, DOWN, KO, PASSED, PASSING, REPETITION, ON_REPEAT, AREA, LIMIT, FILTER = range(10)
"""Size; the step to the point below; the point where retaking a stone is banned, or 0; whether a pass would end the game; then
the rules as in `goban.kernels.playouts.arrays`, LIMIT being the most moves; and how many words the filter of the past has."""
FIRST = 16
RIGHT = 4
"""The step to the point on the right."""

OWNER, NEXT, LIBERTIES, STONES = range(4)
COLOUR = 12
MOST_WORDS = FIRST + RIGHT * (20 * 21 + 1)
"""How many numbers the largest board takes."""

HASH, NUMBER, SEEN = range(3)

SIMPLE_KO, POSITIONAL, NOTHING, MOVER_LOSES = 0, 1, 0, 1

_SCRATCH = 8
_MARKED = 8
_HEAD = (1 << COLOUR) - 1
_0, _1, _58 = (np.uint64(n) for n in (0, 1, 58))
_WHITE_TO_MOVE = np.uint64(WHITE_TO_MOVE)


def point_of(size: int, i: int, j: int) -> int:
    """Return the point of a row and a column."""
    return FIRST + RIGHT * ((size + 1) * (i + 1) + j + 1)


def new_board(rules: RuleSet, size: int) -> Board:
    """Return the empty board of a game; BadBoardError for a size outside 2..19, ValueError for rules that allow suicide."""
    start = new_array_board(rules, size)
    board = np.zeros(FIRST + RIGHT * ((size + 1) * (size + 2) + 1), dtype=np.uint16)
    board[SIZE], board[DOWN] = size, RIGHT * (size + 1)
    for mine, theirs in (
        (PASSING, arrays.PASSING), (REPETITION, arrays.REPETITION), (ON_REPEAT, arrays.ON_REPEAT), (AREA, arrays.AREA),
        (LIMIT, arrays.LIMIT),
    ):  # fmt: skip
        board[mine] = start[theirs]
    board[FILTER] = filter_words(rules, size)
    cells = np.arange(FIRST, len(board), RIGHT)
    board[cells + OWNER], board[cells + NEXT], board[cells + STONES], board[cells + LIBERTIES] = cells, cells, 1, _SCRATCH
    for i, j in grid_of(size).points:
        board[point_of(size, i, j)] |= EMPTY << COLOUR
    return board


def filter_words(rules: RuleSet, size: int) -> int:
    """Return how many words the filter of a past takes: eight bits or more for each move, a power of two; 0 without a past."""
    return 1 << ((rules.max_move(size) or 0) // 8).bit_length() if rules.needs_history else 0


def past_words(rules: RuleSet, size: int) -> int:
    """Return how many words the past of a game takes."""
    words = filter_words(rules, size)
    return SEEN + words + ((rules.max_move(size) or 0) if words else 0)


def key_table(size: int) -> Keys:
    """Return the keys of `goban.grids` for a size, `keys[colour, p >> 2]`."""
    grid = grid_of(size)
    keys = np.zeros((3, point_of(size, size, 0) >> 2), dtype=np.uint64)
    for colour, by_bit in stone_keys(size).items():
        for bit, key in by_bit.items():
            keys[colour, point_of(size, *grid.point[bit]) >> 2] = key
    return keys


# Points and strings


@kernel
def colour_on(board: Board, p: int) -> int:
    """Return what is on a point: BLACK, WHITE, EMPTY or OFF."""
    return at(board, p + OWNER) >> COLOUR


@kernel
def head_of(board: Board, p: int) -> int:
    """Return the head of a stone's string."""
    return at(board, p + OWNER) & _HEAD


@kernel
def colours_around(board: Board, p: int) -> int:
    """Return the colours of the four neighbours of a point, as one set of flags."""
    down = at(board, DOWN)
    beside = at(board, p - RIGHT + OWNER) | at(board, p + RIGHT + OWNER)
    return (beside | at(board, p - down + OWNER) | at(board, p + down + OWNER)) >> COLOUR


@kernel
def _change(board: Board, q: int, by: int) -> None:
    """Add to the pseudo-liberties of what is on q; where no stone is that does no harm."""
    slot = head_of(board, q) + LIBERTIES
    board[slot] = at(board, slot) + by


@kernel
def _change_around(board: Board, p: int, by: int) -> None:
    down = at(board, DOWN)
    _change(board, p - down, by)
    _change(board, p - RIGHT, by)
    _change(board, p + RIGHT, by)
    _change(board, p + down, by)


@kernel
def _saves(board: Board, owner: int, own: int, same: int) -> bool:
    """Tell whether a neighbour, which meets the point `same` times, lets a stone there live."""
    colour = owner >> COLOUR
    alive = at(board, (owner & _HEAD) + LIBERTIES) != same
    return (colour != OFF) & ((colour == own) == alive)


@kernel
def is_alive(board: Board, p: int, own: int) -> bool:
    """Tell whether a stone on p, an empty point without empty neighbours, would have a liberty, captures counted in."""
    down = at(board, DOWN)
    one, two = at(board, p - down + OWNER), at(board, p - RIGHT + OWNER)
    three, four = at(board, p + RIGHT + OWNER), at(board, p + down + OWNER)
    first, second, third = one == two, one == three, one == four
    fourth, fifth, sixth = two == three, two == four, three == four
    alive = _saves(board, one, own, 1 + first + second + third)
    alive |= _saves(board, two, own, 1 + first + fourth + fifth)
    alive |= _saves(board, three, own, 1 + second + fourth + sixth)
    return alive | _saves(board, four, own, 1 + third + fifth + sixth)


@kernel
def is_eye(board: Board, p: int, own: int) -> bool:
    """Tell whether p, whose neighbours are known to be own stones, is an eye as `goban.grids.Grid.is_eye` has it."""
    missing, edge, down = 0, False, at(board, DOWN)
    for q in (p - down - RIGHT, p - down + RIGHT, p + down - RIGHT, p + down + RIGHT):
        colour = colour_on(board, q)
        if colour == OFF:
            edge = True
        elif colour != own:
            missing += 1
    return missing == 0 or (missing == 1 and not edge)


# What has stood


@kernel
def has_stood(board: Board, past: Words, after: np.uint64, to_move: int, either: bool) -> bool:
    """Tell whether a board of this hash has stood with this player to move, or, if `either`, with any."""
    words = at(board, FILTER)
    if past[SEEN + signed(after & np.uint64(words - 1))] >> (after >> _58) & _1 == _0:
        return False
    now = situation_of(after, to_move)
    also = now ^ _WHITE_TO_MOVE if either else now
    found = False
    for k in range(SEEN + words, SEEN + words + signed(past[NUMBER])):
        found |= (past[k] == now) | (past[k] == also)
    return found


@kernel
def _remember(board: Board, past: Words, to_move: int) -> None:
    """Enter the board with the player to move into the past."""
    words, after, number = at(board, FILTER), past[HASH], signed(past[NUMBER])
    past[SEEN + signed(after & np.uint64(words - 1))] |= _1 << (after >> _58)
    past[SEEN + words + number] = situation_of(after, to_move)
    past[NUMBER] = number + 1


@kernel
def situation_of(board_hash: np.uint64, to_move: int) -> np.uint64:
    """Return the hash of a board with the player to move."""
    return board_hash ^ _WHITE_TO_MOVE if to_move == WHITE else board_hash


# Moves


@kernel
def _doomed(board: Board, keys: Keys, owner: int, other: int) -> np.uint64:
    """Return the hash of the opposing string with this owner if it has no liberty left, else 0."""
    found: np.uint64 = _0
    head = owner & _HEAD
    if owner >> COLOUR != other or at(board, head + LIBERTIES) != 0:
        return found
    stone = head
    while True:
        found ^= keys[other, stone >> 2]
        stone = at(board, stone + NEXT)
        if stone == head:
            return found


@kernel
def _hash_after(board: Board, past: Words, keys: Keys, p: int, own: int) -> np.uint64:
    """Return the board's hash after an own stone on the empty point p and what it captures."""
    other, down = BLACK + WHITE - own, at(board, DOWN)
    after: np.uint64 = past[HASH] ^ keys[own, p >> 2]
    if colours_around(board, p) & other == 0:
        return after
    one, two = at(board, p - down + OWNER), at(board, p - RIGHT + OWNER)
    three, four = at(board, p + RIGHT + OWNER), at(board, p + down + OWNER)
    _change_around(board, p, -1)
    after ^= _doomed(board, keys, one, other)
    # A string that touches p twice counts once.
    if two != one:
        after ^= _doomed(board, keys, two, other)
    if three not in (one, two):
        after ^= _doomed(board, keys, three, other)
    if four not in (one, two, three):
        after ^= _doomed(board, keys, four, other)
    _change_around(board, p, 1)
    return after


@inlined
def may_place(board: Board, past: Words, keys: Keys, p: int, own: int) -> bool:
    """Tell whether a player may place on the empty point p, whether or not the game is over."""
    if colours_around(board, p) & EMPTY == 0:
        # The ko point has no empty neighbour.
        if at(board, REPETITION) == SIMPLE_KO and p == at(board, KO):
            return False
        if not is_alive(board, p, own):
            return False
    if at(board, REPETITION) == SIMPLE_KO:
        return True
    after = _hash_after(board, past, keys, p, own)
    return not has_stood(board, past, after, BLACK + WHITE - own, at(board, REPETITION) == POSITIONAL)


@kernel
def _join(board: Board, p: int, q: int, own: int) -> None:
    """Make one string of those on p and q, if q holds an own stone; the smaller one is renamed."""
    if colour_on(board, q) != own:
        return
    big, small = head_of(board, p), head_of(board, q)
    if big == small:
        return
    if at(board, big + STONES) < at(board, small + STONES):
        big, small = small, big
    board[big + LIBERTIES] = at(board, big + LIBERTIES) + at(board, small + LIBERTIES)
    board[big + STONES] = at(board, big + STONES) + at(board, small + STONES)
    stone, last = small, small
    while True:
        board[stone + OWNER] = own << COLOUR | big
        last = stone
        stone = at(board, stone + NEXT)
        if stone == small:
            break
    board[last + NEXT] = board[big + NEXT]
    board[big + NEXT] = small


@kernel
def _capture(
    board: Board, past: Words, keys: Keys, q: int, other: int, cells: Spots, spots: Spots, view: Words, empties: Words
) -> int:
    """Remove the string on q, if it is the opponent's and without a liberty; return how many stones that were."""
    head = head_of(board, q)
    if colour_on(board, q) != other or at(board, head + LIBERTIES) != 0:
        return 0
    number, stone = 0, head
    while True:
        after = at(board, stone + NEXT)
        board[stone + OWNER], board[stone + NEXT] = EMPTY << COLOUR | stone, stone
        board[stone + LIBERTIES], board[stone + STONES] = _SCRATCH, 1
        _change_around(board, stone, 1)
        past[HASH] ^= keys[other, stone >> 2]
        clear_bit(view, signed(spots[stone >> 2]))
        set_bit(empties, signed(cells[stone >> 2]))
        number += 1
        stone = after
        if stone == head:
            return number


@inlined
def place(
    board: Board, past: Words, keys: Keys, p: int, own: int, cells: Spots, spots: Spots, view: Words, empties: Words
) -> None:
    """Put an own stone on p, where it is known to live, and remove what it captures; sets KO.

    view, empties: of the board, in which what changes is written; the view is the other player's already.
    """
    around, other, down = colours_around(board, p), BLACK + WHITE - own, at(board, DOWN)
    board[p + OWNER] = own << COLOUR | p
    past[HASH] ^= keys[own, p >> 2]
    _change_around(board, p, -1)
    free = (colour_on(board, p - down) >> 2) + (colour_on(board, p - RIGHT) >> 2)
    board[p + LIBERTIES] = free + (colour_on(board, p + RIGHT) >> 2) + (colour_on(board, p + down) >> 2)
    if around & own != 0:
        _join(board, p, p - down, own)
        _join(board, p, p - RIGHT, own)
        _join(board, p, p + RIGHT, own)
        _join(board, p, p + down, own)
    ko = 0
    if around & other != 0:
        taken = 0
        for q in (p - down, p - RIGHT, p + RIGHT, p + down):
            number = _capture(board, past, keys, q, other, cells, spots, view, empties)
            taken += number
            ko = q if number == 1 else ko
        # Retaking restores the board only if it takes this one stone, which then stands alone, back with one stone.
        if taken != 1 or around & (own | EMPTY) != 0:
            ko = 0
    board[KO] = ko


@kernel
def end_move(board: Board, past: Words, own: int, p: int, moves: int) -> int:
    """Finish a placement on p, or a pass if p is 0; return why the game is over, 0 if it is not. moves: this one included."""
    other, ending, repeat = BLACK + WHITE - own, 0, at(board, ON_REPEAT)
    if at(board, REPETITION) != SIMPLE_KO or repeat != NOTHING:
        if p != 0 and repeat != NOTHING and has_stood(board, past, past[HASH], other, True):
            ending = REPEATED
        _remember(board, past, other)
    if p == 0:
        board[KO] = 0
        ending = TWO_PASSES if at(board, PASSED) != 0 else 0
    board[PASSED] = p == 0
    if ending == 0 and moves >= at(board, LIMIT):
        ending = MOVE_LIMIT
    return ending


# Points


@kernel
def points_of(board: Board) -> tuple[int, int]:
    """Return Black's and White's points, stones or area as the rules count, komi not included."""
    size, down, black, white = at(board, SIZE), at(board, DOWN), 0, 0
    first = FIRST + down + RIGHT
    for row in range(first, first + down * size, down):
        for p in range(row, row + RIGHT * size, RIGHT):
            colour = colour_on(board, p)
            if colour == EMPTY and at(board, AREA) != 0:
                region, border = _region(board, p)
                black += region if border == BLACK else 0
                white += region if border == WHITE else 0
            black += colour & 1
            white += colour >> 1 & 1
    for p in range(FIRST, FIRST + down * (size + 2), RIGHT):
        if colour_on(board, p) >= _MARKED:
            board[p + OWNER] = EMPTY << COLOUR | p
    return black, white


@kernel
def _region(board: Board, p: int) -> tuple[int, int]:
    """Return (size, colours at the border) of the empty region around p, whose points are left marked.

    The points still to be looked at are chained by NEXT, for which an empty point has no other use.
    """
    size, border, last, down = 0, 0, p, at(board, DOWN)
    board[p + OWNER] = _MARKED << COLOUR | p
    board[p + NEXT] = 0
    while last != 0:
        point = last
        last = at(board, point + NEXT)
        board[point + NEXT] = point
        size += 1
        for step in (-down, -RIGHT, RIGHT, down):
            q = point + step
            colour = colour_on(board, q)
            if colour == EMPTY:
                board[q + OWNER] = _MARKED << COLOUR | q
                board[q + NEXT] = last
                last = q
            else:
                border |= colour & (BLACK | WHITE)
    return size, border
