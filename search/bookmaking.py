"""Make the book of early 5x5 positions anew: `python3 -m search.bookmaking`.

Solved first are the positions that a perfect player (`search.strategy`) can meet in the first moves of a game, with either
colour, whatever his opponent does: where it is his turn his own moves only, where it is not all of them; symmetric positions
once. Then all positions after one to three moves. One table remembers it all, and the entries that took most work are the
opening book.

With that at hand all positions after a few moves more are solved, in two parts side by side. Out of both tables the entries
that took most work go into the book, far more of them than positions that were asked about.

Each part has one thread and a table of fixed size: the same command makes the same book, byte for byte.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import numpy as np
from tqdm import tqdm

from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.states import State, new_game
from kernels.entries import compilation_told
from search.book import Book, book_bytes, shipped_path
from search.engine import position_of
from search.smallboards import MAX_SIZE, RULES, Ints, canonical, mask_of_state
from search.solver import Solver
from search.strategy import perfect_moves

MEMORY_MIB = 4096
PLIES = 6
OPENING_ENTRIES = 1_000_000
OPENING_WHOLE_PLIES = 3
WHOLE_PLIES = 5
ENTRIES = 2_000_000
_PARTS = 2
_CANDIDATES = 40_000_000
_LEAST_WORK, _LEAST_WHOLE_WORK = 6, 9


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


def opening_book(rules: str, plies: int = PLIES, memory_mib: int = MEMORY_MIB, entries: int = OPENING_ENTRIES) -> Book:
    """Return what a perfect player needs in the first moves of a game; takes some ten minutes with the usual numbers."""
    solver = Solver(memory_mib, book=False)
    for colour in (BLACK, WHITE):
        name = f"{rules}, {'black' if colour == BLACK else 'white'}"
        for _ in tqdm(positions_met(rules, colour, plies, solver), desc=name, unit=" positions", disable=None):
            pass
    for state in tqdm(list(all_positions(rules, OPENING_WHOLE_PLIES)), desc=f"{rules}, all", unit=" positions", disable=None):
        solver.winner(state)
    keys, values, _ = costliest(*solver.entries(_LEAST_WORK, _CANDIDATES), entries)
    return Book(keys, values)


def made_book(rules: str, opening: Book, plies: int = WHOLE_PLIES, memory_mib: int = MEMORY_MIB) -> Book:
    """Return the book of one rule set, all positions after up to `plies` moves solved; takes hours with the usual numbers."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(_PARTS, context) as pool:
        parts = pool.map(solved_part, repeat(rules), range(_PARTS), repeat(opening), repeat(plies), repeat(memory_mib))
        keys, values, _ = costliest(*merged(*map(np.concatenate, zip(*parts, strict=True))), ENTRIES)
    return Book(keys, values)


def solved_part(rules: str, part: int, opening: Book, plies: int, memory_mib: int) -> tuple[Ints, Ints, Ints]:
    """Return the entries (keys, values, works) that a part of all positions after `plies` moves leaves in a table.

    A part is made of positions after one move less, each followed by its successors. White's stones stay the same from one to
    the next as long as possible, and from there to the successors if it is Black's turn.
    """
    before = [state for state in all_positions(rules, plies - 1) if state.n_move == plies - 1]
    before.sort(key=_whites_stones_first)
    before = before[len(before) * part // _PARTS : len(before) * (part + 1) // _PARTS]
    solver = Solver(memory_mib, book=opening)
    name = f"{rules}, {plies} moves, part {part + 1}"
    for state in tqdm(before, desc=name, unit=" positions", disable=None, position=part):
        for asked in (state, *map(state.after, state.legal_moves())):
            solver.winner(asked)
    return costliest(*solver.entries(_LEAST_WHOLE_WORK, _CANDIDATES), ENTRIES)


def _whites_stones_first(state: State) -> tuple[int, int, int]:
    return canonical(mask_of_state(state, state.white), mask_of_state(state, state.black), 0, MAX_SIZE)


def merged(keys: Ints, values: Ints, works: Ints) -> tuple[Ints, Ints, Ints]:
    """Return entries with those of the same position made one, which has all their bounds and the work of the costliest."""
    # The lower bound stands in the upper bits of a value, with the move that proves it in the lowest.
    order = np.lexsort((values, keys))
    keys, values, works = keys[order], values[order], works[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    best = values[np.append(first[1:], len(keys)) - 1]
    upper = np.minimum.reduceat(values >> 5 & 63, first)
    return keys[first], best & ~(63 << 5) | upper << 5, np.maximum.reduceat(works, first)


def costliest(keys: Ints, values: Ints, works: Ints, most: int) -> tuple[Ints, Ints, Ints]:
    """Return up to `most` entries, those that took most work, in ascending order of key."""
    chosen = np.lexsort((keys, -works))[:most]
    chosen = chosen[np.argsort(keys[chosen])]
    return keys[chosen], values[chosen], works[chosen]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python3 -m search.bookmaking", description=__doc__.split("\n\n")[0])
    parser.add_argument("rules", nargs="*", default=RULES, choices=RULES, help="rule sets; both if none is given")
    parser.add_argument("--memory", type=int, default=MEMORY_MIB, metavar="MIB", help="of a table; two are used (%(default)s)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write (default: where the solver looks)")
    options = parser.parse_args()
    with compilation_told(lambda: print("compiling the solver, once for this machine...", file=sys.stderr)):
        for rules in options.rules:
            path = shipped_path(rules)
            path = options.out / path.name if options.out else path
            try:
                opening = opening_book(rules, memory_mib=options.memory)
                data = book_bytes(made_book(rules, opening, memory_mib=options.memory))
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
