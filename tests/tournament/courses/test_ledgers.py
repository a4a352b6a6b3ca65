"""The ledger: what comes back, and that nothing of it can be changed or lost unnoticed.

Which times contents contradict, drawn as a term's story: what lay there and under which time, look by look.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.steps import grows_alone
from tournament.courses.ledgers import (
    ABSENT,
    UNREADABLE,
    Inspection,
    Mark,
    Published,
    Sight,
    add_to_ledger,
    confirm_sightings,
    judge_sightings,
    key_digest,
    last_of,
    rankings_of,
    read_entries,
    read_ledger,
)
from tournament.errors import BadCourseError
from tournament.results.deadlines import days_late
from tournament.results.ratings import Place
from tournament.results.rubrics import Deadline, OwnDates

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


DUE = datetime(2026, 10, 1, 23, 59, 59, tzinfo=UTC)
DEADLINE = Deadline(DUE, UTC, timedelta(minutes=10), cut_off=datetime(2026, 10, 5, 23, 59, 59, tzinfo=UTC))
IN_TIME = "1 21:35"


def moment(text):
    """'3 08:00' of the term's first month; days above 31 are of the next ones."""
    day, clock = text.split()
    hour, minute = clock.split(":")
    return datetime(2026, 10, 1, int(hour), int(minute), tzinfo=UTC) + timedelta(days=int(day) - 1)


def sight(version, stated, submission="gil"):
    text = moment(stated).isoformat() if stated else ""
    plays = ("my_player.py", "MyPlayer", "class") if version not in (ABSENT, UNREADABLE) else ("", "", "")
    return Sight("gil", submission, version, text, *plays)


def told(story, deadline=DEADLINE):
    """Read a story aloud: what counts at each look, and '!' where that is not what lies there.

    A line: when somebody looks | what lies there | the roster's time; 'confirm' instead of contents confirms what is held.
    """
    before, counted = [], []
    doubts = ()
    for line in story:
        now, version, stated = (part.strip() for part in line.split("|"))
        if version == "confirm":
            before.append(confirm_sightings("first", doubts, "kim", moment(now)))
            version = doubts[0].sight.version
        version = {"-": ABSENT, "broken": UNREADABLE}.get(version, version)
        found = judge_sightings("first", [sight(version, stated)], before, deadline, moment(now))
        doubts = found.doubts
        before += [found.news] if found.news is not None else []
        counted.append(f"{doubts[0].kept.version or '-'}!" if doubts else version or "-")
    return counted


def test_nothing_is_held_that_is_in_time_by_an_extension():
    story = ["1 08:00 | v1 | 1 07:35", "3 12:00 | v2 | 1 07:35", "5 12:00 | v3 | 1 07:35"]
    assert told(story) == ["v1", "v1!", "v1!"]
    until = OwnDates("gil", DUE + timedelta(days=2), DUE + timedelta(days=6))
    assert told(story, replace(DEADLINE, own=(until,))) == ["v1", "v2", "v2!"]


STORIES = {
    "seven weeks after the cut-off something else lies under the old time": (
        ["2 08:00 | v1 | 1 21:35", "50 08:00 | v2 | 1 21:35", "51 08:00 | v2 | 1 21:35"], ["v1", "v1!", "v1!"]
    ),
    "somebody confirms it": (
        ["2 08:00 | v1 | 1 21:35", "50 08:00 | v2 | 1 21:35", "50 09:00 | confirm | 1 21:35", "51 08:00 | v2 | 1 21:35"],
        ["v1", "v1!", "v2", "v2"],
    ),
    "what is confirmed is these contents and no others": (
        ["2 08:00 | v1 | 1 21:35", "50 08:00 | v2 | 1 21:35", "50 09:00 | confirm | 1 21:35", "51 08:00 | v3 | 1 21:35"],
        ["v1", "v1!", "v2", "v2!"],
    ),
    "the roster gives it a time": (
        ["2 08:00 | v1 | 1 21:35", "50 08:00 | v2 | 1 21:35", "51 08:00 | v2 | 49 10:00"], ["v1", "v1!", "v2"]
    ),
    "and takes it back": (
        ["2 08:00 | v1 | 1 21:35", "50 08:00 | v2 | 2 10:00", "51 08:00 | v2 | 1 21:35"], ["v1", "v2", "v1!"]
    ),
    "only the time changes": (["2 08:00 | v1 | 1 21:35", "50 08:00 | v1 | 2 21:35"], ["v1", "v1"]),
    "before it is due files come and go": (
        ["0 08:00 | v1 | 0 07:00", "0 09:00 | v2 | 0 07:00", "1 23:00 | v3 | 0 07:00", "50 08:00 | v3 | 0 07:00"],
        ["v1", "v2", "v3", "v3"],
    ),
    "within the grace": (["1 23:00 | v1 | 1 21:35", "2 00:09 | v2 | 1 21:35", "2 00:11 | v3 | 1 21:35"], ["v1", "v2", "v2!"]),
    "no later than it was anyhow": (["3 08:00 | v1 | 3 07:00", "3 09:00 | v2 | 3 07:00"], ["v1", "v2"]),
    "a day later": (["3 08:00 | v1 | 3 07:00", "4 08:00 | v2 | 3 07:00"], ["v1", "v1!"]),
    "all was fetched after the cut-off": (["50 08:00 | v1 | 1 21:35", "51 08:00 | v1 | 1 21:35"], ["v1", "v1"]),
    "and changed after that": (["50 08:00 | v1 | 1 21:35", "51 08:00 | v2 | 1 21:35"], ["v1", "v1!"]),
    "what was there comes back": (
        ["2 08:00 | v1 | 1 21:35", "50 08:00 | v2 | 1 21:35", "51 08:00 | v1 | 1 21:35", "52 08:00 | v2 | 1 21:35"],
        ["v1", "v1!", "v1", "v1!"],
    ),
    "a file is lost, and something else put there": (
        ["2 08:00 | v1 | 1 21:35", "49 08:00 | - | 1 21:35", "50 08:00 | v2 | 1 21:35", "51 08:00 | v1 | 1 21:35"],
        ["v1", "-", "v1!", "v1"],
    ),
    "a time without a file, which comes too late": (
        ["2 08:00 | - | 1 21:35", "50 08:00 | v1 | 1 21:35"], ["-", "-!"]
    ),
    "a time without a file, which comes in time": (["1 21:00 | - | 1 20:35", "1 21:15 | v1 | 1 20:35"], ["-", "v1"]),
    "what could not be read is mended too late": (
        ["2 08:00 | broken | 1 21:35", "50 08:00 | v1 | 1 21:35"], ["unreadable", "unreadable!"]
    ),
    "what could be read is broken later": (["2 08:00 | v1 | 1 21:35", "50 08:00 | broken | 1 21:35"], ["v1", "v1!"]),
    "nobody says when": (["0 08:00 | v1 |", "1 08:00 | v2 |", "50 08:00 | v3 |"], ["v1", "v2", "v2!"]),
    "the clock of this machine goes back": (["2 08:00 | v1 | 1 21:35", "0 08:00 | v2 | 1 21:35"], ["v1", "v2"]),
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
def test_stories_of_a_term(name):
    story, counted = STORIES[name]
    assert told(story) == counted


@pytest.mark.parametrize("name", STORIES)
def test_without_a_deadline_no_time_matters(name):
    story = [line for line in STORIES[name][0] if "confirm" not in line]
    assert not any("!" in one for one in told(story, None))


def test_who_is_seen_first_when_it_was_due_is_named_once():
    first = judge_sightings("first", [sight("v1", IN_TIME)], [], DEADLINE, moment("50 08:00"))
    assert (first.late, first.doubts) == (("gil",), ())
    again = judge_sightings("first", [sight("v1", "2 21:35")], [first.news], DEADLINE, moment("51 08:00"))
    assert (again.late, again.doubts) == ((), ())
    assert judge_sightings("first", [sight("v1", IN_TIME)], [], DEADLINE, moment("1 22:00")).late == ()
    assert judge_sightings("first", [sight(ABSENT, IN_TIME)], [], DEADLINE, moment("50 08:00")).late == ()


def test_only_what_is_new_is_written_down():
    looks = [judge_sightings("first", [sight("v1", IN_TIME)], [], DEADLINE, moment("2 08:00")).news]
    assert judge_sightings("first", [sight("v1", IN_TIME)], looks, DEADLINE, moment("3 08:00")).news is None
    held = judge_sightings("first", [sight("v2", IN_TIME)], looks, DEADLINE, moment("50 08:00"))
    assert [(one.version, one.held) for one in held.news.sights] == [("v2", True)]
    assert judge_sightings("first", [sight("v2", IN_TIME)], [*looks, held.news], DEADLINE, moment("51 08:00")).news is None


def test_of_several_attempts_each_keeps_what_lay_under_its_time():
    early, late = sight("v1", "1 20:00", "gil"), sight("v2", "4 20:00", "gil.2")
    looks = [judge_sightings("first", [early, late], [], DEADLINE, moment("4 21:00")).news]
    swapped = [sight("v2", "1 20:00", "gil"), sight("v1", "4 20:00", "gil.2")]
    found = judge_sightings("first", swapped, looks, DEADLINE, moment("4 22:00"))
    # The late one cannot have been there early; the early one may well be handed in again.
    assert [(doubt.sight.submission, doubt.kept.version) for doubt in found.doubts] == [("gil", "v1")]


def test_thousands_of_attempts_of_one_student_are_judged_one_by_one():
    def judging(size):
        attempts = [sight(f"v{number}", IN_TIME, f"gil.{number}") for number in range(size)]
        changed = [replace(one, version=f"{one.version}b") for one in attempts]
        looks = [judge_sightings("first", attempts, [], DEADLINE, moment("1 21:00")).news]
        return lambda: judge_sightings("first", changed, looks, DEADLINE, moment("3 08:00"))

    assert len(judging(10)().doubts) == 10
    assert grows_alone(judging, 200)


TIMES = st.integers(-48, 2000).map(lambda hours: DUE + timedelta(hours=hours))
VERSIONS = st.sampled_from(["v1", "v2", "v3", ABSENT, UNREADABLE])


STATED = st.sampled_from([None, DUE - timedelta(hours=2), DUE + timedelta(hours=20), DUE + timedelta(days=3)])
FILES = st.tuples(TIMES, VERSIONS, VERSIONS)


@given(STATED, STATED, st.lists(FILES, min_size=2))
def test_whatever_is_done_to_files_nothing_counts_that_came_too_late_for_its_time(one_time, other_time, looks):
    """But for what lay there at the first look: there was nobody who could say. One student has two attempts."""
    stated = {"gil": one_time, "gil.2": other_time}
    before, first_seen, first_look = [], {}, {}
    for now, *versions in sorted(looks, key=lambda look: look[0]):
        sights = [
            Sight("gil", name, version, stated[name].isoformat() if stated[name] else "")
            for name, version in zip(stated, versions, strict=True)
        ]
        for one in sights:
            first_seen.setdefault(one.version, now)
        first_look = first_look or {
            text: {one.version for one in sights if one.stated == text} for text in {one.stated for one in sights}
        }
        found = judge_sightings("first", sights, before, DEADLINE, now)
        before += [found.news] if found.news is not None else []
        kept = {doubt.sight.submission: doubt.kept.version for doubt in found.doubts}
        for one in sights:
            counts = kept.get(one.submission, one.version)
            if counts != ABSENT and counts not in first_look[one.stated]:
                days = days_late(DEADLINE, stated[one.submission]) if one.stated else 0
                assert days_late(DEADLINE, first_seen[counts]) <= days
                assert first_seen[counts] <= DEADLINE.cut_off
