"""A course's calendar: extensions, and late days that are spent over all homeworks.

    [[extension]]                       in the course's file; or `extensions = "extensions.csv"`, a line for each
    student = "ann"                     the name of a submission, an id or an e-mail, as in the roster
    homework = "first"
    until = 2026-10-05T23:59:59         when it is due for them, by the clocks of the homework; or `days = 2`
    cut_off = 2026-10-08T23:59:59       optional: else the cut-off moves along
    reason = "ill"                      optional: for the ledger, and on no page

If one person has several for one homework, the latest counts; a group has those of its members.

Late days are each person's. Homeworks spend them in the order in which they are due, whatever extensions there are. All is
counted anew from the results at every look, so whatever changes an earlier homework changes what is left for the later ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted, quoted_path
from goban.common.moments import has_offset, is_shown_twice, read_moment
from goban.common.tables import SheetError, Table, WrongValueError, one_of, read_sheet, whole
from gojudge.intake.system_rosters import columns_of, plain
from tournament.errors import BadCourseError
from tournament.results.deadlines import extend_deadline, own_days, write_time
from tournament.results.grading import Grade
from tournament.results.rubric_files import line_of_text, moment_on
from tournament.results.rubrics import Deadline, OwnDates

_MOST_BYTES = 10_000_000
_MOST_DAYS = 366
_KEYS = ("student", "homework", "until", "days", "cut_off", "reason")
_IDS = columns_of("id", "sid", "id number", "canvas id", "sis user id", "sis login id", "username", "github login")
_EMAILS = columns_of("email")


@dataclass(frozen=True)
class Extension:
    """Another time for one person and one homework; either `until` or `days`. where: how messages about it begin."""

    student: str
    homework: str
    where: str
    until: datetime | None = None
    days: int = 0
    cut_off: datetime | None = None
    reason: str = ""


@dataclass(frozen=True)
class Participant:
    """Who has handed something in, or should have. name: of their submission, or of their first attempt. fields: what the
    roster says besides."""

    name: str
    students: tuple[str, ...]
    fields: Mapping[str, str]


# Reading


def read_extensions(tables: Iterable[Table], file: Path | None, zones: Mapping[str, tzinfo]) -> tuple[Extension, ...]:
    """Return the extensions of a course. zones: of its homeworks by name. Raises BadCourseError with one line."""
    found = [_extension(table, zones, moment_on) for table in tables]
    if file is not None:
        found += [_extension(table, zones, _moment_in_cell) for table in _lines(file)]
    return tuple(found)


def _lines(file: Path) -> list[Table]:
    try:
        sheet = read_sheet(file, file.name, _MOST_BYTES)
    except OSError as error:
        raise BadCourseError(f"extensions {quoted_path(file)} cannot be read: {error.strerror}") from None
    except SheetError as error:
        raise BadCourseError(str(error)) from None
    if sheet.columns and not {"student", "homework"} <= {*sheet.columns}:
        got = quoted(", ".join(sheet.columns))
        raise BadCourseError(f"{file.name}, line 1: expected columns {', '.join(_KEYS)}, got {got}")
    found = []
    for row in sheet.rows:
        cells = {key: text for key, text in zip(sheet.columns, row.cells, strict=False) if key and text}
        found.append(Table(cells, _place(f"{file.name}, line {row.number}"), BadCourseError))
    return found


def _place(where: str) -> Callable[[str], str]:
    return lambda key: f"{where}: {key}"


def _extension(table: Table, zones: Mapping[str, tzinfo], moment: Callable[[tzinfo], Callable[[Any], datetime]]) -> Extension:
    where = table.place("").rstrip(": .")
    for key in table.values:
        if key not in _KEYS:
            raise BadCourseError(f"{where}: expected keys {', '.join(_KEYS)}, got {quoted(key)}")
    student, homework = table.take("student", line_of_text), table.take("homework", one_of(zones))
    if ("until" in table.values) == ("days" in table.values):
        raise table.complaint("until", "either until or days", "both" if "days" in table.values else "neither")
    check = moment(zones[homework])
    until, cut_off = (table.take(key, check) if key in table.values else None for key in ("until", "cut_off"))
    days = table.take("days", _days) if "days" in table.values else 0
    reason = table.take("reason", line_of_text) if "reason" in table.values else ""
    return Extension(student, homework, where, until, days, cut_off, reason)


def _days(value: object) -> int:
    """Return a number of days, which in a CSV file is a text."""
    digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6
    return whole(1, _MOST_DAYS)(int(str(value)) if digits else value)


def _moment_in_cell(zone: tzinfo) -> Callable[[object], datetime]:
    """Return the check for a time in a CSV file, as strict as in a TOML file."""

    def check(value: object) -> datetime:
        text = str(value)
        found = read_moment(text, zone)
        if is_shown_twice(found) and not has_offset(text):
            raise WrongValueError(f"an offset, as {found.isoformat(' ')}, since clocks in {zone} show this time twice")
        return found

    return check


# Who has which dates


def with_extensions(
    deadline: Deadline, extensions: Iterable[Extension], everybody: Sequence[Participant], roster: str
) -> Deadline:
    """Return a homework's deadline with the dates of those who have extensions for it.

    roster: what messages call the list of everybody; '' if it may well lack some of them, who are left out then. Raises
    BadCourseError for somebody who is not in it.
    """
    own: dict[str, OwnDates] = {}
    find = _finder(everybody)
    for one in extensions:
        name = find(one, roster)
        due, cut_off = extend_deadline(deadline, one.until, one.days, one.cut_off)
        if not name or _is_sooner(due, deadline.due):
            continue
        if cut_off is not None and _is_sooner(cut_off, due):
            expected = f"a time not before {write_time(due)}, when {one.homework} is due for them"
            raise BadCourseError(f"{one.where}: cut_off: expected {expected}, got {write_time(cut_off)}")
        before = own.get(name)
        if before is None or before.due is None or _is_sooner(before.due, due):
            own[name] = OwnDates(name, due, cut_off)
    return replace(deadline, own=tuple(own[name] for name in sorted(own)))


def idle(deadline: Deadline, extensions: Iterable[Extension]) -> list[str]:
    """Return a line for each extension of a homework that changes nothing, as it ends before the homework is due for all."""
    return [
        f"{one.where}: {one.student} has until {write_time(deadline.due)} like everybody, "
        f"which is after {write_time(one.until)}"
        for one in extensions
        if one.until is not None and _is_sooner(one.until, deadline.due)
    ]


def _is_sooner(one: datetime, other: datetime) -> bool:
    return one.timestamp() < other.timestamp()


def reasons(extensions: Iterable[Extension], everybody: Sequence[Participant]) -> dict[str, str]:
    """Return name -> why they have an extension, where a reason is given."""
    find = _finder(everybody)
    return {name: one.reason for one in extensions if one.reason and (name := find(one, ""))}


def _finder(everybody: Iterable[Participant]) -> Callable[[Extension, str], str]:
    """Return what finds the name of the submission that an extension is for, '' if it is not there; see `with_extensions`."""
    known: dict[str, str] = {}
    owners: dict[str, set[str]] = {}
    for each in everybody:
        known[_fold(each.name)] = each.name
        of_column = _by_column(each)
        for column in (*_IDS, *_EMAILS):
            for part in _parts(of_column.get(column, "")):
                owners.setdefault(part, set()).add(each.name)

    def find(one: Extension, roster: str) -> str:
        wanted = _fold(one.student)
        if wanted in known:
            return known[wanted]
        found = owners.get(wanted, set())
        if len(found) == 1 or (not found and not roster):
            return next(iter(found), "")
        those = " and ".join(sorted(found)[:2])
        expected = f"somebody of {roster}, by name, id or e-mail" if not found else f"one person, not {those} both"
        raise BadCourseError(f"{one.where}: student: expected {expected}, got {quoted(one.student)}")

    return find


def _by_column(each: Participant) -> dict[str, str]:
    return {plain(column): text for column, text in each.fields.items()}


def _parts(text: str) -> list[str]:
    """Return the parts of a cell, of which a group's has several, in small letters."""
    return [_fold(part) for part in text.replace(",", ";").split(";") if part.strip()]


def _cells(each: Participant, columns: Sequence[str]) -> list[str]:
    """Return what stands in the first of these columns that the roster has, as `_parts` does."""
    of_column = _by_column(each)
    return _parts(next((of_column[column] for column in columns if of_column.get(column)), ""))


def _fold(text: str) -> str:
    """Return a name, id or e-mail as it is compared: however its accents are written, in small or large letters."""
    return unicodedata.normalize("NFC", text.strip()).casefold()


# Late days of the whole course


def with_late_days(deadline: Deadline, total: int, everybody: Iterable[Participant], used: Mapping[str, int]) -> Deadline:
    """Return a homework's deadline with what everybody has left of the course's late days.

    used: by earlier homeworks, see `count_late_days`. A group has as many as the member who has least. The roster's column
    `late_days` goes before `total`. Raises BadRosterError.
    """
    own = {one.student: one for one in deadline.own}
    for each in everybody:
        left = max(0, own_days(each.name, each.fields, total) - max(used.get(member, 0) for member in members(each)))
        if left != total:
            own[each.name] = replace(own.get(each.name, OwnDates(each.name)), left=left)
    return replace(deadline, course_days=total, own=tuple(own[name] for name in sorted(own)))


def count_late_days(grades: Iterable[Grade], used: Mapping[str, int]) -> dict[str, int]:
    """Return how many late days everybody has used after a homework, by what `members` calls them."""
    found = dict(used)
    for grade in grades:
        if grade.late is not None and grade.late.free:
            for member in members(Participant(grade.person, grade.students, dict(grade.fields))):
                found[member] = found.get(member, 0) + grade.late.free
    return found


def members(each: Participant) -> tuple[str, ...]:
    """Return what identifies the people behind a submission, whatever else they hand in.

    Their e-mails or ids, if the roster has one for each, with `;` between them; else the names of a group's students; else the
    name of the submission.
    """
    people = max(1, len(each.students))
    for kind, columns in (("email", _EMAILS), ("id", _IDS)):
        cells = _cells(each, columns)
        if len(cells) == people:
            return tuple(f"{kind} {text}" for text in cells)
    if people > 1:
        return tuple(f"student {_fold(student)}" for student in each.students)
    return (f"name {_fold(each.name)}",)
