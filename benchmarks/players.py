"""How strong the shipped players are: every pair, both colours, course rules on 5x5.

    python3 -m benchmarks.players [GAMES]          default: 1000 games for each pair and colour

Each cell is the share of games that Black (the row) wins against White (the column), with its 95 % Wilson interval. The
second table has each player against the one before it, both colours together. Games are seeded by the players' names and
the game's number, so the tables are the same every time, on any number of processors.
"""

from __future__ import annotations

import random
import sys
import time
from itertools import pairwise, product

from tabulate import tabulate

from benchmarks.pools import parser_of, processes
from go import GO
from goban.common.command_lines import DONE, run
from goban.common.estimates import wilson_interval
from players.registry import make_player

PLAYERS = ("random", "greedy", "aggressive", "smart", "my")
CHUNK = 50


def black_wins(black: str, white: str, first: int, games: int) -> int:
    """Return how many Black wins of `games` games, numbered from `first` on."""
    go, wins = GO(5), 0
    for number in range(first, first + games):
        rngs = (random.Random(f"{black}-{white}-{number} {colour}") for colour in ("black", "white"))
        players = [make_player(name, rng) for name, rng in zip((black, white), rngs, strict=True)]
        wins += go.play(players[0], players[1]) == 1
    return wins


def cross_table(games: int) -> dict[tuple[str, str], int]:
    """Return (Black, White) -> games won by Black."""
    chunks = range(0, games, CHUNK)
    with processes() as pool:
        futures = {
            (black, white): [pool.submit(black_wins, black, white, first, min(CHUNK, games - first)) for first in chunks]
            for black, white in product(PLAYERS, PLAYERS)
        }
        return {pair: sum(future.result() for future in parts) for pair, parts in futures.items()}


def share(wins: int, games: int) -> str:
    """Return a share in percent, with its interval, as text."""
    low, high = wilson_interval(wins, games)
    return f"{100 * wins / games:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def main() -> int:
    """Play and print."""
    parser = parser_of("players", "How strong the shipped players are.", 1000)
    games = parser.parse_args().games
    started = time.perf_counter()
    wins = cross_table(games)
    rows = [[f"{black} (X)", *(share(wins[black, white], games) for white in PLAYERS)] for black in PLAYERS]
    print(f"Black's wins, {games} games a cell, {time.perf_counter() - started:.0f} s")
    print(tabulate(rows, ["", *(f"{name} (O)" for name in PLAYERS)], disable_numparse=True))
    print()
    both = [
        [f"{better} against {worse}", share(wins[better, worse] + games - wins[worse, better], 2 * games)]
        for worse, better in pairwise(PLAYERS)
    ]
    print(tabulate(both, ["both colours", f"wins of {2 * games}"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("players", main))
