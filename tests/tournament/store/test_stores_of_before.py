"""Stores that the first program with version 2 has made are read, exported, verified and gone on with."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gojudge.records import Tier
from gojudge.sandbox.tiers import best_tier
from tests.support.courses import NOW
from tests.support.missing import skip_if
from tests.support.stores_of_before import COMMANDS, restore, words
from tournament.__main__ import main
from tournament.store.store import read_store
from tournament.store.stored_games import checksum

EVERY = [*COMMANDS, "engines"]
QUICK = {"late", "decided", "cup"}
USUAL = ("the seed makes chance public", "submissions play in", "engines play in", "grades are written to", "python3 -m")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, played_here):
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
    skip_if("engines played at T3, which does not work here" if name == "engines" and best_tier() < Tier.T3 else "")
    before = games(name)
    forget_a_game(name)
    assert len(games(name)) == len(before) - 1
    assert main(words(name)) == 0
    assert games(name) == before


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in EVERY])
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
    output = capsys.readouterr()
    # The first page, which says how things stand, is made anew.
    assert (output.out, output.err.count("\n")) == ("nothing is due\n", 1)
    assert output.err.startswith("the first page of the instructor edition is written to ")
    assert main(["course", "course.toml", "--trace=bob"]) == 0
    marks, ranks, seen = capsys.readouterr().out.splitlines()
    assert "12.5 of 42.5 points; 4 games in" in marks
    assert "rank 1" in ranks
    # What was seen before ledgers said so: what was there when it was published.
    assert seen.endswith(" first: seen bob, version 7921132cdd58, handed in 2026-10-02 10:00:00 -0700")


# What may be corrected, and what is another event: with a store as it was made before, and with one that has been gone on with

AGES = pytest.mark.parametrize("gone_on", [False, True], ids=["as it was", "gone on with"])


def edit(path, old, new):
    text = Path(path).read_text()
    assert text.count(old) == 1
    Path(path).write_text(text.replace(old, new))


@AGES
@pytest.mark.parametrize(
    ("name", "old", "new", "in_digest"),
    [
        ("own", '"Our own"', '"Our very own"', True),
        ("own", "seconds = 60", "seconds = 61", True),
        ("own", "stage = 2", "stage = 1", False),
        ("late", "cut_off = 2026-10-05", "cut_off = 2026-10-06", False),
    ],
)
def test_wording_may_be_corrected(name, old, new, in_digest, gone_on, capsys):
    if gone_on:
        assert main(words(name)) == 0
    edit(f"{name}.toml", old, new)
    capsys.readouterr()
    assert main(words(name)) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if not line.startswith(USUAL)]
    number = len(games(name))
    # Of a file that has only a digest nobody can tell what has changed.
    said = f"{name}.db: the rubric has changed: not known in what, for only a digest was kept; games stay, and marks are by the"
    assert told == [
        *([f"{said} rubric as it is now"] if in_digest and not gone_on else []),
        f"{number} of {number} games are saved in {name}.db, 0 played now",
    ]


@AGES
def test_corrected_points_give_other_marks_by_the_same_games_and_a_line_says_so(gone_on, capsys):
    if gone_on:
        assert main(words("own")) == 0
    before = games("own")
    edit("own.toml", "points = 12.5", "points = 15")
    capsys.readouterr()
    what = "taker, from 0 % (12.5 there, 15 here)" if gone_on else "not known in what, for only a digest was kept"
    line = f"own.db: the rubric has changed: {what}; games stay, and marks are by the rubric as it is now"
    assert main(["standings", "own.db", "--follow"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == line
    for command in (["standings", "own.db"], ["report", "own.db"], words("own")):
        assert main(command) == 0
        assert line in capsys.readouterr().err.splitlines()
    assert games("own") == before
    # It is said once to who goes on, for then these are its points.
    assert main(words("own")) == 0
    assert "has changed" not in capsys.readouterr().err


OTHER = [
    ("own", "own.toml", 'player = "greedy"', 'player = "smart"', "opponent taker (greedy there, smart here)"),
    ("own", "own.toml", 'name = "taker"', 'name = "greedy"',
     "references (ours, random, taker there, greedy, ours, random here)"),
    ("own", "own.toml", "games = 2", "games = 4", "games (2 there, 4 here)"),
    ("own", "own.toml", "size = 3", "size = 4", "size (3 there, 4 here)"),
    ("engines", "engines.toml", "games = 2", "games = 3", "games (2 there, 3 here)"),
    ("engines", "engines.toml", 'rules = "tromp-taylor"', 'rules = "aga"', "rules (tromp-taylor-strict there, aga here)"),
]  # fmt: skip


@AGES
@pytest.mark.parametrize(("name", "path", "old", "new", "what"), OTHER)
def test_what_decides_results_is_another_event_and_named(name, path, old, new, what, gone_on, capsys):
    if gone_on:
        assert main(words(name)) == 0
    before = games(name)
    edit(path, old, new)
    capsys.readouterr()
    assert main(words(name)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{name}.db: holds another event, '{name}': {what}; give it another --name" in line
    assert games(name) == before


def test_another_file_of_a_reference_player_is_another_event(capsys):
    # A file of before does not say what it held.
    assert main(words("own")) == 0
    for path in ("own_player.py", "own_helper.py"):
        text = Path(path).read_text()
        Path(path).write_text(text + "# changed\n")
        capsys.readouterr()
        assert main(words("own")) == 2
        assert "opponent ours (own_player.py with sources " in capsys.readouterr().err
        Path(path).write_text(text)
    Path("moved").mkdir()
    for path in ("own.toml", "own_player.py", "own_helper.py"):
        Path(path).rename(f"moved/{path}")
    assert main([word.replace("own.toml", "moved/own.toml") for word in words("own")]) == 0
    assert main(["standings", "own.db"]) == 0


def test_bands_that_end_games_decide(capsys):
    assert main(words("decided")) == 0
    edit("little.toml", "from = 0.9", "from = 0.8")
    capsys.readouterr()
    assert main(words("decided")) == 2
    assert "bands of random (from 90 %, from 50 %, from 0 % there, from 80 %, " in capsys.readouterr().err
    assert main(words("little")) == 0


def test_a_rubric_may_be_added_to_a_round_robin_and_taken_from_it(capsys):
    assert main(words("cup")) == 0
    before = games("cup")
    for rubric, said in (("", "ranks to 2 (20 there, none here)"), ("2019-second", "ranks to 2 (none there, 20 here)")):
        capsys.readouterr()
        assert main([*words("cup"), f"--rubric={rubric}"]) == 0
        assert said in capsys.readouterr().err
    assert games("cup") == before


def test_what_is_kept_of_a_rubric_by_a_later_version_is_not_guessed_at(capsys):
    assert main(words("pair")) == 0
    with closing(sqlite3.connect("pair.db")) as db, db:
        name, text = db.execute("SELECT name, text FROM events").fetchone()
        row = (name, "", '{"version":2}', text, bytes(32))
        db.execute("UPDATE events SET hash = ?, rubric = ?, key = ?, checksum = ?", (row[1], row[2], row[4], checksum(row)))
    capsys.readouterr()
    assert main(["standings", "pair.db"]) == 2
    assert "pair.db: expected a rubric as version 1 keeps it, found version 2's: read it" in capsys.readouterr().err
