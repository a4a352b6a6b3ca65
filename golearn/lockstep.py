"""Many tree searches in lockstep: one leaf of each tree at a time, so that one call evaluates them all. No game is known here.

Selection is as in AlphaZero (PUCT), or as in Gumbel AlphaZero: Danihelka and others, "Policy improvement by planning with
Gumbel", ICLR 2022.

At the root, actions are compared by g + logit + s(q): g is one draw from Gumbel(0, 1) for each action (zeros for play without
chance), and sequential halving decides which are tried how often. Below the root, visits follow the improved policy
softmax(logits + s(q)), which at the root is also the target of training. Defaults and arithmetic are those of DeepMind's mctx,
with which a test compares whole searches.

The trees of many games are arrays: entry [b, k] is node k of tree b, and node 0 is the root.

A node's numbers are as the player to move there sees them. Whose turn it is may change or not from a node to its child: a value
changes sign where the players differ. A node counts as visited once when it is made, with the value it was given then.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import njit

Floats: TypeAlias = npt.NDArray[np.float64]
Logits: TypeAlias = npt.NDArray[np.float32]
Indices: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

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


VALUE_SCALE = 0.1
VISITS_ADDED = 50
"""s(q) = (VISITS_ADDED + the most visits of any action) * VALUE_SCALE * q, with the q of a node spread over 0 to 1."""
NARROWEST = 1e-8
"""Values of a node that differ by less are not spread any further."""
LOWEST_SCORE = -1e9
"""So that the only action there is may be tried, however unlikely it was said to be."""

Table: TypeAlias = npt.NDArray[np.int64]


def considered_visits(considered: int, simulations: int) -> list[int]:
    """Return, for each simulation, how often an action must have been tried so far to be looked at now.

    So many actions are considered first, and fewer after each phase: sequential halving.
    """
    if considered <= 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(considered))
    sequence: list[int] = []
    visits, left = [0] * considered, considered
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            sequence += visits[:left]
            visits[:left] = [number + 1 for number in visits[:left]]
        left = max(2, left // 2)
    return sequence[:simulations]


def considered_table(considered: int, simulations: int) -> Table:
    """Return `considered_visits` for 0 to `considered` actions, shape (considered + 1, simulations)."""
    return np.array([considered_visits(number, simulations) for number in range(considered + 1)], dtype=np.int64)


@njit
def _completed_values(trees: Trees, b: int, node: int, values: Floats) -> tuple[int, int]:
    """Write q of every action of a node; return how often they were tried, all together and the most visited one.

    An action that was never tried is given the mixed value: the node's own, and the tried ones by their priors.
    """
    total = most = 0
    weight = worth = 0.0
    for a in range(len(values)):
        child = trees.children[b, node, a]
        if child != NONE:
            values[a] = child_value(trees, b, node, child)
            prior = max(np.float64(trees.priors[b, node, a]), 1e-38)
            weight, worth = weight + prior, worth + prior * values[a]
            total, most = total + trees.visits[b, child], max(most, trees.visits[b, child])
    mixed = (trees.values[b, node] + (total * worth / weight if total > 0 else 0.0)) / (1 + total)
    for a in range(len(values)):
        if trees.children[b, node, a] == NONE:
            values[a] = mixed
    return total, most


@njit
def scaled_values(trees: Trees, b: int, node: int, scaled: Floats) -> int:
    """Write s(q) of every action of a node; return how often they were tried, all together."""
    total, most = _completed_values(trees, b, node, scaled)
    _scale(scaled, most)
    return total


@njit
def _scale(values: Floats, most: int) -> None:
    """Replace each q by s(q); most: the visits of the most visited action."""
    low, high = values.min(), values.max()
    scale = (VISITS_ADDED + most) * VALUE_SCALE / max(high - low, NARROWEST)
    for a in range(len(values)):
        values[a] = scale * (values[a] - low)


@njit
def _best_at_root(trees: Trees, b: int, visits: int, draws: Floats, scaled: Floats) -> int:
    """Return the action with the highest score of those that were tried so often."""
    best, best_score = 0, -np.inf
    for a in range(len(scaled)):
        child, logit = trees.children[b, 0, a], trees.logits[b, 0, a]
        tried = 0 if child == NONE else trees.visits[b, child]
        if logit > ILLEGAL and tried == visits:
            score = max(LOWEST_SCORE, draws[a] + logit + scaled[a])
            if score > best_score:
                best, best_score = a, score
    return best


@njit
def _improve(trees: Trees, b: int, node: int, scaled: Floats) -> None:
    """Replace s(q) by the improved policy."""
    highest, total = -np.inf, 0.0
    for a in range(len(scaled)):
        if trees.logits[b, node, a] > ILLEGAL:
            highest = max(highest, trees.logits[b, node, a] + scaled[a])
    for a in range(len(scaled)):
        logit = trees.logits[b, node, a]
        scaled[a] = np.exp(logit + scaled[a] - highest) if logit > ILLEGAL else 0.0
        total += scaled[a]
    for a in range(len(scaled)):
        scaled[a] /= total


@njit
def _best_below(trees: Trees, b: int, node: int, tried: int, scaled: Floats) -> int:
    """Return the action whose visits are furthest behind the improved policy."""
    _improve(trees, b, node, scaled)
    best, best_score = 0, -np.inf
    for a in range(len(scaled)):
        child = trees.children[b, node, a]
        visits = 0 if child == NONE else trees.visits[b, child]
        score = scaled[a] - visits / (1.0 + tried)
        if score > best_score:
            best, best_score = a, score
    return best


@njit
def select(trees: Trees, draws: Floats, table: Table, simulation: int, parents: Indices, actions: Indices) -> None:
    """Write, for each tree, the node and its action at which this simulation leaves it, or enters a game that is over.

    draws: shape (trees, actions). table: `considered_table`. simulation: from 0.
    """
    scaled = np.empty(trees.children.shape[2])
    for b in range(len(parents)):
        node = 0
        while True:
            tried = scaled_values(trees, b, node, scaled)
            if node == 0:
                legal = 0
                for a in range(len(scaled)):
                    legal += trees.logits[b, 0, a] > ILLEGAL
                visits = table[min(legal, len(table) - 1), simulation]
                action = _best_at_root(trees, b, visits, draws[b], scaled)
            else:
                action = _best_below(trees, b, node, tried, scaled)
            child = trees.children[b, node, action]
            if child == NONE or trees.over[b, child]:
                break
            node = child
        parents[b], actions[b] = node, action


@njit
def conclude(trees: Trees, draws: Floats, actions: Indices, policies: Floats, values: Floats) -> None:
    """Write, for each tree, the action to play, the best of the most visited, the improved policy of its root, and its value.

    The value is the mean of the completed q, weighted by the improved policy. The mean of all that was seen would be too low:
    sequential halving tries bad actions nearly as often as good ones.
    """
    scaled, completed = np.empty(trees.children.shape[2]), np.empty(trees.children.shape[2])
    for b in range(len(actions)):
        _, most = _completed_values(trees, b, 0, completed)
        scaled[:] = completed
        _scale(scaled, most)
        actions[b] = _best_at_root(trees, b, most, draws[b], scaled)
        _improve(trees, b, 0, scaled)
        policies[b], values[b] = scaled, (scaled * completed).sum()


# Selection as in AlphaZero: Q + c * P * sqrt(visits of the node) / (1 + visits of the action). Silver and others, "A general
# reinforcement learning algorithm that masters chess, shogi, and Go", Science 362, 2018.


@njit
def select_puct(trees: Trees, root_priors: Floats, exploration: float, parents: Indices, actions: Indices) -> None:
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
