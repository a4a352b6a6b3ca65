"""How soon the solver knows the winner and a winning move in positions of real games, with and without the book.

    python3 -m lab.book [GAMES] [RULES]        default: 40 games, course

The positions are those of games between the reference players and my_player.py. Each is solved on its own, by a solver that
remembers nothing but the book. Without the book, only positions after six moves and more are solved. Times are wall clock,
with one thread and a table of 64 MiB; compilation and emptying the table are not counted.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import product

from tabulate import tabulate

from benchmarks.pools import parser_of, watched
from go import GO
from goban.common.command_lines import DONE, run
from goban.rulesets import ruleset
from goban.solver.book import no_book
from goban.solver.errors import RULES
from goban.solver.solver import Solver
from goban.states import State
from players.registry import make_player

PLAYERS = ("random", "greedy", "aggressive", "smart", "my")
BANDS = ((0, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 9), (10, 12), (13, 23), (0, 23))
WITHOUT_FROM = 6


def play_games(games: int, rules: str) -> Iterator[tuple[str, list[State]]]:
    """Yield who plays ('smart-my', Black first) and the positions from first to last of `games` games, pairing by pairing."""
    pairings = list(product(PLAYERS, repeat=2))
    for number in range(games):
        rng = random.Random(f"{rules} {number}")
        go = GO(5, ruleset(rules))
        names = pairings[number * 7 % len(pairings)]
        black, white = (make_player(name, rng) for name in names)
        go.play(black, white)
        assert go.record is not None
        yield "-".join(names), list(itertools.accumulate(go.record.moves, State.after, initial=go.record.start))


def positions(games: int, rules: str) -> Iterator[State]:
    """Yield every unfinished position of these games."""
    for _, states in play_games(games, rules):
        yield from states[:-1]


def times(solver: Solver, asked: list[State]) -> list[tuple[int, float]]:
    """Return (moves played, milliseconds until the answer) for each position."""
    found = []
    for state in watched(asked, "positions"):
        solver.forget()
        solver.winner(state, nodes=0)
        started = time.perf_counter()
        solver.winning_move(state)
        found.append((state.n_move, 1000 * (time.perf_counter() - started)))
    return found


def main() -> int:
    """Measure and print."""
    parser = parser_of("book", "How soon the solver knows.", 40)
    parser.add_argument("rules", nargs="?", choices=RULES, default="course", help="default: course")
    options = parser.parse_args()
    games, rules = options.games, options.rules
    asked = list(positions(games, rules))
    plain = [state for state in asked if state.n_move >= WITHOUT_FROM]
    results = {
        "with the book": times(Solver(64), asked),
        "without": times(Solver(64, book=no_book), plain),
    }
    rows = []
    for name, (first, last) in product(results, BANDS):
        found = [ms for n_move, ms in results[name] if first <= n_move <= last]
        if found:
            late = sum(ms > 1000 for ms in found)
            rows.append([name, f"{first}-{last}", len(found), statistics.median(found), max(found), late])
    header = ["", "moves played", "positions", "median ms", "worst ms", "over 1 s"]
    print(f"{rules}, {games} games")
    print(tabulate(rows, header, floatfmt=".1f"))
    return DONE


if __name__ == "__main__":
    sys.exit(run("book", main))
