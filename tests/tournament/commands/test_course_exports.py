"""A class of eight, graded from what four course systems hand out of it: the same marks as from a plain folder."""

import csv
from pathlib import Path

import pytest

from tests.support.event_files import SMALL_RUBRIC
from tests.support.exports import ROSTERS, SYSTEMS, own_roster, plain, zipped
from tests.support.missing import no_program, skip_if
from tournament.__main__ import main

pytestmark = pytest.mark.slow

DEADLINE = "\n[deadline]\ndue = 2026-10-01T23:59:59\nzone = 'UTC'\npoints_per_day = 3\n"


@pytest.fixture
def folder(tmp_path, monkeypatch, played_here):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL_RUBRIC)
    Path("late.toml").write_text(SMALL_RUBRIC + DEADLINE)
    Path("class.csv").write_text(own_roster())
    return tmp_path


def marks(source, name, *options, rubric="small.toml", status=1):
    given = ["grade", str(source), f"--name={name}", f"--rubric={rubric}", "--seed=1", "--move-seconds=5", *options]
    assert main(given) == status
    with open(f"{name}.grades/grades.csv", newline="") as file:
        return {line["name"]: line for line in csv.DictReader(file)}


def points(found):
    return {name: line["points"] for name, line in found.items()}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The points of a plain folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("plain"))
        plain(Path("plain").absolute())
        Path("small.toml").write_text(SMALL_RUBRIC)
        # What is typed today: a line for each, with the name of the folder.
        head, *lines = own_roster().splitlines()
        Path("typed.csv").write_text("\n".join([f"submission,{head}", *(f"{line.split(',')[0]},{line}" for line in lines)]))
        found = points(marks("plain", "plain", "--roster=typed.csv"))
    assert sum(float(text) > 0 for text in found.values()) >= 1
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_marks_are_those_of_the_plain_folder(system, wanted, folder, capsys):
    skip_if(no_program("git") if system == "github" else "")
    SYSTEMS[system](folder / "hw2")
    capsys.readouterr()
    assert points(marks("hw2", "one", "--roster=class.csv")) == wanted
    told = capsys.readouterr().err
    assert told.count("is an export of") == 1
    assert "unlisted" not in told
    assert points(marks(zipped(folder / "hw2", "hw2.zip"), "two", "--roster=class.csv")) == wanted


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_roster_line_is_typed(system, folder):
    """Also as an event file names what was handed in, and the system's own list of the class."""
    skip_if(no_program("git") if system == "github" else "")
    SYSTEMS[system](folder / "hw2")
    assert len(marks("hw2", "none")) == 8
    Path("list.csv").write_text(ROSTERS[system]())
    Path("event.toml").write_text('kind = "grade"\nsubmissions = "hw2"\nroster = "list.csv"\nrubric = "small.toml"\nseed = 1\n')
    assert main(["grade", "--event=event.toml", "--name=event"]) == 1
    # GitHub's lists have no e-mails; of two whom Moodle calls alike it is not known which is which.
    status = {"github": 2, "moodle": 1}.get(system, 0)
    assert main(["export", "event.db", "canvas" if system == "canvas" else "moodle"]) == status


def test_days_late_are_those_of_the_systems_times(folder, capsys):
    SYSTEMS["gradescope"](folder / "hw2")
    found = marks("hw2", "times", rubric="late.toml")
    late = {name: line["late"] for name, line in found.items() if line["late"] != "in time"}
    assert late == {"Ann_Lee_s102": "1 day late", "Cai_Zed": "2 days late"}
    before, after = (float(found["Cai_Zed"][column]) for column in ("before_penalty", "points"))
    assert after == max(0, before - 6)
    assert "2 handed in more than once: the last attempt plays" in capsys.readouterr().err


def test_canvas_says_who_was_late_and_not_how_late(folder, capsys):
    SYSTEMS["canvas"](folder / "hw2")
    found = marks("hw2", "marked", rubric="late.toml")
    late = {name: line["late"] for name, line in found.items() if line["late"] != "in time"}
    assert late == {"leeann_102": "late, time unknown", "zedcai": "late, time unknown"}
    assert "zedcai: it was late, and nobody says how late: it counts as in time" in capsys.readouterr().out


def test_without_any_time_a_deadline_is_one_line(folder, capsys):
    SYSTEMS["moodle"](folder / "hw2")
    assert main(["grade", "hw2", "--rubric=late.toml", "--name=x"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "grade: deadline: expected a roster with a column submitted, got none"
