"""How many turns a second the baselines take: a whole batch at once, beside the same players asked game by game, one core.

    python3 -m lab.baselines [--rounds 5] [--size 5] [--rules course]

A turn is an action chosen; every baseline plays against itself, a whole game a round, and only choosing is timed. All take
turns, so that a machine whose speed drifts is fair to all; figures are turns per second of processor time, the median of the
rounds with the lowest and the highest, and ratios are taken within a round. How strong they are: docs/environments.md.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from tabulate import tabulate

from benchmarks.playouts import spread
from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run, whole_number
from goban.kernels.numba_tools.compile import compilation_told
from golearn.environments import GoBatch, SettingError, baseline
from golearn.environments.asked_opponents import PlayerOpponent
from golearn.environments.opponents import BASELINES

AT_ONCE = ("random-v1", "naive-v1", "greedy-v1", "aggressive-v1", "smart-v1")
"""Those that choose for a whole batch; the others think about one game after the other."""
GAMES, FEW = 1024, 8

Choose = Callable[[GoBatch], npt.NDArray[np.int64]]


def rate(choose: Choose, batch: GoBatch) -> float:
    """Return how many turns a second somebody takes who plays a game of every row against itself."""
    spent, turns = 0.0, 0
    batch.reset()
    while not batch.terminated.all():
        turns += int((~batch.terminated).sum())
        begun = time.process_time()
        actions = choose(batch)
        spent += time.process_time() - begun
        batch.step(actions)
    return turns / max(spent, 1e-9)


def ask_game_by_game(name: str) -> Choose:
    """Return a player that is asked game by game."""
    player = PlayerOpponent(name, 1)

    def choose(batch: GoBatch) -> npt.NDArray[np.int64]:
        actions, rows = np.zeros(len(batch), dtype=np.int64), np.flatnonzero(~batch.terminated)
        actions[rows] = player.choose(batch, rows)
        return actions

    return choose


def figures(name: str, size: int, rules: str, rounds: int) -> list[str]:
    """Return the row of a baseline; raises SettingError where it does not play."""
    play, several = baseline(name, 1), name in AT_ONCE
    many, few = (GoBatch(size, games, rules=rules) for games in (GAMES if several else FEW, FEW))
    one = ask_game_by_game(play.player) if several else None
    play(many)
    found, ratios = [], []
    for _ in range(rounds):
        found.append(rate(play, many))
        if one is not None:
            ratios.append(found[-1] / rate(one, few))
    numbers = [f"{number:,.0f}" for number in (statistics.median(found), min(found), max(found))]
    return [name, *numbers, spread(ratios) if ratios else ""]


def main() -> int:
    """Measure and print."""
    parser = parser_of("baselines", "Turns a second of the baselines.")
    parser.add_argument("--rounds", type=whole_number(1, 1000, "a number"), default=5, help="how often each figure is taken")
    parser.add_argument("--size", type=whole_number(2, 19, "a size"), default=5, help="default: 5")
    parser.add_argument("--rules", default="course", help="default: course")
    options = parser.parse_args()
    rows = []
    with compilation_told(lambda: print("compiling kernels, once for this machine...", file=sys.stderr)):
        for name in BASELINES:
            try:
                rows.append(figures(name, options.size, options.rules, options.rounds))
            except SettingError as error:
                print(f"{name} left out: {error}", file=sys.stderr)
    heads = ["baseline", "turns/s", "lowest", "highest", "times as fast as asked game by game"]
    print(tabulate(rows, heads, disable_numparse=True, colalign=("left", "right", "right", "right", "left")))
    return DONE


if __name__ == "__main__":
    sys.exit(run("baselines", main))
