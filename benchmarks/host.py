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
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from benchmarks.copying_go import CopyingGO
from go import GO
from goban.common.command_lines import DONE, run
from players.random_player import RandomPlayer

ROLLOUTS = 50

Host = GO | CopyingGO
Point = tuple[int, int]


def legal_points(go: Host, piece_type: int) -> list[Point]:
    """Return the points that `piece_type` may play on, having asked about every one."""
    points = [(i, j) for i in range(go.size) for j in range(go.size)]
    return [(i, j) for i, j in points if go.valid_place_check(i, j, piece_type, test_check=True)]


def play(go: Host, point: Point, piece_type: int) -> None:
    """Play a whole move on a copy of the host."""
    go.place_chess(*point, piece_type)
    go.died_pieces = go.remove_died_pieces(3 - piece_type)
    go.n_move += 1
    go.X_move = not go.X_move


class Asking:
    """Plays at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return a random legal point."""
        return self.rng.choice(legal_points(go, piece_type))


class Greedy(Asking):
    """The player of README: takes as many stones as it can."""

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return the point that takes most."""
        best, most = (0, 0), -1
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    test = go.copy_board()
                    test.place_chess(i, j, piece_type)
                    captured = len(test.remove_died_pieces(3 - piece_type))
                    if captured > most:
                        best, most = (i, j), captured
        return best


class Minimax(Asking):
    """Looks two moves ahead, on copies, and counts stones."""

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return the point that leaves most after the opponent's best reply."""
        return max(self.children(go, piece_type), key=lambda child: self.worth(child[1], piece_type))[0]

    def worth(self, go: Host, piece_type: int) -> int:
        """Return the least lead that any reply leaves."""
        replies = self.children(go, 3 - piece_type)
        return min((reply.score(piece_type) - reply.score(3 - piece_type) for _, reply in replies), default=0)

    def children(self, go: Host, piece_type: int) -> Iterator[tuple[Point, Host]]:
        """Yield every legal point with the host after it."""
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    test = go.copy_board()
                    play(test, (i, j), piece_type)
                    yield (i, j), test


class MonteCarlo(Asking):
    """Plays 50 random games from the position, to the end, and counts who wins after which point."""

    def get_input(self, go: Host, piece_type: int) -> Point:
        """Return the point after which most games were won."""
        legal = legal_points(go, piece_type)
        wins = Counter[Point]()
        for k in range(ROLLOUTS):
            point = legal[k % len(legal)]
            wins[point] += self.winner(go.copy_board(), point, piece_type) == piece_type
        return max(legal, key=lambda point: wins[point])

    def winner(self, go: Host, point: Point, piece_type: int) -> int:
        """Play to the end at random; return who wins."""
        play(go, point, piece_type)
        while not go.game_end(3 - piece_type):
            piece_type = 3 - piece_type
            legal = legal_points(go, piece_type)
            if not legal:
                break
            play(go, self.rng.choice(legal), piece_type)
        return go.judge_winner()


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
