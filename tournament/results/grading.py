"""From games to grades: a pure function of rows and a rubric.

    rows, rubric, entrants -> one Grade per submission, in the order of the entrants

A win rate is wins / games played so far. Ties count like losses. A forfeit is a loss for the player who forfeited and a
win for the other. While games are missing, the grade is not `complete`, and its points are those that the games so far
would give. Against a reference player that was never met there are no points.

Each rate comes with its 95 % Wilson interval. If the interval reaches into another band of the rubric, `uncertain` is
set: the same submission might well get other points with other seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournament.records import Entrant, GameRow
from tournament.results.intervals import wilson_interval
from tournament.results.rubrics import OpponentRubric, Rubric
from tournament.results.tallies import Tally, count, together


@dataclass(frozen=True)
class Part:
    """What a submission did against one reference player.

    expected: the number of games once all are played. rate: wins / games, 0..1. low, high: its 95 % interval; 0 and 1 if
    there is no game yet.
    """

    opponent: str
    points: Fraction
    full: Fraction
    tally: Tally
    expected: int
    rate: Fraction
    low: float
    high: float
    uncertain: bool

    @property
    def complete(self) -> bool:
        """True if no game is missing."""
        return self.tally.total.games >= self.expected


@dataclass(frozen=True)
class Grade:
    """The exact points of one submission. whole: all its games against the rubric's reference players.

    refused: one line that says why the submission could not be taken in; '' if it could.
    """

    name: str
    students: tuple[str, ...]
    points: Fraction
    full: Fraction
    parts: tuple[Part, ...]
    whole: Tally
    over_budget: bool
    refused: str = ""

    @property
    def complete(self) -> bool:
        """True if no game is missing. A refused submission has no games to miss."""
        return bool(self.refused) or all(part.complete for part in self.parts)


def grades(rows: Iterable[GameRow], rubric: Rubric, entrants: Sequence[Entrant], games: int | None = None) -> list[Grade]:
    """Return a grade for each submission among the entrants; reference players are skipped.

    games: the number of games per opponent; that of the rubric if None.
    """
    tallies = count(rows)
    expected = rubric.games if games is None else games
    found = []
    for entrant in entrants:
        if entrant.reference:
            continue
        parts = tuple(_part(o, tallies.get((entrant.name, o.name), Tally()), expected) for o in rubric.opponents)
        whole = together(part.tally for part in parts)
        points = sum((part.points for part in parts), Fraction())
        over = rubric.seconds is not None and whole.seconds > rubric.seconds
        found.append(Grade(entrant.name, entrant.students, points, rubric.full, parts, whole, over))
    return found


def refused_grade(name: str, students: tuple[str, ...], reason: str, rubric: Rubric) -> Grade:
    """Return the grade of a submission that could not be taken in: no points, and the reason."""
    parts = tuple(_part(opponent, Tally(), 0) for opponent in rubric.opponents)
    return Grade(name, students, Fraction(), rubric.full, parts, Tally(), False, reason)


def _part(opponent: OpponentRubric, tally: Tally, expected: int) -> Part:
    score = tally.total
    if not score.games:
        return Part(opponent.name, Fraction(), opponent.full, tally, expected, Fraction(), 0.0, 1.0, False)
    rate = Fraction(score.wins, score.games)
    low, high = wilson_interval(score.wins, score.games)
    uncertain = not opponent.band(low) == opponent.band(rate) == opponent.band(high)
    return Part(opponent.name, opponent.points(rate), opponent.full, tally, expected, rate, low, high, uncertain)
