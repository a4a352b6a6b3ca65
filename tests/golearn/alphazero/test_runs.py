"""Runs: killed, interrupted or damaged, they end with the same numbers as one that nobody disturbed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from golearn.alphazero.commands.training import train_with
from golearn.alphazero.plans import read_plan
from golearn.alphazero.runs import KEPT_CHECKPOINTS, begin, newest_network, resume_run
from golearn.alphazero.weights import read_weights
from golearn.errors import BadRunError
from tests.support.plain_learner import PlainLearner, tiny_plan

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path):
    """A run that is about to begin."""
    (tmp_path / "tiny.toml").write_text(tiny_plan())
    begin(tmp_path / "run", read_plan(str(tmp_path / "tiny.toml")))
    return tmp_path / "run"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The digest of the same run when nothing happens to it, and its network."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "plan.toml").write_text(tiny_plan())
    train_with(PlainLearner, folder, 1)
    return resume_run(folder, PlainLearner).digest(), newest_network(folder)


def digest(folder):
    return resume_run(folder, PlainLearner).digest()


def test_a_run_killed_again_and_again_ends_with_the_same_numbers(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed_training", tmp_path, "7"],
        cwd=ROOT, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["killed"] >= 3
    assert said["kept"] >= 3
    assert said["digests"][0] == said["digests"][1]
    assert not list(tmp_path.glob("*/*.part"))


@pytest.mark.parametrize("step", [1, 7, 20])
def test_ctrl_c_loses_the_round_at_hand_only(folder, undisturbed, step, capsys):
    class Interrupted(PlainLearner):
        steps = 0

        def learn(self, batch, rate):
            Interrupted.steps += 1
            if Interrupted.steps == step:
                raise KeyboardInterrupt
            return super().learn(batch, rate)

    with pytest.raises(KeyboardInterrupt):
        train_with(Interrupted, folder, 2)
    kept = resume_run(folder, PlainLearner).played
    assert f"stopped; {folder} has {kept} of 24 games: resume goes on with them\n" in capsys.readouterr().out
    assert kept < 24
    train_with(PlainLearner, folder, 2)
    assert digest(folder) == undisturbed[0]


@pytest.mark.parametrize("workers", [1, 3])
def test_the_number_of_workers_changes_nothing(folder, undisturbed, workers):
    train_with(PlainLearner, folder, workers)
    assert digest(folder) == undisturbed[0]


def test_another_seed_changes_the_numbers(folder, undisturbed):
    (folder / "plan.toml").write_text((folder / "plan.toml").read_text().replace("seed = 1", "seed = 2"))
    train_with(PlainLearner, folder, 1)
    assert digest(folder) != undisturbed[0]


def test_a_damaged_checkpoint_is_passed_over_for_the_one_before(folder, undisturbed):
    train_with(PlainLearner, folder, 1)
    older, newest = sorted(folder.glob("checkpoint-*.npz"))
    newest.write_bytes(newest.read_bytes()[:1000])
    assert resume_run(folder, PlainLearner).played == 16
    train_with(PlainLearner, folder, 1)
    assert digest(folder) == undisturbed[0]
    for path in (older, newest):
        path.write_bytes(b"no checkpoint")
    with pytest.raises(BadRunError, match=r"checkpoint-000003\.npz: cannot be read as a checkpoint: "):
        resume_run(folder, PlainLearner)


def other_curve(arrays):
    notes = json.loads(str(arrays["notes"]))
    del notes["curve"][-1]["games"]
    arrays["notes"] = np.array(json.dumps(notes))


def other_total(arrays):
    arrays["notes"] = np.array(str(arrays["notes"]).replace('"positions": ', '"positions": -', 1))


def other_plan(arrays):
    arrays["notes"] = np.array(str(arrays["notes"]).replace('"batch": ', '"batch": -', 1))


def shorter_values(arrays):
    arrays["replay.values"] = arrays["replay.values"][:-1]


def wider_policies(arrays):
    arrays["replay.policies"] = arrays["replay.policies"].astype(np.float64)


@pytest.mark.parametrize("spoil", [other_curve, other_total, other_plan, shorter_values, wider_policies])
def test_so_is_one_that_holds_what_no_run_writes(folder, undisturbed, spoil):
    train_with(PlainLearner, folder, 1)
    newest = max(folder.glob("checkpoint-*.npz"))
    with np.load(newest) as file:
        arrays = dict(file)
    spoil(arrays)
    np.savez(newest, **arrays)
    assert resume_run(folder, PlainLearner).rounds == 2
    train_with(PlainLearner, folder, 1)
    assert digest(folder) == undisturbed[0]


def test_a_plan_that_was_changed_is_refused(folder):
    train_with(PlainLearner, folder, 1)
    (folder / "plan.toml").write_text((folder / "plan.toml").read_text().replace("batch = 16", "batch = 8"))
    message = r"the plan was changed since the run began: batch \(16 there, 8 here\)"
    for use in (lambda: resume_run(folder, PlainLearner), lambda: train_with(PlainLearner, folder, 1)):
        with pytest.raises(BadRunError, match=message):
            use()


def test_what_a_folder_has_after_a_run(folder):
    train_with(PlainLearner, folder, 1)
    kept = [f"checkpoint-00000{k}.npz" for k in (2, 3)]
    assert len(kept) == KEPT_CHECKPOINTS
    weights = [f"weights-00000{k}.npz" for k in (1, 2, 3)]
    curves = ["curve.csv", "curve.jsonl", "curve.svg"]
    assert sorted(path.name for path in folder.iterdir()) == [*kept, *curves, "plan.toml", *weights]
    points = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    assert [point["games"] for point in points] == [8, 16, 24]
    assert points[0]["positions"] < points[1]["positions"] < points[2]["positions"]
    assert points[0]["rate"] == 1e-3 > points[1]["rate"] > points[2]["rate"] > 0
    drawing = ElementTree.parse(folder / "curve.svg").getroot()
    lines = [line for line in drawing.iter() if line.tag.endswith("polyline")]
    assert {len(line.get("points").split()) for line in lines} == {3}


def test_the_network_of_a_run_is_that_of_its_newest_checkpoint(folder, undisturbed):
    with pytest.raises(BadRunError, match="no round of this run is over yet"):
        newest_network(folder)
    train_with(PlainLearner, folder, 1)
    for network in (newest_network(folder), read_weights(folder / "weights-000003.npz")):
        assert network.about == {"game": "tictactoe", "games": 24, "seed": 1}
        assert all((array == undisturbed[1].arrays[name]).all() for name, array in network.arrays.items())


def test_a_run_begins_in_a_new_folder_only(folder, tmp_path):
    plan = read_plan(str(folder / "plan.toml"))
    with pytest.raises(BadRunError, match=r"expected a new or an empty folder, found a run, with which resume goes on"):
        begin(folder, plan)
    with pytest.raises(BadRunError, match=r"expected a new or an empty folder, found something else"):
        begin(tmp_path, plan)
    with pytest.raises(BadRunError, match=r"expected the folder of a run, with a plan\.toml"):
        resume_run(tmp_path, PlainLearner)
