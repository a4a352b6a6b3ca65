"""Times of people: with an offset or by the clocks of a zone, which are put forward and back."""

from datetime import UTC, date, datetime, timedelta

import pytest

from goban.common.moments import find_zone, is_shown_twice, moment_text, read_moment
from goban.common.tables import WrongValueError

NEW_YORK = find_zone("America/New_York")

SPELLINGS = [
    "2026-10-01 23:59:59", "2026-10-01T23:59:59", "2026-10-01T23:59:59-04:00", "2026-10-01 23:59:59 -0400",
    "2026-10-02T03:59:59Z", "2026-10-02 05:59:59+02:00", " 2026-10-01  23:59:59.000 ", "1.10.2026 23:59:59",
    "01.10.2026  23:59:59", "2026/10/1 23:59:59", "2026/10/01T23:59:59-04:00",
]  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_time_as_course_systems_write_it(text):
    assert read_moment(text, NEW_YORK).isoformat() == "2026-10-01T23:59:59-04:00"


def test_seconds_may_be_left_out_and_fractions_of_one_count():
    assert read_moment("2026-10-01 23:59", UTC) < read_moment("2026-10-01 23:59:00.001", UTC)


def test_an_hour_may_have_one_digit():
    assert read_moment("1.10.2026 9:05", UTC) == datetime(2026, 10, 1, 9, 5, tzinfo=UTC)
    assert read_moment("2026-10-01 9:05:00", UTC) == datetime(2026, 10, 1, 9, 5, tzinfo=UTC)


BAD = [
    "", "yesterday", "2026-10-01", "23:59", "10/01/2026 11:59 PM", "2026-13-01 00:00", "2026-02-29 12:00",
    "2026-10-01 24:00:01", "2026-10-01 23:59:60", "20261001T00", "2026-W40-4T10:00", "1026-10-01 23:59", "2026-10-01 23:59 PST",
    "2026-10-01 23:59+9:00",
    "1.10.26 23:59", "31.9.2026 23:59", "10.2026 23:59", "2026/10/01", "1/10/2026 23:59", "x1.10.2026 1:00",
    "2026-10-01 23:59\n2026-10-02 00:00", "２026-10-01 23:59",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_time_says_how_one_is_written(text):
    with pytest.raises(WrongValueError) as caught:
        read_moment(text, NEW_YORK)
    assert str(caught.value) == "a date and a time, as '2026-10-01 23:59:59' or '2026-10-01 23:59:59-07:00'"


def test_a_leap_day_is_a_day():
    assert read_moment("2028-02-29 12:00", UTC) + timedelta(days=1) == datetime(2028, 3, 1, 12, tzinfo=UTC)


def test_an_hour_that_clocks_put_forward_skip_is_refused():
    with pytest.raises(WrongValueError, match="a time that clocks in America/New_York have shown, for they were put forward"):
        read_moment("2026-03-08 02:30", NEW_YORK)
    assert read_moment("2026-03-08 03:30", NEW_YORK).isoformat() == "2026-03-08T03:30:00-04:00"


def test_an_hour_that_is_shown_twice_is_the_first_one_unless_its_offset_says_otherwise():
    first, second = (read_moment(f"2026-11-01 01:30{offset}", NEW_YORK) for offset in ("", "-05:00"))
    assert first.isoformat() == "2026-11-01T01:30:00-04:00"
    assert second.astimezone(UTC) - first.astimezone(UTC) == timedelta(hours=1)
    assert is_shown_twice(first)
    assert not is_shown_twice(read_moment("2026-11-01 02:30", NEW_YORK))


NO_ZONES = ["", "Mars/Olympus", "America", "../../etc/passwd", "/etc", "a\0b", 7, None, "x" * 5000, "a." * 999 + "/b"]


@pytest.mark.parametrize("name", NO_ZONES)
def test_a_zone_that_is_none_is_refused(name):
    with pytest.raises(WrongValueError, match="the name of a time zone, as 'America/Los_Angeles' or 'UTC'"):
        find_zone(name)


@pytest.mark.parametrize(("value", "text"), [
    (datetime(2026, 10, 1, 9, 5, 7, 123), "2026-10-01 09:05:07+00:00"),
    (date(2026, 10, 1), "2026-10-01 00:00:00+00:00"),
    ("2026-10-01 20:00:00 UTC\n", "2026-10-01 20:00:00+00:00"),
    ("2026-10-01T20:00:00.5-04:00", "2026-10-01 20:00:00-04:00"),
    ("1969-10-01 20:00:00", ""), (datetime(2100, 1, 1), ""), ("soon", ""), (None, ""), (7, ""),
])  # fmt: skip
def test_a_time_of_a_course_system_as_text(value, text):
    assert moment_text(value) == text
