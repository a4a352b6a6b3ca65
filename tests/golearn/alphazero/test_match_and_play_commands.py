"""`match` and `play` of `python3 -m golearn.alphazero`, and what commands that measure say: what they print and refuse."""

import json
import random

import numpy as np
import pytest

from golearn.alphazero.__main__ import main
from golearn.alphazero.answers import chance_answers
from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.weights import architecture_for, fresh_weights, write_weights
from tests.support.alphazero_commands import refused, said


@pytest.fixture
def network(tmp_path):
    """A file with a network that has learnt nothing, for tic-tac-toe."""
    path = tmp_path / "fresh.npz"
    game = CompleteGame(game_from_name("tictactoe"))
    write_weights(path, fresh_weights(architecture_for(game, 4, 1), np.random.default_rng(1), {"game": "tictactoe"}))
    return str(path)


def test_a_match_prints_the_score_and_writes_it(capsys, tmp_path):
    out = tmp_path / "scores.jsonl"
    text = said(capsys, "match", "minimax", "random", "--game=tictactoe", "--games=30", "--out", out)
    head, _, row = text.splitlines()
    assert head.split() == ["player", "opponent", "wins", "draws", "losses", "score", "95", "%"]
    (found,) = (json.loads(line) for line in out.read_text().splitlines())
    assert row.split()[:5] == ["minimax", "random", *(str(found[key]) for key in ("wins", "draws", "losses"))]
    assert found["wins"] + found["draws"] + found["losses"] == 30
    assert found["low"] < found["score"] == (found["wins"] + found["draws"] / 2) / 30 < found["high"]
    assert (found["game"], found["player"], found["opponent"]) == ("tictactoe", "minimax", "random")


def test_the_same_seed_prints_the_same(capsys):
    words = "match", "rollouts:simulations=8", "random", "--game=tictactoe", "--games=20"
    assert said(capsys, *words) == said(capsys, *words, "--seed=1")


def test_more_than_two_players_are_rated(capsys):
    text = said(capsys, "match", "random", "minimax", "uniform:simulations=16", "--game=tictactoe", "--games=20")
    matches, ratings = text.split("\n\n")
    assert len(matches.splitlines()) == 2 + 3
    assert [line.split()[0] for line in ratings.splitlines()[2:]] == ["minimax", "uniform:simulations=16", "random"]


def test_networks_play_alone_and_with_a_search(capsys, network):
    text = said(capsys, "match", network, f"{network}:simulations=16", "--game=tictactoe", "--games=10")
    assert text.splitlines()[2].split()[0] == network


def test_players_of_the_registry_play_games_of_go(capsys):
    text = said(capsys, "match", "smart", "random", "--game=go5", "--games=4")
    assert text.splitlines()[2].split()[:5] == ["smart", "random", "4", "0", "0"]


REFUSED = [
    (["nobody"], "expected one of FILE.npz, random, uniform, rollouts, minimax as a player of this game, got 'nobody'"),
    (["nobody", "--game=go5"], "expected a player"),
    (["zero", "--game=go9"], "player 'zero': expected a board of 5x5, as the network is for, got 9x9"),
    (["uniform:depth=3"], "player 'uniform:depth=3': expected one of simulations, got 'depth=3'"),
    (["random:depth=3"], "player 'random:depth=3': expected no options, got 'depth=3'"),
    (["uniform:simulations=0"], "expected at least 1 simulation, got 0"),
    (["rollouts:rollouts=0"], "rollouts: expected 1 or more, got 0"),
    (["nothing.npz"], "nothing.npz"),
    (["minimax", "--game=connectfour"], "minimax: the game has more than"),
    (["minimax", "minimax"], "expected two players or more, no two alike"),
    (["minimax", "--games=0"], "expected a number of games from 1 to"),
    (["minimax", "--game=chess"], "expected one of tictactoe, connectfour, othello6, othello, go, go-komi9.5, go5, "
     "go5-littlego, go9, or MODULE:CLASS, got 'chess'"),
    (["minimax", "--game=no_such:Game"], "game: no_such:Game cannot be had: ModuleNotFoundError: No module named 'no_such'"),
    (["minimax", "--game=decimal:Decimal"], "game: decimal:Decimal cannot be had: BadGameError"),
    (["minimax", "--game=tests.support.take_away:Endless"], "minimax: the game goes on for too many moves, or for ever"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[words[-1] for words, _ in REFUSED])
def test_what_cannot_be_played_is_refused_in_one_line(words, message, capsys, monkeypatch):
    monkeypatch.setattr("golearn.alphazero.truth.MOST_STATES", 2000)
    game = [] if any(word.startswith("--game=") for word in words) else ["--game=tictactoe"]
    assert message in refused(capsys, "match", "random", *words, *game)


def test_a_network_for_another_game_is_refused(capsys, network):
    assert "expected a network for 8 planes of 5x5" in refused(capsys, "match", network, "random", "--game=go5")


def test_a_match_that_is_stopped_says_what_was_written(capsys, tmp_path, monkeypatch):
    """The second of three matches is interrupted."""
    from golearn import evaluation

    play, played = evaluation.play_match, []

    def interrupted(*given):
        played.append(given)
        if len(played) == 2:
            raise KeyboardInterrupt
        return play(*given)

    monkeypatch.setattr(evaluation, "play_match", interrupted)
    out = tmp_path / "scores.jsonl"
    words = ["match", "random", "minimax", "uniform", "--game=tictactoe", "--games=4", "--out", str(out)]
    assert main(words) == 130
    assert "scores.jsonl has 1 of 3 matches\n" in capsys.readouterr().err
    assert len(out.read_text().splitlines()) == 1


def typing(monkeypatch, *lines):
    """Have a person type these lines, and then end the input."""
    waiting = list(lines)

    def typed(prompt):
        print(prompt)
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    monkeypatch.setattr("builtins.input", typed)
    return waiting


def test_a_person_plays_at_the_terminal_and_is_told_what_was_wrong(capsys, monkeypatch):
    typing(monkeypatch, "9", "x", "4", "4", *map(str, range(9)), *map(str, range(9)))
    text = said(capsys, "play", "minimax", "--game=tictactoe")
    assert "expected an action from 0 to 8, got '9'" in text
    assert "expected an action from 0 to 8, got 'x'" in text
    assert "square 4 is occupied" in text
    assert text.splitlines()[-1] in ("A draw.", "minimax wins.")


def test_the_other_side_begins_where_that_is_asked_for(capsys, monkeypatch):
    typing(monkeypatch, "exit")
    text = said(capsys, "play", "smart", "--game=go5", "--second")
    assert text.startswith("smart: C3\n")
    assert ". . X . ." in text


def test_a_person_who_ends_the_input_ends_the_game(capsys, monkeypatch):
    typing(monkeypatch, "0")
    assert "minimax: " in said(capsys, "play", "minimax", "--game=tictactoe")


@pytest.mark.parametrize("words", [
    ("match", "slow", "random", "--games=2"), ("evaluate", "slow"), ("play", "slow", "--second"),
])  # fmt: skip
def test_who_waits_for_a_compiler_is_told(words, capsys, monkeypatch):
    def find_player(name, game, seed):
        ask = chance_answers(game, random.Random(seed))

        def slowly(states):
            pytest.importorskip("numba").njit(lambda number: number + 1)(1)
            return ask(states)

        return slowly

    for module in ("contenders", "evaluation"):
        monkeypatch.setattr(f"golearn.{module}.find_player", find_player)
    monkeypatch.setattr("builtins.input", lambda prompt: "exit")
    assert main([*words, "--game=tictactoe"]) == 0
    assert capsys.readouterr().err == f"{words[0]}: compiling, once for this machine...\n"
