"""Where a search writes: all of it, apart from the table, lies in one array of int64, its `space`.

numba passes one flat array faster than several, and views of rows would be counted references. The first places are the
settings and counters of the search; then comes one row for every number of moves left, 0 to 24, for the position the search
stands at there; then room for the groups of positions that are only looked at.

    row       what is known of the position     KEY to OTHERS
              history, by point of the move     HISTORY, 26 places
              groups of the player to move      OWN_GROUPS, of the opponent OTHER_GROUPS: (group, liberties), up to 13 each
              moves                             MOVES, COLUMNS places each, up to 26
"""

from __future__ import annotations

import numpy as np

from kernels.entries import kernel
from kernels.indices import nth
from search.smallboards import Ints

# The game (its points, whether it knows passing, its size), the binary logarithm of the table's buckets, from how many
# moves left symmetric positions count as one, the limit of nodes, the nodes counted so far, and whether to stop.
FULL, PASSING, SIZE, BITS, SYMMETRIC, LIMIT, NODES, STOP = range(8)
_ROWS = 16

# OWNS, OTHERS: where the lists of groups end.
KEY, WANTED, LOW, HIGH, BEST, NUMBER, TRIED, BEFORE, MARK, OWNS, OTHERS = range(11)
HISTORY, OWN_GROUPS, OTHER_GROUPS, MOVES = 12, 40, 68, 96
_ROW = 288
# Of a move: its point, the position after it as the next player sees it, how promising it is, its key in the table.
MOVE, OWN, OTHER, KO, SCORE, AFTER, COLUMNS = range(7)

PASS_MOVE = 25

SCRATCH = _ROWS + 25 * _ROW
OTHER_SCRATCH = SCRATCH + 32
_END = OTHER_SCRATCH + 32


def new_space() -> Ints:
    """Return what one search needs to work in, all zero; the caller fills in its first places."""
    return np.zeros(_END, dtype=np.int64)


@kernel
def row_of(left: int) -> int:
    """Return where the row for a number of moves left begins."""
    return _ROWS + left * _ROW


@kernel
def swap(space: Ints, one: int, two: int) -> None:
    """Exchange two moves."""
    for column in range(COLUMNS):
        kept = space[nth(one + column)]
        space[nth(one + column)] = space[nth(two + column)]
        space[nth(two + column)] = kept
