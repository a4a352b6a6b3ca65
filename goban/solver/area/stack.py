"""Where a proof search writes: the limits and counters of the search, room for `life`, and a row for each level of the path.

    row       the position, its key and numbers, the limits within which it is searched
              its children: the point placed (0 for a pass), stones, ko ban, key, numbers, and the earliest level of the path
              that a refutation rests on
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.compile import inlined
from goban.solver.alphabeta.boards import Ints
from goban.solver.area.life import ROOM

WANTED, SUICIDE, TRUSTING, LIMIT, NODES, WIDTH, POINT, AGAIN = range(8)
"""The margin, whether suicide of several stones is allowed, whether refutations by repetition are trusted, nodes. For
`deepening`: how many moves are tried, the move that it found, and whether it finds one although the answer is known."""
SCRATCH = 8
GROUPS, LIBERTIES = SCRATCH + ROOM, SCRATCH + ROOM + 16
_ROWS = SCRATCH + ROOM + 32

MOST_LEVELS = 160
NO_ANCESTOR = 1 << 20
FROM_TABLE = -1
"""Stands for the level of an ancestor that is not known."""

P, O, KO, TURN, KEY, PROOF, DISPROOF, MOST_PROOF, MOST_DISPROOF, NUMBER, BEFORE, CHOSEN = range(12)  # noqa: E741
_CHILDREN = 32
BITS, PS, OS, KOS, KEYS, PROOFS, DISPROOFS, ANCESTORS = (16 + _CHILDREN * k for k in range(8))
WORTHS = PROOFS
_ROW = 16 + 8 * _CHILDREN


def new_space() -> Ints:
    """Return what one search needs to work in; the caller fills in its first places."""
    return np.zeros(_ROWS + (MOST_LEVELS + 1) * _ROW, dtype=np.int64)


@inlined
def row_of(level: int) -> int:
    """Return where the row of a level begins."""
    return _ROWS + level * _ROW
