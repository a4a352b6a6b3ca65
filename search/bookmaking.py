"""Make the book of early 5x5 positions anew: `python3 -m search.bookmaking`.

Solved are the positions that a perfect player (`search.strategy`) can meet in the first moves of a game, with either
colour, whatever his opponent does: where it is his turn his own moves only, where it is not all of them; symmetric positions
once. Then all positions after one to three moves. One table remembers it all. At the end the entries that took most work go
into the book, far more of them than positions that were asked about.

One thread and a table of fixed size: the same command makes the same book, byte for byte.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from tqdm import tqdm

from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.states import State, new_game
from kernels.entries import compilation_told
from search.book import Book, book_bytes, shipped_path
from search.engine import position_of
from search.smallboards import MAX_SIZE, RULES, canonical
from search.solver import Solver
from search.strategy import perfect_moves

MEMORY_MIB = 4096
PLIES = 6
ENTRIES = 1_000_000
WHOLE_PLIES = 3
_CANDIDATES = 40_000_000
_LEAST_WORK = 6


def positions_met(rules: str, colour: int, plies: int, solver: Solver) -> Iterator[State]:
    """Yield every position up to `plies` moves that a perfect player of one colour meets on his turn, nearest first.

    He solves each before the next is yielded.
    """
    layer = [new_game(ruleset(rules), MAX_SIZE)]
    for _ in range(plies + 1):
        after: list[State] = []
        for state in layer:
            if state.to_move == colour:
                yield state
                after += [state.after(move) for move in perfect_moves(state, solver)]
            else:
                after += [state.after(move) for move in state.legal_moves()]
        layer = list(different(state for state in after if not state.is_over))


def all_positions(rules: str, plies: int) -> Iterator[State]:
    """Yield all positions after one to `plies` moves, of symmetric ones one."""
    layer = [new_game(ruleset(rules), MAX_SIZE)]
    for _ in range(plies):
        after = [state.after(move) for state in layer for move in state.legal_moves()]
        layer = list(different(state for state in after if not state.is_over))
        yield from layer


def different(states: Iterable[State]) -> Iterator[State]:
    """Yield one of each set of symmetric positions."""
    seen = set()
    for state in states:
        own, other, ko, passed, left, _ = position_of(state, 0)
        place = canonical(own, other, ko, MAX_SIZE), passed, left
        if place not in seen:
            seen.add(place)
            yield state


def made_book(rules: str, plies: int = PLIES, memory_mib: int = MEMORY_MIB, entries: int = ENTRIES) -> Book:
    """Return the book of one rule set; takes the better part of an hour with the usual numbers."""
    solver = Solver(memory_mib, book=False)
    for colour in (BLACK, WHITE):
        name = f"{rules}, {'black' if colour == BLACK else 'white'}"
        for _ in tqdm(positions_met(rules, colour, plies, solver), desc=name, unit=" positions", disable=None):
            pass
    for state in tqdm(list(all_positions(rules, WHOLE_PLIES)), desc=f"{rules}, all", unit=" positions", disable=None):
        solver.winner(state)
    return costliest(solver, entries)


def costliest(solver: Solver, entries: int) -> Book:
    """Return a book of the early entries of a solver's table that took most work."""
    keys, values, works = solver.entries(_LEAST_WORK, _CANDIDATES)
    chosen = np.lexsort((keys, -works))[:entries]
    chosen = chosen[np.argsort(keys[chosen])]
    return Book(keys[chosen], values[chosen])


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python3 -m search.bookmaking", description=__doc__.split("\n\n")[0])
    parser.add_argument("rules", nargs="*", default=RULES, choices=RULES, help="rule sets; both if none is given")
    parser.add_argument("--plies", type=int, default=PLIES, help="solve positions up to so many moves (%(default)s)")
    parser.add_argument("--memory", type=int, default=MEMORY_MIB, metavar="MIB", help="size of the table (%(default)s)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write (default: where the solver looks)")
    options = parser.parse_args()
    with compilation_told(lambda: print("compiling the solver, once for this machine...", file=sys.stderr)):
        for rules in options.rules:
            path = shipped_path(rules)
            path = options.out / path.name if options.out else path
            try:
                data = book_bytes(made_book(rules, options.plies, options.memory))
            except KeyboardInterrupt:
                print(f"\nstopped: {path} is as it was", file=sys.stderr)
                return 130
            part = path.with_suffix(".part")
            part.write_bytes(data)
            part.replace(path)
            print(f"{path}: {len(data):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
