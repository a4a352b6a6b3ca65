"""Batches of games: neither threads nor the games beside it change a game; samples, copies, and kernels without numba."""

import numpy as np
import pytest

from golearn.environments import GoBatch, SettingError
from tests.support.batches import SHOWN, assert_same, shown
from tests.support.scripts import run_script


@pytest.mark.parametrize(("size", "games", "threads"), [(3, 70, 3), (5, 33, 2), (9, 50, 4)])
@pytest.mark.parametrize("auto_reset", ["disabled", "next_step", "same_step"])
def test_a_game_is_the_same_alone_and_in_a_batch(size, games, threads, auto_reset):
    batch = GoBatch(size, games, seed=3, threads=threads, auto_reset=auto_reset)
    rng = np.random.default_rng(1)
    alone = {}
    for g in (0, games // 2, games - 1):
        alone[g] = GoBatch(size, 1, auto_reset=auto_reset)
        alone[g].reset(player_order=batch.player_order[g : g + 1])
    for _ in range(5 * size * size):
        actions = batch.sample(rng)
        batch.step(actions)
        for g, one in alone.items():
            was_new = one.step_count[0] == 0
            one.step(actions[g : g + 1])
            if one.step_count[0] == 0 and not was_new:
                one.reset(player_order=batch.player_order[g : g + 1])
                for name in ("rewards", "terminated", "winner", "ending"):
                    getattr(one, name)[0] = getattr(batch, name)[g]
            assert_same(shown(one, 0), shown(batch, g))


def test_neither_threads_nor_further_games_change_the_chance():
    orders = [GoBatch(5, games, seed=11, threads=threads).player_order for games, threads in ((40, 1), (40, 2), (7, 1))]
    np.testing.assert_array_equal(orders[0], orders[1])
    np.testing.assert_array_equal(orders[0][:7], orders[2])
    assert 0 < orders[0][:, 0].sum() < 40
    assert (GoBatch(5, 40, seed=12).player_order != orders[0]).any()


def test_the_same_seed_samples_the_same_actions_and_only_legal_ones():
    batch = GoBatch(5, 500, rules="course")
    rngs = [np.random.default_rng(5) for _ in range(2)]
    seen = np.zeros(26, dtype=bool)
    for _ in range(20):
        actions = batch.sample(rngs[0])
        np.testing.assert_array_equal(actions, batch.sample(rngs[1]))
        assert batch.legal_action_mask[np.arange(500), actions].all()
        seen[actions] = True
        batch.step(actions)
    assert seen[:25].all()


# The observations of the last batch are written past the caches.
@pytest.mark.parametrize(
    ("auto_reset", "size", "games", "moves"),
    [("disabled", 4, 70, 60), ("next_step", 4, 70, 60), ("same_step", 4, 70, 60), ("same_step", 11, 4100, 5)],
)
def test_all_games_are_the_same_in_smaller_batches_and_with_other_threads(auto_reset, size, games, moves):
    whole = GoBatch(size, games, seed=3, auto_reset=auto_reset)
    kinds = ((games, 3), (33, 2), (1, 1))
    parts = [GoBatch(size, number, seed=3, threads=threads, auto_reset=auto_reset) for number, threads in kinds]
    rng = np.random.default_rng(2)
    for _ in range(moves):
        # One in fifty is any action, most of which are illegal; one game in ten waits.
        actions = np.where(rng.random(games) < 0.02, rng.integers(size * size + 1, size=games), whole.sample(rng))
        steps = rng.random(games) < 0.9
        whole.step(actions, steps)
        for part in parts:
            number = len(part)
            part.step(actions[:number], steps[:number])
            assert_same(shown(part), shown(whole, slice(number)))
            np.testing.assert_array_equal(part.final_observation, whole.final_observation[:number])


def test_a_copy_goes_on_alike_and_can_be_gone_back_to():
    batch, rng = GoBatch(5, 20, seed=2, auto_reset="same_step"), np.random.default_rng(0)
    for _ in range(30):
        batch.step(batch.sample(rng))
    kept = batch.copy()
    actions = []
    for _ in range(60):
        actions.append(batch.sample(rng))
        batch.step(actions[-1])
    after = shown(batch)
    batch.restore(kept)
    for step in actions:
        batch.step(step)
        kept.step(step)
    assert_same(shown(batch), after)
    assert_same(shown(kept), after)
    with pytest.raises(SettingError, match="made as this one"):
        batch.restore(GoBatch(5, 19))


SCRIPT = f"""
import zlib
import numpy as np
from golearn.environments import GoBatch
found = 0
for size, rules, history in [(2, "tromp-taylor-pgx", 8), (3, "course", 2), (5, "tromp-taylor-pgx", 8), (8, "course", 3)]:
    batch, rng = GoBatch(size, 3, rules=rules, history_length=history, auto_reset="same_step"), np.random.default_rng(0)
    for step in range(25):
        actions = batch.sample(rng)
        actions[step % 3] = step % 4
        batch.step(actions)
        for name in {SHOWN}:
            found = zlib.crc32(getattr(batch, name).tobytes(), found)
        found = zlib.crc32(batch.final_observation.tobytes(), found)
print(found)
"""


@pytest.mark.slow
def test_uncompiled_kernels_show_the_same():
    assert run_script(SCRIPT) == run_script(SCRIPT, NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize("auto_reset", ["disabled", "next_step", "same_step"])
def test_a_step_that_shows_nothing_is_a_step_all_the_same(auto_reset):
    seen, unseen = (GoBatch(3, 20, seed=4, auto_reset=auto_reset) for _ in range(2))
    rng = np.random.default_rng(2)
    for step in range(60):
        before, actions = unseen.observation.copy(), seen.sample(rng)
        seen.step(actions)
        unseen.step(actions, show=step % 2 == 1)
        if step == 0:
            np.testing.assert_array_equal(unseen.observation, before)
        elif step % 2 == 1:
            assert_same(shown(seen), shown(unseen))


@pytest.mark.parametrize("threads", [1, 2])
def test_arrays_that_cannot_be_written_are_taken(threads):
    batch, like = GoBatch(3, 32, threads=threads), GoBatch(3, 32)
    actions, mask, order = np.arange(32) % 9, np.arange(32) % 2 == 0, np.tile([1, 0], (32, 1))
    like.step(actions)
    like.reset(mask, order)
    like.step(actions, mask)
    for array in (actions, mask, order):
        array.flags.writeable = False
    batch.step(actions)
    batch.reset(mask, order)
    batch.step(actions, mask)
    assert np.array_equal(batch.observation, like.observation)
    assert np.array_equal(batch.current_player, like.current_player)
