"""How fast the host plays on large boards: naive against naive under `aga`, whole games, one core, in CPU time.

    python3 -m benchmarks.large_boards [GAMES]          default: 40 games a round on 9x9, a tenth of that on 19x19

The yardstick is `benchmarks.string_board.py`: strings of stones with sets of liberties, the design of *Deep Learning and
the Game of Go*. Its random player lists all its moves; its fast one takes the first that will do, as `naive` does. All take
turns, so that a drift in the machine's speed affects them alike. Each figure is the median of the rounds, with the lowest and
the highest; ratios are those of `GO` to a yardstick.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from tabulate import tabulate

from benchmarks.host import ROUNDS, spread
from benchmarks.parsers import parser_of
from benchmarks.string_board import Chooser, first_naive_move, naive_move, play_naively
from go import GO
from goban.common.command_lines import DONE, run
from goban.rulesets import AGA
from players.naive_player import NaivePlayer

SIZES = {9: 1, 19: 10}
"""Board size -> by how much fewer games are played on it."""


def host_game(size: int, seed: int) -> None:
    """Play a game of two naive players on `GO`."""
    black, white = NaivePlayer(random.Random(2 * seed)), NaivePlayer(random.Random(2 * seed + 1))
    GO(size, AGA).play(black, white)


YARDSTICKS: dict[str, Chooser] = {"strings, lists all moves": naive_move, "strings, takes the first": first_naive_move}
"""Games of the same kind on a board of strings."""


def games_per_second(play: Callable[[int, int], None], size: int, games: int, first: int) -> float:
    """Return games per second of CPU time; the seeds count up from `first`."""
    started = time.process_time()
    for seed in range(first, first + games):
        play(size, seed)
    return games / (time.process_time() - started)


def main() -> int:
    """Measure and print."""
    games = parser_of("large_boards", "How fast the host plays on large boards.", 40).parse_args().games
    rows = []
    for size, fewer in SIZES.items():
        count = max(1, games // fewer)
        host = list[float]()
        others: dict[str, list[float]] = {name: [] for name in YARDSTICKS}
        for k in range(ROUNDS):
            host.append(games_per_second(host_game, size, count, k * count))
            for name, choose in YARDSTICKS.items():

                def play(size: int, seed: int, choose: Chooser = choose) -> None:
                    play_naively(size, random.Random(seed), choose)

                others[name].append(games_per_second(play, size, count, k * count))
        rows.append([f"{size}x{size}", "GO", *spread(host, 1)])
        for name, values in others.items():
            ratios = [a / b for a, b in zip(host, values, strict=True)]
            rows.append([f"{size}x{size}", name, *spread(values, 1), *spread(ratios, 1)])
    headers = ["board", "host", "games/s", "lowest", "highest", "GO to it", "lowest", "highest"]
    print(tabulate(rows, headers, disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("large_boards", main))
