"""What a search in lockstep costs beside the network, and what it gains: 128 games at once, 16 simulations, 32 x 3 networks.

    python3 -m lab.alphazero

First the share of the search in all seconds, one move of all games a round. Encoding the observations belongs to the search.
Games without compiled rows go through a loop in Python. Then, for 5x5 under `course`, how many positions a second it looks at
beside a search as textbooks have it (`search`), with the same network and as many simulations: on one
thread, and on two, each with 128 games of its own. With torch installed, the same again with torch's network.

The networks are in numpy and have learnt nothing. Seconds are those of one thread on a processor, so that a busy machine
changes little; those of two threads are by the clock and want a machine at rest. Figures are the median of the rounds, with the
lowest and the highest.

`search` is as textbooks have it: one tree of one game, nodes as objects, one position for each network call. It is AlphaZero's:
Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go", Science 362, 2018. It does
what `golearn.alphazero.planners.PuctPlanner` does, game by game.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from statistics import median
from typing import Any

# Small products are not worth numpy's second thread, which would spin in between.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from tabulate import tabulate

from benchmarks.host import table_of
from goban.common.command_lines import DONE, run
from golearn.alphazero.games import CompleteGame, Observations, beginnings, game_from_name
from golearn.alphazero.planners import Evaluation, GumbelPlanner, Network, on_observations
from golearn.alphazero.weights import NumpyNetwork, Weights, architecture_for, fresh_weights

GAMES, SIMULATIONS, ROUNDS = 128, 16, 5
CHANNELS, BLOCKS = 32, 3
NAMES = ("go5", "go", "go9", "tictactoe", "connectfour", "othello6")


class TimedNetwork:
    """A network; `seconds` is what all calls have taken."""

    def __init__(self, network: Network) -> None:
        self.network, self.seconds = network, 0.0

    def __call__(self, observations: Observations) -> Evaluation:
        """Return logits and values."""
        started = time.thread_time()
        said = self.network(observations)
        self.seconds += time.thread_time() - started
        return said


def weights_for(game: CompleteGame[Any]) -> Weights:
    """Return a network that knows nothing: what it says is no matter, how long it takes is."""
    return fresh_weights(architecture_for(game, CHANNELS, BLOCKS), np.random.default_rng(1))


def rounds(game: CompleteGame[Any], network: Network) -> Iterator[int]:
    """Search and play a round in all games; yield how many positions were looked at."""
    planner = GumbelPlanner(game, on_observations(network), SIMULATIONS)
    rows, rng = np.arange(GAMES), np.random.default_rng(1)
    states = beginnings(game, GAMES)
    for _ in range(ROUNDS + 1):
        rows = rows[~states.facts(rows).over]
        plans = planner.plan(states, rows, rng.gumbel(size=(len(rows), game.action_size)))
        states.play(rows, plans.actions, rows)
        yield len(rows) * (SIMULATIONS + 1)


def shares(name: str) -> list[list[float]]:
    """Return, for each round: microseconds a leaf in the network, outside it, and the share outside in percent."""
    game = CompleteGame(game_from_name(name))
    network, found = TimedNetwork(NumpyNetwork(weights_for(game))), []
    before, started = 0.0, time.thread_time()
    for leaves in rounds(game, network):
        total, inside = time.thread_time() - started, network.seconds - before
        found.append([1e6 * inside / leaves, 1e6 * (total - inside) / leaves, 100 * (total - inside) / total])
        before, started = network.seconds, time.thread_time()
    # The first one compiles.
    return found[1:]


def lockstep_rate(game: CompleteGame[Any], network: Network) -> float:
    """Return how many positions a second one thread looks at."""
    found, started = [], time.thread_time()
    for leaves in rounds(game, network):
        found.append(leaves / (time.thread_time() - started))
        started = time.thread_time()
    return median(found[1:])


def rate_of_two(game: CompleteGame[Any], network: Network) -> float:
    """Return how many positions a second two threads look at, by the clock."""
    started = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        looked_at = sum(pool.map(lambda _: sum(rounds(game, network)), range(2)))
    return looked_at / (time.monotonic() - started)


def straight_rate(game: CompleteGame[Any], network: Network) -> float:
    """Return how many positions a second a straight search looks at, over the moves of a game."""
    state, found = game.initial_state(), []
    while not game.is_terminal(state):
        started = time.thread_time()
        action = search(game, network, state, SIMULATIONS)
        found.append((SIMULATIONS + 1) / (time.thread_time() - started))
        state = game.apply_move(state, action)
    return median(found)


def networks(game: CompleteGame[Any]) -> Iterator[tuple[str, Network]]:
    """Yield the same network in numpy and, where it is installed, in torch."""
    yield "numpy", NumpyNetwork(weights_for(game))
    if find_spec("torch") is not None:
        import torch

        from golearn.alphazero.networks import load_network, on_arrays

        torch.set_num_threads(1)
        yield "torch", on_arrays(load_network(weights_for(game), "cpu"))


def compared(game: CompleteGame[Any]) -> Iterator[list[object]]:
    """Yield a row for each network: positions a second, straight and in lockstep, and how many times as many."""
    for name, network in networks(game):
        straight, one, two = (rate(game, network) for rate in (straight_rate, lockstep_rate, rate_of_two))
        yield [name, *(f"{rate:,.0f}" for rate in (straight, one, two)), f"{one / straight:.1f}", f"{two / straight:.1f}"]


def main() -> int:
    """Measure and print."""
    figures = {"network us/leaf": 1, "search us/leaf": 1, "search %": 1}
    print(table_of("game", figures, {name: shares(name) for name in NAMES}))
    head = ["network", "straight /s", "lockstep /s", "two threads /s", "times", "times, two threads"]
    print("", tabulate(compared(CompleteGame(game_from_name("go5"))), head, disable_numparse=True), sep="\n")
    return DONE


if __name__ == "__main__":
    sys.exit(run("alphazero", main))


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
