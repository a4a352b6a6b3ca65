"""Observations channels first and as numbers, in every face."""

import numpy as np
import pytest

from golearn.environments import GoBatch
from golearn.environments.views import View, other_side
from tests.support.missing import needs, no_package

KINDS = [(False, False), (False, True), (True, False), (True, True)]


@pytest.mark.parametrize(("channels_first", "floats"), KINDS)
def test_a_view_shows_the_same_in_another_form(channels_first, floats):
    batch = GoBatch(4, 3, history_length=2)
    batch.step([0, 5, 16])
    view = View(channels_first, floats)
    seen, one = view.of(batch.observation), view.of(batch.observation[1])
    assert seen.shape == ((3, 5, 4, 4) if channels_first else (3, 4, 4, 5))
    assert seen.shape[1:] == one.shape == view.shape(batch.observation.shape[1:])
    assert seen.dtype == view.dtype == (np.float32 if floats else np.bool_)
    assert seen.flags.c_contiguous
    assert not np.shares_memory(seen, batch.observation)
    back = np.moveaxis(seen, 1, -1) if channels_first else seen
    np.testing.assert_array_equal(back.astype(bool), batch.observation)
    np.testing.assert_array_equal(seen[1], one)


def test_what_the_other_side_sees_seen_from_the_other_side_is_the_same():
    batch = GoBatch(3, 2)
    for actions in ([0, 4], [1, 9], [2, 3]):
        batch.step(actions)
    np.testing.assert_array_equal(other_side(other_side(batch.observation)), batch.observation)
    assert (other_side(batch.observation)[..., :16].sum() == batch.observation[..., :16].sum()).all()


@needs(no_package("gymnasium", 1))
@pytest.mark.parametrize(("channels_first", "floats"), KINDS)
def test_gymnasium(channels_first, floats):
    from golearn.environments.gymnasium_envs import GoEnv, GoVectorEnv

    shown = {"channels_first": channels_first, "floats": floats}
    envs = [GoVectorEnv(2, 3, autoreset="same_step", **options) for options in (shown, {})]
    view = View(channels_first, floats)
    for name in ("reset", *["step"] * 40):
        masks = envs[0].action_masks()
        mine, theirs = (env.reset(seed=3) if name == "reset" else env.step(masks.argmax(axis=1)) for env in envs)
        np.testing.assert_array_equal(mine[0], view.of(theirs[0]))
        assert mine[0].dtype == envs[0].observation_space.dtype
        assert envs[0].observation_space.contains(mine[0])
        for game in np.flatnonzero(mine[2]) if name == "step" else ():
            np.testing.assert_array_equal(mine[4]["final_obs"][game], view.of(theirs[4]["final_obs"][game]))
    single = GoEnv(3, channels_first=channels_first, floats=floats)
    assert single.observation_space.contains(single.reset(seed=1)[0])


@needs(no_package("pettingzoo", 1))
@pytest.mark.parametrize(("channels_first", "floats"), KINDS)
def test_pettingzoo(channels_first, floats):
    from golearn.environments.pettingzoo_envs import env

    mine, plain = env(board_size=3, channels_first=channels_first, floats=floats), env(board_size=3)
    for face in (mine, plain):
        face.reset()
        face.step(4)
    for agent in mine.possible_agents:
        seen = mine.observe(agent)
        assert mine.observation_space(agent).contains(seen)
        np.testing.assert_array_equal(seen["observation"], View(channels_first, floats).of(plain.observe(agent)["observation"]))
