"""Beginning anew: by itself after the end, in the three ways of Gymnasium, or some games of a batch when asked to."""

import numpy as np

from goban.rulesets import Ending
from golearn.environments import GoBatch
from tests.support.batches import assert_same, shown


def test_next_step_begins_a_game_in_the_step_after_the_end():
    batch = GoBatch(3, 2, auto_reset="next_step")
    batch.step([9, 0])
    batch.step([9, 1])
    assert batch.terminated.tolist() == [True, False]
    assert batch.rewards[0].any()
    batch.step([5, 2])
    assert batch.terminated.tolist() == [False, False]
    assert batch.step_count.tolist() == [0, 3]
    assert not batch.rewards.any()
    assert not batch.observation[0].any()
    assert (batch.winner[0], batch.ending[0]) == (0, 0)


def test_same_step_shows_the_next_game_and_the_end_of_the_last():
    batch, plain = GoBatch(3, 1, auto_reset="same_step"), GoBatch(3, 1)
    plain.reset(player_order=batch.player_order)
    for action in (4, 9, 9):
        batch.step([action])
        plain.step([action])
    assert batch.terminated[0]
    assert batch.why_over(0) is Ending.TWO_PASSES
    np.testing.assert_array_equal(batch.rewards, plain.rewards)
    np.testing.assert_array_equal(batch.final_observation, plain.observation)
    assert batch.step_count[0] == 0
    assert not batch.observation.any()
    batch.step([0])
    assert not batch.terminated[0]
    assert (batch.winner[0], batch.ending[0], batch.step_count[0]) == (0, 0, 1)


def test_some_games_may_begin_anew_while_others_go_on():
    batch = GoBatch(5, 3)
    batch.step([0, 1, 2])
    batch.reset([False, True, False])
    assert batch.step_count.tolist() == [1, 0, 1]
    assert batch.observation[[0, 2]].any(axis=(1, 2, 3)).all()
    assert not batch.observation[1].any()
    batch.reset(np.array([True, False, False]), player_order=[[1, 0]] * 3)
    assert batch.player_order[0].tolist() == [1, 0]
    assert batch.current_player[0] == 1


def test_some_games_may_be_stepped_while_others_wait():
    batch = GoBatch(5, 3)
    batch.step([0, 1, 2])
    before = shown(batch, [0, 2])
    batch.step([3, 4, 5], mask=[False, True, False])
    assert_same(shown(batch, [0, 2]), before)
    assert batch.step_count.tolist() == [1, 2, 1]
