"""What is said of moves: candidates, the best first, whichever search names them; and what a mistake is.

    cost_stones(colour, before, after)     by how much the margin got worse, from the margins before and after the move
    turn_of(colour, before, after)         'win to loss', from the winners
    is_mistake(cost, turn)                 one of the two is known to be so

After a mistake its player's stones are fewer, or the result is worse, than with best play. Winners are 1, 2, or 0 for a tie;
margins are Black's stones less White's at the end. None stands for unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from goban.common.arguments import check_fields
from goban.errors import BadArgumentError
from goban.grids import BLACK
from goban.points import Point
from goban.rulesets import opponent
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

    def __post_init__(self) -> None:
        check_fields(self, BadArgumentError)


Candidates = tuple[Candidate, ...]

Moves = frozenset[Point | None]


class Analyst(Protocol):
    """Whatever can analyse: a search, or a player that searches."""

    def candidates(self, state: State, stopped: Callable[[], bool], only: Moves | None = None) -> Iterator[Candidates]:
        """Yield all that is known, the best move first, again whenever more is known; end once `stopped()` is true.

        only: the legal moves that are looked at, one at least; None for all. Raises SearchError at once, not in the first step,
        for a position that cannot be analysed.
        """


# Mistakes; see the top of this file


def cost_stones(colour: int, before: int | None, after: int | None) -> int | None:
    """Return by how many stones a move of `colour` worsened its margin, 0 or more; None if a margin is unknown."""
    if before is None or after is None:
        return None
    return before - after if colour == BLACK else after - before


def turn_of(colour: int, before: int | None, after: int | None) -> str:
    """Return what a move of `colour` made of its result: 'win to loss', 'win to tie', 'tie to loss'.

    '' if the result is what it was, or unknown.
    """
    if before is None or after is None or before == after:
        return ""
    names = {colour: "win", 0: "tie", opponent(colour): "loss"}
    return f"{names[before]} to {names[after]}"


def is_mistake(cost: int | None, turn: str) -> bool:
    """Tell whether a move is known to have cost something."""
    return bool(cost or turn)


def loses(turn: str) -> bool:
    """Tell whether a move turned a win or a tie into a loss."""
    return turn.endswith("loss")
