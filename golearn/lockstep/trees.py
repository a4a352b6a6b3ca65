"""Search trees of many games as arrays: entry [b, k] is node k of tree b, and node 0 is the root.

A node's numbers are as the player to move there sees them. Whose turn it is may change or not from a node to its child: a value
changes sign where the players differ. A node counts as visited once when it is made, with the value it was given then.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import njit

Floats = npt.NDArray[np.float64]
Logits = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

NONE = -1
ILLEGAL = float(np.finfo(np.float32).min)
"""The logit of an action that may not be played."""


class Trees(NamedTuple):
    """All arrays have the shape (trees, nodes), those of actions (trees, nodes, actions)."""

    logits: Logits
    """What the evaluator said, less its largest; ILLEGAL where nothing may be played."""
    priors: Logits
    """Their softmax."""
    children: npt.NDArray[np.int32]
    """The node an action leads to, or NONE."""
    parents: npt.NDArray[np.int32]
    values: Floats
    """What the evaluator, or the end of the game, said: -1 to 1."""
    sums: Floats
    """Of all values that were backed up, the node's own among them."""
    visits: npt.NDArray[np.int32]
    players: npt.NDArray[np.int8]
    over: Flags


class Leaves(NamedTuple):
    """New nodes: one for each of some trees."""

    trees: Indices
    parents: Indices
    """NONE for a root."""
    actions: Indices
    logits: Logits
    """Shape (leaves, actions), as the evaluator says them."""
    legal: Flags
    values: Floats
    players: npt.NDArray[np.int8]
    over: Flags


def empty_trees(trees: int, nodes: int, actions: int) -> Trees:
    """Return room for so many trees of so many nodes; the roots have yet to be attached."""
    each = (trees, nodes)
    return Trees(
        np.zeros((*each, actions), np.float32), np.zeros((*each, actions), np.float32),
        np.full((*each, actions), NONE, np.int32), np.full(each, NONE, np.int32), np.zeros(each), np.zeros(each),
        np.zeros(each, np.int32), np.zeros(each, np.int8), np.zeros(each, np.bool_),
    )  # fmt: skip


@njit
def attach(trees: Trees, leaves: Leaves, node: int) -> None:
    """Make the leaves node number `node` of their trees. Nothing is backed up."""
    for k in range(len(leaves.trees)):
        b = leaves.trees[k]
        trees.values[b, node], trees.players[b, node], trees.over[b, node] = leaves.values[k], leaves.players[k], leaves.over[k]
        trees.parents[b, node] = leaves.parents[k]
        if leaves.parents[k] != NONE:
            trees.children[b, leaves.parents[k], leaves.actions[k]] = node
        if not leaves.over[k]:
            _set_priors(trees.logits[b, node], trees.priors[b, node], leaves.logits[k], leaves.legal[k])


@njit
def _set_priors(logits: Logits, priors: Logits, said: Logits, legal: Flags) -> None:
    highest = -np.inf
    for a in range(len(said)):
        if legal[a]:
            highest = max(highest, said[a])
    total = 0.0
    for a in range(len(said)):
        logits[a] = said[a] - highest if legal[a] else ILLEGAL
        total += np.exp(np.float64(logits[a])) if legal[a] else 0.0
    for a in range(len(said)):
        priors[a] = np.exp(np.float64(logits[a])) / total if legal[a] else 0.0


@njit
def back_up(trees: Trees, leaves: Indices) -> None:
    """Add the value of one node of each tree to it and to all above it, and count the visit; `leaves`: node of each tree."""
    for b in range(len(leaves)):
        node = leaves[b]
        player, value = trees.players[b, node], trees.values[b, node]
        while node != NONE:
            trees.sums[b, node] += value if trees.players[b, node] == player else -value
            trees.visits[b, node] += 1
            node = trees.parents[b, node]


@njit
def child_value(trees: Trees, b: int, node: int, child: int) -> float:
    """Return the mean value of a child, as the player to move at its parent sees it."""
    mean: float = trees.sums[b, child] / trees.visits[b, child]
    return mean if trees.players[b, child] == trees.players[b, node] else -mean


@njit
def root_visits(trees: Trees) -> npt.NDArray[np.int32]:
    """Return how often each action of each root was tried, shape (trees, actions)."""
    count, actions = len(trees.visits), trees.children.shape[2]
    found = np.zeros((count, actions), np.int32)
    for b in range(count):
        for a in range(actions):
            child = trees.children[b, 0, a]
            if child != NONE:
                found[b, a] = trees.visits[b, child]
    return found
