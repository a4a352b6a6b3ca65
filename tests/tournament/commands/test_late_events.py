"""Late days and several attempts, from the roster to the pages, as an instructor types it."""

import csv
import json
import re
from pathlib import Path

import pytest

from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main
from tournament.application.classes import names_beside, nothing_left_if_refused

RUBRIC = """title = "Late"
rules = "course"
size = 3
games = 2
[[opponent]]
name = "random"
bands = [{ from = 0, points = 50 }]
[deadline]
due = 2026-10-01T23:59:59
zone = "America/Los_Angeles"
points_per_day = 5
attempts = "best"
"""
ROSTER = """submission,name,email,submitted,late_days
again.py,ann,ann@example.org,2026-10-03 10:00,
first.py,ann,ann@example.org,2026-10-01 10:00,
bob.py,bob,bob@example.org,2026-10-02T09:00:00Z,0
cy.py,cy,cy@example.org,2026-10-02T09:00:00Z,1
"""
GRADE = ["grade", "hw", "--roster=r.csv", "--rubric=late.toml", "--seed=1", "--require-tier=T0"]


@pytest.fixture(autouse=True)
def hw(tmp_path, monkeypatch, played_here):
    monkeypatch.chdir(tmp_path)
    Path("hw").mkdir()
    for name in ("again", "first", "bob", "cy"):
        Path(f"hw/{name}.py").write_text(FIRST_LEGAL)
    Path("r.csv").write_text(ROSTER)
    Path("late.toml").write_text(RUBRIC)


def table(path):
    return {line["name"]: line for line in csv.DictReader(Path(path).read_text().splitlines())}


def words(path):
    return " ".join(re.sub(r"<[^>]*>", " ", Path(path).read_text().partition("<main")[2].partition("<footer")[0]).split())


def test_from_the_roster_to_points_and_everybodys_page(capsys):
    assert main(GRADE) == 0
    output, err = capsys.readouterr()
    assert "1 handed in more than once: all attempts play\n" in err
    assert "bob: handed in 2026-10-02 02:00:00 -0700, 1 day late: 50 - 5 = 45 points\n" in output
    assert "cy: handed in 2026-10-02 02:00:00 -0700, 1 day late, free\n" in output
    assert "ann: attempt 1 of 2 counts; points: 1. 50, 2. 40 (50 before the penalty)\n" in output
    found = table("grade.grades/grades.csv")
    assert {name: (line["points"], line["before_penalty"]) for name, line in found.items()} == {
        "ann": ("50", "50"), "bob": ("45", "50"), "cy": ("50", "50")
    }  # fmt: skip
    about = json.loads(Path("grade.grades/grades.json").read_text())
    assert about["deadline"].startswith("Due 2026-10-01 23:59:59 -0700 (America/Los_Angeles); 5 points off for each late day; ")
    assert main(["standings", "grade.db"]) == main(["standings", "grade.db", "--follow"]) == 0
    assert capsys.readouterr().out.count("bob: handed in 2026-10-02 02:00:00 -0700, 1 day late: 50 - 5 = 45 points\n") == 2

    assert main(["report", "grade.db", "--edition=students"]) == 0
    mail = table("grade.students/mail.csv")
    assert {name: (line["points"], line["email"]) for name, line in mail.items()} == {
        "ann": ("50", "ann@example.org"), "bob": ("45", "bob@example.org"), "cy": ("50", "cy@example.org")
    }  # fmt: skip
    page = words("grade.students/bob.html")
    assert "Handed in 2026-10-02 02:00:00 -0700, 1 day late: 50 - 5 = 45 points." in page
    assert "1 2026-10-02 02:00:00 -0700 1 day late 50 5 45" in page
    assert "2 2026-10-03 10:00:00 -0700 2 days late 50 10 40" in words("grade.students/ann.html")


def test_others_see_no_times_and_no_penalties():
    main(GRADE)
    assert main(["report", "grade.db", "--edition=class"]) == 0
    assert "Points here are those before any penalty." in words("grade.site/index.html")
    for path in Path("grade.site").rglob("*"):
        if path.is_file() and path.suffix != ".js":
            assert not re.search(r"2026-10-0[13] 10:00|2026-10-02 0", path.read_text())
    assert {line["points"] for line in table("grade.site/grades.csv").values()} == {"50"}
    assert main(["report", "grade.db"]) == 0
    assert "1 day late" in words("grade.site/index.html")
    assert "Another attempt of the same student counts." in words("grade.site/player-ann.2.html")


def test_who_hands_in_again_keeps_the_games_of_the_first_attempt(capsys):
    Path("r.csv").write_text(ROSTER.replace("again.py,ann", "other.py,dee"))
    assert main(GRADE) == 1
    Path("r.csv").write_text(ROSTER)
    capsys.readouterr()
    assert main(GRADE) == 0
    assert "2 played now" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("roster", "said"),
    [
        ("submission,name\nfirst.py,ann\n", "r.csv: the rubric has a deadline: expected a column submitted, found none"),
        ("submission,name,submitted\nfirst.py,ann,Oct 1\n", "ann: submitted: expected a date and a time, as '2026-"),
        ("submission,name,submitted,late_days\nbob.py,bob,2026-10-01 10:00,x\n", "bob: late_days: expected a whole number"),
    ],
)
def test_times_are_read_before_any_game(roster, said, capsys):
    Path("r.csv").write_text(roster)
    assert main(GRADE) == 2
    err = capsys.readouterr().err.splitlines()
    assert said in err[-1]
    assert not Path("grade.db").exists()


def test_of_a_command_that_is_refused_nothing_is_left_but_what_was_there_before(tmp_path):
    old, names = tmp_path / "old.db", names_beside(tmp_path / "cup.db")
    old.touch()
    with pytest.raises(FileExistsError), nothing_left_if_refused(tmp_path / "cup.db"):
        [path.touch(exist_ok=False) for path in (names, old)]
    assert [*tmp_path.glob("*.db*")] == [old]


def test_a_deadline_needs_a_roster(capsys):
    assert main([one for one in GRADE if "roster" not in one]) == 2
    assert capsys.readouterr().err.endswith("deadline: expected a roster with a column submitted, got none\n")


def test_a_time_that_is_missing_is_named_and_something_is_left(capsys):
    Path("r.csv").write_text(ROSTER.replace("2026-10-02T09:00:00Z,1", ",1"))
    assert main(GRADE) == 1
    assert "cy: nobody says when it was handed in: it counts as in time\n" in capsys.readouterr().out


def test_points_of_a_first_stage_are_those_that_count():
    from tournament.application.grades import read_points

    main(GRADE)
    assert read_points(Path("grade.db")) == {"ann": 50, "bob": 45, "cy": 50}


def test_in_a_round_robin_the_last_attempt_plays(capsys):
    command = ["round-robin", "hw", "--roster=r.csv", "--games=1", "--size=3", "--seed=1", "--require-tier=T0"]
    assert main(command) == 0
    err = capsys.readouterr().err
    assert "1 handed in more than once: the last attempt plays\n" in err
    assert "3 of 3 games are saved" in err
    main(["standings", "round-robin.db"])
    assert re.findall(r"^ *\d  (\w+) ", capsys.readouterr().out, re.M).count("ann") == 1
