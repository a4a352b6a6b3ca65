"""The network that comes with the project: its file, its games, and that it knows more of 5x5 than `smart`."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from go import GO
from goban.moves import PASS
from goban.rulesets import ruleset
from goban.states import new_game
from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.go_positions import read_positions, shipped_path
from golearn.alphazero.go_zero import SHIPPED
from golearn.alphazero.truth import metrics
from golearn.alphazero.weights import read_weights
from golearn.contenders import find_player
from players.registry import make_player

ROOT = Path(__file__).parents[3]


def go_play(*arguments, python=()):
    command = [sys.executable, *python, "go_play.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_its_file_is_small_and_for_course_on_5x5():
    assert SHIPPED.stat().st_size <= 300_000
    weights = read_weights(SHIPPED)
    weights.check_game(CompleteGame(game_from_name("go5")), "go5")
    assert weights.about["games"] > 10_000


def played(rules, colour, seed):
    """The moves of a game of `zero` in this colour against a random opponent; each of its own must be legal."""
    player, rng = make_player("zero", random.Random(seed)), random.Random(seed)
    state, shown, moves = new_game(ruleset(rules), 5), GO(5, ruleset(rules)), []
    while not state.is_over:
        if state.to_move == colour:
            GO.adopt_state(shown, state)
            answer = player.get_input(shown, colour)
            move = PASS if answer == "PASS" else answer
            assert state.why_illegal(move) is None
        else:
            move = rng.choice([move for move in state.legal_moves() if isinstance(move, tuple)] or [PASS])
        moves.append(move)
        state = state.after(move)
    return moves


@pytest.mark.parametrize("colour", [1, 2])
@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_its_games_are_legal_and_the_same_each_time(rules, colour):
    games = [played(rules, colour, seed) for seed in (1, 2)]
    assert games[0] != games[1]
    assert [played(rules, colour, seed) for seed in (1, 2)] == games


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_it_keeps_more_wins_than_smart(rules):
    known = read_positions(shipped_path(rules))
    game, states = CompleteGame(known.game), known.states()
    zero, smart = (metrics(known, find_player(name, game, "1")(states))["kept wins"] for name in ("zero", "smart"))
    assert zero.low > smart.high


def test_it_plays_at_the_command_line():
    done = go_play("-p1", "zero", "-p2", "greedy", "-t", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Black player (X) | Wins:")
    assert "forfeits" not in done.stderr


def test_without_numpy_one_line_says_so():
    done = go_play("-p1", "zero", "-p2", "greedy", python=["-S"])
    assert done.returncode == 2
    assert done.stderr == (
        "go_play.py: argument -p1/--player1: player 'zero' needs numpy, which is not installed: "
        "make install, then run .venv/bin/python\n"
    )


def test_for_another_board_it_is_refused():
    done = go_play("-p1=greedy", "-p2=zero", "-n=7")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "go_play.py: argument -p2/--player2: player 'zero': expected a board of 5x5, as the network is for, got 7x7\n"
    )
