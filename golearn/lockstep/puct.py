"""Selection as in AlphaZero: Q + c * P * sqrt(visits of the node) / (1 + visits of the action).

Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go", Science 362, 2018.
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.compile import njit
from golearn.lockstep.trees import ILLEGAL, NONE, Floats, Indices, Trees, child_value


@njit
def select(trees: Trees, root_priors: Floats, exploration: float, parents: Indices, actions: Indices) -> None:
    """Write, for each tree, the node and its action at which a simulation leaves it, or enters a game that is over.

    root_priors: shape (trees, actions), with whatever noise is wanted. exploration: c. An action that was never tried has Q 0.
    """
    for b in range(len(parents)):
        node = 0
        while True:
            factor = exploration * np.sqrt(np.float64(trees.visits[b, node]))
            action, best_score = 0, -np.inf
            for a in range(trees.children.shape[2]):
                if trees.logits[b, node, a] > ILLEGAL:
                    child = trees.children[b, node, a]
                    prior = root_priors[b, a] if node == 0 else np.float64(trees.priors[b, node, a])
                    if child == NONE:
                        score = factor * prior
                    else:
                        score = child_value(trees, b, node, child) + factor * prior / (1 + trees.visits[b, child])
                    if score > best_score:
                        action, best_score = a, score
            child = trees.children[b, node, action]
            if child == NONE or trees.over[b, child]:
                break
            node = child
        parents[b], actions[b] = node, action
