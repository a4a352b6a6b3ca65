"""What a search works on besides positions, as a tuple of arrays that kernels take: the tree with its settings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.patterns.boards import cells
from kernels.patterns.playouts import MOST_TURNS
from kernels.patterns.replies import Replies, new_replies
from search.montecarlo.nodes import Nodes

Numbers = npt.NDArray[np.int64]
Factors = npt.NDArray[np.float64]

MOST_DEPTH = 128
"""Moves from the root down; below, games go on at random."""

USED, DONE, THRESHOLD, AMAF, GNUGO, TIE_WINNER, REPLYING = range(7)
"""Facts: rows in use; simulations so far; visits after which a node gets children; whether moves played later count; whether
nodes are chosen as in GNU Go; who wins where the points are equal, 1, 2, or 0 for nobody; whether last good replies count."""
KOMI, EQUIVALENCE, URGE, PRIOR, PRIOR_OF_PASS, SPREAD = range(6)
"""Factors: komi; two of `selection.rave_child`; as how many games the guess of a move, and of a pass, counts; by how much
weights move a guess, see `guesses`, 0 if nothing is to be guessed."""


class Space(NamedTuple):
    """Of one tree. nodes, facts, factors: see above and `nodes`."""

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
    """By 3 * point + colour: how often a move in the tree was made by who then lost, see `selection.gnugo_child`."""
    bounds: Factors
    """By depth: see `selection.gnugo_child`."""
    leads: Factors
    """By first move: Black's leads in all games, added up, and at 'cells' more how many games there were."""
    replies: Replies


SPACE = (
    "Tuple((int32[:, ::1], int64[::1], float64[::1], int64[::1], int64[::1], uint16[::1], int64[::1], int64[::1], "
    "float64[::1], float64[::1], uint16[::1]))"
)
"""The type of a space."""


def new_space(nodes: Nodes, facts: Numbers, factors: Factors, size: int) -> Space:
    """Return a space for boards of a size."""
    number = cells(size)
    return Space(
        nodes, facts, factors, np.zeros(MOST_DEPTH + 1, dtype=np.int64), np.zeros(MOST_DEPTH + MOST_TURNS, dtype=np.int64),
        np.zeros(MOST_TURNS, dtype=np.uint16), np.zeros(number, dtype=np.int64), np.zeros(3 * number, dtype=np.int64),
        np.zeros(MOST_DEPTH + 3, dtype=np.float64), np.zeros(2 * number, dtype=np.float64),
        new_replies(size),
    )  # fmt: skip
