"""A course's file: what it says, and one line for what is wrong in it."""

from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from tournament.courses.course_files import read_course
from tournament.errors import BadCourseError

COURSE = """name = "go"
zone = "America/Los_Angeles"
roster = "class.csv"
only_listed = true

[[homework]]
name = "first"
submissions = "first"
begins = 2026-09-24T08:00:00
rubric = "easy.toml"
games = 4
limits = { move_seconds = 0.5 }
deadline = { due = 2026-10-01T23:59:59, percent_per_day = 12.5, attempts = "best" }

[[homework]]
name = "second"
submissions = ["second", "late"]
roster = "second.csv"
only_listed = false

[ladder]
games = 3
references = ["random"]
"""


def written(folder, text):
    path = folder / "course.toml"
    path.write_text(text)
    return path


def test_what_a_file_says(tmp_path):
    course = read_course(written(tmp_path, COURSE))
    first, second, ladder = course.stages
    assert [(one.name, one.kind) for one in course.stages] == [
        ("first", "grade"), ("second", "grade"), ("ladder", "round-robin")
    ]  # fmt: skip
    assert first.file.values == {
        "name": "first", "rubric": str(tmp_path / "easy.toml"), "games": 4, "move_seconds": 0.5
    }  # fmt: skip
    assert (first.file.roster, first.file.only_listed) == (tmp_path / "class.csv", True)
    assert (second.file.roster, second.file.only_listed) == (tmp_path / "second.csv", False)
    assert second.file.submissions == ladder.file.submissions == (tmp_path / "second", tmp_path / "late")
    assert (first.deadline.percent_per_day, first.deadline.attempts) == (Fraction(25, 2), "best")
    assert first.deadline.due.isoformat() == "2026-10-01T23:59:59-07:00"
    assert (course.editions, course.pages, course.nicknames) == (
        ("instructor", "class"), tmp_path / "pages", tmp_path / "nicknames.csv"
    )  # fmt: skip
    assert course.store(ladder) == tmp_path / "kept/ladder.db"


def test_a_stage_begins_at_the_second_it_says(tmp_path):
    first, second, _ = read_course(written(tmp_path, COURSE)).stages
    assert second.has_begun(datetime(2026, 1, 1, tzinfo=UTC))
    assert not first.has_begun(datetime(2026, 9, 24, 14, 59, 59, tzinfo=UTC))
    assert first.has_begun(datetime(2026, 9, 24, 15, tzinfo=UTC))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('name = "go"\n', "", "name: expected 1 to 60 letters, digits, '.', '_' or '-', got nothing"),
        ('name = "go"', "name = ", "expected a TOML file: Invalid value (at line 1, column 8)"),
        ("only_listed = true", "listed = 1", "expected keys name, zone, roster, only_listed, base, editions, nicknames, pages, "
         "kept, late_days, extensions, extension, homework, ladder, got 'listed'; did you mean only_listed?"),
        ("Los_Angeles", "Angeles", "zone: expected the name of a time zone, as 'America/Los_Angeles' or 'UTC', got "
         "'America/Angeles'"),
        ('name = "second"', 'name = "Index.html"', "homework 2: name: expected another than the first page's, got "
         "'Index.html'"),
        ('name = "second"', 'name = "First"', "homework 2: name: expected a name of its own, got 'First' twice"),
        ('name = "second"', 'name = "a/b"', "homework 2: name: expected 1 to 60 letters, digits, '.', '_' or '-', got 'a/b'"),
        ('submissions = "first"\n', "", "homework 1: submissions: expected the folder students hand in to, got nothing"),
        ("games = 4", "gmaes = 4", "homework 1: expected one of name, kind, rules, size, games, references, rubric, "
         "until_decided, deciding, rounds, require_tier, python, load_each_game, start_each_move, submission_seconds, seed, "
         "limits, engine, submissions, roster, first_stage, base, store, only_listed; got 'gmaes'"),
        ("begins = 2026-09-24T08:00:00", 'begins = "soon"', "homework 1: begins: expected a date and a time, as "
         "2026-10-01T23:59:59, got 'soon'"),
        ("due = 2026-10-01T23:59:59, ", "", "homework 1: deadline.due: expected a date and a time, as 2026-10-01T23:59:59, "
         "got nothing"),
        ("percent_per_day = 12.5", "percent = 1", "homework 1: deadline: expected keys due, zone, grace_minutes, late_days, "
         "course_late_days, points_per_day, percent_per_day, cut_off, attempts, student, got 'percent'"),
        ("move_seconds = 0.5", "seconds = 1", "homework 1: [limits]: expected one of "),
        ("games = 3", 'kind = "match"', "ladder.kind: expected no such key, a homework is a grade and the ladder a round "
         "robin, got 'match'"),
        ("games = 3", "deadline = { due = 2026-10-01 }", "ladder.deadline: expected none, a ladder goes on, got one"),
        ("only_listed = true", 'editions = ["public"]', "editions: expected a list of some of instructor, class, named, "
         "agreed, student, got ['public']"),
        ("only_listed = true", "pages = 1", "pages: expected a path, got 1"),
        ('roster = "second.csv"', 'roster = "a\\u0000b"', "homework 2: roster: expected a path, got 'a\\x00b'"),
        ('roster = "second.csv"', "roster = 1", "homework 2: roster: expected a path, got 1"),
        ('only_listed = false', '[[homework.engine]]\nname = "gnu"\ncommand = ["gnugo"]', "homework 2: engine: expected none, "
         "a homework's opponents are those of its rubric, got some"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(tmp_path, old, new, line):
    assert COURSE.count(old) >= 1
    path = written(tmp_path, COURSE.replace(old, new, 1))
    with pytest.raises(BadCourseError) as raised:
        read_course(path)
    assert str(raised.value).startswith(f"{path}: {line}"), raised.value
    assert "\n" not in str(raised.value)


def test_a_course_needs_something_to_do(tmp_path):
    path = written(tmp_path, 'name = "go"\n')
    with pytest.raises(BadCourseError, match=r"homework: expected tables \[\[homework\]\], or a \[ladder\], got neither"):
        read_course(path)
    with pytest.raises(BadCourseError, match="No such file"):
        read_course(Path("nowhere/course.toml"))


@pytest.mark.parametrize(
    ("key", "place", "expected"),
    [
        ("pages", "first", "a folder apart from"),
        ("pages", "first/pages", "a folder apart from"),
        ("pages", ".", "a folder apart from"),
        ("kept", "second", "a folder apart from"),
        ("pages", "kept", "a folder apart from"),
        ("pages", "/etc", "a folder of pages, or a new one, got '/etc', where other files lie"),
        ("kept", "/etc", "a folder of this course, or a new one, got '/etc', where other files lie"),
        ("kept", "linked", "a folder of this course, or a new one, got "),
        ("pages", "loop", "a folder, or the name of a new one"),
        ("kept", "loop/kept", "a folder, or the name of a new one"),
        ("pages", "course.toml", "a folder, or the name of a new one"),
        ("kept", "course.toml/kept", "a folder, or the name of a new one"),
    ],
)
def test_nothing_is_written_where_other_files_lie(tmp_path, key, place, expected):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "linked").symlink_to("/etc")
    with pytest.raises(BadCourseError) as caught:
        read_course(written(tmp_path, f'{key} = "{place}"\n{COURSE}'))
    assert f"{key}: expected {expected}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_course_keeps_its_things_where_they_lie_or_nothing_does(tmp_path):
    for entry in ("", "course.lock", "files.json", "ladder.db"):
        (tmp_path / "kept" / entry).mkdir(parents=True, exist_ok=True)
        read_course(written(tmp_path, COURSE))


def test_pages_are_written_where_pages_lie_or_nothing_does(tmp_path):
    for entry in ("", "instructor", "index.html"):
        (tmp_path / "pages" / entry).mkdir(parents=True, exist_ok=True)
        read_course(written(tmp_path, COURSE))
