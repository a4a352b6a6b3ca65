"""Copies: by `copy`, `deepcopy` and `pickle` every public object goes on as the one it was made of, which stays as it is."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.kernels.environments.opponents import FINDERS
from goban.rulesets import PRESETS
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.weights import architecture_for, write_weights
from golearn.environments import Go, GoBatch, baseline
from tests.support.batches import SHOWN, assert_same, shown
from tests.support.missing import needs, no_package
from tests.support.plain_networks import any_weights
from tests.support.scripts import run_script
from tests.support.states import WITHOUT_SUICIDE

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda it: pickle.loads(pickle.dumps(it)),
    "deepcopy within a list": lambda it: copy.deepcopy([it, it])[1],
}
MODES = ["disabled", "next_step", "same_step"]
# Where many things are copied in each way, the short suite takes the one that writes everything out.
IN_EACH_WAY = pytest.mark.parametrize(
    "way", [pytest.param(way, marks=[pytest.mark.slow] * (way != "pickle")) for way in WAYS]
)


def any_actions(batch, rng):
    """Legal actions, and one in thirty that is any."""
    return np.where(rng.random(len(batch)) < 0.03, rng.integers(batch.settings.actions, size=len(batch)), batch.sample(rng))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(WITHOUT_SUICIDE), st.sampled_from(MODES), st.sampled_from(list(WAYS)), st.integers(2, 6), st.integers(1, 8),
    st.sampled_from([(1, 1), (7, 1), (40, 2), (40, 3)]), st.integers(0, 60), st.integers(0, 2**32),
)  # fmt: skip
def test_a_batch(rules, mode, way, size, history, many, steps, seed):
    games, threads = many
    batch = GoBatch(size, games, rules=rules, history_length=history, threads=threads, auto_reset=mode, seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(any_actions(batch, rng))
    twin = WAYS[way](batch)
    assert_same(shown(twin), shown(batch))
    for _ in range(12):
        before, actions = shown(batch), any_actions(batch, rng)
        twin.step(actions)
        assert_same(shown(batch), before)
        batch.step(actions)
        assert_same(shown(twin), shown(batch))
        np.testing.assert_array_equal(twin.final_observation, batch.final_observation)
        np.testing.assert_array_equal(twin.player_order, batch.player_order)
    assert twin.rows(games - 1) == batch.rows(games - 1)
    assert twin.threads == threads
    twin.reset()
    batch.reset()
    assert_same(shown(twin), shown(batch))


@pytest.mark.parametrize("way", WAYS)
def test_what_somebody_has_added_to_a_batch_goes_with_it(way):
    class Named(GoBatch):
        pass

    globals()["Named"] = Named  # pickle looks for it
    Named.__qualname__ = "Named"
    batch = Named(3, 2)
    batch.name = ["mine"]
    twin = WAYS[way](batch)
    assert isinstance(twin, Named)
    assert twin.name == ["mine"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("auto_reset", MODES)
def test_a_state_that_does_not_change(way, auto_reset):
    env, rng = Go(size=4, auto_reset=auto_reset), np.random.default_rng(0)
    state = env.init(seed=3, games=5)
    for _ in range(40):
        twin, actions = WAYS[way](state), rng.integers(17, size=5)
        assert_same(vars_of(twin), vars_of(state))
        with pytest.raises(ValueError, match="read-only"):
            twin.observation[:] = 0
        one, state = WAYS[way](env).step(twin, actions), env.step(state, actions)
        assert_same(vars_of(one), vars_of(state))


def vars_of(state):
    return {name: getattr(state, name) for name in SHOWN}


# With opponents

OPPONENTS = ["random", "naive", "greedy", "smart", "my", "perfect", "alphabeta", "montecarlo:simulations=20"]


def named(opponent):
    """The name of a test. A function's own text has its address, another in each process."""
    return getattr(opponent, "__name__", str(opponent))


def highest(observations, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "net.npz"
    write_weights(path, any_weights(architecture_for(CompleteGame(GoGame(PRESETS["course"], 3)), 8, 1)))
    return str(path)


@needs(no_package("gymnasium", 1))
@IN_EACH_WAY
@pytest.mark.parametrize("opponent", [*OPPONENTS, "network", highest, baseline("smart", seed=1)], ids=named)
def test_a_learner_against_an_opponent(way, opponent, network):
    from golearn.environments.gymnasium_envs import GoEnv, GoVectorEnv

    opponent = network if opponent == "network" else opponent
    single = GoEnv(3, opponent=opponent, rules="course", learner="alternate")
    single.reset(seed=1)
    single.step(4)
    twin = WAYS[way](single)
    for env in (single, twin, single, twin):
        env.reset() if env.batch.terminated[0] else env.step(int(env.action_masks().argmax()))
    assert_same(shown(twin.batch), shown(single.batch))
    many = GoVectorEnv(3, 3, opponent=opponent, rules="course", learner="alternate", autoreset="same_step")
    many.reset(seed=2)
    goes_on_alike(many, WAYS[way](many), 6)


@needs(no_package("gymnasium", 1))
@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(WITHOUT_SUICIDE), st.sampled_from(MODES), st.sampled_from(list(WAYS)),
    st.sampled_from(list(FINDERS)), st.sampled_from([2, 4, 9]),
    st.sampled_from(["black", "white", "alternate"]), st.sampled_from([(2, 1), (40, 2)]), st.integers(0, 40),
)  # fmt: skip
def test_many_learners(rules, mode, way, opponent, size, learner, many, steps):
    from golearn.environments.gymnasium_envs import GoVectorEnv

    games, threads = many
    envs = GoVectorEnv(games, size, rules=rules, opponent=opponent, learner=learner, autoreset=mode, threads=threads)
    rng = np.random.default_rng(steps)
    envs.reset(seed=steps)
    for _ in range(steps):
        envs.step(envs.batch.sample(rng))
    goes_on_alike(envs, WAYS[way](envs), 10)


def goes_on_alike(envs, twin, steps):
    rng = np.random.default_rng(1)
    for _ in range(steps):
        before, actions = shown(envs.batch), any_actions(envs.batch, rng)
        one = twin.step(actions)
        assert_same(shown(envs.batch), before)
        other = envs.step(actions)
        for mine, theirs in zip(one[:4], other[:4], strict=True):
            np.testing.assert_array_equal(mine, theirs)
        np.testing.assert_array_equal(one[4]["action_mask"], other[4]["action_mask"])
    np.testing.assert_array_equal(twin.reset(seed=5)[0], envs.reset(seed=5)[0])
    envs.step(envs.action_masks().argmax(axis=1))
    assert (twin.batch.step_count <= 1).all()


@needs(no_package("gymnasium", 1))
@pytest.mark.parametrize("way", WAYS)
def test_what_gymnasium_has_wrapped(way):
    import gymnasium

    import golearn.environments.gymnasium_envs  # noqa: F401 (registers the name)

    env = gymnasium.make("go_harness/Go-v0", size=4)
    env.reset(seed=0)
    env.step(5)
    if way == "copy":  # of their wrapper, which holds the same game
        return
    twin = WAYS[way](env)
    for _ in range(10):
        action = int(env.unwrapped.action_masks().argmax())
        mine, theirs = twin.step(action), env.step(action)
        np.testing.assert_array_equal(mine[0], theirs[0])
        assert mine[1:4] == theirs[1:4]
        if mine[2]:
            break


@needs(no_package("pettingzoo", 1))
@pytest.mark.parametrize("name", ["env", "raw_env"])
@settings(max_examples=20, deadline=None)
@given(st.sampled_from(list(WAYS)), st.integers(0, 30), st.integers(0, 2**32))
def test_two_agents(name, way, steps, seed):
    from golearn.environments import pettingzoo_envs

    env, rng = getattr(pettingzoo_envs, name)(board_size=3, komi=0.5), np.random.default_rng(seed)

    def act(*faces):
        """Take the same action in each: a legal one, one of ten any; None where the game is over."""
        first = faces[0].unwrapped
        action = None if first.over else int(rng.integers(10) if rng.random() < 0.1 else first.batch.sample(rng)[0])
        for face in faces:
            face.step(action)

    def seen(face):
        inner = face.unwrapped
        last = face.last() if inner.agents else ()
        return last, inner.agents, inner.rewards, inner.terminations, inner.truncations, inner.infos, inner._cumulative_rewards

    env.reset()
    for _ in range(steps):
        if env.agents:
            act(env)
    twin = WAYS[way](env)
    np.testing.assert_equal(seen(twin), seen(env))
    for _ in range(8):
        if not env.agents:
            break
        act(env, twin)
        np.testing.assert_equal(seen(twin), seen(env))
    before = copy.deepcopy(seen(env))
    twin.reset()
    twin.step(4)
    np.testing.assert_equal(seen(env), before)


@IN_EACH_WAY
@pytest.mark.parametrize("name", ["random", "smart", "my", "montecarlo-1000", "perfect"])
def test_a_baseline(way, name):
    batch = GoBatch(3, 4, rules="course")
    player = baseline(name, seed=3)
    batch.step(player(batch))
    twin = WAYS[way](player)
    while not batch.terminated.all():
        actions = player(batch)
        np.testing.assert_array_equal(twin(batch), actions)
        batch.step(actions)


# Other processes

FORKED = """
import os, sys, zlib
import numpy as np
from golearn.environments import GoBatch

def played(batch, seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        batch.step(batch.sample(rng))
    return zlib.crc32(batch.observation.tobytes())

# Without threads of its own yet, with some, and a copy of it.
for begin in (lambda batch: batch, lambda batch: played(batch, 1) and batch, lambda batch: played(batch, 1) and batch.copy()):
    batch = begin(GoBatch(5, 64, threads=4, seed=1))
    wanted = played(batch.copy(), 2)
    reading, writing = os.pipe()
    # As a library does that makes its workers by fork.
    child = os.fork()
    if child == 0:
        os.write(writing, str(played(batch, 2)).encode())
        os._exit(0)
    os.close(writing)
    assert int(os.read(reading, 100)) == wanted == played(batch, 2)
    assert os.waitpid(child, 0)[1] == 0
print("equal")
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork here")
def test_a_batch_with_threads_goes_on_in_a_child():
    # Python warns of forks beside threads: that they are made is the point here.
    assert run_script("import warnings; warnings.simplefilter('ignore', DeprecationWarning)\n" + FORKED) == "equal\n"
