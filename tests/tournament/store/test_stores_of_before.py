"""Stores that the first program with version 2 has made are read, exported, verified and gone on with."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.courses import NOW
from tests.support.stores_of_before import COMMANDS, restore, words
from tournament.__main__ import main
from tournament.store.store import read_store

EVERY = [*COMMANDS, "engines"]
USUAL = ("the seed makes chance public", "submissions play in", "engines play in", "grades are written to", "python3 -m")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    restore(tmp_path)


def games(name):
    with read_store(Path(f"{name}.db")) as store:
        found = list(store.results())
    return {one.spec.id: (one.spec, one.winner, [turn.move for turn in one.turns]) for one in found}


def forget_a_game(name):
    """Take the last game out of a store, as if the run had been stopped before it."""
    with closing(sqlite3.connect(f"{name}.db")) as db, db:
        db.execute("DELETE FROM games WHERE game = (SELECT max(game) FROM games)")


@pytest.mark.parametrize("name", EVERY)
def test_it_is_gone_on_with_without_a_word(name, capsys):
    before = games(name)
    for _ in range(2):
        assert main(words(name)) == 0
        (last,) = (line for line in capsys.readouterr().err.splitlines() if not line.startswith(USUAL))
        assert last == f"{len(before)} of {len(before)} games are saved in {name}.db, 0 played now"
    assert games(name) == before


@pytest.mark.parametrize("name", ["own", "cup", "little", "engines"])
def test_a_game_that_is_missing_comes_out_as_it_would_have(name):
    before = games(name)
    forget_a_game(name)
    assert len(games(name)) == len(before) - 1
    assert main(words(name)) == 0
    assert games(name) == before


@pytest.mark.parametrize("name", EVERY)
def test_it_is_read_exported_and_verified(name, capsys):
    for form in ("csv", "json", "sgf", *(["moodle"] if name == "late" else [])):
        assert main(["export", f"{name}.db", form, "--out", f"out.{form}"]) == 0
    assert main(["standings", f"{name}.db"]) == 0
    assert main(["report", f"{name}.db"]) == 0
    # Copies of what was handed in, and the engine where it lies now.
    assert main(words(name)) == 0
    capsys.readouterr()
    assert main(["verify", f"{name}.db", "--jobs=1"]) == 0
    number = len(games(name))
    assert capsys.readouterr().out == f"{number} of {number} games came out the same\n"


def test_a_course_goes_on_with_its_ledger(capsys):
    # The pages themselves are not kept.
    for page in ("instructor/first/index.html", "instructor/ladder/index.html", "instructor/index.html"):
        Path("pages", page).parent.mkdir(parents=True, exist_ok=True)
        Path("pages", page).touch()
    assert main(["course", "course.toml", f"--now={NOW}"]) == 0
    assert capsys.readouterr() == ("nothing is due\n", "")
    assert main(["course", "course.toml", "--trace=bob"]) == 0
    marks, ranks = capsys.readouterr().out.splitlines()
    assert "12.5 of 42.5 points; 4 games in" in marks
    assert "rank 1" in ranks
