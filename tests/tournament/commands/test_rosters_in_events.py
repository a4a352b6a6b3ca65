"""A roster's way through an event: nobody is lost, and its columns are in every export."""

import csv
import json
from pathlib import Path

import pytest

from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import main

GRADE = ["grade", "hw", "--roster=r.csv", "--games=2", "--seed=1", "--require-tier=T0"]


@pytest.fixture(autouse=True)
def hw(tmp_path, monkeypatch, played_here):
    """Of these only bob and gone are in the roster."""
    monkeypatch.chdir(tmp_path)
    Path("hw").mkdir()
    for name in ("ann", "bob"):
        Path(f"hw/{name}.py").write_text(FIRST_LEGAL)
    Path("r.csv").write_text("submission,students,email\nbob,Bob Ray,bob@example.org\ngone,,gone@example.org\n")


def table(path):
    return {line.get("name") or line["id"]: line for line in csv.DictReader(Path(path).read_text().splitlines())}


def test_a_grade_has_everybody_and_all_exports_have_the_rosters_columns(capsys):
    Path("three.toml").write_text("size = 3\n")
    assert main([*GRADE, "--event=three.toml"]) == 1
    err = capsys.readouterr().err
    assert "ann: unlisted: not in r.csv, and takes part all the same\n" in err
    assert "gone: refused: expected a file or folder, found none\n" in err
    found = table("grade.grades/grades.csv")
    assert {name: line["email"] for name, line in found.items()} == {
        "ann": "", "bob": "bob@example.org", "gone": "gone@example.org"
    }  # fmt: skip
    assert found["gone"]["refused"]
    assert main(["export", "grade.db", "csv"]) == main(["export", "grade.db", "json"]) == 0
    assert main(["standings", "grade.db", "--out", "ranking.csv"]) == 0
    games = table("grade.csv")
    assert (games["bob-random-001"]["black_email"], games["bob-random-001"]["white_email"]) == ("bob@example.org", "")
    assert table("ranking.csv")["bob"]["email"] == "bob@example.org"
    assert json.loads(Path("grade.json").read_text())["roster"] == {"bob": {"email": "bob@example.org"}}


def test_an_event_may_refuse_who_is_not_listed(capsys):
    Path("r.csv").write_text("submission\nbob\n")
    Path("hw2.toml").write_text("kind = 'grade'\nsubmissions = 'hw'\nroster = 'r.csv'\nonly_listed = true\nsize = 3\n")
    assert main(["grade", "--event=hw2.toml", *GRADE[3:]]) == 1
    output, err = capsys.readouterr()
    assert "ann: refused: not in r.csv, and only those listed take part\n" in err
    assert "ann: not in r.csv, and only those listed take part" in output
    Path("hw/ann.py").unlink()
    assert main(["grade", "--event=hw2.toml", *GRADE[3:]]) == 0
