"""How the book of early 5x5 positions is made, and what comes into it; `python3 -m goban.solver.bookmaking` does it.

The work has three parts:

1. The positions that a perfect player (`goban.solver.solver`) can meet in the first moves of a game, with either colour: after
   own moves and all moves of the opponent. Then all positions after one to three moves. Symmetric positions count as one.
2. All positions after `WHOLE_PLIES` moves, in rounds. In each round every core has its share and begins with all that was
   found before.
3. All positions after fewer moves, with what parts 1 and 2 have found.

So far only who wins is asked. Last come the margins of all positions after up to `MARGIN_PLIES` moves (`with_margins`).

Every position of part 2 and 3 goes into the book, however little work it took: without its entry the search may try other
moves first and go far astray. So does every other early position in the tables that took enough work; these are far more
than the positions that were asked about.

Each core has one thread and a table of fixed size, so the same command makes the same book, byte for byte. What a core has
found in a round is kept in a folder beside the book until the book is done: a command that was stopped goes on from there.
Then margins are the same, too, but the moves kept as their proofs may be others.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from tqdm import tqdm

from goban.common.files import check_array, one_line, open_beside, read_arrays
from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.solver.alphabeta.boards import MAX_SIZE, Ints, canonical
from goban.solver.alphabeta.transpositions import MOST_WORK, NOTHING
from goban.solver.book import Book, no_book
from goban.solver.engine import position_of
from goban.solver.errors import BadBookError
from goban.solver.solver import Solver, perfect_moves
from goban.states import State, new_game

Entries = tuple[Ints, Ints, Ints]
"""Keys, values (as `goban.solver.book` holds them), and work, the binary logarithm of the positions searched."""

MEMORY_MIB = 4096
PLIES, OPENING_WHOLE_PLIES, OPENING_ENTRIES = 6, 3, 1_000_000
CORES, ROUNDS = 2, 8
WHOLE_PLIES = 6
"""All positions after up to so many moves are in the book."""
MARGIN_PLIES = 3
"""The margins of all positions after up to so many moves are in a finished book."""
LEAST_WORK = 16
"""Binary logarithm of the positions that a later position took, at least, to be in the book: as many as 5 MB have room for."""
_LEAST_OPENING_WORK, _LEAST_WHOLE_WORK = 6, 9
_CANDIDATES = 40_000_000


def positions_met(rules: str, colour: int, plies: int, solver: Solver) -> Iterator[State]:
    """Yield every position up to `plies` moves that a perfect player of one colour meets on its turn, nearest first.

    Each is solved before the next is yielded.
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
    solver = Solver(memory_mib, book=no_book)
    for colour in (BLACK, WHITE):
        name = f"{rules}, {'black' if colour == BLACK else 'white'}"
        for _ in tqdm(positions_met(rules, colour, PLIES, solver), desc=name, unit=" positions", disable=None):
            pass
    for state in tqdm(list(all_positions(rules, OPENING_WHOLE_PLIES)), desc=f"{rules}, all", unit=" positions", disable=None):
        solver.winner(state)
    keys, values, works = solver.engine.entries(_LEAST_OPENING_WORK, _CANDIDATES)
    costliest = np.lexsort((keys, -works))[:OPENING_ENTRIES]
    return keys[costliest], values[costliest], works[costliest]


def whole_entries(name: str, place: int, before: list[State], memory_mib: int, known: Book) -> Entries:
    """Return what solving some positions and all their successors finds out, beginning with a book."""
    solver = Solver(memory_mib, book=lambda _: known)
    shown = tqdm(before, desc=name, unit=" positions", disable=None, position=place)
    asked = answers(itertools.chain.from_iterable(map(with_successors, shown)), solver)
    keys, values, works = solver.engine.entries(_LEAST_WHOLE_WORK, _CANDIDATES)
    new = works < MOST_WORK
    return merge_entries([asked, (keys[new], values[new], works[new])])


def early_entries(rules: str, memory_mib: int, known: Book) -> Entries:
    """Return what a book tells of the positions before those that were solved with their successors."""
    states = list(all_positions(rules, WHOLE_PLIES - 2))
    return answers(reversed(states), Solver(memory_mib, book=lambda _: known))


def with_successors(state: State) -> Iterator[State]:
    """Yield a position and, of those after one move more, all in which the game goes on."""
    yield state
    after = map(state.after, state.legal_moves())
    yield from (other for other in after if not other.is_over)


def answers(states: Iterable[State], solver: Solver) -> Entries:
    """Return the entries of positions, each kept when it is solved: what took little work may not stay in the table."""
    entries = []
    for state in states:
        solver.winner(state)
        entries.append(solver.engine.entry(state))
    keys, values, works = np.array(entries, dtype=np.int64).T
    return keys, values, works


def _stones_that_stay(state: State) -> tuple[int, int, int]:
    own, other, *_ = position_of(state, 0)
    return canonical(other, own, 0, MAX_SIZE)


def merge_entries(entries: Iterable[Entries]) -> Entries:
    """Return entries with one for each position; it has all bounds known of that position and the work of the costliest."""
    keys, values, works = (np.concatenate(column) for column in zip(*entries, strict=True))
    # The lower bound stands in the upper bits of a value, with the move that proves it in the lowest.
    order = np.lexsort((values, keys))
    keys, values, works = keys[order], values[order], works[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    best = values[np.append(first[1:], len(keys)) - 1]
    upper = np.minimum.reduceat(values >> 5 & 63, first)
    return keys[first], best & ~(63 << 5) | upper << 5, np.maximum.reduceat(works, first)


# The whole


def make_book(rules: str, folder: Path, memory_mib: int = MEMORY_MIB) -> Book:
    """Return the book of one rule set; takes two cores some hours. What is done is kept in a folder, or comes from there."""
    entries = [load_or_make(folder / "opening.npz", partial(opening_entries, rules, memory_mib))]
    for number, shares in enumerate(rounds_of(rules), 1):
        paths = [folder / f"round-{number}-of-{ROUNDS}-{core}.npz" for core in range(CORES)]
        entries = [merge_entries([*entries, *whole_round(rules, paths, shares, memory_mib, _book(entries))])]
    entries.append(load_or_make(folder / "early.npz", partial(early_entries, rules, memory_mib, _book(entries))))
    keys, values, works = merge_entries(entries)
    early = keys >> 55 >= MAX_SIZE**2 - 1 - WHOLE_PLIES
    chosen = (early | (works >= LEAST_WORK)) & (values != NOTHING)
    return Book(keys[chosen], values[chosen])


def rounds_of(rules: str) -> Iterator[list[list[State]]]:
    """Yield for each round what each core gets of all positions after one move less than `WHOLE_PLIES`.

    Neighbours in the list have much in common that stays the same in their successors, so that one helps with the next. All
    positions with the same stones of the player who has just moved make a family; neighbouring families go to different cores.
    """
    last = WHOLE_PLIES - 1
    before = sorted((state for state in all_positions(rules, last) if state.n_move == last), key=_stones_that_stay)
    families = [list(family) for _, family in itertools.groupby(before, lambda state: _stones_that_stay(state)[0])]
    for number in range(ROUNDS):
        taken = families[len(families) * number // ROUNDS : len(families) * (number + 1) // ROUNDS]
        yield [[state for family in taken[core::CORES] for state in family] for core in range(CORES)]


def whole_round(rules: str, paths: list[Path], shares: list[list[State]], memory_mib: int, known: Book) -> list[Entries]:
    """Return what each core finds out of its share."""
    tasks = []
    for place, (path, share) in enumerate(zip(paths, shares, strict=True)):
        name = f"{rules}, {path.stem}"
        tasks.append(partial(load_or_make, path, partial(whole_entries, name, place, share, memory_mib, known)))
    with ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn"), _follow_parent) as pool:
        return [future.result() for future in [pool.submit(task) for task in tasks]]


def _follow_parent() -> None:
    """Have this process end with the one that started it, even if that is killed."""

    def follow() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def with_margins(rules: str, folder: Path, memory_mib: int, known: Book) -> Book:
    """Return a book with the margins of the first positions added; each is kept when it is known, and takes seconds.

    First stones near the centre come first, since most games begin there, and later positions before earlier ones.
    """
    solver, near = Solver(memory_mib, book=lambda _: known), None
    entries: list[Entries] = [(known.keys, known.values, np.zeros_like(known.keys))]
    states = [*sorted(all_positions(rules, MARGIN_PLIES), key=_distance_and_moves), new_game(ruleset(rules), MAX_SIZE)]
    for state in tqdm(states, desc=f"{rules}, margins", unit=" positions", disable=None):
        path = folder / "-".join(["margin", *map(str, position_of(state, 0)[:-1])])
        entries.append(load_or_make(path.with_suffix(".npz"), partial(margin_entry, state, solver, near)))
        low = (int(entries[-1][1][0]) >> 11) - 32
        near = low if state.to_move == BLACK else -low
    keys, values, _ = merge_entries(entries)
    return Book(keys, values)


def _distance_and_moves(state: State) -> tuple[int, int]:
    (i, j), middle = state.grid.points_of(state.black)[0], MAX_SIZE // 2
    return (i - middle) ** 2 + (j - middle) ** 2, -state.n_move


def margin_entry(state: State, solver: Solver, near: int | None) -> Entries:
    """Return the entry of a position with both bounds at its margin, which is looked for near another."""
    solver.margin(state, near=near)
    keys, values, works = (np.array([number], dtype=np.int64) for number in solver.engine.entry(state))
    return keys, values, works


def _book(entries: Iterable[Entries]) -> Book:
    keys, values, _ = merge_entries(entries)
    return Book(keys, values)


def load_or_make(path: Path, make: Callable[[], Entries]) -> Entries:
    """Return the entries in a file, which is made if it is not there; raises BadBookError for a damaged one."""
    if not path.exists():
        keys, values, works = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_beside(path) as file:
            np.savez(file, keys=keys, values=values, works=works)
    try:
        columns = read_arrays(path.read_bytes())
        keys, values, works = (columns[name] for name in ("keys", "values", "works"))
        for name, column in (("keys", keys), ("values", values), ("works", works)):
            check_array(name, column, np.int64, (keys.size,))
    except Exception as error:  # whatever is damaged
        raise BadBookError(f"{path}: expected what was found before, got {one_line(error)}; remove it") from None
    return keys, values, works
