"""`import golearn`: what it has, what it loads, and the example of docs/alphazero.md."""

import re
import subprocess
import sys

import numpy as np
import pytest

import golearn
from golearn.alphazero.go_positions import set_bytes
from golearn.evaluation import known_positions
from tests.support.documents import ROOT
from tests.support.plain_learner import PlainLearner, tiny_plan
from tests.support.take_away import TakeAway

PAGE = (ROOT / "docs/alphazero.md").read_text()
EXAMPLE = next(code for code in re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M) if "train(" in code)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a plan, tiny.toml; what learns needs no torch."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("golearn.alphazero.runs.torch_learner", lambda device: PlainLearner)
    (tmp_path / "tiny.toml").write_text(tiny_plan())
    return tmp_path


def test_importing_it_loads_only_what_finds_names_later():
    code = "import sys; before = set(sys.modules); import golearn; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["__future__", "goban", "goban.common", "goban.common.facades", "golearn"]


def test_all_but_training_needs_no_torch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import golearn; [getattr(golearn, name) for name in golearn.__all__]\n"
        "try: golearn.train(golearn.read_plan('tictactoe'), 'nowhere')\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"torch is missing; install it with: .*\n", done.stdout)
    assert not (ROOT / "nowhere").exists()


@pytest.mark.parametrize("name", golearn.__all__)
def test_every_name_is_there(name):
    assert getattr(golearn, name) is not None
    assert name in dir(golearn)


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="module 'golearn' has no attribute 'learn'"):
        golearn.learn  # noqa: B018


def test_errors_hang_on_one_tree():
    for name in golearn.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(golearn, name), golearn.LearningError)
    with pytest.raises(golearn.LearningError, match="expected one of tictactoe, "):
        golearn.find_game("chess")
    with pytest.raises(golearn.LearningError, match="games"):
        golearn.GoBatch(games=0)


def test_the_example_of_the_document_runs(here, capsys):
    """With few games to learn from, and few simulations a move: all positions are looked at."""
    names, text = {}, EXAMPLE
    for shown, few in (('read_plan("tictactoe", games=2048)', 'read_plan("tiny.toml")'), (":simulations=32", ":simulations=4")):
        assert shown in text
        text = text.replace(shown, few)
    exec(text, names)
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[:4]] == ["8", "16", "24", "kept"]
    assert names["match"].games == 20
    assert names["match"].wins == 0, "minimax does not lose"
    assert names["evaluation"].results["all"]["kept values"].count == 4520
    assert len(names["short"]([names["game"].initial_state()]).values) == 1


def test_a_run_that_its_caller_stops_goes_on_to_the_same_end(here):
    plan, told = golearn.read_plan("tiny.toml"), []

    def stop(run):
        told.append(run.played)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        golearn.train(plan, "stopped.run", workers=1, tell=stop)
    assert golearn.newest_network(here / "stopped.run").about["games"] == 16
    resumed = golearn.resume("stopped.run", workers=2, tell=lambda run: told.append(run.played))
    assert told == [8, 16, 24]
    assert resumed.digest() == golearn.train(plan, "whole.run").digest()


def test_a_run_goes_on_from_a_networks_file(here):
    plan = golearn.read_plan("tiny.toml")
    golearn.write_weights(here / "net.npz", golearn.train(plan, "first.run").network())
    other = golearn.train(plan, here / "second.run", network="net.npz")
    assert golearn.kept_networks(here / "second.run")[0].about["before"]["games"] == 24
    assert other.played == 24
    with pytest.raises(golearn.LearningError, match="found a run, with which resume goes on"):
        golearn.train(plan, "second.run")


def test_a_small_part_of_the_known_positions_is_evaluated(here):
    few = here / "few.npz"
    few.write_bytes(set_bytes(known_positions("go5").part(np.arange(40))))
    seen = []
    evaluation = golearn.evaluate("random", "go5", positions=few, progress=lambda *of: seen.append(of))
    assert {"all", "0-5"} <= set(evaluation.results)
    assert 0 <= evaluation.results["all"]["kept wins"].value <= 1
    assert evaluation.opening.centre == "C3"
    assert seen == [("positions", 40, 40)]


def test_positions_are_for_games_that_have_some(here):
    with pytest.raises(golearn.LearningError, match=r"positions and conversion: expected with go5 or go5-litt"):
        golearn.evaluate("random", "tictactoe", conversion=3)
    (here / "few.npz").write_bytes(set_bytes(known_positions("go5-littlego").part(np.arange(4))))
    with pytest.raises(golearn.LearningError, match="expected positions of course, got littlego"):
        golearn.evaluate("random", "go5", positions=here / "few.npz")


def test_a_function_of_ones_own_plays_a_match():
    game = golearn.CompleteGame(TakeAway())

    def first_action(states):
        return golearn.Answers(np.array([game.legal_moves(state)[0] for state in states]))

    match = golearn.play_match(game, (golearn.find_player("minimax", game), first_action), games=6, seed=1, opening=0)
    assert match.games == 6
    assert match.points >= match.losses
    assert golearn.check_game(TakeAway(), 3) == []
