"""Names of students and submissions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.errors import BadRosterError
from gojudge.intake import rosters
from gojudge.intake.rosters import RosterLine, read_roster, roster_notices
from tests.support.exports import parse_roster


def test_a_roster_names_submissions_students_and_classes():
    text = "submission,name,students,class\nbob_hw2.zip,bob,Bob Ray,\nteam7/,team seven,Ann Lee; Kim Po ,Agent\n\n"
    assert parse_roster(text, "r.csv") == [
        RosterLine(2, "bob_hw2.zip", "bob", ("Bob Ray",)),
        RosterLine(3, "team7", "team seven", ("Ann Lee", "Kim Po"), "Agent"),
    ]


def test_a_roster_may_say_which_file_plays_and_which_class_in_it():
    (line,) = parse_roster("entry,submission,class\nsrc/agent.py,bob,Agent\n", "r.csv")
    assert (line.entry, line.class_name) == ("src/agent.py", "Agent")


def test_its_other_columns_are_kept_in_their_order():
    (line,) = parse_roster("SID,submission,E-Mail,,Section\n 007 ,bob,bob@example.org,,\n", "r.csv")
    assert line.fields == (("sid", "007"), ("e-mail", "bob@example.org"), ("section", ""))
    (line,) = parse_roster("id,submission\n\x1b[2J,bob\n", "r.csv")
    assert line.fields == (("id", "[2J"),)


SPELLINGS = [
    "Email,Submission\nx@y,bob\n", "submission\nbob", "name;submission\n;bob", '"submission"\r\n"bob"\r\n',
    "submission,name\nbob\n", "submission\nbob,,\n", "submission,name\rbob,\r",
]  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_columns_may_be_missing_more_or_in_another_order(text):
    assert [line.submission for line in parse_roster(text, "r.csv")] == ["bob"]


def test_what_an_instructor_writes_stays_as_it_is():
    header = "submission,name,students,class,Straße,section"
    cells = "a.py,Mary-Ann O'Neil,José Núñez; 王小明,Möwe,josé@example.org,Übung 3"
    (line,) = parse_roster(f"{header}\n{cells}\n", "r.csv")
    assert (line.name, line.students, line.class_name) == ("Mary-Ann O'Neil", ("José Núñez", "王小明"), "Möwe")
    assert line.fields == (("straße", "josé@example.org"), ("section", "Übung 3"))
    long = ["王" * 500, "=1+1", "نرگس\u200cخانم", "'quoted'", "a  b"]
    (line,) = parse_roster(f"submission,students,note\nbob,{';'.join(long)},{'é' * 9000}\n", "r.csv")
    assert (line.students, line.fields) == (tuple(long), (("note", "é" * 9000),))


def test_what_is_changed_is_told(tmp_path):
    (tmp_path / "r.csv").write_bytes('submission;name;students\na;Ann/Kim;Zoë\nb;"Bo\nb";\nc;Çelik;\n'.encode("cp1252"))
    assert [line.name for line in read_roster(tmp_path / "r.csv")] == ["Ann_Kim", "Bo b", "Çelik"]
    assert roster_notices(tmp_path / "r.csv") == [
        "r.csv: read as Windows-1252, as some spreadsheets save it; UTF-8 is safer",
        "r.csv, line 3: line ends, control characters and bidirectional overrides are left out",
        "r.csv, line 2: 'Ann/Kim' is called Ann_Kim, since files have this name",
    ]


def test_a_column_that_nearly_means_something_is_told(tmp_path):
    (tmp_path / "r.csv").write_text("submission,Student,submited,late days,username,section\nbob,Bob\n")
    kept = "is only kept for exports; did you mean"
    assert roster_notices(tmp_path / "r.csv") == [
        f"r.csv, line 1: the column 'student' {kept} students?",
        f"r.csv, line 1: the column 'submited' {kept} submitted?",
        f"r.csv, line 1: the column 'late days' {kept} late_days?",
    ]


def test_names_that_were_lost_when_a_roster_was_saved_are_told(tmp_path):
    (tmp_path / "r.csv").write_text("submission,students,why\nbob,Bob?\nkim,Ann; ? ??,??\n")
    lost = "question marks stand for letters that its encoding has not; save it as UTF-8"
    assert roster_notices(tmp_path / "r.csv") == [f"r.csv, line 3: '? ??': {lost}"]


BAD = [
    ("", "r.csv, line 1: expected columns submission, name, students, entry, class, got ''"),
    ("file,name\na,b\n", "r.csv, line 1: expected columns submission, name, students, entry, class, got 'file, name'"),
    ("submission,name,name\n", "r.csv, line 1: expected columns of different names, got 'name' twice"),
    ("submission,Email,email\n", "r.csv, line 1: expected columns of different names, got 'email' twice"),
    (f"submission,{','.join(map(str, range(61)))}\n", "r.csv, line 1: expected at most 60 other columns, got 61"),
    ("name,submission\nbob\n", "r.csv, line 2: expected a file or folder as submission, got nothing"),
    ("submission\n", "r.csv: expected a line for each submission, found none"),
    ("submission,name\n,bob\n", "r.csv, line 2: expected a file or folder as submission, got nothing"),
    ("submission,name\nbob,!!!\n", "r.csv, line 2: expected a name with letters or digits, got '!!!'"),
    ("name,submission\nbob\n", "r.csv, line 2: expected a file or folder as submission, got nothing"),
    ("submission,students\n\nbob,Ray, Bob\n", "r.csv, line 3: expected at most 2 cells, as many as columns, got 3"),
    (f"submission\n{'a,' * 10**6}a\n", "r.csv, line 2: expected at most 1 cells, as many as columns, got 1000001"),
    (f"submission,{'a,' * 10**6}\nbob\n,\n\0", "r.csv, line 4: expected text, got a NUL byte"),
    (f"submission\n{'a' * 10**6}\n", "r.csv, line 2: not CSV: field larger than field limit"),
    ("submission,class\nbob,my player\n", "r.csv, line 2: expected the name of a class, got 'my player'"),
    ("submission,name\na,bob\na,cy\n", "r.csv, line 3: submission 'a' stands in line 2 already"),
    ('submission\nann\n"bob\ncy\ndee\n', "r.csv, line 3: not CSV: unexpected end of data"),
    ('submission\n"ann\nbob"\n"cy"x\n', "r.csv, line 4: not CSV: "),
    ("submission,students\nbob," + ";".join("abcdefghijklmnopqrstu"), "r.csv, line 2: expected at most 20 students, got 21"),
]


@pytest.mark.parametrize(("text", "line"), BAD, ids=[line for _, line in BAD])
def test_a_bad_roster_is_refused_by_line(text, line):
    with pytest.raises(BadRosterError) as caught:
        parse_roster(text, "r.csv")
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_a_roster_as_spreadsheets_save_it(tmp_path):
    (tmp_path / "r.csv").write_bytes(b"\xef\xbb\xbfsubmission;students\r\nbob;Zo\xc3\xab\r\n")
    assert read_roster(tmp_path / "r.csv") == [RosterLine(2, "bob", "", ("Zoë",))]
    assert roster_notices(tmp_path / "r.csv") == []


def test_a_roster_that_cannot_be_read(tmp_path):
    (tmp_path / "r.csv").write_bytes(b"submission\nZo\x81\n")
    with pytest.raises(BadRosterError, match=r"r.csv, line 2: expected UTF-8, .* got the byte 0x81"):
        read_roster(tmp_path / "r.csv")
    with pytest.raises(BadRosterError, match=r"cannot be read: No such file"):
        read_roster(tmp_path / "none.csv")
    with pytest.raises(BadRosterError, match=r"cannot be read: Is a directory"):
        read_roster(tmp_path)


@given(st.text())
def test_any_text_is_a_roster_or_one_line(text):
    for contents in (text, f"submission,name\n{text}"):
        said = "r.csv: "
        try:
            assert all(line.submission for line in parse_roster(contents, "r.csv"))
        except BadRosterError as error:
            said = str(error)
        assert said.startswith("r.csv")
        assert said.isprintable()


def test_of_a_million_columns_only_their_number_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(rosters, "suggestion", pytest.fail)
    (tmp_path / "r.csv").write_text(",".join(["submission", *map(str, range(1000))]) + "\nbob\n")
    with pytest.raises(BadRosterError, match="line 1: expected at most 60 other columns, got 1000"):
        roster_notices(tmp_path / "r.csv")
