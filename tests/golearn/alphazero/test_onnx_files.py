"""ONNX Runtime, which knows nothing of ours, says of an exported network what numpy's says."""

from pathlib import Path

import numpy as np
import pytest

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
