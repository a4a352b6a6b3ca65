"""What trees have found out about the moves of a position: ranked, added up over several trees, and as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from goban.common.estimates import wilson_interval
from goban.grids import BLACK
from goban.montecarlo.spaces import LOST, PROVEN, TIED, UNIT, WON
from goban.points import Point
from goban.solver.candidates import Candidate
from goban.states import State

_LONG_GAME = 2
"""A game is long that has as many moves for each point of the board."""


@dataclass(frozen=True)
class Finding:
    """What one tree, or several, say of a move. status, visits, wins, others, other_wins: as in `spaces`, the last two as
    AMAF_VISITS and AMAF_WINS there, of the node that the move leads to.

    margin: Black's leads in all games that began with the move, added up; games: how many these were.
    """

    move: Point | None
    status: int
    visits: int
    wins: int
    margin: float
    games: int
    others: int = 0
    other_wins: int = 0

    @property
    def share(self) -> float:
        """The share of its games that were won, times UNIT."""
        return self.wins / max(1, self.visits)

    def value(self, equivalence: float) -> float:
        """What the search goes by, 0 to 1: see `simulations.rave_child`. equivalence: 0 if games of its own alone count."""
        weight = 1 + self.others / equivalence if equivalence else 1.0
        others, other_wins = (self.others, self.other_wins) if equivalence else (0, 0)
        return (other_wins + weight * self.wins) / (UNIT * max(1.0, others + weight * self.visits))


def worth(status: int, visits: int, wins: int, tied: bool) -> tuple[int, int, int]:
    """Return what moves are ranked by, the larger the better: a proven win, then games, what is proven lost last.

    tied: whether the position is proven to be a tie; then a move that ties comes before those of which nothing is proven.
    """
    proven = 2 if status & WON else -1 if status & LOST else 1 if tied and status & TIED else 0
    return proven, visits, wins


def rank(findings: Iterable[Finding], tied: bool) -> list[Finding]:
    """Return moves, the best first."""
    return sorted(findings, key=lambda one: worth(one.status, one.visits, one.wins, tied), reverse=True)


def add_up(trees: Iterable[Iterable[Finding]]) -> list[Finding]:
    """Return what trees of the same position say together: games are added, and what one has proven holds."""
    by_move: dict[Point | None, Finding] = {}
    for one in (finding for findings in trees for finding in findings):
        other = by_move.get(one.move)
        by_move[one.move] = one if other is None else Finding(
            one.move, one.status | other.status, one.visits + other.visits, one.wins + other.wins, one.margin + other.margin,
            one.games + other.games, one.others + other.others, one.other_wins + other.other_wins,
        )  # fmt: skip
    return list(by_move.values())


def best_move(findings: Iterable[Finding], state: State | None, tied: bool, gnugo: bool) -> Point | None:
    """Return the move to be played: a proven win, else the one with most games that is not proven lost.

    GNU Go's way is the one that won the greatest share of its games; a pass if none has ever won. By simple ko alone a game may
    go round for ever: there it is a pass, too, once all games are won, and the board as it stands, or all lost in a long game.
    """
    moves = rank(findings, tied)
    if gnugo:
        moves.sort(key=lambda one: one.share, reverse=True)
    return None if state is not None and _is_idle(moves, state, gnugo) else moves[0].move


def _is_idle(moves: Sequence[Finding], state: State, gnugo: bool) -> bool:
    """Tell whether there is nothing left to play for."""
    rules = state.rules
    if not rules.passing or moves[0].status & WON:
        return False
    shares = {one.share for one in moves if one.visits}
    if gnugo:
        return not any(shares)
    if rules.max_move(state.grid.size) is not None or rules.needs_history:
        return False
    # Dead stones count for as long as they stand: who passes too early loses a game that was won.
    if shares == {float(UNIT)}:
        return state.leader() == state.to_move
    # Whoever loses plays on for some time: the opponent may still go wrong.
    return shares == {0.0} and state.n_move >= _LONG_GAME * state.grid.size**2


def candidate(
    found: Finding, state: State, line: Sequence[Point | None], prior: float | None, equivalence: float = 0.0
) -> Candidate:
    """Return a finding as others are told of it; line: the moves expected after it; equivalence: see `Finding.value`.

    The win rate is what the search goes by: few games of its own would say 100 % of many a move that is not looked at again.
    """
    rate = found.value(equivalence)
    least = wilson_interval(rate * found.visits, found.visits)[0] if found.visits and not found.status & PROVEN else None
    if found.status & PROVEN:
        rate = 1.0 if found.status & WON else 0.0 if found.status & LOST else 0.5
    sign = 1 if state.to_move == BLACK else -1
    lead = round(sign * found.margin / found.games, 2) if found.games else None
    return Candidate(found.move, found.visits, rate, lead, tuple(line), least, prior)
