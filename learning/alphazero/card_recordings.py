"""A network on a graphics card, asked by several threads: its layers are recorded once and then started all together.

Started from Python one by one, some sixty layers take a millisecond, in which all other threads of Python wait. A recording (a
CUDA graph) has as many rows as it was made for, so there is one for each power of two, and rows that are too many say nothing.
Each thread has recordings and a stream of its own, so that one thread's rows travel while the card works for another.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, local
from typing import Any

import numpy as np
import torch

from learning.alphazero.games import Observations
from learning.alphazero.weights import Architecture, Array

LEAST_ROWS = 32
"""Rows of the smallest recording."""


class _Recording:
    """All layers for up to so many rows; the network's numbers are read anew whenever it is played."""

    def __init__(self, network: Callable[[torch.Tensor], Any], shown: torch.Tensor, pool: Any) -> None:  # noqa: ANN401
        self.shown, self.graph = shown, torch.cuda.CUDAGraph()
        # What the libraries choose and set up on a first call must not become part of the recording.
        network(shown)
        with torch.cuda.graph(self.graph, pool, torch.cuda.current_stream(), capture_error_mode="thread_local"):
            self.heads = network(shown)

    def said(self, observations: Observations) -> tuple[Array, Array]:
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
    """Asks a network that is on a card; see `learning.alphazero.networks.on_arrays`."""

    def __init__(self, network: Callable[[torch.Tensor], Any], kind: Architecture, device: torch.device) -> None:
        self.network, self.shape, self.device = network, (kind.planes, kind.height, kind.width), device
        self._own, self._recording = _Thread(), Lock()

    def said(self, observations: Observations) -> tuple[Array, Array]:
        """Return logits and values."""
        # Each thread has a card of its own that it takes for the usual one.
        with torch.cuda.device(self.device):
            return self._said(observations)

    def _said(self, observations: Observations) -> tuple[Array, Array]:
        own, rows = self._own, max(LEAST_ROWS, 1 << (len(observations) - 1).bit_length())
        # Learning is in the default stream.
        own.stream.wait_stream(torch.cuda.default_stream())
        with torch.inference_mode(), torch.cuda.stream(own.stream):
            if rows not in own.recordings:
                with self._recording:
                    shown = torch.zeros(rows, *self.shape, device=self.device)
                    own.recordings[rows] = _Recording(self.network, shown, own.pool)
            return own.recordings[rows].said(np.ascontiguousarray(observations))
