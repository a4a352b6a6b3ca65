"""go_play.py when something fails meanwhile: a player misbehaves, the user or the reader leaves, the disk is full."""

import os
import re
import signal

import pytest

from tests.support.go_play_runs import LEGAL, play, shares, start, write
from tests.support.sgf_files import mill_games, told
from tests.support.waiting import PATIENCE, wait_until

# Players that misbehave


FAULTS = [
    ("return 'C9'", "invalid answer: expected (row, column), got 'C9'"),
    ("return 7, 1", "expected a row and a column from 0 to 4, got (7, 1)"),
    ("return 1 / 0", "ZeroDivisionError: division by zero"),
    ("sys.exit(5)", "sys.exit()"),
    ("sys.stdout and sys.stdout.close(); sys.stdout = None; return None", "got None"),
]


@pytest.mark.parametrize(("body", "reason"), FAULTS)
def test_a_fault_loses_the_game_and_is_reported(body, reason, tmp_path):
    write(tmp_path, f"import sys\nclass MyPlayer:\n  def get_input(self, go, piece_type): {body}\n")
    status, out, err = play("-p1=random", "-p2=visitor.py", "-t=5", "--seed=1", cwd=tmp_path)
    assert (status, shares(out)[0]) == (0, [100, 0, 0])
    lines = err.splitlines()
    assert lines[0].startswith("game 1: white (visitor.py) forfeits at move 2: ")
    assert reason in lines[0]
    assert lines[3:] == ["... and 2 more forfeits"]


def test_an_occupied_point_forfeits_as_an_illegal_move(tmp_path):
    visitor = write(tmp_path, "class MyPlayer:\n  def get_input(self, go, piece_type): return [0, 0]\n")
    assert "illegal move A5: the point is occupied" in play("-p1", visitor, "--seed=1")[2]


def test_whatever_a_player_prints_the_result_lines_stand_alone(tmp_path):
    noisy = LEGAL.replace("points =", "print('\\u20ac' * 5000, end=''); points =")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    _, out, err = play("-p1", write(tmp_path, noisy), "--seed=1", env=environment)
    shares("".join(out.splitlines(keepends=True)[-2:]))
    assert err == ""


# Stopped


@pytest.mark.parametrize("player", ["random", "visitor.py"])
def test_ctrl_c_prints_the_percentages_and_keeps_every_complete_game(player, tmp_path):
    write(tmp_path, LEGAL)
    file = tmp_path / "games.sgf"
    process = start("-p1", player, "-t=1000000", "--seed=1", "--sgf", file, cwd=tmp_path)
    wait_until(lambda: file.exists() and file.stat().st_size > 2000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    stopped = re.fullmatch(r"stopped after (\d+) of 1000000 games\n", err)
    shares(out)
    assert process.returncode == 130
    assert len(mill_games(file.read_bytes())) == int(stopped[1]) > 0


def test_a_player_that_catches_ctrl_c_cannot_keep_it(tmp_path):
    catching = "global time\n        try: print('x', flush=True); time and time.sleep(60)\n        except: time = None\n"
    visitor = write(tmp_path, LEGAL.replace("points =", catching + "        points ="))
    process = start("-p1", visitor, "-t=1000000", "--seed=1")
    assert process.stdout.read(2) == "x\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "stopped after 1 of 1000000 games\n")
    shares("".join(out.splitlines(keepends=True)[-2:]))


@pytest.mark.parametrize("player", ["random", "visitor.py"])
def test_a_reader_who_leaves_stops_the_games_without_a_traceback(player, tmp_path):
    write(tmp_path, LEGAL.replace("points =", "print('x' * 1000); points ="))
    file = tmp_path / "games.sgf"
    process = start("--show", "-p1", player, "-t=100000", "--seed=1", "--sgf", file, cwd=tmp_path)
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(PATIENCE)
    assert re.fullmatch(r"stopped after \d+ of 100000 games\n", err)
    assert all("F" not in told(game, "RE")[0] for game in mill_games(file.read_bytes()))


def test_a_full_disk_under_standard_output_is_one_line():
    with open("/dev/full", "w") as full:
        status, _, err = play("--seed=1", stdout=full)
    assert (status, err) == (130, "go_play.py: standard output cannot be written: No space left on device\n")
