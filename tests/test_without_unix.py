"""What works where Python has no `fork`, no `resource` and few signals, as on Windows; tried by hiding them."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.board_pages import Client, moves_of
from tests.support.go_play_runs import LEGAL, start, write
from tests.support.waiting import PATIENCE
from tests.support.without_unix import environment
from tournament.application.trials import NO_PROTECTION

ROOT = Path(__file__).parent.parent
UNSAFE = "tried without a sandbox: this is no verdict, and gives no mark"

PROGRAM = """
with open("input.txt") as file:
    assert len(file.readlines()) == 7
print("hello")
with open("output.txt", "w") as file:
    file.write("PASS")
"""


@pytest.fixture
def hidden(tmp_path):
    """The environment of a process without Unix; those that it starts have it too."""
    (tmp_path / "hidden").mkdir()
    return environment(tmp_path / "hidden")


def run(hidden, *arguments, said=""):
    command = [sys.executable, "-m", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=hidden, input=said, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("player", ["random", "greedy", "aggressive", "smart", "my"])
def test_games_are_the_same(hidden, player):
    arguments = f"go_play -p1={player} -p2=random --seed 1".split()
    plain = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run(hidden, *arguments) == (0, plain.stdout, "")


def test_a_person_plays_at_the_keyboard(hidden):
    status, out, _ = run(hidden, "go_play", "-p1=manual", "-p2=random", said="2,2\nexit\n")
    assert status == 0
    assert "X to move" in out


def test_a_person_plays_in_the_browser(hidden, tmp_path):
    """Against a player that hangs in the end: its process is ended, too."""
    hangs = write(tmp_path, f"{LEGAL}\n    get = get_input\n    def get_input(self, go, piece_type):\n"
                            "        while go.n_move > 1: pass\n        return self.get(go, piece_type)\n")  # fmt: skip
    process = start("--browser", flags=(), env=hidden)
    try:
        client = Client(type("Server", (), {"address": process.stdout.readline().split()[0]}))
        client.begin("", hangs)
        client.play("C3", 0)
        view = client.until(lambda view: len(moves_of(view)) == 2)
        client.play(next(name for name in ("A1", "B1") if name not in moves_of(view)), 2)
        client.until(lambda view: view["thinking"] is not None)
        assert re.match("stopped by hand: it was the turn of white", client.ask(do="stop")["record"][5])
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (0, "", "stopped\n")


@pytest.mark.parametrize("arguments", ["check FILE", "play FILE random", "grade FILE", "gauntlet FILE random", "doctor"])
def test_what_needs_linux_says_so_in_one_line(hidden, tmp_path, arguments):
    file = write(tmp_path, LEGAL, "my_player.py")
    command = arguments.replace("FILE", file).split()
    event = tmp_path / "away.toml"
    event.write_text('store = "a.db"\n')
    status, _, err = run(hidden, "tournament", *command, *(["--event", event] if command[0] == "grade" else []))
    wanted = f"{command[0]}: this needs Linux: Python has no resource here (what to do on Windows: docs/platforms.md)\n"
    assert (status, err) == (2, wanted)


def test_the_overview_says_which_command_needs_linux(hidden):
    status, out, _ = run(hidden, "tournament")
    assert (status, re.findall("  (.*?) +needs Linux", out)) == (0, ["doctor"])


@pytest.mark.slow
def test_results_are_read(hidden, tmp_path):
    """What was played elsewhere: pages, standings and exports need no sandbox."""
    event = tmp_path / "cup.toml"
    event.write_text(f"store = '{(tmp_path / 'cup.db').as_posix()}'\nsize = 3\ngames = 2\nseed = 1\n")
    command = [sys.executable, "-m", "tournament", "gauntlet", "random", "greedy", "--event", event, "--jobs=1"]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    for words in ("standings", "report", "export csv"):
        name, *rest = words.split()
        status, _, err = run(hidden, "tournament", name, tmp_path / "cup.db", *rest)
        assert (status, "needs Linux" in err) == (0, False), err
    assert (tmp_path / "cup.site" / "index.html").exists()


def test_files_are_looked_at(hidden, tmp_path):
    file = write(tmp_path, LEGAL, "my_player.py")
    said = run(hidden, "tournament", "check", file, "--no-games")[1]
    assert said.endswith(": ok (my_player.py, class MyPlayer)\n1 of 1 ok\n")


@pytest.mark.slow
def test_points_are_foreseen_without_a_sandbox(hidden, tmp_path):
    file = write(tmp_path, LEGAL, "my_player.py")
    opponent = "[[opponent]]\nname = 'random'\nbands = [{ from = 0, points = 7 }]\n"
    (tmp_path / "one.toml").write_text(f"title = 'One'\nrules = 'course'\nsize = 3\ngames = 10\n{opponent}")
    (tmp_path / "event.toml").write_text(f"rubric = '{(tmp_path / 'one.toml').as_posix()}'\n")
    status, out, _ = run(hidden, "tournament", "check", "--no-sandbox", file, "--event", tmp_path / "event.toml")
    assert (status, out.splitlines()[-1]) == (
        0, "a grade would play my_player.py, class MyPlayer: about 7 of 7 points (7-7), by One"
    )  # fmt: skip


@pytest.mark.parametrize(("source", "rules", "plays"), [
    (LEGAL, "course", "my_player.py, class MyPlayer"), (PROGRAM, "littlego", "my_player.py, a program, run as Python 3"),
])  # fmt: skip
def test_a_student_checks_the_one_file_without_a_sandbox(hidden, tmp_path, source, rules, plays):
    (tmp_path / "hw").mkdir()
    file = write(tmp_path / "hw", source, "my_player.py")
    # Of a gauntlet no points are foreseen.
    (tmp_path / "three.toml").write_text('size = 3\nkind = "gauntlet"\n')
    options = ("--rules", rules, "--event", tmp_path / "three.toml", "--move-seconds=60")
    status, out, err = run(hidden, "tournament", "check", "--no-sandbox", file, *options)
    won = rf"hw: ok \({plays}\): won \d of 2 games against random, longest move .* s"
    assert re.fullmatch(rf"{won}\n1 of 1 ok, {UNSAFE}\n", out)
    assert (status, err) == (0, f"{NO_PROTECTION}\n")
