"""Grades of a rubric with a deadline: penalties, and which of several attempts counts."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gojudge.intake.submissions import Refused
from gojudge.records import Entrant
from tests.support.game_rows import wins
from tests.tournament.results.test_deadlines import DUE, rubric
from tournament.events.events import Event
from tournament.results.course_systems import people, points_csv, results, vocareum_files
from tournament.results.grade_report import grades_csv, grades_json, grades_text
from tournament.results.grading import class_grades
from tournament.results.rubric_files import names, read_rubric
from tournament.results.rubrics import basis_of

FULL = f"{DUE}late_days = 1\npoints_per_day = 10\n"

OWN = "[[deadline.student]]\nname = 'ann'\n"


def entrant(name, submitted, **fields):
    return Entrant(name, (name,), fields=tuple({"submitted": submitted, **fields}.items()))


ANN = (
    entrant("ann", "2026-10-01 20:00", attempt="1 of 3", attempt_of="ann"),
    entrant("ann.2", "2026-10-03 20:00", attempt="2 of 3", attempt_of="ann"),
    entrant("ann.3", "2026-10-09 20:00", attempt="3 of 3", attempt_of="ann"),
)
BOB = entrant("bob", "2026-10-02 20:00")
WON = {"ann": 6, "ann.2": 8, "ann.3": 10, "bob": 9}
ROWS = [row for name, won in WON.items() for row in wins(name, "random", won, 10)]


def graded(text, entrants=(*ANN, BOB), refused=()):
    return class_grades(ROWS, rubric(text), entrants, refused)


@pytest.mark.parametrize(
    ("rule", "counts", "points"),
    [
        ("attempts = 'best'\n", "ann.2", 70),
        ("attempts = 'last'\n", "ann.3", 30),
        # What comes after the cut-off was not accepted.
        ("cut_off = 2026-10-08T00:00:00\n", "ann.2", 70),
        ("cut_off = 2026-10-01T23:59:59\nattempts = 'best'\n", "ann", 60),
        ("attempts = 'last-in-time'\n", "ann", 60),
        # With two days more the second is in time as well.
        (f"attempts = 'last-in-time'\n{OWN}due = 2026-10-03T23:59:59\n", "ann.2", 80),
        (f"attempts = 'best'\n{OWN}due = 2026-10-08T23:59:59\n", "ann.3", 100),
    ],
)
def test_the_attempt_that_counts_is_chosen_after_penalties(rule, counts, points):
    ann, bob = graded(FULL + rule)
    assert (ann.name, ann.person, ann.points, bob.points) == (counts, "ann", points, 90 * ("01T23" not in rule))
    assert [(one.name, one.earned) for one in ann.attempts] == [("ann", 60), ("ann.2", 80), ("ann.3", 100)]


# Of 4 late days of the course, `left` before this homework; 60 points in time, 80 two days late, 100 eight days late.
@pytest.mark.parametrize(
    ("left", "attempts", "counts", "points", "free", "then"),
    [
        (4, "best", "ann.2", 80, 2, 2),
        (1, "best", "ann.2", 70, 1, 0),
        (0, "best", "ann", 60, 0, 0),
        (4, "last", "ann.3", 60, 4, 0),
        (1, "last", "ann.3", 30, 1, 0),
        (4, "last-in-time", "ann", 60, 0, 4),
    ],
)
def test_late_days_of_the_course_are_spent_for_the_attempt_that_counts_only(left, attempts, counts, points, free, then):
    rules = f"{DUE}points_per_day = 10\ncourse_late_days = 4\nattempts = '{attempts}'\n{OWN}late_days_left = {left}\n"
    ann, bob = graded(rules)
    assert (ann.name, ann.points, ann.late.free, ann.late.left) == (counts, points, free, then)
    assert [one.late.left for one in ann.attempts if one.name != counts] == [None, None]
    assert (bob.points, bob.late.left) == (90, 3)


def test_of_equally_good_attempts_the_first_counts():
    (ann,) = class_grades([], rubric(f"{FULL}attempts = 'best'\n"), ANN, ())
    assert ann.name == "ann"


def test_a_refused_attempt_is_worth_nothing_and_the_others_count():
    third = Refused("ann.3", ("ann",), Path(), "no player in it", ANN[2].fields)
    assert graded(f"{FULL}attempts = 'best'\n", ANN[:2], [third])[0].points == 70
    (last,) = graded(FULL, ANN[:2], [third])
    assert (last.refused, last.points, len(last.attempts)) == ("no player in it", 0, 3)


def test_nothing_is_hidden_in_table_csv_and_json():
    rules = rubric(f"{FULL}attempts = 'best'\n")
    found = class_grades(ROWS, rules, (*ANN, BOB), ())
    text = grades_text(found, rules, Event("day", "grade", games=10))
    assert "Due 2026-10-01 23:59:59 -0700 (America/Los_Angeles); 1 late day free; 10 points off for each late day; " in text
    table = [re.split("  +", line)[:4] for line in text.splitlines()]
    assert ["ann", "70", "80", "2 days late, 1 of them free"] in table
    assert ["bob", "90", "90", "1 day late, free"] in table
    assert "ann: handed in 2026-10-03 20:00:00 -0700, 2 days late, 1 of them free: 80 - 10 = 70 points\n" in text
    assert "ann: attempt 2 of 3 counts; points: 1. 60, 2. 70 (80 before the penalty), 3. 30 (100 before the penalty)\n" in text
    said, _ = csv.DictReader(grades_csv(found, rules).splitlines())
    assert [said[key] for key in ("name", "submitted", "points", "before_penalty", "penalty", "late_days_used")] == [
        "ann", "2026-10-03 20:00", "70", "80", "10", "1"
    ]  # fmt: skip
    about = grades_json(found)[0]
    assert (about["name"], about["points"], about["before_penalty"]) == ("ann", 70, 80)
    assert about["late"] == {
        "submitted": "2026-10-03T20:00:00-07:00", "words": "2 days late, 1 of them free", "days": 2, "free": 1,
        "cut_off": False, "penalty": 10,
    }  # fmt: skip
    assert [(one["points"], one["counts"]) for one in about["attempts"]] == [(60, False), (70, True), (30, False)]


def test_a_grade_is_final_once_no_attempt_has_games_left():
    rows = [row for row in ROWS if "ann.3" not in (row.black, row.white)]
    (ann,) = class_grades(rows, rubric(f"{FULL}attempts = 'best'\n"), ANN, ())
    assert ann.name == "ann.2"
    assert not ann.complete


@pytest.mark.parametrize("name", names())
def test_a_rubric_without_a_deadline_asks_no_times_and_takes_nothing_off(name):
    found = read_rubric(name)
    assert found.deadline is None
    if found.opponents:
        grades = class_grades(ROWS, found, (*ANN, entrant("bob", "no time at all")), ())
        assert [(one.name, one.points == one.earned, one.late, one.attempts) for one in grades] == [
            (name, True, None, ()) for name in WON
        ]
        assert "late" not in grades_csv(grades, found)


def test_a_deadline_may_be_moved_after_the_games():
    """The events of both rubrics are the same, in results files of before, too."""
    assert basis_of(rubric(FULL)) == basis_of(replace(rubric(FULL), deadline=None))


# Where else grades go: every one says the points after the penalty, and why


LATE = entrant("bob", "2026-10-03 20:00", email="b@example.org", section="A", id="7")


def test_gradescope_has_the_points_after_the_penalty_and_says_why():
    (bob,) = graded(FULL, [LATE])
    found = results(bob)
    assert found["score"] == 80
    assert "handed in 2026-10-03 20:00:00" in found["output"]
    assert "90 - 10 = 80 points" in found["output"]


def test_course_systems_have_the_points_after_the_penalty_and_say_why():
    grades = graded(FULL, [LATE])
    assert points_csv(people(grades, "canvas").persons, "canvas", "Go", "100").splitlines()[2] == "bob,7,,,A,80"
    assert "90 - 10 = 80 points" in points_csv(people(grades, "moodle").persons, "moodle", "Go", "100")
    files = vocareum_files(people(grades, "vocareum").persons)
    # The system adds the lines of a grade file up.
    assert files["bob/grade.csv"] == "random,90\nlate,-10\n"
    assert files["bob/report.txt"].endswith("90 - 10 = 80 points\n")
