"""Reads the tables that people save from spreadsheets as CSV, however they are encoded and separated.

    sheet = read_sheet(Path("class.csv"), "class.csv", 1_000_000)
    sheet.columns                  ('submission', 'name'): the first line, in small letters
    sheet.rows[0].cells            ('bob.py', 'Bob Ray'): as written, without blanks around them
    sheet.notices                  what people should know of how it was read, one line each

UTF-8, UTF-16 with its mark, and Windows-1252, which spreadsheets write in many countries; commas, semicolons or tabs,
whichever part the first line into most columns. No cell has control characters, line ends or bidirectional overrides left.
"""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import dataclass
from pathlib import Path

from goban.common.excerpts import as_written, printable
from goban.common.files import read_bounded

_SEPARATORS = (",", ";", "\t")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MOST_NAMED = 5


class SheetError(Exception):
    """A file is no such table; the message begins with its name, and says in which line."""


@dataclass(frozen=True)
class Row:
    """A line that is not empty. number: of the line in the file at which it begins, from 1."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """A whole table; `columns` is () if the file is empty."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notices: tuple[str, ...] = ()


def read_sheet(path: Path, where: str, most_bytes: int) -> Sheet:
    """Return the table in a file. where: what messages call it. Raises SheetError, and OSError if it cannot be read."""
    text, notices = _decoded(read_bounded(path, most_bytes), where)
    return parse_sheet(text, where, notices)


def _decoded(data: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    if data.startswith(_UTF_16):
        try:
            return data.decode("utf-16"), ()
        except UnicodeDecodeError:
            raise SheetError(f"{where}: expected UTF-16, as its first bytes say, got something else") from None
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        wrong = error.start
    # A file with other letters in UTF-8 is damaged, not in another encoding.
    if not _has_other_letters(data):
        try:
            return data.decode("cp1252"), (f"{where}: read as Windows-1252, as some spreadsheets save it; UTF-8 is safer",)
        except UnicodeDecodeError as error:
            wrong = error.start
    line = data.count(b"\n", 0, wrong) + 1
    expected = "expected UTF-8, UTF-16 with its mark or Windows-1252"
    raise SheetError(f"{where}, line {line}: {expected}, got the byte 0x{data[wrong]:02x}")


def _has_other_letters(data: bytes) -> bool:
    return any(not sign.isascii() for sign in data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "ignore"))


def parse_sheet(text: str, where: str, notices: tuple[str, ...] = ()) -> Sheet:
    """Return the table in a text. notices: those there are already. Raises SheetError."""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SheetError(f"{where}, line {line}: expected text, got a NUL byte")
    lines = io.StringIO(text, newline=None)
    header = lines.readline()
    lines.seek(0)
    reader = csv.reader(lines, delimiter=_separator(header), strict=True)
    # Where the row begins that is read next; a cell in quotes may go over many lines.
    number = 1
    found: list[Row] = []
    changed: list[int] = []
    try:
        for cells in reader:
            kept = tuple(as_written(cell).strip() for cell in cells)
            if number == 1 or any(kept):
                found.append(Row(number, kept))
            if any(kept[k] != cell.strip() for k, cell in enumerate(cells)):
                changed.append(number)
            number = reader.line_num + 1
    except csv.Error as error:
        raise SheetError(f"{where}, line {number}: not CSV: {printable(str(error), 100)}") from error
    if changed:
        more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
        named = ", ".join(map(str, changed[:_MOST_NAMED])) + more
        what = "line ends, control characters and bidirectional overrides are left out"
        notices = (*notices, f"{where}, line{'s' * (len(changed) > 1)} {named}: {what}")
    columns = tuple(column.lower() for column in found[0].cells) if found else ()
    return Sheet(columns, tuple(found[1:]), notices)


def _separator(header: str) -> str:
    """Return what parts a line into most cells; of several the first."""
    return max(_SEPARATORS, key=lambda separator: _cells(header, separator))


def _cells(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator), []))
    except csv.Error:
        return 0
