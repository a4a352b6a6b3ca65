"""PettingZoo's face: its own tests, go_v5's spaces and wrappers, and what each agent sees."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from goban.common.command_lines import how_to_install
from golearn.environments import ENDINGS, ActionError
from tests.support.missing import needs, no_package

pytestmark = needs(no_package("pettingzoo", 1))

# `api_test` says so of every environment whose name it does not know, as far as its observations are dictionaries.
KNOWN = ("Observation is not a NumPy array", "Observation space for each agent probably should be", "numpy array is all zeros")


@pytest.fixture(scope="module")
def zoo():
    import golearn.environments.pettingzoo_envs

    return golearn.environments.pettingzoo_envs


@pytest.fixture(autouse=True)
def no_other_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in KNOWN:
            warnings.filterwarnings("ignore", f".*{text}")
        yield


@pytest.mark.parametrize("size", [5, 9, 19])
def test_pettingzoo_finds_no_fault(zoo, size, capsys):
    from pettingzoo.test import api_test, render_test, seed_test

    api_test(zoo.env(board_size=size), num_cycles=1000)
    seed_test(lambda: zoo.env(board_size=size), 500)
    render_test(lambda **options: zoo.env(board_size=size, **options))
    assert "Passed" in capsys.readouterr().out
    assert "pygame" not in sys.modules


def test_spaces_and_agents_are_those_of_go_v5(zoo):
    env = zoo.env(board_size=9)
    assert env.possible_agents == ["black_0", "white_0"]
    space = env.observation_space("black_0")
    assert space["observation"].shape == (9, 9, 17)
    assert (space["observation"].dtype, space["action_mask"].dtype) == (np.bool_, np.int8)
    assert (space["action_mask"].shape, env.action_space("white_0").n) == ((82,), 82)
    assert env.unwrapped.metadata["is_parallelizable"] is False


def test_each_agent_sees_its_own_stones_first(zoo):
    env = zoo.env(board_size=5)
    env.reset()
    env.step(7)
    env.step(12)
    black, white = env.observe("black_0"), env.observe("white_0")
    assert black["observation"][1, 2, :2].tolist() == [True, False]
    assert white["observation"][1, 2, :2].tolist() == [False, True]
    assert not black["observation"][..., -1].any()
    assert white["observation"][..., -1].all()
    assert black["action_mask"].sum() == 24
    assert white["action_mask"].sum() == 0


def test_rewards_go_to_both_agents(zoo):
    env = zoo.env(board_size=3, komi=0.5)
    env.reset()
    for action in (4, 9, 9):
        env.step(action)
    assert env.rewards == {"black_0": 1.0, "white_0": -1.0}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_an_illegal_action_costs_its_agent_1_and_the_other_nothing(zoo):
    env = zoo.env(board_size=3)
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"black_0": 0, "white_0": -1.0}
    assert all(env.terminations.values())
    assert all(env.truncations.values())


@pytest.mark.parametrize(("size", "actions", "why"), [
    (3, [4, 9, 9], "two passes"), (3, [4, 4], "illegal move"), (3, [3, 7, 1, 5, 4, 2, 8, 5], "repetition"),
    (2, [0, 1, 2, 4, 3, 1, 0], "repetition"),
])  # fmt: skip
def test_why_a_game_is_over_is_in_the_infos(zoo, size, actions, why):
    env = zoo.env(board_size=size)
    env.reset()
    for action in actions:
        assert env.last()[4] == {"ending": 0}
        env.step(action)
    assert env.infos["black_0"] == env.infos["white_0"] == env.last()[4]
    assert ENDINGS[env.last()[4]["ending"]].value == why
    env.reset()
    assert env.infos == {"black_0": {"ending": 0}, "white_0": {"ending": 0}}


def test_after_an_illegal_action_both_agents_are_told_and_leave(zoo):
    env = zoo.env(board_size=3)
    env.reset()
    env.step(4)
    env.step(4)
    told = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        told[agent] = (reward, terminated, truncated)
        env.step(None)
    assert told == {"black_0": (0, True, True), "white_0": (-1, True, True)}
    assert env.agents == []


@pytest.mark.parametrize("action", [10, -1, 2**70, None, 5.0, float("nan"), "C3", [3], np.array([3]), True], ids=repr)
def test_an_action_that_is_none_is_refused_and_changes_nothing(zoo, action):
    env = zoo.env(board_size=3)
    env.reset()
    env.step(4)
    with pytest.raises(ActionError):
        env.step(action)
    assert env.agent_selection == "white_0"
    assert not any(env.terminations.values())
    env.step(0)


@pytest.mark.parametrize("number", [int, np.int8, np.uint64, np.array])
def test_an_action_may_be_any_whole_number(zoo, number):
    env = zoo.env(board_size=3)
    env.reset()
    env.step(number(4))
    assert env.observe("black_0")["observation"][1, 1, 0]
    env.step(number(4))
    assert env.rewards == {"black_0": 0, "white_0": -1.0}


def test_calls_in_the_wrong_order_are_refused(zoo):
    with pytest.raises(AttributeError, match="reset"):
        zoo.env(board_size=3).last()


def test_two_boards_of_different_sizes_do_not_disturb_each_other(zoo):
    small, large = zoo.env(board_size=3), zoo.env(board_size=9)
    small.reset()
    large.reset()
    for env, action in ((small, 8), (large, 80), (small, 0), (large, 0)):
        env.step(action)
    assert small.last()[0]["observation"].shape == (3, 3, 17)
    assert large.last()[0]["observation"].shape == (9, 9, 17)


def test_the_name_is_registered(zoo):
    import pettingzoo

    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no register")
    assert pettingzoo.make("aec", "go_harness/Go-v0", board_size=5).action_space("black_0").n == 26


def test_human_rendering_prints_the_board(zoo, capsys):
    env = zoo.env(board_size=2, render_mode="human")
    env.reset()
    env.step(0)
    assert capsys.readouterr().out == "   A B\n 2(X).  2\n 1 . .  1\n   A B\nwhite to move\n\n"


def test_without_the_extra_one_sentence_says_what_to_install():
    code = "import sys; sys.modules['pettingzoo'] = None\nimport golearn.environments.pettingzoo_envs"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pettingzoo is missing; install it with: {how_to_install('env')}" in done.stderr.splitlines()[-1]
