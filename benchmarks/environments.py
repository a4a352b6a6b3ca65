"""How fast games are stepped with all that is shown of them: our batches beside Pgx, OpenSpiel and PettingZoo, one core.

    python3 -m benchmarks.environments [--others PYTHON] [--rounds 7] [--sizes 5 9 19]

A step draws a legal action at random, plays it, finds the legal actions, writes the observation (17 planes; OpenSpiel's has
4), and begins the next game where one is over. Pgx's games begin together and are not begun anew, which is to its advantage.
All take turns, so that a machine whose speed drifts is fair to all; figures are steps per second of processor time, the
median of the rounds with the lowest and the highest, and ratios are taken within a round. The others may need another numpy
than we do, so they run in a Python of their own if one is named (`pip install pgx jax open_spiel pettingzoo pygame`).

With an opponent in the loop a step is a learner's move, drawn at random, and the answer of `greedy`: `GoVectorEnv` beside
PufferLib's Go in C, where the other Python has that, installed or as its source distribution, unpacked and named in PYTHONPATH.

Two threads are compared with one by the clock, which means nothing on a busy machine, and by processor time: twice what one
thread spends over what two spend together, which is how many times as fast they are with a core each.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from tabulate import tabulate

from benchmarks.playouts import spread
from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run, whole_number
from goban.kernels.numba_tools.compile import compilation_told
from golearn.environments import GoBatch

ROOT = Path(__file__).parent.parent
BATCHES = {5: (256, 400), 9: (256, 250), 19: (64, 400)}
"""Size: games in a batch, steps of all of them in a round."""
OTHERS = ("pgx", "open_spiel", "go_v5", "ours")
OPPOSED = ("pufferlib", "pufferlib-answered")
FACE = "our PettingZoo face"
OPPOSED_GAMES = 256
THREADED = {5: 16_384, 9: 8_192, 19: 2_048}


class Batch:
    """Our batches of one size, warmed up."""

    name = "GoBatch"

    def __init__(self, size: int, games: int, steps: int, threads: int = 1) -> None:
        self.batch, self.rng = GoBatch(size, games, auto_reset="same_step", threads=threads), np.random.default_rng(0)
        self.steps = steps
        # Games of a batch begin together; after a while they are spread out.
        for _ in range(min(400, 2 * size * size)):
            self.batch.step(self.batch.sample(self.rng))

    def rate(self) -> float:
        """Return steps per second of processor time."""
        begun = time.process_time()
        for _ in range(self.steps):
            self.batch.step(self.batch.sample(self.rng))
        return self.steps * len(self.batch) / (time.process_time() - begun)

    def seconds(self, steps: int) -> tuple[float, float]:
        """Return what so many steps take by the clock and in processor time, without drawing the actions."""
        clock = processor = 0.0
        for _ in range(steps):
            actions = self.batch.sample(self.rng)
            begun, used = time.perf_counter(), time.process_time()
            self.batch.step(actions)
            clock, processor = clock + time.perf_counter() - begun, processor + time.process_time() - used
        return clock, processor


class Opposed:
    """Our games of one size against greedy, warmed up."""

    name = "GoVectorEnv"

    def __init__(self, size: int) -> None:
        from golearn.environments.gymnasium_envs import GoVectorEnv

        self.envs, self.rng = GoVectorEnv(OPPOSED_GAMES, size, opponent="greedy"), np.random.default_rng(0)
        self.envs.reset(seed=0)
        self.steps = max(20, 5000 // size**2)
        self._play(min(400, size * size))

    def _play(self, steps: int) -> None:
        for _ in range(steps):
            self.envs.step(self.envs.batch.sample(self.rng))

    def rate(self) -> float:
        """Return steps per second of processor time."""
        begun = time.process_time()
        self._play(self.steps)
        return self.steps * OPPOSED_GAMES / (time.process_time() - begun)


class Other:
    """Another environment, in a process of its own that waits for its turn."""

    def __init__(self, kind: str, size: int, python: str) -> None:
        script = Path(__file__).with_name("environments_others.py")
        path = os.pathsep.join((str(ROOT), *filter(None, (os.environ.get("PYTHONPATH"),))))
        self.process = subprocess.Popen(
            # -P: beside the script lie modules that are called like other programs' packages.
            [python, "-P", script, kind, str(size)], env={**os.environ, "PYTHONPATH": path}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.kind, first = kind, self._line()
        self.name: str = json.loads(first) if first else ""

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def why_not(self) -> str:
        """Return why there is no such environment."""
        return (self.process.communicate()[1].strip().splitlines() or ["no reason given"])[-1]

    def rate(self) -> float:
        """Return steps per second of processor time."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        found = json.loads(self._line())
        return float(found["steps"] / found["seconds"])

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def others_of(kinds: tuple[str, ...], size: int, python: str) -> list[Other]:
    """Return those of these others that are there, and say which are not."""
    found = []
    for kind in kinds:
        other = Other(kind, size, sys.executable if kind == "ours" else python)
        if other.name:
            found.append(other)
        else:
            print(f"{kind} left out: {other.why_not()}", file=sys.stderr)
    return found


def compare(size: int, rounds: int, mine: Batch | Opposed, others: list[Other]) -> list[list[str]]:
    """Return the rows of a board size, and end the others."""
    everyone: list[Batch | Opposed | Other] = [mine, *others]
    rates: list[list[float]] = [[] for _ in everyone]
    for _ in range(rounds):
        for one, found in zip(everyone, rates, strict=True):
            found.append(one.rate())
    for other in others:
        other.close()
    rows, kinds = [], [other.kind for other in others]
    for one, found in zip(everyone, rates, strict=True):
        ratio = "" if one is mine else spread([a / b for a, b in zip(rates[0], found, strict=True)])
        if one.name == FACE and "go_v5" in kinds:
            theirs = rates[1 + kinds.index("go_v5")]
            ratio += f"; {spread([a / b for a, b in zip(found, theirs, strict=True)])} times PettingZoo's"
        figures = [f"{figure:,.0f}" for figure in (statistics.median(found), min(found), max(found))]
        rows.append([f"{size}x{size}", one.name, *figures, ratio])
    return rows


def print_rates(title: str, rows: list[list[str]], mine: str) -> None:
    """Print a table of what `compare` has found."""
    print(f"steps per second of processor time: {title}")
    heads = ["board", "environment", "median", "lowest", "highest", f"{mine} is times as fast"]
    print(tabulate(rows, heads, disable_numparse=True, colalign=("left", "left", "right", "right", "right", "left")))
    print()


SWEPT = (64, 256, 1_024, 4_096, 16_384)
SWEPT_STEPS = 300_000
"""Steps of games in a turn: enough for what the batch before has left in the caches not to matter."""


def sweep(size: int, rounds: int) -> list[list[str]]:
    """Return the rows of a board size: batches of many sizes in turns, each beside the best of its round."""
    batches = [Batch(size, games, SWEPT_STEPS // games) for games in SWEPT]
    found = [[batch.rate() for batch in batches] for _ in range(rounds)]
    rows = []
    for k, games in enumerate(SWEPT):
        rates = [figures[k] for figures in found]
        shares = spread([figures[k] / max(figures) for figures in found])
        figures = [f"{figure:,.0f}" for figure in (statistics.median(rates), min(rates), max(rates))]
        rows.append([f"{size}x{size}", f"{games:,}", *figures, shares])
    return rows


def threads(size: int, rounds: int) -> list[str]:
    """Return the row of two threads against one."""
    games = THREADED.get(size, 4_096)
    one, two = Batch(size, games, 0), Batch(size, games, 0, threads=2)
    clock, processor = [], []
    for _ in range(rounds):
        (alone, used), (together, spent) = one.seconds(4), two.seconds(4)
        clock.append(alone / together)
        processor.append(2 * used / spent)
    return [f"{size}x{size}", f"{games:,}", spread(clock), spread(processor)]


def main() -> int:
    """Measure and print."""
    parser = parser_of("environments", "Environment steps a second.")
    parser.add_argument("--others", metavar="PYTHON", default=sys.executable, help="a Python that has the others")
    parser.add_argument("--rounds", type=whole_number(1, 1000, "a number"), default=7, help="how often each figure is taken")
    parser.add_argument("--sizes", type=whole_number(2, 19, "a size"), nargs="*", default=[5, 9, 19], help="default: 5 9 19")
    arguments = parser.parse_args()
    with compilation_told(lambda: print("compiling kernels, once for this machine...", file=sys.stderr)):
        GoBatch(2).step([0])
    sizes, rounds, python = arguments.sizes, arguments.rounds, arguments.others
    rows = []
    for size in sizes:
        rows += compare(size, rounds, Batch(size, *BATCHES.get(size, (256, 100))), others_of(OTHERS, size, python))
    print_rates("step, legal actions, observation", rows, Batch.name)
    rows = [row for size in sizes for row in compare(size, rounds, Opposed(size), others_of(OPPOSED, size, python))]
    print_rates("a move and greedy's answer, legal actions, observation", rows, Opposed.name)
    rows = [row for size in sizes for row in sweep(size, rounds)]
    print("steps per second of processor time, by how many games are in a batch")
    heads = ["board", "games", "median", "lowest", "highest", "of the round's best"]
    print(tabulate(rows, heads, disable_numparse=True, colalign=("left", "right", "right", "right", "right", "left")))
    print()
    rows = [threads(size, rounds) for size in sizes]
    print("two threads are times as fast as one")
    print(tabulate(rows, ["board", "games", "by the clock", "by processor time"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("environments", main))
