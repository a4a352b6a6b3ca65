"""A search as textbooks have it, to compare with: one tree of one game, nodes as objects, one position for each network call.

AlphaZero's: Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go", Science 362,
2018. It does what `golearn.alphazero.planners.PuctPlanner` does, game by game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from golearn.alphazero.games import CompleteGame
from golearn.alphazero.planners import Network

EXPLORATION = 1.5


@dataclass
class Node:
    """A position: how likely the move to it is, and what came of it, as the player to move there sees it."""

    state: Any
    prior: float
    visits: int = 0
    total: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)


def search(game: CompleteGame[Any], network: Network, state: Any, simulations: int) -> int:  # noqa: ANN401
    """Return the action that most simulations went through."""
    root = Node(state, 1.0)
    for _ in range(simulations + 1):
        _simulate(game, network, root)
    return max(root.children, key=lambda action: root.children[action].visits)


def _simulate(game: CompleteGame[Any], network: Network, node: Node) -> float:
    """Go down to a new position and count its value all the way up; return it as the player to move at `node` sees it."""
    if game.is_terminal(node.state):
        value = float((game.winner(node.state) or 0) * game.current_player(node.state))
    elif not node.visits:
        value = _expand(game, network, node)
    else:
        child = max(node.children.values(), key=lambda child: _score(game, node, child))
        if child.state is None:
            child.state = game.apply_move(node.state, next(a for a, c in node.children.items() if c is child))
        value = _simulate(game, network, child) * _sign(game, node, child)
    node.visits += 1
    node.total += value
    return value


def _expand(game: CompleteGame[Any], network: Network, node: Node) -> float:
    """Make the children and return what the network says of the position."""
    logits, values = network(game.encode(node.state)[None])
    legal = game.legal_moves(node.state)
    priors = np.exp(logits[0, legal] - logits[0, legal].max())
    for action, prior in zip(legal, (priors / priors.sum()).tolist(), strict=True):
        node.children[action] = Node(None, prior)
    return float(values[0])


def _score(game: CompleteGame[Any], node: Node, child: Node) -> float:
    """Return Q + c * P * sqrt(visits of the node) / (1 + visits of the move)."""
    mean = _sign(game, node, child) * child.total / child.visits if child.visits else 0.0
    return mean + EXPLORATION * child.prior * math.sqrt(node.visits) / (1 + child.visits)


def _sign(game: CompleteGame[Any], node: Node, child: Node) -> int:
    return game.current_player(node.state) * game.current_player(child.state)
