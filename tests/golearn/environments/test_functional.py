"""Pgx's way of calling: states that do not change, from which games may go on in more than one way."""

from dataclasses import fields, replace
from functools import partial

import numpy as np
import pytest

from golearn.environments import ActionError, Go, GoBatch, SettingError, make
from tests.support.batches import SHOWN, assert_same, shown
from tests.support.missing import needs, no_package


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


# As Pgx has it


def test_names_are_those_of_pgx():
    env = make("go_9x9")
    assert (env.id, env.version, env.num_players, env.num_actions, env.observation_shape) == ("go_9x9", "v1", 2, 82, (9, 9, 17))
    state = env.init(seed=0, games=3)
    assert state.env_id == "go_9x9"
    np.testing.assert_array_equal(state._step_count, [0, 0, 0])
    np.testing.assert_array_equal(env.step(state, [0, 1, 81], None)._step_count, [1, 1, 1])
    np.testing.assert_array_equal(state._player_order[:, 0] == 0, state.current_player == 0)
    assert state.replace(rewards=np.ones((3, 2), np.float32)).rewards.all()


@pytest.mark.parametrize("name", ["go_9x8", "go_1x1", "go_20x20", "chess", "go_9x9 ", "go_99x99"])
def test_another_name_is_refused(name):
    with pytest.raises(SettingError, match=f"expected go_2x2 to go_19x19, got '{name}'"):
        make(name)


def test_each_player_sees_their_own_stones():
    env = Go(size=3)
    state = env.init(seed=4, games=20)
    for actions in (np.arange(20) % 9, np.full(20, 9), (np.arange(20) + 1) % 9):
        state = env.step(state, actions)
    first, second, mover = env.observe(state, 0), env.observe(state, 1), env.observe(state, state.current_player)
    np.testing.assert_array_equal(mover, state.observation)
    np.testing.assert_array_equal(env.observe(state), state.observation)
    np.testing.assert_array_equal(first[..., 0:16:2], second[..., 1:16:2])
    np.testing.assert_array_equal(first[..., 1:16:2], second[..., 0:16:2])
    np.testing.assert_array_equal(first[..., 16], ~second[..., 16])
    for game in range(20):
        np.testing.assert_array_equal((first, second)[state.current_player[game]][game], state.observation[game])
        colour = state.rows(game).rows()
        black = first[game] if state._player_order[game, 0] == 0 else second[game]
        np.testing.assert_array_equal(black[..., 0], np.array(colour) == 1)
    with pytest.raises(SettingError, match="player: expected 0 or 1, got 2"):
        env.observe(state, 2)


# Keys of jax are arrays of two words of 32 bits.
KEY = np.array([0, 7], dtype=np.uint32)


def test_a_key_begins_one_game_without_an_axis_for_games():
    env = Go(size=4)
    state = env.init(KEY)
    assert (state.observation.shape, state.current_player.shape, state.rewards.shape) == ((4, 4, 17), (), (2,))
    one, many = env.step(state, 3), env.step(env.init(KEY[None]), [3])
    assert_same({name: getattr(one, name)[None] for name in SHOWN}, {name: getattr(many, name) for name in SHOWN})
    assert one.rows() == many.rows(0)
    assert env.step(one, [16]).step_count == 2
    with pytest.raises(ActionError, match="expected an action from 0 to 16, got 17"):
        env.step(one, 17)


def test_keys_begin_a_game_each_which_depends_on_its_own_key_alone():
    env = Go(size=3)
    keys = np.random.default_rng(0).integers(2**32, size=(50, 2), dtype=np.uint32)
    all_of_them, some = env.init(keys), env.init(keys[10:13])
    np.testing.assert_array_equal(all_of_them._player_order[10:13], some._player_order)
    assert 0 < all_of_them.current_player.sum() < 50
    np.testing.assert_array_equal(env.init(keys.reshape(5, 10, 2)).current_player, all_of_them.current_player.reshape(5, 10))
    assert env.init(KEY, games=5).current_player.shape == (5,)


@pytest.mark.parametrize("seed", [KEY.astype(float), np.zeros(3, np.int64), "7", None])
def test_what_is_no_key_is_refused(seed):
    with pytest.raises(SettingError, match="seed: expected a "):
        Go(size=3).init(seed)
    with pytest.raises(SettingError, match="games: expected none beside 3 keys, got 2"):
        Go(size=3).init(np.zeros((3, 2), np.uint32), games=2)


@needs(no_package("jax", extra=""))
def test_states_are_pytrees():
    import jax
    import jax.numpy as jnp

    env, rng = Go(size=3), np.random.default_rng(0)
    keys = jax.random.split(jax.random.key(3), 6)
    state = env.init(keys)
    np.testing.assert_array_equal(env.init(jax.random.key_data(keys)).current_player, state.current_player)
    np.testing.assert_array_equal(env.init(keys[2]).current_player, state.current_player[2])
    first = state
    for _ in range(12):
        on_card = jax.device_put(state)
        leaves, shape = jax.tree_util.tree_flatten(on_card)
        assert all(isinstance(leaf, jax.Array) for leaf in leaves)
        back = jax.tree_util.tree_unflatten(shape, leaves)
        # As those do who begin games anew by hand, and who take a state apart.
        fresh = jax.tree_util.tree_map(partial(_begun_anew, jnp.where, state.terminated), back, first)
        third = jax.tree_util.tree_map(lambda leaf: leaf[2], fresh)
        chances = rng.random((6, 10)) + 0.7 * (np.arange(10) == 9)
        actions = jnp.asarray(np.where(fresh.legal_action_mask, chances, 0).argmax(axis=1))
        wanted = env.step(_by_hand(env, state, first), np.asarray(actions))
        state = env.step(fresh, actions)
        assert_same({name: getattr(state, name) for name in SHOWN}, {name: getattr(wanted, name) for name in SHOWN})
        one = env.step(third, actions[2])
        assert_same({n: getattr(one, n)[...] for n in SHOWN}, {n: getattr(state, n)[2] for n in SHOWN})
    assert state.step_count.max() < 12
    calls = ((jax.vmap(env.init), (keys,)), (jax.vmap(env.step), (state, actions)), (jax.jit(env.observe), (state,)))
    for traced, values in calls:
        with pytest.raises(SettingError, match=r"without jax\.vmap and jax\.jit"):
            traced(*values)


def _begun_anew(where, flags, leaf, first):
    return where(flags.reshape(-1, *[1] * (np.ndim(leaf) - 1)), first, leaf)


def _by_hand(env, state, first):
    """The same as by jax, by numpy."""
    def chosen(a, b):
        return tuple(map(chosen, a, b)) if isinstance(a, tuple) else _begun_anew(np.where, state.terminated, a, b)

    names = [field.name for field in fields(state) if field.name != "_settings"]
    return replace(state, **{name: chosen(getattr(state, name), getattr(first, name)) for name in names})
