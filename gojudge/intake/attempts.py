"""Several attempts of one: the lines of a roster with the same name, in the order of their column `submitted`.

    submission,name,submitted
    ann_first.zip,ann,2026-10-01 20:00:00
    ann_again.zip,ann,2026-10-02 00:10:00

Where the last one counts, it plays as `ann`, and the others are left out. Where the best one counts, all play: as `ann`,
`ann.2`, `ann.3` and so on, so that who hands in again keeps the games played. Times of files are not looked at, because
archives and copies change them.

Or the last one before a limit counts, such as the cut-off, or the time at which submissions were due. Who has none before it is
taken by the next limit, and by none in the end.

Two fields go with them: `attempt` is '2 of 2', and `attempt_of` the name of the first one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from goban.common.excerpts import quoted
from goban.common.moments import read_moment
from goban.common.tables import WrongValueError
from gojudge.errors import BadRosterError
from gojudge.intake.rosters import RosterLine
from gojudge.records import Fields

SUBMITTED = "submitted"
MARKED_LATE = "marked_late"
"""The field that says 'yes' or 'no' where a course system says whether somebody was late, and not when they handed in."""
ATTEMPT, ATTEMPT_OF = "attempt", "attempt_of"
_LONGEST_NAME = 56
"""So that a number fits behind it."""


@dataclass(frozen=True)
class Attempts:
    """Which attempts play. zone: of times without an offset. all_play: all of them, not only the last one. limits: the last one
    before the first of these times plays, or the next, if there is one. own: the limits of students who have others, by their
    names in small letters."""

    zone: tzinfo = UTC
    all_play: bool = False
    limits: Sequence[datetime] = ()
    own: Mapping[str, Sequence[datetime]] = field(default_factory=dict)


def student_of(name: str, fields: Fields) -> str:
    """Return what the student of a submission is called: `name`, or that of the first one if it is one of several attempts."""
    return dict(fields).get(ATTEMPT_OF, "") or name


def resolved(lines: Sequence[RosterLine], attempts: Attempts, where: str) -> list[RosterLine]:
    """Return the lines with a name of its own for each that plays; the others are marked `superseded`.

    Raises BadRosterError, which begins with `where` and the line, if a time that is needed cannot be read.
    """
    of_name: dict[str, list[RosterLine]] = {}
    for line in lines:
        # Without a name there is no telling whose it is.
        of_name.setdefault(line.name.casefold() or f"\0{line.number}", []).append(line)
    found: list[RosterLine] = []
    for own in of_name.values():
        found += own if len(own) == 1 else _attempts(own, attempts, where)
    return sorted(found, key=lambda line: line.number)


def _attempts(own: Sequence[RosterLine], attempts: Attempts, where: str) -> list[RosterLine]:
    moments = [_time(line, attempts.zone, where) for line in own]
    timed = [(moment.astimezone(UTC), line) for moment, line in zip(moments, own, strict=True) if moment is not None]
    if len(timed) < len(own):
        again = own[1]
        raise BadRosterError(
            f"{where}, line {again.number}: name {quoted(again.name)} stands in line {own[0].number} already; attempts of one "
            f"need their times in a column {SUBMITTED}"
        )
    timed.sort(key=lambda pair: pair[0])
    name = timed[0][1].name
    if attempts.all_play:
        return [_numbered(line, name, number, len(timed)) for number, (_, line) in enumerate(timed, 1)]
    limits = attempts.own.get(name.casefold(), attempts.limits)
    before = ([k for k, (moment, _) in enumerate(timed) if moment <= limit.astimezone(UTC)] for limit in limits)
    last = next((found[-1] for found in before if found), len(timed) - 1)
    return [
        _said(line, f"{number + 1} of {len(timed)}") if number == last else replace(line, superseded=True)
        for number, (_, line) in enumerate(timed)
    ]


def _numbered(line: RosterLine, name: str, number: int, of: int) -> RosterLine:
    own = name if number == 1 else f"{name[:_LONGEST_NAME]}.{number}"
    said = _said(line, f"{number} of {of}", (ATTEMPT_OF, name))
    return replace(said, name=own, students=line.students or (name,))


def _said(line: RosterLine, attempt: str, *more: tuple[str, str]) -> RosterLine:
    fields: Fields = tuple(pair for pair in line.fields if pair[0] not in (ATTEMPT, ATTEMPT_OF))
    return replace(line, fields=(*fields, (ATTEMPT, attempt), *more))


def _time(line: RosterLine, zone: tzinfo, where: str) -> datetime | None:
    """Return when a line's submission was handed in; None if it does not say."""
    text = dict(line.fields).get(SUBMITTED, "")
    try:
        return read_moment(text, zone) if text else None
    except WrongValueError as error:
        raise BadRosterError(f"{where}, line {line.number}: {SUBMITTED}: expected {error}, got {quoted(text)}") from None
