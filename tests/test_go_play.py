"""go_play.py as a user types it: what it prints, what it leaves, and how it takes bad input."""

import os
import pty
import re
import subprocess
import sys

import pytest

from goban.rulesets import PRESETS
from players.registry import NAMES
from tests.support.go_play_runs import LEGAL, SCRIPT, play, play_here, shares, start, write
from tests.support.sgf_files import mill_games, told
from tests.support.waiting import PATIENCE

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
    _, out, _ = play_here("-n=2", "-t=60", "--seed=5")
    black, white = shares(out)
    assert out.count(" Ties:") == 2
    assert black[2] == white[2] > 0
    assert sum(black) == pytest.approx(100, abs=0.11)
    assert "Ties" not in play_here("-n=3", "-t=20", "--seed=5")[1]


def test_my_player_by_every_spelling_of_the_options():
    spellings = [["-p1=my", "-p2=greedy", "-t=2"], ["-p1", "my", "-p2", "greedy", "-t", "2"]]
    spellings.append(["--player1", "my", "--player2=greedy", "--times", "2", "--size=5", "--rules=course"])
    results = [play_here(*spelling, "--seed=3") for spelling in spellings]
    assert results[0] == results[1] == results[2]
    shares(results[0][1])


def test_defaults_are_one_game_of_two_random_players_on_5x5():
    defaults = ["-n=5", "-p1=random", "-p2=random", "-t=1", "--rules=course"]
    assert play_here("--seed=7", "--show") == play_here("--seed=7", "--show", *defaults)


def test_a_rule_set_brings_its_own_size():
    assert " 9 . . . . . . . . .  9\n" in play_here("--rules=aga", "-p1=naive", "-p2=naive", "--show", "--seed=1")[1]


def test_help_shows_every_option_player_and_rule_set():
    status, out, _ = play_here("-h")
    options = ["-n", "--size", "-p1", "--player1", "-p2", "--player2", "-t", "--times", "--rules", "--seed", "--sgf"]
    words = re.findall(r"[\w-]+", out)
    assert status == 0
    assert not {*options, "--show", *NAMES, *PRESETS} - set(words)


def test_nothing_but_the_standard_library_is_imported(tmp_path):
    code = f"import sys; sys.path.insert(0, {str(SCRIPT.parent)!r}); import go_play; go_play.main(['--seed=1']);"
    code += "print(*{name.split('.')[0] for name in sys.modules} - sys.stdlib_module_names)"
    out = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path).stdout
    assert set(out.splitlines()[-1].split()) <= {"__main__", "go", "go_play", "goban", "players"}


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
    games = [(game.get_size(), *told(game, "PB", "PW")) for game in mill_games(file.read_bytes())]
    assert games == [(5, "random", "random")] * 2 + [(7, "random", "greedy")]


# Bad input

BAD_INPUT = [
    ("-t=0", "expected a number of games from 1 to 1000000000, got '0'"),
    ("-t=-5", "got '-5'"),
    ("-t=1" + 5000 * "0", "0...'"),
    ("-n=1", "expected a size from 2 to 19, got '1'"),
    ("-n=20", "got '20'"),
    ("-n=abc", "expected a size from 2 to 19, got 'abc'"),
    ("-n=\u0665", "got '\u0665'"),
    ("-n=", "got ''"),
    ("--seed=-1", "expected a seed from 0 to"),
    ("--seed=1_0", "got '1_0'"),
    ("--rules=chess", "expected one of course, littlego"),
    ("-p1=nobody", f"-p1/--player1: expected a player ({', '.join(NAMES)}), a file.py"),
    ("-p2=nobody", "-p2/--player2: expected a player"),
    ("-p2=missing.py", "player file 'missing.py' cannot be read: No such file or directory"),
    ("-p2=syntax.py", "syntax.py, line 2: SyntaxError: invalid syntax"),
    ("--sgf=.", "expected a file that can be written, got '.': Is a directory"),
    ("--sgf=", "got '': No such file or directory"),
    ("--sgf=no/such/folder.sgf", "No such file or directory"),
    ("--sgf=/dev/full", "No space left on device"),
    ("--what\never", "unrecognized arguments: --what ever"),
    ("extra", "unrecognized arguments: extra"),
]


@pytest.mark.parametrize(("argument", "message"), BAD_INPUT, ids=[argument[:12] for argument, _ in BAD_INPUT])
def test_bad_input_gets_one_line_and_status_2(argument, message, tmp_path, monkeypatch):
    write(tmp_path, "x = 1\ndef f(:\n", "syntax.py")
    monkeypatch.chdir(tmp_path)
    # A file that cannot be written is told once more when it is closed, at the end of the process.
    status, out, err = (play if "--sgf" in argument else play_here)("--seed=1", argument)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("go_play.py: ")
    assert message in err
    assert len(err) < 300


# Progress


def test_progress_is_shown_on_a_terminal_and_taken_away(tmp_path):
    # It is shown anew after a tenth of a second.
    slow = LEGAL.replace("points =", "time.sleep(0.02)\n        points =", 1)
    ours, theirs = pty.openpty()
    process = start("-t=2", "--seed=1", "-p1", write(tmp_path, slow), stderr=theirs)
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
    shares(process.communicate(timeout=PATIENCE)[0])
    assert re.search(rb"\d/2 games, \d+\.\d/s, \d+ s left", shown)
    assert shown.endswith(b"\r\x1b[K")


def test_no_progress_elsewhere():
    assert play("-t=30", "--seed=1")[2] == ""
