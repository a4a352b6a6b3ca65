"""What a rubric is: how games become points. `tournament.results.rubric_files` reads them.

The win rate is wins / games; a tie is not a win. Points are exact fractions until `show_points` rounds them for printing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted_path
from gojudge.errors import BadSubmissionError
from gojudge.intake.copies import digest_of
from gojudge.intake.dependencies import companions
from gojudge.records import Entrant
from tournament.errors import BadRubricError
from tournament.events.events import NO_RUBRIC, VERSION, Basis, file_of, name_player


@dataclass(frozen=True)
class Band:
    """Win rates from `start` up to the next band are worth `points`, multiplied by the rate if `times_rate`."""

    start: Fraction
    points: Fraction
    times_rate: bool = False

    @property
    def worth(self) -> str:
        """What it is worth, in words: '30', or '20 x rate'."""
        return f"{show_points(self.points)} x rate" if self.times_rate and self.points else show_points(self.points)

    @property
    def words(self) -> str:
        """The band in words: 'from 70 %: 20 x rate'; of the last one 'below: 0'."""
        return f"from {show_points(100 * self.start)} %: {self.worth}" if self.start else f"below: {self.worth}"


@dataclass(frozen=True)
class OpponentRubric:
    """What games against one reference player are worth. bands: highest first, the last one from 0. stage: from 1."""

    name: str
    player: str
    bands: tuple[Band, ...]
    stage: int = 1

    def band(self, rate: Fraction | float) -> int:
        """Return the index of the band that a win rate of 0..1 lies in, 0 for the highest."""
        return next(number for number, band in enumerate(self.bands) if rate >= band.start)

    def points(self, rate: Fraction, band: int | None = None) -> Fraction:
        """Return the points for a win rate of 0..1, exactly; band: the one that counts, if not the one that the rate is in."""
        counts = self.bands[self.band(rate) if band is None else band]
        return counts.points * rate if counts.times_rate else counts.points

    def points_between(self, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        """Return the least and the most points for win rates from low to high."""
        edges = [(number, band.start) for number, band in enumerate(self.bands) if low < band.start <= high]
        # Within a band the rate may come as near to the start of the next one as one likes.
        possible = [self.points(low), self.points(high)]
        possible += [self.points(start, number) for below, start in edges for number in (below, below + 1)]
        return min(possible), max(possible)

    @property
    def starts(self) -> tuple[Fraction, ...]:
        """The win rates from which its bands begin, highest first."""
        return tuple(band.start for band in self.bands)

    @property
    def full(self) -> Fraction:
        """The points for winning every game."""
        return self.points(Fraction(1))

    @property
    def words(self) -> str:
        """The bands in words: 'from 90 %: 30; from 70 %: 20 x rate; below: 0'."""
        return "; ".join(band.words for band in self.bands)


@dataclass(frozen=True)
class RankBand:
    """Points for the ranks up to `last`; if that is None, for all further ranks."""

    last: int | None
    points: Fraction


@dataclass(frozen=True)
class OwnDates:
    """What differs in a deadline for one student; None where it is the same as for all.

    left: how many of the course's late days homeworks that were due earlier have left.
    """

    student: str
    due: datetime | None = None
    cut_off: datetime | None = None
    left: int | None = None


LAST, BEST, LAST_IN_TIME = "last", "best", "last-in-time"


@dataclass(frozen=True)
class Deadline:
    """When submissions were due, and what late ones cost; see `tournament.results.deadlines`.

    due, cut_off: in `zone`; nothing that comes after the cut-off has points. late_days: how many a student may have here
    without a penalty. course_days: how many in the whole course, None if there are none; then late_days may be None, for as
    many as are left. Of percent_per_day, of the points that a submission has, and points_per_day one is 0. attempts: which of a
    student's attempts counts. own: of those for whom something else holds. left: see `OwnDates`; extended: whether `due` is
    one student's own.
    """

    due: datetime
    zone: tzinfo
    grace: timedelta = timedelta()
    late_days: int | None = 0
    percent_per_day: Fraction = Fraction()
    points_per_day: Fraction = Fraction()
    cut_off: datetime | None = None
    attempts: str = LAST
    course_days: int | None = None
    own: tuple[OwnDates, ...] = ()
    left: int | None = None
    extended: bool = False

    def per_day(self, earned: Fraction) -> Fraction:
        """Return what a late day costs a submission with these points."""
        return self.points_per_day + earned * self.percent_per_day / 100

    def of(self, student: str) -> Deadline:
        """Return what the deadline is for one student."""
        own = self._own_dates.get(student, OwnDates(student))
        left = self.course_days if own.left is None else own.left
        return replace(
            self, due=own.due or self.due, cut_off=own.cut_off or self.cut_off, own=(), left=left, extended=own.due is not None
        )

    @cached_property
    def _own_dates(self) -> dict[str, OwnDates]:
        # The first counts.
        return {one.student: one for one in reversed(self.own)}


@dataclass(frozen=True)
class Rubric:
    """The fields are those of a file, see `tournament.results.rubric_files`. Either `opponents` or `ranks` is empty.

    games: per opponent, or per pair if there are ranks. seconds: None if there is no budget.
    """

    title: str
    rules: str
    size: int
    games: int
    seconds: int | None = None
    entry: Fraction | None = None
    opponents: tuple[OpponentRubric, ...] = ()
    ranks: tuple[RankBand, ...] = ()
    deadline: Deadline | None = None

    @property
    def record(self) -> dict[str, Any]:
        """Who plays and what results are worth, as plain data, exactly. What else it says is left out: title, budget, stages,
        deadline, the players' folders; and what an event has itself: rules, size, games."""
        opponents = [
            {
                "name": one.name,
                "player": name_player(one.player),
                "bands": [[str(band.start), str(band.points), band.times_rate] for band in one.bands],
            }
            for one in self.opponents
        ]
        ranks = [[band.last, str(band.points)] for band in self.ranks]
        entry = {} if self.entry is None else {"entry": str(self.entry)}
        return {"version": VERSION, "opponents": opponents, "ranks": ranks, **entry}

    @property
    def full(self) -> Fraction:
        """The points of a submission that wins every game, or the round robin."""
        return self.rank_points(1) if self.ranks else sum((opponent.full for opponent in self.opponents), Fraction())

    @property
    def stages(self) -> dict[int, Fraction]:
        """stage -> the points for winning all its games, in order."""
        full: dict[int, Fraction] = {}
        for opponent in sorted(self.opponents, key=lambda opponent: opponent.stage):
            full[opponent.stage] = full.get(opponent.stage, Fraction()) + opponent.full
        return full

    def rank_points(self, rank: int) -> Fraction:
        """Return the points for a rank, counted from 1. The rubric must have `ranks`."""
        return next(band.points for band in self.ranks if band.last is None or rank <= band.last)

    def references(self) -> tuple[Entrant, ...]:
        """Return the reference players of this rubric; raises BadRubricError if the file of one is missing."""
        for opponent in self.opponents:
            if opponent.player.endswith(".py") and not Path(opponent.player).is_file():
                raise BadRubricError(
                    f"opponent {opponent.name}: expected a file with its player, found none: {quoted_path(opponent.player)}"
                )
        return tuple(Entrant(o.name, reference=o.player, digest=o.player) for o in self.opponents)


def show_points(points: Fraction, decimals: int = 2) -> str:
    """Return points for people: rounded half up to at most `decimals` places, without trailing zeros.

    >>> show_points(Fraction(131, 2)), show_points(Fraction(1, 8)), show_points(Fraction(30))
    ('65.5', '0.13', '30')
    """
    scaled = points * 10**decimals
    whole = (scaled + Fraction(1, 2)).__floor__() if scaled >= 0 else -((-scaled + Fraction(1, 2)).__floor__())
    sign, digits = "-" if whole < 0 else "", str(abs(whole)).rjust(decimals + 1, "0")
    text = f"{digits[: len(digits) - decimals]}.{digits[len(digits) - decimals :]}" if decimals else digits
    return sign + (text.rstrip("0").rstrip(".") if decimals else text)


def show_chance(probability: float) -> str:
    """Return a probability in words: '12 %', '<1 %' or '>99 %'; only 0 and 1 are '0 %' and '100 %'."""
    if 0 < probability < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 <= probability < 1 else f"{100 * probability:.0f} %"


# A rubric as text, exact, as the numbers in it are.
#
#     rubric_toml     a TOML file, the inverse of `tournament.results.rubric_files`
#     basis_of        what results files keep of it, see `tournament.events.events`


def rubric_toml(rubric: Rubric) -> str:
    """Return a rubric whose opponents are reference players as the text of a file from which the same one is read.

    Players that are files keep their paths, so these should be absolute.
    """
    lines = [f"title = {_text(rubric.title)}", f"rules = {_text(rubric.rules)}", f"size = {rubric.size}"]
    lines += [f"games = {rubric.games}", *([f"seconds = {rubric.seconds}"] if rubric.seconds is not None else [])]
    lines += [f"entry = {_number(rubric.entry)}"] if rubric.entry is not None else []
    for opponent in rubric.opponents:
        lines += ["", "[[opponent]]", *_opponent(opponent)]
    if rubric.deadline is not None:
        lines += ["", "[deadline]", *_deadline(rubric.deadline)]
    return "\n".join(lines) + "\n"


def _opponent(opponent: OpponentRubric) -> Iterable[str]:
    bands = ", ".join(map(_band, opponent.bands))
    names = [f"name = {_text(opponent.name)}", f"player = {_text(opponent.player)}", f"stage = {opponent.stage}"]
    return [*names, f"bands = [{bands}]"]


def _band(band: Band) -> str:
    return f"{{ from = {_number(band.start)}, {'times_rate' if band.times_rate else 'points'} = {_number(band.points)} }}"


def _deadline(deadline: Deadline) -> Iterable[str]:
    lines = [f"due = {deadline.due.isoformat()}", f"zone = {_text(str(deadline.zone))}"]
    lines.append(f"grace_minutes = {deadline.grace // timedelta(minutes=1)}")
    if deadline.late_days is not None or deadline.course_days is None:
        lines.append(f"late_days = {deadline.late_days or 0}")
    if deadline.course_days is not None:
        lines.append(f"course_late_days = {deadline.course_days}")
    if deadline.points_per_day:
        lines.append(f"points_per_day = {_number(deadline.points_per_day)}")
    if deadline.percent_per_day:
        lines.append(f"percent_per_day = {_number(deadline.percent_per_day)}")
    if deadline.cut_off is not None:
        lines.append(f"cut_off = {deadline.cut_off.isoformat()}")
    lines.append(f"attempts = {_text(deadline.attempts)}")
    for own in deadline.own:
        lines += ["", "[[deadline.student]]", f"name = {_text(own.student)}"]
        lines += [f"due = {own.due.isoformat()}"] if own.due is not None else []
        lines += [f"cut_off = {own.cut_off.isoformat()}"] if own.cut_off is not None else []
        lines += [f"late_days_left = {own.left}"] if own.left is not None else []
    return lines


def _text(text: str) -> str:
    # A line of text, which a rubric has, is written in TOML as in JSON.
    return json.dumps(text, ensure_ascii=False)


def _number(number: Fraction) -> str:
    """Return a number with all its decimals; whatever was read from a file has finitely many."""
    places = next(k for k in range(10_000) if not 10**k % number.denominator)
    digits = map(int, str(number.numerator * 10**places // number.denominator))
    return f"{Decimal((0, tuple(digits), -places)):f}"


# What results files keep


def basis_of(rubric: Rubric | None) -> Basis:
    """Return what a rubric decides. Of players that are files, their sources are read; what is missing is left out."""
    if rubric is None:
        return NO_RUBRIC
    record = rubric.record
    for one, kept in zip(rubric.opponents, record["opponents"], strict=True):
        file = file_of(one.player)
        if file is not None and (sources := _sources(file)):
            kept["sources"] = sources
    return Basis(record, _digest_before(rubric))


def _sources(player: Path) -> str:
    """Return a digest of a player's file and of the modules beside it, '' if there is no file.

    Other files are left out: a player may well write them, such as a log, or what it learns.
    """
    try:
        files = {"": player.read_bytes()}
    except OSError:
        return ""
    # A link, or more than a submission may have: all the same it may play for the course.
    with suppress(BadSubmissionError):
        files |= {path: data for path, data in companions(player).items() if path.endswith(".py")}
    return digest_of(files)


def _digest_before(rubric: Rubric) -> str:
    """Return the digest by which the first files of version 2 identify a rubric: that of its `repr` at that time."""
    opponents = [
        f"OpponentRubric(name={one.name!r}, player={one.player!r}, bands="
        + _tuple(f"Band(start={band.start!r}, points={band.points!r}, times_rate={band.times_rate!r})" for band in one.bands)
        + ")"
        for one in rubric.opponents
    ]
    ranks = [f"RankBand(last={band.last!r}, points={band.points!r})" for band in rubric.ranks]
    text = (
        f"Rubric(title={rubric.title!r}, rules={rubric.rules!r}, size={rubric.size!r}, games={rubric.games!r}, "
        f"seconds={rubric.seconds!r}, entry={rubric.entry!r}, opponents={_tuple(opponents)}, ranks={_tuple(ranks)})"
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _tuple(items: Iterable[str]) -> str:
    parts = list(items)
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
