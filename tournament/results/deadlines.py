"""How late a submission was, and what that costs: pure functions of a rubric's `[deadline]` and of what the roster says.

A late day has begun once the clocks of the zone are past the time of day at which submissions were due, so one has 23 or 25
hours where clocks are put forward or back. The grace moves each of these limits, but not the cut-off. Where days are added to
a time, a time of day that clocks skip then is as much later (02:30 is 03:30), and one that they show twice is the first.

Late days of the whole course are spent without being asked for, in the order in which homeworks are due, and only where they
save points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction

from goban.common.excerpts import quoted
from goban.common.moments import find_zone, read_moment
from goban.common.tables import WrongValueError
from gojudge.errors import BadRosterError
from gojudge.intake.rosters import MARKED_LATE, SUBMITTED, ZONE
from tournament.results.rubrics import BEST, LAST, LAST_IN_TIME, Deadline, show_points

LATE_DAYS = "late_days"
MOST_DAYS = 1000
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Late:
    """How late a submission was. submitted: in the deadline's zone; None if that is unknown, and then it counts as in time.

    marked: what a course system says of that where it does not say when: 'yes', it was late, 'no', or '' for nothing.
    days: late days begun, `free` of them without a penalty. cut_off: it came when nothing counted any more. penalty: the
    points taken off. left: how many late days of the whole course are left after it, None if there are none, or if another
    attempt counts. due: when it was due, and whether that was an extension. zone: the student's own; None if that is unknown
    or the deadline's.
    """

    submitted: datetime | None
    days: int = 0
    free: int = 0
    cut_off: bool = False
    penalty: Fraction = Fraction()
    left: int | None = None
    due: datetime | None = None
    extended: bool = False
    zone: tzinfo | None = None
    marked: str = ""

    @property
    def known(self) -> bool:
        """Whether there is no doubt about how late it was."""
        return self.submitted is not None or self.marked == "no"

    @property
    def words(self) -> str:
        """'in time', '1 day late', '1 day late, free', '3 days late, 2 of them free', or '..., after the cut-off'; and how many
        late days of the course it has used and left, as '2 late days used, 1 left'."""
        if self.left is None:
            return self._standing
        if not self.free:
            return f"{self._standing}; {_show_count(self.left, 'late day')} left"
        return f"{self._standing}; {_show_count(self.free, 'late day')} used, {self.left or 'none'} left"

    @property
    def _standing(self) -> str:
        if self.submitted is None and self.marked != "no":
            return "late, time unknown" if self.marked == "yes" else "time unknown"
        if not self.days:
            return "in time"
        late = f"{_show_count(self.days, 'day')} late"
        if self.cut_off:
            return f"{late}, after the cut-off"
        if self.free == self.days:
            return f"{late}, free"
        return f"{late}, {self.free} of them free" if self.free else late

    @property
    def time(self) -> str:
        """When it was submitted, as '2026-10-01 23:59:59 -0700', by the student's own clocks too; 'unknown' if nobody says."""
        return "unknown" if self.submitted is None else self._by_clocks(self.submitted)

    @property
    def due_time(self) -> str:
        """When it was due, in the same way; '' if this is what is said to everybody."""
        special = self.extended or self.zone is not None
        return self._by_clocks(self.due) if self.due is not None and special else ""

    def _by_clocks(self, moment: datetime) -> str:
        own = "" if self.zone is None else f" ({write_time(moment.astimezone(self.zone))} {self.zone})"
        return f"{write_time(moment)}{own}"


def write_time(moment: datetime) -> str:
    """Return an aware time as people read it: '2026-10-01 23:59:59 -0700'."""
    return f"{moment:%Y-%m-%d %H:%M:%S %z}"


def _show_count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1)}"


def lateness(deadline: Deadline, name: str, fields: Mapping[str, str], earned: Fraction) -> Late:
    """Return how late a submission was. deadline: what it is for its student, see `Deadline.of`. fields: what the roster says
    of it; earned: its points before any penalty.

    Raises BadRosterError, which begins with `name`, if a column does not hold what it should.
    """
    text = fields.get(SUBMITTED, "")
    try:
        submitted = read_moment(text, deadline.zone) if text else None
    except WrongValueError as error:
        raise BadRosterError(f"{name}: {SUBMITTED}: expected {error}, got {quoted(text)}") from None
    allowed = free_days(deadline, name, fields)
    late = Late(
        submitted, left=deadline.left, due=deadline.due, extended=deadline.extended,
        zone=zone_of(fields, deadline.zone, deadline.due)
    )  # fmt: skip
    if submitted is None:
        return replace(late, marked=fields.get(MARKED_LATE, ""))
    days = days_late(deadline, submitted)
    if deadline.cut_off is not None and submitted.astimezone(UTC) > deadline.cut_off.astimezone(UTC):
        return replace(late, days=days, cut_off=True, penalty=earned)
    without, free = _penalty(deadline, days, earned), min(days, allowed)
    penalty = _penalty(deadline, days - free, earned)
    if deadline.left is not None:
        free = free if penalty < without else 0
        late = replace(late, left=deadline.left - free)
    return replace(late, days=days, free=free, penalty=penalty)


def _penalty(deadline: Deadline, days: int, earned: Fraction) -> Fraction:
    return min(earned, days * deadline.per_day(earned))


def zone_of(fields: Mapping[str, str], usual: tzinfo, moment: datetime) -> tzinfo | None:
    """Return the zone of a student whose clocks show another time than the usual ones at a moment; None if there is none.

    What stands in a roster's column `zone` may be something else, such as a part of the town.
    """
    try:
        zone = find_zone(fields.get(ZONE, ""))
    except WrongValueError:
        return None
    return zone if moment.astimezone(zone).utcoffset() != moment.astimezone(usual).utcoffset() else None


def extend_deadline(
    deadline: Deadline, until: datetime | None, days: int, cut_off: datetime | None
) -> tuple[datetime, datetime | None]:
    """Return the due time and the cut-off of an extension, which lasts until an aware time or for a number of days. Days are
    counted by the clocks of the zone. If the extension has no cut-off of its own, the usual one moves by the same time.
    """
    zone = deadline.zone
    due = later(deadline.due, days * _ONE_DAY) if until is None else until.astimezone(zone)
    if cut_off is not None or deadline.cut_off is None:
        return due, cut_off
    return due, later(deadline.cut_off, due.replace(tzinfo=None) - deadline.due.replace(tzinfo=None))


def later(moment: datetime, by: timedelta) -> datetime:
    """Add to an aware time by its zone's clocks: a day later the clocks show the same time of day."""
    # Python adds to an aware time by the clocks of its zone, and may come to a time that they skip.
    return (moment.replace(fold=0) + by).astimezone(UTC).astimezone(moment.tzinfo) if by else moment


def move_dates(deadline: Deadline, due: datetime | None, cut_off: datetime | None) -> Deadline:
    """Return a deadline with the dates that a course system has for one student, aware; None where it has none.

    Where only the due date is known, the cut-off moves along with it.
    """
    if due is None:
        due = deadline.due
    if cut_off is None and deadline.cut_off is not None:
        cut_off = deadline.cut_off.astimezone(UTC) + (due.astimezone(UTC) - deadline.due.astimezone(UTC))
    zone = deadline.zone
    return replace(deadline, due=due.astimezone(zone), cut_off=None if cut_off is None else cut_off.astimezone(zone))


def free_days(deadline: Deadline, name: str, fields: Mapping[str, str]) -> int:
    """Return the late days that a student may have without a penalty: as the roster says, else as the deadline does.

    Of the late days of a course: as many as are left, but not more than the deadline allows.
    """
    if deadline.left is not None:
        return deadline.left if deadline.late_days is None else min(deadline.left, deadline.late_days)
    return own_days(name, fields, deadline.late_days or 0)


def own_days(name: str, fields: Mapping[str, str], usual: int) -> int:
    """Return the number in a roster's column of late days; the usual one where it is empty. Raises BadRosterError."""
    text = fields.get(LATE_DAYS, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= MOST_DAYS):
        raise BadRosterError(f"{name}: {LATE_DAYS}: expected a whole number from 0 to {MOST_DAYS}, got {quoted(text)}")
    return int(text)


def days_late(deadline: Deadline, submitted: datetime) -> int:
    """Return how many late days had begun at an aware time; 0 if it was in time."""
    moment = submitted.astimezone(UTC) - deadline.grace
    if moment <= deadline.due.astimezone(UTC):
        return 0
    # A first guess by days of 24 hours; one less, because days may be longer.
    days = max(1, (moment - deadline.due.astimezone(UTC)) // _ONE_DAY - 1)
    # Python adds days to an aware time by the clocks of its zone.
    while (deadline.due + days * _ONE_DAY).astimezone(UTC) < moment:
        days += 1
    return days


def due_words(deadline: Deadline) -> str:
    """Return when submissions are due: 'Due 2026-10-01 23:59:59 -0700 (America/Los_Angeles)'."""
    return f"Due {write_time(deadline.due)} ({deadline.zone})"


_COUNTS = {
    BEST: "the best attempt counts",
    LAST: "the last attempt counts",
    LAST_IN_TIME: "the last attempt in time counts, or the last one if none was",
}


def words(deadline: Deadline) -> str:
    """Return what a deadline says, in one sentence or more."""
    return _words(deadline, write_time)


def record_text(deadline: Deadline) -> str:
    """Return the same as a ledger says it: without offsets from UTC, as the first ledgers did."""
    return _words(deadline, lambda moment: f"{moment:%Y-%m-%d %H:%M:%S}")


def _words(deadline: Deadline, shown_time: Callable[[datetime], str]) -> str:
    said = [f"Due {shown_time(deadline.due)} ({deadline.zone})"]
    if deadline.grace:
        said.append(f"{deadline.grace // timedelta(minutes=1)} min of grace")
    if deadline.course_days is not None:
        most = "" if deadline.late_days is None else f", {deadline.late_days} of them here at most"
        said.append(f"{_show_count(deadline.course_days, 'late day')} free in the whole course{most}")
    elif deadline.late_days:
        said.append(f"{_show_count(deadline.late_days, 'late day')} free")
    if deadline.points_per_day:
        said.append(f"{show_points(deadline.points_per_day)} points off for each late day")
    if deadline.percent_per_day:
        said.append(f"{show_points(deadline.percent_per_day)} % of the points off for each late day")
    if deadline.cut_off is not None:
        said.append(f"no points after {shown_time(deadline.cut_off)}")
    said.append(_COUNTS[deadline.attempts])
    return "; ".join(said) + "."
