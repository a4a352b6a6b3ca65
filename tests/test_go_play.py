"""go_play.py as a user types it: a process of its own, what it prints, what it leaves, how it ends."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from goban.rulesets import PRESETS
from goban.sgf_reader import read_collection
from players.registry import NAMES

SCRIPT = Path(__file__).parent.parent / "go_play.py"

SHARES = r"Wins:(\d+\.\d)% Loses:(\d+\.\d)%(?: Ties:(\d+\.\d)%)?\n"
RESULT = re.compile(rf"Black player \(X\) \| {SHARES}White player \(O\) \| {SHARES}")

LEGAL = """
import random, time
class MyPlayer:
    def get_input(self, go, piece_type):
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return random.choice([p for p in points if go.valid_place_check(*p, piece_type, test_check=True)])
"""


def start(*arguments, flags=("-S",), **options):
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell that runs tests in the background may have them ignore Ctrl-C; a user's does not.
    heed = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    return subprocess.Popen([sys.executable, *flags, SCRIPT, *arguments], text=True, **(pipes | heed | options))


def play(*arguments, **options):
    """Return (status, standard output, standard error)."""
    process = start(*arguments, **options)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, out, err


def shares(text):
    """Return Black's and White's (wins, losses, ties) from exactly two result lines."""
    found = RESULT.fullmatch(text)
    assert found, text
    numbers = [float(number or 0) for number in found.groups()]
    return numbers[:3], numbers[3:]


def write(folder, text, name="visitor.py"):
    path = folder / name
    path.write_text(text)
    return str(path)


def until(condition):
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


# What is printed


@pytest.mark.parametrize(
    "arguments",
    [[], ["-n", "2"], ["-n", "19", "-p2=naive"], ["--rules=aga", "-p1=naive", "-p2=naive"], ["-t", "3", "-p1=smart"]],
    ids=" ".join,
)
def test_two_result_lines_and_nothing_else(arguments):
    status, out, err = play(*arguments, "--seed=1")
    assert (status, err) == (0, "")
    black, white = shares(out)
    assert black == [white[1], white[0], white[2]]
    assert sum(black) == pytest.approx(100, abs=0.11)


def test_ties_are_named_on_both_lines_and_only_if_there_were_any():
    _, out, _ = play("-n=2", "-t=60", "--seed=5")
    black, white = shares(out)
    assert out.count(" Ties:") == 2
    assert black[2] == white[2] > 0
    assert sum(black) == pytest.approx(100, abs=0.11)
    assert "Ties" not in play("-n=3", "-t=20", "--seed=5")[1]


def test_my_player_by_every_spelling_of_the_options():
    spellings = [["-p1=my", "-p2=greedy", "-t=2"], ["-p1", "my", "-p2", "greedy", "-t", "2"]]
    spellings.append(["--player1", "my", "--player2=greedy", "--times", "2", "--size=5", "--rules=course"])
    results = [play(*spelling, "--seed=3") for spelling in spellings]
    assert results[0] == results[1] == results[2]
    shares(results[0][1])


def test_defaults_are_one_game_of_two_random_players_on_5x5():
    defaults = ["-n=5", "-p1=random", "-p2=random", "-t=1", "--rules=course"]
    assert play("--seed=7", "--show") == play("--seed=7", "--show", *defaults)


def test_a_rule_set_brings_its_own_size():
    assert " 9 . . . . . . . . .  9\n" in play("--rules=aga", "-p1=naive", "-p2=naive", "--show", "--seed=1")[1]


def test_help_shows_every_option_player_and_rule_set():
    status, out, _ = play("-h")
    options = ["-n", "--size", "-p1", "--player1", "-p2", "--player2", "-t", "--times", "--rules", "--seed", "--sgf"]
    words = re.findall(r"[\w-]+", out)
    assert status == 0
    assert not {*options, "--show", *NAMES, *PRESETS} - set(words)


def test_nothing_but_the_standard_library_is_imported(tmp_path):
    code = f"import sys; sys.path.insert(0, {str(SCRIPT.parent)!r}); import go_play; go_play.main(['--seed=1']);"
    code += "print(*{name.split('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    out = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path).stdout
    assert set(out.splitlines()[-1].split()) <= {"__main__", "go", "go_play", "common", "goban", "players"}


# The same again


def test_a_seed_makes_the_same_games_byte_for_byte(tmp_path):
    visitor = write(tmp_path, LEGAL)
    files = [tmp_path / name for name in ("a.sgf", "b.sgf", "c.sgf")]
    runs = [
        play("-p1", visitor, "-p2=aggressive", "-t=4", "--show", f"--seed={seed}", "--sgf", file)
        for seed, file in zip([11, 11, 12], files, strict=True)
    ]
    assert runs[0] == runs[1] != runs[2]
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()


def test_a_seed_reaches_players_that_draw_from_numpy(tmp_path):
    legal = LEGAL.replace("import random, time", "from numpy import random").replace(".choice", ".permutation")
    visitor = write(tmp_path, legal.rstrip() + "[0]\n")
    seeds = ["--seed=1", "--seed=1", "--seed=2"]
    runs = [play("-p1", visitor, "-p2", visitor, "--show", seed, flags=()) for seed in seeds]
    assert runs[0] == runs[1] != runs[2]
    assert "forfeits" not in runs[0][1]


def test_the_printed_seed_plays_the_run_again(tmp_path):
    first, second = tmp_path / "first.sgf", tmp_path / "second.sgf"
    _, out, err = play("-t=3", "--sgf", first)
    seed = re.fullmatch(r"seed (\d+) \(--seed \1 plays the same games again\)\n", err)[1]
    assert play("-t=3", "--sgf", second, "--seed", seed) == (0, out, "")
    assert first.read_bytes() == second.read_bytes()


def test_games_are_appended_to_the_sgf_file(tmp_path):
    file = tmp_path / "games.sgf"
    play("-t=2", "--seed=1", "--sgf", file)
    once = file.read_bytes()
    play("-t=1", "--seed=2", "-n=7", "-p2=greedy", "--sgf", file)
    assert file.read_bytes().startswith(once)
    games = read_collection(file.read_text())
    assert [(game.size, game.black, game.white) for game in games] == [(5, "random", "random")] * 2 + [(7, "random", "greedy")]


# Bad input

BAD_INPUT = [
    ("-t=0", "expected a number of games from 1 to 1000000000, got '0'"),
    ("-t=-5", "got '-5'"),
    ("-t=1" + 5000 * "0", "0...'"),
    ("-n=1", "expected a size from 2 to 19, got '1'"),
    ("-n=20", "got '20'"),
    ("-n=abc", "expected a size from 2 to 19, got 'abc'"),
    ("-n=\u0665", r"got '\u0665'"),
    ("-n=", "got ''"),
    ("--seed=-1", "expected a seed from 0 to"),
    ("--seed=1_0", "got '1_0'"),
    ("--rules=chess", "expected one of course, littlego"),
    ("-p1=nobody", f"-p1/--player1: expected a player ({', '.join(NAMES)}), a file.py"),
    ("-p2=nobody", "-p2/--player2: expected a player"),
    ("-p2=missing.py", "player file 'missing.py' cannot be read: No such file or directory"),
    ("-p2=syntax.py", "SyntaxError: invalid syntax (syntax.py, line 2)"),
    ("--sgf=.", "expected a file that can be written, got '.': Is a directory"),
    ("--sgf=", "got '': No such file or directory"),
    ("--sgf=no/such/folder.sgf", "No such file or directory"),
    ("--sgf=/dev/full", "No space left on device"),
    ("--what\never", "unrecognized arguments: --what ever"),
    ("extra", "unrecognized arguments: extra"),
]


@pytest.mark.parametrize(("argument", "message"), BAD_INPUT, ids=[argument[:12] for argument, _ in BAD_INPUT])
def test_bad_input_gets_one_line_and_status_2(argument, message, tmp_path):
    write(tmp_path, "x = 1\ndef f(:\n", "syntax.py")
    status, out, err = play("--seed=1", argument, cwd=tmp_path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("go_play.py: ")
    assert message in err
    assert len(err) < 300


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
    until(lambda: file.exists() and file.stat().st_size > 2000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    stopped = re.fullmatch(r"stopped after (\d+) of 1000000 games\n", err)
    shares(out)
    assert process.returncode == 130
    assert len(read_collection(file.read_text())) == int(stopped[1]) > 0


def test_a_player_that_catches_ctrl_c_cannot_keep_it(tmp_path):
    catching = "global time\n        try: print('x', flush=True); time and time.sleep(60)\n        except: time = None\n"
    visitor = write(tmp_path, LEGAL.replace("points =", catching + "        points ="))
    process = start("-p1", visitor, "-t=1000000", "--seed=1")
    assert process.stdout.read(2) == "x\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
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
    process.wait(60)
    assert re.fullmatch(r"stopped after \d+ of 100000 games\n", err)
    assert all("F" not in game.result for game in read_collection(file.read_text() or "(;GM[1])"))


def test_a_full_disk_under_standard_output_is_one_line():
    with open("/dev/full", "w") as full:
        status, _, err = play("--seed=1", stdout=full)
    assert (status, err) == (130, "go_play.py: standard output cannot be written: No space left on device\n")


# Progress


def test_progress_is_shown_on_a_terminal_and_taken_away():
    ours, theirs = pty.openpty()
    process = start("-t=300", "--seed=1", stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            chunk = os.read(ours, 1000)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(ours)
    shares(process.communicate(timeout=60)[0])
    assert re.search(rb"\d+/300 games, \d+\.\d/s, \d+ s left", shown)
    assert shown.endswith(b"\r\x1b[K")


def test_no_progress_elsewhere():
    assert play("-t=300", "--seed=1")[2] == ""
