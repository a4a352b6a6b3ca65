"""play: what a student sees of one game, and what is left when the player broke."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from players import littlego
from tests.support.waiting import PATIENCE
from tournament.__main__ import main

ROOT = Path(__file__).parents[3]
HEAD = "class MyPlayer:\n    def get_input(self, go, piece_type):\n        print('looking at move', go.n_move + 1)\n"
LEGAL = """        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return [point for point in points if go.valid_place_check(*point, piece_type, test_check=True)][0]
"""
GOOD = HEAD + LEGAL
STUBBORN = HEAD + "        return 2, 2\n"
# Notes the steps in a file, as many do, and fails at the third.
COUNTING = """import os, sys
from helper import first_empty
from read import readInput
from write import writeOutput

colour, previous, board = readInput(5)
new = sum(map(sum, board)) <= 1
step = 1 if new or not os.path.exists("step.txt") else int(open("step.txt").read()) + 1
open("step.txt", "w").write(str(step))
print("step", step)
if step == 3:
    raise LookupError("nothing at step 3")
writeOutput(first_empty(board))
"""
HELPER = "def first_empty(board):\n    return next((i, j) for i in range(5) for j in range(5) if not board[i][j])\n"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def played(capsys, *arguments):
    status = main(["play", *arguments])
    return status, capsys.readouterr().out


def test_two_reference_players_need_no_sandbox(capsys):
    status, output = played(capsys, "random", "greedy", "--rules=littlego", "--show")
    lines = output.splitlines()
    assert (status, lines[0]) == (0, "random (X) against greedy (O): littlego, 5x5, seed 0")
    assert output.count("\nMove ") == 24
    assert re.fullmatch(r"Game over after 24 moves: X \d+, O \d+.5 \(komi included\); [XO] \((random|greedy)\) wins", lines[-1])
    assert played(capsys, "random", "greedy", "--rules=littlego")[1].splitlines() == [lines[0], "", lines[-1]]


def test_a_class_is_shown_with_its_own_prints(capsys):
    Path("mine.py").write_text(GOOD)
    status, output = played(capsys, "greedy", "mine.py", "--show", "--size=3", "--seed=4")
    assert (status, output.splitlines()[0]) == (0, "greedy (X) against mine (O): course, 3x3, seed 4")
    move = re.search(r"^Move 2: O mine [A-C][1-3], \d\.\d\d s \(\d\.\d\d s of CPU\)\n((?:.*\n){6})", output, re.M)
    assert move[1].startswith("    | looking at move 2\n   A B C\n 3(O)")


def test_the_same_seed_shows_the_same_game(capsys):
    Path("mine.py").write_text(GOOD)
    games = [re.sub(r"\d+\.\d\d s", "", played(capsys, "mine.py", "random", "--show", "--seed", seed)[1]) for seed in "112"]
    assert games[0] == games[1] != games[2]


def test_a_forfeit_of_a_class_can_be_asked_again(capsys):
    Path("mine.py").write_text(STUBBORN)
    status, output = played(capsys, "mine.py", "random", "--show", "--seed=1")
    assert status == 1
    assert output.count(": illegal move C3: the point is occupied") == 2, "once when it answers, once in the verdict"
    assert "black (mine) forfeits at move 3: illegal move C3: the point is occupied; O wins\n" in output
    question = Path("mine-move-3/input.txt").read_text()
    assert f"\n\n{question}\n\n" in output
    assert question.startswith("1\n")
    assert question.count("\n") == 10
    command = shlex.split(output.splitlines()[-1])
    assert command[:3] == ["python3", "-m", "players.littlego"]
    assert littlego.main(command[3:]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err) == ("looking at move 3\n", "players.littlego: illegal move C3: the point is occupied\n")


def counting_program():
    Path("homework").mkdir()
    Path("homework/my_player3.py").write_text(COUNTING)
    Path("homework/helper.py").write_text(HELPER)
    Path("homework/notes.txt").write_text("not needed")


def asked_again(command):
    command = command.replace("python3", shlex.quote(sys.executable))
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE)


def test_a_program_that_broke_can_be_asked_everything_again(capsys):
    counting_program()
    status, output = played(capsys, "random", "homework/my_player3.py", "--show")
    assert (status, output.splitlines()[0]) == (1, "random (X) against my_player3 (O): littlego, 5x5, seed 0")
    assert "Move 4: O my_player3 B5" in output
    assert "\n    | step 2\n" in output
    assert "\nMove 6: O my_player3 gives no answer\n    | step 3\n    | Traceback" in output
    # In the traceback, and on the line that says how the game ended.
    assert output.count("LookupError: nothing at step 3") == 2
    assert "LookupError: nothing at step 3 (my_player3.py, line " in output
    assert re.search(r"^white \(my_player3\) forfeits at move 6: .*; X wins$", output, re.M)
    assert sorted(path.name for path in Path("my_player3-move-6").iterdir()) == [
        "helper.py", "input.txt", "inputs", "my_player3.py",
    ]  # fmt: skip
    once, every = (line.strip() for line in output.splitlines() if line.startswith("    (cd "))
    assert asked_again(once).stdout == "step 1\n"
    Path("my_player3-move-6/step.txt").unlink()
    done = asked_again(every)
    assert done.stdout.split("\n")[:3] == ["step 1", "step 2", "step 3"]
    assert done.stderr.endswith("LookupError: nothing at step 3\n")


def test_without_show_a_forfeit_says_why(capsys):
    counting_program()
    status, output = played(capsys, "homework/my_player3.py", "random")
    assert status == 1
    assert "Move" not in output
    assert output.count("    | LookupError: nothing at step 3\n") == 1
    assert Path("my_player3-move-5/input.txt").exists()
    assert played(capsys, "homework/my_player3.py", "random")[0] == 1
    assert [*Path().glob("my_player3-move-*")] == [Path("my_player3-move-5")], "the folder of the last time is replaced"
    changed = Path("my_player3-move-5/my_player3.py")
    changed.write_text("# the fault is here")
    for _ in range(2):
        assert "which is now in my_player3-move-5-2 beside" in played(capsys, "homework/my_player3.py", "random")[1]
    assert changed.read_text() == "# the fault is here"


@pytest.mark.slow
def test_our_own_player_as_a_program_and_as_a_class(capsys):
    """The same player, the same game."""
    games = []
    for name in ("my_player3.py", "my_player.py"):
        status, output = played(capsys, str(ROOT / name), "random", "--rules=littlego", "--show", "--seed=5")
        assert status == 0
        games.append(re.findall(r"^Move \d+: [XO] \w+ (\w+)", output, re.M))
    assert len(games[0]) > 20
    assert games[0] == games[1]


def test_two_players_of_one_name_are_told_apart(capsys):
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(f"{folder}/greedy.py").write_text(GOOD)
    _, output = played(capsys, "one/greedy.py", "two/greedy.py", "--size=2")
    assert output.startswith("greedy-1 (X) against greedy-2 (O)")


WRONG = [
    (["nobody", "greedy"], "play: expected a player (random, greedy, "),
    (["mine.py", "greedy"], "play: 'mine.py': mine.py: expected a class MyPlayer, found Player\n"),
    (["homework/my_player3.py", "greedy", "--rules=course"], "; those play under the rules 'littlego' only"),
    (["random", "greedy", "--size=20"], "--size: expected a whole number from 2 to 19, got 20"),
    (["random", "greedy", "--move-seconds=0"], "--move-seconds: expected a number from 0.001 to 100000, got 0"),
    (["random"], "play: the following arguments are required: PLAYER"),
    (["zero", "random", "--size=7"], "play: player 'zero': expected a board of 5x5, as the network is for, got 7x7"),
    (["random", "perfect", "--rules=aga", "--size=6"], "play: player 'perfect': expected a board size from 2 to 5, got 6"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_what_cannot_be_played_is_said_in_one_line(arguments, message, capsys):
    counting_program()
    Path("mine.py").write_text(GOOD.replace("MyPlayer", "Player").replace("get_input", "get_move"))
    try:
        status = main(["play", *arguments])
    except SystemExit as end:
        status = end.code
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert message in said.err
    assert said.err.count("\n") == 1
