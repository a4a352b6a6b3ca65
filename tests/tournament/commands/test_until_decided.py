"""A grade with until_decided: games end once they decide the band, and a run that was stopped ends the same."""

import csv
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main
from tournament.store.store import read_store

RUBRIC = """title = "Two opponents"
rules = "course"
size = 3
games = 8

[[opponent]]
name = "random"
bands = [{ from = 0.6, points = 50 }, { from = 0, times_rate = 40 }]

[[opponent]]
name = "never"
player = "never.py"
bands = [{ from = 0.6, points = 50 }, { from = 0, points = 0 }]
"""
# It forfeits every game at once.
NEVER = "class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 9, 9\n"
GRADE = ["grade", "hw", "--rubric=two.toml", "--seed=1", "--require-tier=T0", "--jobs=1"]
DECIDED = [*GRADE, "--event=decided.toml"]
SAID = "up to 8 games per opponent, until they decide the band (error 20 %)"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder in which the grade was played, by its command line."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "hw").mkdir()
    (folder / "hw/ann.py").write_text(FIRST_LEGAL)
    (folder / "two.toml").write_text(RUBRIC)
    (folder / "never.py").write_text(NEVER)
    (folder / "decided.toml").write_text("until_decided = 0.2\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(DECIDED) == 0
    return folder


@pytest.fixture(autouse=True)
def here(played, tmp_path, monkeypatch, played_here):
    """A copy of that folder, in which each test works."""
    shutil.copytree(played, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")


def ids(path):
    with read_store(Path(path)) as store:
        return sorted(row.id for row in store.rows())


def moves(path):
    with read_store(Path(path)) as store:
        return {result.spec.id: [turn.move for turn in result.turns] for result in store.results()}


def test_games_end_once_they_decide():
    of_never = [id for id in ids("grade.db") if id.startswith("ann-never")]
    assert of_never == [f"ann-never-{number:03}" for number in range(1, 7)]
    (line,) = csv.DictReader(Path("grade.grades/grades.csv").read_text().splitlines())
    assert [line[f"never_{key}"] for key in ("points", "close", "band")] == ["50", "no", "from 60 %: 50"]
    assert line["complete"] == "yes"


@pytest.mark.parametrize("kept", [pytest.param(1, marks=pytest.mark.slow), 7])
def test_a_run_that_was_stopped_ends_the_same(kept, capsys):
    """As if it had been stopped after so many games."""
    main(["export", "grade.db", "json", "--out", "whole.json"])
    db = sqlite3.connect("grade.db")
    db.execute("DELETE FROM games WHERE rowid NOT IN (SELECT rowid FROM games ORDER BY rowid LIMIT ?)", (kept,))
    db.commit()
    db.close()
    before = ids("grade.db")
    assert main([*DECIDED, "--jobs=2"]) == 0
    every = len(ids("grade.db"))
    assert f"{every} of {every} games are saved in grade.db, {every - len(before)} played now" in capsys.readouterr().err
    main(["export", "grade.db", "json", "--out", "again.json"])
    assert Path("again.json").read_bytes() == Path("whole.json").read_bytes()


def test_the_games_are_those_of_a_grade_that_plays_all():
    assert main([*GRADE, "--name=all"]) == 0
    assert len(ids("all.db")) == 16
    assert moves("grade.db").items() < moves("all.db").items()


def test_pages_and_standings_say_what_was_asked(capsys):
    assert main(["standings", "grade.db"]) == 0
    assert SAID in capsys.readouterr().out
    assert main(["standings", "grade.db", "--follow"]) == 0
    assert f"{len(ids('grade.db'))} games, 6 forfeits" in capsys.readouterr().out
    assert main(["report", "grade.db", "--out", "site"]) == 0
    assert SAID in Path("site/index.html").read_text()
    assert "Open: how likely" in Path("site/player-ann.html").read_text()


BAD = [
    ("0.5", [], "until_decided: expected a number from 0 to 0.2, got 0.5"),
    ("0.0001", [], "until_decided: expected 0, or a number from 0.001 to 0.2, got 0.0001"),
    ('"soon"', [], "until_decided: expected a number from 0 to 0.2, got 'soon'"),
    ("0.2", ["--games=2000"], "until_decided: expected a grade of at most 1000 games per opponent, got 2000 games"),
]


@pytest.mark.parametrize(("value", "options", "line"), BAD)
def test_bad_input_is_one_line(value, options, line, capsys):
    Path("decided.toml").write_text(f"until_decided = {value}\n")
    assert main([*DECIDED, *options]) == 2
    assert capsys.readouterr().err == f"grade: decided.toml: {line}\n"


def test_only_a_grade_is_decided(capsys):
    Path("cup.toml").write_text('kind = "match"\nuntil_decided = 0.05\n')
    assert main(["gauntlet", "random", "greedy", "--event=cup.toml"]) == 2
    assert capsys.readouterr().err == (
        "gauntlet: cup.toml: until_decided: expected a grade of at most 1000 games per opponent, got a match\n"
    )


def test_an_event_that_plays_all_games_is_another(capsys):
    assert main(GRADE) == 2
    assert "holds another event, 'grade': until_decided (0.2 there, 0.0 here)" in capsys.readouterr().err
