"""Positions packed and unpacked, the window of the newest, symmetries, and what is drawn how often."""

from itertools import pairwise

import numpy as np
import pytest

from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.selfplay import Positions, Replay, join_parts, no_positions, pack
from golearn.errors import BadGameError

GAMES = ["tictactoe", "connectfour", "go5"]


def game_of(name):
    return CompleteGame(game_from_name(name))


def random_planes(game, count, rng):
    """Planes of states in the middle of random games, with the states."""
    states = []
    for _ in range(count):
        state = game.initial_state()
        for _ in range(rng.integers(6)):
            if not game.is_terminal(state):
                state = game.apply_move(state, int(rng.choice(game.legal_moves(state))))
        states.append(state)
    return np.stack([game.encode(state) for state in states]), states


def positions_of(game, count, rng):
    planes, _ = random_planes(game, count, rng)
    points = planes.shape[2] * planes.shape[3]
    return planes, Positions(
        *pack(planes), rng.dirichlet(np.ones(game.action_size), count).astype(np.float16), rng.random(count) < 0.5,
        rng.uniform(-1, 1, count).astype(np.float32), rng.random(count) < 0.5, rng.integers(-9, 9, count).astype(np.float32),
        rng.integers(-1, 2, (count, points)).astype(np.int8), rng.random(count) < 0.5,
    )  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_what_comes_out_in_the_first_symmetry_is_what_went_in(name):
    game, rng = game_of(name), np.random.default_rng(1)
    planes, positions = positions_of(game, 40, rng)
    replay = Replay(game, 100)
    replay.add(positions)
    batch = replay.batch(np.arange(40), np.zeros(40, np.int64))
    assert np.array_equal(batch.planes, planes)
    assert batch.planes.dtype == np.float32
    for field in ("policies", "has_policy", "values", "has_value", "margins", "owners", "has_ending"):
        assert np.array_equal(getattr(batch, field), getattr(positions, field)), field


@pytest.mark.parametrize("name", GAMES)
def test_a_turned_position_is_what_the_game_says_of_the_turned_state(name):
    """Play the same game turned: its planes are those of the replay, and an action's share moves with it."""
    game, rng = game_of(name), np.random.default_rng(2)
    replay, symmetries = Replay(game, 100), game.symmetries()
    state, turned = game.initial_state(), [game.initial_state()] * len(symmetries)
    for _ in range(4):
        action = int(rng.choice(game.legal_moves(state)))
        policy = np.zeros((1, game.action_size), np.float16)
        policy[0, action] = 1
        _, positions = positions_of(game, 1, rng)
        bits, scales = pack(game.encode(state)[None])
        replay.add(positions._replace(bits=bits, scales=scales, policies=policy))
        for number, symmetry in enumerate(symmetries):
            batch = replay.batch(np.array([len(replay.positions.values) - 1]), np.array([number]))
            assert np.array_equal(batch.planes[0], game.encode(turned[number]))
            there = int(batch.policies[0].argmax())
            assert symmetry.actions[there] == action
            turned[number] = game.apply_move(turned[number], there)
        state = game.apply_move(state, action)


def test_a_plane_with_two_values_besides_0_is_refused():
    planes = np.zeros((2, 3, 2, 2), np.float32)
    planes[1, 2, 0] = 0.5, 1.0
    with pytest.raises(BadGameError, match="one value besides 0, got several in plane 2"):
        pack(planes)


def test_the_window_keeps_the_newest_and_grows_more_slowly_than_what_comes_in():
    game, rng = game_of("tictactoe"), np.random.default_rng(3)
    replay, sizes = Replay(game, 50), []
    for number in range(40):
        _, positions = positions_of(game, 10, rng)
        replay.add(positions._replace(margins=np.full(10, number, np.float32)))
        sizes.append(len(replay.positions.values))
        oldest = number + 1 - sizes[-1] / 10
        assert replay.positions.margins.min() == int(oldest)
    assert sizes[:5] == [10, 20, 30, 40, 50]
    assert sizes[-1] == int(50 * 8**0.75)
    assert all(before <= after for before, after in pairwise(sizes))


def test_every_position_and_every_symmetry_is_drawn():
    game, rng = game_of("tictactoe"), np.random.default_rng(4)
    replay = Replay(game, 50)
    _, positions = positions_of(game, 20, rng)
    # The corner is empty nowhere but in one symmetry in four.
    planes = np.zeros((20, 2, 3, 3), np.float32)
    planes[:, 0, 0, 0] = 1
    replay.add(positions._replace(bits=pack(planes)[0], scales=pack(planes)[1], margins=np.arange(20, dtype=np.float32)))
    batch = replay.draw(rng, 2000)
    corners = batch.planes[:, 0, [0, 0, 2, 2], [0, 2, 0, 2]]
    assert (corners.sum(axis=1) == 1).all()
    assert (corners.mean(axis=0) > 0.2).all()
    assert (np.bincount(batch.margins.astype(int), minlength=20) > 50).all()


def test_no_positions_have_the_shapes_of_positions():
    game = game_of("go5")
    _, positions = positions_of(game, 3, np.random.default_rng(5))
    for empty, one in zip(no_positions(game), positions, strict=True):
        assert (empty.dtype, empty.shape[1:]) == (one.dtype, one.shape[1:])
    assert all(len(array) == 6 for array in join_parts([positions, no_positions(game), positions]))
