"""`evaluate` and `truth-set` of `python3 -m golearn.alphazero`: what they print, write and refuse."""

import json
import re
from collections import defaultdict

import numpy as np
import pytest

from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.go_positions import read_positions, set_bytes, shipped_path
from golearn.alphazero.weights import architecture_for, fresh_weights, write_weights
from golearn.evaluation import Opening
from tests.support.alphazero_commands import refused, said


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
        if "metric" in line:
            found[line["player"]][line["positions"]][line["metric"]] = line
    return found


def openings(path):
    """player -> what was written about the empty board."""
    lines = map(json.loads, path.read_text().splitlines())
    return {line["player"]: Opening(**line["opening"]) for line in lines if "opening" in line}


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
    assert text.strip().splitlines()[-1] == str(openings(out)["rollouts:simulations=24"])
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


@pytest.mark.slow
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
    out = tmp_path / "openings.jsonl"
    text = said(capsys, "evaluate", "uniform:simulations=2", "random", f"--game={name}", "--out", out)
    searched, chance = text.strip().split("\n\n")
    known = f"with perfect play {winner} wins: Black is 9 points ahead, komi {komi}"
    values = r"value of the empty board [+-]\d\.\d\d, of the board after D4 [+-]\d\.\d\d"
    assert re.fullmatch(rf"uniform:simulations=2, {name}\nopens with \w+; {values}; {known}", searched)
    assert re.fullmatch(rf"random, {name}\nopens with \w+; {known}", chance)
    written = openings(out)
    assert f"{written['uniform:simulations=2']}; {known}" in searched
    assert f"{written['random']}; {known}" in chance


def test_positions_are_made_and_can_be_used(capsys, tmp_path, monkeypatch):
    from golearn.alphazero import go_positions

    monkeypatch.setattr(go_positions, "FIRST_MARGIN", {"littlego": 12})
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
    (["random", "--game=golearn.alphazero.small_games:ConnectFour"], "minimax: the game has more than 2,000 states"),
    (["random", "--game=tests.support.take_away:Endless"], "minimax: the game goes on for too many moves, or for ever"),
    (["random", "--game=tictactoe", "--conversion=5"], "expected with go5 or go5-littlego only"),
    (["random", "--conversion=-1"], "expected a number of games from 0"),
]


@pytest.mark.parametrize(("words", "message"), NOT_EVALUATED, ids=[words[-1] for words, _ in NOT_EVALUATED])
def test_what_cannot_be_evaluated_is_refused_in_one_line(words, message, capsys, monkeypatch):
    monkeypatch.setattr("golearn.alphazero.truth.MOST_STATES", 2000)
    assert message in refused(capsys, "evaluate", *words)
