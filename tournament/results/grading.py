"""From games to grades: a pure function of rows and a rubric.

    rows, rubric, entrants -> one Grade per submission, in the order of the entrants

A win rate is wins / games played so far. Ties count like losses. A forfeit is a loss for the player who forfeited and a
win for the other. While games are missing, the grade is not `complete`, and its points are those that the games so far
would give. Against a reference player that was never met there are no points. Where games end as soon as they decide a band,
the rate is the unbiased one of `tournament.results.decisions`; the band is still that of wins / games.

If the rubric has a `[deadline]`, penalties come off last, and a student's attempt that counts then is their grade.

Each rate comes with its 95 % interval and with the probability that other seeds would give another band. If a Wilson interval
reaches into another band of the rubric, or games that should decide a band did not, `uncertain` is set.

A few games suggest what a grade would come to: see `forecast`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial

from goban.common.arguments import check_fields
from gojudge.errors import JudgeError
from gojudge.intake.rosters import student_of
from gojudge.intake.submissions import Refused
from gojudge.records import Entrant, Fields, GameRow
from tournament.results.deadlines import Late, lateness
from tournament.results.decisions import JEFFREYS, LookPlan, plan_of, predict_wins
from tournament.results.ratings import Tally, count, together
from tournament.results.rubrics import BEST, LAST_IN_TIME, Deadline, OpponentRubric, Rubric, show_points


@dataclass(frozen=True)
class Part:
    """What a submission did against one reference player.

    expected: the number of games once all are played, as far as is known. rate: 0..1. low, high: its 95 % interval; 0 and 1 if
    there is no game yet. band: the one that counts, by its place in the rubric. least, most: the points within the interval.
    other: the probability that the games of other seeds would give another band; 0 if there is no game yet.
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
    band: int
    least: Fraction
    most: Fraction
    other: float

    @property
    def complete(self) -> bool:
        """True if no game is missing."""
        return self.tally.total.games >= self.expected


@dataclass(frozen=True)
class Grade:
    """The exact points of one submission, after any penalty. whole: all its games against the rubric's reference players.
    `json.dumps(dataclasses.asdict(grade), default=str)` makes JSON of it, with fractions as '17/2'.

    refused: one line that says why the submission could not be taken in; '' if it could. fields: other columns of the roster.
    late: None if the rubric has no deadline. attempts: if there are several, the grades of all of the student's attempts that
    count or could have counted, in the order in which they came.
    """

    name: str
    students: tuple[str, ...]
    points: Fraction
    full: Fraction
    parts: tuple[Part, ...]
    whole: Tally
    over_budget: bool
    refused: str = ""
    fields: Fields = ()
    late: Late | None = None
    attempts: tuple[Grade, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, JudgeError)

    @property
    def person(self) -> str:
        """The student's name: `name`, without the number if it is one of several attempts."""
        return student_of(self.name, self.fields)

    @property
    def earned(self) -> Fraction:
        """The points before any penalty."""
        return self.points + (self.late.penalty if self.late is not None else 0)

    @property
    def played(self) -> bool:
        """False while it has games to play and none has been played: then nothing can be said about it."""
        return bool(self.refused) or not self.parts or self.whole.total.games > 0

    @property
    def other(self) -> float:
        """The probability that other seeds would give another band against at least one reference player."""
        return 1 - math.prod(1 - part.other for part in self.parts)

    @property
    def complete(self) -> bool:
        """True if no game is missing, of any attempt. A refused submission has no games to miss."""
        own = bool(self.refused) or all(part.complete for part in self.parts)
        return own and all(attempt.complete for attempt in self.attempts)


def grades(
    rows: Iterable[GameRow], rubric: Rubric, entrants: Sequence[Entrant], games: int | None = None, error: float = 0.0
) -> list[Grade]:
    """Return a grade for each submission among the entrants; reference players are skipped.

    games: the number of games per opponent, at most; that of the rubric if None. error: see `plan_of`.
    """
    tallies = count(rows)
    plans = [plan_of(opponent.starts, rubric.games if games is None else games, error) for opponent in rubric.opponents]
    graded = []
    for entrant in entrants:
        if not entrant.is_submission:
            continue
        own = [tallies.get((entrant.name, opponent.name), Tally()) for opponent in rubric.opponents]
        parts = tuple(map(_part, rubric.opponents, own, plans))
        whole = together(part.tally for part in parts)
        points = sum((part.points for part in parts), Fraction())
        over = rubric.seconds is not None and whole.seconds > rubric.seconds
        graded.append(Grade(
            name=entrant.name,
            students=entrant.students,
            points=points,
            full=rubric.full,
            parts=parts,
            whole=whole,
            over_budget=over,
            fields=entrant.fields,
        ))
    return graded


def refused_grade(name: str, students: tuple[str, ...], reason: str, rubric: Rubric, fields: Fields = ()) -> Grade:
    """Return the grade of a submission that could not be taken in: no points, and the reason."""
    parts = tuple(_part(opponent, Tally(), plan_of((), 0)) for opponent in rubric.opponents)
    return Grade(
        name=name,
        students=students,
        points=Fraction(),
        full=rubric.full,
        parts=parts,
        whole=Tally(),
        over_budget=False,
        refused=reason,
        fields=fields,
    )


def class_grades(
    rows: Iterable[GameRow], rubric: Rubric, entrants: Sequence[Entrant], refused: Sequence[Refused],
    games: int | None = None, error: float = 0.0,
) -> list[Grade]:  # fmt: skip
    """Return the grades of all submissions, sorted by name. A submission that could not be taken in has a grade, too, without
    points, even if it has played before. If the rubric has a deadline there is one grade for each student, after penalties.
    Raises BadRosterError if a time cannot be read.
    """
    out = {one.name for one in refused}
    graded = grades(rows, rubric, [entrant for entrant in entrants if entrant.name not in out], games, error)
    graded += [refused_grade(one.name, one.students, one.reason, rubric, one.fields) for one in refused]
    graded = sorted(graded, key=lambda grade: grade.name)
    return settle_grades(graded, rubric.deadline) if rubric.deadline is not None else graded


def settle_grades(unsettled: Iterable[Grade], deadline: Deadline) -> list[Grade]:
    """Return the grades after penalties, one for each student: of their best attempt or their last one, in the same order.

    Of equally good ones the first counts. Raises BadRosterError if a time cannot be read.
    """
    of_person: dict[str, list[Grade]] = {}
    for grade in unsettled:
        late = lateness(deadline.of(grade.person), grade.name, dict(grade.fields), grade.earned)
        of_person.setdefault(grade.person, []).append(replace(grade, points=grade.points - late.penalty, late=late))
    return [_counting(sorted(own, key=_came), deadline) for own in of_person.values()]


def _came(grade: Grade) -> float:
    return grade.late.submitted.timestamp() if grade.late is not None and grade.late.submitted is not None else 0.0


def _counting(own: Sequence[Grade], deadline: Deadline) -> Grade:
    """Return a student's grade that counts, with all of them if there are several; they are in the order in which they came."""
    best = max(own, key=lambda grade: grade.points)
    accepted = [grade for grade in own if grade.late is None or not grade.late.cut_off]
    in_time = [grade for grade in accepted if grade.late is None or not grade.late.days]
    last = (in_time if deadline.attempts == LAST_IN_TIME and in_time else accepted or own)[-1]
    chosen = best if deadline.attempts == BEST else last
    if len(own) == 1:
        return chosen
    # Late days are spent for the attempt that counts, and for no other.
    listed = (one if one is chosen or one.late is None else replace(one, late=replace(one.late, left=None)) for one in own)
    return replace(chosen, attempts=tuple(listed))


def by_points(graded: Iterable[Grade]) -> list[Grade]:
    """Return grades with the most points first; those with equal points as they were, then the refused, then the unplayed."""
    return sorted(graded, key=lambda grade: (not grade.played, bool(grade.refused), -grade.points))


def against(graded: Iterable[Grade], opponent: str) -> Tally:
    """Return all games of these submissions against one reference player."""
    return together(part.tally for grade in graded for part in grade.parts if part.opponent == opponent)


def _part(opponent: OpponentRubric, tally: Tally, plan: LookPlan) -> Part:
    wins, games = tally.total.wins, tally.total.games
    part = partial(Part, opponent=opponent.name, full=opponent.full, tally=tally, expected=plan.due(wins, games))
    if not games:
        nothing, last = Fraction(), len(opponent.bands) - 1
        least, most = opponent.points_between(nothing, Fraction(1))
        return part(
            points=nothing, rate=nothing, low=0.0, high=1.0, uncertain=False, band=last, least=least, most=most, other=0.0
        )
    rate, band = plan.rate(wins, games), opponent.band(Fraction(wins, games))
    low, high = plan.interval(wins, games)
    reaches = not opponent.band(low) == band == opponent.band(high)
    uncertain = not plan.decides(wins, games) if plan.bounds else reaches
    points, (least, most) = opponent.points(rate, band), opponent.points_between(Fraction(low), Fraction(high))
    other = plan.other_band(wins, games, opponent.band)
    return part(
        points=points, rate=rate, low=low, high=high, uncertain=uncertain, band=band, least=least, most=most, other=other
    )


# What a grade may come to


@dataclass(frozen=True)
class Forecast:
    """What some games suggest that a grade would come to. tallies: of the games, one for each of the rubric's opponents.

    about: as many grades have more points as have less. low, high: of ten grades nine lie within, at least.
    """

    tallies: tuple[Tally, ...]
    about: Fraction
    low: Fraction
    high: Fraction
    full: Fraction

    @property
    def words(self) -> str:
        """The points in words, rounded outward to whole ones if there are many: 'about 92 of 100 points (75-100)'."""
        decimals = 0 if self.full >= 20 else 1
        scale = 10**decimals
        low, high = Fraction(math.floor(self.low * scale), scale), Fraction(math.ceil(self.high * scale), scale)
        known = all(tally.total.games >= _FEWEST for tally in self.tallies)
        about = f"about {show_points(self.about, decimals)}" if known else "some, nobody knows how many,"
        return f"{about} of {show_points(self.full)} points ({show_points(low, decimals)}-{show_points(high, decimals)})"


_STEPS = 1000
"""Points are rounded to this part of all of them where chances are added up."""
_FEWEST = 2
"""Games against an opponent that say something."""
_FORECAST_TAIL = 0.03
# Nine grades in ten lie within. Tests find that the range holds a little more, whatever the rates of a player are.


def forecast(rows: Iterable[GameRow], rubric: Rubric, name: str, games: int, error: float = 0.0) -> Forecast:
    """Return what a submission's games suggest for a grade of so many games per opponent. error: see `plan_of`.

    There should be about as many games with each colour. The number of wins in a grade is beta-binomial, as in
    `tournament.results.decisions`; opponents are independent of each other, so the chances of their points are convolved. For
    the low end one more game against each is taken for lost, for the high end one more for won: with one prior for all, its
    small errors would add up over opponents that are alike.
    """
    tallies = count(rows)
    own = tuple(tallies.get((name, opponent.name), Tally()) for opponent in rubric.opponents)
    met = [(opponent, tally.total) for opponent, tally in zip(rubric.opponents, own, strict=True)]
    known = [(opponent, score) for opponent, score in met if score.games >= _FEWEST]
    between = [opponent.points_between(Fraction(), Fraction(1)) for opponent, score in met if score.games < _FEWEST]
    least, most = (sum(ends, Fraction()) for ends in zip(*between, strict=True)) if between else (Fraction(), Fraction())

    full = rubric.full

    # Exact arithmetic takes its time, and the priors are three.
    @cache
    def step_of(number: int, share: Fraction) -> int:
        return round(known[number][0].points(share) * _STEPS / full)

    def points(prior: tuple[float, float], chance: float) -> Fraction:
        sums = {0: 1.0}
        for number, (opponent, score) in enumerate(known):
            chances: dict[int, float] = {}
            for share, one in predict_wins(plan_of(opponent.starts, games, error), score.wins, score.games, prior):
                step = step_of(number, share)
                chances[step] = chances.get(step, 0.0) + one
            sums = _convolve(sums, chances)
        return _quantile(sums, chance) * full / _STEPS

    low, high = points((0.0, 1.0), _FORECAST_TAIL), points((1.0, 0.0), 1 - _FORECAST_TAIL)
    return Forecast(own, points(JEFFREYS, 0.5) + (least + most) / 2, low + least, high + most, rubric.full)


def _convolve(one: dict[int, float], other: dict[int, float]) -> dict[int, float]:
    """Return the chances of the sums of two independent numbers."""
    chances: dict[int, float] = {}
    for a, first in one.items():
        for b, second in other.items():
            chances[a + b] = chances.get(a + b, 0.0) + first * second
    return chances


def _quantile(chances: dict[int, float], wanted: float) -> int:
    """Return the least number whose chance, together with that of all numbers below it, is at least this."""
    so_far, total = 0.0, math.fsum(chances.values())
    for number in sorted(chances):
        so_far += chances[number]
        if so_far >= wanted * total:
            return number
    return max(chances)


def late_lines(grade: Grade) -> list[str]:
    """Return what people should know: that it was late, what that costs, and which of several attempts counts."""
    lines, late = [], grade.late
    if late is not None and not late.known and not grade.refused:
        marked = "it was late, and nobody says how late" if late.marked else "nobody says when it was handed in"
        lines.append(f"{marked}: it counts as in time")
    elif late is not None and late.days:
        earned, penalty, points = map(show_points, (grade.earned, late.penalty, grade.points))
        less = f": {earned} - {penalty} = {points} points" if late.penalty else ""
        lines.append(f"handed in {late.time}, {late.words}{less}")
    if late is not None and late.due_time:
        lines.append(f"due {late.due_time}{', an extension' if late.extended else ''}")
    if grade.attempts:
        each = ", ".join(f"{number}. {attempt_text(attempt)}" for number, attempt in enumerate(grade.attempts, 1))
        lines.append(f"attempt {place_of(grade)} of {len(grade.attempts)} counts; points: {each}")
    return lines


def place_of(grade: Grade) -> int:
    """Return which of its student's attempts a grade is, from 1; there must be several."""
    return 1 + next(k for k, attempt in enumerate(grade.attempts) if attempt.name == grade.name)


def attempt_text(attempt: Grade) -> str:
    """Return the points of one of several attempts: '85 (95 before the penalty)'."""
    less = attempt.late is not None and attempt.late.penalty
    return show_points(attempt.points) + (f" ({show_points(attempt.earned)} before the penalty)" if less else "")
