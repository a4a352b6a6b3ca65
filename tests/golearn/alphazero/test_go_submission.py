"""The shipped network as a submission: it sees and plays what `zero` does, and needs the standard library only."""

import ast
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from go import GO
from goban.rulesets import ruleset
from goban.states import ko_points, new_game
from golearn.alphazero import go_submission
from golearn.alphazero.__main__ import main
from golearn.alphazero.games import game_from_name
from golearn.alphazero.go_positions import read_positions, shipped_path
from golearn.alphazero.go_submission import Network, planes, read_arrays
from golearn.alphazero.go_zero import SHIPPED, SUBMISSION
from golearn.alphazero.weights import NumpyNetwork, read_weights, write_weights
from players.registry import make_player
from tests.support.plain_networks import any_weights


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder that is handed in."""
    folder = tmp_path_factory.mktemp("class") / "model"
    assert main(["submission", str(folder)]) == 0
    return folder


def shown(state):
    go = GO(5)
    GO.adopt_state(go, state)
    return go


def seen(state):
    """The planes that the submission makes of a position, as the network of `zero` is given them."""
    rows = np.array(planes(shown(state), state.to_move), np.float32)
    return rows.T.reshape(8, 5, 5)


def drawn_positions():
    """A few positions of every part of the game, and some with a ko."""
    states = read_positions(shipped_path("course")).states()
    return states[::250] + [state for state in states if ko_points(state)][:3]


def test_it_is_shown_what_zero_is_shown_all_through_a_game():
    game = game_from_name("go5")
    for seed in range(8):
        rng, state = random.Random(seed), new_game(ruleset("course"), 5)
        while not state.is_over:
            assert np.array_equal(seen(state), game.encode(state))
            state = state.play(rng.choice([move for move in state.legal_moves() if isinstance(move, tuple)]))


def test_it_is_shown_every_ko():
    game = game_from_name("go5")
    states = [state for state in read_positions(shipped_path("course")).states() if state.captured]
    assert sum(bool(ko_points(state)) for state in states) > 10
    for state in states[:200]:
        assert np.array_equal(seen(state)[2], game.encode(state)[2])


def assert_it_says_what_zero_says(path, **bounds):
    own, zero, game = Network(read_arrays(path)), NumpyNetwork(read_weights(path)), game_from_name("go5")
    for state in drawn_positions()[::4]:
        logits, _ = zero(game.encode(state)[None])
        assert own.numbers(planes(shown(state), state.to_move)) == pytest.approx(logits[0, :25], **bounds)


def test_its_network_says_what_that_of_zero_says():
    # Numbers of thousands, of which 32 bits hold seven digits: their common addend was not bounded when it learnt.
    assert_it_says_what_zero_says(SHIPPED, rel=1e-6, abs=1e-4)


def test_any_network_of_the_kind_says_the_same(tmp_path):
    write_weights(tmp_path / "any.npz", any_weights(read_weights(SHIPPED).architecture))
    assert_it_says_what_zero_says(tmp_path / "any.npz", abs=1e-4)


def test_it_plays_as_zero_does(folder):
    player, zero = (make_player(name, random.Random(1)) for name in (str(folder / "my_player.py"), "zero"))
    for state in drawn_positions():
        assert player.get_input(shown(state), state.to_move) == zero.get_input(shown(state), state.to_move)


def test_numbers_of_32_bits_are_read_too(tmp_path):
    arrays = {"wide": np.linspace(-1, 1, 7, dtype=np.float32), "half": np.arange(6, dtype=np.float16).reshape(2, 3)}
    np.savez(tmp_path / "both.npz", text=np.frombuffer(b"{}", np.uint8), **arrays)
    found = read_arrays(tmp_path / "both.npz")
    assert found == {name: tuple(array.ravel().tolist()) for name, array in arrays.items()}


def test_it_imports_the_standard_library_and_go_only():
    nodes = list(ast.walk(ast.parse(Path(go_submission.__file__).read_text())))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {module.split(".")[0] for module in modules} - set(sys.stdlib_module_names) == {"go"}


def test_on_another_board_it_says_for_which_it_is(folder):
    player = make_player(str(folder / "my_player.py"), random.Random(1))
    with pytest.raises(ValueError, match=r"^expected a board of 5x5, as the network is for, got 7x7$"):
        player.get_input(GO(7), 1)


def test_where_nothing_is_legal_it_passes(folder):
    """Never under `course`, where the game would be over."""
    go, player = GO(5), make_player(str(folder / "my_player.py"), random.Random(1))
    go.board = [[2] * 5 for _ in range(5)]
    assert player.get_input(go, 1) == "PASS"


def test_it_is_written_to_a_folder_of_its_own(folder, capsys, tmp_path):
    assert sorted(path.name for path in folder.iterdir()) == sorted(SUBMISSION)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert main(["submission", str(folder)]) == 2
    assert capsys.readouterr().err == f"submission: {folder}: expected a new or an empty folder, found something else\n"
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    (tmp_path / "file").touch()
    assert main(["submission", str(tmp_path / "file")]) == 2
    assert main(["submission", str(tmp_path)]) == 2
    (tmp_path / "file").unlink()
    assert main(["submission", str(tmp_path)]) == 0
