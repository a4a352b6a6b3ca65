"""Late days, tested on dates: to the second, over changes of the clocks, on a leap day, from other zones."""

from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import pytest

from goban.common.moments import read_moment
from gojudge.errors import BadRosterError
from tests.support.steps import grows_alone
from tournament.errors import BadRubricError
from tournament.results.deadlines import days_late, extend_deadline, lateness, move_dates, words
from tournament.results.rubric_files import parse_rubric
from tournament.results.rubrics import OwnDates

OWN = """
title = "Mine"
rules = "course"
size = 5
games = 10
[[opponent]]
name = "random"
bands = [{ from = 0, times_rate = 100 }]
[deadline]
"""
LA = 'zone = "America/Los_Angeles"\n'
DUE = f"due = 2026-10-01T23:59:59\n{LA}"


def rubric(text):
    return parse_rubric(f"{OWN}{text}".encode(), Path("mine.toml"))


def deadline(text):
    return rubric(text).deadline


def days(rules, text):
    found = deadline(rules)
    return days_late(found, read_moment(text, found.zone))


CUT = f"{DUE}cut_off = 2026-10-05T12:00:00\n"
MOVED = [
    # what a course system says of the due date and of late ones, and what comes of it
    (DUE, None, None, "2026-10-01T23:59:59-07:00", None),
    (DUE, "2026-10-08T08:59:59+02:00", None, "2026-10-07T23:59:59-07:00", None),
    (DUE, None, "2026-10-08T08:59:59+02:00", "2026-10-01T23:59:59-07:00", "2026-10-07T23:59:59-07:00"),
    (CUT, None, None, "2026-10-01T23:59:59-07:00", "2026-10-05T12:00:00-07:00"),
    # An extension of two days for the due date is one for the cut-off, unless that is said, too.
    (CUT, "2026-10-03T23:59:59-07:00", None, "2026-10-03T23:59:59-07:00", "2026-10-07T12:00:00-07:00"),
    (CUT, "2026-10-03T23:59:59-07:00", "2026-10-04T12:00:00-07:00", "2026-10-03T23:59:59-07:00", "2026-10-04T12:00:00-07:00"),
    # Clocks are put back on November 1.
    (CUT, "2026-11-02T22:59:59-08:00", None, "2026-11-02T22:59:59-08:00", "2026-11-06T11:00:00-08:00"),
]


@pytest.mark.parametrize(("rules", "due", "cut_off", "then", "end"), MOVED)
def test_a_course_systems_dates_stand_in_for_the_rubrics(rules, due, cut_off, then, end):
    said = [text and datetime.fromisoformat(text) for text in (due, cut_off)]
    found = move_dates(deadline(rules), *said)
    assert [moment and moment.isoformat() for moment in (found.due, found.cut_off)] == [then, end]
    assert found.due.tzinfo is found.zone


TO_THE_SECOND = [
    ("2026-10-01 00:00:00", 0),
    ("2026-10-01 23:59:58", 0),
    ("2026-10-01 23:59:59", 0),
    ("2026-10-01 23:59:59.001", 1),
    ("2026-10-02 00:00:00", 1),
    ("2026-10-02 23:59:59", 1),
    ("2026-10-03 00:00:00", 2),
    ("2026-10-31 12:00:00", 30),
    ("2027-10-01 23:59:59", 365),
    # 06:59:59 UTC is the deadline.
    ("2026-10-02T06:59:59Z", 0),
    ("2026-10-02T07:00:00Z", 1),
    ("2026-10-02 15:59:59+09:00", 0),
    ("2026-10-02 16:00:00 +0900", 1),
]


@pytest.mark.parametrize(("text", "late"), TO_THE_SECOND)
def test_a_late_day_begins_with_the_second_after_the_time_of_day_at_which_it_was_due(text, late):
    assert days(DUE, text) == late


@pytest.mark.parametrize(("text", "late"), [("00:09:59", 0), ("00:10:00", 1), ("23:59:59", 1)])
def test_the_grace_moves_the_limit(text, late):
    assert days(f"{DUE}grace_minutes = 10\n", f"2026-10-02 {text}") == late


def test_the_grace_moves_the_limit_of_every_day():
    assert [days(f"{DUE}grace_minutes = 10\n", f"2026-10-03 00:{minute}:59") for minute in ("09", "10")] == [1, 2]


NEW_YORK = 'zone = "America/New_York"\n'
# The day on which clocks are put forward has 23 hours, the one on which they are put back has 25; a late day ends when
# clocks show the time at which submissions were due.
CHANGES = [
    ("2026-03-07T12:00:00", "2026-03-08 12:00:00", 1),
    ("2026-03-07T12:00:00", "2026-03-08 12:00:01", 2),
    ("2026-03-07T12:00:00", "2026-03-09 12:00:00", 2),
    ("2026-10-31T12:00:00", "2026-11-01 12:00:00", 1),
    ("2026-10-31T12:00:00", "2026-11-01 12:00:01", 2),
    # Due at a time that clocks skip on the next day: they are put from 02:00 to 03:00.
    ("2026-03-07T02:30:00", "2026-03-08 03:30:00", 1),
    ("2026-03-07T02:30:00", "2026-03-08 03:30:01", 2),
    # An hour that is shown twice: the second time it is later.
    ("2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-04:00", 0),
    ("2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00", 1),
    ("2026-11-01T01:30:00-05:00", "2026-11-01T01:30:00-05:00", 0),
    ("2026-11-01T01:30:00-05:00", "2026-11-01T01:30:01-05:00", 1),
    # A late day that ends at a time shown twice ends the first time.
    ("2026-10-31T01:30:00", "2026-11-01T01:30:00-04:00", 1),
    ("2026-10-31T01:30:00", "2026-11-01T01:30:00-05:00", 2),
    ("2028-02-28T12:00:00", "2028-02-29 12:00:00", 1),
    ("2028-02-28T12:00:00", "2028-03-01 12:00:00", 2),
    ("2027-02-28T12:00:00", "2027-03-01 12:00:00", 1),
]


@pytest.mark.parametrize(("due", "text", "late"), CHANGES)
def test_days_are_those_of_the_calendar_and_of_the_clocks(due, text, late):
    assert days(f"due = {due}\n{NEW_YORK}", text) == late


def test_a_due_time_with_an_offset_is_shown_by_the_clocks_of_the_zone():
    assert deadline(f"due = 2026-10-02T06:59:59Z\n{LA}") == deadline(DUE)
    assert words(deadline(DUE)) == "Due 2026-10-01 23:59:59 -0700 (America/Los_Angeles); the last attempt counts."


def test_a_zone_that_skipped_a_day():
    """Samoa had no 30 December 2011: noon of the 31st came 24 hours after that of the 29th."""
    rules = 'due = 2011-12-29T12:00:00\nzone = "Pacific/Apia"\n'
    assert [days(rules, f"2011-12-31 12:00:0{second}") for second in (0, 1)] == [1, 3]


def late(rules, submitted, earned=80, **fields):
    found = deadline(rules)
    columns = {"submitted": submitted, **fields}
    return lateness(found, "ann", {key: text for key, text in columns.items() if text}, Fraction(earned))


def test_points_for_each_late_day_that_is_not_free():
    rules = f"{DUE}late_days = 2\npoints_per_day = 7.5\n"
    said = {day: late(rules, f"2026-10-0{day} 12:00") for day in (1, 2, 3, 4, 5)}
    assert [(one.days, one.free, one.penalty) for one in said.values()] == [
        (0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, Fraction("7.5")), (4, 2, 15)
    ]  # fmt: skip
    assert [one.words for one in said.values()] == [
        "in time", "1 day late, free", "2 days late, free", "3 days late, 2 of them free",
        "4 days late, 2 of them free",
    ]  # fmt: skip


def test_a_share_of_the_submissions_own_points():
    assert late(f"{DUE}percent_per_day = 10\n", "2026-10-03 12:00").penalty == 16


@pytest.mark.parametrize("rule", ["points_per_day = 50", "percent_per_day = 60"])
def test_nobody_has_less_than_nothing(rule):
    assert late(f"{DUE}{rule}\n", "2026-10-03 12:00").penalty == 80


def test_the_rosters_late_days_are_a_students_own():
    rules = f"{DUE}late_days = 2\npoints_per_day = 10\n"
    assert [late(rules, "2026-10-03 12:00", late_days=own).penalty for own in ("", "0", "1", "9")] == [0, 20, 10, 0]


def test_after_the_cut_off_there_are_no_points_whatever_is_free():
    rules = f"{DUE}grace_minutes = 10\nlate_days = 9\ncut_off = 2026-10-03T12:00:00\n"
    assert [late(rules, f"2026-10-03 12:00:0{second}").penalty for second in (0, 1)] == [0, 80]
    assert late(rules, "2026-10-03 12:00:01").words == "2 days late, after the cut-off"


def test_a_time_that_nobody_says_counts_as_in_time():
    found = late(f"{DUE}points_per_day = 10\n", "")
    assert (found.days, found.penalty, found.words, found.time) == (0, 0, "time unknown", "unknown")


BAD_ROSTERS = [
    ({"submitted": "Friday"}, "ann: submitted: expected a date and a time, as '2026-10-01 23:59:59' or "
     "'2026-10-01 23:59:59-07:00', got 'Friday'"),
    ({"submitted": "2026-03-08 02:30"}, "ann: submitted: expected a time that clocks in America/Los_Angeles have shown, for "
     "they were put forward then, got '2026-03-08 02:30'"),
    ({"late_days": "two"}, "ann: late_days: expected a whole number from 0 to 1000, got 'two'"),
    ({"late_days": "-1"}, "ann: late_days: expected a whole number from 0 to 1000, got '-1'"),
    ({"late_days": "²"}, "ann: late_days: expected a whole number from 0 to 1000, got '²'"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), BAD_ROSTERS)
def test_a_roster_with_a_bad_time_is_refused_by_name(fields, said):
    with pytest.raises(BadRosterError) as caught:
        lateness(deadline(DUE), "ann", fields, Fraction(80))
    assert str(caught.value) == said


BAD_FILES = [
    ("", "deadline.zone: expected the name of a time zone, as 'America/Los_Angeles' or 'UTC', got nothing"),
    ('zone = "Mars"', "deadline.zone: expected the name of a time zone, as 'America/Los_Angeles' or 'UTC', got 'Mars'"),
    (LA, "deadline.due: expected a date and a time, as 2026-10-01T23:59:59, got nothing"),
    (f"{LA}due = 2026-10-01", "deadline.due: expected a date and a time, as 2026-10-01T23:59:59, got 2026-10-01"),
    (f"{LA}due = 23:59:59", "deadline.due: expected a date and a time, as 2026-10-01T23:59:59, got 23:59:59"),
    (f"{LA}due = '2026-10-01 23:59'",
     "deadline.due: expected a date and a time, as 2026-10-01T23:59:59, got '2026-10-01 23:59'"),
    (f"{LA}due = 1526-10-01 23:59:59",
     "deadline.due: expected a date and a time, as 2026-10-01T23:59:59, got 1526-10-01"),
    (f"{LA}due = 2026-02-29T23:59:59", "not TOML: "),
    (f"{NEW_YORK}due = 2026-03-08T02:30:00", "deadline.due: expected a time that clocks in America/New_York have shown, for "
     "they were put forward then, got 2026-03-08 02:30:00"),
    (f"{NEW_YORK}due = 2026-11-01T01:30:00", "deadline.due: expected an offset, as 2026-11-01T01:30:00-04:00, since clocks "
     "in America/New_York show this time twice, got 2026-11-01 01:30:00"),
    (f"{DUE}cut_off = 2026-10-01T23:59:58", "deadline.cut_off: expected a time not before due, 2026-10-01 23:59:59, got "
     "2026-10-01 23:59:58"),
    (f"{DUE}grace_minutes = 1440", "deadline.grace_minutes: expected a whole number from 0 to 1439, got 1440"),
    (f"{DUE}late_days = -1", "deadline.late_days: expected a whole number from 0 to 1000, got -1"),
    (f"{DUE}points_per_day = -1", "deadline.points_per_day: expected a number from 0 to 1000000, got -1"),
    (f"{DUE}percent_per_day = 101", "deadline.percent_per_day: expected a number from 0 to 100, got 101"),
    (f"{DUE}points_per_day = 1\npercent_per_day = 1",
     "deadline.points_per_day: expected either points_per_day or percent_per_day, got both"),
    (f"{DUE}attempts = 'all'", "deadline.attempts: expected one of last, best, last-in-time, got 'all'"),
    (f"{DUE}late = 1", "expected keys due, zone, grace_minutes, "),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), BAD_FILES, ids=[said for _, said in BAD_FILES])
def test_a_bad_deadline_is_one_line_with_file_and_key(text, said):
    with pytest.raises(BadRubricError) as caught:
        rubric(text)
    assert str(caught.value).startswith("mine.toml: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_deadline_is_a_table_and_for_points_against_reference_players():
    with pytest.raises(BadRubricError, match=r"^mine.toml: deadline: expected a table \[deadline\], got 3$"):
        parse_rubric(OWN.replace("[deadline]", "").replace("[[opp", "deadline = 3\n[[opp").encode(), Path("mine.toml"))
    ranked = OWN[: OWN.index("[[")] + f"[[rank]]\npoints = 1\n[deadline]\n{DUE}"
    with pytest.raises(BadRubricError, match=r"^mine.toml: deadline: expected none beside \[\[rank\]\], .* got one$"):
        parse_rubric(ranked.encode(), Path("mine.toml"))

# One student's own: extensions, the late days of the course, and zones


def test_an_extension_by_days_or_until_a_time_moves_the_cut_off_along_by_the_clocks():
    found = deadline(f"due = 2026-10-30T23:59:59\n{LA}cut_off = 2026-11-01T12:00:00\n")
    # Clocks are put back on November 1; an extension of days is one by the clocks.
    for until, days in ((None, 3), (read_moment("2026-11-02 23:59:59", found.zone), 0)):
        due, cut_off = extend_deadline(found, until, days, None)
        assert (due.isoformat(), cut_off.isoformat()) == ("2026-11-02T23:59:59-08:00", "2026-11-04T12:00:00-08:00")
    own = read_moment("2026-11-03 08:00", found.zone)
    assert extend_deadline(found, None, 3, own)[1] == own
    assert extend_deadline(deadline(DUE), None, 3, None)[1] is None


@pytest.mark.parametrize(
    ("due", "days", "then"),
    [
        # 02:30 is skipped on 8 March, and 01:30 is shown twice on 1 November.
        ("2026-03-07T02:30:00", 1, "2026-03-08T03:30:00-04:00"),
        ("2026-03-07T02:30:00", 2, "2026-03-09T02:30:00-04:00"),
        ("2026-10-31T01:30:00", 1, "2026-11-01T01:30:00-04:00"),
        ("2026-10-31T01:30:00", 2, "2026-11-02T01:30:00-05:00"),
        ("2026-11-01T01:30:00-05:00", 1, "2026-11-02T01:30:00-05:00"),
    ],
)
def test_a_time_that_clocks_skip_is_as_much_later_and_one_shown_twice_is_the_first(due, days, then):
    found, _ = extend_deadline(deadline(f"due = {due}\n{NEW_YORK}"), None, days, None)
    assert found.isoformat() == then


OWN_DATES = f"""{DUE}cut_off = 2026-10-05T12:00:00
points_per_day = 10
grace_minutes = 10
course_late_days = 4
late_days = 2
[[deadline.student]]
name = "ann"
due = 2026-10-03T23:59:59
cut_off = 2026-10-07T12:00:00
[[deadline.student]]
name = "bob"
late_days_left = 1
"""


@pytest.mark.parametrize(
    ("student", "submitted", "days", "free", "penalty", "left"),
    [
        # ann has two days more, and 4 late days of which 2 may be free here; the grace is hers too
        ("ann", "2026-10-04 00:09:59", 0, 0, 0, 4),
        ("ann", "2026-10-04 00:10:00", 1, 1, 0, 3),
        ("ann", "2026-10-06 20:00:00", 3, 2, 10, 2),
        ("ann", "2026-10-07 12:00:00", 4, 2, 20, 2),
        ("ann", "2026-10-07 12:00:01", 4, 0, 80, 4),
        # bob has one left
        ("bob", "2026-10-01 12:00:00", 0, 0, 0, 1),
        ("bob", "2026-10-03 12:00:00", 2, 1, 10, 0),
        ("bob", "2026-10-05 12:00:01", 4, 0, 80, 1),
        # all others
        ("cat", "2026-10-03 12:00:00", 2, 2, 0, 2),
    ],
)
def test_each_student_has_dates_and_late_days_of_their_own(student, submitted, days, free, penalty, left):
    found = lateness(deadline(OWN_DATES).of(student), student, {"submitted": submitted, "late_days": "9"}, Fraction(80))
    assert (found.days, found.free, found.penalty, found.left) == (days, free, penalty, left)


@pytest.mark.parametrize(("earned", "free"), [(0, 0), (5, 0), (20, 0), (21, 2), (80, 2)])
def test_late_days_of_the_course_are_spent_only_where_they_save_points(earned, free):
    """Four days late and two of them free cost 20 points, whatever there are."""
    found = lateness(deadline(OWN_DATES).of("cat"), "cat", {"submitted": "2026-10-05 12:00"}, Fraction(earned))
    assert (found.free, found.left, found.penalty) == (free, 4 - free, min(earned, 20))


def test_who_has_other_clocks_is_told_the_time_on_both():
    found = deadline(f"due = 2026-10-24T23:59:59\n{LA}")
    said = {"submitted": "2026-10-25 09:00", "zone": "Europe/Berlin"}
    abroad = lateness(found, "ann", said, Fraction(80))
    # By the clocks of the day: those of Berlin were put back on 25 October.
    assert abroad.time == "2026-10-25 09:00:00 -0700 (2026-10-25 17:00:00 +0100 Europe/Berlin)"
    assert abroad.due_time == "2026-10-24 23:59:59 -0700 (2026-10-25 07:59:59 +0100 Europe/Berlin)"
    for here in ("", "America/Los_Angeles", "America/Vancouver", "West campus", "Mars"):
        at_home = lateness(found, "ann", said | {"zone": here}, Fraction(80))
        assert (at_home.time, at_home.due_time) == ("2026-10-25 09:00:00 -0700", "")


class Name(str):
    """A name that is seen to be compared."""

    def __eq__(self, other):
        return str(self) == str(other)

    __hash__ = str.__hash__


def test_each_of_thousands_has_their_own_dates_without_looking_at_all():
    usual = deadline(DUE)

    def looking(size):
        whole = replace(usual, own=tuple(OwnDates(Name(f"s{number}"), left=number) for number in range(size)))
        return lambda: [whole.of(one.student) for one in whole.own]

    assert [own.left for own in looking(3)()] == [0, 1, 2]
    assert grows_alone(looking, 200)
