"""The network in torch says what the one in numpy says, and learns. Without torch: what a student is told."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from goban.common.command_lines import how_to_install
from golearn.alphazero.answers import likelihoods
from golearn.alphazero.games import GAME_CHOICES, CompleteGame, beginnings, game_from_name
from golearn.alphazero.go_positions import read_positions, shipped_path
from golearn.alphazero.go_zero import SHIPPED
from golearn.alphazero.planners import on_observations
from golearn.alphazero.weights import NumpyNetwork, architecture_for, fresh_weights, read_weights
from golearn.errors import BadDeviceError, BadWeightsError
from tests.support.missing import needs, no_package, skip_if
from tests.support.plain_networks import KINDS, any_observations, any_weights
from tests.test_layers import imports

ROOT = Path(__file__).parents[3]
USERS = {f"golearn/alphazero/{name}.py" for name in ("networks", "training")}

torch_only = needs(no_package("torch", 2, "zero"))


def test_torch_is_imported_in_three_files_only():
    found = {str(path.relative_to(ROOT)) for path in ROOT.glob("golearn/**/*.py") if "torch" in imports(path)}
    assert found == {name for name in USERS if (ROOT / name).exists()}


def test_without_torch_there_is_one_sentence():
    hidden = "import sys; sys.modules['torch'] = None; import golearn.alphazero.networks"
    done = subprocess.run([sys.executable, "-c", hidden], cwd=ROOT, capture_output=True, text=True)
    *_, last = done.stderr.splitlines()
    assert last == (
        f"goban.common.command_lines.MissingExtraError: torch is missing; install it with: {how_to_install('zero')} "
        "--extra-index-url https://download.pytorch.org/whl/cpu"
    )


@pytest.fixture(scope="module")
def networks():
    import torch

    from golearn.alphazero import networks

    torch.set_num_threads(1)
    return networks


def tensors(network, observations):
    import torch

    return network(torch.from_numpy(observations))


@torch_only
@pytest.mark.parametrize(
    "kind", [*KINDS, *(architecture_for(CompleteGame(game_from_name(name)), 32, 3) for name in GAME_CHOICES)]
)
def test_torch_and_numpy_agree(networks, kind):
    weights, observations = any_weights(kind), any_observations(kind, 40)
    wanted, found = NumpyNetwork(weights).heads(observations), tensors(networks.load_network(weights, "cpu"), observations)
    for name, one, other in zip(wanted._fields, wanted, found, strict=True):
        assert (one is None) == (other is None), name
        if one is not None:
            scale = max(1, np.abs(one).max())
            np.testing.assert_allclose(other.detach().numpy() / scale, one / scale, atol=1e-5, err_msg=name)


@torch_only
@pytest.mark.parametrize("name", ["shipped", "any"])
def test_on_positions_of_go_they_hold_the_same_actions_for_likely(networks, name):
    """To 1e-5; and nothing is added to all logits alike that would take bits from their differences."""
    known = read_positions(shipped_path("course")).part(np.arange(400))
    weights = read_weights(SHIPPED)
    if name == "any":
        weights = any_weights(weights.architecture)
    observations = np.stack([known.game.encode(state) for state in known.states()])
    wanted, found = NumpyNetwork(weights).heads(observations), tensors(networks.load_network(weights, "cpu"), observations)
    told, legal = found.logits.detach().numpy(), known.legal()
    np.testing.assert_allclose(likelihoods(told, legal), likelihoods(wanted.logits, legal), rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.values.detach().numpy(), wanted.values, rtol=0, atol=1e-5)
    np.testing.assert_allclose(told, wanted.logits, rtol=0, atol=1e-4)
    assert np.abs(wanted.logits.mean(axis=1)).max() < 100


@torch_only
def test_the_evaluator_is_the_one_of_numpy(networks):
    game = CompleteGame(game_from_name("go5"))
    weights, states, rows = any_weights(architecture_for(game, 8, 2)), beginnings(game, 5), np.arange(5)
    states.play(rows, rows * 3, rows)
    found, wanted = (
        make(states, rows)
        for make in (networks.network_evaluator(networks.load_network(weights, "cpu")), on_observations(NumpyNetwork(weights)))
    )
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, atol=1e-5)


@torch_only
def test_threads_ask_a_graphics_card_side_by_side(networks):
    """Whatever the number of rows, and as the network is at each call. A card's products have fewer bits."""
    import torch

    skip_if("" if torch.cuda.is_available() else "torch finds no graphics card")
    weights = any_weights(architecture_for(CompleteGame(game_from_name("go9")), 16, 2))
    network, observations = networks.load_network(weights, "cuda"), any_observations(weights.architecture, 100)
    ask = networks.on_arrays(network)
    for _ in range(2):
        wanted = NumpyNetwork(network.weights({}))(observations)
        with ThreadPoolExecutor(4) as threads:
            jobs = [threads.submit(ask, observations[:rows]) for rows in range(1, 101)]
        for rows, job in enumerate(jobs, start=1):
            for one, other in zip(job.result(), wanted, strict=True):
                scale = max(1, np.abs(other).max())
                np.testing.assert_allclose(one / scale, other[:rows] / scale, atol=0.01)
        with torch.no_grad():
            next(network.parameters()).mul_(2)


@torch_only
@pytest.mark.parametrize("kind", KINDS)
def test_weights_go_in_and_come_out_as_they_were(networks, kind):
    weights = any_weights(kind, about={"game": "made up"})
    network = networks.load_network(weights, "cpu")
    again = network.weights(weights.about)
    assert (again.architecture, again.about) == (kind, weights.about)
    assert all(np.array_equal(again.arrays[name], array) for name, array in weights.arrays.items())
    # A copy: what is learnt afterwards changes neither.
    next(network.parameters()).data += 1
    assert all(np.array_equal(again.arrays[name], array) for name, array in weights.arrays.items())


@torch_only
def test_what_does_not_fit_is_refused(networks):
    network = networks.TorchNetwork(KINDS[0])
    with pytest.raises(BadWeightsError, match="channels=6"):
        network.load(any_weights(replace(KINDS[0], channels=7)))
    with pytest.raises(BadDeviceError, match="device: expected auto, cpu, cuda or cuda:NUMBER, got 'gpu'"):
        networks.load_network(any_weights(KINDS[0]), "gpu")


@torch_only
@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_fresh_network_learns_every_head(networks, kind):
    """After some steps it gives a few positions the answers it was taught, and no parameter has stood still."""
    import torch
    from torch.nn import functional

    network = networks.load_network(fresh_weights(replace(kind, channels=16), np.random.default_rng(1)), "cpu")
    before, rng = network.weights({}), np.random.default_rng(2)
    shown = torch.from_numpy(any_observations(kind, 6))
    best, values = torch.from_numpy(rng.integers(kind.actions, size=6)), torch.from_numpy(rng.choice([-0.9, 0.9], 6)).float()
    owned = 0.9 * torch.sign(shown[:, 0])
    optimizer, first = torch.optim.Adam(network.parameters(), 0.01), None
    for _ in range(60):
        heads = network(shown)
        losses = [functional.cross_entropy(heads.logits, best), functional.mse_loss(heads.values, values)]
        losses += [] if heads.margins is None else [functional.mse_loss(heads.margins, values)]
        losses += [] if heads.ownership is None else [functional.mse_loss(heads.ownership, owned)]
        first = first or [loss.item() for loss in losses]
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()
    assert all(loss.item() < 0.5 * start for loss, start in zip(losses, first, strict=True))
    after = network.weights({})
    assert [name for name in before.arrays if np.array_equal(before.arrays[name], after.arrays[name])] == []
