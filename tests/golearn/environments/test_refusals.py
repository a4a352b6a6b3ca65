"""What a batch refuses, by name and value: it stays as it was."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from golearn.environments import ActionError, GoBatch, SettingError, baseline, batches, make, save_batch
from golearn.environments.opponents import opponent_of
from golearn.errors import EnvironmentsError
from tests.support.batches import assert_same, shown
from tests.support.documents import ROOT

BATCH = GoBatch(3, 2)

BAD_ACTIONS = [
    ([0, 82, 0], "game 1: expected an action from 0 to 81, got 82"),
    ([0, 0, -1], "game 2: expected an action from 0 to 81, got -1"),
    (np.array([0, 2**63, 1], dtype=np.uint64), f"game 1: expected an action from 0 to 81, got {2**63}"),
    ([0, 0], "expected 3 actions, one for each game, got shape \\(2,\\)"),
    ([0, 0, [1]], "expected 3 actions, one for each game, got \\[0, 0, \\[1\\]\\]"),
    ([0.0, 1.0, 2.0], "expected actions of an integer type, got float64"),
    ([True, False, True], "expected actions of an integer type, got bool"),
]


@pytest.mark.parametrize(("actions", "message"), BAD_ACTIONS)
def test_wrong_actions_are_refused_and_change_nothing(actions, message):
    batch = GoBatch(9, 3)
    before = shown(batch)
    with pytest.raises(ActionError, match=message):
        batch.step(actions)
    assert_same(shown(batch), before)


def test_a_batch_is_changed_by_one_thread_at_a_time(monkeypatch):
    batch, steps = GoBatch(3, 4), []

    def step_meanwhile(*_):
        with ThreadPoolExecutor(1) as pool:
            for change in (lambda: batch.step([0] * 4), batch.reset, lambda: batch.restore(GoBatch(3, 4))):
                steps.append(pool.submit(change).exception())

    monkeypatch.setattr(batches, "step_games", step_meanwhile)
    batch.step([0] * 4)
    assert [type(error) for error in steps] == [EnvironmentsError] * 3
    assert "another thread is in a step of this batch" in str(steps[0])
    monkeypatch.undo()
    batch.step([0] * 4)
    assert (batch.step_count == 1).all()


def test_settings_may_be_numbers_of_numpy():
    batch = GoBatch(np.int64(5), np.int32(40), seed=np.uint64(2**64 - 1), threads=np.int64(2), history_length=np.int8(1))
    batch.step(batch.sample(np.random.default_rng(1)))
    assert_same(shown(batch.copy()), shown(batch))
    assert type(batch.threads) is int


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 1}, {"size": 20}, {"size": 5.0}, {"games": 0}, {"rules": "japanese"}, {"rules": ["course"]},
        {"rules": "tromp-taylor-suicide"},
        {"komi": float("nan")}, {"komi": "7"}, {"komi": 10**400}, {"history_length": 0}, {"history_length": 9},
        {"max_terminal_steps": 0}, {"seed": 0.5}, {"seed": None},
        {"seed": np.random.SeedSequence(3)}, {"threads": 0},
        {"threads": 2.0}, {"threads": True}, {"auto_reset": "always"},
    ],
    ids=str,
)  # fmt: skip
def test_settings_that_cannot_be_are_refused_by_name(wrong):
    (name, value), = wrong.items()
    with pytest.raises(SettingError) as caught:
        GoBatch(**wrong)
    assert str(value)[:7] in str(caught.value)
    assert "\n" not in str(caught.value)
    assert name in str(caught.value) or name == "rules"


@pytest.mark.parametrize(("call", "message"), [
    (lambda: baseline("greedy")(5), "expected a batch of games (GoBatch), got 5"),
    (lambda: BATCH.restore(None), "expected a batch of games (GoBatch), got None"),
    (lambda: save_batch(5, "5.npz"), "expected a batch of games (GoBatch), got 5"),
    (lambda: make("go_3x3").step(BATCH, [0, 0]), "expected a state of `init` or `step`, got <GoBatch of 2 games"),
    (lambda: baseline(5), "baseline: expected one of random, naive, greedy, aggressive, smart"),
    (lambda: baseline("greedy", 0.5), "seed: expected a whole number from "),
    (lambda: opponent_of(None, 0, BATCH.settings), "expected a player's name or file, a baseline or a function as opp"),
])  # fmt: skip
def test_what_is_no_batch_state_or_opponent_is_refused_in_one_line(call, message):
    with pytest.raises(SettingError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_an_opponents_file_may_be_a_path():
    batch = GoBatch(3, 2)
    assert batch.legal_action_mask[0, opponent_of(ROOT / "my_player.py", 0, batch.settings).choose(batch, np.array([0]))[0]]
