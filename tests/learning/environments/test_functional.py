"""Pgx's way of calling: states that do not change, from which games may go on in more than one way."""

import numpy as np
import pytest

from learning.environments import ActionError, Go, GoBatch, SettingError
from tests.support.batches import SHOWN, assert_same, shown


def test_a_game_goes_as_in_a_batch():
    env, batch, rng = Go(size=4), GoBatch(4, 7, seed=3), np.random.default_rng(0)
    state = env.init(seed=3, games=7)
    while not state.terminated.all():
        assert_same({name: getattr(state, name) for name in SHOWN}, shown(batch))
        assert state.rows(5) == batch.rows(5)
        actions = batch.sample(rng)
        batch.step(actions)
        state = env.step(state, actions)


def test_a_state_stays_as_it_is_and_may_be_gone_on_from_twice():
    env = Go(size=3, rules="course")
    first = env.init(seed=0, games=2)
    before = {name: getattr(first, name).copy() for name in SHOWN}
    one, other = env.step(first, [0, 1]), env.step(first, [4, 4])
    assert_same({name: getattr(first, name) for name in SHOWN}, before)
    assert one.rows(0).rows() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert other.rows(0).rows() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize("name", SHOWN)
def test_nothing_of_a_state_can_be_written(name):
    state = Go(size=3).init(seed=0)
    with pytest.raises(ValueError, match="read-only"):
        getattr(state, name)[:] = 0
    with pytest.raises(AttributeError):
        setattr(state, name, None)


def test_the_arguments_are_those_of_pgx():
    env = Go()
    assert (env.num_players, env.num_actions, env.observation_shape) == (2, 362, (19, 19, 17))
    env = Go(size=5, komi=0, history_length=2, max_terminal_steps=2)
    state = env.step(env.step(env.init(seed=1), [25]), [25])
    assert state.observation.shape == (1, 5, 5, 5)
    assert (state.terminated.tolist(), state.winner.tolist()) == ([True], [2])


def test_pgx_auto_reset_shows_the_next_game():
    env = Go(size=3, auto_reset="same_step")
    state = env.init(seed=1)
    for action in (4, 9, 9):
        state = env.step(state, [action])
    assert state.terminated.all()
    assert not state.observation.any()
    assert not env.step(state, [0]).terminated.any()


def test_what_cannot_be_is_refused():
    env = Go(size=3)
    with pytest.raises(SettingError, match="games: expected a whole number"):
        env.init(seed=0, games=0)
    with pytest.raises(SettingError, match="size"):
        Go(size=1)
    with pytest.raises(ActionError, match="game 1: expected an action from 0 to 9, got 10"):
        env.step(env.init(seed=0, games=2), [0, 10])
