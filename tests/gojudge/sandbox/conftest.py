"""The opener of seats that the tests of every tier share."""

import pytest

from goban.rulesets import COURSE
from tests.support.submissions import seat_for, submission


@pytest.fixture
def open_seat(tmp_path, tier):
    """Open seats of one tier, and close them after the test."""
    seats = []

    def open_(source, rules=COURSE, size=5, files=None, **limits):
        entrant = submission(tmp_path / f"submission{len(seats)}", source, **(files or {}))
        seats.append(seat_for(entrant, tier, rules, size, **limits))
        return seats[-1]

    yield open_
    for seat in seats:
        seat.close()
