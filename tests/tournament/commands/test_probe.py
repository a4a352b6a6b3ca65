"""probe: a table of what players can do; a faulty one has verdicts, and bad input is one line."""

import json
import re

import pytest

from goban.ideas import SAMPLE, SYMMETRIC
from goban.solver.sgf_files import read_game
from tests.support.submissions import get_input
from tournament.__main__ import main
from tournament.probing import asking, positions
from tournament.probing.positions import read_shipped

# So that a sandbox need not be asked three hundred times.
FEW = {"capture": 2, "self-atari": 2, "last-move": 2, SYMMETRIC: 1, SAMPLE: 3}
ASKED = sum(FEW.values()) + 8

FIRST = """
    for i in range(5):
        for j in range(5):
            if go.valid_place_check(i, j, colour, test_check=True):
                return i, j
"""
PROGRAM = """
    lines = open("input.txt").read().split()
    free = [(i, j) for i in range(5) for j in range(5) if lines[6 + i][j] == "0"]
    open("output.txt", "w").write("PASS")
    print(len(free))
"""


@pytest.fixture
def few(monkeypatch):
    def some(rules, size):
        found = read_shipped(rules, size)
        return [one for group, number in FEW.items() for one in [one for one in found if one.group == group][:number]]

    monkeypatch.setattr(positions, "read_shipped", some)


@pytest.fixture
def hw(tmp_path):
    (tmp_path / "hw").mkdir()
    return tmp_path / "hw"


def probe(capsys, *arguments):
    status = main(["probe", *map(str, arguments)])
    said = capsys.readouterr()
    return status, said.out, said.err


def row(out, name):
    """The figures in a line of the table, which begins with this name."""
    return next(re.split("  +", line)[2:] for line in out.splitlines() if re.split("  +", line)[0] == name)


@pytest.mark.usefixtures("few")
def test_reference_players_stand_side_by_side(capsys):
    status, out, err = probe(capsys, "random", "perfect")
    # Where its kernels are compiled first, that is told.
    assert (status, err) in ((0, ""), (0, "perfect: compiling, once for this machine...\n"))
    assert re.split("  +", out.splitlines()[0].strip()) == ["the player ...", "random", "perfect"]
    assert row(out, "capture")[1] == row(out, "self-atari")[1] == row(out, "last-move")[1] == "2/2"
    assert row(out, "all")[1] == "6/6"
    assert row(out, "symmetric")[1] == "7/7"
    assert row(out, "faults") == ["0", "0"]


@pytest.mark.usefixtures("few")
def test_a_submission_is_asked_in_its_sandbox_and_gives_the_same_with_the_same_seed(hw, capsys):
    (hw / "my_player.py").write_text(get_input(FIRST))
    status, out, err = probe(capsys, hw)
    assert status == 0
    assert "submissions play in a sandbox of tier T" in err
    assert row(out, "by chance") == ["0/1"]
    again = probe(capsys, hw)[1]
    assert [line for line in out.splitlines() if "takes for" not in line] == [
        line for line in again.splitlines() if "takes for" not in line
    ]


@pytest.mark.usefixtures("few")
def test_a_player_by_chance_draws_from_the_seed(hw, capsys):
    (hw / "my_player.py").write_text(get_input("""
        import random
        return random.choice([(i, j) for i in range(5) for j in range(5) if go.valid_place_check(i, j, colour, True)])
    """))
    found = [json.loads(_written(hw.parent / "out.json", capsys, hw, *seeded(hw.parent, seed))) for seed in (1, 1, 2)]
    missed = [[one["missed"] for one in data["profiles"][0]["probes"]] for data in found]
    phases = [data["profiles"][0]["phases"] for data in found]
    assert (missed[0], phases[0]) == (missed[1], phases[1])
    assert (missed[0], phases[0]) != (missed[2], phases[2])


def seeded(folder, seed):
    """The option for an event file with a seed."""
    (folder / f"{seed}.toml").write_text(f"seed = {seed}\n")
    return "--event", folder / f"{seed}.toml"


def _written(path, capsys, *arguments):
    probe(capsys, *arguments, "--out", path)
    return path.read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("few")
def test_faults_are_verdicts_of_their_positions(hw, capsys):
    bodies = {
        "crash": "return 1 / 0", "stone": "return next((i, j) for i in range(5) for j in range(5) if go.board[i][j])",
        "text": "return 'nowhere'", "hang": "while True: pass",
    }  # fmt: skip
    for name, body in bodies.items():
        (hw / f"{name}.py").write_text(get_input(body))
    (hw / "torn.py").write_text("def (")
    event = hw.parent / "short.toml"
    event.write_text("[limits]\nmove_seconds = 0.5\n")
    status, out, err = probe(capsys, hw, "--event", event)
    assert status == 1
    assert re.search(r"^torn: torn\.py, line 1: SyntaxError", err, re.M)
    assert row(out, "faults") == [str(ASKED)] * 4
    assert row(out, "all") == ["0/6"] * 4
    assert f"crash: crash in {ASKED} positions, the first: ZeroDivisionError: division by zero (crash.py, line 5)" in out
    assert f"hang: time-out in {ASKED} positions, the first: " in out
    assert f"stone: illegal move in {ASKED} positions, the first: illegal move " in out
    assert f"text: illegal move in {ASKED} positions, the first: invalid answer: expected (row, column), got 'nowhere'" in out
    assert "Traceback" not in out + err


@pytest.mark.usefixtures("few")
def test_a_program_is_asked_under_littlego(hw, capsys):
    (hw / "my_player3.py").write_text("if True:\n" + PROGRAM)
    status, out, _ = probe(capsys, hw, "--rules", "littlego")
    assert status == 0
    assert row(out, "symmetric") == ["7/7"]
    assert row(out, "by chance") == ["0/1"]


@pytest.mark.usefixtures("few")
def test_missed_positions_are_drawn_and_written(hw, tmp_path, capsys):
    (hw / "my_player.py").write_text(get_input(FIRST))
    status, out, _ = probe(capsys, hw, "--show", "--out", tmp_path / "p.json", "--out", tmp_path / "p.sgf")
    data = json.loads((tmp_path / "p.json").read_text())
    missed = [miss for one in data["profiles"][0]["probes"] for miss in one["missed"]]
    assert (status, data["rules"], data["seed"]) == (0, "course", 1)
    assert missed
    assert out.count("what wins: ") == out.count("   A B C D E\n") // 2 == len(missed)
    last = read_game((tmp_path / "p.sgf").read_bytes(), len(missed))
    assert len(last.moves) == len(missed[-1]["moves"].split())


@pytest.mark.usefixtures("few")
def test_stopped_it_shows_who_was_asked_everything(capsys, monkeypatch, tmp_path):
    all_asked = asking.ask_all

    def ask_all(entrant, *arguments):
        if entrant.name == "greedy":
            raise KeyboardInterrupt
        return all_asked(entrant, *arguments)

    monkeypatch.setattr(asking, "ask_all", ask_all)
    status, out, err = probe(capsys, "random", "greedy", "smart", "--out", tmp_path / "p.json")
    assert (status, err) == (130, "stopped; nothing was written\n")
    assert re.split("  +", out.splitlines()[0].strip()) == ["the player ...", "random"]
    assert not (tmp_path / "p.json").exists()


@pytest.mark.parametrize(("arguments", "line"), [
    (["gtp:gnugo"], "expected a reference player, a file or a folder, got 'gtp:gnugo': engines cannot be probed"),
    (["random", "--rules", "aga"], "expected course or littlego on 5x5, where every move's value is known, got aga on 9x9"),
    (["random", "--event", "slow.toml"], "slow.toml: limits.move_seconds: expected a number from 0.001 to 100000, got 0"),
    (["nobody.py"], "nobody.py"),
    (["montecarlo:simulations=no"], "simulations"),
])  # fmt: skip
def test_bad_input_is_one_line(capsys, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow.toml").write_text("[limits]\nmove_seconds = 0\n")
    status, out, err = probe(capsys, *arguments)
    assert (status, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1


