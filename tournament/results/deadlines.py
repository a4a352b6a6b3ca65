"""How late a submission was, and what that costs: pure functions of a rubric's `[deadline]` and of what the roster says.

A late day has begun once the clocks of the zone are past the time of day at which submissions were due, so one has 23 or 25
hours where clocks are put forward or back. The grace moves each of these limits, but not the cut-off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from common.excerpts import quoted
from common.moments import read_moment
from common.tables import WrongValueError
from tournament.errors import BadRosterError
from tournament.intake.attempts import SUBMITTED
from tournament.results.rubrics import Deadline, shown

LATE_DAYS = "late_days"
MOST_DAYS = 1000
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Late:
    """How late a submission was. submitted: in the deadline's zone; None if that is unknown, and then it counts as in time.

    days: late days begun, `free` of them without a penalty. cut_off: it came when nothing counted any more. penalty: the
    points taken off.
    """

    submitted: datetime | None
    days: int = 0
    free: int = 0
    cut_off: bool = False
    penalty: Fraction = Fraction()

    @property
    def words(self) -> str:
        """'in time', '1 day late', '1 day late, free', '3 days late, 2 of them free', or '..., after the cut-off'."""
        if self.submitted is None:
            return "time unknown"
        if not self.days:
            return "in time"
        late = f"{self.days} day{'s' * (self.days > 1)} late"
        if self.cut_off:
            return f"{late}, after the cut-off"
        if self.free == self.days:
            return f"{late}, free"
        return f"{late}, {self.free} of them free" if self.free else late

    @property
    def time(self) -> str:
        """When it was submitted, as '2026-10-01 23:59:59 -0700'; 'unknown' if nobody says."""
        return "unknown" if self.submitted is None else f"{self.submitted:%Y-%m-%d %H:%M:%S %z}"


def lateness(deadline: Deadline, name: str, fields: Mapping[str, str], earned: Fraction) -> Late:
    """Return how late a submission was. fields: what the roster says of it; earned: its points before any penalty.

    Raises BadRosterError, which begins with `name`, if a column does not hold what it should.
    """
    text = fields.get(SUBMITTED, "")
    try:
        submitted = read_moment(text, deadline.zone) if text else None
    except WrongValueError as error:
        raise BadRosterError(f"{name}: {SUBMITTED}: expected {error}, got {quoted(text)}") from None
    allowed = _allowed(deadline, name, fields.get(LATE_DAYS, ""))
    if submitted is None:
        return Late(None)
    days = days_late(deadline, submitted)
    if deadline.cut_off is not None and submitted.astimezone(UTC) > deadline.cut_off.astimezone(UTC):
        return Late(submitted, days, 0, True, earned)
    free = min(days, allowed)
    return Late(submitted, days, free, False, min(earned, (days - free) * deadline.per_day(earned)))


def moved(deadline: Deadline, due: datetime | None, cut_off: datetime | None) -> Deadline:
    """Return a deadline with the dates that a course system has for one student, aware; None where it has none.

    Where only the due date is known, the cut-off moves along with it.
    """
    if due is None:
        due = deadline.due
    if cut_off is None and deadline.cut_off is not None:
        cut_off = deadline.cut_off.astimezone(UTC) + (due.astimezone(UTC) - deadline.due.astimezone(UTC))
    zone = deadline.zone
    return replace(deadline, due=due.astimezone(zone), cut_off=None if cut_off is None else cut_off.astimezone(zone))


def _allowed(deadline: Deadline, name: str, text: str) -> int:
    """Return the late days that a student may have without a penalty: as the roster says, else as the deadline does."""
    if not text:
        return deadline.late_days
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
    """Return when submissions are due: 'Due 2026-10-01 23:59:59 (America/Los_Angeles)'."""
    return f"Due {deadline.due:%Y-%m-%d %H:%M:%S} ({deadline.zone})"


def words(deadline: Deadline) -> str:
    """Return what a deadline says, in one sentence or more."""
    said = [due_words(deadline)]
    if deadline.grace:
        said.append(f"{deadline.grace // timedelta(minutes=1)} min of grace")
    if deadline.late_days:
        said.append(f"{deadline.late_days} late day{'s' * (deadline.late_days > 1)} free")
    if deadline.points_per_day:
        said.append(f"{shown(deadline.points_per_day)} points off for each late day")
    if deadline.percent_per_day:
        said.append(f"{shown(deadline.percent_per_day)} % of the points off for each late day")
    if deadline.cut_off is not None:
        said.append(f"no points after {deadline.cut_off:%Y-%m-%d %H:%M:%S}")
    said.append("the best attempt counts" if deadline.best else "the last attempt counts")
    return "; ".join(said) + "."
