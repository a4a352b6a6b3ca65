"""Make the book of early 5x5 positions anew: `python3 -m search.bookmaking`.

First all positions are solved that a perfect player (`search.strategy`) can meet in the first moves of a game, with either
colour, whatever his opponent does: where it is his turn his own moves only, where it is not all of them; symmetric positions
once. Then all positions after one to three moves.

With that at hand all positions after a few moves more are solved, in parts that need nothing of each other. Everything early in
the tables that took enough work goes into the book, far more than the positions that were asked about.

A position that took little, because its successors were known already, may take long where they are not. So at the end all
early positions are asked about once more, the last ones first, and all of them go into the book.

Each part has one thread and a table of fixed size: the same command makes the same book, byte for byte. What a part found is
kept in a folder beside the book until the book is done, so a command that was stopped goes on with the parts that are missing.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

import numpy as np
from tqdm import tqdm

from goban.files import opened_beside, write_beside
from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.states import State, new_game
from kernels.entries import compilation_told
from search.book import Book, book_bytes, shipped_path
from search.engine import position_of
from search.smallboards import MAX_SIZE, RULES, Ints, canonical
from search.solver import Solver
from search.strategy import perfect_moves
from search.transpositions import MOST_WORK

Entries = tuple[Ints, Ints, Ints]
"""Keys, values (as `search.book` holds them), and work, the binary logarithm of the positions searched."""

MEMORY_MIB = 4096
PLIES, OPENING_WHOLE_PLIES, OPENING_ENTRIES = 6, 3, 1_000_000
WHOLE_PLIES, PARTS = 5, 2
LEAST_WORK = 13
_LEAST_OPENING_WORK, _LEAST_WHOLE_WORK = 6, 9
_CANDIDATES = 40_000_000
_FEW = 1000


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


# Parts of the work


def opening_entries(rules: str, memory_mib: int) -> Entries:
    """Return what a perfect player needs in the first moves of a game."""
    solver = Solver(memory_mib, book=False)
    for colour in (BLACK, WHITE):
        name = f"{rules}, {'black' if colour == BLACK else 'white'}"
        for _ in tqdm(positions_met(rules, colour, PLIES, solver), desc=name, unit=" positions", disable=None):
            pass
    for state in tqdm(list(all_positions(rules, OPENING_WHOLE_PLIES)), desc=f"{rules}, all", unit=" positions", disable=None):
        solver.winner(state)
    keys, values, works = solver.entries(_LEAST_OPENING_WORK, _CANDIDATES)
    costliest = np.lexsort((keys, -works))[:OPENING_ENTRIES]
    return keys[costliest], values[costliest], works[costliest]


def whole_entries(rules: str, memory_mib: int, plies: int, part: int, known: Book) -> Entries:
    """Return what solving a part of all positions after `plies` moves finds out, beginning with a book.

    A part is made of positions after one move less, each followed by its successors. The stones that stay the same from there
    to the successors also stay the same from one position to the next, as long as possible.
    """
    before = [state for state in all_positions(rules, plies - 1) if state.n_move == plies - 1]
    before.sort(key=_stones_that_stay)
    before = before[len(before) * part // PARTS : len(before) * (part + 1) // PARTS]
    solver = Solver(memory_mib, book=known)
    name = f"{rules}, {plies} moves, part {part + 1} of {PARTS}"
    for state in tqdm(before, desc=name, unit=" positions", disable=None, position=part):
        for asked in (state, *map(state.after, state.legal_moves())):
            solver.winner(asked)
    return _new_entries(solver, _LEAST_WHOLE_WORK)


def early_entries(rules: str, memory_mib: int, plies: int, further: int, known: Book) -> Entries:
    """Return what a book tells of all positions after up to `plies` moves, and of those up to `further` moves later that follow
    from it in a few steps."""
    solver = Solver(memory_mib, book=known)
    states = list(all_positions(rules, plies + further))
    for state in tqdm(reversed(states), desc=f"{rules}, all again", unit=" positions", disable=None, total=len(states)):
        solver.winner(state, nodes=_FEW if state.n_move > plies else None)
    return _new_entries(solver, 0)


def _new_entries(solver: Solver, least_work: int) -> Entries:
    """Return the entries of a solver's table that it did not begin with."""
    keys, values, works = solver.entries(least_work, _CANDIDATES)
    new = works < MOST_WORK
    return keys[new], values[new], works[new]


def _stones_that_stay(state: State) -> tuple[int, int, int]:
    own, other, *_ = position_of(state, 0)
    return canonical(other, own, 0, MAX_SIZE)


def merged(entries: Iterable[Entries]) -> Entries:
    """Return entries with those of the same position made one, which has all their bounds and the work of the costliest."""
    keys, values, works = (np.concatenate(column) for column in zip(*entries, strict=True))
    # The lower bound stands in the upper bits of a value, with the move that proves it in the lowest.
    order = np.lexsort((values, keys))
    keys, values, works = keys[order], values[order], works[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    best = values[np.append(first[1:], len(keys)) - 1]
    upper = np.minimum.reduceat(values >> 5 & 63, first)
    return keys[first], best & ~(63 << 5) | upper << 5, np.maximum.reduceat(works, first)


# The whole


def made_book(rules: str, folder: Path, memory_mib: int = MEMORY_MIB, plies: int = WHOLE_PLIES) -> Book:
    """Return the book of one rule set; takes two cores about an hour. What is done is kept in a folder, or comes from there."""
    found = [kept(folder / "opening.npz", partial(opening_entries, rules, memory_mib))]
    work = partial(whole_entries, rules, memory_mib, plies, known=_book(found))
    tasks = [partial(kept, folder / f"part-{part + 1}-of-{PARTS}.npz", partial(work, part)) for part in range(PARTS)]
    with ProcessPoolExecutor(PARTS, multiprocessing.get_context("spawn")) as pool:
        found += [future.result() for future in [pool.submit(task) for task in tasks]]
    # In a table that fills up new entries push out those that took little; so all again with an empty one, which hardly fills.
    for name, further in (("early", 1), ("again", 0)):
        found.append(kept(folder / f"{name}.npz", partial(early_entries, rules, memory_mib, plies, further, _book(found))))
    keys, values, works = merged(found)
    early = keys >> 55 >= MAX_SIZE**2 - 1 - (plies + 1)
    chosen = early | (works >= LEAST_WORK)
    return Book(keys[chosen], values[chosen])


def _book(found: Iterable[Entries]) -> Book:
    keys, values, _ = merged(found)
    return Book(keys, values)


def kept(path: Path, make: Callable[[], Entries]) -> Entries:
    """Return the entries in a file, which is made if it is not there."""
    if not path.exists():
        keys, values, works = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with opened_beside(path) as file:
            np.savez(file, keys=keys, values=values, works=works)
    with np.load(path) as columns:
        return columns["keys"], columns["values"], columns["works"]


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
            folder = path.with_suffix(f".parts-{options.memory}")
            try:
                data = book_bytes(made_book(rules, folder, options.memory))
            except KeyboardInterrupt:
                print(f"\nstopped: {path} is as it was; what is done of a new one is in {folder}", file=sys.stderr)
                return 130
            except BrokenProcessPool:
                print(f"bookmaking: a part was killed (out of memory?); what is done is in {folder}", file=sys.stderr)
                return 2
            write_beside(path, data)
            shutil.rmtree(folder)
            print(f"{path}: {len(data):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
