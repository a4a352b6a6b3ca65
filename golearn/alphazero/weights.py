"""Networks as numbers: their architecture, their arrays, and what is known of them.

    weights = fresh_weights(architecture_for(game, channels=32, blocks=3), np.random.default_rng(1))

A network is a residual tower of 3x3 convolutions and small heads, without batch normalisation, so that it says the same while
it learns and afterwards:

    board    stem, then `blocks` times relu(x + scale * second(relu(first(x))) + bias)
    pooling  mean and maximum of each channel over the board; once in the tower, in the block in the middle, and in the heads
    policy   where actions are points: one number for each point, and for other actions from the pooled board; else one
             linear layer from the whole board
    value    tanh, from the pooled board; beside it the margin and, for each point, who owns it, where the game has them

The beginning is that of Zhang, Dauphin and Ma, "Fixup initialization", ICLR 2019: each block changes nothing at first, and the
network holds all actions for equally good. Pooling and the heads follow Wu, "Accelerating self-play learning in Go", 2019.

Arrays are float32. Kernels have the shape (out, in, 3, 3), all other layers (in, out).

As a file a network is NumPy's .npz, read without pickle:

    write_weights("go5.npz", weights, half=True)          weights = read_weights("go5.npz")

Besides the arrays a file holds `header`, JSON as octets: the format's version, the architecture and what is known of the
network. The same weights give the same bytes. A reader knows from the header how long everything must be, before it makes room
for anything, so that a stranger's file can neither fill the memory nor run code.

`NumpyNetwork` says what a network says, in numpy alone: for play, for tests, and wherever torch is not installed. Inside,
boards have the shape (height, width, rows, channels), or (points * rows, channels): a step to a neighbour is then a step over
whole blocks.
"""

from __future__ import annotations

import json
import math
import warnings
import zipfile
from dataclasses import dataclass, field, fields
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_kind
from goban.common.excerpts import quoted
from goban.common.files import read_bounded, write_beside
from golearn.alphazero.games import CompleteGame, Observations
from golearn.errors import BadWeightsError

Array: TypeAlias = npt.NDArray[np.float32]
Shape = tuple[int, ...]

MOST = {"planes": 256, "height": 64, "width": 64, "actions": 8192, "points": 4096, "channels": 1024, "blocks": 64}
"""How large each number of an architecture may be."""


@dataclass(frozen=True)
class Architecture:
    """What a network is shown, what it answers, and how large it is. Raises BadWeightsError for numbers out of range."""

    planes: int
    height: int
    width: int
    actions: int
    points: int
    """How many actions, the first ones, are the points of the board row by row: all points or 0."""
    channels: int
    blocks: int
    margin: bool
    ownership: bool

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            least, number = int(name != "points"), getattr(self, name)
            if type(number) is not int or not least <= number <= most:
                raise BadWeightsError(f"{name}: expected a whole number from {least} to {most}, got {quoted(number)}")
        for name in ("margin", "ownership"):
            if type(getattr(self, name)) is not bool:
                raise BadWeightsError(f"{name}: expected true or false, got {quoted(getattr(self, name))}")
        if self.points not in (0, self.board_points) or self.points > self.actions:
            raise BadWeightsError(
                f"points: expected 0, or as many as the board has and no more than actions, got {self.points}"
            )

    @property
    def board_points(self) -> int:
        return self.height * self.width

    @property
    def head_channels(self) -> int:
        """Channels of each head: half of the tower's."""
        return max(1, self.channels // 2)

    @property
    def pooling_block(self) -> int:
        """The block whose first layer sees the pooled board."""
        return self.blocks // 2

    def shapes(self) -> dict[str, Shape]:
        """Return the shape of every array of such a network."""
        wide, head = self.channels, self.head_channels
        shapes: dict[str, Shape] = {"stem_kernel": (wide, self.planes, 3, 3), "stem_bias": (wide,)}
        for block in range(self.blocks):
            for layer in ("first", "second"):
                shapes[f"block{block}_{layer}_kernel"] = wide, wide, 3, 3
                shapes[f"block{block}_{layer}_bias"] = (wide,)
            shapes[f"block{block}_scale"] = (wide,)
        shapes["pooling"] = 2 * wide, wide
        shapes |= {"policy_layer": (wide, head), "policy_bias": (head,)}
        if self.points:
            shapes |= {"policy_pooling": (2 * head, head), "policy_points": (head, 1)}
        inputs = 2 * head if self.points else self.board_points * head
        if self.actions > self.points:
            shapes |= {
                "policy_others": (inputs, self.actions - self.points),
                "policy_others_bias": (self.actions - self.points,),
            }
        shapes |= {
            "value_layer": (wide, head),
            "value_bias": (head,),
            "value_hidden": (2 * head, wide),
            "value_hidden_bias": (wide,),
        }
        shapes |= {"value_last": (wide, 1), "value_last_bias": (1,)}
        if self.margin:
            shapes |= {"margin_last": (wide, 1), "margin_last_bias": (1,)}
        if self.ownership:
            shapes |= {"ownership_last": (head, 1), "ownership_last_bias": (1,)}
        return shapes


ARCHITECTURE_FIELDS = tuple(field.name for field in fields(Architecture))


def architecture_for(game: CompleteGame[Any], channels: int, blocks: int) -> Architecture:
    """Return the architecture that fits a game; it has the heads for which the game offers a target."""
    (height, width), state = game.board_shape, game.initial_state()
    points = height * width
    are_points = points <= game.action_size <= points + 1
    are_points &= all(np.array_equal(turned.actions[:points], turned.points) for turned in game.symmetries())
    return Architecture(
        game.num_planes, height, width, game.action_size, points if are_points else 0, channels, blocks,
        margin=game.margin(state) is not None, ownership=game.ownership(state) is not None,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Weights:
    """A network. Raises BadWeightsError unless the arrays are those of the architecture, float32 and finite.

    about: information about it, for people and for checks, all of it fit for JSON; `game` is the game's name.
    """

    architecture: Architecture
    arrays: dict[str, Array]
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shapes = self.architecture.shapes()
        if self.arrays.keys() != shapes.keys():
            unlike = sorted(self.arrays.keys() ^ shapes.keys())
            raise BadWeightsError(f"expected arrays for {self.architecture}; missing or too much: {', '.join(unlike)}")
        for name, shape in shapes.items():
            array = self.arrays[name]
            if array.dtype != np.float32 or array.shape != shape:
                raise BadWeightsError(f"{name}: expected float32 of shape {shape}, got {array.dtype} of shape {array.shape}")
            if not np.isfinite(array).all():
                raise BadWeightsError(f"{name}: expected finite numbers, got some that are not")

    def check_game(self, game: CompleteGame[Any], name: str | None = None) -> None:
        """Raise BadWeightsError unless the network fits a game's observations and actions and, if given, its name."""
        own, known = self.architecture, self.about.get("game")
        if name is not None and known is not None and known != name:
            raise BadWeightsError(f"expected a network for the game {name}, got one for {quoted(known)}")
        wanted = game.num_planes, *game.board_shape, game.action_size
        if (own.planes, own.height, own.width, own.actions) != wanted:
            raise BadWeightsError(
                "expected a network for {} planes of {}x{} and {} actions, ".format(*wanted)
                + f"got one for {own.planes} planes of {own.height}x{own.width} and {own.actions} actions"
            )


def fresh_weights(architecture: Architecture, rng: np.random.Generator, about: dict[str, Any] | None = None) -> Weights:
    """Return a network that has learnt nothing: value 0 everywhere, all actions alike. The same generator, the same network."""
    arrays = {}
    for name, shape in architecture.shapes().items():
        spread = _spread(name, shape, architecture)
        drawn = rng.standard_normal(shape, dtype=np.float32) if spread else np.zeros(shape, np.float32)
        arrays[name] = np.ones(shape, np.float32) if name.endswith("_scale") else drawn * np.float32(spread)
    return Weights(architecture, arrays, about or {})


def _spread(name: str, shape: Shape, architecture: Architecture) -> float:
    """Return the standard deviation with which an array begins; 0 for biases, last layers, and the last layer of each block."""
    ends = ("_bias", "_scale", "_second_kernel", "_points", "_others", "_last")
    if name.endswith(ends):
        return 0.0
    inputs = int(np.prod(shape[1:])) if len(shape) == 4 else shape[0]
    depth = architecture.blocks if name.startswith("block") else 1
    return float((2 / inputs / depth) ** 0.5)


# Networks as files


VERSION = 1
MOST_BYTES = 2**26
_MOST_HEADER_BYTES = 2**16
_NPY_BYTES = 128
"""What stands before the numbers of an array, at most."""


def write_weights(path: str | Path, weights: Weights, half: bool = False) -> None:
    """Write a network to a file, atomically; `half`: as float16, half the size. Raises OSError, BadWeightsError.

    A name that ends in .onnx is refused: such files are written by `golearn.write_onnx`.
    """
    check_kind(weights, Weights, "a network (golearn.Weights)", BadWeightsError)
    if Path(path).suffix.lower() == ".onnx":
        raise BadWeightsError(f"{path}: expected a name such as net.npz; write_onnx writes ONNX files")
    header = {"version": VERSION, "architecture": vars(weights.architecture), "about": weights.about}
    text = json.dumps(header, sort_keys=True, allow_nan=False).encode()
    if len(text) > _MOST_HEADER_BYTES - _NPY_BYTES:
        raise BadWeightsError(f"expected at most {_MOST_HEADER_BYTES - _NPY_BYTES} bytes about a network, got {len(text)}")
    arrays: dict[str, npt.NDArray[Any]] = {"header": np.frombuffer(text, np.uint8)}
    for name, array in weights.arrays.items():
        arrays[name] = _halve(name, array) if half else array
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        for name, array in arrays.items():
            # A member without a date of its own, so that the same weights give the same bytes.
            with members.open(zipfile.ZipInfo(f"{name}.npy"), "w") as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    if len(file.getvalue()) > MOST_BYTES:
        raise BadWeightsError(f"expected a network of at most {MOST_BYTES} bytes, got {len(file.getvalue())}")
    write_beside(Path(path), file.getvalue())


def _halve(name: str, array: Array) -> npt.NDArray[np.float16]:
    if np.abs(array).max(initial=0) > np.finfo(np.float16).max:
        raise BadWeightsError(f"{name}: has numbers too large for float16")
    return array.astype(np.float16)


def read_weights(path: str | Path) -> Weights:
    """Return the network in a file; raises OSError, or BadWeightsError, which names the file, if it holds none."""
    content = read_bounded(path, MOST_BYTES)
    try:
        # numpy warns of headers that are then refused.
        with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(BytesIO(content)) as members:
            return _read(members)
    except BadWeightsError as error:
        raise BadWeightsError(f"{path}: {error}") from None
    except Exception:  # whatever is damaged: zip files, their packing, tokens of a header, JSON
        raise BadWeightsError(f"{path}: no network, or a damaged one") from None


def _read(members: zipfile.ZipFile) -> Weights:
    header = json.loads(_array(members, "header", np.dtype(np.uint8), None, _MOST_HEADER_BYTES).tobytes())
    if header["version"] != VERSION:
        raise BadWeightsError(f"expected a network of version {VERSION}, got {quoted(header['version'])}")
    fields, about = dict(header["architecture"]), header["about"]
    if fields.keys() != set(ARCHITECTURE_FIELDS) or not isinstance(about, dict):
        raise BadWeightsError(f"expected an architecture of {', '.join(ARCHITECTURE_FIELDS)}, got {quoted(fields)}")
    architecture = Architecture(**fields)
    shapes = architecture.shapes()
    length = 2 * sum(map(math.prod, shapes.values()))
    if length > MOST_BYTES:
        raise BadWeightsError(f"expected a network of at most {MOST_BYTES} bytes, got one of at least {length}")
    names = [f"{name}.npy" for name in ("header", *shapes)]
    if sorted(members.namelist()) != sorted(names):
        unlike = sorted(set(members.namelist()) ^ set(names)) or ["twice the same"]
        raise BadWeightsError(f"expected the arrays of such a network; missing or too much: {quoted(', '.join(unlike))}")
    arrays = {name: _array(members, name, None, shape, 4 * math.prod(shape) + _NPY_BYTES) for name, shape in shapes.items()}
    return Weights(architecture, {name: array.astype(np.float32) for name, array in arrays.items()}, about)


def _array(
    members: zipfile.ZipFile, name: str, dtype: np.dtype[Any] | None, shape: Shape | None, most: int
) -> npt.NDArray[Any]:
    """Return one array of a file. shape: None for a row of any length; dtype: None for float32 or float16."""
    info = members.getinfo(f"{name}.npy")
    if info.file_size > most:
        raise BadWeightsError(f"{name}: expected at most {most} bytes, got {info.file_size}")
    data = BytesIO(members.read(info))
    if np.lib.format.read_magic(data) != (1, 0):
        raise BadWeightsError(f"{name}: expected an array of NumPy's format 1.0")
    size, by_columns, kind = np.lib.format.read_array_header_1_0(data)
    wanted = size[:1] if shape is None else shape
    kinds = [dtype] if dtype else [np.dtype("<f4"), np.dtype("<f2")]
    if kind not in kinds or by_columns or size != wanted:
        expected = " or ".join(str(one) for one in kinds)
        raise BadWeightsError(f"{name}: expected {expected} of shape {wanted} by rows, got {kind.str} of shape {size}")
    return np.frombuffer(data.read(), kind).reshape(wanted)


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
        return parts[0] if len(parts) == 1 else Heads(*map(_join, *parts))

    def _heads(self, observations: Observations) -> Heads:
        kind, arrays, count = self.architecture, self._arrays, len(observations)
        board = self._tower(observations)
        policy = _relu(board @ arrays["policy_layer"] + arrays["policy_bias"])
        value = _relu(board @ arrays["value_layer"] + arrays["value_bias"])
        hidden = _relu(_pool(value, kind.board_points, count) @ arrays["value_hidden"] + arrays["value_hidden_bias"])
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
                by_point += _pool(np.maximum(inner, 0), kind.board_points, count) @ arrays["pooling"]
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
        pooled = _pool(policy, points, count)
        by_point = policy.reshape(points, count, policy.shape[1])
        by_point += pooled @ arrays["policy_pooling"]
        logits: Array = (_relu(policy) @ arrays["policy_points"]).reshape(points, count).T
        if "policy_others" not in arrays:
            return logits
        return np.hstack([logits, pooled @ arrays["policy_others"] + arrays["policy_others_bias"]])


def _join(*parts: Array | None) -> Any:  # noqa: ANN401
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
        product: Array = columns @ matrices[1]
        inside = (width - 1) * count
        product[:, count:] += columns[:, :inside] @ matrices[0]
        product[:, :inside] += columns[:, count:] @ matrices[2]
        return product.reshape(height * width * count, product.shape[2])


def _matrices(kernel: Array) -> Array:
    """Return a kernel (out, in, 3, 3) as three matrices (3 * in, out), for columns to the left, here, and to the right."""
    return np.ascontiguousarray(kernel.transpose(3, 2, 1, 0).reshape(3, -1, len(kernel)))


def _relu(values: Array) -> Array:
    """Return the values with 0 in place of the negative ones, in place."""
    return np.maximum(values, 0, out=values)


def _pool(board: Array, points: int, count: int) -> Array:
    """Return mean and maximum over the points, shape (rows, 2 * channels); board: (points * rows, channels)."""
    by_point = board.reshape(points, count, board.shape[1])
    return np.concatenate([by_point.mean(axis=0), by_point.max(axis=0)], axis=1)
