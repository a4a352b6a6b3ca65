"""Whatever lies at the top, `qlearner` and `championship` play by the project's own player, or say in one line why not."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import go_play
from go import GO
from goban.rulesets import LITTLEGO
from players import shipped_player
from players.errors import BadPlayerError
from players.registry import check_game, make_player
from players.shipped_player import SHIPPED, ShippedPlayer, shipped_files
from tournament.__main__ import main

ROOT = Path(__file__).parents[2]
NAMES = ("my_player.py", "my_player_search.py", "my_player_table.py", "my_player_table.bin")
# What `go_play.py` needs of a clone.
NEEDED = ("goban", "players", "go.py", "go_play.py")
OF_A_STUDENT = "class MyPlayer:\n    def get_input(self, go, piece_type):\n        raise RuntimeError('not finished')\n"


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """Copies to be damaged."""
    folder = tmp_path / "shipped"
    shutil.copytree(ROOT / "players/shipped", folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(shipped_player, "_COPIES", folder)
    shipped_files.cache_clear()
    yield folder
    shipped_files.cache_clear()


@pytest.mark.parametrize("name", NAMES)
def test_the_copies_are_the_files_at_the_top(name):
    """After a change of those: `make shipped`."""
    assert (ROOT / "players/shipped" / name).read_bytes() == (ROOT / name).read_bytes()
    assert shipped_files()[name] == ROOT / "players/shipped" / name


def test_it_plays_as_my_does():
    go = GO(5, LITTLEGO)
    go.play(make_player("random", random.Random(1)), make_player("random", random.Random(2)))
    state = go.record.start
    for move in go.record.moves[:12]:
        go.adopt_state(state)
        mine, shipped = (make_player(name, random.Random(3)).get_input(go, state.to_move) for name in ("my", SHIPPED))
        assert mine == shipped
        state = state.after(move)


@pytest.mark.parametrize("player", ["qlearner", "championship"])
def test_a_student_s_own_player_at_the_top_changes_no_reference_player(tmp_path, player):
    """Without packages, so that `championship` has no solver and asks the project's player for every move."""
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("compiled-*"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "my_player.py").write_text(OF_A_STUDENT)
    (tmp_path / "my_player_table.bin").write_bytes(b"mine")
    command = [sys.executable, "-S", "go_play.py", f"-p1={player}", "-p2=random", "-t=4", "--seed", "1"]
    said = [subprocess.run(command, cwd=place, capture_output=True, text=True, check=True) for place in (ROOT, tmp_path)]
    assert said[0].stdout == said[1].stdout
    assert (said[1].stdout.count("\n"), said[1].stderr) == (2, "")


def spoil(copies):
    (copies / "my_player_table.bin").write_bytes(b"retrained")
    return "my_player_table.bin: expected the project's own, SHA-256 92b77175237"


def overwrite(copies):
    (copies / "my_player.py").write_text(OF_A_STUDENT)
    return "my_player.py: expected the project's own, SHA-256 "


def remove(copies):
    (copies / "my_player_table.bin").unlink()
    return "my_player_table.bin: the project's own copy cannot be read: No such file or directory"


@pytest.mark.parametrize("player", ["qlearner", "championship"])
@pytest.mark.parametrize("damage", [spoil, overwrite, remove])
def test_copies_that_are_not_the_project_s_are_one_line_before_any_game(copies, capsys, tmp_path, monkeypatch, damage, player):
    line = damage(copies)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadPlayerError, match="player"):
        make_player(player, random.Random(1))
    gauntlet = ["gauntlet", "random", player, "--rules", "littlego"]
    for command in (lambda: go_play.main([f"-p1={player}"]), lambda: main(gauntlet)):
        try:
            status = command()
        except SystemExit as end:
            status = end.code
        errors = capsys.readouterr().err
        assert (status, errors.count("\n")) == (2, 1), errors
        assert line in errors
    check_game("my", LITTLEGO, 5)


def test_line_ends_of_windows_are_no_damage(copies):
    source = (copies / "my_player.py").read_bytes()
    (copies / "my_player.py").write_bytes(source.replace(b"\n", b"\r\n"))
    assert shipped_files()["my_player.py"] == copies / "my_player.py"


def test_another_table_may_be_tried(tmp_path, capsys):
    player = ShippedPlayer(tmp_path / "none.bin")
    assert "none.bin" in capsys.readouterr().err
    assert player.get_input(GO(5), 1) is not None
