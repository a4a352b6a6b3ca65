"""What a proof of one claim consists of: that it holds, and an answer of the prover's to each position.

    prover = Prover(Claim(empty_board(3, 5), BLACK, 15))
    prover.prove()                         True
    prover.answer((0, 0, 0), left=12)      the move to begin with, and within how many of the prover's moves it wins
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from goban.rulesets import opponent
from goban.solver.alphabeta.boards import Ints
from goban.solver.area import stack as at
from goban.solver.area.boards import symmetries_of
from goban.solver.area.deepening import ALL, FAILED, NEVER, STOPPED, WON, list_first, search, within_of, work_of
from goban.solver.area.life import count_for_claim
from goban.solver.area.moves import is_won, key_of
from goban.solver.area.proof_search import PROVEN, REFUTED, UNKNOWN
from goban.solver.area.solver import AreaPosition, AreaSolver, check_position
from goban.solver.area.stack import new_space, row_of
from goban.solver.area.table import look_up, new_table
from goban.solver.errors import SearchError

_MOST_COUNTED = 25
"""Points of the largest board for which missing stones are counted; one point more takes twice the time and memory."""
_WIDTHS = {8: 36, ALL: 60}
"""How many moves of the prover's are tried in a position; what they may take in a play, before more are tried."""
_MOST_MORE = 12
"""What else is spent to find a forgotten answer again, before all moves are tried."""
_NO_LIMIT = 1 << 60
_PLACES_SHARED = 1 << 16
"""Where threads say what they search, a power of two."""
Result = TypeVar("Result")
_BETWEEN_LOOKS = 1.0
"""Seconds between two calls of `tell`."""
_FIRST_NODES, _GROWTH, _REFUTING = 200_000, 8, 16
"""Nodes for the first try to prove a claim, how many times as many each other has, and the part for trying to refute it."""


class NoStrategyError(SearchError):
    """A claim is not proven, or no list of answers without a circle was found."""


@dataclass(frozen=True)
class Claim:
    """What a proof is about: `prover` gets `margin` points more than the other side, or more."""

    position: AreaPosition
    prover: int
    margin: int
    suicide: bool = False


Stones = tuple[int, int, int]
"""The prover's stones, the opponent's, the point that a ko forbids."""


@dataclass(frozen=True, slots=True)
class ProvenAnswer:
    """How the prover wins a position within `rank` moves: by `bit`, 0 for a pass, which leaves `after`; `safe`: for good."""

    stones: Stones
    rank: int
    bit: int
    after: Stones
    safe: bool


class Prover:
    """Proves a claim, and knows by which answers. Raises BadPositionError or BadBudgetError.

    memory_mib: of its table. tell: is called every second with how far it is. threads: search together until the claim is
    proven; on which of them found what depends how many positions that takes, and by which answers the claim is proven.
    """

    def __init__(
        self, claim: Claim, memory_mib: int = 256, tell: Callable[[str], None] = lambda text: None, threads: int = 1
    ) -> None:
        position = claim.position
        self.claim, self.shape, self.tell = claim, position.shape, tell
        check_position(position, self.shape)
        self.symmetries, self.table = symmetries_of(position.height, position.width), new_table(memory_mib)
        self.spaces = [new_space() for _ in range(threads)]
        for space in self.spaces:
            space[at.WANTED], space[at.SUICIDE] = claim.margin, claim.suicide
        self.space = self.spaces[0]
        self.busy = np.zeros(_PLACES_SHARED if threads > 1 else 0, dtype=np.int64)
        self.missing = np.zeros(2 << position.points if position.points <= _MOST_COUNTED else 0, dtype=np.uint8)
        if self.missing.size:
            count_for_claim(claim.margin, self.shape, self.symmetries, self.missing, self.space[at.SCRATCH :])
        self.begins = position.to_move == claim.prover
        self.start: Stones = position.stones(claim.prover), position.stones(opponent(claim.prover)), 0

    @property
    def nodes(self) -> int:
        """How many positions were searched so far."""
        return sum(int(space[at.NODES]) for space in self.spaces)

    def prove(self, nodes: int | None = None) -> bool | None:
        """Tell whether the claim holds; None where that many positions, or plays of sixty moves, do not tell."""
        end = self.nodes + (_NO_LIMIT if nodes is None else nodes)
        for width, longest in _WIDTHS.items():
            for left in range(longest + 1):
                result = self._search_watched(left, width, end - self.nodes)
                if result != FAILED:
                    return {WON: True, NEVER: False, STOPPED: None}[result]
        return None

    def _search_watched(self, left: int, width: int, nodes: int) -> int:
        return self.watch(
            lambda: self._search_together(left, width, nodes),
            lambda: f"{self.nodes:,} positions searched, within {left} moves (unlikely ones count more), {width} tried",
        )

    def watch(self, work: Callable[[], Result], say: Callable[[], str]) -> Result:
        """Do long work in a thread of its own, so that it can be watched, and ended by Ctrl-C: it ends with a limit of 0."""
        with ThreadPoolExecutor(1) as pool:
            self.space[at.LIMIT] = _NO_LIMIT
            future = pool.submit(work)
            try:
                while wait([future], _BETWEEN_LOOKS).not_done:
                    self.tell(say())
            except BaseException:
                self._stop()
                raise
        return future.result()

    def _search_together(self, left: int, width: int, nodes: int) -> int:
        """Search the start with all threads until one of them has the answer, or each its part of so many positions."""
        if len(self.spaces) == 1:
            return self._search(self.start, not self.begins, left, width, nodes)
        self.busy[:] = 0
        for space in self.spaces:
            self._place(self.start, int(not self.begins), space)
            space[at.WIDTH], space[at.LIMIT] = width, int(space[at.NODES]) + max(0, nodes) // len(self.spaces)
        with ThreadPoolExecutor(len(self.spaces)) as pool:
            answer = STOPPED
            for future in as_completed([pool.submit(self._run, left, space, self.busy) for space in self.spaces]):
                result = future.result()
                if result != STOPPED and answer == STOPPED:
                    answer = result
                    self._stop()
        return answer

    def _stop(self) -> None:
        for space in self.spaces:
            space[at.LIMIT] = 0

    def suffices(self) -> int:
        """Return within how many moves of the prover's the claim is proven."""
        return int(within_of(self._entry(self.key(*self.start, int(not self.begins)))))

    def key(self, p: int, o: int, ko: int = 0, turn: int = 0) -> int:
        """Return the number of a position, symmetric ones having the same. turn: 0 if the prover is to move."""
        return int(key_of(p, o, ko, turn, 0, self.symmetries))

    def replies(self, after: Stones) -> list[tuple[int, Stones]]:
        """Return what the opponent can do, as positions with their keys."""
        return [(key, stones) for _, stones, key in self._moves(after, 1)]

    def answer(self, stones: Stones, left: int) -> ProvenAnswer:
        """Return how the prover wins a position within so many moves, by what was searched the least."""
        best = self._best(stones, left, ())
        for effort, width in (*((left + more, min(_WIDTHS)) for more in range(_MOST_MORE)), (left, ALL)):
            if best is None:
                # What won may be forgotten. Where it was not among the first moves, finding it takes more than it needs.
                self.space[at.AGAIN] = 1
                self._search(stones, False, effort, width)
                self.space[at.AGAIN] = 0
                best = self._best(stones, left, ())
        if best is None:
            raise NoStrategyError("an answer was not found again")
        return best

    def board_after(self, stones: Stones, bit: int) -> int:
        """Return the key of the board that a move of the prover's leaves."""
        return next(self.key(*after[:2]) for point, after, _ in self._moves(stones, 0) if point == bit)

    def other_answer(self, stones: Stones, rank: int, barred: Collection[int], nodes: int) -> ProvenAnswer | None:
        """Return an answer that leaves none of the boards with these keys, if one is found with so many nodes for each move.

        It may take some moves more than `rank`, within which the position is won.
        """
        for left in range(rank, rank + 8):
            for _, after, _ in self._moves(stones, 0):
                if self.key(*after[:2]) not in barred:
                    self._search(after, True, left - 1, min(_WIDTHS), nodes)
            best = self._best(stones, left, barred)
            if best is not None:
                return best
        return None

    def _best(self, stones: Stones, left: int, barred: Collection[int]) -> ProvenAnswer | None:
        best, least = None, (0, 0)
        for bit, after, key in self._moves(stones, 0):
            safe = bit != 0 and bool(is_won(*after[:2], self.shape, self.space))
            entry = 0 if safe else self._entry(key)
            rank, work = (1, 0) if safe else (1 + int(within_of(entry)), int(work_of(entry)))
            if rank <= left and (best is None or (work, rank) < least) and self.key(*after[:2]) not in barred:
                best, least = ProvenAnswer(stones, rank, bit, after, safe), (work, rank)
        return best

    def _moves(self, stones: Stones, turn: int) -> list[tuple[int, Stones, int]]:
        """Return moves as masks, what each leaves, and the key of that."""
        space = self.space
        row = self._place(stones, turn, space)
        number = int(list_first(0, self.shape, self.symmetries, space))
        bits, ps, os, kos, keys = (
            space[row + part : row + part + number].tolist() for part in (at.BITS, at.PS, at.OS, at.KOS, at.KEYS)
        )
        return list(zip(bits, zip(ps, os, kos, strict=True), keys, strict=True))

    def _search(self, stones: Stones, opponents: bool, left: int, width: int, nodes: int | None = None) -> int:
        self._place(stones, int(opponents), self.space)
        before = int(self.space[at.NODES])
        self.space[at.WIDTH], self.space[at.LIMIT] = width, _NO_LIMIT if nodes is None else before + nodes
        return self._run(left, self.space, self.busy[:0])

    def _run(self, left: int, space: Ints, busy: Ints) -> int:
        return int(search(0, left, 0, self.shape, self.symmetries, self.missing, space, self.table, busy))

    def _place(self, stones: Stones, turn: int, space: Ints) -> int:
        """Write a position into the first row; return where that begins."""
        row = row_of(0)
        space[row + at.P], space[row + at.O], space[row + at.KO], space[row + at.TURN] = *stones, turn
        space[row + at.KEY] = self.key(*stones, turn)
        return row

    def _entry(self, key: int) -> int:
        return int(look_up(self.table, key))


def decide(prover: Prover, memory_mib: int = 256, nodes: int | None = None) -> tuple[bool | None, int]:
    """Tell whether a claim holds, and how many positions were searched; None if that cannot be said with so many, or surely.

    What this search cannot refute, `solver` can: both take turns, with more and more positions. memory_mib: the prover's; the
    other search has a quarter of that.
    """
    claim, tried, refuted = prover.claim, _FIRST_NODES, 0
    solver = AreaSolver(claim.position.height, claim.position.width, max(1, memory_mib // 4), claim.suicide)
    while True:
        left = _NO_LIMIT if nodes is None else nodes - prover.nodes - refuted
        if prover.prove(min(tried, left)):
            return True, prover.nodes + refuted
        left = _NO_LIMIT if nodes is None else max(0, nodes - prover.nodes - refuted)
        answer = solver.answer(claim.position, claim.prover, claim.margin, min(tried // _REFUTING, left))
        refuted += solver.nodes
        if answer == PROVEN:
            return True, prover.nodes + refuted
        if answer != UNKNOWN:
            return (False if answer == REFUTED else None), prover.nodes + refuted
        if nodes is not None and prover.nodes + refuted >= nodes:
            return None, prover.nodes + refuted
        tried *= _GROWTH
