"""What moves cost: against solving each position alone, against the final margin; and the command line as users type it."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from goban.errors import IllegalMoveError
from goban.game import GameRecord
from goban.rulesets import ruleset
from goban.sgf import sgf_of, write_sgf
from goban.states import new_game
from search.analysis import QUESTIONS, Row, analyse, first_losing_move, mistakes_of
from search.errors import UnsupportedGameError
from search.reports import summary, table
from search.solver import Solver
from search.truth import main

ROOT = Path(__file__).parents[2]
RULES = ["course", "littlego"]
# rules, size, and the first move that is analysed: earlier positions of 5x5 take too long for a test
GAMES = [(rules, size, first) for rules in RULES for size, first in [(2, 0), (3, 0), (4, 4), (5, 13)]]


def random_game(rules, size, seed):
    """A game of random moves, few passes among them, to its end."""
    rng, state, moves = random.Random(f"{rules} {size} {seed}"), new_game(ruleset(rules), size), []
    while not state.is_over:
        choices = state.legal_moves()
        moves.append(rng.choice(choices if rng.random() < 0.1 else choices[:-1] or choices))
        state = state.play(moves[-1])
    return moves, state


def part(rules, size, first, seed):
    """(the state after `first` moves of a random game, the moves after it, the last state)"""
    moves, final = random_game(rules, size, seed)
    state = new_game(ruleset(rules), size)
    for move in moves[:first]:
        state = state.play(move)
    return state, moves[first:], final


def sgf(rules, size, seed):
    moves, final = random_game(rules, size, seed)
    return write_sgf(sgf_of(GameRecord(new_game(ruleset(rules), size), tuple(moves), final, final.outcome), "ann", "bob"))


@pytest.fixture(scope="module")
def solver():
    return Solver(16)


@pytest.mark.parametrize(("rules", "size", "first"), GAMES)
def test_values_are_those_of_each_position_alone(rules, size, first, solver):
    for seed in range(3):
        state, moves, _ = part(rules, size, first, seed)
        rows = analyse(moves, ruleset(rules), size, start=state, solver=solver)
        assert [row.move for row in rows] == moves
        for number, row in enumerate(rows, first + 1):
            before, state = Solver(16).best_moves(state), state.play(row.move)
            after = Solver(16).margin(state)
            assert (row.ply, row.colour) == (number, 2 - number % 2)
            assert (row.winner_before, row.margin_before, row.best_moves) == (before.winner, before.margin, before.best_moves)
            assert (row.winner_after, row.margin_after) == (after.winner, after.margin)
            assert (row.cost_stones == 0) == (row.move in row.best_moves)


@pytest.mark.parametrize(("rules", "size", "first"), GAMES)
def test_costs_explain_the_final_margin(rules, size, first, solver):
    for seed in range(10):
        state, moves, final = part(rules, size, first, seed)
        rows = analyse(moves, ruleset(rules), size, start=state, solver=solver)
        if rows:
            assert all(row.cost_stones >= 0 for row in rows)
            margin = rows[0].margin_before - mistakes_of(rows, 1)["stones"] + mistakes_of(rows, 2)["stones"]
            assert margin == final.black.bit_count() - final.white.bit_count()
            assert rows[-1].winner_after == final.outcome.winner


@pytest.mark.parametrize("rules", RULES)
def test_best_play_has_no_mistakes(rules, solver):
    line = solver.line(new_game(ruleset(rules), 4)).line
    rows = analyse(line, ruleset(rules), 4, solver=solver)
    assert len(rows) == len(line)
    assert not any(row.is_mistake for row in rows)
    assert len({row.margin_after for row in rows}) == 1
    assert first_losing_move(rows) is None


def test_a_lost_win_is_found():
    """On 3x3 White wins; after Black's B3 he does not if he plays A2 or C2."""
    rows = analyse([(0, 1), (1, 0), (1, 1)], ruleset("course"), 3)
    assert [row.turns_win for row in rows[:2]] == ["", "win to loss"]
    assert [row.cost_stones for row in rows[:2]] == [0, 1]
    assert rows[1].best_moves == ((0, 0), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2))
    assert first_losing_move(rows) is rows[1]


def row(turns_win, cost=1, colour=1):
    return Row(1, colour, (0, 0), None, None, None, None, cost, turns_win, ())


def test_the_first_losing_move_is_the_first_that_leaves_a_lost_position():
    rows = [row("", 0), row("", 4), row("win to tie"), row("tie to loss"), row("win to loss")]
    assert first_losing_move(rows) is rows[3]
    assert first_losing_move(rows[:3]) is None


def test_mistakes_are_counted_by_colour():
    rows = [row("", 0), row("", 4), row("win to tie", None), row("win to loss", 2, 2), row("", None)]
    assert mistakes_of(rows, 1) == {"moves": 4, "unknown": 2, "mistakes": 2, "stones": 4, "win_lost": 1}
    assert mistakes_of(rows, 2) == {"moves": 1, "unknown": 0, "mistakes": 1, "stones": 2, "win_lost": 1}


def test_ties_are_turns_too(solver):
    """Even boards know ties, and on 4x4 random players find every way to throw something away."""
    turns = set()
    for seed in range(10):
        moves, _ = random_game("course", 4, seed)
        turns |= {row.turns_win for row in analyse(moves, ruleset("course"), 4, solver=solver)}
    assert turns == {"", "win to loss", "win to tie", "tie to loss"}


def test_without_time_all_is_unknown_but_what_the_board_says():
    moves, final = random_game("course", 5, 1)
    rows = analyse(moves, ruleset("course"), seconds=0, solver=Solver(16))
    for found in rows:
        assert (found.winner_before, found.margin_before, found.cost_stones, found.turns_win) == (None, None, None, "")
        assert (found.best_moves, found.is_mistake) == ((), False)
    assert rows[-1].winner_after == final.outcome.winner
    assert {found.winner_after for found in rows[:-1]} == {None}


class WinnersOnly(Solver):
    """One that never has the time for a margin."""

    def margin(self, state, nodes=None, seconds=None):
        return self.winner(state)

    def best_moves(self, state, nodes=None, seconds=None):
        return self.winner(state)


def test_where_margins_are_unknown_the_winning_moves_are_given():
    """On 3x3 White wins; after Black's B3 he does not if he plays A2, and then Black does not if he plays B2."""
    rows = analyse([(0, 1), (1, 0), (1, 1)], ruleset("course"), 3, solver=WinnersOnly(16))
    assert {(found.margin_before, found.cost_stones, found.best_moves) for found in rows} == {(None, None, ())}
    assert [found.turns_win for found in rows] == ["", "win to loss", "win to loss"]
    assert [found.winning_moves for found in rows] == [(), ((0, 0), (0, 2), (1, 1), (2, 0), (2, 1), (2, 2)), ((2, 1),)]
    assert "win: B1\n" in table(rows, 1.5, 3) + "\n"
    assert "move 2, white A2 (win to loss); to win: A3 C3 B2 A1 B1 +1 more\n" in summary(rows, 3)


def test_moves_that_may_not_be_played_are_refused():
    with pytest.raises(IllegalMoveError, match="white may not play C3 as move 2: the point is occupied"):
        analyse([(2, 2), (2, 2)], ruleset("course"))
    with pytest.raises(UnsupportedGameError, match="size from 2 to 5, got 6"):
        analyse([], ruleset("course"), 6)


def test_progress_is_told_for_every_question_about_each_position():
    told = []
    analyse([(0, 0), (1, 1)], ruleset("course"), 2, progress=lambda: told.append(1))
    assert len(told) == 3 * QUESTIONS


class Ticking:
    """A clock that goes on by a millisecond whenever it is read."""

    now = 0.0

    def __call__(self):
        self.now += 0.001
        return self.now


def test_a_game_takes_no_longer_than_it_may():
    clock = Ticking()
    state, moves = new_game(ruleset("course"), 5), []
    while not state.is_over:
        moves.append(state.legal_moves()[0])
        state = state.play(moves[-1])
    rows = analyse(moves, ruleset("course"), solver=Solver(16, clock=clock), seconds=1)
    assert clock.now < 2
    assert rows[-1].best_moves
    assert rows[0].cost_stones is None


# The command line


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
    """What the command line prints when all is well."""
    assert main(["--memory", "16", *arguments]) == 0
    return capsys.readouterr().out


def test_a_game_as_a_table(game_file, capsys):
    lines = truth_of(capsys, "--sgf", game_file, "--seconds", "60").splitlines()
    assert lines[0] == "ann (black) - bob (white), littlego, 4x4, komi 2"
    assert lines[2].split("  ")[0] == "no."
    moves, _ = random_game("littlego", 4, 2)
    body = lines[4 : 4 + len(moves)]
    assert [line.split()[1] for line in body] == [("black", "white")[k % 2] for k in range(len(moves))]
    assert any("osing move" in line or "lost the game" in line for line in lines[4 + len(moves) :])
    assert [line.split()[0] for line in lines[-2:]] == ["black", "white"]


def test_a_game_as_json(game_file, capsys):
    found = json.loads(truth_of(capsys, "--sgf", game_file, "--json", "--seconds", "60"))
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


def test_unknown_is_null_in_json_and_said_in_the_table(game_file, capsys):
    first = json.loads(truth_of(capsys, "--sgf", game_file, "--json", "--seconds", "0"))["moves"][0]
    assert (first["winner_before"], first["margin_after"], first["cost_stones"], first["best_moves"]) == (None, None, None, [])
    told = truth_of(capsys, "--sgf", game_file, "--seconds", "0")
    assert "unknown" in told
    assert "No move is known to have lost the game." in told


def test_a_position_in_words(position_file, capsys):
    told = truth_of(capsys, position_file)
    assert told.startswith("   A B C\n 3 . X .  3\n 2 X O O  2\n")
    assert "course, 6 moves made, komi 1.5" in told
    assert [line.split("  ")[0] for line in told.splitlines()[-5:]] == [
        "to move", "with best play", "winning moves", "best moves", "principal line",
    ]  # fmt: skip


def test_a_position_as_json(position_file, capsys, solver):
    found = json.loads(truth_of(capsys, position_file, "--json", "--rules", "littlego", "--moves", "5"))
    assert list(found) == [
        "kind", "rules", "size", "komi", "moves", "to_move", "winner", "margin", "winning_moves", "best_moves", "line",
    ]  # fmt: skip
    assert (found["kind"], found["rules"], found["moves"], found["to_move"]) == ("position", "littlego", 5, "white")
    assert found["line"][0] in found["best_moves"]


def test_a_position_out_of_reach_is_unknown(position_file, capsys):
    found = json.loads(truth_of(capsys, position_file, "--json", "--seconds", "0"))
    assert (found["winner"], found["winning_moves"], found["best_moves"], found["line"]) == (None, None, [], [])
    assert truth_of(capsys, position_file, "--seconds", "0").count("unknown") == 4


def test_a_finished_game_is_said_to_be_over(tmp_path, capsys):
    path = tmp_path / "end.txt"
    path.write_text("moves: 3\n.X\nX.\n")
    assert truth_of(capsys, str(path)).endswith("the game is over: B+1\n")


FAULTS = [
    ([], "one of the arguments position --sgf is required"),
    (["a.txt", "--sgf", "b.sgf"], "not allowed with argument"),
    (["missing.txt"], "missing.txt: No such file or directory"),
    (["--sgf", "missing.sgf"], "missing.sgf: No such file or directory"),
    (["--sgf", "text.sgf"], "text.sgf: expected "),
    (["--sgf", "six.sgf"], "six.sgf: expected a board size from 2 to 5, got 6"),
    (["--sgf", "occupied.sgf"], "occupied.sgf: white may not play A3 as move 2: the point is occupied"),
    (["--sgf", "aga.sgf"], "aga.sgf: expected rules course or littlego, got 'aga'"),
    (["--sgf", "six.sgf", "--game", "2"], "--game: expected a number from 1 to 1, got 2"),
    (["six.txt"], "six.txt: expected a board size from 2 to 5, got 6"),
    (["text.sgf"], "text.sgf: board: expected '.', 'X' and 'O'"),
    (["six.txt", "--game", "2"], "--game: expected with --sgf only"),
    (["six.txt", "--rules", "aga"], "argument --rules: invalid choice: 'aga'"),
    (["six.txt", "--seconds", "-1"], "argument --seconds: expected 0 or more, got -1"),
    (["six.txt", "--seconds", "nan"], "argument --seconds: expected 0 or more, got nan"),
    (["six.txt", "--memory", "1"], "16 to 262144 MiB of memory, got 1"),
    (["six.txt", "--threads", "0"], "expected 1 thread or more, got 0"),
]


@pytest.mark.parametrize(("arguments", "words"), FAULTS)
def test_bad_input_is_one_line_and_status_2(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("text.sgf").write_text("hello\n")
    Path("six.sgf").write_text("(;SZ[6];B[aa])")
    Path("aga.sgf").write_text("(;SZ[5]RU[aga];B[aa])")
    Path("occupied.sgf").write_text("(;SZ[3];B[aa];W[aa])")
    Path("six.txt").write_text("......\n" * 6)
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


def test_as_people_type_it(game_file):
    command = [sys.executable, "-W", "error", "-m", "search.truth", "--sgf", game_file, "--seconds", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ann (black) - bob (white), littlego, 4x4, komi 2\n\nno.")
    assert done.stderr in ("", "truth: compiling, once for this machine...\n")
