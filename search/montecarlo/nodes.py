"""The nodes of a search tree as rows of one array, and what a row holds.

A *node* stands for a position that a move has led to. Its row tells of the move and of the games that went through it, as the
player sees them who made the move. The children of a node, one for each move that is looked at, are rows side by side.

    MOVE                      the point of `kernels.patterns.boards`, 0 for a pass
    FIRST, COUNT              the children's first row and their number; 0 while there are none
    VISITS, WINS              games through this node, and what they came to: UNIT for a win, half of it for a tie
    AMAF_VISITS, AMAF_WINS    the same for games in which this move was played later (all moves as first), and for the guess
                              that the node began with
    STATUS                    what is proven, and whether the children are all legal moves: the flags below

Rows are taken from the front; a tree that moves on is copied to another array, so that what is no longer needed goes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.numba_tools.entry_points import entry

Nodes = npt.NDArray[np.int32]

FIELDS = 8
MOVE, FIRST, COUNT, VISITS, WINS, AMAF_VISITS, AMAF_WINS, STATUS = range(FIELDS)

UNIT = 64
"""What a won game adds. With 32 bits there is room for 33 million games."""
MOST_VISITS = (2**31 - 1) // UNIT

WON, LOST, TIED = 1, 2, 4
"""Proven, for the player who made the move."""
PROVEN = WON | LOST | TIED
COMPLETE = 8
"""The children are all legal moves."""

PASS = 0
ROOT = 0
BYTES = 4 * FIELDS
"""Of a row."""


def new_nodes(rows: int) -> Nodes:
    """Return room for so many nodes, the root among them, which has no children."""
    nodes = np.empty((rows, FIELDS), dtype=np.int32)
    nodes[ROOT] = 0
    return nodes


@entry("int64(int32[:, ::1], int64, int32[:, ::1])")
def copy_subtree(source: Nodes, top: int, target: Nodes) -> int:
    """Copy a node, which becomes the root, and all below it as long as there is room; return how many rows were used."""
    for field in range(FIELDS):
        target[ROOT, field] = source[top, field]
    used, done = 1, 0
    while done < used:
        first, count = target[done, FIRST], target[done, COUNT]
        if used + count > len(target):
            target[done, FIRST] = target[done, COUNT] = count = 0
        elif count > 0:
            target[done, FIRST] = used
        for k in range(count):
            for field in range(FIELDS):
                target[used + k, field] = source[first + k, field]
        used += count
        done += 1
    return used
