"""Saved batches: they go on as if nothing had happened, and a file that is none is refused."""

import json
import random

import numpy as np
import pytest

from golearn.environments import BatchFileError, GoBatch, load_batch, save_batch
from tests.support.batches import assert_same, shown


@pytest.mark.parametrize("auto_reset", ["disabled", "next_step", "same_step"])
@pytest.mark.parametrize("rules", ["tromp-taylor-pgx", "course", "tromp-taylor-strict"])
def test_a_saved_batch_goes_on_alike(rules, auto_reset, tmp_path):
    batch, rng = GoBatch(4, 30, rules=rules, seed=6, auto_reset=auto_reset), np.random.default_rng(8)
    for step in range(45):
        actions = batch.sample(rng)
        actions[step % 30] = 0
        batch.step(actions)
    save_batch(batch, tmp_path / "games.npz")
    again = load_batch(tmp_path / "games.npz", threads=2)
    assert again.settings == batch.settings
    assert_same(shown(again), shown(batch))
    np.testing.assert_array_equal(again.final_observation, batch.final_observation)
    for _ in range(40):
        actions = batch.sample(rng)
        batch.step(actions)
        again.step(actions)
        assert_same(shown(again), shown(batch))


def changed(path, **arrays):
    with np.load(path) as file:
        found = {**file, **arrays}
    np.savez(path, **found)


def options(**other):
    """What a batch was made for, as `save_batch` writes it."""
    kind = {
        "size": 4, "games": 2, "rules": "tromp-taylor-pgx", "komi": None, "history_length": 8, "max_terminal_steps": 32,
        "seed": 0, "auto_reset": "disabled",
    }  # fmt: skip
    return np.array(json.dumps(kind | other))


FAULTS = [
    ({"version": np.array(2)}, "expected a batch of version 1, got 2"),
    ({"options": np.array("{}x")}, "no saved batch"),
    ({"options": np.array('{"sise": 4}')}, "sise"),
    ({"options": options(size=40)}, "size: expected a whole number from 2 to 19, got 40"),
    # Refused before there is room for them.
    ({"options": options(games=2**31 - 1)}, "steps: expected int32 of shape \\(2147483647,\\), got int32 of \\(2,\\)"),
    ({"finals": np.zeros((2, 5), dtype=np.uint64)}, "finals: expected uint64 of shape \\(2, 6\\)"),
    ({"actions": np.full((2, 3), 17, dtype=np.int16)}, "actions: expected numbers from 0 to 16"),
    ({"actions": np.full((2, 3), 16, dtype=np.int16)}, "game 0 is over before its last action"),
    ({"actions": np.zeros((2, 1), dtype=np.int16)}, "actions: expected 3 for the longest game, got 1"),
    ({"actions": np.array(0, dtype=np.int16)}, r"actions: expected int16 of shape \(2,\), got int16 of \(\)"),
    ({"steps": np.array([3, 99], dtype=np.int32)}, "steps: expected numbers from 0 to 32"),
    ({"terminated": np.array([True, False])}, "terminated: is not what the actions lead to"),
    ({"streams": np.zeros(2)}, "streams: expected uint64 of shape \\(2,\\), got float64"),
    ({"order": np.full((2, 2), 2, dtype=np.int32)}, "order: expected numbers from 0 to 1"),
    ({"rewards": np.array([[0, 0], [0, 1.01]], dtype=np.float32)}, "rewards: expected numbers from -1 to 1"),
    ({"rewards": np.full((2, 2), -1.01, dtype=np.float32)}, "rewards: expected numbers from -1 to 1"),
    ({"rewards": np.full((2, 2), np.nan, dtype=np.float32)}, "rewards: expected numbers from -1 to 1"),
    ({"winner": np.array([0, 3], dtype=np.int32)}, "winner: expected numbers from 0 to 2"),
    ({"ending": np.array([0, 6], dtype=np.int32)}, "ending: expected numbers from 0 to 5"),
    ({"order": np.ones((2, 2), dtype=np.int32)}, "player_order: expected 2 rows"),
]


@pytest.mark.parametrize(("arrays", "message"), FAULTS)
def test_what_is_wrong_with_a_file_is_said(arrays, message, tmp_path):
    batch = GoBatch(4, 2)
    for action in (1, 2, 3):
        batch.step([action, action + 4])
    save_batch(batch, tmp_path / "games.npz")
    changed(tmp_path / "games.npz", **arrays)
    with pytest.raises(BatchFileError, match=message):
        load_batch(tmp_path / "games.npz")


@pytest.mark.parametrize("content", [b"", b"PK\3\4 is how it begins", b"\x93NUMPY\1\0v\0{'descr': '|O'"])
def test_other_files_are_refused(content, tmp_path):
    (tmp_path / "games.npz").write_bytes(content)
    with pytest.raises(BatchFileError, match="no saved batch"):
        load_batch(tmp_path / "games.npz")


def test_damaged_files_are_refused_or_read(tmp_path):
    batch, rng = GoBatch(2, 3, seed=2), random.Random(4)
    batch.step([0, 1, 2])
    save_batch(batch, tmp_path / "games.npz")
    whole = (tmp_path / "games.npz").read_bytes()
    messages = []
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        (tmp_path / "games.npz").write_bytes(damaged)
        try:
            load_batch(tmp_path / "games.npz")
        except BatchFileError as error:
            messages.append(str(error))
    assert len(messages) > 200
    assert "\n" not in "".join(messages)
