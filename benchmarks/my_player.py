"""How strong and how fast my_player.py is, against every reference player and with each colour.

    python3 -m benchmarks.my_player [GAMES] [SIZE] [RULES]        default: 1000 games, 5, course

Each cell is the share of games that my_player.py wins, with its 95 % Wilson interval. Games are seeded by opponent, colour
and number, so the shares are the same every time, on any number of processors. A decision is one call of `get_input` while
all processors are busy. Its time is given as wall-clock time and as processor time, which other programs on the machine do
not lengthen. Loading is the call `MyPlayer()`, which reads the table.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from dataclasses import dataclass, field, replace
from itertools import product

from tabulate import tabulate

from benchmarks.players import share
from benchmarks.pools import parser_of, processes
from go import GO
from goban.common.command_lines import DONE, run, whole_number
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.rulesets import PRESETS, full_name, ruleset
from my_player import TABLE, MyPlayer
from players.registry import make_player

OPPONENTS = ("random", "greedy", "aggressive", "smart")
CHUNK = 50


@dataclass
class Timed:
    """A player that records how long each of its decisions took, in seconds."""

    player: MyPlayer | None
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def get_input(self, go: GO, piece_type: int) -> object:
        wall, cpu = time.perf_counter(), time.process_time()
        assert self.player is not None
        answer = self.player.get_input(go, piece_type)
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)
        return answer


def play_chunk(opponent: str, colour: int, numbers: range, size: int, rules: str) -> tuple[int, Timed]:
    """Play the games of these numbers; return (games won, the player with the times of all its decisions)."""
    me, go, won = Timed(MyPlayer()), GO(size, ruleset(rules)), 0
    for number in numbers:
        other = make_player(opponent, random.Random(f"{opponent} {colour} {number}"))
        won += go.play(*((me, other) if colour == BLACK else (other, me))) == colour
    return won, replace(me, player=None)


def main() -> int:
    """Play and print."""
    parser = parser_of("my_player", "How strong and how fast my_player.py is.", 1000)
    parser.add_argument("size", nargs="?", type=whole_number(MIN_SIZE, MAX_SIZE, "a size"), default=5, help="default: 5")
    parser.add_argument("rules", nargs="?", type=full_name, choices=PRESETS, default="course", help="default: course")
    options = parser.parse_args()
    games, size, rules = options.games, options.size, options.rules
    chunks = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    started = time.perf_counter()
    with processes() as pool:
        futures = {
            pair: [pool.submit(play_chunk, *pair, numbers, size, rules) for numbers in chunks]
            for pair in product(OPPONENTS, (BLACK, WHITE))
        }
        results = {pair: [future.result() for future in parts] for pair, parts in futures.items()}
    wins = {pair: sum(won for won, _ in parts) for pair, parts in results.items()}
    timed = [chunk for parts in results.values() for _, chunk in parts]
    print(f"{rules}, {size}x{size}, {games} games a cell, {time.perf_counter() - started:.0f} s")
    rows = [[name, share(wins[name, BLACK], games), share(wins[name, WHITE], games)] for name in OPPONENTS]
    print(tabulate(rows, headers=["opponent", "as Black", "as White"]))
    started = time.perf_counter()
    MyPlayer()
    print(f"table {TABLE.stat().st_size / 1e6:.1f} MB, loaded in {1000 * (time.perf_counter() - started):.0f} ms")
    for clock in ("wall", "cpu"):
        seconds = [second for chunk in timed for second in getattr(chunk, clock)]
        median, worst = 1000 * statistics.median(seconds), 1000 * max(seconds)
        print(f"{len(seconds)} decisions, {clock}: median {median:.1f} ms, worst {worst:.0f} ms")
    return DONE


if __name__ == "__main__":
    sys.exit(run("my_player", main))
