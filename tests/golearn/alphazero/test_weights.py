"""Networks as numbers and as files: what fits a game, what is refused, and that files stay the same."""

import json
import random
import zipfile
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest

from golearn.alphazero.games import CompleteGame, game_from_name
from golearn.alphazero.weights import MOST_BYTES, Weights, architecture_for, fresh_weights, read_weights, write_weights
from golearn.errors import BadWeightsError
from tests.support.plain_networks import KINDS, any_weights
from tests.support.take_away import TakeAway

KIND = KINDS[0]


def game(name):
    return CompleteGame(game_from_name(name))


def test_a_network_answers_what_the_game_asks():
    go, four, take = (architecture_for(g, 32, 3) for g in (game("go5"), game("connectfour"), CompleteGame(TakeAway())))
    assert (go.planes, go.height, go.width, go.actions, go.points, go.margin, go.ownership) == (8, 5, 5, 26, 25, True, True)
    assert (four.height, four.width, four.actions, four.points, four.margin, four.ownership) == (6, 7, 7, 0, False, False)
    assert take.points == 0 or take.points == take.board_points
    assert architecture_for(game("tictactoe"), 8, 1).points == 9


def test_actions_that_turn_otherwise_than_the_board_are_no_points():
    class Odd(type(game_from_name("tictactoe"))):
        def symmetries(self):
            return [(points, actions[::-1]) for points, actions in super().symmetries()]

    assert architecture_for(CompleteGame(Odd()), 8, 1).points == 0


def test_the_same_generator_gives_the_same_network():
    one, same, other = (fresh_weights(KIND, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(one.arrays[name], same.arrays[name]) for name in one.arrays)
    assert not np.array_equal(one.arrays["stem_kernel"], other.arrays["stem_kernel"])


@pytest.mark.parametrize("fault", [
    {"planes": 0}, {"channels": 5000}, {"blocks": 2.0}, {"height": True}, {"margin": 1}, {"points": 3}, {"actions": 11},
])  # fmt: skip
def test_no_architecture_has_such_numbers(fault):
    with pytest.raises(BadWeightsError, match=next(iter(fault if "actions" not in fault else ["points"]))):
        replace(KIND, **fault)


def without(name):
    return lambda arrays: arrays.pop(name)


def put(name, array):
    return lambda arrays: arrays.update({name: array})


@pytest.mark.parametrize(("change", "message"), [
    (without("stem_bias"), "missing or too much: stem_bias"),
    (put("extra", np.zeros(1, np.float32)), "missing or too much: extra"),
    (put("stem_bias", np.zeros(7, np.float32)), r"stem_bias: expected float32 of shape \(6,\), got float32 of shape \(7,\)"),
    (put("stem_bias", np.zeros(6)), "got float64"),
    (put("stem_bias", np.full(6, np.nan, np.float32)), "stem_bias: expected finite numbers"),
])  # fmt: skip
def test_arrays_that_are_no_network_are_refused(change, message):
    arrays = dict(any_weights(KIND).arrays)
    change(arrays)
    with pytest.raises(BadWeightsError, match=message):
        Weights(KIND, arrays)


def test_a_network_for_another_game_is_refused():
    weights = any_weights(architecture_for(game("go5"), 4, 1), about={"game": "go5"})
    weights.check_game(game("go5"), "go5")
    weights.check_game(game("go5-littlego"))
    with pytest.raises(BadWeightsError, match="expected a network for the game go5-littlego, got one for 'go5'"):
        weights.check_game(game("go5-littlego"), "go5-littlego")
    with pytest.raises(BadWeightsError, match="8 planes of 7x7 and 50 actions, got one for 8 planes of 5x5 and 26 actions"):
        weights.check_game(game("go"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("half", [False, True])
def test_what_is_written_is_read(kind, half, tmp_path):
    weights = any_weights(kind, about={"game": "made up", "simulations": 16})
    write_weights(tmp_path / "one.npz", weights, half)
    write_weights(tmp_path / "two.npz", weights, half)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    again = read_weights(tmp_path / "one.npz")
    assert (again.architecture, again.about) == (kind, weights.about)
    for name, array in weights.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array.astype(np.float16).astype(np.float32) if half else array)


def test_a_network_for_5x5_is_small(tmp_path):
    write_weights(tmp_path / "go5.npz", any_weights(architecture_for(game("go5"), 32, 3)), half=True)
    assert (tmp_path / "go5.npz").stat().st_size < 140_000


def test_numbers_that_float16_does_not_have_are_not_written(tmp_path):
    weights = any_weights(KIND)
    weights.arrays["stem_bias"][2] = 1e5
    with pytest.raises(BadWeightsError, match="stem_bias: has numbers too large for float16"):
        write_weights(tmp_path / "large.npz", weights, half=True)
    assert list(tmp_path.iterdir()) == []


def members(tmp_path, **changes):
    """A network's file with other members: array -> octets of a member, or None to leave it out."""
    write_weights(tmp_path / "net.npz", any_weights(KIND))
    with zipfile.ZipFile(tmp_path / "net.npz") as file:
        found = {name: file.read(name) for name in file.namelist()}
    for name, data in changes.items():
        found.pop(f"{name}.npy", None)
        if data is not None:
            found[f"{name}.npy"] = data
    with zipfile.ZipFile(tmp_path / "net.npz", "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in found.items():
            file.writestr(name, data)
    return tmp_path / "net.npz"


def npy(array, **options):
    file = BytesIO()
    np.lib.format.write_array(file, array, **options)
    return file.getvalue()


def header(**other):
    said = {"version": 1, "architecture": vars(KIND), "about": {}} | other
    return npy(np.frombuffer(json.dumps(said).encode(), np.uint8))


HUGE = npy(np.zeros(6, np.float32)).replace(b"(6,), }            ", b"(6000000000000,), }")

FAULTS = [
    ({"header": None}, "no network, or a damaged one"),
    ({"header": npy(np.zeros(70_000, np.uint8))}, "header: expected at most 65536 bytes, got 70128"),
    ({"header": npy(np.frombuffer(b"[" * 60_000, np.uint8))}, "no network, or a damaged one"),
    ({"header": npy(np.zeros(3, np.float32))}, "header: expected uint8"),
    ({"header": header(version=2)}, "expected a network of version 1, got 2"),
    ({"header": header(about=[])}, "expected an architecture of planes, height"),
    ({"header": header(architecture={"planes": 1})}, "expected an architecture of planes, height"),
    ({"header": header(architecture=vars(KIND) | {"blocks": 10**9})}, "blocks: expected a whole number from 1 to 64"),
    ({"header": header(architecture=vars(KIND) | {"channels": 1024, "blocks": 64})}, f"at most {MOST_BYTES} bytes, got one"),
    ({"header": header(architecture=vars(KIND) | {"channels": 7})}, "stem_kernel: expected"),
    ({"stem_bias": None}, "missing or too much: 'stem_bias.npy'"),
    ({"extra": b""}, "missing or too much: 'extra.npy'"),
    # A zip bomb: 40 MB that lie in 40 KB.
    ({"stem_bias": npy(np.zeros(10**7, np.float32))}, "stem_bias: expected at most 152 bytes, got 40000128"),
    (
        {"stem_bias": HUGE},
        r"stem_bias: expected float32 or float16 of shape \(6,\) by rows, got <f4 of shape \(6000000000000,\)",
    ),
    ({"stem_bias": npy(np.zeros(6, np.int32))}, "got <i4"),
    ({"stem_bias": npy(np.array([None] * 6), allow_pickle=True)[:152]}, r"got \|O"),
    ({"stem_bias": npy(np.zeros(6, np.float32), version=(2, 0))}, "expected an array of NumPy's format 1.0"),
    ({"stem_bias": npy(np.zeros(6, np.float32))[:-1]}, "no network, or a damaged one"),
    ({"stem_bias": npy(np.zeros(6, np.float32)) + b"x"}, "expected at most 152 bytes"),
    ({"stem_bias": npy(np.zeros(6, np.float16)) + b"xy"}, "no network, or a damaged one"),
    ({"stem_bias": npy(np.full(6, np.inf, np.float16))}, "stem_bias: expected finite numbers"),
]


@pytest.mark.parametrize(("changes", "message"), FAULTS)
def test_what_is_wrong_with_a_file_is_said(changes, message, tmp_path):
    path = members(tmp_path, **changes)
    with pytest.raises(BadWeightsError, match=message) as caught:
        read_weights(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_network_that_could_not_be_read_again_is_not_written(tmp_path, monkeypatch):
    path, weights = tmp_path / "net.npz", fresh_weights(KIND, np.random.default_rng(1))
    write_weights(path, weights)
    size = path.stat().st_size
    path.unlink()
    monkeypatch.setattr("golearn.alphazero.weights.MOST_BYTES", size - 1)
    with pytest.raises(BadWeightsError, match=f"^expected a network of at most {size - 1} bytes, got {size}$"):
        write_weights(path, weights)
    assert not path.exists()
    monkeypatch.setattr("golearn.alphazero.weights.MOST_BYTES", size)
    write_weights(path, weights)
    assert read_weights(path).arrays.keys() == weights.arrays.keys()


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        read_weights(tmp_path / "none.npz")
    with (tmp_path / "long.npz").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(OSError, match="expected at most 67108864 bytes"):
        read_weights(tmp_path / "long.npz")
    for content in (b"", b"PK\3\4 is how it begins", npy(np.zeros(3))):
        (tmp_path / "other.npz").write_bytes(content)
        with pytest.raises(BadWeightsError, match="no network, or a damaged one"):
            read_weights(tmp_path / "other.npz")


def test_a_file_cut_short_is_never_read(tmp_path):
    path = members(tmp_path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(BadWeightsError):
            read_weights(path)


def test_damaged_files_are_refused_or_read(tmp_path):
    write_weights(tmp_path / "net.npz", any_weights(KINDS[3]))
    whole, rng, refused = (tmp_path / "net.npz").read_bytes(), random.Random(4), 0
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        (tmp_path / "net.npz").write_bytes(damaged)
        try:
            read_weights(tmp_path / "net.npz")
        except BadWeightsError:
            refused += 1
    assert refused > 200
