"""Learning with torch: losses fall, masks hold, and a run that goes on is the run it was."""

import copy
import pickle
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from golearn.alphazero.__main__ import main
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.plans import Plan, read_plan
from golearn.alphazero.rounds import first_weights
from golearn.alphazero.runs import begin, resume_run
from golearn.alphazero.selfplay import Batch
from golearn.alphazero.weights import NumpyNetwork, read_weights
from tests.support.missing import needs, no_package
from tests.support.plain_learner import tiny_plan
from tests.support.waiting import PATIENCE

why_not = no_package("torch", 2, "zero")
pytestmark = needs(why_not)
if not why_not:
    from golearn.alphazero.training import Learner

PLAN = Plan("go5", 10, channels=4, blocks=1)


def some_batch(seed=1, size=12):
    rng = np.random.default_rng(seed)
    return Batch(
        rng.integers(2, size=(size, 8, 5, 5)).astype(np.float32), rng.dirichlet(np.ones(26), size).astype(np.float32),
        rng.random(size) < 0.5, rng.uniform(-1, 1, size).astype(np.float32), rng.random(size) < 0.5,
        rng.integers(-25, 26, size).astype(np.float32), rng.integers(-1, 2, (size, 25)).astype(np.int8), rng.random(size) < 0.5,
    )  # fmt: skip


def learner():
    return Learner(PLAN, first_weights(PLAN), "cpu")


def same(one, other):
    return all(np.array_equal(array, other[name]) for name, array in one.items())


def test_every_loss_falls_on_a_batch_seen_again_and_again():
    """What there is to learn: any own stone is a good action, their share the value and the margin, the stones the owners."""
    planes = some_batch().planes
    own = planes[:, 0].reshape(12, 25)
    good, share = own / own.sum(axis=1, keepdims=True), own.mean(axis=1)
    every = np.ones(12, np.bool_)
    batch = Batch(planes, np.pad(good, ((0, 0), (0, 1))), every, share, every, 25 * share, own.astype(np.int8), every)
    learns = learner()
    first = learns.learn(batch, 1e-2)
    for _ in range(100):
        last = learns.learn(batch, 1e-2)
    least = -np.log(good.max(axis=1)).mean()
    assert last["policy"] - least < 0.5 * (first["policy"] - least)
    assert all(last[name] < 0.5 * first[name] for name in ("value", "margin", "owners")), (first, last)


def test_what_all_actions_have_in_common_stays_small():
    """It changes no policy, so that rounding alone would carry it away."""
    weights = first_weights(PLAN)
    # One channel of the policy's head that says 100 everywhere, and takes it from all actions.
    weights.arrays["policy_layer"][:, 0] = weights.arrays["policy_pooling"][:, 0] = 0.0
    weights.arrays["policy_bias"][0] = 100.0
    weights.arrays["policy_points"][0] = weights.arrays["policy_others"][0] = -1.0
    batch, learns = some_batch()._replace(has_policy=np.ones(12, np.bool_)), Learner(PLAN, weights, "cpu")

    def common():
        logits, _ = NumpyNetwork(learns.weights())(batch.planes)
        return float(np.abs(np.log(np.exp(logits.astype(float)).sum(axis=1))).max())

    assert common() > 90
    for _ in range(300):
        learns.learn(batch, 1e-2)
    assert common() < 10


def test_losses_at_first_are_those_of_a_network_that_knows_nothing():
    batch = some_batch()
    losses = learner().learn(batch, 1e-3)
    assert losses["policy"] == pytest.approx(np.log(26), rel=1e-5)
    assert losses["value"] == pytest.approx(np.square(batch.values[batch.has_value]).mean(), rel=1e-5)
    margins = np.abs(batch.margins[batch.has_ending] / 25)
    assert losses["margin"] == pytest.approx(np.square(margins).mean() / 2, rel=1e-5)
    assert losses["owners"] == pytest.approx(np.square(batch.owners[batch.has_ending].astype(float)).mean(), rel=1e-5)


@pytest.mark.parametrize(
    ("mask", "targets"), [("has_policy", ["policies"]), ("has_value", ["values"]), ("has_ending", ["margins", "owners"])]
)
def test_what_a_position_does_not_know_is_not_learned(mask, targets):
    batch = some_batch()
    hidden = ~getattr(batch, mask)
    changed = {name: getattr(batch, name).copy() for name in targets}
    for array in changed.values():
        array[hidden] = 0
    one, other = learner(), learner()
    for _ in range(3):
        one.learn(batch, 1e-2)
        other.learn(batch._replace(**changed), 1e-2)
    assert same(one.weights().arrays, other.weights().arrays)
    known = batch._replace(**{mask: np.ones_like(hidden)})
    assert one.learn(known, 1e-2) != other.learn(known._replace(**changed), 1e-2)


def test_a_batch_in_which_nothing_is_known_changes_nothing_but_by_decay():
    batch = some_batch()
    nothing = batch._replace(**{name: np.zeros(12, np.bool_) for name in ("has_policy", "has_value", "has_ending")})
    learns = Learner(replace(PLAN, weight_decay=0.0), first_weights(PLAN), "cpu")
    assert set(learns.learn(nothing, 1e-2).values()) == {0.0}
    assert same(learns.weights().arrays, first_weights(PLAN).arrays)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_copy_of_a_learner_goes_on_by_itself(way, threads):
    game = CompleteGame(PLAN.make_game().game)
    states, rows = game.states(1), np.arange(1)
    states.put(0, game.initial_state())
    plan = replace(PLAN, threads=threads, batch=12)
    original = Learner(plan, first_weights(plan), "cpu")
    original.learn(some_batch(), 1e-2)
    twin, before = way(original), original.weights().arrays
    for seed in (2, 3):
        twin.learn(some_batch(seed), 1e-2)
    assert same(before, original.weights().arrays)
    for seed in (2, 3):
        original.learn(some_batch(seed), 1e-2)
    assert same(original.weights().arrays, twin.weights().arrays)
    twin.learn(some_batch(4), 1e-2)
    logits, _ = twin.evaluator()(states, rows)
    wanted, _ = NumpyNetwork(twin.weights())(states.encode(rows))
    np.testing.assert_allclose(logits, wanted, atol=1e-5)


def test_what_goes_on_from_weights_and_moments_learns_the_same():
    one, other = learner(), learner()
    assert one.moments() == {}
    for seed in range(5):
        one.learn(some_batch(seed), 1e-3)
    other.restore(one.weights(), one.moments())
    for seed in range(5, 8):
        assert one.learn(some_batch(seed), 1e-3) == other.learn(some_batch(seed), 1e-3)
    assert same(one.weights().arrays, other.weights().arrays)
    assert same(one.moments(), other.moments())
    fresh = learner()
    fresh.restore(one.weights(), {})
    fresh.learn(some_batch(9), 1e-3)
    one.learn(some_batch(9), 1e-3)
    assert not same(one.weights().arrays, fresh.weights().arrays)


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_several_threads_learn_what_one_does_but_for_rounding(threads):
    """Positions that lack a target are in all parts; 50 are more threads than the batch has positions."""
    plan = replace(PLAN, batch=12)
    one, several, again = (Learner(replace(plan, threads=count), first_weights(plan), "cpu") for count in (1, threads, threads))
    for seed in range(5):
        expected = one.learn(some_batch(seed), 1e-3)
        assert several.learn(some_batch(seed), 1e-3) == pytest.approx(expected, rel=1e-5)
        again.learn(some_batch(seed), 1e-3)
    found = several.weights().arrays
    for name, array in one.weights().arrays.items():
        assert np.allclose(found[name], array, rtol=0, atol=1e-5), name
    assert same(found, again.weights().arrays)
    assert same(several.moments(), again.moments())


def test_threads_of_learning_end_with_their_learner():
    """The threads of other tests' learners may end meanwhile."""
    before = set(threading.enumerate())
    learns = Learner(replace(PLAN, threads=3), first_weights(PLAN), "cpu")
    learns.learn(some_batch(), 1e-3)
    started = set(threading.enumerate()) - before
    assert started
    del learns
    for thread in started:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in started)


@pytest.mark.parametrize("game", ["tictactoe", "go5"])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(game, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(tiny_plan(games=16, game=game))
    assert main(["train", "whole", "--plan=tiny.toml", "--workers=2"]) == 0
    assert main(["train", "parts", "--plan=tiny.toml", "--workers=1"]) == 0
    newest = sorted(Path("parts").glob("checkpoint-*"))[-1]
    newest.unlink()
    assert main(["resume", "parts"]) == 0
    digests = {resume_run(Path(name), lambda plan: Learner(plan, first_weights(plan))).digest() for name in ("whole", "parts")}
    assert len(digests) == 1
    assert main(["export", "parts", "net.npz", "--half"]) == 0


def test_a_run_goes_on_from_another_runs_network(tmp_path, monkeypatch):
    """Its first network is the other's last one."""
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(tiny_plan(games=16))
    plan = read_plan("tiny.toml")
    assert main(["train", "one", "--plan=tiny.toml"]) == 0
    assert main(["export", "one", "net.npz"]) == 0
    begin(Path("more"), plan, Path("net.npz"))
    learns = resume_run(Path("more"), lambda plan: Learner(plan, first_weights(plan), "cpu")).learner
    assert same(learns.weights().arrays, read_weights("net.npz").arrays)
    assert not same(learns.weights().arrays, first_weights(plan).arrays)
    assert main(["resume", "more"]) == 0
