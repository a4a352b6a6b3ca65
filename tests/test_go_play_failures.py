"""go_play.py when something fails meanwhile: a player misbehaves, the user or the reader leaves, the disk is full."""

import os
import re
import signal
import subprocess
import sys

import pytest

from tests.support.documents import ROOT
from tests.support.go_play_runs import LEGAL, play, shares, start, write
from tests.support.sgf_files import mill_games, told
from tests.support.waiting import PATIENCE, wait_until

# Whose turn it was when Ctrl-C was pressed, if it was anybody's.
TURN = r"it was the turn of \w+ \(.*\), at move \d+ for \d+\.\d s.*\n"

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


CRASHING = """
class MyPlayer:
    def get_input(self, go, piece_type):
        return think(go)

def think(go):
    return max([], key=lambda move: move)
"""


def test_a_crash_names_the_line_of_the_players_own_code(tmp_path):
    write(tmp_path, CRASHING)
    _, _, err = play("-p1=visitor.py", "--seed=1", cwd=tmp_path)
    (line,) = err.splitlines()
    assert line.startswith("game 1: black (visitor.py) forfeits at move 1: ValueError: max() ")
    assert line.endswith(" (visitor.py, line 7)")
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", CRASHING, "thinking.py")
    write(tmp_path, "from parts.thinking import think\nclass MyPlayer:\n  def get_input(self, go, piece): return think(go)\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    assert play("-p1=visitor.py", "--seed=1", cwd=tmp_path, env=environment)[2].endswith(" (parts/thinking.py, line 7)\n")


def test_a_players_sys_exit_names_its_line_too(tmp_path):
    write(tmp_path, "import sys\nclass MyPlayer:\n  def get_input(self, go, piece_type):\n    sys.exit()\n")
    assert play("-p1=visitor.py", "--seed=1", cwd=tmp_path)[2].endswith("at move 1: it calls sys.exit() (visitor.py, line 4)\n")


def test_the_whole_traceback_is_shown_if_asked_for(tmp_path):
    write(tmp_path, CRASHING)
    _, _, err = play("-p1=visitor.py", "-t=5", "--seed=1", "--traceback", cwd=tmp_path)
    assert err.count("Traceback (most recent call last):\n  File \"visitor.py\", line 4, in get_input\n") == 3
    assert err.count("\nValueError: max() ") == 3
    assert "go.py" not in err
    assert err.endswith("... and 2 more forfeits\n")


def test_so_is_that_of_a_file_that_cannot_be_loaded(tmp_path):
    write(tmp_path, f"def load():\n    return 1 / 0\nload()\n{LEGAL}")
    status, _, err = play("-p1=visitor.py", "--seed=1", "--traceback", cwd=tmp_path)
    assert status == 2
    assert '/visitor.py", line 2, in load\n' in err
    assert err.splitlines()[-1] == (
        "go_play.py: argument -p1/--player1: player 'visitor.py': ZeroDivisionError: division by zero (visitor.py, line 2)"
    )
    assert "Traceback" not in play("-p1=visitor.py", "--seed=1", cwd=tmp_path)[2]


def test_an_endless_loop_is_found_by_ctrl_c(tmp_path):
    endless = "    print('x', flush=True)\n    while True:\n      pass\n"
    write(tmp_path, f"class MyPlayer:\n  def get_input(self, go, piece_type):\n{endless}")
    for options in ((), ("--traceback",)):
        process = start("-p1=random", "-p2=visitor.py", "--seed=1", *options, cwd=tmp_path)
        assert process.stdout.read(2) == "x\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        turn = r"it was the turn of white \(visitor\.py\), at move 2 for \d+\.\d s \(visitor\.py, line [345]\)"
        stack = r':\n  File "visitor\.py", line [345], in get_input\n(?s:.*)' if options else ""
        assert re.fullmatch(rf"{turn}{stack}\nstopped after 0 of 1 games\n", err)


def test_a_player_that_takes_the_process_down_is_told_with_its_line(tmp_path):
    body = "    def get_input(self, go, piece_type):\n        faulthandler._sigsegv()\n"
    write(tmp_path, f"import faulthandler\nclass MyPlayer:\n{body}")
    status, _, err = play("-p1=visitor.py", "--seed=1", cwd=tmp_path)
    assert status not in (0, 1, 2)
    assert err.startswith("Fatal Python error: Segmentation fault\n")
    assert re.search(r'visitor\.py", line 4 in get_input\n', err)


# It ends in the second game: a first one is counted by then.
ENDING = """
import ctypes, os, signal, sys, threading

def end_in_thread(): threading.Thread(target=os._exit, args=(5,)).start(); threading.Event().wait()

class MyPlayer:
    def get_input(self, go, piece_type):
        sys.asked = getattr(sys, "asked", 0) + 1
        if sys.asked == 15: END
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return next(p for p in points if go.valid_place_check(*p, piece_type, test_check=True))
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="nobody can wait for a process that is no child's")
@pytest.mark.parametrize(("how", "status"), [
    ("os._exit(0)", 0), ("ctypes.CDLL(None)._exit(3)", 3), ("end_in_thread()", 5), ("ctypes.CDLL(None).pthread_exit(0)", 0),
    ("os.kill(os.getpid(), signal.SIGKILL)", -9), ("os.execv('/bin/true', ['true'])", 0), ("os.close(2), os._exit(0)", 0),
])  # fmt: skip
def test_a_player_that_ends_the_process_is_told_and_what_was_counted_is_kept(how, status, tmp_path):
    write(tmp_path, ENDING.replace("END\n", f"{how}\n"))
    found, out, err = play("-p1=random", "-p2=visitor.py", "-t=9", "--seed=1", cwd=tmp_path)
    assert found == status
    assert re.fullmatch(
        r"go_play\.py: this process ended in the turn of white \(visitor\.py\), at move \d+ of game 2; "
        r"1 of 9 games were played\n", err,
    )  # fmt: skip
    assert sum(shares(out)[0]) == 100


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="nobody can wait for a process that is no child's")
def test_a_file_that_ends_the_process_when_it_is_loaded_is_told(tmp_path):
    write(tmp_path, f"import os\nos._exit(0)\n{LEGAL}")
    ended = "go_play.py: this process ended while white (visitor.py) was loaded; 0 of 1 games were played\n"
    assert play("-p2=visitor.py", "--seed=1", cwd=tmp_path) == (0, "", ended)


def test_a_player_that_waits_for_all_its_children_waits_for_none_of_ours(tmp_path):
    waiting = "\n        import os\n        try: os.wait()\n        except ChildProcessError: pass\n        points ="
    write(tmp_path, LEGAL.replace("\n        points =", waiting))
    assert play("-p1=visitor.py", "--seed=1", cwd=tmp_path)[0] == 0


def test_a_player_slower_than_the_course_allows_is_told_once(tmp_path):
    write(tmp_path, LEGAL.replace("import random, time", "import random, time\nstart = time.perf_counter\n"
                                  "time.perf_counter = lambda: start() * 1e9"))  # fmt: skip
    for rules, seconds in (("course", 5), ("littlego", 10)):
        _, _, err = play("-p1=visitor.py", "-t=2", "--seed=1", "--rules", rules, cwd=tmp_path)
        (line,) = [line for line in err.splitlines() if "visitor.py" in line]
        assert re.fullmatch(
            rf"black \(visitor\.py\) took \d+\.\d s for move 1, where the course allows {seconds} s; "
            r"slower answers are not told again", line
        )  # fmt: skip


def test_a_person_may_think_as_long_as_they_like(tmp_path):
    write(tmp_path, "import time\nstart = time.perf_counter\ntime.perf_counter = lambda: start() * 1e9\n"
                    "from players.manual_player import ManualPlayer as MyPlayer\n")  # fmt: skip
    _, out, err = play("-p1=visitor.py", "-p2=manual", "--seed=1", cwd=tmp_path)
    assert (out.endswith("End of input.\n"), err) == (True, "")


def test_a_missing_package_is_named_with_what_installs_it():
    status, out, err = play("-p1=Perfect", "--seed=1")
    assert (status, out) == (2, "")
    assert err == (
        "go_play.py: argument -p1/--player1: player 'Perfect' needs numpy, which is not installed: "
        "make install, then run .venv/bin/python\n"
    )


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
    stopped = re.fullmatch(rf"({TURN})?stopped after (\d+) of 1000000 games\n", err)
    shares(out)
    assert process.returncode == 130
    assert len(mill_games(file.read_bytes())) == int(stopped[2]) > 0


# Ctrl-C is pressed while the registry of players is about to be imported.
PRESSED_EARLY = """
import os, runpy, signal, sys
class Presser:
    def find_spec(self, name, path=None, target=None):
        if name == "players.registry":
            os.kill(os.getpid(), signal.SIGINT)
if len(sys.argv) > 1:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.meta_path.insert(0, Presser())
sys.argv[1:] = ["-p1=random", "--seed=1"]
runpy.run_path("go_play.py", run_name="__main__")
"""


def test_ctrl_c_is_quiet_before_the_first_game_too():
    done = subprocess.run([sys.executable, "-c", PRESSED_EARLY], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
    # A shell's script that runs it in the background has it ignore Ctrl-C.
    done = subprocess.run([sys.executable, "-c", PRESSED_EARLY, "ignored"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    shares(done.stdout)


def test_a_player_that_catches_ctrl_c_cannot_keep_it(tmp_path):
    # A signal that comes just before a sleep would wait for its end.
    naps = "[time.sleep(0.01) for _ in range(6000 if time else 0)]"
    catching = f"global time\n        try: print('x', flush=True); {naps}\n        except: time = None\n"
    visitor = write(tmp_path, LEGAL.replace("points =", catching + "        points ="))
    process = start("-p1", visitor, "-t=1000000", "--seed=1")
    assert process.stdout.read(2) == "x\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    # It was asleep when Ctrl-C was pressed, and made its move all the same.
    assert process.returncode == 130
    assert re.fullmatch(
        r"it was the turn of black \(.*visitor\.py\), at move 1 for \d+\.\d s \(visitor\.py, line 6\)\n"
        r"stopped after 1 of 1000000 games\n", err
    )  # fmt: skip
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
    assert re.fullmatch(rf"({TURN})?stopped after \d+ of 100000 games\n", err)
    assert all("F" not in told(game, "RE")[0] for game in mill_games(file.read_bytes()))


def test_a_full_disk_under_standard_output_is_one_line():
    with open("/dev/full", "w") as full:
        status, _, err = play("--seed=1", stdout=full)
    assert (status, err) == (130, "go_play.py: standard output cannot be written: No space left on device\n")
