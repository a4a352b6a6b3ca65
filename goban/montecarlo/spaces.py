"""What a search works on besides positions, as a tuple of arrays that kernels take: the tree with its settings.

The nodes of a tree are rows of one array. A *node* stands for a position that a move has led to. Its row tells of the move and
of the games that went through it, as the player sees them who made the move. The children of a node, one for each move that is
looked at, are rows side by side.

    MOVE                      the point of `goban.kernels.patterns.boards`, 0 for a pass
    FIRST, COUNT              the children's first row and their number; 0 while there are none
    VISITS, WINS              games through this node, and what they came to: UNIT for a win, half of it for a tie
    AMAF_VISITS, AMAF_WINS    the same for games in which this move was played later (all moves as first), and for the guess
                              that the node began with
    STATUS                    what is proven, and whether the children are all legal moves: the flags below
    LIKELIHOOD                how likely the move was held to be before any game, WHOLE for certain: see `guesses`

Rows are taken from the front; a tree that moves on is copied to another array, so that what is no longer needed goes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import entry
from goban.kernels.patterns.boards import cells
from goban.kernels.patterns.playouts import MOST_TURNS, Replies, new_replies
from goban.montecarlo.guesses import MOST_FEATURES, terms

Nodes = npt.NDArray[np.int32]

FIELDS = 9
MOVE, FIRST, COUNT, VISITS, WINS, AMAF_VISITS, AMAF_WINS, STATUS, LIKELIHOOD = range(FIELDS)

WHOLE = 1 << 20
"""The likelihood of what is certain. What machines round differently beyond that does not count."""

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

Numbers = npt.NDArray[np.int64]
Factors = npt.NDArray[np.float64]

MOST_DEPTH = 128
"""Moves from the root down; below, games go on at random."""

USED, DONE, THRESHOLD, AMAF, GNUGO, TIE_WINNER, REPLYING, LAST_MOVE, MERCY = range(9)
"""Facts: rows in use; simulations so far; visits after which a node gets children; whether moves played later count; whether
nodes are chosen as in GNU Go; who wins where the points are equal, 1, 2, or 0 for nobody; whether last good replies count; the
point of the move before the root, 0 for none or a pass; by how many stones a player leads where a game at random is given up
for lost, 0 for never."""
KOMI, EQUIVALENCE, URGE, PRIOR, PRIOR_OF_PASS, SPREAD, HOPE = range(7)
"""Factors: komi; two of `simulations.rave_child`; as how many games the guess of a move, and of a pass, counts; by how much
what is known moves a guess, 0 if nothing is to be guessed; the last of `simulations.rave_child`."""

LEAST_EQUIVALENCE = 300
"""While fewer games went through the root; then it is their number, up to the factor."""


class Space(NamedTuple):
    """Of one tree. nodes, facts, factors: see above."""

    nodes: Nodes
    facts: Numbers
    factors: Factors
    path: Numbers
    """The nodes of the game that is simulated, from the root on."""
    record: Numbers
    """Its moves, as 4 * point + colour."""
    moves: npt.NDArray[np.uint16]
    """Those after the leaf, as points."""
    owners: Numbers
    """Who plays first on a point, in what is left of the game."""
    orders: Numbers
    """By 3 * point + colour: how often a move in the tree was made by who then lost, see `simulations.gnugo_child`."""
    bounds: Factors
    """By depth: see `simulations.gnugo_child`."""
    leads: Factors
    """By first move: Black's leads in all games, added up, and at 'cells' more how many games there were."""
    replies: Replies
    terms: Factors
    """The weights of features and shapes, see `guesses`."""
    noted: Numbers
    """Features of a move."""
    scores: Factors
    """Of the moves of a position, in the order of rows."""


SPACE = (
    "Tuple((int32[:, ::1], int64[::1], float64[::1], int64[::1], int64[::1], uint16[::1], int64[::1], int64[::1], "
    "float64[::1], float64[::1], uint16[::1], float64[::1], int64[::1], float64[::1]))"
)
"""The type of a space."""


def new_space(nodes: Nodes, facts: Numbers, factors: Factors, size: int) -> Space:
    """Return a space for boards of a size."""
    number = cells(size)
    return Space(
        nodes, facts, factors, np.zeros(MOST_DEPTH + 1, dtype=np.int64), np.zeros(MOST_DEPTH + MOST_TURNS, dtype=np.int64),
        np.zeros(MOST_TURNS, dtype=np.uint16), np.zeros(number, dtype=np.int64), np.zeros(3 * number, dtype=np.int64),
        np.zeros(MOST_DEPTH + 3, dtype=np.float64), np.zeros(2 * number, dtype=np.float64),
        new_replies(size), terms(), np.zeros(MOST_FEATURES, dtype=np.int64), np.zeros(size * size + 1, dtype=np.float64),
    )  # fmt: skip


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
