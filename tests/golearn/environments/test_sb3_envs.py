"""Stable-Baselines3's face: MaskablePPO learns from it, and it shows what `GoVectorEnv` shows."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from goban.rulesets import Ending
from golearn.environments import ENDINGS, SettingError
from tests.support.missing import needs, no_package

HERE = needs(no_package("sb3-contrib", 2, extra="sb3"))


def games(**options):
    from golearn.environments.sb3_envs import GoVecEnv

    return GoVecEnv(6, 3, rules="course", learner="alternate", **options)


@HERE
def test_it_shows_what_the_games_show():
    from golearn.environments.gymnasium_envs import GoVectorEnv

    envs, same = games(), GoVectorEnv(6, 3, rules="course", learner="alternate", autoreset="same_step")
    envs.seed(5)
    np.testing.assert_array_equal(envs.reset(), same.reset(seed=5)[0])
    ends = 0
    for _ in range(30):
        masks = np.stack(envs.env_method("action_masks"))
        np.testing.assert_array_equal(masks, same.action_masks())
        one, other = envs.step(masks.argmax(axis=1)), same.step(masks.argmax(axis=1))
        for mine, theirs in zip(one[:3], other[:3], strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert one[1].dtype == np.float32
        for game, info in enumerate(one[3]):
            assert bool(info) == one[2][game]
            if info:
                ends += 1
                np.testing.assert_array_equal(info["terminal_observation"], other[4]["final_obs"][game])
                assert ENDINGS[info["ending"]] in (Ending.MOVE_LIMIT, Ending.NO_PLACEMENT)
                assert 0 < info["steps"] <= 9
                assert not info["TimeLimit.truncated"]
    assert ends > 6


@HERE
def test_what_is_asked_of_single_games():
    envs = games(render_mode="rgb_array")
    envs.reset()
    assert envs.get_attr("render_mode") == ["rgb_array"] * 6
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("nothing")
    assert [mask.shape for mask in envs.env_method("action_masks", indices=[1, 4])] == [(10,), (10,)]
    assert [len(envs.env_method("action_masks", indices=number)) for number in (2, np.int64(2), np.array([2]))] == [1, 1, 1]
    assert envs.env_is_wrapped(object) == [False] * 6
    assert envs.render().ndim == 3
    with pytest.raises(AttributeError, match="action_masks and render, not 'fly'"):
        envs.env_method("fly")
    with pytest.raises(SettingError, match="size: games of a batch have no attributes"):
        envs.set_attr("size", 3)


@HERE
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_goes_on_alike(way):
    envs = games()
    envs.reset()
    twin = way(envs)
    for _ in range(20):
        actions = np.stack(envs.env_method("action_masks")).argmax(axis=1)
        one, other = twin.step(actions), envs.step(actions)
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[2], other[2])


LEARNING = """
import warnings
warnings.simplefilter("ignore")  # of torch and its friends
import torch
torch.set_num_threads(1)
from sb3_contrib import MaskablePPO
from golearn.environments.sb3_envs import GoVecEnv
envs = GoVecEnv(16, size=3, rules="course", learner="alternate", floats=True)
model = MaskablePPO("MlpPolicy", envs, n_steps=8, batch_size=64, seed=1, device="cpu")
before = [weights.clone() for weights in model.policy.parameters()]
model.learn(16 * 8 * 2)
assert model.num_timesteps == 256
assert any((old != new).any() for old, new in zip(before, model.policy.parameters()))
print("learnt")
"""


@HERE
def test_maskable_ppo_learns_from_it():
    done = subprocess.run([sys.executable, "-c", LEARNING], capture_output=True, text=True)
    assert done.stdout == "learnt\n", done.stderr


def test_without_the_extra_one_sentence_says_what_to_install():
    code = "import sys; sys.modules['stable_baselines3'] = None\nimport golearn.environments.sb3_envs"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "stable_baselines3 is missing; install it with: " in done.stderr.splitlines()[-1]
    assert "[sb3]" in done.stderr.splitlines()[-1]
