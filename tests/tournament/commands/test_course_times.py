"""A course trusts no time that contents contradict: what comes too late for its time is held, and nobody else waits for it."""

from pathlib import Path

import pytest

from tests.support.courses import (
    COURSE,
    RUBRIC,
    course,
    hand_in,
    play_with_stubs,
    replace_unnoticed,
    say_when,
    tree,
    write_course,
)
from tests.support.sources import CORNER, FIRST_LEGAL
from tests.support.stores_of_before import restore
from tournament.courses.ledgers import Inspection, read_entries, read_ledger

pytestmark = pytest.mark.slow

LATER = "2026-11-20 08:00"
CUT = 'cut_off = 2026-10-05T23:59:59, attempts = "best"'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)


@pytest.fixture
def handed_in(tmp_path):
    """A course whose first look was before its due date."""
    write_course(tmp_path, COURSE.replace('attempts = "best"', CUT))
    assert course(now="2026-10-01 12:00") == 0


def marks():
    """Name -> what was published last: points, version and why it was refused."""
    last = [one for one in read_ledger(Path("kept/published.jsonl")) if one.stage == "first"][-1]
    return {mark.name: (mark.points, mark.version, mark.refused) for mark in last.marks}


def held(capsys):
    return [line for line in capsys.readouterr().err.splitlines() if " is held: " in line]


def test_a_file_replaced_after_the_cut_off_is_held_and_its_mark_stays(handed_in, capsys):
    before = marks()
    replace_unnoticed(Path(), "ann", CORNER)
    capsys.readouterr()
    for _ in range(2):
        assert course(now=LATER) == 1
        assert held(capsys) == [
            "first: ann is held: its contents were seen first 2026-11-20 08:00:00 -0800 and stand under the time "
            "2026-10-01 10:00:00 -0700, under which there was something else 2026-10-01 12:00:00 -0700; what was handed in by "
            "then counts on until --confirm ann, or another time in the roster"
        ]  # fmt: skip
        assert marks() == before
    # In the ladder there is no time to be late for: there the last one plays.
    assert "ladder" in {one.stage for one in read_ledger(Path("kept/published.jsonl"))}


def test_the_others_are_graded_as_always(handed_in, capsys):
    before = marks()
    replace_unnoticed(Path(), "ann", CORNER)
    hand_in(Path(), "cy")
    say_when(Path(), "cy", "11:00")
    Path("class.csv").write_text(Path("class.csv").read_text() + "dee,dee,2026-10-01 10:00\n")
    hand_in(Path(), "dee")
    assert course(now="2026-10-05 12:00") == 1
    assert marks()["ann"] == before["ann"]
    assert {name: points for name, (points, _, _) in marks().items() if name != "ann"} == {"bob": "40", "cy": "50", "dee": "50"}
    assert "seen first only now, after they were due; the times in the roster count: cy, dee" in capsys.readouterr().err


def test_somebody_confirms_it_and_the_ledger_says_who(handed_in, capsys, monkeypatch):
    before = marks()
    replace_unnoticed(Path(), "ann", CORNER)
    assert course(now=LATER) == 1
    monkeypatch.setattr("getpass.getuser", lambda: "kim\x1b[2J")
    capsys.readouterr()
    assert course("--confirm=ann", now="2026-11-20 09:00") == 0
    output = capsys.readouterr()
    assert output.out.splitlines()[0] == r"first: ann is confirmed by kim\x1b[2J"
    assert "first: play 2 games (handed in anew: ann)" in output.out
    assert marks()["ann"][1] != before["ann"][1]
    assert course("--trace=ann", now=LATER) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if " first: " in line]
    old, new = before["ann"][1][:12], marks()["ann"][1][:12]
    under = "handed in 2026-10-01 10:00:00 -0700"
    assert lines[0] == f"2026-10-01 12:00:00 -0700 first: seen ann, version {old}, {under}"
    assert "50 of 50 points" in lines[1]
    assert lines[2:4] == [
        f"2026-11-20 08:00:00 -0800 first: seen ann, version {new}, {under}: held, for something else was there before",
        rf"2026-11-20 09:00:00 -0800 first: confirmed by kim\x1b[2J: ann, version {new}, {under}",
    ]
    assert new in lines[4]
    before = tree()
    assert course(now="2026-11-21 09:00") == 0
    assert tree() == before


def test_another_time_in_the_roster_ends_it_too(handed_in):
    replace_unnoticed(Path(), "bob", CORNER)
    assert course(now="2026-10-04 08:00") == 1
    say_when(Path(), "bob", "20:00")
    assert course(now="2026-10-04 09:00") == 0


def test_what_is_put_back_counts_on(handed_in, capsys):
    before = marks()
    replace_unnoticed(Path(), "ann", CORNER)
    assert course(now=LATER) == 1
    hand_in(Path(), "ann")
    capsys.readouterr()
    assert course(now="2026-11-21 08:00") == 0
    assert held(capsys) == []
    assert marks() == before


def test_what_is_mended_or_broken_or_comes_too_late_is_held(handed_in, capsys):
    before = marks()
    Path("class.csv").write_text(Path("class.csv").read_text() + "eve,eve,2026-10-01 10:00\n")
    assert course(now="2026-10-04 08:00") == 0
    replace_unnoticed(Path(), "cy", FIRST_LEGAL)
    replace_unnoticed(Path(), "ann", "(\n")
    replace_unnoticed(Path(), "eve", FIRST_LEGAL)
    capsys.readouterr()
    assert course(now=LATER) == 1
    assert [line.split()[1] for line in held(capsys)] == ["ann", "cy", "eve"]
    why = "what lies there was seen first 2026-11-20 08:00:00 -0800, too late for its time, and is held"
    assert marks() == before | {"cy": ("0", "", why), "eve": ("0", "", why)}
    assert course("--confirm=cy", "--confirm=eve", now="2026-11-20 09:00") == 1
    assert {name: points for name, (points, _, _) in marks().items()} == {"ann": "50", "bob": "40", "cy": "50", "eve": "50"}


def test_a_file_that_is_gone_is_not_handed_in(handed_in):
    Path("first/ann.py").unlink()
    assert course(now=LATER) == 0
    assert marks()["ann"] == ("0", "", "expected a file or folder, found none")


def test_what_was_fetched_after_it_was_due_counts_as_the_roster_says(tmp_path, capsys):
    write_course(tmp_path, COURSE.replace('attempts = "best"', CUT))
    assert course(now=LATER) == 0
    line = "first: seen first only now, after they were due; the times in the roster count: ann, bob"
    assert line in capsys.readouterr().err.splitlines()
    assert [points for points, _, _ in marks().values()] == ["50", "40", "0"]
    assert course(now="2026-11-20 09:00") == 0
    assert line not in capsys.readouterr().err
    replace_unnoticed(tmp_path, "ann", CORNER)
    assert course(now="2026-11-20 10:00") == 1


def test_a_dry_run_names_who_is_held_and_writes_nothing(handed_in, capsys):
    replace_unnoticed(Path(), "ann", CORNER)
    before = tree()
    capsys.readouterr()
    assert course("--dry-run", now=LATER) == 0
    output = capsys.readouterr()
    assert "first: ann is held: " in output.err
    assert "first: would" not in output.out
    assert tree() == before


def test_only_who_is_held_can_be_confirmed(handed_in, capsys):
    for held_now, those in ((False, "nobody is"), (True, "ann")):
        if held_now:
            replace_unnoticed(Path(), "ann", CORNER)
        capsys.readouterr()
        assert course("--confirm=bob", now=LATER) == 2
        assert capsys.readouterr().err.splitlines()[-1] == (
            f"course: --confirm: expected somebody who is held ({those}), got 'bob'"
        )
    assert course("--confirm=ann", "--dry-run", now=LATER) == 2
    assert not any(one.by for one in read_entries(Path("kept/published.jsonl")) if isinstance(one, Inspection))


def test_with_a_ledger_of_before_it_is_noticed_too(tmp_path, capsys):
    restore(tmp_path)
    before = marks()
    replace_unnoticed(Path(), "bob", FIRST_LEGAL + "# better\n")
    assert course(now=LATER) == 1
    assert [line.split()[1] for line in held(capsys)] == ["bob"]
    assert marks() == before
    looks = [one for one in read_entries(Path("kept/published.jsonl")) if isinstance(one, Inspection)]
    assert [f"{one.time:%m-%d}" for one in looks] == ["10-03", "11-20"]


# A rubric that is corrected


def test_corrected_points_are_published_by_the_same_games_and_told(handed_in, capsys):
    Path("tiny.toml").write_text(RUBRIC.replace("points = 50", "points = 60"))
    capsys.readouterr()
    assert course(now="2026-10-01 13:00") == 0
    output = capsys.readouterr()
    assert "first: play" not in output.out
    assert "first.db: the rubric has changed: random, from 0 % (50 there, 60 here); games stay, and marks" in output.err
    assert {name: points for name, (points, _, _) in marks().items()} == {"ann": "60", "bob": "50", "cy": "0"}
    assert course(now="2026-10-01 13:00") == 0
    assert capsys.readouterr() == ("nothing is due\n", "")


def test_a_corrected_title_is_shown_and_nothing_is_played_or_published(handed_in, capsys):
    Path("tiny.toml").write_text(RUBRIC.replace('"Tiny"', '"Very small"'))
    published = len(read_ledger(Path("kept/published.jsonl")))
    capsys.readouterr()
    assert course(now="2026-10-01 13:00") == 0
    assert "play" not in capsys.readouterr().out
    assert len(read_ledger(Path("kept/published.jsonl"))) == published
    assert "Very small" in Path("pages/instructor/first/index.html").read_text()
    assert course(now="2026-10-01 13:00") == 0
    assert capsys.readouterr().out == "nothing is due\n"


def test_other_opponents_are_another_homework(handed_in, capsys):
    Path("tiny.toml").write_text(RUBRIC.replace('name = "random"', 'name = "random"\nplayer = "greedy"'))
    capsys.readouterr()
    assert course(now="2026-10-01 13:00") == 2
    assert "first.db holds, got another: opponent random (random there, greedy here); set it back" in capsys.readouterr().err
