"""The ledger: what comes back, and that nothing of it can be changed or lost unnoticed."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tournament.courses.ledgers import (
    ABSENT,
    Inspection,
    Mark,
    Published,
    Sight,
    add_to_ledger,
    key_digest,
    last_of,
    rankings_of,
    read_entries,
    read_ledger,
)
from tournament.errors import BadCourseError
from tournament.results.histories import Place

MARK = Mark("ann", "ann.2", "3f2a", "82.5", "100", 400)
FIRST = Published(datetime(2026, 10, 2, tzinfo=UTC), "first", "first.db", 3, "51b0", "Due", True, (MARK,))
PLACE = Place("ann", "3f2a", 1, 1510.5, 1480.0, 1541.0)
RANKING = Published(datetime(2026, 10, 3, tzinfo=UTC), "cup", "cup.db", 1, "77aa", "", False, (), (PLACE,))
WHAT = [FIRST, RANKING, replace(FIRST, run=4, marks=(replace(MARK, points="80", refused="no 'é'"),))]


@pytest.fixture
def path(tmp_path):
    for one in WHAT:
        add_to_ledger(tmp_path / "published.jsonl", one)
    return tmp_path / "published.jsonl"


def test_what_was_added_comes_back_in_order(path, tmp_path):
    assert read_ledger(path) == WHAT
    assert read_ledger(tmp_path / "nothing") == []
    assert last_of(read_ledger(path), "first") == WHAT[2]
    assert last_of(read_ledger(path), "second") is None
    (ranking,) = rankings_of(read_ledger(path), "cup")
    assert (ranking.time, ranking.places) == (RANKING.time, RANKING.places)


def test_lines_are_only_added(path):
    before = path.read_bytes()
    add_to_ledger(path, FIRST)
    assert path.read_bytes().startswith(before)


def test_the_same_at_another_time_is_the_same():
    assert FIRST.says_as(replace(FIRST, time=RANKING.time, run=9))
    assert not FIRST.says_as(replace(FIRST, final=False))
    assert not FIRST.says_as(WHAT[2])


def test_a_line_that_is_lost_or_changed_is_noticed_and_nothing_is_added(path):
    lines = path.read_bytes().splitlines(keepends=True)
    bad = [
        lines[1:], lines[:1] + lines[2:], [lines[0].replace(b"82.5", b"92.5"), *lines[1:]],
        [lines[0].replace(b'"82.5"', b"82.5"), *lines[1:]], [lines[0].replace(b'"run":3', b'"run":true'), *lines[1:]],
        [*lines, b"{}\n"], [*lines, b"\xff\n"], [*lines, b'{"before": 1}\n'], [lines[0][:-9], *lines[1:]], [b"[" * 100_000],
    ]  # fmt: skip
    for damaged in bad:
        path.write_bytes(b"".join(damaged))
        with pytest.raises(BadCourseError, match=r"published.jsonl, line \d: is damaged: expected what was written"):
            add_to_ledger(path, FIRST)
        assert path.read_bytes() == b"".join(damaged)


def test_a_key_is_named_and_not_told():
    assert key_digest(b"secret") != key_digest(b"secret2")
    assert b"secret".hex() not in key_digest(b"secret")


SEEN = Inspection(datetime(2026, 10, 2, tzinfo=UTC), "first", "", (
    Sight("ann", "ann.2", "3f2a", "2026-10-01T20:00:00+00:00", "my_player.py", "MyPlayer", "class"),
    Sight("bob", "bob", ABSENT, ""),
))  # fmt: skip
CONFIRMED = replace(SEEN, by="kim", sights=(replace(SEEN.sights[0], held=True),))


def test_what_was_seen_comes_back_among_what_was_published(path):
    add_to_ledger(path, SEEN, CONFIRMED)
    assert read_entries(path) == [*WHAT, SEEN, CONFIRMED]
    assert read_ledger(path) == WHAT
    text = path.read_text()
    for old, new in (("3f2a", "3f2b"), ('"by":""', '"by":"x"'), ('"by":"kim"', '"by":7'), ('T20:00:00+00:00"', 'T20:00:00"')):
        path.write_text(text[: text.index("sights") - 100] + text[text.index("sights") - 100 :].replace(old, new))
        with pytest.raises(BadCourseError, match=r"line [45]: is damaged"):
            read_entries(path)
