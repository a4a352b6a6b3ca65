"""What holds in every game under every rule set, on games that hypothesis makes up; and that the faces show the same games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.moves import PASS
from goban.rulesets import PRESETS
from goban.states import new_game
from golearn.environments import GoBatch
from tests.support.batches import assert_same, shown
from tests.support.missing import needs, no_package
from tests.support.states import WITHOUT_SUICIDE

PASSING = [name for name in WITHOUT_SUICIDE if PRESETS[name].passing and not PRESETS[name].unchanged_board_ends]


@st.composite
def games(draw, rules=tuple(WITHOUT_SUICIDE)):
    """Settings of a batch, and numbers from 0 to 1 that choose among the legal actions."""
    options = {
        "size": draw(st.integers(2, 6)),
        "rules": draw(st.sampled_from(rules)),
        "komi": draw(st.sampled_from([None, 0, 2.5, -3])),
        "history_length": draw(st.integers(1, 8)),
    }
    return options, draw(st.lists(st.floats(0, 1, exclude_max=True), max_size=45))


def chosen(batch, share):
    """The legal action at this share of the way through them, for one game."""
    legal = np.flatnonzero(batch.legal_action_mask[0])
    return int(legal[int(share * len(legal))])


def steps(options, shares):
    """A game of one row, before every action, with that action."""
    batch = GoBatch(**options)
    for share in shares:
        if batch.terminated[0]:
            return
        action = chosen(batch, share)
        yield batch, action
        batch.step([action])


@given(games())
def test_legal_is_what_goban_calls_legal(game):
    options, shares = game
    size = options["size"]
    state = None
    for batch, action in steps(options, shares):
        state = new_game(batch.settings.rules, size) if state is None else state
        mask = batch.legal_action_mask[0]
        assert {divmod(a, size) for a in np.flatnonzero(mask[:-1]).tolist()} == set(state.grid.points_of(state.placements()))
        assert mask[-1] == (state.why_illegal(PASS) is None)
        assert not state.is_over
        state = state.play(PASS if action == size * size else divmod(action, size))


@given(games())
def test_an_observation_is_the_board_and_what_was_seen_before(game):
    before = None
    for batch, _ in steps(*game):
        seen, board = batch.observation[0].copy(), np.array(batch.rows(0).rows())
        mover = batch.colour[0] + 1
        np.testing.assert_array_equal(seen[..., 0], board == mover)
        np.testing.assert_array_equal(seen[..., 1], board == 3 - mover)
        assert (seen[..., -1] == (mover == 2)).all()
        if before is not None:
            frames = seen.shape[-1] - 1
            older = [plane ^ 1 for plane in range(frames - 2)]
            np.testing.assert_array_equal(seen[..., 2:frames], before[..., older])
        before = seen


@given(games())
def test_what_one_wins_the_other_loses_and_only_at_the_end(game):
    options, shares = game
    batch = GoBatch(**options)
    for share in shares:
        assert not batch.rewards.any()
        assert batch.winner[0] == 0
        batch.step([chosen(batch, share)])
        if batch.terminated[0]:
            break
    assert batch.rewards.sum() == 0
    winner = batch.winner[0]
    expected = [0.0, 0.0] if winner == 0 else np.roll([1.0, -1.0], batch.player_order[0, winner - 1])
    assert batch.rewards[0].tolist() == list(expected)
    assert bool(batch.terminated[0]) == (batch.why_over(0) is not None)


@given(games(), st.floats(0, 1, exclude_max=True))
def test_a_game_that_is_over_stays_as_it_is(game, share):
    options, shares = game
    batch = GoBatch(**options, max_terminal_steps=len(shares) + 1)
    for number in (*shares, share):
        batch.step([chosen(batch, number)])
    assert batch.terminated[0]
    assert batch.legal_action_mask.all()
    before = shown(batch)
    batch.step([chosen(batch, share)])
    before["rewards"] = np.zeros_like(before["rewards"])
    assert_same(shown(batch), before)


def turned(action, size, symmetry):
    """An action on a board that is mirrored (1), upside down (2) and turned over its diagonal (4)."""
    if action == size * size:
        return action
    i, j = divmod(action, size)
    if symmetry & 1:
        j = size - 1 - j
    if symmetry & 2:
        i = size - 1 - i
    return j * size + i if symmetry & 4 else i * size + j


@given(games(), st.integers(1, 7))
def test_a_board_looked_at_from_another_side_is_the_same_game(game, symmetry):
    options, shares = game
    size, other = options["size"], GoBatch(**options)
    places = [turned(action, size, symmetry) for action in range(size * size + 1)]
    for batch, action in steps(options, shares):
        seen = batch.observation[0].reshape(size * size, -1)
        np.testing.assert_array_equal(other.observation[0].reshape(size * size, -1)[places[:-1]], seen)
        np.testing.assert_array_equal(other.legal_action_mask[0, places], batch.legal_action_mask[0])
        assert not other.terminated[0]
        other.step([places[action]])


@given(games(PASSING))
def test_with_colours_exchanged_it_is_the_same_game(game):
    """Black passes first, and White plays what Black did in the other game."""
    options, shares = game
    other, last = GoBatch(**options), options["size"] ** 2
    other.step([last])
    for batch, action in steps(options, shares):
        if other.terminated[0] or (action == last and batch.step_count[0] == 0):
            return
        frames = 2 * min(int(batch.step_count[0]) + 1, options["history_length"])
        np.testing.assert_array_equal(other.observation[..., :frames], batch.observation[..., :frames])
        np.testing.assert_array_equal(other.legal_action_mask, batch.legal_action_mask)
        assert other.colour[0] == 1 - batch.colour[0]
        other.step([action])


# The faces


@needs(no_package("pettingzoo", 1))
@settings(max_examples=30)
@given(st.integers(2, 6), games())
def test_pettingzoo_shows_the_game_of_a_batch(size, game):
    from golearn.environments.pettingzoo_envs import AGENTS, env

    face, batch = env(board_size=size), GoBatch(size)
    batch.reset(player_order=[[0, 1]])
    face.reset()
    for share in game[1]:
        agent = AGENTS[batch.colour[0]]
        assert face.agent_selection == agent
        np.testing.assert_array_equal(face.observe(agent)["observation"], batch.observation[0])
        np.testing.assert_array_equal(face.observe(agent)["action_mask"], batch.legal_action_mask[0])
        assert face.terminations[agent] == batch.terminated[0]
        if batch.terminated[0]:
            break
        action = chosen(batch, share)
        face.step(action)
        batch.step([action])
    assert [face.rewards[agent] for agent in AGENTS] == batch.rewards[0].tolist()


@needs(no_package("gymnasium", 1))
@settings(max_examples=30)
@given(games(), st.sampled_from(["black", "white"]))
def test_gymnasium_shows_the_game_of_a_batch(game, learner):
    from golearn.environments.gymnasium_envs import GoEnv

    options, shares = game
    batch, numbers = GoBatch(**options), iter(shares)
    batch.reset(player_order=[[0, 1] if learner == "black" else [1, 0]])

    def reply(observations, masks):
        np.testing.assert_array_equal(observations, batch.observation)
        np.testing.assert_array_equal(masks, batch.legal_action_mask)
        batch.step([chosen(batch, next(numbers, 0.0))])
        return [batch.actions_of(0)[-1]]

    face = GoEnv(**options, learner=learner, opponent=reply)
    seen, _ = face.reset(seed=0)
    while not batch.terminated[0] and (share := next(numbers, None)) is not None:
        np.testing.assert_array_equal(seen, batch.observation[0])
        np.testing.assert_array_equal(face.action_masks(), batch.legal_action_mask[0])
        action = chosen(batch, share)
        batch.step([action])
        seen, reward, ended, _, _ = face.step(action)
        assert (reward, ended) == (batch.rewards[0, 0], batch.terminated[0])


@pytest.mark.parametrize("symmetry", range(8))
def test_the_eight_symmetries_move_every_point_once(symmetry):
    assert sorted(turned(action, 4, symmetry) for action in range(17)) == list(range(17))
