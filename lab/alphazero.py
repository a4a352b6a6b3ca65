"""What a search in lockstep costs beside the network, and what it gains: 128 games at once, 16 simulations, 32 x 3 networks.

    python3 -m lab.alphazero

First the share of the search in all seconds, one move of all games a round. Encoding the observations belongs to the search.
Games without compiled rows go through a loop in Python. Then, for 5x5 under `course`, how many positions a second it looks at
beside a search as textbooks have it (`lab.straight_search`), with the same network and as many simulations: on one
thread, and on two, each with 128 games of its own. With torch installed, the same again with torch's network.

The networks are in numpy and have learnt nothing. Seconds are those of one thread on a processor, so that a busy machine
changes little; those of two threads are by the clock and want a machine at rest. Figures are the median of the rounds, with the
lowest and the highest.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
from lab.straight_search import search

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


def compare(game: CompleteGame[Any]) -> Iterator[list[object]]:
    """Yield a row for each network: positions a second, straight and in lockstep, and how many times as many."""
    for name, network in networks(game):
        straight, one, two = (rate(game, network) for rate in (straight_rate, lockstep_rate, rate_of_two))
        yield [name, *(f"{rate:,.0f}" for rate in (straight, one, two)), f"{one / straight:.1f}", f"{two / straight:.1f}"]


def main() -> int:
    """Measure and print."""
    figures = {"network us/leaf": 1, "search us/leaf": 1, "search %": 1}
    print(table_of("game", figures, {name: shares(name) for name in NAMES}))
    head = ["network", "straight /s", "lockstep /s", "two threads /s", "times", "times, two threads"]
    print("", tabulate(compare(CompleteGame(game_from_name("go5"))), head, disable_numparse=True), sep="\n")
    return DONE


if __name__ == "__main__":
    sys.exit(run("alphazero", main))
