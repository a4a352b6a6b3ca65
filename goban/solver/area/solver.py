"""Exact values under `area` rules: what one side can force, whoever repeats positions.

    solver = AreaSolver(4, 4)
    solver.reaches(empty_board(4, 4), BLACK, 1)     True: Black gets a point more than White, or more
    solver.value(empty_board(4, 4))                 AreaValue(lower=1, upper=16, tied=1, ...)

A value is Black's points less White's. `lower` can be forced by Black, `upper` not be exceeded against White, both in a finite
number of moves and without ever repeating a position, so they hold under simple ko; under superko, which does not tell a
board from the same with another ko, they are certain once their proofs were checked (`strategies`).
`tied` is the value under simple ko if a game that goes on for ever is a tie. With limits in nodes, what was not found is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from goban.grids import BLACK, WHITE
from goban.rulesets import opponent
from goban.solver.area import stack as at
from goban.solver.area.boards import Shape, shape_of, symmetries_of, without_liberties
from goban.solver.area.life import ROOM, Bytes, count_missing
from goban.solver.area.proof_search import PROVEN, REFUTED, REPEATED, prove
from goban.solver.area.stack import new_space
from goban.solver.area.table import look_up, new_table
from goban.solver.errors import BadBudgetError, BadPositionError

_NO_LIMIT = 1 << 60
_MOST_COUNTED = 20
"""Points of the largest board for which missing stones are counted; one point more takes twice the time and memory."""
_MARGINS_KEPT = 40
"""So many such counts are kept; on 4x5 each takes a megabyte."""


@dataclass(frozen=True)
class AreaPosition:
    """A board of height x width points; `black` and `white` are masks, see `goban.solver.area.boards`; no ko is banned."""

    height: int
    width: int
    black: int = 0
    white: int = 0
    to_move: int = BLACK

    @property
    def shape(self) -> Shape:
        """The board's shape, as kernels take it."""
        return shape_of(self.height, self.width)

    @property
    def points(self) -> int:
        """How many points the board has."""
        return self.height * self.width

    def stones(self, colour: int) -> int:
        """Return the stones of a colour."""
        return self.black if colour == BLACK else self.white


@dataclass(frozen=True)
class AreaValue:
    """What is known of a position, in points of Black's less White's; `nodes`: positions searched."""

    lower: int
    upper: int
    tied: int | None
    nodes: int


class AreaSolver:
    """Answers questions about positions of one board. Not for two threads at once.

    memory_mib: size of the table, which is emptied for every new claim. suicide: of two stones or more, allowed.
    """

    def __init__(self, height: int, width: int, memory_mib: int = 256, suicide: bool = False) -> None:
        self.shape = shape_of(height, width)
        self.size = height, width
        self.symmetries = symmetries_of(height, width)
        self.table = new_table(memory_mib)
        self.space = new_space()
        self.missing = np.zeros(2 << height * width if height * width <= _MOST_COUNTED else 0, dtype=np.uint8)
        self.space[at.SUICIDE] = suicide
        self.suicide = suicide
        self.nodes = 0
        self._claim: tuple[int, int] | None = None

    def reaches(self, position: AreaPosition, prover: int, wanted: int, nodes: int | None = None) -> bool | None:
        """Tell whether a side can force a margin of its own, surely; None if that cannot be said."""
        answer = self.answer(position, prover, wanted, nodes)
        return {PROVEN: True, REFUTED: False}.get(answer)

    def answer(self, position: AreaPosition, prover: int, wanted: int, nodes: int | None = None) -> int:
        """Return PROVEN, REFUTED, or UNKNOWN where the limit of positions was reached.

        Raises BadPositionError or BadBudgetError.
        """
        check_position(position, self.shape)
        if nodes is not None and nodes < 0:
            raise BadBudgetError(f"expected a limit of 0 nodes or more, got {nodes}")
        p, o = position.stones(prover), position.stones(opponent(prover))
        return self.settle(p, o, 0, int(position.to_move != prover), wanted, nodes)

    def settle(self, p: int, o: int, ko: int, turn: int, wanted: int, nodes: int | None = None, passed: int = 0) -> int:
        """The same for stones `p` of the prover and `o` of the opponent, as `proof_search.prove` takes them."""
        # What is known of positions is about one claim.
        if self._claim != (wanted, int(self.suicide)):
            self.table[:] = 0
            self._claim = wanted, int(self.suicide)
            if self.missing.size:
                self.missing[:] = np.concatenate([_count_all(*self.size, wanted), _count_all(*self.size, 1 - wanted)])
        self.nodes = 0
        self.space[at.WANTED] = wanted
        answer = REPEATED
        for trusting in (1, 0):
            if answer == REPEATED:
                self.space[at.TRUSTING], self.space[at.NODES] = trusting, 0
                self.space[at.LIMIT] = _NO_LIMIT if nodes is None else max(0, nodes - self.nodes)
                answer = int(prove(p, o, ko, turn, passed, self.shape, self.symmetries, self.missing, self.space, self.table))
                self.nodes += int(self.space[at.NODES])
        return answer

    def forget(self) -> None:
        """Empty the table, as if nothing had been asked yet."""
        self.table[:] = 0

    def entry(self, key: int) -> int:
        """Return what the table holds of a position, 0 for nothing."""
        return int(look_up(self.table, key))

    def value(self, position: AreaPosition, nodes: int | None = None) -> AreaValue:
        """Return the bounds, and the value where what repeats for ever is a tie; `nodes`: the limit of each claim."""
        lower, exact, spent = self._most(position, BLACK, nodes)
        below, exact_below, spent_below = self._most(position, WHITE, nodes, -lower)
        upper, tied = -below, None
        if lower >= 0 and exact:
            tied = lower
        elif upper <= 0 and exact_below:
            tied = upper
        elif exact and exact_below and lower < 0 < upper:
            tied = 0
        if lower == upper:
            tied = lower
        return AreaValue(lower, upper, tied, spent + spent_below)

    def _most(self, position: AreaPosition, prover: int, nodes: int | None, high: int | None = None) -> tuple[int, bool, int]:
        """Return the most that a side was proven to force, whether more is refuted, and the positions searched.

        high: it surely cannot force more.
        """
        low, spent, exact = -position.points, 0, True
        high = position.points if high is None else high
        tried = high
        while low < high:
            answer = self.answer(position, prover, tried, nodes)
            spent += self.nodes
            if answer == PROVEN:
                low = tried
            else:
                high, exact = tried - 1, answer == REFUTED
            tried = (low + high + 1) // 2
        return low, exact, spent


@lru_cache(maxsize=_MARGINS_KEPT)
def _count_all(height: int, width: int, margin: int) -> Bytes:
    """Return, for every set of stones, how many are missing for a margin, as `life.count_missing` counts them."""
    missing, room = np.zeros(1 << height * width, dtype=np.uint8), np.zeros(ROOM, dtype=np.int64)
    count_missing(margin, shape_of(height, width), symmetries_of(height, width), missing, 0, room)
    return missing


def empty_board(height: int, width: int) -> AreaPosition:
    """Return the start of a game."""
    return AreaPosition(height, width)


def check_position(position: AreaPosition, shape: Shape) -> None:
    """Raise BadPositionError for stones off the board, on the same point, or without a liberty."""
    black, white = position.black, position.white
    if shape != position.shape or black & white or (black | white) & ~shape[1]:
        raise BadPositionError("expected stones on points of their own on the solver's board")
    empty = shape[1] & ~(black | white)
    if without_liberties(black, empty, shape) or without_liberties(white, empty, shape):
        raise BadPositionError("expected every group to have a liberty")
