"""What a search says of the moves of a position, whichever search it is: candidates, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from goban.points import Point
from goban.states import State


@dataclass(frozen=True)
class Candidate:
    """A move that may be played. move: None is a pass.

    visits: how often the search has tried it. winrate: 0 to 1, a tie counts half. lead: points at the end including komi, or
    None if unknown. Both are for the player to move. line: the moves expected after it. least: a lower bound of the win rate,
    with 97.5 % confidence; None if the win rate is known exactly. prior: its share of the search's first estimate, before any
    move was tried; None if there was no estimate.
    """

    move: Point | None
    visits: int
    winrate: float
    lead: float | None = None
    line: tuple[Point | None, ...] = ()
    least: float | None = None
    prior: float | None = None


Candidates = tuple[Candidate, ...]

Moves = frozenset[Point | None]


class Analyst(Protocol):
    """Whatever can analyse: a search, or a player that searches."""

    def candidates(self, state: State, stopped: Callable[[], bool], only: Moves | None = None) -> Iterator[Candidates]:
        """Yield all that is known, the best move first, again whenever more is known; end once `stopped()` is true.

        only: the legal moves that are looked at, one at least; None for all. Raises SearchError at once, not in the first step,
        for a position that cannot be analysed.
        """
