"""Checkpoints: what goes on from them is what was saved, and no other file is taken for one."""

import io
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from golearn.errors import BadCheckpointError
from golearn.qlearning import checkpoints
from golearn.qlearning import training as qlearning_training
from golearn.qlearning.training import MINIMAX, RIVAL, Plan, Training

PLAN = Plan(MINIMAX, 40, 1, {"random": 1.0, "self": 2.0}, (0.1, 0.01), (0.2, 0.0), 0.5, 0.5)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The arrays of a checkpoint."""
    training = Training(PLAN, 20, curve=[{"games": 20.0, "error": 0.1, "random B": 0.5}])
    training.states.keys[[3, 70]], training.states.visits[[3, 70]], training.known = (5, 9), 1, 2
    training.league.append(training.weights.copy())
    path = tmp_path_factory.mktemp("saved") / "table.npz"
    checkpoints.save(training, path)
    with np.load(path) as file:
        return dict(file)


def loaded(folder, arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    (folder / "table.npz").write_bytes(buffer.getvalue())
    return checkpoints.load(folder / "table.npz")


def test_what_was_saved_is_loaded(saved, tmp_path):
    training = loaded(tmp_path, saved)
    assert (training.plan, training.played, training.known, len(training.league)) == (PLAN, 20, 2, 1)
    assert training.curve == [{"games": 20.0, "error": 0.1, "random B": 0.5}]
    assert sorted(training.states.keys[training.states.keys > 0]) == [5, 9]


def test_a_plan_that_says_no_rule_is_of_before_there_were_two(saved, tmp_path):
    notes = json.loads(str(saved["notes"]))
    del notes["plan"]["rule"]
    assert loaded(tmp_path, {**saved, "notes": np.array(json.dumps(notes))}).plan == PLAN


def test_by_the_rule_of_my_player_it_goes_on_as_if_it_had_never_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(qlearning_training, "ROUND", 10)
    training = Training(Plan(RIVAL, 30, 1, {"self": 1.0, "smart": 1.0}, (0.1, 0.01), (0.2, 0.0), 0.5, 0.5))
    with ThreadPoolExecutor(1) as workers:
        training.step(workers)
        training.step(workers)
        checkpoints.save(training, tmp_path / "t.npz")
        again = checkpoints.load(tmp_path / "t.npz")
        for one in (training, again):
            one.step(workers)
    assert (again.played, again.known) == (30, training.known)
    assert training.known > 0
    assert np.array_equal(again.weights, training.weights)
    assert np.array_equal(again.states.values, training.states.values)


ARRAYS = [
    ("weights", np.zeros((2, 3), np.float32), r"weights: expected float32 of shape \(24, 177147\), got float32 of \(2, 3\)"),
    ("league", np.zeros((1, 2), np.float32), r"league: expected float32 of shape "),
    ("slots", np.array([70, 3]), "slots: expected rising numbers from 0 to 2097151, and a state in each"),
    ("slots", np.array([-1, 3]), "slots: expected rising numbers "),
    ("slots", np.array([3.0, 70.0]), r"slots: expected int64 of shape \(2,\), got float64 of \(2,\)"),
    ("keys", np.array([0, 9], np.uint64), "slots: expected rising numbers from 0 to 2097151, and a state in each"),
    ("visits", np.array([1, 2]), r"visits: expected int32 of shape \(2,\), got int64 of \(2,\)"),
]


@pytest.mark.parametrize(("name", "array", "said"), ARRAYS)
def test_arrays_of_another_kind_are_refused(saved, tmp_path, name, array, said):
    with pytest.raises(BadCheckpointError, match=f"table.npz: cannot be read as a checkpoint: {said}"):
        loaded(tmp_path, {**saved, name: array})


NOTES = [
    ({"played": 50}, "played: expected a whole number from 0 to 40, got 50"),
    ({"played": True}, "played: expected a whole number from 0 to 40, got True"),
    ({"known": 3}, r"slots: expected int64 of shape \(3,\), got int64 of \(2,\)"),
    ({"curve": [{"games": 20.0}]}, "curve: expected the same figures at each point, games and error among them"),
    ({"curve": [{"games": 20.0, "error": "0.1"}]}, "error: expected a number from -1e[+]300 to 1e[+]300, got '0.1'"),
    ({"plan": {"rule": "sarsa"}}, "rule: expected one of rival, minimax, got 'sarsa'"),
    ({"plan": {"games": "40"}}, "games: expected a whole number from 1 to inf, got '40'"),
    ({"plan": {"opponents": {"nobody": 1}}}, "opponents: expected some of random, .*, got 'nobody'"),
    ({"plan": {"rate": [0.1, float("nan")]}}, "rate: expected a number from 1e-06 to 1, got nan"),
]


@pytest.mark.parametrize(("notes", "said"), NOTES)
def test_notes_that_no_run_writes_are_refused(saved, tmp_path, notes, said):
    before = json.loads(str(saved["notes"]))
    after = {**before, **notes, "plan": {**before["plan"], **notes.get("plan", {})}}
    with pytest.raises(BadCheckpointError, match=f"table.npz: cannot be read as a checkpoint: {said}"):
        loaded(tmp_path, {**saved, "notes": np.array(json.dumps(after))})
