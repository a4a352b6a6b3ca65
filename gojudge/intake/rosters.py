"""Names for submissions, and who the students are: taken from file names, or from a CSV file.

    submission,name,students,entry,class,email
    bob_hw2.zip,bob,Bob Ray,,,bob@example.org
    team7,team_seven,Ann Lee; Kim Po,agent.py,Agent,ann@example.org

submission: the name of the file or folder in the folder of submissions; the file's ending may be left out. The other
columns may be missing or empty; this one, too, where submissions are a course system's export, and an e-mail, an identifier or
a login says whose line it is. A course system's own list of a class will do as it is: `gojudge.intake.system_rosters`.
name: what tables, reports and file names use. students: real names, with `;` between them. entry, class: the file and the
class that play, where the course's names do not say. Columns may come in any order. All others, such as an id, an e-mail, a
section or a zone (`Europe/Berlin`, in whose clocks too a student's times are shown), are kept for exports. All is kept as
written, in any script; `goban.common.tables` reads the file.

Names have 1 to 60 characters. Files are named after them, so slashes and `:*?"<>|~` become `_`. No two names may be equal, case
ignored; except those of several attempts.

Several attempts of one student are the lines of a roster with the same name, in the order of their column `submitted`:

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

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from goban.common.excerpts import printable, quoted, quoted_path, suggestion
from goban.common.moments import find_zone, read_moment
from goban.common.tables import Sheet, SheetError, WrongValueError, read_sheet
from gojudge.errors import BadRosterError
from gojudge.intake.names import written_name
from gojudge.intake.system_rosters import name_system, people_in, plain, unread_times
from gojudge.records import Fields

_MOST_BYTES = 10_000_000
_MOST_STUDENTS = 20
_MOST_FIELDS = 60
ZONE = "zone"
"""The column of others that says by whose clocks a student lives."""
NOT_TOLD_APART = "several handed in under this name, and nothing tells them apart"
"""Why somebody has no submission who may have handed in."""
COLUMNS = ("submission", "name", "students", "entry", "class")
# Of a roster of one's own without the first of these one will do.
_IDENTIFIERS = frozenset({
    "email", "emailaddress", "sid", "id", "studentid", "idnumber", "canvasid", "githubusername", "login", "username",
})  # fmt: skip


@dataclass(frozen=True)
class RosterLine:
    """One line of the CSV file. name: fit for files. name, entry and class_name are '' if the file does not give them.
    superseded: it is an attempt that does not play, see `gojudge.intake.rosters`."""

    number: int
    submission: str
    name: str = ""
    students: tuple[str, ...] = ()
    class_name: str = ""
    entry: str = ""
    fields: Fields = ()
    superseded: bool = False


def read_roster(path: Path) -> list[RosterLine]:
    """Return the lines of a CSV file; raises BadRosterError, naming the line."""
    return _lines(_sheet(path), printable(path.name, 100))


def roster_notices(path: Path) -> list[str]:
    """Return what people should know of how a roster was read, one line each. Raises BadRosterError."""
    sheet, where = _sheet(path), printable(path.name, 100)
    notices = list(sheet.notices)
    if system := _system(sheet):
        number = len(_lines(sheet, where))
        notices.append(f"{where} is {system}: {number} student{'s' * (number != 1)}")
        if unread := unread_times(system, sheet.columns, [row.cells for row in sheet.rows]):
            notices.append(f"{where}: {len(unread)} with a time that cannot be read, such as {quoted(unread[0])}")
        return notices
    # Read before that, since of a file of a million columns only one line is to be said.
    lines = _lines(sheet, where)
    notices += _misspelt(sheet.columns, where)
    for line, row in zip(lines, sheet.rows, strict=True):
        if lost := next((text for text in line.students if _LOST.fullmatch(text)), ""):
            letters = "letters that its encoding has not; save it as UTF-8"
            notices.append(f"{where}, line {row.number}: {quoted(lost)}: question marks stand for {letters}")
        written = _values(sheet.columns, row.cells, where).get("name", "")
        if line.name != written:
            notices.append(f"{where}, line {row.number}: {quoted(written)} is called {line.name}, since files have this name")
        zone = dict(line.fields).get(ZONE, "")
        if "/" in zone and not _is_zone(zone):
            notices.append(f"{where}, line {row.number}: {ZONE}: {quoted(zone)} is no time zone, so their clocks are not shown")
    return notices


# As a spreadsheet saves 王 小明 in Windows-1252.
_LOST = re.compile(r"\?[?\s.,-]*\?")


def _misspelt(columns: Sequence[str], where: str) -> list[str]:
    """Return a notice for each column that nearly has the name of one that means something, and is missing."""
    known = {*COLUMNS, SUBMITTED, "late_days", ZONE}
    others = [column for column in columns if column not in known and plain(column) not in _IDENTIFIERS]
    meant = {column: suggestion(column, known - {*columns}, 0.8) for column in others}
    said = f"{where}, line 1: the column {{}} is only kept for exports{{}}"
    return [said.format(quoted(column), instead) for column, instead in meant.items() if instead]


def _is_zone(text: str) -> bool:
    try:
        find_zone(text)
    except WrongValueError:
        return False
    return True


def _sheet(path: Path) -> Sheet:
    try:
        return read_sheet(path, printable(path.name, 100), _MOST_BYTES)
    except OSError as error:
        raise BadRosterError(f"roster {quoted_path(path)} cannot be read: {error.strerror}") from error
    except SheetError as error:
        raise BadRosterError(str(error)) from error


def _system(sheet: Sheet) -> str:
    own = {*COLUMNS} - {"name"}
    return "" if own & {*sheet.columns} else name_system(sheet.columns)


def _lines(sheet: Sheet, where: str) -> list[RosterLine]:
    if system := _system(sheet):
        return _of_system(system, sheet, where)
    _check_columns(sheet.columns, where)
    lines = []
    for row in sheet.rows:
        place = f"{where}, line {row.number}"
        lines.append(_line(_values(sheet.columns, row.cells, place), row.number, place))
    if not lines:
        raise BadRosterError(f"{where}: expected a line for each submission, found none")
    _check_submissions(lines, where)
    return lines


def _of_system(system: str, sheet: Sheet, where: str) -> list[RosterLine]:
    """Return the lines of a course system's list. None has a submission."""
    people = people_in(system, sheet.columns, [row.cells for row in sheet.rows])
    lines = [
        RosterLine(row.number, "", students=tuple(filter(None, [person.pop("students", "")])), fields=tuple(person.items()))
        for row, person in zip(sheet.rows, people, strict=True) if person
    ]  # fmt: skip
    if not lines:
        raise BadRosterError(f"{where}: expected the students of {system}, found none")
    return lines


def _check_columns(columns: Sequence[str], where: str) -> None:
    if "submission" not in columns and not _IDENTIFIERS & set(map(plain, columns)):
        got = ", ".join(columns[:8])
        raise BadRosterError(f"{where}, line 1: expected columns {', '.join(COLUMNS)}, got {quoted(got)}")
    twice = next((column for column, times in Counter(columns).items() if column and times > 1), None)
    if twice is not None:
        raise BadRosterError(f"{where}, line 1: expected columns of different names, got {quoted(twice)} twice")
    more = {*columns} - {*COLUMNS, ""}
    if len(more) > _MOST_FIELDS:
        raise BadRosterError(f"{where}, line 1: expected at most {_MOST_FIELDS} other columns, got {len(more)}")


def _values(columns: Sequence[str], cells: Sequence[str], where: str) -> dict[str, str]:
    """Return the cells of a row by their columns. Cells may be missing at the end of a row, and empty ones too many."""
    if any(cells[len(columns) :]):
        raise BadRosterError(f"{where}: expected at most {len(columns)} cells, as many as columns, got {len(cells)}")
    return dict.fromkeys(columns, "") | dict(zip(columns, cells, strict=False))


def _line(values: dict[str, str], number: int, where: str) -> RosterLine:
    submission = values.get("submission", "").rstrip("/")
    if not submission and "submission" in values:
        raise BadRosterError(f"{where}: expected a file or folder as submission, got nothing")
    name = written_name(values.get("name", ""))
    if values.get("name") and not name:
        raise BadRosterError(f"{where}: expected a name with letters or digits, got {quoted(values['name'])}")
    students = tuple(student.strip() for student in values.get("students", "").split(";") if student.strip())
    if len(students) > _MOST_STUDENTS:
        raise BadRosterError(f"{where}: expected at most {_MOST_STUDENTS} students, got {len(students)}")
    class_name = values.get("class", "")
    if class_name and not (class_name.isidentifier() and len(class_name) <= 100):
        raise BadRosterError(f"{where}: expected the name of a class, got {quoted(class_name)}")
    fields = tuple((key, text) for key, text in values.items() if key and key not in COLUMNS)
    return RosterLine(number, submission, name, students, class_name, values.get("entry", ""), fields)


def _check_submissions(lines: Iterable[RosterLine], where: str) -> None:
    seen: dict[str, int] = {}
    for line in lines:
        # As it stands: files that differ in case only are two.
        first = seen.setdefault(unicodedata.normalize("NFC", line.submission), line.number) if line.submission else line.number
        if first != line.number:
            raise BadRosterError(
                f"{where}, line {line.number}: submission {quoted(line.submission)} stands in line {first} already"
            )


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
    """Return the student's name: `name`, or for one of several attempts the name of the first."""
    return dict(fields).get(ATTEMPT_OF, "") or name


def resolve_attempts(lines: Sequence[RosterLine], attempts: Attempts, where: str) -> list[RosterLine]:
    """Return the lines with a name of its own for each that plays; the others are marked `superseded`.

    Raises BadRosterError, which begins with `where` and the line, if a time that is needed cannot be read.
    """
    of_name: dict[str, list[RosterLine]] = {}
    for line in lines:
        # Without a name there is no telling whose it is.
        of_name.setdefault(line.name.casefold() or f"\0{line.number}", []).append(line)
    resolved: list[RosterLine] = []
    for own in of_name.values():
        resolved += own if len(own) == 1 else _attempts(own, attempts, where)
    return sorted(resolved, key=lambda line: line.number)


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
        return [_number_attempt(line, name, number, len(timed)) for number, (_, line) in enumerate(timed, 1)]
    limits = attempts.own.get(name.casefold(), attempts.limits)
    before = ([k for k, (moment, _) in enumerate(timed) if moment <= limit.astimezone(UTC)] for limit in limits)
    last = next((places[-1] for places in before if places), len(timed) - 1)
    return [
        _note_attempt(line, f"{number + 1} of {len(timed)}") if number == last else replace(line, superseded=True)
        for number, (_, line) in enumerate(timed)
    ]


def _number_attempt(line: RosterLine, name: str, number: int, of: int) -> RosterLine:
    own = name if number == 1 else f"{name[:_LONGEST_NAME]}.{number}"
    numbered = _note_attempt(line, f"{number} of {of}", (ATTEMPT_OF, name))
    return replace(numbered, name=own, students=line.students or (name,))


def _note_attempt(line: RosterLine, attempt: str, *more: tuple[str, str]) -> RosterLine:
    fields: Fields = tuple(pair for pair in line.fields if pair[0] not in (ATTEMPT, ATTEMPT_OF))
    return replace(line, fields=(*fields, (ATTEMPT, attempt), *more))


def _time(line: RosterLine, zone: tzinfo, where: str) -> datetime | None:
    """Return when a line's submission was handed in; None if it does not say."""
    text = dict(line.fields).get(SUBMITTED, "")
    try:
        return read_moment(text, zone) if text else None
    except WrongValueError as error:
        raise BadRosterError(f"{where}, line {line.number}: {SUBMITTED}: expected {error}, got {quoted(text)}") from None
