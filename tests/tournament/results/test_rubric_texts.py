"""A rubric that was written as text is read as the same rubric."""

from pathlib import Path

import pytest

from tests.tournament.results.test_deadlines import DUE, LA, OWN
from tournament.results.rubric_files import names, parse_rubric, read_rubric
from tournament.results.rubrics import rubric_toml

DEADLINES = [
    DUE,
    f'{DUE}grace_minutes = 10\nlate_days = 2\npoints_per_day = 0.125\ncut_off = 2026-10-05T23:59:59\nattempts = "best"\n',
    f"{DUE}percent_per_day = 12.5\n",
    f'{DUE}attempts = "last-in-time"\ncourse_late_days = 5\n[[deadline.student]]\nname = "a \\"b"\nlate_days_left = 0\n'
    '[[deadline.student]]\nname = "cy"\ndue = 2026-11-01T01:30:00-08:00\ncut_off = 2026-11-02T00:00:00\n',
    # Shown twice by the clocks: only an offset says which.
    f"due = 2026-11-01T01:30:00-08:00\n{LA}",
    'due = 2026-10-01T23:59:59\nzone = "UTC"\n',
]


def read_again(rubric):
    return parse_rubric(rubric_toml(rubric).encode(), Path("/elsewhere/again.toml"))


@pytest.mark.parametrize("name", [name for name in names() if read_rubric(name).opponents])
def test_shipped_rubrics_are_read_again(name):
    rubric = read_rubric(name)
    assert read_again(rubric) == rubric


@pytest.mark.parametrize("deadline", DEADLINES)
def test_deadlines_are_read_again_to_the_second(deadline):
    rubric = parse_rubric(f"{OWN}{deadline}".encode(), Path("mine.toml"))
    again = read_again(rubric)
    assert again == rubric
    assert again.deadline.due.utcoffset() == rubric.deadline.due.utcoffset()


def test_numbers_stay_exact_and_texts_what_they_are():
    bands = "from = 0.30000000000000000001, points = 1.10 }, { from = 0, points = 0"
    text = OWN.replace("[deadline]\n", "").replace("from = 0, times_rate = 100", bands)
    rubric = parse_rubric(text.replace('"Mine"', r'"\"Ångström\" \\ 1"').encode(), Path("mine.toml"))
    assert read_again(rubric) == rubric
    assert "1.1 }" in rubric_toml(rubric)
