"""The command line of `goban.solver.truth` as people type it: a game, a position, and what it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from goban.game import GameRecord
from goban.rulesets import ruleset
from goban.sgf import sgf_of, write_sgf
from goban.solver.analysis import analyse, first_losing_move, mistakes_of
from goban.solver.solver import Solver
from goban.solver.truth import main
from goban.states import new_game
from tests.support.solving import random_game

ROOT = Path(__file__).parents[3]
# Eight moves into a game: beyond the book, and thousands of positions from an answer.
MIDDLE = """\
. X . . .
. . . . O
. O X . O
. X . . O
X . . . .
"""


def sgf(rules, size, seed):
    moves, final = random_game(rules, size, seed)
    return write_sgf(sgf_of(GameRecord(new_game(ruleset(rules), size), tuple(moves), final, final.outcome), "ann", "bob"))


@pytest.fixture
def game_file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(sgf("littlego", 4, 2))
    return str(path)


@pytest.fixture
def position_file(tmp_path):
    path = tmp_path / "position.txt"
    path.write_text("moves: 6\n. X .\nX O O\n. . .\n")
    return str(path)


def truth_of(capsys, *arguments):
    """What the command line prints when all is well, on a machine however busy."""
    assert main(["--memory", "16", "--seconds", "3600", *arguments]) == 0
    return capsys.readouterr().out


def test_a_game_as_a_table(game_file, capsys):
    lines = truth_of(capsys, "--sgf", game_file).splitlines()
    assert lines[0] == "ann (black) - bob (white), littlego, 4x4, komi 2"
    assert lines[2].split("  ")[0] == "no."
    moves, _ = random_game("littlego", 4, 2)
    body = lines[4 : 4 + len(moves)]
    assert [line.split()[1] for line in body] == [("black", "white")[k % 2] for k in range(len(moves))]
    assert any("osing move" in line or "lost the game" in line for line in lines[4 + len(moves) :])
    assert [line.split()[0] for line in lines[-2:]] == ["black", "white"]


def test_a_game_as_json(game_file, capsys):
    found = json.loads(truth_of(capsys, "--sgf", game_file, "--json"))
    moves, _ = random_game("littlego", 4, 2)
    rows = analyse(moves, ruleset("littlego"), 4)
    assert list(found) == [
        "kind", "rules", "size", "komi", "black", "white", "result", "first_losing_move", "moves", "mistakes",
    ]  # fmt: skip
    assert list(found["moves"][0]) == [
        "ply", "colour", "move", "winner_before", "margin_before", "winner_after", "margin_after", "cost_stones",
        "turns_win", "best_moves", "winning_moves", "is_mistake",
    ]  # fmt: skip
    assert (found["kind"], found["rules"], found["size"], found["black"]) == ("game", "littlego", 4, "ann")
    lost = first_losing_move(rows)
    assert found["first_losing_move"] == (lost and lost.ply)
    assert found["mistakes"] == {"black": mistakes_of(rows, 1), "white": mistakes_of(rows, 2)}
    for said, known in zip(found["moves"], rows, strict=True):
        assert said["colour"] == ("black" if known.colour == 1 else "white")
        assert (said["cost_stones"], said["is_mistake"]) == (known.cost_stones, known.is_mistake)
        assert said["winner_after"] == ("tie", "black", "white")[known.winner_after]


def test_unknown_is_null_in_json_and_said_in_the_table(tmp_path, capsys):
    """What the book and the next moves tell is known even then: of the last moves all, of the first ones who wins."""
    game_file = str(tmp_path / "game.sgf")
    Path(game_file).write_text(sgf("littlego", 5, 1))
    moves = json.loads(truth_of(capsys, "--sgf", game_file, "--json", "--seconds", "0"))["moves"]
    assert moves[0]["winner_before"] == "black"
    assert moves[-1]["best_moves"]
    first = next(move for move in moves if move["winner_before"] is None)
    assert (first["winner_before"], first["margin_before"], first["cost_stones"], first["best_moves"]) == (None, None, None, [])
    told = truth_of(capsys, "--sgf", game_file, "--seconds", "0")
    assert "unknown" in told
    assert "Unknown is whether these moves won or lost: " in told


def test_a_position_in_words(position_file, capsys):
    told = truth_of(capsys, position_file)
    assert told.startswith("   A B C\n 3 . X .  3\n 2 X O O  2\n")
    assert "course, 6 moves made, komi 1.5" in told
    assert [line.split("  ")[0] for line in told.splitlines()[-5:]] == [
        "to move", "with best play", "winning moves", "best moves", "principal line",
    ]  # fmt: skip


def test_a_position_as_json(position_file, capsys):
    found = json.loads(truth_of(capsys, position_file, "--json", "--rules", "littlego", "--moves", "5"))
    assert list(found) == [
        "kind", "rules", "size", "komi", "moves", "to_move", "winner", "margin", "bounds", "winning_moves", "best_moves",
        "line",
    ]  # fmt: skip
    assert (found["kind"], found["rules"], found["moves"], found["to_move"]) == ("position", "littlego", 5, "white")
    assert found["line"][0] in found["best_moves"]


def test_a_position_out_of_reach_is_unknown(tmp_path, capsys):
    position_file = str(tmp_path / "middle.txt")
    Path(position_file).write_text("moves: 8\n" + MIDDLE)
    found = json.loads(truth_of(capsys, position_file, "--json", "--seconds", "0"))
    assert (found["winner"], found["winning_moves"], found["best_moves"], found["line"]) == (None, None, [], [])
    assert truth_of(capsys, position_file, "--seconds", "0").count("unknown") == 4


def test_a_position_under_area_rules(tmp_path, capsys):
    path = tmp_path / "wall.txt"
    path.write_text("rules: area\nto_move: white\n. . .\n. X .\n. . .\n")
    found = json.loads(truth_of(capsys, str(path), "--json"))
    assert (found["rules"], found["komi"], found["to_move"]) == ("area", 0, "white")
    assert (found["winner"], found["margin"], found["bounds"], found["winning_moves"]) == ("black", 9, [9, 9], [])


def test_what_area_rules_leave_open_is_unknown_with_its_bounds(tmp_path, capsys):
    """On 2x2 the rule about repetition decides, so that no limit is large enough."""
    path = tmp_path / "start.txt"
    path.write_text(". .\n. .\n")
    found = json.loads(truth_of(capsys, str(path), "--json", "--rules", "area"))
    assert (found["winner"], found["margin"], found["bounds"], found["best_moves"]) == (None, None, [-4, 4], [])
    told = truth_of(capsys, str(path), "--rules", "area")
    assert "\narea, komi 0\n" in told
    assert "with best play    unknown\nblack less white  -4 to 4, komi left out\n" in told


def test_a_finished_game_is_said_to_be_over(tmp_path, capsys):
    path = tmp_path / "end.txt"
    path.write_text("moves: 3\n.X\nX.\n")
    assert truth_of(capsys, str(path)).endswith("the game is over: B+1\n")


FAULTS = [
    (["one.txt"], "one.txt: --moves: expected the number of moves made before"),
    ([], "one of the arguments position --sgf --compile is required"),
    (["a.txt", "--sgf", "b.sgf"], "not allowed with argument"),
    (["missing.txt"], "missing.txt: No such file or directory"),
    (["--sgf", "missing.sgf"], "missing.sgf: No such file or directory"),
    (["--sgf", "text.sgf"], "text.sgf: expected "),
    (["--sgf", "six.sgf"], "six.sgf: expected a board size from 2 to 5, got 6"),
    (["--sgf", "occupied.sgf"], "occupied.sgf: white may not play A3 as move 2: the point is occupied"),
    (["--sgf", "aga.sgf"], "aga.sgf: expected a board size from 2 to 5, got 6"),
    (["--sgf", "six.sgf", "--game", "2"], "expected the number of a game, from 1 to 1, got 2"),
    (["six.txt"], "six.txt: expected a board size from 2 to 5, got 6"),
    (["text.sgf"], "text.sgf: board: expected '.', 'X' and 'O'"),
    (["six.txt", "--game", "2"], "--game: expected with --sgf only"),
    (["six.txt", "--rules", "aga"], "argument --rules: invalid choice: 'aga'"),
    (["six.txt", "--seconds", "-1"], "argument --seconds: expected a number from 0 to 100000, got -1"),
    (["six.txt", "--seconds", "nan"], "argument --seconds: expected a number from 0 to 100000, got nan"),
    (["six.txt", "--memory", "1"], "16 to 262144 MiB of memory, got 1"),
    (["six.txt", "--threads", "0"], "expected 1 to 1024 threads, got 0"),
]


@pytest.mark.parametrize(("arguments", "words"), FAULTS)
def test_bad_input_is_one_line_and_status_2(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("text.sgf").write_text("hello\n")
    Path("six.sgf").write_text("(;SZ[6];B[aa])")
    Path("aga.sgf").write_text("(;SZ[6]RU[aga];B[aa])")
    Path("occupied.sgf").write_text("(;SZ[3];B[aa];W[aa])")
    Path("six.txt").write_text("......\n" * 6)
    Path("one.txt").write_text(".X\n..\n")
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("truth: ")
    assert words in said.err
    assert said.err.count("\n") == 1


def test_ctrl_c_is_said_in_a_word(position_file, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Solver, "best_moves", interrupted)
    assert main([position_file]) == 130
    assert capsys.readouterr().err == "truth: stopped\n"


@pytest.mark.slow
def test_as_people_type_it(game_file):
    command = [sys.executable, "-W", "error", "-m", "goban.solver.truth", "--sgf", game_file, "--seconds", "3600"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ann (black) - bob (white), littlego, 4x4, komi 2\n\nno.")
    assert done.stderr in ("", "truth: compiling, once for this machine...\n")
