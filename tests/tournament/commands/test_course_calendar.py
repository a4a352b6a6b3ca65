"""A term of three homeworks: extensions, late days of the whole course, zones and attempts. Marks are worked out by hand."""

import csv
import json
import re
from pathlib import Path

import pytest

from tests.support.courses import RUBRIC, course, play_with_stubs, tree
from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main
from tournament.courses.ledgers import read_ledger

COURSE = """name = "go"
zone = "America/Los_Angeles"
editions = ["instructor"]
late_days = 3

[[homework]]
name = "one"
submissions = "one"
roster = "one.csv"
rubric = "tiny.toml"
seed = 1
[homework.deadline]
due = 2026-10-01T23:59:59
grace_minutes = 10
points_per_day = 10
cut_off = 2026-10-06T23:59:59
attempts = "best"

[[homework]]
name = "three"
submissions = "three"
roster = "three.csv"
rubric = "tiny.toml"
seed = 3
[homework.deadline]
due = 2026-10-29T23:59:59
points_per_day = 10
cut_off = 2026-11-03T23:59:59
attempts = "last-in-time"

[[homework]]
name = "two"
submissions = "two"
roster = "two.csv"
zone = "Europe/Berlin"
rubric = "tiny.toml"
seed = 2
deadline = { due = 2026-10-15T23:59:59, percent_per_day = 20, late_days = 1 }

[[extension]]
student = "CAT@example.org"
homework = "one"
days = 3
reason = "in hospital"

[[extension]]
student = "5"
homework = "three"
until = 2026-11-02T23:59:59
"""
ROSTERS = {
    "one": """submission,name,submitted,id,email,zone
ann,ann,2026-10-01 20:00,1,ann@example.org,
bob,bob,2026-10-03 10:00,2,bob@example.org,
cat,cat,2026-10-05 10:00,3,cat@example.org,
dan,dan,2026-10-02 00:05,4,dan@example.org,Asia/Tokyo
eve,eve,2026-10-03 09:00,5,eve@example.org,
eve2,eve,2026-10-04 09:00,5,eve@example.org,
""",
    "two": """submission,name,submitted,id,email,zone
ann,ann,2026-10-17 10:00,1,ann@example.org,
bob,bob,2026-10-15T15:00:00-07:00,2,bob@example.org,
cat,cat,2026-10-14 10:00,3,cat@example.org,
dan,dan,2026-10-16T06:59:59+09:00,4,dan@example.org,Asia/Tokyo
eve,eve,2026-10-15 10:00,5,eve@example.org,
""",
    "three": """submission,name,submitted,id,email,zone
ann,ann,2026-11-01 22:00,1,ann@example.org,
bob,bob,2026-10-30 23:59:59,2,bob@example.org,
cat,cat,2026-11-04 00:00:00,3,cat@example.org,
dan,dan,2026-10-29 20:00,4,dan@example.org,Asia/Tokyo
dan2,dan,2026-10-31 12:00,4,dan@example.org,Asia/Tokyo
eve,eve,2026-11-03 10:00,5,eve@example.org,
""",
}
# Everybody wins 50 points a homework before penalties, and has 3 late days for the course. two has 1 free at most.
#
#       one, 10 a day                       two, 20 % a day: 10 each           three, 10 a day
# ann   in time                50  left 3   2 days, 1 free   50 - 10 = 40  2   3 days, 2 free  50 - 10 = 40  left 0
# bob   2 days, both free      50       1   0:00 in Berlin: 1 day, free 50 0   1 day, none free          40       0
# cat   due 10-04: 1 day, free 50       2   in time              50        2   after the cut-off          0       2
# dan   5 min, within grace    50       3   in time, 23:59:59    50        3   the first of two counts   50       3
# eve   first: 2 days, free    50       1   in time              50        1   due 11-02: 1 day, free    50       0
#       second: 3 days, 50 too: the first of equals
MARKS = {
    "one": {"ann": "50", "bob": "50", "cat": "50", "dan": "50", "eve": "50"},
    "two": {"ann": "40", "bob": "50", "cat": "50", "dan": "50", "eve": "50"},
    "three": {"ann": "40", "bob": "40", "cat": "0", "dan": "50", "eve": "50"},
}
LATE = {
    "one": {
        "ann": "in time; 3 late days left",
        "bob": "2 days late, free; 2 late days used, 1 left",
        "cat": "1 day late, free; 1 late day used, 2 left; due 2026-10-04 23:59:59 -0700, an extension (in hospital)",
        "dan": "in time; 3 late days left",
        "eve": "2 days late, free; 2 late days used, 1 left",
    },
    "two": {
        "ann": "2 days late, 1 of them free; 1 late day used, 2 left",
        "bob": "1 day late, free; 1 late day used, none left",
        "cat": "in time; 2 late days left",
        "dan": "in time; 3 late days left",
        "eve": "in time; 1 late day left",
    },
    "three": {
        "ann": "3 days late, 2 of them free; 2 late days used, none left",
        "bob": "1 day late; no late days left",
        "cat": "6 days late, after the cut-off; 2 late days left",
        "dan": "in time; 3 late days left",
        "eve": "1 day late, free; 1 late day used, none left; due 2026-11-02 23:59:59 -0800, an extension",
    },
}
END = "2026-11-26 12:00"


@pytest.fixture(autouse=True)
def term(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    Path("course.toml").write_text(COURSE)
    Path("tiny.toml").write_text(RUBRIC)
    for name, text in ROSTERS.items():
        Path(f"{name}.csv").write_text(text)
        Path(name).mkdir()
        for line in text.splitlines()[1:]:
            file = line.partition(",")[0]
            Path(f"{name}/{file}.py").write_text(f"{FIRST_LEGAL}# {file} of {name}\n")


def ledger():
    return read_ledger(Path("kept/published.jsonl"))


def published(of):
    """Of each homework and student what was published last."""
    return {one.stage: {mark.name: of(mark) for mark in one.marks} for one in ledger()}


def edit(old, new):
    text = Path("course.toml").read_text()
    assert old in text
    Path("course.toml").write_text(text.replace(old, new))


def test_the_marks_of_a_term_are_those_worked_out_by_hand():
    assert course(now=END) == 0
    assert published(lambda mark: mark.points) == MARKS
    assert published(lambda mark: mark.late) == LATE
    assert len(ledger()) == 3


@pytest.mark.slow
def test_once_it_is_done_nothing_is_due(capsys):
    course(now=END)
    before = tree()
    capsys.readouterr()
    assert course(now=END) == 0
    assert (capsys.readouterr().out, tree()) == ("nothing is due\n", before)
    edit("late_days = 3", "late_days = 2")
    changed = tree()
    assert course("--dry-run", now=END) == 0
    # bob has none left for two, nor has ann for three.
    assert capsys.readouterr().out.count("would publish marks") == 3
    assert tree() == changed


@pytest.mark.slow
def test_other_commands_give_the_marks_of_the_course(capsys):
    course(now=END)
    capsys.readouterr()
    for name, marks in MARKS.items():
        assert main(["standings", f"kept/{name}.db"]) == 0
        output = capsys.readouterr().out
        assert dict(re.findall(r"^(\w{3}) +(\d+) +50 ", output, re.M)) == marks, output
    assert main(["grade", "three", "--roster=three.csv", "--rubric=kept/three.rubric.toml", "--name=again", "--seed=3"]) == 0
    found = csv.DictReader(Path("again.grades/grades.csv").read_text().splitlines())
    assert {one["name"]: (one["points"], one["late_days_used"], one["late_days_left"]) for one in found} == {
        "ann": ("40", "2", "0"), "bob": ("40", "0", "0"), "cat": ("0", "0", "2"), "dan": ("50", "0", "3"),
        "eve": ("50", "1", "0"),
    }  # fmt: skip
    (eve,) = (one for one in json.loads(Path("again.grades/grades.json").read_text())["grades"] if one["name"] == "eve")
    assert (eve["late"]["left"], eve["late"]["extended_to"]) == (0, "2026-11-02T23:59:59-08:00")


@pytest.mark.slow
def test_an_extension_of_an_earlier_homework_gives_days_back_to_the_later_ones(capsys):
    course(now=END)
    edit("[[extension]]", '[[extension]]\nstudent = "bob"\nhomework = "one"\ndays = 2\n\n[[extension]]')
    capsys.readouterr()
    assert course(now=END) == 0
    # 3 left after one, of them 1 for two and 1 for three.
    assert {name: marks["bob"] for name, marks in published(lambda mark: mark.points).items()} == dict.fromkeys(MARKS, "50")
    output = capsys.readouterr()
    assert [line for line in output.err.splitlines() if "bob" in line] == [
        "one: bob: 50 of 50 points, in time; 3 late days left; due 2026-10-03 23:59:59 -0700, an extension; before: 50, 2 days "
        "late, free; 2 late days used, 1 left",
        "two: bob: 50 of 50 points, 1 day late, free; 1 late day used, 2 left; before: 50, 1 day late, "
        "free; 1 late day used, none left",
        "three: bob: 50 of 50 points, 1 day late, free; 1 late day used, 1 left; before: 40, 1 day late; no late days left",
    ]
    assert "play" not in output.out
    assert [one.stage for one in ledger()][3:] == ["one", "two", "three"]
    course("--trace=bob", now=END)
    assert "50 of 50 points (1 day late, free; 1 late day used, 1 left); 2 games in " in capsys.readouterr().out
    assert course(now=END) == 0
    assert capsys.readouterr().out == "nothing is due\n"


@pytest.mark.slow
def test_what_counts_of_an_earlier_homework_is_known_to_the_later_ones_in_the_same_run():
    """eve's late ones come first, and are played in the run in which what is due later is marked."""
    early = Path("one.csv").read_text().replace("2026-10-03 09:00", "2026-10-01 09:00")
    late = early.replace("2026-10-01 09:00", "2026-10-03 09:00")
    Path("one.csv").write_text(early)
    course(now=END)
    assert published(lambda mark: mark.late)["two"]["eve"] == "in time; 3 late days left"
    Path("one.csv").write_text(late)
    for file in ("eve", "eve2"):
        Path(f"one/{file}.py").write_text(f"{FIRST_LEGAL}# {file} of one, mended\n")
    course(now=END)
    assert published(lambda mark: mark.late) == LATE
    assert len(ledger()) == 6


@pytest.mark.slow
def test_the_instructor_reads_who_has_which_dates_on_the_pages():
    course(now=END)
    page = Path("pages/instructor/three/player-eve.html").read_text()
    assert "Handed in 2026-11-03 10:00:00 -0800, 1 day late, free; 1 late day used, none left." in page
    assert "Due 2026-11-02 23:59:59 -0800, an extension." in page
    # Their own clocks beside those of the homework.
    page = Path("pages/instructor/two/player-dan.html").read_text()
    assert "Due 2026-10-15 23:59:59 +0200 (2026-10-16 06:59:59 +0900 Asia/Tokyo)." in page
    assert "3 late days free in the whole course, 1 of them here at most" in page
    assert not [path for path in Path("pages").rglob("*.html") if "hospital" in path.read_text()]


@pytest.mark.slow
def test_extensions_in_a_file_are_as_good(capsys):
    course(now=END)
    text = COURSE.partition("[[extension]]")[0]
    Path("course.toml").write_text(text.replace("late_days = 3", 'late_days = 3\nextensions = "e.csv"'))
    Path("e.csv").write_text(
        "student,homework,until,days,cut_off,reason\ncat,one,,3,,in hospital\neve@example.org,three,2026-11-02 23:59:59,,,\n"
    )
    capsys.readouterr()
    assert course(now=END) == 0
    assert capsys.readouterr().out == "nothing is due\n"


@pytest.mark.slow
def test_a_deadline_of_the_rubric_shares_the_courses_late_days():
    edit("deadline = { due = 2026-10-15T23:59:59, percent_per_day = 20, late_days = 1 }\n", "")
    edit('zone = "Europe/Berlin"\nrubric = "tiny.toml"', 'rubric = "two.toml"')
    own = '[deadline]\ndue = 2026-10-15T23:59:59\nzone = "Europe/Berlin"\npercent_per_day = 20\n'
    Path("two.toml").write_text(f"{RUBRIC}{own}late_days = 1\n")
    assert course(now=END) == 0
    assert (published(lambda mark: mark.points), published(lambda mark: mark.late)) == (MARKS, LATE)
    # Without a most of its own: ann's two late days are free there, and one is left for three, which costs her 20 there.
    Path("two.toml").write_text(f"{RUBRIC}{own}")
    assert course(now=END) == 0
    assert {name: marks["ann"] for name, marks in published(lambda mark: mark.points).items()} == {
        "one": "50", "two": "50", "three": "30"
    }  # fmt: skip


BAD = [
    ('"CAT@example.org"', '"zoe"', "extension 1: student: expected somebody of one.csv, by name, id or e-mail, got 'zoe'"),
    ('homework = "one"\ndays', 'homework = "four"\ndays', "extension 1: homework: expected one of one, three, two, got 'four'"),
    ("\ndays = 3", "", "extension 1: until: expected either until or days, got neither"),
    ("\ndays = 3", "\ndays = 0", "extension 1: days: expected a whole number from 1 to 366, got 0"),
    ("\ndays = 3", "\nweeks = 3", "extension 1: expected keys student, homework, until, days, cut_off, reason, got 'weeks'"),
    ("until = 2026-11-02T23:59:59", "until = 2026-11-01T01:30:00", "extension 2: until: expected an offset, as "
     "2026-11-01T01:30:00-07:00, since clocks in America/Los_Angeles show this time twice, got 2026-11-01 01:30:00"),
    ("\ndays = 3", "\ndays = 3\ncut_off = 2026-10-03T00:00:00", "extension 1: cut_off: expected a time not before 2026-10-04 "
     "23:59:59 -0700, when one is due for them, got 2026-10-03 00:00:00 -0700"),
    ("late_days = 3", "late_days = -1", "late_days: expected a whole number from 0 to 1000, got -1"),
    ("late_days = 3", 'late_days = 3\nextensions = "no.csv"', None),
    ("late_days = 1 }", "course_late_days = 1 }", "homework 3: deadline.course_late_days: expected no such key here, late_days "
     "before the first table says it for all homeworks, got 1"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line"), BAD)
def test_what_is_wrong_in_a_calendar_is_one_line(capsys, old, new, line):
    edit(old, new)
    assert course(now=END) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said == f"course: course.toml: {line}" if line else said.startswith("course: extensions ")
    assert not Path("kept/one.db").exists()


@pytest.mark.slow
def test_an_extension_that_everybody_has_is_told(capsys):
    edit("until = 2026-11-02T23:59:59", "until = 2026-10-20T23:59:59")
    assert course(now=END) == 0
    general, own = "2026-10-29 23:59:59 -0700", "2026-10-20 23:59:59 -0700"
    line = f"course.toml: extension 2: 5 has until {general} like everybody, which is after {own}"
    assert line in capsys.readouterr().err.splitlines()
