"""Where a search writes: all of it, apart from the table, lies in one array of int64, its `space`.

numba passes one flat array faster than several, and views of rows would be counted references. The first places are the
settings and counters of the search; then comes one row for every number of moves left, 0 to 24, for the position the search
stands at there; then room for the groups of positions that are only looked at, and for what `search.bounds` counts.

    row       what is known of the position     KEY to THEIRS
              history, by point of the move     HISTORY, 26 places
              groups of the player to move      OWN_GROUPS, of the opponent OTHER_GROUPS: (group, liberties), up to 13 each
              order of the moves                ORDER: (score << 5) + number of the move, those tried first
              moves by number                   MOVES, COLUMNS places each, up to 26
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

# OWNS, OTHERS: where the lists of groups end. MINE, THEIRS: the stones of the player to move and of the opponent.
KEY, WANTED, LOW, HIGH, BEST, NUMBER, TRIED, BEFORE, MARK, OWNS, OTHERS, MINE, THEIRS = range(13)
HISTORY, OWN_GROUPS, OTHER_GROUPS, ORDER, MOVES = 14, 40, 68, 96, 124
_ROW = 288
# Of a move: its point, the position after it as the next player sees it, its key in the table.
MOVE, OWN, OTHER, KO, AFTER, COLUMNS = range(6)

PASS_MOVE = 25

SCRATCH = _ROWS + 25 * _ROW
OTHER_SCRATCH = SCRATCH + 32
# What `search.bounds` counts: weak groups as (group, liberties), and up to 64 sets of them as (stones, liberties).
WEAK = OTHER_SCRATCH + 32
SETS = WEAK + 32
_END = SETS + 2 * (64 + 1)


def new_space() -> Ints:
    """Return what one search needs to work in, all zero; the caller fills in its first places."""
    return np.zeros(_END, dtype=np.int64)


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
    return row + MOVES + (entry & 31) * COLUMNS


@kernel
def bring_forward(space: Ints, row: int, number: int) -> None:
    """Exchange an entry of a row's order with the first."""
    kept = space[nth(row + ORDER)]
    space[nth(row + ORDER)] = space[nth(row + ORDER + number)]
    space[nth(row + ORDER + number)] = kept
