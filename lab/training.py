"""How fast the trainer of `my_player.py`'s table is: games per second, beside `my_player.learn` itself.

    python3 -m lab.training

Both learn from nothing by the same rule from games against the same opponents, each as often as the other. The two take turns;
CPU time is counted, so that the machine's load affects both alike. Figures are the median, with the lowest and the highest. One
thread.
"""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tabulate import tabulate

from benchmarks.host import spread
from goban.common.command_lines import DONE, run
from golearn.qlearning.training import RIVAL, ROUND, Plan, Training
from my_player import QTable, learn
from my_player_table import weights_of
from players.registry import make_player

ROUNDS = 5
GAMES = 40
RIVALS = ("greedy", "smart", "greedy", "aggressive")


def games_of_my_player(seed: int) -> float:
    """Return the games per second of `my_player.learn`."""
    table, rng = QTable(weights_of(None)), random.Random(seed)
    rivals = [make_player(name, rng) for name in RIVALS]
    started = time.process_time()
    for _ in learn(table, GAMES, rivals, rng):
        pass
    return GAMES / (time.process_time() - started)


def games_of_the_trainer(seed: int) -> float:
    """Return the games per second of `golearn.qlearning`."""
    opponents = {name: float(RIVALS.count(name)) for name in RIVALS}
    training = Training(Plan(RIVAL, 3 * ROUND, seed, opponents, (0.06, 0.006), (0.15, 0.02), 0.8, 1.0))
    with ThreadPoolExecutor(1) as workers:
        training.step(workers)
        started = time.process_time()
        training.step(workers)
        training.step(workers)
    return 2 * ROUND / (time.process_time() - started)


def main() -> int:
    """Measure and print."""
    rates: dict[str, list[float]] = {"my_player.py learn": [], "golearn.qlearning": []}
    for k in range(ROUNDS):
        rates["my_player.py learn"].append(games_of_my_player(k))
        rates["golearn.qlearning"].append(games_of_the_trainer(k))
    plain = rates["my_player.py learn"]
    rows = [
        [name, *spread(values, 0), *spread([a / b for a, b in zip(values, plain, strict=True)], 0)]
        for name, values in rates.items()
    ]
    print(tabulate(rows, ["learner", "games/s", "lowest", "highest", "ratio", "lowest", "highest"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("training", main))
