"""ONNX Runtime, which knows nothing of ours, says of an exported network what numpy's says."""

from pathlib import Path

import numpy as np
import pytest

import golearn
from golearn.alphazero.__main__ import main
from golearn.alphazero.games import CompleteGame, find_game
from golearn.alphazero.weights import NumpyNetwork, architecture_for, read_weights
from tests.support.alphazero_commands import refused
from tests.support.missing import needs, no_package
from tests.support.plain_networks import any_weights

HERE = needs(no_package("onnx", 1, extra="onnx") or no_package("onnxruntime", 1, extra="onnx"))
SHIPPED = Path(__file__).parents[3] / "golearn/alphazero/networks/go5.npz"


def said(path, observations):
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"observations": observations}), strict=True))


def assert_as_by_numpy(weights, observations, path):
    from golearn.alphazero.onnx_files import write_onnx

    write_onnx(path, weights)
    heads, found = NumpyNetwork(weights).heads(observations), said(path, observations)
    for name, wanted in heads._asdict().items():
        assert (wanted is None) == (name not in found)
        if wanted is not None:
            assert found[name].shape == wanted.shape
            np.testing.assert_allclose(found[name], wanted, rtol=0, atol=1e-5 * max(1, np.abs(wanted).max()))


@HERE
def test_the_library_writes_onnx_by_its_own_function(tmp_path):
    golearn.write_onnx(str(tmp_path / "net.onnx"), any_weights(architecture_for(find_game("tictactoe"), 6, 1)))
    assert said(tmp_path / "net.onnx", np.zeros((1, 2, 3, 3), np.float32))["values"].shape == (1,)
    with pytest.raises(golearn.LearningError, match="expected a network"):
        golearn.write_onnx(tmp_path / "net.onnx", None)


def test_a_name_of_an_onnx_file_gets_no_other_format(tmp_path):
    with pytest.raises(golearn.LearningError, match="write_onnx writes ONNX files"):
        golearn.write_weights(tmp_path / "net.onnx", any_weights(architecture_for(find_game("tictactoe"), 6, 1)))
    assert not [*tmp_path.iterdir()]


@HERE
@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "othello6", "go5", "tests.support.take_away:TakeAway"])
@pytest.mark.parametrize("blocks", [1, 3])
def test_every_kind_of_network(name, blocks, tmp_path):
    kind = architecture_for(CompleteGame(find_game(name).game), 6, blocks)
    observations = np.random.default_rng(1).random((5, kind.planes, kind.height, kind.width)).astype(np.float32)
    assert_as_by_numpy(any_weights(kind), observations, tmp_path / "net.onnx")


@HERE
def test_the_shipped_network(tmp_path):
    weights = read_weights(SHIPPED)
    kind = weights.architecture
    observations = np.random.default_rng(1).integers(2, size=(40, kind.planes, kind.height, kind.width)).astype(np.float32)
    assert_as_by_numpy(weights, observations, tmp_path / "net.onnx")


# Files of others


def write_foreign(path, rows="rows", factor=0.0, bounded=True, kind="FLOAT"):
    """Write what somebody's exporter makes of one layer, for 5x5 Go; factor: of everything it says."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    layer = np.full((200, 27), factor, np.float32)
    constants = {"layer": layer, "flat": np.array([-1, 200]), "parts": np.array([26, 1]), "one": np.array([1])}
    nodes = [
        ("Cast", ["observations"], ["floats"], {"to": TensorProto.FLOAT}), ("Reshape", ["floats", "flat"], ["points"], {}),
        ("MatMul", ["points", "layer"], ["both"], {}), ("Split", ["both", "parts"], ["logits", "value"], {"axis": 1}),
        ("Squeeze", ["value", "one"], ["plain"], {}), ("Tanh" if bounded else "Identity", ["plain"], ["values"], {}),
    ]  # fmt: skip
    outputs = {"logits": [rows, 26], "values": [rows]}
    graph = helper.make_graph(
        [helper.make_node(operation, *ends, **options) for operation, *ends, options in nodes],
        "theirs",
        [helper.make_tensor_value_info("observations", getattr(TensorProto, kind), [rows, 8, 5, 5])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


@HERE
def test_a_file_of_another_program_is_asked(tmp_path):
    from golearn.alphazero.onnx_files import OnnxNetwork

    write_foreign(tmp_path / "theirs.onnx")
    game = find_game("go5")
    heads = OnnxNetwork(tmp_path / "theirs.onnx", game).heads(np.array([game.encode(game.initial_state())] * 3))
    assert (heads.logits.shape, heads.values.tolist(), heads.margins) == ((3, 26), [0, 0, 0], None)


FOREIGN = [
    ({"rows": 1}, "expected observations of shape ['rows', 8, 5, 5], got observations of shape [1, 8, 5, 5]"),
    ({"factor": np.nan}, "expected finite logits, and values from -1 to 1, got others"),
    ({"factor": 1.0, "bounded": False}, "expected finite logits, and values from -1 to 1, got others"),
    ({"kind": "DOUBLE"}, "cannot be run: InvalidArgument: "),
]


@HERE
@pytest.mark.parametrize(("options", "message"), FOREIGN, ids=lambda it: str(it)[:20])
def test_a_file_that_says_what_nobody_can_count_is_told_in_one_line(options, message, tmp_path, capsys):
    write_foreign(tmp_path / "theirs.onnx", **options)
    assert message in refused(capsys, "truthbench", tmp_path / "theirs.onnx")


def test_without_onnx_one_line_says_what_to_install(tmp_path, monkeypatch, capsys):
    import sys

    from golearn.alphazero.commands import training

    monkeypatch.setattr(training, "newest_network", lambda folder, tell: read_weights(SHIPPED))
    monkeypatch.setitem(sys.modules, "onnx", None)
    monkeypatch.delitem(sys.modules, "golearn.alphazero.onnx_files", raising=False)
    assert "onnx is missing; install it with: " in refused(capsys, "export", tmp_path, tmp_path / "net.onnx", "--onnx")


@HERE
def test_the_command_writes_it(tmp_path, monkeypatch, capsys):
    from golearn.alphazero.commands import training

    monkeypatch.setattr(training, "newest_network", lambda folder, tell: read_weights(SHIPPED))
    assert main(["export", str(tmp_path), str(tmp_path / "net.onnx"), "--onnx"]) == 0
    assert set(said(tmp_path / "net.onnx", np.zeros((2, 8, 5, 5), np.float32))) == {"logits", "values", "margins", "ownership"}
