"""Tables as spreadsheets in many countries save them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.common.tables import Row, SheetError, parse_sheet, read_sheet

TEXT = "Submission,Name\nbob,José Núñez\nамы,王伟\n"
LATIN = "Submission;Name\r\nbob;José Núñez – €\r\n"


def read(tmp_path, data):
    (tmp_path / "r.csv").write_bytes(data)
    return read_sheet(tmp_path / "r.csv", "r.csv", 1000)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_told_by_its_mark(tmp_path, encoding):
    sheet = read(tmp_path, TEXT.encode(encoding))
    assert (sheet.columns, sheet.notices) == (("submission", "name"), ())
    assert sheet.rows == (Row(2, ("bob", "José Núñez")), Row(3, ("амы", "王伟")))
    other = read(tmp_path, b"\xfe\xff" + TEXT.replace(",", "\t").encode("utf-16-be"))
    assert other == sheet


def test_windows_1252_is_read_and_told(tmp_path):
    sheet = read(tmp_path, LATIN.encode("cp1252"))
    assert sheet.rows == (Row(2, ("bob", "José Núñez – €")),)
    assert sheet.notices == ("r.csv: read as Windows-1252, as some spreadsheets save it; UTF-8 is safer",)
    old = read(tmp_path, TEXT.splitlines()[1].replace(",", ";").join(["a;b\r", "\r"]).encode("mac_roman"))
    assert old.rows == (Row(2, ("bob", "José Núñez")),)
    assert old.notices == ("r.csv: read as Mac Roman, as some spreadsheets save it; UTF-8 is safer",)


def test_marks_and_empty_lines_before_the_first_are_nothing(tmp_path):
    sheet = read(tmp_path, f"\ufeff\ufeff\n  \n;;\n{LATIN}".encode())
    assert (sheet.columns, sheet.rows) == (("submission", "name"), (Row(5, ("bob", "José Núñez – €")),))


_KNOWN = "expected UTF-8, UTF-16 with its mark or Windows-1252"
DAMAGED = [
    ("a\nJosé\nJos".encode() + b"\xe9\n", f"r.csv, line 3: {_KNOWN}, got the byte 0xe9"),
    (b"a\n\x81\xe9\n", f"r.csv, line 2: {_KNOWN}, got the byte 0x81"),
    (b"\xff\xfea", "r.csv: expected UTF-16, as its first bytes say, got something else"),
    ("a\nb".encode("utf-16-le"), "r.csv: expected UTF-8, got UTF-16 without its mark; save it as UTF-8"),
    (b"a\nb\0\0c\n", "r.csv, line 2: expected text, got a NUL byte"),
    (b"PK\x03\x04\x14\0", "r.csv: expected CSV, got a workbook; save it from the spreadsheet as CSV (UTF-8)"),
    (b"\xd0\xcf\x11\xe0\xa1", "r.csv: expected CSV, got a workbook; save it from the spreadsheet as CSV (UTF-8)"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "line"), DAMAGED)
def test_what_is_in_no_such_encoding_is_refused_by_line(tmp_path, data, line):
    with pytest.raises(SheetError) as caught:
        read(tmp_path, data)
    assert str(caught.value) == line


SEPARATED = ["a,b;c,d\n1,2;3,4\n", "a;b;c;d,\n1;2;3;4\n", "a\tb\tc,c\td\n1\t2\t3\t4", '"a;b",b\n1,"2\n3"\n', "a\n1,2\n"]
CELLS = [("1", "2;3", "4"), ("1", "2", "3", "4"), ("1", "2", "3", "4"), ("1", "2 3"), ("1", "2")]


@pytest.mark.parametrize(("text", "cells"), list(zip(SEPARATED, CELLS, strict=True)))
def test_the_first_line_says_what_separates(text, cells):
    (row,) = parse_sheet(text, "r.csv").rows
    assert row.cells == cells


@pytest.mark.parametrize("said", ["sep=;\r\n", '"sep=;"\n', "SEP=;;;\n"])
def test_a_line_before_the_first_may_say_what_separates(said):
    sheet = parse_sheet(f"{said}a,b;c\n\n1;2\n", "r.csv")
    assert (sheet.columns, sheet.rows) == (("a,b", "c"), (Row(4, ("1", "2")),))


def test_a_number_that_a_spreadsheet_was_kept_from_reading_is_its_digits():
    (row,) = parse_sheet('id,sid,other,sum\n="0123","=""0456""",="1" + "2",=1+2\n', "r.csv").rows
    assert row.cells == ("0123", "0456", '="1" + "2"', "=1+2")


def test_what_would_turn_or_break_a_line_is_left_out_and_told():
    sheet = parse_sheet('a,b\n"Bob\nRay",\u202eevil\nfine,\u200cfine\n\n\x1b[2J,\n', "r.csv")
    assert [row.cells for row in sheet.rows] == [("Bob Ray", "evil"), ("fine", "\u200cfine"), ("[2J", "")]
    assert sheet.notices == ("r.csv, lines 2, 6: line ends, control characters and bidirectional overrides are left out",)
    assert parse_sheet("", "r.csv").columns == ()


TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SIGN = st.characters(categories=["L", "M", "N", "P", "S", "Cf"], exclude_characters=f"{TURNING}\ufeff")
CELL = st.text(SIGN, min_size=1).filter(lambda cell: not cell.startswith('="'))


@given(st.lists(CELL, min_size=2, max_size=2), st.sampled_from(",;\t"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_any_cell_is_read_as_it_was_written(tmp_path_factory, cells, separator, encoding):
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows([["a", "b"], cells])
    path = tmp_path_factory.mktemp("sheets") / "r.csv"
    path.write_bytes(text.getvalue().encode(encoding))
    sheet = read_sheet(path, "r.csv", 100_000)
    assert (sheet.rows, sheet.notices) == ((Row(2, tuple(cells)),), ())
