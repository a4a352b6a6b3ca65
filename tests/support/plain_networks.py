"""A network as its description reads, one number at a time: no matrix product, no trick. And weights to try it on."""

import math

import numpy as np

from golearn.alphazero.weights import Architecture, Weights

# Actions are points and a pass; points only; columns, which are none.
KINDS = [
    Architecture(4, 3, 4, 13, 12, 6, 2, margin=True, ownership=True),
    Architecture(2, 3, 3, 9, 9, 5, 1, margin=False, ownership=False),
    Architecture(2, 4, 5, 5, 0, 4, 3, margin=True, ownership=False),
    Architecture(3, 1, 2, 1, 0, 1, 1, margin=False, ownership=True),
]


def any_weights(architecture, seed=1, about=None):
    """Weights none of which is 0, as after training."""
    rng, arrays = np.random.default_rng(seed), {}
    for name, shape in architecture.shapes().items():
        inputs = {1: 4, 2: shape[0], 4: math.prod(shape[1:])}[len(shape)]
        arrays[name] = (rng.standard_normal(shape) / inputs**0.5).astype(np.float32)
    return Weights(architecture, arrays, about or {})


def any_observations(architecture, rows, seed=2):
    shape = rows, architecture.planes, architecture.height, architecture.width
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def relu(values):
    return np.maximum(values, 0.0)


def convolved(board, kernel, bias):
    """board: (channels, height, width)."""
    _, height, width = board.shape
    found = np.zeros((len(kernel), height, width))
    for out, i, j in np.ndindex(found.shape):
        total = float(bias[out])
        for channel, di, dj in np.ndindex(kernel.shape[1:]):
            row, column = i + di - 1, j + dj - 1
            if 0 <= row < height and 0 <= column < width:
                total += float(kernel[out, channel, di, dj]) * float(board[channel, row, column])
        found[out, i, j] = total
    return found


def everywhere(board, layer):
    """The same layer (in, out) at every point."""
    return np.einsum("chw,cd->dhw", board, layer)


def pooled(board):
    return np.concatenate([board.mean(axis=(1, 2)), board.max(axis=(1, 2))])


def spread(values):
    """A number for each channel, to be added at every point."""
    return values[:, None, None]


def plain_heads(weights, observation):
    """(logits, value, margin or None, ownership or None) for one observation."""
    kind, arrays = weights.architecture, {name: array.astype(float) for name, array in weights.arrays.items()}
    board = relu(convolved(observation, arrays["stem_kernel"], arrays["stem_bias"]))
    for k in range(kind.blocks):
        inner = convolved(board, arrays[f"block{k}_first_kernel"], arrays[f"block{k}_first_bias"])
        if k == kind.blocks // 2:
            inner = inner + spread(pooled(relu(inner)) @ arrays["pooling"])
        inner = convolved(relu(inner), arrays[f"block{k}_second_kernel"], 0 * arrays[f"block{k}_second_bias"])
        board = relu(board + spread(arrays[f"block{k}_scale"]) * inner + spread(arrays[f"block{k}_second_bias"]))
    policy = relu(everywhere(board, arrays["policy_layer"]) + spread(arrays["policy_bias"]))
    if kind.points:
        at_points = relu(policy + spread(pooled(policy) @ arrays["policy_pooling"]))
        logits = everywhere(at_points, arrays["policy_points"]).ravel()
        if kind.actions > kind.points:
            logits = np.append(logits, pooled(policy) @ arrays["policy_others"] + arrays["policy_others_bias"])
    else:
        logits = policy.transpose(1, 2, 0).ravel() @ arrays["policy_others"] + arrays["policy_others_bias"]
    seen = relu(everywhere(board, arrays["value_layer"]) + spread(arrays["value_bias"]))
    hidden = relu(pooled(seen) @ arrays["value_hidden"] + arrays["value_hidden_bias"])
    value = math.tanh((hidden @ arrays["value_last"] + arrays["value_last_bias"])[0])
    margin = (hidden @ arrays["margin_last"] + arrays["margin_last_bias"])[0] if kind.margin else None
    owned = np.tanh(everywhere(seen, arrays["ownership_last"])[0] + arrays["ownership_last_bias"]) if kind.ownership else None
    return logits, value, margin, owned
