"""Names for submissions, and who the students are: taken from file names, or from a CSV file.

    submission,name,students,entry,class,email
    bob_hw2.zip,bob,Bob Ray,,,bob@example.org
    team7,team_seven,Ann Lee; Kim Po,agent.py,Agent,ann@example.org

submission: the name of the file or folder in the folder of submissions; the file's ending may be left out. The other
columns may be missing or empty. name: what tables, reports and file names use. students: real names, with `;` between
them. entry, class: the file and the class that play, where the course's names do not say. Columns may come in any order.
All others, such as an id, an e-mail or a section, are kept as they are, for exports.

Names have 1 to 60 ASCII letters, digits, `.` and `_`. Accents are dropped, and other characters become `_`, including `-`,
which separates the names in a game id. No two names may be equal, case ignored, since files are named after them; except
those of several attempts, see `tournament.intake.attempts`.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from common.excerpts import printable, quoted, quoted_path
from common.files import read_bounded
from tournament.errors import BadRosterError
from tournament.records import Fields

_MOST_BYTES = 10_000_000
_MOST_STUDENTS = 20
_OTHER = re.compile(r"[^A-Za-z0-9._]+")
_MOST_FIELDS = 60
COLUMNS = ("submission", "name", "students", "entry", "class")


@dataclass(frozen=True)
class RosterLine:
    """One line of the CSV file. name: clean. name, entry and class_name are '' if the file does not give them. superseded: it
    is an attempt that does not play, see `tournament.intake.attempts`."""

    number: int
    submission: str
    name: str = ""
    students: tuple[str, ...] = ()
    class_name: str = ""
    entry: str = ""
    fields: Fields = ()
    superseded: bool = False


def clean_name(text: str) -> str:
    """Return a text as the name of an entrant, '' if nothing is left of it.

    >>> clean_name("Zoë O'Brien-Łukasz (late)")
    'Zoe_O_Brien_ukasz_late'
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return _OTHER.sub("_", plain)[:60].strip("._")


def read_roster(path: Path) -> list[RosterLine]:
    """Return the lines of a CSV file; raises BadRosterError, naming the line."""
    try:
        data = read_bounded(path, _MOST_BYTES)
    except OSError as error:
        raise BadRosterError(f"roster {quoted_path(path)} cannot be read: {error.strerror}") from error
    where = printable(path.name, 100)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRosterError(f"{where}, line {line}: expected UTF-8, got the byte 0x{data[error.start]:02x}") from error
    return parse_roster(text, where)


def parse_roster(text: str, where: str) -> list[RosterLine]:
    """Return the lines of a CSV text; `where` begins the message of BadRosterError."""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadRosterError(f"{where}, line {line}: expected text, got a NUL byte")
    lines = io.StringIO(text, newline=None)
    header = lines.readline()
    lines.seek(0)
    # In many countries, spreadsheets write semicolons.
    reader = csv.reader(lines, delimiter=";" if ";" in header and "," not in header else ",", strict=True)
    found: list[RosterLine] = []
    # Where the row begins that is read next; a cell in quotes may go over many lines.
    number = 1
    try:
        columns = [column.strip().lower() for column in next(reader, [])]
        _check_columns(columns, where)
        number = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                place = f"{where}, line {number}"
                found.append(_line(_values(columns, cells, place), number, place))
            number = reader.line_num + 1
    except csv.Error as error:
        raise BadRosterError(f"{where}, line {number}: not CSV: {printable(str(error), 100)}") from error
    if not found:
        raise BadRosterError(f"{where}: expected a line for each submission, found none")
    _check_submissions(found, where)
    return found


def _check_columns(columns: list[str], where: str) -> None:
    if "submission" not in columns:
        got = ", ".join(columns[:8])
        raise BadRosterError(f"{where}, line 1: expected columns {', '.join(COLUMNS)}, got {quoted(got)}")
    twice = next((column for column, times in Counter(columns).items() if column and times > 1), None)
    if twice is not None:
        raise BadRosterError(f"{where}, line 1: expected columns of different names, got {quoted(twice)} twice")
    more = {*columns} - {*COLUMNS, ""}
    if len(more) > _MOST_FIELDS:
        raise BadRosterError(f"{where}, line 1: expected at most {_MOST_FIELDS} columns of other names, got {len(more)}")


def _values(columns: list[str], cells: list[str], where: str) -> dict[str, str]:
    """Return the cells of a row by their columns. Cells may be missing at the end of a row, and empty ones too many."""
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise BadRosterError(f"{where}: expected at most {len(columns)} cells, as many as columns, got {len(cells)}")
    return dict.fromkeys(columns, "") | dict(zip(columns, map(str.strip, cells), strict=False))


def _line(values: dict[str, str], number: int, where: str) -> RosterLine:
    submission = values.get("submission", "").rstrip("/")
    if not submission:
        raise BadRosterError(f"{where}: expected a file or folder as submission, got nothing")
    name = clean_name(values.get("name", ""))
    if values.get("name") and not name:
        raise BadRosterError(f"{where}: expected a name with letters or digits, got {quoted(values['name'])}")
    students = tuple(printable(student.strip(), 100) for student in values.get("students", "").split(";") if student.strip())
    if len(students) > _MOST_STUDENTS:
        raise BadRosterError(f"{where}: expected at most {_MOST_STUDENTS} students, got {len(students)}")
    class_name = values.get("class", "")
    if class_name and not (class_name.isidentifier() and class_name.isascii() and len(class_name) <= 100):
        raise BadRosterError(f"{where}: expected the name of a class, got {quoted(class_name)}")
    fields = tuple((printable(key, 60), printable(text, 400)) for key, text in values.items() if key and key not in COLUMNS)
    return RosterLine(number, submission, name, students, class_name, values.get("entry", ""), fields)


def _check_submissions(lines: Iterable[RosterLine], where: str) -> None:
    seen: dict[str, int] = {}
    for line in lines:
        first = seen.setdefault(line.submission.casefold(), line.number)
        if first != line.number:
            raise BadRosterError(
                f"{where}, line {line.number}: submission {quoted(line.submission)} stands in line {first} already"
            )
