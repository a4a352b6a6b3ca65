"""Which of several attempts plays: by the times in the roster, never by those of files."""

from datetime import UTC

import pytest

from goban.common.moments import find_zone, read_moment
from gojudge.errors import BadRosterError
from gojudge.intake.rosters import Attempts, resolve_attempts
from gojudge.intake.submissions import take_in
from tests.support.exports import parse_roster
from tests.support.sources import CORNER

HEAD = "submission,name,submitted\n"
# The second line is the earlier one.
THREE = f"{HEAD}b.py,ann,2026-10-02 00:10\na.py,Ann,2026-10-01 20:00\nc.py,ann,2026-10-03 09:00\nbob.py,bob,\n"


def playing(text, **options):
    """submission -> name, of those that play."""
    lines = resolve_attempts(parse_roster(text, "r.csv"), Attempts(**options), "r.csv")
    return {line.submission: line.name for line in lines if not line.superseded}


def test_the_last_attempt_plays_under_the_name_of_its_student():
    assert playing(THREE) == {"c.py": "ann", "bob.py": "bob"}


def test_the_last_one_before_the_cut_off_if_there_is_one():
    assert playing(THREE, limits=[read_moment("2026-10-02 12:00", UTC)]) == {"b.py": "ann", "bob.py": "bob"}
    assert playing(THREE, limits=[read_moment("2026-10-02 00:10", UTC)]) == {"b.py": "ann", "bob.py": "bob"}
    assert playing(THREE, limits=[read_moment("2025-10-02 12:00", UTC)]) == {"c.py": "ann", "bob.py": "bob"}


def test_the_last_one_in_time_plays_and_else_the_last_before_the_cut_off():
    """Handed in on 1 October at 20:00, on the 2nd at 00:10 and on the 3rd at 09:00."""
    due, cut_off = (read_moment(text, UTC) for text in ("2026-10-01 23:59:59", "2026-10-03 00:00"))
    assert playing(THREE, limits=[due, cut_off])["a.py"] == "Ann"
    assert "b.py" in playing(THREE, limits=[read_moment("2026-10-01 12:00", UTC), cut_off])
    assert "c.py" in playing(THREE, limits=[read_moment("2026-10-01 12:00", UTC), read_moment("2026-10-01 13:00", UTC)])
    # Whoever has an extension has limits of their own.
    assert "b.py" in playing(THREE, limits=[due, cut_off], own={"ann": [read_moment("2026-10-02 23:59:59", UTC), cut_off]})


def test_where_the_best_counts_all_play_and_the_first_keeps_its_name():
    assert playing(THREE, all_play=True) == {"a.py": "Ann", "b.py": "Ann.2", "c.py": "Ann.3", "bob.py": "bob"}
    lines = resolve_attempts(parse_roster(THREE, "r.csv"), Attempts(all_play=True), "r.csv")
    fields = {line.name: dict(line.fields) for line in lines}
    assert (fields["Ann.2"]["attempt"], fields["Ann.2"]["attempt_of"]) == ("2 of 3", "Ann")
    assert "attempt" not in fields["bob"]


def test_an_attempt_is_dated_by_the_clocks_of_the_zone():
    """Clocks were put back in between: by them the second attempt came first."""
    text = f"{HEAD}a.py,ann,2026-11-01T01:50:00-04:00\nb.py,ann,2026-11-01T01:10:00-05:00\n"
    assert playing(text, zone=find_zone("America/New_York")) == {"b.py": "ann"}
    mixed = f"{HEAD}a.py,ann,2026-10-01 20:00\nb.py,ann,2026-10-01T23:00:00Z\n"
    assert playing(mixed, zone=find_zone("America/New_York")) == {"a.py": "ann"}
    assert playing(mixed, zone=UTC) == {"b.py": "ann"}


BAD = [
    ("submission,name\na,bob\nb,cy\nc,BOB\n", "r.csv, line 4: name 'BOB' stands in line 2 already; attempts of one need their "
     "times in a column submitted"),
    (f"{HEAD}a,bob,2026-10-01 20:00\nb,bob,\n", "r.csv, line 3: name 'bob' stands in line 2 already; attempts of one need "
     "their times in a column submitted"),
    (f"{HEAD}a,bob,2026-10-01 20:00\nb,bob,late\n", "r.csv, line 3: submitted: expected a date and a time, as "
     "'2026-10-01 23:59:59' or '2026-10-01 23:59:59-07:00', got 'late'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), BAD)
def test_attempts_that_cannot_be_put_in_order_are_refused_by_line(text, said):
    with pytest.raises(BadRosterError) as caught:
        playing(text)
    assert str(caught.value) == said


def test_an_attempt_that_does_not_play_is_neither_unlisted_nor_missed(tmp_path):
    (tmp_path / "hw").mkdir()
    for name in ("b.py", "c.py", "bob.py"):
        (tmp_path / "hw" / name).write_text(CORNER)
    (tmp_path / "r.csv").write_text(THREE)
    intake = take_in([tmp_path / "hw"], tmp_path / "copies", tmp_path / "r.csv")
    assert [entrant.name for entrant in intake.entrants] == ["ann", "bob"]
    assert intake.as_listed
    assert dict(intake.entrants[0].fields)["attempt"] == "3 of 3"
    every = take_in([tmp_path / "hw"], tmp_path / "copies", tmp_path / "r.csv", attempts=Attempts(all_play=True))
    assert [(one.name, one.students) for one in (*every.entrants, *every.refused)] == [
        ("Ann.2", ("Ann",)), ("Ann.3", ("Ann",)), ("bob", ("bob",)), ("Ann", ("Ann",)),
    ]  # fmt: skip
