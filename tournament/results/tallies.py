"""Counts what every player did against every other, in one pass over rows. Grades, standings and ratings start here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from goban.grids import BLACK, WHITE
from gojudge.records import GameRow
from gojudge.verdicts import Termination


@dataclass(slots=True)
class Score:
    """Games of a player, counted."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.losses + self.ties

    def count(self, winner: int, colour: int) -> None:
        """Add a game that the player played as `colour` and `winner` won, 0 for a tie."""
        if not winner:
            self.ties += 1
        elif winner == colour:
            self.wins += 1
        else:
            self.losses += 1

    def add(self, other: Score) -> None:
        """Add all games of another score."""
        self.wins += other.wins
        self.losses += other.losses
        self.ties += other.ties

    def text(self) -> str:
        """Return '7-3', or '7-2-1' if there were ties."""
        return f"{self.wins}-{self.losses}" + (f"-{self.ties}" if self.ties else "")


@dataclass(slots=True)
class Tally:
    """Games of one player, against one opponent or many.

    forfeits: how often the player forfeited, by reason. answers, seconds, worst: how many answers they gave, the wall-clock
    seconds of all of them, and of the longest.
    """

    black: Score = field(default_factory=Score)
    white: Score = field(default_factory=Score)
    forfeits: Counter[Termination] = field(default_factory=Counter)
    answers: int = 0
    seconds: float = 0.0
    worst: float = 0.0

    @property
    def total(self) -> Score:
        """Both colours together."""
        both = Score()
        both.add(self.black)
        both.add(self.white)
        return both

    @property
    def mean(self) -> float:
        """Seconds per answer; 0 if there is none."""
        return self.seconds / self.answers if self.answers else 0.0

    def add(self, other: Tally) -> None:
        """Add all games of another tally."""
        self.black.add(other.black)
        self.white.add(other.white)
        self.forfeits.update(other.forfeits)
        self.answers += other.answers
        self.seconds += other.seconds
        self.worst = max(self.worst, other.worst)


Tallies = dict[tuple[str, str], Tally]
"""(player, opponent) -> that player's games against that opponent. Pairs without a game are missing."""


def count(rows: Iterable[GameRow]) -> Tallies:
    """Return the games of every ordered pair of players who met."""
    found: Tallies = {}
    for row in rows:
        for player, opponent in ((row.black, row.white), (row.white, row.black)):
            if (player, opponent) not in found:
                found[player, opponent] = Tally()
        black, white = found[row.black, row.white], found[row.white, row.black]
        black.black.count(row.winner, BLACK)
        white.white.count(row.winner, WHITE)
        if row.forfeited_by:
            (black if row.forfeited_by == BLACK else white).forfeits[row.termination] += 1
        _add_times(black, row.black_moves, row.black_seconds, row.black_worst)
        _add_times(white, row.white_moves, row.white_seconds, row.white_worst)
    return found


def _add_times(tally: Tally, answers: int, seconds: float, worst: float) -> None:
    tally.answers += answers
    tally.seconds += seconds
    if worst > tally.worst:
        tally.worst = worst


def together(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of several tallies."""
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole
