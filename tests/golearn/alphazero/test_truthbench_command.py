"""`truthbench`: players, networks, ONNX files, engines and functions on positions with exact values; wrong answers count."""

import json
import operator
import shlex
import sys

import numpy as np
import pytest

from goban.rulesets import ruleset
from golearn.alphazero.__main__ import main
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_positions import GoFunction, action_of, read_positions, set_bytes, shipped_path
from golearn.alphazero.go_zero import SHIPPED
from golearn.alphazero.weights import architecture_for, read_weights, write_weights
from golearn.errors import WrongAnswerError
from tests.support.alphazero_commands import refused, said
from tests.support.missing import needs, no_package
from tests.support.plain_networks import any_weights

KNOWN = read_positions(shipped_path("course")).part(np.arange(48))
HERE = "tests.golearn.alphazero.test_truthbench_command"


@pytest.fixture
def positions(tmp_path):
    """A file with a few positions of each part."""
    path = tmp_path / "few.npz"
    path.write_bytes(set_bytes(KNOWN))
    return path


def figures(path):
    """policy -> metric -> its figure over all positions."""
    found = {}
    for line in map(json.loads, path.read_text().splitlines()):
        if line["positions"] == "all":
            found.setdefault(line["policy"], {"faults": line["faults"]})[line["metric"]] = line["value"]
    return found


# Functions that are policies


def first(state):
    """The first legal point."""
    return state.legal_moves()[0]


def known_value(state):
    """The best move, and who wins."""
    number = KNOWN.states().index(state)
    wins = KNOWN.wins()[number]
    leads = np.where(np.isnan(KNOWN.leads()[number]), -99, KNOWN.leads()[number])
    action = int(max(KNOWN.legal()[number].nonzero()[0], key=lambda action: (wins[action], leads[action])))
    return divmod(action, 5), 1.0 if wins.any() else -1.0


def sure(state):
    """Wins everywhere, by itself."""
    return first(state), 2


def passing(state):
    """What nobody may play under `course`."""
    return "PASS"


def failing(state):
    raise RuntimeError("no idea")


def leaving(state):
    sys.exit("bye")


def test_each_policy_has_a_row_with_intervals(capsys, tmp_path, positions):
    out = tmp_path / "figures.jsonl"
    text = said(capsys, "truthbench", "perfect", "random", SHIPPED, "--positions", positions, "--out", out)
    head, _, *rows = text.splitlines()
    assert head.split("  ")[0] == "policy"
    assert [word for word in head.split() if word in ("winner", "calibration", "regret", "faults")] == [
        "winner", "calibration", "regret", "faults",
    ]  # fmt: skip
    assert [row.split("  ")[0] for row in rows] == ["perfect", "random", str(SHIPPED)]
    found = figures(out)
    assert found["perfect"]["kept wins"] == 1
    assert found["random"]["kept wins"] < found[str(SHIPPED)]["kept wins"]
    assert "winner" not in found["random"]
    assert 0.8 < found[str(SHIPPED)]["winner"] <= 1
    lows = [line for line in map(json.loads, out.read_text().splitlines()) if line["positions"] == "all"]
    assert all(line["low"] <= line["value"] <= line["high"] for line in lows)


def test_a_function_says_a_move_and_may_say_a_value(capsys, tmp_path, positions):
    out = tmp_path / "figures.jsonl"
    said(capsys, "truthbench", f"{HERE}:first", f"{HERE}:known_value", "--positions", positions, "--out", out)
    plain, knowing = figures(out).values()
    assert "winner" not in plain
    assert (knowing["winner"], knowing["calibration"], knowing["kept wins"], knowing["regret"]) == (1, 0, 1, 0)
    assert plain["faults"] == knowing["faults"] == 0
    assert plain["kept wins"] < 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("passing", "may not play pass here"),
        ("failing", "failed: RuntimeError: no idea"),
        ("leaving", "failed: SystemExit: bye"),
        ("sure", "expected a value from -1 to 1, got 2"),
    ],
)
def test_a_wrong_answer_counts_as_the_move_that_loses_most(name, why, capsys, tmp_path, positions):
    out = tmp_path / "figures.jsonl"
    assert main(["truthbench", f"{HERE}:{name}", "--positions", str(positions), "--out", str(out)]) == 0
    said_of = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
    assert len(said_of) == 1
    assert said_of[0].startswith("truthbench: 48 faults count as the move that loses most; the first: ")
    assert why in said_of[0]
    (found,) = figures(out).values()
    leads = KNOWN.leads()[~np.isnan(KNOWN.leads()).all(axis=1)]
    lost = np.nanmax(leads, axis=1) - np.nanmin(leads, axis=1)
    assert (found["faults"], found["kept wins"], found["best moves"]) == (48, 0, 0)
    assert found["regret"] == pytest.approx(lost[lost > 0].mean())


class Scalar:
    """A number as torch has it: a thing of its own that Python may read as one."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return operator.index(self.number)

    def __float__(self):
        return float(self.number)

    def __len__(self):
        raise TypeError("len() of a 0-d tensor")


STYLES = [
    ((1, 2), 7, None), ([1, 2], 7, None), (np.array([1, 2]), 7, None), ("C4", 7, None), ("c4", 7, None),
    (7, 7, None), (np.int64(7), 7, None), (np.array(7), 7, None), (Scalar(7), 7, None),
    (None, 25, None), ("pass", 25, None), ("PASS", 25, None), (25, 25, None),
    (((1, 2), 0.5), 7, 0.5), ([[1, 2], 0.5], 7, 0.5), (("C4", -1), 7, -1), ((7, 0.5), 7, 0.5), ((None, 1), 25, 1),
    ((np.array([1, 2]), np.float32(0.5)), 7, 0.5), ((Scalar(7), Scalar(0.5)), 7, 0.5), (((1, 2), np.array(0.5)), 7, 0.5),
    (((1, 2), None), 7, None),
]  # fmt: skip


@pytest.mark.parametrize(("said", "action", "value"), STYLES, ids=lambda it: repr(it).split(" object")[0])
def test_a_function_may_answer_in_many_ways(said, action, value):
    game = GoGame(ruleset("littlego"))
    assert GoFunction(game, lambda state: said, "mine").answer(game.initial_state()) == (action, value)


NO_ANSWERS = [
    (np.eye(26)[7], "expected a point like (1, 3) or 'B4', got array([0., 0."), ((1.0, 2.0), "got 1.0"), (7.0, "got 7.0"),
    ("Z9", "got 'Z9'"), ("E6", "is off the 5x5 board"), (26, "an action from 0 to 25, got 26"), (-1, "got -1"),
    ({"move": (1, 2)}, "got {'move'"), ("resign", "resigned"), (((1, 2), "won"), "from -1 to 1, got 'won'"),
    (((1, 2), float("nan")), "got nan"), (((1, 2), np.ones(26)), "from -1 to 1, got array"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "why"), NO_ANSWERS, ids=lambda it: repr(it)[:30])
def test_what_is_no_answer_is_told_in_a_line(said, why):
    game = GoGame(ruleset("littlego"))
    with pytest.raises(WrongAnswerError) as caught:
        GoFunction(game, lambda state: said, "mine").answer(game.initial_state())
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_an_engine_answers_for_a_policy(capsys, tmp_path, positions):
    """Ours, as others' would: by the same moves as the player."""
    out = tmp_path / "figures.jsonl"
    engine = f"gtp:{shlex.join([sys.executable, '-m', 'players.gtp_engine', 'my', '--rules', 'course', '--size', '5'])}"
    said(capsys, "truthbench", "my", engine, "--positions", positions, "--out", out)
    player, asked = figures(out).values()
    assert asked == player


@needs(no_package("onnx", 1, extra="onnx") or no_package("onnxruntime", 1, extra="onnx"))
def test_an_onnx_file_says_what_the_network_says(capsys, tmp_path, positions):
    from golearn.alphazero.onnx_files import write_onnx

    out, path = tmp_path / "figures.jsonl", tmp_path / "go5.onnx"
    write_onnx(path, read_weights(SHIPPED))
    said(capsys, "truthbench", SHIPPED, path, f"{path}:simulations=4", "--positions", positions, "--out", out)
    own, theirs, searched = figures(out).values()
    assert theirs == pytest.approx(own, abs=1e-5)
    assert "mass on best" in searched
    other = tmp_path / "4x4.onnx"
    kind = read_weights(SHIPPED).architecture
    write_onnx(other, any_weights(type(kind)(**{**vars(kind), "height": 4, "width": 4, "points": 16, "actions": 17})))
    assert "expected observations of shape ['rows', 8, 5, 5], got observations of shape ['rows', 8, 4, 4]" in refused(
        capsys, "truthbench", other, "--positions", positions
    )


def test_positions_are_written_for_programs_that_know_no_rules(capsys, tmp_path, positions):
    path = tmp_path / "table.npz"
    text = said(capsys, "truthbench", "--export", path, "--positions", positions)
    assert text == f"{path}: 48 positions of course, {path.stat().st_size:,} bytes\n"
    table = np.load(path)
    for number, state in enumerate(KNOWN.states()):
        assert table["boards"][number].tolist() == [list(row) for row in state.rows()]
        assert (table["to_move"][number], table["moves_made"][number]) == (state.to_move, state.n_move)
        assert np.array_equal(table["observations"][number], KNOWN.game.encode(state))
        legal = [action_of(None if action == 25 else divmod(action, 5), KNOWN.game, state, "")
                 for action in table["legal"][number].nonzero()[0].tolist()]  # fmt: skip
        assert legal == KNOWN.game.legal_moves(state)
    assert np.array_equal(table["margins"], KNOWN.margins)
    assert np.array_equal(table["winners"], KNOWN.winners)


def test_the_board_before_is_that_before_the_last_move(capsys, tmp_path, positions):
    path = tmp_path / "table.npz"
    said(capsys, "truthbench", "--export", path, "--positions", positions)
    table, game = np.load(path), KNOWN.game
    for moves, board in zip(KNOWN.moves, table["boards_before"], strict=True):
        state = game.initial_state()
        for action in [action for action in moves.tolist() if action != 255][:-1]:
            state = game.apply_move(state, action)
        assert board.tolist() == [list(row) for row in state.rows()]


REFUSED = [
    ([], "expected a POLICY, or --export FILE"),
    (["nobody"], "expected a player"),
    (["json:nothing"], "player 'json:nothing' cannot be had: AttributeError"),
    (["this_module_leaves:policy"], "player 'this_module_leaves:policy' cannot be had: SystemExit: 2"),
    (["none.onnx"], "none.onnx"),
    (["random", "--game=tictactoe"], "invalid choice"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_be_scored_is_refused_in_one_line(words, message, capsys, tmp_path, monkeypatch):
    # As a script without `if __name__ == "__main__"` does that reads a command line of its own.
    (tmp_path / "this_module_leaves.py").write_text("raise SystemExit(2)\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert message in refused(capsys, "truthbench", *words)


def test_a_network_of_another_board_is_refused(capsys, tmp_path):
    kind = architecture_for(CompleteGame(KNOWN.game), 4, 1)
    write_weights(tmp_path / "other.npz", any_weights(type(kind)(**{**vars(kind), "planes": 3})))
    assert "expected a network for 8 planes of 5x5" in refused(capsys, "truthbench", tmp_path / "other.npz")
