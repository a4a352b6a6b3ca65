"""How fast the host is for players that ask it: whole course games on 5x5, one core, beside a host that copies itself.

    python3 -m benchmarks.host

Each player plays itself on both hosts in turns, and CPU time is counted, so that the machine's load affects both alike. Each
figure is the median of the rounds, with the lowest and the highest. The yardstick copies the whole host for every check, as a
plain implementation does. The benchmark also prints the time `go_play.py` takes for one game, start-up included, beside that
of starting Python.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tabulate import tabulate

from benchmarks.copying_go import CopyingGO
from benchmarks.student_players import Asking, Greedy, Minimax, MonteCarlo
from go import GO
from goban.common.command_lines import DONE, run
from players.random_player import RandomPlayer

ROUNDS = 7
STARTS = 21
ROOT = Path(__file__).parent.parent

# What plays, how often, and how many games a round on GO and on the copying host. Our random player asks once a move, which
# the copying host cannot; there, the one that asks about every point plays.
PLAYERS: list[tuple[str, type[Asking] | type[RandomPlayer], type[Asking], int, int, int]] = [
    ("our random player, which asks once a move", RandomPlayer, Asking, ROUNDS, 300, 5),
    ("random, asks about every point", Asking, Asking, ROUNDS, 100, 5),
    ("greedy, as in README", Greedy, Greedy, ROUNDS, 20, 3),
    ("minimax, two moves deep", Minimax, Minimax, 5, 4, 1),
    ("Monte Carlo, 50 games a move", MonteCarlo, MonteCarlo, 3, 1, 1),
]


def games_per_second(host: GO | CopyingGO, player: type[Asking] | type[RandomPlayer], games: int, seed: int) -> float:
    """Return whole games per second of CPU time between two players of this class."""
    black, white = player(random.Random(f"{seed} black")), player(random.Random(f"{seed} white"))
    started = time.process_time()
    for _ in range(games):
        host.play(black, white)
    return games / (time.process_time() - started)


def seconds(command: list[str]) -> float:
    """Return the wall-clock time of a whole process, in seconds."""
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - started


def spread(values: list[float], digits: int) -> list[str]:
    """Return median, lowest and highest as text."""
    return [f"{figure:.{digits}f}" for figure in (statistics.median(values), min(values), max(values))]


def table_of(title: str, figures: dict[str, int], rows: dict[str, list[list[float]]]) -> str:
    """Return a table: of each figure, to so many digits, the median of a row's rounds, the lowest and the highest."""
    head, table = [title], []
    for figure in figures:
        head += [figure, "lowest", "highest"]
    for name, found in rows.items():
        columns = zip(figures.values(), zip(*found, strict=True), strict=True)
        table.append([name, *(cell for digits, column in columns for cell in spread(list(column), digits))])
    return tabulate(table, head, disable_numparse=True)


def main() -> int:
    """Measure and print."""
    rows = []
    for name, player, plain, rounds, games, plain_games in PLAYERS:
        rates, ratios = [], []
        for k in range(rounds):
            yardstick = games_per_second(CopyingGO(5), plain, plain_games, k)
            rates.append(games_per_second(GO(5), player, games, k))
            ratios.append(rates[-1] / yardstick)
        rows.append([name, *spread(rates, 1), *spread(ratios, 1)])
    print(tabulate(rows, ["player", "games/s", "lowest", "highest", "ratio", "lowest", "highest"], disable_numparse=True))

    commands = {
        "python3 -S go_play.py -p1=random -p2=random -t=1": ["-S", "go_play.py", "-p1=random", "-p2=random", "-t=1"],
        "python3 go_play.py -p1=random -p2=random -t=1": ["go_play.py", "-p1=random", "-p2=random", "-t=1"],
        "python3 -c pass": ["-c", "pass"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, arguments in commands.items():
            times[name].append(1000 * seconds([sys.executable, *arguments]))
    rows = [[name, *spread(values, 0)] for name, values in times.items()]
    print()
    print(tabulate(rows, ["command", "ms", "lowest", "highest"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("host", main))
