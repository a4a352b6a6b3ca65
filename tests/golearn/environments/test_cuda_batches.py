"""The kernels of a card play what those of the processor play: numba's simulator of a card against a `GoBatch`."""

import hashlib
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from numba import cuda

from golearn.environments import ActionError, EnvironmentsError, GoBatch, cuda_batches
from golearn.environments.cuda_batches import CudaGoBatch
from tests.support.documents import ROOT

SETTINGS = [
    {"size": 3, "rules": "tromp-taylor-pgx", "auto_reset": "disabled"},
    {"size": 5, "rules": "tromp-taylor-pgx", "auto_reset": "same_step", "history_length": 2},
    {"size": 3, "rules": "tromp-taylor-strict", "auto_reset": "next_step"},
    {"size": 5, "rules": "course", "auto_reset": "same_step"},
    {"size": 3, "rules": "littlego", "auto_reset": "same_step", "history_length": 1},
]
SHOWN = (
    "observation", "legal_action_mask", "rewards", "terminated", "current_player", "colour", "step_count", "winner", "ending",
)  # fmt: skip
GAMES, STEPS = 3, 24


def digest(batch, rng, host):
    """Play a batch with some illegal actions, some games left out, some steps unseen and some games begun anew; return the
    digest of all that it shows. host: what an array looks like here."""
    found = hashlib.sha256()
    for step in range(STEPS):
        drawn, other = host(batch.sample(rng)), rng.integers(0, batch.legal_action_mask.shape[1], GAMES)
        actions = np.where(rng.random(GAMES) < 0.05, other, drawn)
        batch.step(actions, rng.random(GAMES) < 0.9, show=step % 5 != 0)
        if step % 7 == 0:
            batch.reset(rng.random(GAMES) < 0.2)
        for name in SHOWN:
            found.update(np.ascontiguousarray(host(getattr(batch, name))).tobytes())
    return found.hexdigest()


def main():
    """Print the digests of the games of a simulated card, and what it says of wrong actions."""
    # Each thread of a block is one of this process, whether or not it has a game: a block is one warp here.
    cuda_batches._BLOCK = 32
    for settings in SETTINGS:
        batch = GoBatch(games=GAMES, seed=3, **settings)
        card = CudaGoBatch(batch)
        print(digest(card, np.random.default_rng(4), lambda array: array.copy_to_host()))
        assert not batch.step_count.any()
        back = card.to_host()
        print(digest(back, np.random.default_rng(5), np.asarray))
    for wrong in ([0, 9, 10], [0, 1], [0.5] * GAMES):
        try:
            card.step(wrong)
        except ActionError as error:
            print(error)
    chance = np.random.default_rng(6).random(GAMES)
    assert (card.sample(chance).copy_to_host() == card.sample(np.random.default_rng(6)).copy_to_host()).all()
    try:
        card.sample([0.5])
    except ActionError as error:
        print(error)


def test_what_a_cards_driver_refuses_is_named():
    assert cuda_batches._check_card((0, 7)) == 7
    assert cuda_batches._check_card((0,)) is None
    refusal = SimpleNamespace(name="CUDA_ERROR_OUT_OF_MEMORY")
    with pytest.raises(EnvironmentsError, match=r"^the card's driver says CUDA_ERROR_OUT_OF_MEMORY$"):
        cuda_batches._check_card((refusal, None))


@pytest.mark.slow
def test_a_simulated_card_plays_as_the_processor_does():
    # The simulator calls the kernels as plain Python, in which words that wrap bring warnings.
    settings = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.golearn.environments.test_cuda_batches"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = []
    for kind in SETTINGS:
        batch = GoBatch(games=GAMES, seed=3, **kind)
        expected += [digest(batch, np.random.default_rng(seed), np.asarray) for seed in (4, 5)]
    expected += [
        "game 2: expected an action from 0 to 9, got 10", "actions: expected 3 entries of int64, got int64 of shape (2,)",
        "actions: expected 3 entries of int64, got float64 of shape (3,)",
        "chance: expected 3 entries of float64, got float64 of shape (1,)",
    ]  # fmt: skip
    assert done.stdout.splitlines() == expected


@pytest.mark.skipif(not cuda.is_available(), reason="no graphics card that CUDA knows")
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: f"{settings['rules']}-{settings['size']}")
def test_a_card_plays_as_the_processor_does(settings):
    batch = GoBatch(games=GAMES, seed=3, **settings)
    card = CudaGoBatch(batch)
    found = digest(card, np.random.default_rng(4), lambda array: array.copy_to_host())
    assert found == digest(batch, np.random.default_rng(4), np.asarray)
    assert digest(card.to_host(), np.random.default_rng(5), np.asarray) == digest(batch, np.random.default_rng(5), np.asarray)


@pytest.mark.skipif(cuda.is_available(), reason="there is a card")
def test_where_there_is_no_card_that_is_said():
    with pytest.raises(EnvironmentsError, match="expected a graphics card that CUDA knows, found none"):
        CudaGoBatch(GoBatch(3))
    command = [sys.executable, "-m", "benchmarks.card", "--sizes", "3", "--games", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "card: expected a graphics card that CUDA knows, found none\n")


if __name__ == "__main__":
    main()
