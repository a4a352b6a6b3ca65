"""A class in which one submission cannot be digested: the commands refuse it by name, and go on with the others."""

import csv

import pytest

from tests.support.deep_sources import player, with_elifs, with_table, with_terms
from tournament.__main__ import main
from tournament.results.grade_report import read_refusals
from tournament.store.store import read_store

pytestmark = pytest.mark.slow

REFUSAL = "bob.py: its source is nested too deeply to be read"
HONEST = {"ann": with_elifs(1500), "cy": with_terms(600), "dee": with_table(5000), "eve": player()}


@pytest.fixture
def hw(tmp_path, monkeypatch, played_here):
    """Four who are honest, three of them with sources that are deep or large, and one whose source nobody can read."""
    folder = tmp_path / "hw"
    folder.mkdir()
    for name, source in HONEST.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "bob.py").write_text("-" * 10_000 + "1")
    monkeypatch.chdir(tmp_path)
    return folder


def test_check_tries_all_that_can_be_read(hw, capsys):
    assert main(["check", str(hw)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines.pop(1) == f"bob: {REFUSAL}"
    assert [line.split(" (")[0] for line in lines[:4]] == [f"{name}: ok" for name in HONEST]
    assert lines[4].startswith("4 of 5 ok, tried at T")


def test_grade_gives_points_to_all_that_can_be_read(hw, capsys):
    assert main(["grade", str(hw), "--games=2", "--require-tier=T0", "--out=out"]) == 1
    assert f"bob: refused: {REFUSAL}" in capsys.readouterr().err
    with open("out/grades.csv", newline="") as file:
        assert {row["name"] for row in csv.DictReader(file)} == {*HONEST, "bob"}
    with read_store(hw.parent / "grade.db") as store:
        assert not any(row.termination.is_forfeit for row in store.rows())
    assert [(one.name, one.reason) for one in read_refusals(hw.parent / "grade.db")] == [("bob", REFUSAL)]
    main(["standings", "grade.db"])
    assert f"bob: {REFUSAL}" in capsys.readouterr().out


def test_a_round_robin_is_played_without_it(hw, capsys):
    assert main(["round-robin", str(hw), "--games=2", "--require-tier=T0", "--name=cup"]) in (0, 1)
    assert f"bob: refused: {REFUSAL}" in capsys.readouterr().err
    with read_store(hw.parent / "cup.db") as store:
        assert {name for row in store.rows() for name in (row.black, row.white)} == set(HONEST)


def test_a_player_whom_somebody_has_named_is_refused_in_one_line(hw, capsys):
    assert main(["gauntlet", "random", str(hw / "bob.py"), "--games=2", "--require-tier=T0", "--name=cup"]) == 2
    said = capsys.readouterr().err
    assert REFUSAL in said
    assert said.count("\n") == 1


def test_a_roster_that_cannot_be_read_is_one_line(hw, capsys):
    (hw / "roster.csv").write_text("name,submission\nann\n")
    assert main(["check", str(hw), "--roster", str(hw / "roster.csv")]) == 2
    line = "check: roster.csv, line 2: expected a file or folder as submission, got nothing\n"
    assert capsys.readouterr().err == line
