"""Networks as ONNX files, for programs that know nothing of ours; and files of other programs, to be measured here.

Input `observations` (rows, planes, height, width) float32; outputs `logits` (rows, actions), `values` (rows,), and where the
network has them `margins` (rows,) and `ownership` (rows, height, width): see `golearn.alphazero.weights.Heads`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import error_line
from goban.common.files import write_beside
from golearn.alphazero.games import CompleteGame, Observations
from golearn.alphazero.weights import Array, Heads, Weights
from golearn.errors import BadWeightsError, without_extra

try:
    from onnx import TensorProto, checker, helper, numpy_helper
except ImportError as error:
    raise without_extra(error, "onnx") from None

_OPSET, _IR = 17, 8
"""What ONNX Runtime 1.15 knows already."""
_MOST_VALUE = 1.0001
"""Some compute in half precision."""


def write_onnx(path: Path, weights: Weights) -> None:
    """Write a network to a file, whole or not at all; raises OSError."""
    write_beside(path, _Graph(weights).model().SerializeToString())


class OnnxNetwork:
    """A file's network, run by ONNX Runtime; it must have the input and the outputs named above, `margins` and `ownership` not.

    Raises OSError, BadWeightsError unless it fits the game.
    """

    def __init__(self, path: Path, game: CompleteGame[Any]) -> None:
        # Who only writes files has no use for it.
        try:
            import onnxruntime
        except ImportError as error:
            raise without_extra(error, "onnx") from None
        self._path, content, options = path, path.read_bytes(), onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise BadWeightsError(f"{path}: no ONNX file, or a damaged one: {error_line(error)}") from None
        shapes = {one.name: one.shape for one in (*self._session.get_inputs(), *self._session.get_outputs())}
        wanted = {"observations": [game.num_planes, *game.board_shape], "logits": [game.action_size], "values": []}
        for name, shape in wanted.items():
            if name not in shapes or shapes[name][1:] != shape or isinstance(shapes[name][0], int):
                told = f"{name} of shape {shapes[name]}" if name in shapes else f"only {', '.join(shapes)}"
                raise BadWeightsError(f"{path}: expected {name} of shape {['rows', *shape]}, got {told}")

    def __call__(self, observations: Observations) -> tuple[Array, Array]:
        """Return logits and values."""
        heads = self.heads(observations)
        return heads.logits, heads.values

    def heads(self, observations: Observations) -> Heads:
        """Return all that the network says; raises BadWeightsError if that is not finite, or a value not from -1 to 1."""
        names = [output.name for output in self._session.get_outputs()]
        try:
            said = self._session.run(None, {"observations": np.ascontiguousarray(observations, np.float32)})
        except Exception as error:
            raise BadWeightsError(f"{self._path}: cannot be run: {error_line(error)}") from None
        found = dict(zip(names, said, strict=True))
        if not (np.isfinite(found["logits"]).all() and (np.abs(found["values"]) <= _MOST_VALUE).all()):
            raise BadWeightsError(f"{self._path}: expected finite logits, and values from -1 to 1, got others")
        return Heads(found["logits"], found["values"], found.get("margins"), found.get("ownership"))


class _Graph:
    """A graph on its way: constants, nodes, and a name for each thing in it."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.kind = weights, weights.architecture
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def model(self) -> Any:  # noqa: ANN401
        """Return the network as onnx has it."""
        kind, floats = self.kind, TensorProto.FLOAT
        board = self._tower()
        value = self._relu(self._layer(board, "value_layer", "value_bias"))
        hidden = self._relu(self._layer(self._pool(value, [1, 2]), "value_hidden", "value_hidden_bias"))
        shapes: dict[str, list[Any]] = {"logits": ["rows", kind.actions], "values": ["rows"]}
        self._logits(self._relu(self._layer(board, "policy_layer", "policy_bias")))
        self._squeeze(self._node("Tanh", self._layer(hidden, "value_last", "value_last_bias")), 1, "values")
        if kind.margin:
            self._squeeze(self._layer(hidden, "margin_last", "margin_last_bias"), 1, "margins")
            shapes["margins"] = ["rows"]
        if kind.ownership:
            self._squeeze(self._node("Tanh", self._layer(value, "ownership_last", "ownership_last_bias")), 3, "ownership")
            shapes["ownership"] = ["rows", kind.height, kind.width]
        shown = helper.make_tensor_value_info("observations", floats, ["rows", kind.planes, kind.height, kind.width])
        told = [helper.make_tensor_value_info(name, floats, shape) for name, shape in shapes.items()]
        graph = helper.make_graph(self.nodes, "network", [shown], told, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)
        helper.set_model_props(model, {key: str(value) for key, value in self.weights.about.items()})
        checker.check_model(model)
        return model

    def _tower(self) -> str:
        """Return the board after the last block, channels last."""
        arrays = self.weights.arrays
        board = self._relu(self._convolve("observations", arrays["stem_kernel"], arrays["stem_bias"]))
        for block in range(self.kind.blocks):
            name = f"block{block}"
            inner = self._convolve(board, arrays[f"{name}_first_kernel"], arrays[f"{name}_first_bias"])
            if block == self.kind.pooling_block:
                added = self._product(self._pool(self._relu(inner), [2, 3]), "pooling")
                inner = self._node("Add", inner, self._node("Unsqueeze", added, self._whole([2, 3])))
            kernel = arrays[f"{name}_scale"][:, None, None, None] * arrays[f"{name}_second_kernel"]
            inner = self._convolve(self._relu(inner), kernel, arrays[f"{name}_second_bias"])
            board = self._relu(self._node("Add", board, inner))
        return self._node("Transpose", board, perm=[0, 2, 3, 1])

    def _logits(self, policy: str) -> None:
        """policy: channels last."""
        flat = self._whole([0, -1])
        if not self.kind.points:
            self._layer(self._node("Reshape", policy, flat), "policy_others", "policy_others_bias", "logits")
            return
        pooled = self._pool(policy, [1, 2])
        added = self._node("Unsqueeze", self._product(pooled, "policy_pooling"), self._whole([1, 2]))
        by_point = self._product(self._relu(self._node("Add", policy, added)), "policy_points")
        if "policy_others" not in self.weights.arrays:
            self._node("Reshape", by_point, flat, name="logits")
            return
        others = self._layer(pooled, "policy_others", "policy_others_bias")
        self._node("Concat", self._node("Reshape", by_point, flat), others, name="logits", axis=1)

    # Parts

    def _node(self, operation: str, *inputs: str, name: str = "", **attributes: Any) -> str:  # noqa: ANN401
        name = name or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, list(inputs), [name], **attributes))
        return name

    def _constant(self, array: npt.NDArray[Any]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _whole(self, numbers: list[int]) -> str:
        return self._constant(np.array(numbers, dtype=np.int64))

    def _relu(self, board: str) -> str:
        return self._node("Relu", board)

    def _convolve(self, board: str, kernel: npt.NDArray[Any], bias: npt.NDArray[Any]) -> str:
        return self._node("Conv", board, self._constant(kernel), self._constant(bias), pads=[1, 1, 1, 1])

    def _product(self, board: str, layer: str) -> str:
        return self._node("MatMul", board, self._constant(self.weights.arrays[layer]))

    def _layer(self, board: str, layer: str, bias: str, name: str = "") -> str:
        return self._node("Add", self._product(board, layer), self._constant(self.weights.arrays[bias]), name=name)

    def _pool(self, board: str, points: list[int]) -> str:
        """points: which axes they are."""
        found = [self._node(operation, board, axes=points, keepdims=0) for operation in ("ReduceMean", "ReduceMax")]
        return self._node("Concat", *found, axis=1)

    def _squeeze(self, board: str, axis: int, name: str) -> None:
        self._node("Squeeze", board, self._whole([axis]), name=name)
