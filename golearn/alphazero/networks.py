"""The same network in torch: for training, and for play on a graphics card. Needs the extra `zero`.

    evaluator = network_evaluator(load_network(weights, device="auto"))

It says what `golearn.alphazero.weights` says, on a processor: values and the likelihoods of actions to 1e-5, logits to
1e-5 of the largest. Both compute with 32 bits, so what a network adds to all logits alike takes bits from their differences.
Training keeps that near 0. Parameters bear the names and have the shapes of the arrays of `golearn.alphazero.weights`.

On a graphics card, asked by several threads, a network's layers are recorded once and then started all together. Started from
Python one by one, some sixty layers take a millisecond, in which all other threads of Python wait. A recording (a CUDA graph)
has as many rows as it was made for, so there is one for each power of two, and rows that are too many say nothing. Each thread
has recordings and a stream of its own, so that one thread's rows travel while the card works for another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Lock, local
from typing import Any, NamedTuple

import numpy as np

from goban.common.excerpts import quoted
from golearn.alphazero.games import Observations
from golearn.alphazero.planners import Evaluator, Network, on_observations
from golearn.alphazero.weights import Architecture, Array, Weights
from golearn.errors import BadDeviceError, BadWeightsError, without_extra

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ImportError as error:
    raise without_extra(error, "zero") from None

LEAST_ROWS = 32
"""Rows of the smallest recording."""


class TorchHeads(NamedTuple):
    """All that a network says: see `golearn.alphazero.weights.Heads`."""

    logits: Tensor
    values: Tensor
    margins: Tensor | None
    ownership: Tensor | None


class TorchNetwork(nn.Module):  # type: ignore[misc, unused-ignore]
    """A network whose arrays are parameters; all zeros before `load`."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        shapes = architecture.shapes().items()
        self.arrays = nn.ParameterDict({name: nn.Parameter(torch.zeros(shape)) for name, shape in shapes})

    def load(self, weights: Weights) -> None:
        """Take over a network's numbers; raises BadWeightsError unless it has the same architecture."""
        if weights.architecture != self.architecture:
            raise BadWeightsError(f"expected weights of {self.architecture}, got those of {weights.architecture}")
        with torch.no_grad():
            for name, array in weights.arrays.items():
                self.arrays[name].copy_(torch.from_numpy(array))

    def weights(self, about: dict[str, Any]) -> Weights:
        """Return a copy of the numbers; raises BadWeightsError if some are not finite."""
        arrays = {name: parameter.detach().cpu().numpy().copy() for name, parameter in self.arrays.items()}
        return Weights(self.architecture, arrays, about)

    def forward(self, observations: Tensor) -> TorchHeads:
        """Return what the network says of observations, shape (rows, planes, height, width)."""
        arrays, kind = self.arrays, self.architecture
        # From here on channels come last.
        board = self._tower(observations).permute(0, 2, 3, 1)
        policy = functional.relu(board @ arrays["policy_layer"] + arrays["policy_bias"])
        value = functional.relu(board @ arrays["value_layer"] + arrays["value_bias"])
        hidden = functional.relu(_pool(value, (1, 2)) @ arrays["value_hidden"] + arrays["value_hidden_bias"])
        values = torch.tanh(hidden @ arrays["value_last"] + arrays["value_last_bias"])[:, 0]
        margins = ownership = None
        if kind.margin:
            margins = (hidden @ arrays["margin_last"] + arrays["margin_last_bias"])[:, 0]
        if kind.ownership:
            ownership = torch.tanh(value @ arrays["ownership_last"] + arrays["ownership_last_bias"])[..., 0]
        return TorchHeads(self._logits(policy), values, margins, ownership)

    def _tower(self, observations: Tensor) -> Tensor:
        arrays, kind = self.arrays, self.architecture
        # In this order a processor convolves faster.
        observations = observations.contiguous(memory_format=torch.channels_last)
        board = functional.relu(functional.conv2d(observations, arrays["stem_kernel"], arrays["stem_bias"], padding=1))
        for block in range(kind.blocks):
            name = f"block{block}"
            inner = functional.conv2d(board, arrays[f"{name}_first_kernel"], arrays[f"{name}_first_bias"], padding=1)
            if block == kind.pooling_block:
                inner = inner + (_pool(functional.relu(inner), (2, 3)) @ arrays["pooling"])[:, :, None, None]
            inner = functional.conv2d(functional.relu(inner), arrays[f"{name}_second_kernel"], padding=1)
            scale, bias = (arrays[f"{name}_{part}"][:, None, None] for part in ("scale", "second_bias"))
            board = functional.relu(board + scale * inner + bias)
        return board

    def _logits(self, policy: Tensor) -> Tensor:
        """policy: channels last."""
        arrays, kind = self.arrays, self.architecture
        if not kind.points:
            return policy.flatten(1) @ arrays["policy_others"] + arrays["policy_others_bias"]
        pooled = _pool(policy, (1, 2))
        policy = functional.relu(policy + (pooled @ arrays["policy_pooling"])[:, None, None])
        logits = (policy @ arrays["policy_points"]).flatten(1)
        if "policy_others" not in arrays:
            return logits
        return torch.cat([logits, pooled @ arrays["policy_others"] + arrays["policy_others_bias"]], dim=1)


def _pool(board: Tensor, points: tuple[int, int]) -> Tensor:
    """Return mean and maximum over the points, shape (rows, 2 * channels); `points`: which dimensions they are."""
    return torch.cat([board.mean(dim=points), board.amax(dim=points)], dim=1)


def device_of(name: str) -> torch.device:
    """Return a device by name: cpu, cuda, the second card as cuda:1, or auto for a card where there is one.

    Raises BadDeviceError.
    """
    found = re.fullmatch(r"auto|cpu|cuda(:(0|[1-9][0-9]?))?", name)
    if found is None:
        raise BadDeviceError(f"device: expected auto, cpu, cuda or cuda:NUMBER, got {quoted(name)}")
    cards = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if name == "cuda" and not cards:
        raise BadDeviceError("device: torch finds no graphics card for cuda here")
    if found[2] and int(found[2]) >= cards:
        raise BadDeviceError(f"device: torch finds {cards} graphics cards here, none for {name}")
    return torch.device(name if name != "auto" else "cuda" if cards else "cpu")


def load_network(weights: Weights, device: str = "auto") -> TorchNetwork:
    """Return a network with these weights on a device; raises BadDeviceError."""
    network = TorchNetwork(weights.architecture)
    network.load(weights)
    network.to(device_of(device))
    return network


def twin(network: TorchNetwork) -> TorchNetwork:
    """Return a network of the same numbers, as they change, with gradients of its own."""
    made = TorchNetwork(network.architecture)
    made.arrays = nn.ParameterDict({name: nn.Parameter(array.detach()) for name, array in network.arrays.items()})
    return made


def on_arrays(network: TorchNetwork) -> Network:
    """Return what asks a network in numpy's arrays, as it is at each call: while it learns, too."""
    device = next(network.parameters()).device
    if device.type == "cuda":
        return CardThreads(network, network.architecture, device).answer

    def answer(observations: Observations) -> tuple[Array, Array]:
        with torch.inference_mode():
            heads = network(torch.from_numpy(np.ascontiguousarray(observations)).to(device))
        return heads.logits.cpu().numpy(), heads.values.cpu().numpy()

    return answer


def network_evaluator(network: TorchNetwork) -> Evaluator:
    """Return an evaluator that asks a network as it is at each call."""
    return on_observations(on_arrays(network))


# On a graphics card


class _Recording:
    """All layers for up to so many rows; the network's numbers are read anew whenever it is played."""

    def __init__(self, network: Callable[[torch.Tensor], Any], shown: torch.Tensor, pool: Any) -> None:  # noqa: ANN401
        self.shown, self.graph = shown, torch.cuda.CUDAGraph()
        # What the libraries choose and set up on a first call must not become part of the recording.
        network(shown)
        with torch.cuda.graph(self.graph, pool, torch.cuda.current_stream(), capture_error_mode="thread_local"):
            self.heads = network(shown)

    def answer(self, observations: Observations) -> tuple[Array, Array]:
        rows = len(observations)
        self.shown[:rows].copy_(torch.from_numpy(observations))
        self.graph.replay()
        return self.heads.logits[:rows].cpu().numpy(), self.heads.values[:rows].cpu().numpy()


class _Thread(local):
    """What belongs to one thread."""

    def __init__(self) -> None:
        self.stream, self.pool = torch.cuda.Stream(), torch.cuda.graph_pool_handle()
        self.recordings: dict[int, _Recording] = {}


class CardThreads:
    """Asks a network that is on a card; see `golearn.alphazero.networks.on_arrays`."""

    def __init__(self, network: Callable[[torch.Tensor], Any], kind: Architecture, device: torch.device) -> None:
        self.network, self.shape, self.device = network, (kind.planes, kind.height, kind.width), device
        self._own, self._recording = _Thread(), Lock()

    def answer(self, observations: Observations) -> tuple[Array, Array]:
        """Return logits and values."""
        # Each thread has a card of its own that it takes for the usual one.
        with torch.cuda.device(self.device):
            return self._evaluate(observations)

    def _evaluate(self, observations: Observations) -> tuple[Array, Array]:
        own, rows = self._own, max(LEAST_ROWS, 1 << (len(observations) - 1).bit_length())
        # Learning is in the default stream.
        own.stream.wait_stream(torch.cuda.default_stream())
        with torch.inference_mode(), torch.cuda.stream(own.stream):
            if rows not in own.recordings:
                with self._recording:
                    shown = torch.zeros(rows, *self.shape, device=self.device)
                    own.recordings[rows] = _Recording(self.network, shown, own.pool)
            return own.recordings[rows].answer(np.ascontiguousarray(observations))
