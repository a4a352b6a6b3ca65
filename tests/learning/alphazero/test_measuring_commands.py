"""`match`, `evaluate`, `truth-set` and `play` of `python3 -m learning.alphazero`: what they print, write and refuse."""

import json
import random
import re
from collections import defaultdict

import numpy as np
import pytest

from learning.alphazero.__main__ import main
from learning.alphazero.answers import chance_answers
from learning.alphazero.complete_games import CompleteGame
from learning.alphazero.games import game_from_name
from learning.alphazero.go_positions import read_positions, set_bytes, shipped_path
from learning.alphazero.weight_files import write_weights
from learning.alphazero.weights import architecture_for, fresh_weights

COMPILING = re.compile(r"^\w+: compiling, once for this machine\.\.\.\n", re.M)


@pytest.fixture
def network(tmp_path):
    """A file with a network that has learnt nothing, for tic-tac-toe."""
    path = tmp_path / "fresh.npz"
    game = CompleteGame(game_from_name("tictactoe"))
    write_weights(path, fresh_weights(architecture_for(game, 4, 1), np.random.default_rng(1), {"game": "tictactoe"}))
    return str(path)


def said(capsys, *words):
    """What a command that ends well prints."""
    status, printed = main([str(word) for word in words]), capsys.readouterr()
    assert (status, COMPILING.sub("", printed.err)) == (0, "")
    return printed.out


def refused(capsys, *words):
    """The line with which a command is refused."""
    try:
        status = main([str(word) for word in words])
    except SystemExit as end:
        status = end.code
    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    return printed.err


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
    (["minimax", "--game=decimal:Decimal"], "game: decimal:Decimal cannot be had: AttributeError"),
    (["minimax", "--game=tests.support.take_away:Endless"], "minimax: the game goes on for too many moves, or for ever"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[words[-1] for words, _ in REFUSED])
def test_what_cannot_be_played_is_refused_in_one_line(words, message, capsys, monkeypatch):
    monkeypatch.setattr("learning.alphazero.minimax.MOST_STATES", 2000)
    game = [] if any(word.startswith("--game=") for word in words) else ["--game=tictactoe"]
    assert message in refused(capsys, "match", "random", *words, *game)


def test_a_network_for_another_game_is_refused(capsys, network):
    assert "expected a network for 8 planes of 5x5" in refused(capsys, "match", network, "random", "--game=go5")


def test_a_match_that_is_stopped_says_what_was_written(capsys, tmp_path, monkeypatch):
    """The second of three matches is interrupted."""
    from learning.alphazero import arena

    play, played = arena.play_match, []

    def interrupted(*given):
        played.append(given)
        if len(played) == 2:
            raise KeyboardInterrupt
        return play(*given)

    monkeypatch.setattr(arena, "play_match", interrupted)
    out = tmp_path / "scores.jsonl"
    words = ["match", "random", "minimax", "uniform", "--game=tictactoe", "--games=4", "--out", str(out)]
    assert main(words) == 130
    assert "scores.jsonl has 1 of 3 matches\n" in capsys.readouterr().err
    assert len(out.read_text().splitlines()) == 1


@pytest.fixture
def positions(tmp_path):
    """A file with a few positions of each part."""
    path = tmp_path / "few.npz"
    path.write_bytes(set_bytes(read_positions(shipped_path("course")).part(np.arange(48))))
    return path


def figures(path):
    """player -> part of the positions -> metric -> the line that was written about it."""
    found = defaultdict(lambda: defaultdict(dict))
    for line in map(json.loads, path.read_text().splitlines()):
        found[line["player"]][line["positions"]][line["metric"]] = line
    return found


def test_players_are_measured_on_5x5_part_by_part(capsys, tmp_path, positions):
    out = tmp_path / "figures.jsonl"
    text = said(capsys, "evaluate", "perfect", "random", "--positions", positions, "--out", out)
    perfect, chance = text.strip().split("\n\n")
    assert perfect.splitlines()[0] == "perfect, go5"
    assert perfect.splitlines()[1].split() == ["all", "0-5", "6-11", "12-17", "18-23"]
    found = figures(out)
    assert list(found) == ["perfect", "random"]
    assert {name: found["perfect"]["all"]["kept wins"][name] for name in ("value", "high")} == {"value": 1, "high": 1}
    assert found["random"]["all"]["kept wins"]["value"] < 0.9
    assert found["random"]["all"]["regret"]["value"] > 0.5
    assert "best moves" not in found["random"]["0-5"]
    row = next(line for line in chance.splitlines() if line.startswith("regret"))
    assert "{value:.3f} ({low:.3f}-{high:.3f})".format(**found["random"]["all"]["regret"]) in row


def test_searches_give_values_and_an_opening_too(capsys, tmp_path, positions):
    out = tmp_path / "figures.jsonl"
    text = said(capsys, "evaluate", "rollouts:simulations=24", "--positions", positions, "--out", out)
    assert "opens with " in text
    assert "; value of the empty board " in text
    found = figures(out)["rollouts:simulations=24"]["all"]
    metrics = ["winner", "value error", "Brier", "calibration", "kept wins", "best moves", "mass on best", "regret"]
    assert list(found) == metrics
    assert found["winner"]["count"] == 48
    assert found["value error"]["value"] < 1
    again = said(capsys, "evaluate", "rollouts:simulations=24", "--positions", positions)
    assert again == text


def test_a_network_that_has_learnt_nothing_holds_all_for_even(capsys, tmp_path, positions):
    """And says margins, as it has a head for them."""
    game, path, out = CompleteGame(game_from_name("go5")), tmp_path / "fresh.npz", tmp_path / "figures.jsonl"
    write_weights(path, fresh_weights(architecture_for(game, 4, 1), np.random.default_rng(1)))
    said(capsys, "evaluate", path, "--positions", positions, "--out", out)
    found = figures(out)[str(path)]["all"]
    assert (found["winner"]["value"], found["value error"]["value"], found["Brier"]["value"]) == (0, 1, 0.25)
    assert found["margin error"]["value"] > 1


def test_won_positions_are_played_against_perfect(capsys, tmp_path, positions):
    out = tmp_path / "figures.jsonl"
    said(capsys, "evaluate", "perfect", "random", "--positions", positions, "--conversion=4", "--out", out)
    found = figures(out)
    assert found["perfect"]["all"]["conversion"]["value"] == 1
    assert found["random"]["all"]["conversion"]["value"] < 1
    parts = {part: one["conversion"]["count"] for part, one in found["perfect"].items() if "conversion" in one}
    assert parts["all"] == sum(parts.values()) / 2 <= 4


def test_every_state_of_tictactoe_is_looked_at(capsys, tmp_path):
    out = tmp_path / "figures.jsonl"
    text = said(capsys, "evaluate", "minimax", "random", "--game=tictactoe", "--out", out)
    assert "kept values  100.0% (99.9%-100.0%)" in text
    found = figures(out)
    assert found["minimax"]["all"]["kept values"]["count"] == 4520
    assert 0.5 < found["random"]["all"]["kept values"]["value"] < 0.65
    assert found["minimax"]["all"]["safe moves"]["value"] == 1
    assert 0.3 < found["random"]["all"]["safe moves"]["value"] < 0.7


def test_every_state_of_ones_own_game_is_looked_at(capsys, tmp_path):
    """Seven matches: with three or six to move, all is lost, and whatever is played keeps that."""
    out = tmp_path / "figures.jsonl"
    said(capsys, "evaluate", "minimax", "uniform:simulations=64", "--game=tests.support.take_away:TakeAway", "--out", out)
    found = figures(out)
    for player in found.values():
        assert (player["all"]["kept values"]["value"], player["all"]["safe moves"]["value"]) == (1, 1)
    assert (found["minimax"]["all"]["kept values"]["count"], found["minimax"]["all"]["safe moves"]["count"]) == (12, 7)
    text = said(capsys, "match", "minimax", "random", "--game=tests.support.take_away:TakeAway", "--games=10", "--opening=0")
    assert text.splitlines()[2].split()[0] == "minimax"


@pytest.mark.parametrize(("name", "winner", "komi"), [("go", "Black", "7.5"), ("go-komi9.5", "White", "9.5")])
def test_of_7x7_who_wins_the_empty_board_is_known(name, winner, komi, capsys, tmp_path):
    text = said(capsys, "evaluate", "uniform:simulations=2", "random", f"--game={name}", "--out", tmp_path / "out")
    searched, chance = text.strip().split("\n\n")
    known = f"with perfect play {winner} wins: Black is 9 points ahead, komi {komi}"
    values = r"value of the empty board [+-]\d\.\d\d, of the board after D4 [+-]\d\.\d\d"
    assert re.fullmatch(rf"uniform:simulations=2, {name}\nopens with \w+; {values}; {known}", searched)
    assert re.fullmatch(rf"random, {name}\nopens with \w+; {known}", chance)


def test_positions_are_made_and_can_be_used(capsys, tmp_path, monkeypatch):
    from learning.alphazero import go_position_making

    monkeypatch.setattr(go_position_making, "FIRST_MARGIN", {"littlego": 12})
    out = tmp_path / "own.npz"
    assert "own.npz: 4 positions, " in said(capsys, "truth-set", "littlego", "--positions=4", "--out", out)
    assert len(read_positions(out)) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["own.npz"]
    assert "random, go5-littlego\n" in said(capsys, "evaluate", "random", "--game=go5-littlego", "--positions", out)
    assert "expected positions of course, got littlego" in refused(capsys, "evaluate", "random", "--positions", out)


NOT_EVALUATED = [
    (["nobody"], "expected a player"),
    (["random", "--positions=none.npz"], "none.npz' cannot be read: No such file"),
    (["random", "--game=connectfour"], "expected one of go5, go5-littlego, tictactoe, go, go-komi9.5, or "
     "MODULE:CLASS, got 'connectfour'"),
    (["random", "--game=learning.alphazero.connect_four:ConnectFour"], "minimax: the game has more than 2,000 states"),
    (["random", "--game=tests.support.take_away:Endless"], "minimax: the game goes on for too many moves, or for ever"),
    (["random", "--game=tictactoe", "--conversion=5"], "expected with go5 or go5-littlego only"),
    (["random", "--conversion=-1"], "expected a number of games from 0"),
]


@pytest.mark.parametrize(("words", "message"), NOT_EVALUATED, ids=[words[-1] for words, _ in NOT_EVALUATED])
def test_what_cannot_be_evaluated_is_refused_in_one_line(words, message, capsys, monkeypatch):
    monkeypatch.setattr("learning.alphazero.minimax.MOST_STATES", 2000)
    assert message in refused(capsys, "evaluate", *words)


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
    def contender(name, game, seed):
        ask = chance_answers(game, random.Random(seed))

        def slowly(states):
            pytest.importorskip("numba").njit(lambda number: number + 1)(1)
            return ask(states)

        return slowly

    monkeypatch.setattr("learning.alphazero.commands.contenders.contender", contender)
    monkeypatch.setattr("builtins.input", lambda prompt: "exit")
    assert main([*words, "--game=tictactoe"]) == 0
    assert capsys.readouterr().err == f"{words[0]}: compiling, once for this machine...\n"
