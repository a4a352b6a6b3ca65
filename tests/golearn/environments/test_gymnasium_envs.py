"""Gymnasium's faces: its own checks, the opponent's answers, colours, and what becomes of a game that is over."""

import subprocess
import sys

import numpy as np
import pytest

from goban.common.command_lines import how_to_install
from goban.rulesets import Ending
from golearn.environments import ENDINGS, ActionError, SettingError, baseline
from tests.support.missing import needs, no_package
from tests.support.scripts import run_script

pytestmark = needs(no_package("gymnasium", 1))


@pytest.fixture(scope="module")
def envs():
    import golearn.environments.gymnasium_envs

    return golearn.environments.gymnasium_envs


@pytest.mark.parametrize("size", [3, 5, 9])
@pytest.mark.parametrize("rules", ["tromp-taylor-pgx", "course"])
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_gymnasium_finds_no_fault(size, rules, render_mode):
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    import golearn.environments.gymnasium_envs  # noqa: F401 (registers the name)

    env = gymnasium.make("go_harness/Go-v0", size=size, rules=rules, learner="alternate", render_mode=render_mode)
    check_env(env.unwrapped)


@pytest.mark.parametrize("module", ["", "golearn.environments.gymnasium_envs:"])
def test_batches_can_be_made_by_name(envs, module):
    import gymnasium

    many = gymnasium.make_vec(f"{module}go_harness/Go-v0", num_envs=3, size=5, opponent="naive", autoreset="same_step")
    assert many.reset(seed=1)[0].shape == (3, 5, 5, 17)
    assert many.observation_space.contains(many.step(many.action_space.sample())[0])
    # Gymnasium's windows and videos of batches look for the frames per second.
    assert many.unwrapped.metadata["render_fps"] == 2
    # TorchRL looks for the attribute.
    assert many.unwrapped.metadata["autoreset_mode"].name == many.unwrapped.autoreset_mode.name == "SAME_STEP"


@pytest.mark.slow
def test_a_fresh_process_makes_it_by_module_and_name():
    code = "import gymnasium; print(gymnasium.make('golearn.environments.gymnasium_envs:go_harness/Go-v0', size=3).spec.id)"
    assert run_script(code) == "go_harness/Go-v0\n"


def test_the_space_of_actions_draws_by_the_mask_of_the_infos(envs):
    """As Gymnasium's own environments with masks say it: `env.action_space.sample(info["action_mask"])`."""
    import gymnasium

    env = envs.GoEnv(3, rules="course")
    assert env.action_space == gymnasium.spaces.Discrete(10)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        over = False
        while not over:
            assert {key: value.dtype for key, value in info.items()} == {"action_mask": bool, "ending": int, "steps": int}
            assert info["ending"] == 0
            action = env.action_space.sample(info["action_mask"])
            assert info["action_mask"][action]
            _, _, over, _, info = env.step(action)
        assert ENDINGS[info["ending"]] != Ending.ILLEGAL_MOVE
    assert env.action_space.sample(mask=np.eye(10, dtype=np.int8)[7]) == 7
    assert env.action_space.sample(probability=np.eye(10)[4]) == 4


def legal(mask, rng):
    return np.where(mask, rng.random(mask.shape), -1).argmax(axis=-1)


@pytest.mark.parametrize("opponent", ["random", "naive", "greedy", lambda seen, masks: masks.argmax(axis=1)])
@pytest.mark.parametrize("learner", ["black", "white", "alternate"])
def test_the_learner_always_moves_and_is_paid_for_its_own_result(envs, opponent, learner):
    many = envs.GoVectorEnv(6, 4, opponent=opponent, learner=learner, rules="course", autoreset="same_step")
    rng = np.random.default_rng(2)
    observations, infos = many.reset(seed=5)
    colours = [observations[:, 0, 0, -1].copy()]
    for _ in range(40):
        observations, rewards, ended, truncated, infos = many.step(legal(infos["action_mask"], rng))
        assert not truncated.any()
        assert (many.batch.current_player == 0).all()
        assert not rewards[~ended].any()
        np.testing.assert_array_equal(infos["action_mask"], many.batch.legal_action_mask)
        if ended.any():
            colours.append(observations[:, 0, 0, -1].copy())
            assert [seen is not None for seen in infos["final_obs"]] == ended.tolist()
            assert {ENDINGS[k] for k in infos["final_info"]["ending"][ended]} <= {Ending.MOVE_LIMIT, Ending.NO_PLACEMENT}
    seen = {bool(colour) for row in colours for colour in row}
    assert seen == {"black": {False}, "white": {True}, "alternate": {False, True}}[learner]


def same(one, other):
    """Tell whether two values are alike to the types of their arrays, dictionaries of them too."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if one.dtype == object:
        return all(np.array_equal(*pair) for pair in zip(one, other, strict=True))
    return one.dtype == other.dtype and np.array_equal(one, other)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_a_batch_shows_what_gymnasiums_own_vector_of_games_shows(envs, mode):
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    options = {"size": 3, "rules": "littlego", "opponent": lambda seen, masks: np.where(masks[:, 4], 4, 9)}
    many = envs.GoVectorEnv(3, autoreset=mode, **options)
    theirs = AutoresetMode[mode.upper()]
    assert many.autoreset_mode is envs.GoVectorEnv(3, autoreset=theirs, **options).autoreset_mode is theirs
    single = SyncVectorEnv([lambda: envs.GoEnv(**options)] * 3, autoreset_mode=theirs)
    rng, ends = np.random.default_rng(3), 0
    (_, infos), _ = many.reset(seed=1), single.reset(seed=1)
    for _ in range(30):
        actions = legal(infos["action_mask"], rng)
        ours, theirs = many.step(actions), single.step(actions)
        for key in ("ending", "_ending", "steps", "_steps"):
            theirs[-1].pop(key, None)
        assert all(same(*pair) for pair in zip(ours, theirs, strict=True))
        ended, infos, ends = ours[2], ours[-1], ends + ours[2].sum()
        if mode == "disabled" and ended.any():
            infos = many.reset(options={"reset_mask": ended.copy()})[1]
            single.reset(options={"reset_mask": ended.copy()})
    assert ends > 5


def test_a_win_is_worth_1_and_a_loss_minus_1(envs):
    passing = envs.GoEnv(3, opponent=lambda seen, masks: np.full(len(masks), 9), komi=0.5)
    passing.reset(seed=0)
    assert passing.step(4)[1:3] == (0.0, False)
    _, reward, ended, _, info = passing.step(9)
    assert (reward, ended, ENDINGS[info["ending"]], info["steps"]) == (1.0, True, Ending.TWO_PASSES, 3)
    passing.reset(seed=0)
    assert passing.step(9)[1:3] == (-1.0, True)


def test_next_step_ignores_the_action_after_the_end(envs):
    many = envs.GoVectorEnv(2, 3, opponent=lambda seen, masks: np.full(len(masks), 9))
    many.reset(seed=0)
    _, rewards, ended, _, _ = many.step([9, 0])
    assert (rewards.tolist(), ended.tolist()) == ([-1.0, 0.0], [True, False])
    observations, rewards, ended, _, _ = many.step([0, 1])
    assert (rewards.tolist(), ended.tolist()) == ([0.0, 0.0], [False, False])
    assert not observations[0].any()
    assert many.batch.step_count.tolist() == [0, 4]


def test_games_may_be_begun_anew_by_hand(envs):
    many = envs.GoVectorEnv(2, 3, opponent=lambda seen, masks: np.full(len(masks), 9), autoreset="disabled")
    many.reset(seed=0)
    many.step([9, 0])
    _, rewards, ended, _, _ = many.step([0, 1])
    assert (rewards.tolist(), ended.tolist()) == ([0.0, 0.0], [True, False])
    many.reset(options={"reset_mask": np.array([True, False])})
    assert many.batch.step_count.tolist() == [0, 4]


def test_the_same_seed_gives_the_same_games(envs):
    runs = []
    for _ in range(2):
        many, rng = envs.GoVectorEnv(8, 5, opponent="naive", learner="alternate"), np.random.default_rng(0)
        _, infos = many.reset(seed=9)
        for _ in range(60):
            seen, _, _, _, infos = many.step(legal(infos["action_mask"], rng))
        runs.append(seen)
    np.testing.assert_array_equal(*runs)


def test_an_illegal_action_loses(envs):
    env = envs.GoEnv(3, opponent=lambda seen, masks: np.full(len(masks), 9))
    env.reset(seed=0)
    env.step(4)
    assert not env.action_masks()[4]
    _, reward, ended, _, info = env.step(4)
    assert (reward, ended, ENDINGS[info["ending"]]) == (-1.0, True, Ending.ILLEGAL_MOVE)
    with pytest.raises(ActionError, match="game 0: expected an action from 0 to 9, got 10"):
        envs.GoEnv(3).reset() and env.step(10)


def test_a_baseline_is_an_opponent_by_name_or_as_it_is(envs):
    games = []
    for opponent in ("smart", "smart-v1", baseline("smart", seed=7)):
        many, rng = envs.GoVectorEnv(8, 5, opponent=opponent, rules="course"), np.random.default_rng(0)
        _, infos = many.reset(seed=4)
        for _ in range(12):
            seen, _, _, _, infos = many.step(legal(infos["action_mask"], rng))
        games.append(seen)
    np.testing.assert_array_equal(games[0], games[1])
    np.testing.assert_array_equal(games[0], games[2])


def test_a_player_of_the_registry_answers_game_by_game(envs):
    many = envs.GoVectorEnv(3, 3, opponent="alphabeta", rules="course")
    many.reset(seed=1)
    assert many.step([4, 0, 1])[0].shape == (3, 3, 3, 17)
    assert many.batch.step_count.tolist() == [2, 2, 2]


@pytest.mark.parametrize("answer", ["'C9'", "(9, 9)", "None", "'resign'"])
def test_an_answer_that_is_no_action_names_the_game_and_the_player(envs, answer, tmp_path):
    (tmp_path / "odd.py").write_text(f"class MyPlayer:\n    def get_input(self, go, piece_type):\n        return {answer}\n")
    many = envs.GoVectorEnv(2, 3, opponent=str(tmp_path / "odd.py"), rules="aga")
    many.reset(seed=1)
    with pytest.raises(ActionError, match="game 0: "):
        many.step([4, 0])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"opponent": "nobody"}, "opponent: expected a player .*, got 'nobody'"),
        ({"opponent": "greedy-v9"}, "baseline: expected greedy-v1, the version of this release, got 'greedy-v9'"),
        ({"opponent": "perfect"}, "perfect: expected rules course or littlego, got 'tromp-taylor-pgx'"),
        ({"learner": "red"}, "learner: expected one of black, white, alternate, got 'red'"),
        ({"render_mode": "film"}, "render_mode: expected one of ansi, rgb_array, got 'film'"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_refused(envs, wrong, message):
    with pytest.raises(SettingError, match=message):
        envs.GoEnv(3, **wrong)


def test_pictures_and_texts_show_the_board(envs):
    env = envs.GoEnv(3, opponent=lambda seen, masks: np.full(len(masks), 9), render_mode="ansi")
    env.reset(seed=0)
    env.step(4)
    assert env.render() == "   A B C\n 3 . . .  3\n 2 . X .  2\n 1 . . .  1\n   A B C\nblack to move\n"
    env.step(9)
    assert "two passes, black wins" in env.render() or "two passes, white wins" in env.render()


def test_a_picture_has_the_colours_of_the_stones_and_a_dot_on_the_last(envs):
    env = envs.GoEnv(3, opponent=lambda seen, masks: np.full(len(masks), 8), render_mode="rgb_array")
    env.reset(seed=0)
    env.step(0)
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((72, 72, 3), np.uint8)
    black, white, wood = picture[12, 5], picture[60, 53], picture[6, 36]
    assert black.max() < 50 < wood.min() < wood.max() < 230 < white.min()
    np.testing.assert_array_equal(picture[12, 12], black)
    np.testing.assert_array_equal(picture[60, 60], black)


def test_without_the_extra_one_sentence_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None\nimport golearn.environments.gymnasium_envs"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"gymnasium is missing; install it with: {how_to_install('env')}" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError("no answer"), None])
@pytest.mark.parametrize("autoreset", ["disabled", "same_step"])
def test_after_a_step_that_failed_halfway_all_games_begin_anew(envs, failure, autoreset):
    """Otherwise the learner would play the opponent's stones."""
    answers = iter(range(100))

    def opponent(seen, masks):
        if next(answers) != 1:
            return masks.argmax(axis=1)
        if failure is None:
            return np.full(len(masks), 99)  # no action
        raise failure

    many = envs.GoVectorEnv(2, 5, opponent=opponent, autoreset=autoreset)
    many.reset(seed=1)
    many.step([12, 13])
    with pytest.raises((KeyboardInterrupt, ValueError, ActionError)):
        many.step([7, 8])
    with pytest.raises(SettingError, match=r"^reset: must come before the first step, and after a step that failed halfway"):
        many.step([17, 18])
    many.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(SettingError, match="for all games"):
        many.step([17, 18])
    many.reset()
    many.step([7, 8])
    assert (many.batch.step_count == 2).all()


def test_a_step_whose_actions_are_none_may_be_made_again(envs):
    many = envs.GoVectorEnv(2, 5)
    many.reset(seed=1)
    with pytest.raises(ActionError):
        many.step([7, 99])
    many.step([7, 8])
    assert (many.batch.step_count == 2).all()
