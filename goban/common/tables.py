"""Reads tables that people write as TOML, and checks every value before it is used.

    values = parse_toml(data)
    table = Table(values, lambda key: f"cup.toml: {key}", BadEventError)
    table.take("size", whole(2, 19))        BadEventError: cup.toml: size: expected a whole number from 2 to 19, got 20

A check is a function: it takes the value, and returns what is to be used or raises WrongValueError.

Tables that people save from spreadsheets as CSV are read however they are encoded and separated:

    sheet = read_sheet(Path("class.csv"), "class.csv", 1_000_000)
    sheet.columns                  ('submission', 'name'): the first line, in small letters
    sheet.rows[0].cells            ('bob.py', 'Bob Ray'): as written, without blanks around them
    sheet.notices                  what people should know of how it was read, one line each

UTF-8, UTF-16 with its mark, and Windows-1252, which spreadsheets write in many countries; commas, semicolons or tabs,
whichever part the first line into most columns, unless a line `sep=;` before it says so. `="0123"`, which keeps spreadsheets
from reading a number, is 0123. No cell has control characters, line ends or bidirectional overrides left.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from goban.common.excerpts import as_written, printable, quoted
from goban.common.files import is_utf_16, read_bounded

T = TypeVar("T")

# The library takes a time that grows with the square of a key's parts: 15 s for 32,000.
_MOST_DOTS = 1000
# Python gives up at some hundreds, wherever a function calls itself for what is within.
_DEEPEST = 50


class WrongValueError(Exception):
    """A value is wrong; the message says what was expected."""


def parse_toml(data: bytes, parse_float: Callable[[str], object] = float) -> dict[str, Any]:
    """Return what a TOML file holds. Raises ValueError with one printable line if it is no TOML."""
    try:
        if any(line.count(b".") > _MOST_DOTS for line in data.splitlines()):
            raise ValueError(f"a line with more than {_MOST_DOTS:,} dots")
        values = tomllib.loads(data.decode("utf-8-sig"), parse_float=parse_float)
        if _is_deep(values):
            raise ValueError(f"tables within tables, more than {_DEEPEST} deep")
        return values
    except (ValueError, RecursionError, ArithmeticError) as error:
        # A Decimal cannot hold 1e9999999999999999999.
        reason = "a number out of range" if isinstance(error, ArithmeticError) else str(error)
        raise ValueError(printable(reason, 200)) from error


def _is_deep(values: dict[str, Any]) -> bool:
    level: list[object] = [values]
    for _ in range(_DEEPEST):
        level = [one for within in level if isinstance(within, dict | list) for one in _parts(within)]
    return bool(level)


def _parts(values: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return values.values() if isinstance(values, dict) else values


@dataclass(frozen=True)
class Table:
    """Values as they were written, and how to report errors in them.

    place: returns where the value of a key stands, as 'cup.toml: size' or '--size'. error: what is raised, with one line.
    """

    values: Mapping[str, Any]
    place: Callable[[str], str]
    error: type[Exception]

    def take(self, key: str, check: Callable[[Any], T]) -> T:
        """Return what the check returns for a value; the check is given None if the key is missing. Raises `error`."""
        try:
            return check(self.values.get(key))
        except WrongValueError as wrong:
            raise self.complaint(key, str(wrong), self._got(key)) from None

    def complaint(self, key: str, expected: str, got: str) -> Exception:
        """Return an `error` that says what was expected of a key, and what came."""
        return self.error(f"{self.place(printable(key, 60))}: expected {expected}, got {got}")

    def table(self, key: str) -> Table:
        """Return the table under a key. Errors call its keys 'limits.memory_mib'."""

        def is_table(value: object) -> dict[str, Any]:
            if not isinstance(value, dict):
                raise WrongValueError(f"a table [{key}]")
            return value

        return self._inner(self.take(key, is_table), f"{key}.")

    def tables(self, key: str) -> list[Table]:
        """Return the tables in a list, [] if the key is missing. Errors call the first one of 'bands' 'band 1'."""

        def is_list(value: object) -> list[dict[str, Any]]:
            if value is not None and not (isinstance(value, list) and all(isinstance(one, dict) for one in value)):
                raise WrongValueError("a list of tables")
            return value or []

        singular = key.removesuffix("s")
        return [self._inner(one, f"{singular} {place}: ") for place, one in enumerate(self.take(key, is_list), 1)]

    def _inner(self, values: Mapping[str, Any], within: str) -> Table:
        return Table(values, lambda key: self.place(f"{within}{key}"), self.error)

    def _got(self, key: str) -> str:
        if key not in self.values:
            return "nothing"
        value = self.values[key]
        # As it was written, without the name of its type.
        return printable(str(value), 60) if isinstance(value, Decimal | date | time) else quoted(value)


def whole(least: int, most: int) -> Callable[[object], int]:
    """Return the check for a whole number in a range, both ends included."""

    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise WrongValueError(f"a whole number from {least} to {most}")
        return value

    return check


def number(least: float, most: float) -> Callable[[object], float]:
    """Return the check for a number in a range, both ends included; it need not be whole."""

    def check(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise WrongValueError(f"a number from {least:g} to {most:g}")
        return float(value)

    return check


def one_of(choices: Collection[str]) -> Callable[[object], str]:
    """Return the check for one of a few words."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise WrongValueError(f"one of {', '.join(choices)}")
        return value

    return check


_SEPARATORS = (",", ";", "\t")
# How .xlsx and .ods begin, and .xls.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SAID_SEPARATOR = re.compile(r'"?sep=([,;\t])"?[,;\t]*\n?', re.I)
_TEXT_AS_FORMULA = re.compile(r'^="([^"]*)"$')
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
    text, notices = _decode(read_bounded(path, most_bytes), where)
    return parse_sheet(text, where, notices)


def _decode(data: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    if data.startswith(_WORKBOOKS):
        raise SheetError(f"{where}: expected CSV, got a workbook; save it from the spreadsheet as CSV (UTF-8)")
    if is_utf_16(data):
        # Without a mark, the order of its bytes is not known.
        if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise SheetError(f"{where}: expected UTF-8, got UTF-16 without its mark; save it as UTF-8")
        try:
            return data.decode("utf-16"), ()
        except UnicodeDecodeError:
            raise SheetError(f"{where}: expected UTF-16, as its first bytes say, got something else") from None
    try:
        # A program that takes the mark for a letter, and sets its own before it, leaves two.
        return data.decode("utf-8").lstrip("\ufeff"), ()
    except UnicodeDecodeError as error:
        wrong = error.start
    # A file with other letters in UTF-8 is damaged, not in another encoding.
    if not _has_other_letters(data):
        # Only Excel on a Mac still ends lines like this, where it is asked for "CSV (Macintosh)".
        encoding, name = ("mac_roman", "Mac Roman") if b"\r" in data and b"\n" not in data else ("cp1252", "Windows-1252")
        try:
            return data.decode(encoding), (f"{where}: read as {name}, as some spreadsheets save it; UTF-8 is safer",)
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
    header, before = next(((line, number) for number, line in enumerate(lines, 1) if line.strip()), ("", 0))
    if match := _SAID_SEPARATOR.fullmatch(header):
        separator = match[1]
    else:
        separator, before = _separator(header), 0
        lines.seek(0)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    # Where the row begins that is read next; a cell in quotes may go over many lines.
    number = before + 1
    rows: list[Row] = []
    changed: list[int] = []
    try:
        for cells in reader:
            kept = tuple(as_written(cell).strip() for cell in cells)
            if any(kept):
                rows.append(Row(number, tuple(_TEXT_AS_FORMULA.sub(r"\1", cell) for cell in kept)))
            if any(kept[k] != cell.strip() for k, cell in enumerate(cells)):
                changed.append(number)
            number = before + reader.line_num + 1
    except csv.Error as error:
        raise SheetError(f"{where}, line {number}: not CSV: {printable(str(error), 100)}") from error
    if changed:
        more = f" and {len(changed) - _MOST_NAMED} more" if len(changed) > _MOST_NAMED else ""
        named = ", ".join(map(str, changed[:_MOST_NAMED])) + more
        what = "line ends, control characters and bidirectional overrides are left out"
        notices = (*notices, f"{where}, line{'s' * (len(changed) > 1)} {named}: {what}")
    columns = tuple(column.lower() for column in rows[0].cells) if rows else ()
    return Sheet(columns, tuple(rows[1:]), notices)


def _separator(header: str) -> str:
    """Return what parts a line into most cells; of several the first."""
    return max(_SEPARATORS, key=lambda separator: _cells(header, separator))


def _cells(line: str, separator: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=separator), []))
    except csv.Error:
        return 0
