"""What a network says, in numpy alone: for play, for tests, and wherever torch is not installed.

Inside, boards have the shape (height, width, rows, channels), or (points * rows, channels): a step to a neighbour is then a
step over whole blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from golearn.alphazero.games import Observations
from golearn.alphazero.weights import Architecture, Array, Weights

_CHUNK = 2**17
"""Numbers in the columns of a convolution, at most: more rows are worked off in parts, which stay in the cache."""


class Heads(NamedTuple):
    """All that a network says of so many rows, each as the player to move there sees it."""

    logits: Array
    """Shape (rows, actions)."""
    values: Array
    """Shape (rows,), -1 to 1."""
    margins: Array | None
    """Shape (rows,): points ahead as a share of the points of the board."""
    ownership: Array | None
    """Shape (rows, height, width), from -1, the opponent's, to 1."""


class NumpyNetwork:
    """A `golearn.alphazero.planners.Network`. It keeps the weights as they are now."""

    def __init__(self, weights: Weights) -> None:
        self.architecture = kind = weights.architecture
        arrays = self._arrays = dict(weights.arrays)
        self._stem = _matrices(arrays["stem_kernel"])
        self._first = [_matrices(arrays[f"block{k}_first_kernel"]) for k in range(kind.blocks)]
        scales = [arrays[f"block{k}_scale"][:, None, None, None] for k in range(kind.blocks)]
        self._second = [_matrices(scales[k] * arrays[f"block{k}_second_kernel"]) for k in range(kind.blocks)]
        self._rows = max(1, _CHUNK // (3 * kind.board_points * max(kind.planes, kind.channels)))

    def __call__(self, observations: Observations) -> tuple[Array, Array]:
        """Return logits and values."""
        heads = self.heads(observations)
        return heads.logits, heads.values

    def heads(self, observations: Observations) -> Heads:
        """Return all that the network says."""
        parts = [self._heads(observations[k : k + self._rows]) for k in range(0, max(1, len(observations)), self._rows)]
        return parts[0] if len(parts) == 1 else Heads(*map(_joined, *parts))

    def _heads(self, observations: Observations) -> Heads:
        kind, arrays, count = self.architecture, self._arrays, len(observations)
        board = self._tower(observations)
        policy = _relu(board @ arrays["policy_layer"] + arrays["policy_bias"])
        value = _relu(board @ arrays["value_layer"] + arrays["value_bias"])
        hidden = _relu(_pooled(value, kind.board_points, count) @ arrays["value_hidden"] + arrays["value_hidden_bias"])
        margins = ownership = None
        if kind.margin:
            margins = (hidden @ arrays["margin_last"] + arrays["margin_last_bias"])[:, 0]
        if kind.ownership:
            ownership = np.tanh(value @ arrays["ownership_last"] + arrays["ownership_last_bias"])
            ownership = ownership.reshape(kind.height, kind.width, count).transpose(2, 0, 1)
        values = np.tanh(hidden @ arrays["value_last"] + arrays["value_last_bias"])[:, 0]
        return Heads(self._logits(policy, count), values, margins, ownership)

    def _tower(self, observations: Observations) -> Array:
        """Return the board after the last block, shape (points * rows, channels)."""
        kind, arrays, count = self.architecture, self._arrays, len(observations)
        board = _Convolution(kind, count, kind.planes)(observations.transpose(2, 3, 0, 1), self._stem)
        board = _relu(board + arrays["stem_bias"])
        convolved = _Convolution(kind, count, kind.channels)
        for block in range(kind.blocks):
            inner = convolved(board, self._first[block])
            inner += arrays[f"block{block}_first_bias"]
            if block == kind.pooling_block:
                by_point = inner.reshape(kind.board_points, count, kind.channels)
                by_point += _pooled(np.maximum(inner, 0), kind.board_points, count) @ arrays["pooling"]
            inner = convolved(_relu(inner), self._second[block])
            inner += arrays[f"block{block}_second_bias"]
            inner += board
            board = _relu(inner)
        return board

    def _logits(self, policy: Array, count: int) -> Array:
        """policy: shape (points * rows, channels)."""
        arrays, points = self._arrays, self.architecture.points
        if not points:
            layer = arrays["policy_others"]
            by_row = policy.reshape(self.architecture.board_points, count, policy.shape[1]).transpose(1, 0, 2)
            flat: Array = by_row.reshape(count, len(layer)) @ layer + arrays["policy_others_bias"]
            return flat
        pooled = _pooled(policy, points, count)
        by_point = policy.reshape(points, count, policy.shape[1])
        by_point += pooled @ arrays["policy_pooling"]
        logits: Array = (_relu(policy) @ arrays["policy_points"]).reshape(points, count).T
        if "policy_others" not in arrays:
            return logits
        return np.hstack([logits, pooled @ arrays["policy_others"] + arrays["policy_others_bias"]])


def _joined(*parts: Array | None) -> Any:  # noqa: ANN401
    """Return one head's answers for all rows; None where there is no such head."""
    return None if parts[0] is None else np.concatenate(parts)  # type: ignore[arg-type]


class _Convolution:
    """3x3 convolutions of so many boards: each point's column of three is multiplied with three matrices, for the points to its
    right, for itself, and for those to its left."""

    def __init__(self, kind: Architecture, count: int, channels: int) -> None:
        self._board = kind.height, kind.width, count, channels
        # Above and below the board nothing is ever written, and it stays 0.
        self._columns = np.zeros((kind.height, kind.width, count, 3, channels), np.float32)

    def __call__(self, board: Array, matrices: Array) -> Array:
        """Return the convolved board, shape (points * rows, channels); board: any shape of the same order."""
        board = board.reshape(self._board)
        height, width, count, channels = self._board
        self._columns[1:, :, :, 0] = board[:-1]
        self._columns[:, :, :, 1] = board
        self._columns[:-1, :, :, 2] = board[1:]
        columns = self._columns.reshape(height, width * count, 3 * channels)
        found: Array = columns @ matrices[1]
        inside = (width - 1) * count
        found[:, count:] += columns[:, :inside] @ matrices[0]
        found[:, :inside] += columns[:, count:] @ matrices[2]
        return found.reshape(height * width * count, found.shape[2])


def _matrices(kernel: Array) -> Array:
    """Return a kernel (out, in, 3, 3) as three matrices (3 * in, out), for columns to the left, here, and to the right."""
    return np.ascontiguousarray(kernel.transpose(3, 2, 1, 0).reshape(3, -1, len(kernel)))


def _relu(values: Array) -> Array:
    """Return the values with 0 in place of the negative ones, in place."""
    return np.maximum(values, 0, out=values)


def _pooled(board: Array, points: int, count: int) -> Array:
    """Return mean and maximum over the points, shape (rows, 2 * channels); board: (points * rows, channels)."""
    by_point = board.reshape(points, count, board.shape[1])
    return np.concatenate([by_point.mean(axis=0), by_point.max(axis=0)], axis=1)
