"""The rules of a batch: Pgx's conventions, the reference rules under every preset, and what ends a game."""

from dataclasses import replace

import numpy as np
import pytest

from goban.moves import PASS
from goban.rulesets import Ending, ruleset
from goban.states import new_game
from golearn.environments import GoBatch
from tests.support.batches import assert_same, shown
from tests.support.states import WITHOUT_SUICIDE


def played(actions, **options):
    batch = GoBatch(games=1, **options)
    batch.reset(player_order=[[0, 1]])
    for action in actions:
        batch.step([action])
    return batch


# Against the reference rules


def expected_observation(states, history):
    """The planes of the last of these states, for the player to move there."""
    size, mover = states[-1].grid.size, states[-1].to_move
    planes = np.zeros((size, size, 2 * history + 1), dtype=bool)
    for age, state in enumerate(states[::-1][:history]):
        board = np.array(state.rows())
        planes[..., 2 * age], planes[..., 2 * age + 1] = board == mover, board == 3 - mover
    # There was no board before the first.
    planes[..., -1] = mover == 2
    return planes


def legal_actions(state):
    """The mask of a state: all actions once it is over."""
    size = state.grid.size
    mask = np.full(size * size + 1, state.is_over)
    for move in state.legal_moves():
        if move is PASS:
            mask[-1] = True
        elif isinstance(move, tuple):
            mask[move[0] * size + move[1]] = True
    return mask


@pytest.mark.parametrize(
    ("size", "komi", "history"), [(2, None, 8), (3, 0, 2), (4, -3, 1), (5, None, 8), (7, 6.5, 3),
     pytest.param(9, 7, 8, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("preset", WITHOUT_SUICIDE)
def test_every_rule_set_plays_as_goban_does(preset, size, komi, history):
    batch = GoBatch(size, 6, rules=preset, komi=komi, history_length=history, seed=size)
    rng = np.random.default_rng(size)
    games = [[new_game(batch.settings.rules, size)] for _ in range(len(batch))]
    while not batch.terminated.all():
        actions = batch.sample(rng)
        for states, action in zip(games, actions.tolist(), strict=True):
            if not states[-1].is_over:
                states.append(states[-1].play(PASS if action == size * size else divmod(action, size)))
        batch.step(actions)
        for g, states in enumerate(games):
            state = states[-1]
            np.testing.assert_array_equal(batch.legal_action_mask[g], legal_actions(state))
            np.testing.assert_array_equal(batch.observation[g], expected_observation(states, history))
            assert batch.terminated[g] == state.is_over
            assert batch.why_over(g) is state.ending
            assert batch.winner[g] == (state.outcome.winner if state.is_over else 0)
            assert batch.rows(g) == state


# Pgx's ends: actions on a board, all legal, of which the last makes an earlier board again

REPETITIONS = [
    (2, [0, 1, 2, 3, 0, 2, 0]),
    (2, [0, 1, 2, 4, 3, 1, 0]),
    (3, [3, 7, 1, 5, 4, 2, 8, 5]),
    (3, [6, 4, 1, 8, 3, 2, 5, 9, 2, 0, 1]),
    (5, [9, 14, 23, 6, 19, 21, 2, 7, 13, 1, 14, 18, 15, 4, 17, 11, 22, 8, 20, 10, 3, 4, 2]),
]


@pytest.mark.parametrize(("size", "actions"), REPETITIONS)
@pytest.mark.parametrize("last_step", [False, True])
def test_who_makes_an_earlier_board_again_loses(size, actions, last_step):
    batch = played(actions[:-1], size=size, max_terminal_steps=len(actions) if last_step else None)
    mover = int(batch.current_player[0])
    assert batch.legal_action_mask[0, actions[-1]]
    assert not batch.terminated[0]
    batch.step(actions[-1:])
    assert batch.why_over(0) is Ending.REPETITION
    assert batch.rewards[0, mover] == -1
    assert batch.rewards[0, 1 - mover] == 1


def test_a_tie_is_a_win_for_white():
    batch = played([25, 25], size=5, komi=0)
    assert batch.rewards.tolist() == [[-1, 1]]
    assert (batch.winner[0], batch.why_over(0)) == (2, Ending.TWO_PASSES)


def test_the_games_end_after_twice_as_many_steps_as_points():
    batch = GoBatch(3, 1)
    rng = np.random.default_rng(4)
    while batch.why_over(0) is not Ending.MOVE_LIMIT:
        batch.reset(batch.terminated)
        batch.step(batch.sample(rng))
    assert batch.step_count[0] == 18


@pytest.mark.parametrize(
    ("actions", "stone"),
    [([12, 12], 12), ([1, 24, 5, 0], 0), ([0, 2, 1, 6, 25, 10, 5], 5)],
    ids=["occupied", "suicide of one", "suicide of three"],
)
def test_an_illegal_action_loses_and_its_stone_is_seen(actions, stone):
    batch = played(actions[:-1], size=5)
    mover = int(batch.current_player[0])
    assert not batch.legal_action_mask[0, actions[-1]]
    batch.step(actions[-1:])
    assert batch.why_over(0) is Ending.ILLEGAL_MOVE
    assert batch.rewards[0, mover] == -1
    assert batch.rewards[0].sum() == 0
    assert batch.current_player[0] == 1 - mover
    assert batch.legal_action_mask.all()
    assert batch.observation[0, stone // 5, stone % 5, :2].tolist() == [False, True]


def test_a_pass_is_illegal_in_the_course():
    batch = played([0, 25], size=5, rules="course")
    assert batch.why_over(0) is Ending.ILLEGAL_MOVE
    assert batch.winner[0] == 1
    assert batch.rows(0).n_move == 1


def test_a_step_after_the_end_changes_nothing_but_the_rewards():
    batch = played([9, 9], size=3)
    before = shown(batch)
    batch.step([4])
    after = shown(batch)
    assert before.pop("rewards").any()
    assert not after["rewards"].any()
    before["rewards"] = after["rewards"]
    assert_same(before, after)


def test_komi_and_the_move_limit_are_part_of_the_rules():
    rules = GoBatch(7, 1, rules=replace(ruleset("course"), fixed_komi=1.5), max_terminal_steps=11).settings.rules
    assert (rules.komi(7), rules.max_move(7), rules.passing) == (1.5, 11, False)
    assert GoBatch(7, 1, rules="alphago7").settings.rules.max_move(7) == 98
