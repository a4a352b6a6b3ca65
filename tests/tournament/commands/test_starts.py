"""How a run starts: what killed runs have left is removed, and the sandbox is as strong as when the event began."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from gojudge.intake.copies import PART
from gojudge.records import Tier
from gojudge.sandbox import tiers
from tests.support.missing import skip_if
from tests.support.stale_names import stale_name
from tournament.__main__ import main

PLAYER = "class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 'PASS'\n"
MATCH = ["gauntlet", "alice.py", "random", "--event=cup.toml"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch, played_here):
    monkeypatch.chdir(tmp_path)
    Path("alice.py").write_text(PLAYER)
    Path("cup.toml").write_text('name = "cup"\nsize = 3\ngames = 3\nrequire_tier = "T0"\n')


# What killed runs have left


@pytest.mark.parametrize("command", [
    ["gauntlet", "random", "greedy", "--size=3", "--games=2", "--jobs=1"],
    ["play", "random", "greedy", "--size=3"],
    ["check", "alice.py", "--no-games"],
])  # fmt: skip
def test_a_command_that_plays_first_removes_what_killed_ones_have_left(command, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(Path("temporary").absolute()))
    Path("temporary", stale_name(), "full").mkdir(parents=True)
    assert main(command) == 0
    assert list(Path("temporary").iterdir()) == []


def test_half_made_copies_of_submissions_are_removed():
    copies = Path("cup.submissions")
    (copies / stale_name(PART)).mkdir(parents=True)
    (copies / "bob-0123456789ab").mkdir()
    assert main([*MATCH, "--jobs=1"]) == 0
    assert sorted(path.name.split("-")[0] for path in copies.iterdir()) == ["alice", "bob"]


# The tier


def change_games(statement):
    with closing(sqlite3.connect("cup.db")) as db:
        db.execute(statement)
        db.commit()


@pytest.fixture
def begun(monkeypatch, capsys):
    """An event that was begun in a sandbox and has a game left, on a machine where today only T0 works; that is enough for it.

    Returns the tier at which it was begun.
    """
    begun = tiers.best_tier()
    skip_if("" if begun > Tier.T0 else "no sandbox works here")
    assert main([*MATCH, "--jobs=1"]) == 0
    change_games("UPDATE games SET superseded = 1 WHERE id LIKE '%-003'")
    monkeypatch.setattr(tiers, "best_tier", lambda: Tier.T0)
    capsys.readouterr()
    return begun


def test_a_run_does_not_go_on_at_a_weaker_tier_than_it_began(begun, capsys):
    assert main([*MATCH, "--jobs=1"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    wanted = f"its games so far were played at tier {begun}: submissions must be run at tier {begun}, but"
    assert said.startswith(f"gauntlet: cup.db: {wanted}")
    assert "name it with --require-tier" in said


def test_it_goes_on_when_it_is_told_so_and_remembers(begun, capsys):
    assert main([*MATCH, "--jobs=1", "--require-tier=T0"]) == 0
    assert "3 of 3 games" in capsys.readouterr().err
    change_games("UPDATE games SET superseded = 1 WHERE id LIKE '%-002'")
    assert main([*MATCH, "--jobs=1"]) == 0


def test_a_finished_event_needs_no_sandbox(begun):
    change_games("UPDATE games SET superseded = 0")
    assert main([*MATCH, "--jobs=1"]) == 0
