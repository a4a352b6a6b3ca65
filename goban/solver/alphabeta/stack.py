"""Where a search writes: all of it, apart from the table, lies in two arrays of int64, its `space` and its `common`.

numba passes one flat array faster than several, and views of rows would be counted references. Every thread has a space. The
first places are the settings and counters of the search; then comes one row for every number of moves left, 0 to 24, for the
position the search stands at there; then room for what is only looked at: groups, or the positions after the moves, turned.

    row       what is known of the position     KEY to WHICH
              groups of the player to move      OWN_GROUPS, of the opponent OTHER_GROUPS: (group, liberties), up to 13 each
              order of the moves                ORDER: (score << 5) + number of the move, those tried first
              moves by number, up to 26         MOVES: BIT, OWN, ... one list each

The lists are read and written eight places at a time, so up to eight more than there are moves.

Threads that search the same position share `common`: MARKS places to note what they are at, then the history (see
`goban.solver.alphabeta.moves`) by number of moves left and point.
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import kernel
from goban.solver.alphabeta.boards import Ints, index

# The game (its points, whether it knows passing, its size), the binary logarithm of the table's buckets, from how many
# moves left symmetric positions count as one, the limit of nodes, the nodes counted so far, and whether to stop.
FULL, PASSING, SIZE, BITS, SYMMETRIC, LIMIT, NODES, STOP = range(8)
_ROWS = 16

# OWNS, OTHERS: where the lists of groups end. MINE, THEIRS: the stones of the player to move and of the opponent.
# CAPTURING: the points where the player to move captures. WHICH: the symmetry under which the table knows the position.
KEY, WANTED, LOW, HIGH, BEST, NUMBER, TRIED, BEFORE, MARK, OWNS, OTHERS, MINE, THEIRS, CAPTURING, WHICH = range(15)
OWN_GROUPS, OTHER_GROUPS, ORDER, MOVES = 15, 43, 71, 105
# Of a move: its point as a mask, 0 for a pass; the position after it as the next player sees it; its key in the table;
# whether it surely fails, -1 or 0.
BIT, OWN, OTHER, KO, AFTER, HOPELESS = range(0, 6 * 34, 34)
_ROW = MOVES + 6 * 34

PASS_MOVE = 25

SCRATCH = _ROWS + 25 * _ROW
# Two lists: the boards after the moves, turned so that they are least.
LEAST_OWN, LEAST_OTHER = SCRATCH, SCRATCH + 34
_END = SCRATCH + 2 * 34

MARKS = 4096
_HISTORY = 32


def new_space() -> Ints:
    """Return what one search needs to work in, all zero; the caller fills in its first places."""
    return np.zeros(_END, dtype=np.int64)


def new_common() -> Ints:
    """Return what threads that search the same position share, all zero."""
    return np.zeros(MARKS + 25 * _HISTORY, dtype=np.int64)


@kernel
def history_of(left: int) -> int:
    """Return where in `common` the history for a number of moves left begins; one place for every point and the pass."""
    return MARKS + left * _HISTORY


@kernel
def point_of(bit: int) -> int:
    """Return the point of a move, PASS_MOVE for a pass."""
    bit |= 1 << PASS_MOVE
    return index(bit & -bit)


@kernel
def row_of(left: int) -> int:
    """Return where the row for a number of moves left begins."""
    return _ROWS + left * _ROW


@kernel
def entry_of(score: int, number: int) -> int:
    """Return what stands in a row's order for a move."""
    return (score << 5) + number


@kernel
def score_of(entry: int) -> int:
    """Return how promising the move of an entry is."""
    return entry >> 5


@kernel
def place_of(row: int, entry: int) -> int:
    """Return where a move is written, from its entry in a row's order or from its number."""
    return row + MOVES + (entry & 31)


@kernel
def try_only(space: Ints, row: int, number: int) -> None:
    """Note a move as the one tried last, with none before it."""
    space[nth(row + ORDER)] = entry_of(0, number)
    space[nth(row + TRIED)] = 1
