"""Games of self-play a second: on two threads, 128 games of lockstep each, with networks that have learnt nothing. With torch
also positions a second that a network learns from, in its plan's batches, on one thread and on two.

    python3 -m lab.selfplay

5x5 under `course` is played with 16 simulations for every move, then as in the plan that comes with the project, tic-tac-toe
as in its plan. The network is torch's where that is installed, else NumPy's. CPU seconds change little on a busy machine;
games a second are by the clock and want two idle cores. Figures are the median of the rounds, with the lowest and the
highest.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec

# Small products are not worth numpy's second thread, which would spin in between.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.host import table_of
from goban.common.command_lines import DONE, run
from golearn.alphazero.planners import Evaluator, on_observations
from golearn.alphazero.plans import Plan, read_plan
from golearn.alphazero.rounds import first_weights
from golearn.alphazero.selfplay import Replay, SelfPlay
from golearn.alphazero.weights import NumpyNetwork

THREADS, ROUNDS = 2, 3
STEPS, TURNS = 20, 15
"""Batches in a row, and how often in turns."""


def evaluator_of(plan: Plan) -> Evaluator:
    """Return the evaluator that self-play would have in the first round."""
    if not find_spec("torch"):
        return on_observations(NumpyNetwork(first_weights(plan)))
    from golearn.alphazero.training import Learner

    return Learner(plan, first_weights(plan)).evaluator()


def measure_play(plan: Plan) -> list[list[float]]:
    """Return, for each round: games a second, CPU milliseconds a game, moves of a game."""
    game, evaluator, found = plan.make_game(), evaluator_of(plan), []
    SelfPlay(game, evaluator, plan).play(range(2))
    with ThreadPoolExecutor(THREADS) as workers:
        for number in range(ROUNDS):
            first, games = number * THREADS * plan.lockstep, THREADS * plan.lockstep
            parts = [range(k, k + plan.lockstep) for k in range(first, first + games, plan.lockstep)]
            started, used = time.perf_counter(), time.process_time()
            plies = [came.plies.sum() for came in workers.map(lambda part: SelfPlay(game, evaluator, plan).play(part), parts)]
            seconds, cpu = time.perf_counter() - started, time.process_time() - used
            found.append([games / seconds, 1000 * cpu / games, sum(plies) / games])
    return found


def measure_learning(name: str) -> list[list[float]]:
    """Return, for each turn: positions a second on one thread, on two, and how many times as many that is."""
    from golearn.alphazero.training import Learner

    plan = read_plan(name)
    game = plan.make_game()
    replay = Replay(game, 10**6)
    replay.add(SelfPlay(game, evaluator_of(plan), plan).play(range(plan.lockstep)).positions)
    rng, found = np.random.default_rng(1), []
    learners = [Learner(replace(plan, threads=threads), first_weights(plan), "cpu") for threads in (1, THREADS)]
    for _ in range(1 + TURNS):
        batches, rates = [replay.draw(rng, plan.batch) for _ in range(STEPS)], []
        for learner in learners:
            started = time.perf_counter()
            for batch in batches:
                learner.learn(batch, plan.rate)
            rates.append(STEPS * plan.batch / (time.perf_counter() - started))
        found.append([*rates, rates[1] / rates[0]])
    return found[1:]


def main() -> int:
    """Measure and print."""
    plans = {"go5, 16 simulations": replace(read_plan("go5"), simulations=16, full_share=1.0, random_plies=0)}
    plans |= {name: read_plan(name) for name in ("go5", "tictactoe")}
    print(f"with {'torch' if find_spec('torch') else 'NumPy'}")
    games = {name: measure_play(plan) for name, plan in plans.items()}
    print(table_of("plan", {"games/s": 1, "CPU ms/game": 1, "moves": 1}, games))
    if find_spec("torch"):
        positions = {name: measure_learning(name) for name in ("go5", "go7", "tictactoe")}
        print("", table_of("learning", {"one thread /s": 0, "two /s": 0, "times": 2}, positions), sep="\n")
    return DONE


if __name__ == "__main__":
    sys.exit(run("selfplay", main))
