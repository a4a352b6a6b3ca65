"""How fast the host plays: random against random, whole course games on 5x5, one core.

    python3 -m benchmarks.host

Three hosts take turns, so that a drift in the machine's speed affects all alike. Each figure is the median of the rounds,
with the lowest and the highest. The baseline copies the whole host for every check, as a plain implementation does. The
benchmark also prints the time `go_play.py` takes for one game, start-up included, beside that of starting Python.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tabulate import tabulate

from benchmarks.copying_go import CopyingGO
from common.command_lines import DONE, run
from go import GO
from players.random_player import RandomPlayer

ROUNDS = 7
GAMES = 400
YARDSTICK_GAMES = 10
ROOT = Path(__file__).parent.parent


class CheckingPlayer:
    """A random player as students write it: it asks the host about every point."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: GO, piece_type: int) -> tuple[int, int]:
        """Return a random legal point."""
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return self.rng.choice([p for p in points if go.valid_place_check(*p, piece_type, test_check=True)])


def games_per_second(host: GO | CopyingGO, player: type[CheckingPlayer] | type[RandomPlayer], games: int, seed: int) -> float:
    """Return whole games per second between two players of this class."""
    black, white = player(random.Random(f"{seed} black")), player(random.Random(f"{seed} white"))
    started = time.perf_counter()
    for _ in range(games):
        host.play(black, white)
    return games / (time.perf_counter() - started)


def seconds(command: list[str]) -> float:
    """Return the wall-clock time of a whole process, in seconds."""
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - started


def spread(values: list[float], digits: int) -> list[str]:
    """Return median, lowest and highest as text."""
    return [f"{figure:.{digits}f}" for figure in (statistics.median(values), min(values), max(values))]


def main() -> int:
    """Measure and print."""
    hosts: dict[str, Callable[[int], float]] = {
        "GO, random player": lambda k: games_per_second(GO(5), RandomPlayer, GAMES, k),
        "GO, random player that asks about every point": lambda k: games_per_second(GO(5), CheckingPlayer, GAMES, k),
        "deep-copying host, the same": lambda k: games_per_second(CopyingGO(5), CheckingPlayer, YARDSTICK_GAMES, k),
    }
    rates: dict[str, list[float]] = {name: [] for name in hosts}
    for k in range(ROUNDS):
        for name, measure in hosts.items():
            rates[name].append(measure(k))
    yardstick = rates["deep-copying host, the same"]
    rows = [
        [name, *spread(values, 0), *spread([a / b for a, b in zip(values, yardstick, strict=True)], 1)]
        for name, values in rates.items()
    ]
    print(tabulate(rows, ["host", "games/s", "lowest", "highest", "ratio", "lowest", "highest"], disable_numparse=True))

    commands = {
        "python3 -S go_play.py -p1=random -p2=random -t=1": ["-S", "go_play.py", "-p1=random", "-p2=random", "-t=1"],
        "python3 go_play.py -p1=random -p2=random -t=1": ["go_play.py", "-p1=random", "-p2=random", "-t=1"],
        "python3 -c pass": ["-c", "pass"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(3 * ROUNDS):
        for name, arguments in commands.items():
            times[name].append(1000 * seconds([sys.executable, *arguments]))
    rows = [[name, *spread(values, 0)] for name, values in times.items()]
    print()
    print(tabulate(rows, ["command", "ms", "lowest", "highest"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("host", main))
