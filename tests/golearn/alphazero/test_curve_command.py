"""`python3 -m golearn.alphazero curve`: a run's networks, one after the other, held against exact values."""

import io
import json
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from golearn.alphazero.__main__ import main
from golearn.alphazero.commands.training import train_with
from golearn.alphazero.games import CompleteGame, find_game
from golearn.alphazero.go_positions import read_positions, set_bytes, shipped_path
from golearn.alphazero.plans import read_plan
from golearn.alphazero.runs import begin
from golearn.alphazero.weights import architecture_for, fresh_weights, write_weights
from tests.support.plain_learner import PlainLearner, tiny_plan


def lines(picture):
    """The lines of a picture, as how many points each has."""
    found = [part for part in ElementTree.parse(picture).getroot().iter() if part.tag.endswith("polyline")]
    return [len(line.get("points").split()) for line in found]


def measured(folder):
    """What `curve` prints about a run, in lines."""
    with redirect_stdout(io.StringIO()) as printed:
        assert main(["curve", str(folder)]) == 0
    return printed.getvalue().splitlines()


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A run of tic-tac-toe to its end, with three networks."""
    here = tmp_path_factory.mktemp("curve")
    (here / "tiny.toml").write_text(tiny_plan())
    begin(here / "ttt.run", read_plan(str(here / "tiny.toml")))
    with redirect_stdout(io.StringIO()):
        train_with(PlainLearner, here / "ttt.run", 1)
    return here / "ttt.run"


@pytest.fixture(scope="module")
def drawn(learnt, tmp_path_factory):
    """The same run, measured, and what was printed. Nothing is written there afterwards."""
    folder = tmp_path_factory.mktemp("drawn") / "ttt.run"
    shutil.copytree(learnt, folder)
    return folder, measured(folder)


@pytest.fixture
def tictactoe(learnt, tmp_path):
    """A copy of that run, as it was learnt."""
    return Path(shutil.copytree(learnt, tmp_path / "ttt.run"))


def test_every_network_of_a_run_has_its_row_its_lines_and_its_points(drawn):
    tictactoe, (head, _, *rows) = drawn
    assert head.split() == ["games", "kept", "values", "safe", "moves", "value", "error"]
    assert [row.split()[0] for row in rows] == ["8", "16", "24"]
    found = [json.loads(line) for line in (tictactoe / "truth.jsonl").read_text().splitlines()]
    assert [(one["games"], one["metric"]) for one in found] == [
        (games, metric) for games in (8, 16, 24) for metric in ("kept values", "safe moves", "value error")
    ]
    assert {one["game"] for one in found} == {"tictactoe"}
    assert f"{found[0]['value']:.1%}" in rows[0]
    assert lines(tictactoe / "truth.svg") == [3, 3, 3]


def test_measured_again_it_writes_the_same(drawn, tmp_path):
    before, printed = drawn
    again = shutil.copytree(before, tmp_path / "ttt.run")
    assert measured(again) == printed
    for name in ("truth.jsonl", "truth.svg"):
        assert (again / name).read_bytes() == (before / name).read_bytes()


def test_evaluate_says_the_same_of_the_newest_network(drawn, capsys):
    tictactoe, printed = drawn
    last = printed[-1].split(maxsplit=1)[1]
    main(["evaluate", str(tictactoe / "weights-000003.npz"), "--game=tictactoe"])
    rows = capsys.readouterr().out.splitlines()
    figures = [row.split(maxsplit=2)[2] for row in rows if row.startswith(("kept values", "safe moves", "value error"))]
    assert last.split() == " ".join(figures).split()


def test_networks_for_5x5_are_drawn_part_by_part(tmp_path, capsys, monkeypatch):
    few = tmp_path / "few.npz"
    few.write_bytes(set_bytes(read_positions(shipped_path("course")).part(np.arange(48))))
    monkeypatch.setattr("golearn.evaluation.shipped_path", lambda rules: few)
    folder, game = tmp_path / "go5.run", CompleteGame(find_game("go5").game)
    begin(folder, read_plan("go5"))
    for games in (512, 1024):
        about = {"game": "go5", "games": games, "seed": 1}
        weights = fresh_weights(architecture_for(game, 4, 1), np.random.default_rng(games), about)
        write_weights(folder / f"weights-{games // 512:06}.npz", weights)
    assert main(["curve", str(folder)]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["games", "winner", "kept", "wins", "best", "moves", "regret", "value", "error"]
    assert [row.split()[0] for row in rows] == ["512", "1,024"]
    # All positions and four parts; margins, which best moves and regret need, are known of three.
    assert lines(folder / "truth.svg") == [2] * (5 + 5 + 4 + 4 + 5)
    drawn = (folder / "truth.svg").read_text()
    for name in ("all positions", "after 0-5 moves", "after 18-23 moves", "kept wins", "regret, stones", "1,024 games"):
        assert name in drawn


def test_what_cannot_be_measured_is_refused_in_one_line(tmp_path, capsys):
    begun = tmp_path / "begun"
    (tmp_path / "tiny.toml").write_text(tiny_plan())
    begin(begun, read_plan(str(tmp_path / "tiny.toml")))
    other = tmp_path / "other"
    begin(other, read_plan("connectfour"))
    for folder, message in (
        (tmp_path, "expected the folder of a run, with a plan.toml"),
        (begun, f"{begun}: no network of this run has been written yet"),
        (other, "expected a run of go5, go5-littlego, tictactoe, or of a small game of your own; this one is of connectfour"),
    ):
        assert main(["curve", str(folder)]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        assert message in printed.err


def test_a_damaged_network_is_named(tictactoe, capsys):
    (tictactoe / "weights-000002.npz").write_bytes(b"no network")
    assert main(["curve", str(tictactoe)]) == 2
    assert "weights-000002.npz" in capsys.readouterr().err
    assert not (tictactoe / "truth.svg").exists()
