"""What perfect play is worth, and how long it takes to find out.

    python3 -m benchmarks.solver                    every opening, sizes 2 to 4, and random positions (a minute or two)
    python3 -m benchmarks.solver --sizes 2 3 4 5    with 5x5: minutes to an hour

Openings: one first move of each set of symmetric ones. The margin is Black's stones less White's at the end, without komi.
Each size and rule set has its own solver, which keeps what it has proven from one row to the next, so the rows cost less
than each would alone. The book is not used. `--empty` asks for the winner of the empty board only, with an empty table.
Random positions: uniform legal placements from the empty 5x5 board, seed 1. The winner of every position is searched by a
solver with an empty table, and again by one whose table holds the book of early positions, unless the table is too small
for it. Compilation and filling the table are not counted.

CPU seconds are those of all threads. Nodes are the positions visited, including those of the last two moves.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from itertools import product

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run
from goban.moves import PASS, Move, move_name
from goban.rulesets import ruleset
from goban.solver.book import no_book, shipped_book
from goban.solver.errors import SearchError
from goban.solver.solver import Solution, Solver
from goban.states import State, new_game

RULES = ("course", "littlego")
AFTER = ((6, 10), (10, 100))
WINNERS = {0: "tie", 1: "black", 2: "white", None: "unknown"}


def openings(size: int) -> list[Move]:
    """Return one point of each set of symmetric points, a corner first."""
    half = (size + 1) // 2
    return [(i, j) for i in range(half) for j in range(i, half)]


def random_positions(rules: str, moves: int, number: int) -> Iterator[State]:
    """Yield `number` unfinished 5x5 positions, each after `moves` random placements."""
    rng = random.Random(f"1 {rules} {moves}")
    while number:
        state = new_game(ruleset(rules), 5)
        while state.n_move < moves and not state.is_over:
            choices = [move for move in state.legal_moves() if move is not PASS]
            if not choices:
                break
            state = state.play(rng.choice(choices))
        if state.n_move == moves and not state.is_over:
            number -= 1
            yield state


class Stopwatch:
    """Measures wall-clock and CPU seconds from its creation on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def read(self) -> list[str]:
        """Return both as text, wall first."""
        return [f"{time.perf_counter() - self._wall:.3f}", f"{time.process_time() - self._cpu:.3f}"]


def opening_rows(rules: str, size: int, memory_mib: int, threads: int) -> Iterator[list[str]]:
    """Yield (rules, size, opening, winner, margin, nodes, seconds, CPU seconds), first for the empty board."""
    solver = Solver(memory_mib, threads, book=no_book)
    solver.forget()
    start = new_game(ruleset(rules), size)
    watch = Stopwatch()
    found = solver.winner(start)
    yield row(rules, size, "(winner)", found, watch)
    for move in reversed(openings(size)):
        watch = Stopwatch()
        found = solver.margin(start.play(move))
        yield row(rules, size, move_name(move, size), found, watch)


def row(rules: str, size: int, opening: str, found: Solution, watch: Stopwatch) -> list[str]:
    """Return one line of the table."""
    margin = "" if found.margin is None else f"{found.margin:+d}"
    return [rules, f"{size}x{size}", opening, WINNERS[found.winner], margin, f"{found.nodes:,}", *watch.read()]


def position_row(rules: str, moves: int, number: int, book: bool, memory_mib: int, threads: int) -> list[str]:
    """Return (rules, moves played, book, positions, average nodes, average and greatest wall ms, average CPU ms)."""
    nodes, walls, cpus = 0, [], []
    solver = Solver(memory_mib, threads, book=shipped_book if book else no_book)
    for state in random_positions(rules, moves, number):
        solver.forget()
        solver.winner(state, nodes=0)
        wall, cpu = time.perf_counter(), time.process_time()
        nodes += solver.winner(state).nodes
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    times = [sum(walls) / number, max(walls), sum(cpus) / number]
    asked = [rules, str(moves), "yes" if book else "no", str(number)]
    return [*asked, f"{nodes // number:,}", *(f"{1000 * seconds:.1f}" for seconds in times)]


def main() -> int:
    """Print the tables as they grow."""
    parser = parser_of("solver", "What perfect play is worth.")
    parser.add_argument("--sizes", type=int, nargs="*", default=[2, 3, 4], help="board sizes of the openings")
    parser.add_argument("--rules", nargs="*", default=RULES, choices=RULES, help="rule sets")
    parser.add_argument("--empty", action="store_true", help="only the winner of the empty board")
    parser.add_argument("--positions", type=int, default=1, help="how many times 10 and 100 random positions; 0 for none")
    parser.add_argument("--memory-mib", type=int, default=1024, help="size of the solver's table")
    parser.add_argument("--threads", type=int, default=1, help="how many search at the same time")
    options = parser.parse_args()
    for rules in options.rules:
        Solver(16, options.threads).winner(new_game(ruleset(rules), 2), seconds=60)
        Solver(16, options.threads).winner(new_game(ruleset(rules), 2))
    header = ["rules", "size", "opening", "winner", "margin", "nodes", "seconds", "CPU seconds"]
    rows: list[list[str]] = []
    for size in options.sizes:
        for rules in options.rules:
            for line in opening_rows(rules, size, options.memory_mib, options.threads):
                rows.append(line)
                print("  ".join(line), flush=True)
                if options.empty:
                    break
    print("\n" + tabulate(rows, header, disable_numparse=True))
    if options.positions:
        header = ["rules", "after moves", "book", "positions", "average nodes", "average ms", "greatest ms", "average CPU ms"]
        rows = [
            position_row(rules, moves, number * options.positions, book, options.memory_mib, options.threads)
            for rules, (moves, number), book in product(options.rules, AFTER, (False, True))
        ]
        print("\n" + tabulate(rows, header, disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("solver", main, SearchError))
