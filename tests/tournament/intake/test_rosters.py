"""Names of students and submissions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.errors import BadRosterError
from tournament.intake.rosters import RosterLine, clean_name, parse_roster, read_roster

NAMES = [
    ("alice", "alice"),
    ("Zoë O'Brien-Łukasz (late)", "Zoe_O_Brien_ukasz_late"),
    ("smithjohn_123_456_my player", "smithjohn_123_456_my_player"),
    ("../../etc/passwd", "etc_passwd"),
    ("=cmd|' /C calc'!A0", "cmd_C_calc_A0"),
    ("<script>", "script"),
    ("李雷", ""),
    ("...", ""),
    ("con.", "con"),
    ("x" * 100, "x" * 60),
]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_a_name_is_made_of_any_text(text, name):
    assert clean_name(text) == name


@given(st.text())
def test_a_name_is_fit_for_ids_and_files(text):
    name = clean_name(text)
    assert len(name) <= 60
    assert all(sign.isascii() and (sign.isalnum() or sign in "._") for sign in name)
    assert not name.startswith(".")
    assert clean_name(name) == name


def test_a_roster_names_submissions_students_and_classes():
    text = "submission,name,students,class\nbob_hw2.zip,bob,Bob Ray,\nteam7/,team seven,Ann Lee; Kim Po ,Agent\n\n"
    assert parse_roster(text, "r.csv") == [
        RosterLine(2, "bob_hw2.zip", "bob", ("Bob Ray",)),
        RosterLine(3, "team7", "team_seven", ("Ann Lee", "Kim Po"), "Agent"),
    ]


def test_a_roster_may_say_which_file_plays_and_which_class_in_it():
    (line,) = parse_roster("entry,submission,class\nsrc/agent.py,bob,Agent\n", "r.csv")
    assert (line.entry, line.class_name) == ("src/agent.py", "Agent")


def test_its_other_columns_are_kept_in_their_order():
    (line,) = parse_roster("SID,submission,E-Mail,,Section\n 007 ,bob,bob@example.org,,\n", "r.csv")
    assert line.fields == (("sid", "007"), ("e-mail", "bob@example.org"), ("section", ""))
    (line,) = parse_roster("id,submission\n\x1b[2J,bob\n", "r.csv")
    assert line.fields == (("id", "\\x1b[2J"),)


SPELLINGS = [
    "Email,Submission\nx@y,bob\n", "submission\nbob", "name;submission\n;bob", '"submission"\r\n"bob"\r\n',
    "submission,name\nbob\n", "submission\nbob,,\n", "submission,name\rbob,\r",
]  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_columns_may_be_missing_more_or_in_another_order(text):
    assert [line.submission for line in parse_roster(text, "r.csv")] == ["bob"]


def test_students_names_are_made_printable():
    (line,) = parse_roster('submission,students\nbob,"=1+1\x1b[2J;Zoë"\n', "r.csv")
    assert line.students == ("=1+1\\x1b[2J", "Zo\\xeb")


BAD = [
    ("", "r.csv, line 1: expected columns submission, name, students, entry, class, got ''"),
    ("file,name\na,b\n", "r.csv, line 1: expected columns submission, name, students, entry, class, got 'file, name'"),
    ("submission,name,name\n", "r.csv, line 1: expected columns of different names, got 'name' twice"),
    ("submission,Email,email\n", "r.csv, line 1: expected columns of different names, got 'email' twice"),
    (f"submission,{','.join(map(str, range(61)))}\n", "r.csv, line 1: expected at most 60 columns of other names, got 61"),
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
    assert read_roster(tmp_path / "r.csv") == [RosterLine(2, "bob", "", ("Zo\\xeb",))]


def test_a_roster_that_cannot_be_read(tmp_path):
    (tmp_path / "r.csv").write_bytes(b"submission\nZo\xeb\n")
    with pytest.raises(BadRosterError, match=r"r.csv, line 2: expected UTF-8, got the byte 0xeb"):
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
        assert said.isascii()
        assert said.isprintable()
