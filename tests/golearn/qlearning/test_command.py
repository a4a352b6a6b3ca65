"""The trainer's command line, as a user types it."""

import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from goban.common.command_lines import how_to_install
from golearn.qlearning import checkpoints
from golearn.qlearning import command as command_line
from golearn.qlearning.__main__ import main
from golearn.qlearning.command import write_curve

ROOT = Path(__file__).parents[3]
# Threads play by this rule only.
PLAN = ["--rule", "minimax", "--games", "6000", "--opponents", "self:2,past,smart", "--states-from", "0.5"]
QUICK = [*PLAN, "--evaluations", "1", "--evaluation-games", "1"]


def command(*arguments):
    return [sys.executable, "-m", "golearn.qlearning", *map(str, arguments)]


def train(*arguments):
    return subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a small run with one worker."""
    folder = tmp_path_factory.mktemp("trained")
    run = train(*QUICK, "--workers", 1, "--table", folder / "t.bin")
    assert run.returncode == 0, run.stderr
    return folder


@pytest.mark.slow
def test_the_table_is_the_same_byte_for_byte_with_more_workers(trained, tmp_path):
    assert train(*QUICK, "--workers", 3, "--table", tmp_path / "t.bin").returncode == 0
    assert (tmp_path / "t.bin").read_bytes() == (trained / "t.bin").read_bytes()


@pytest.mark.slow
def test_a_table_that_has_learned_more_is_not_replaced(trained, capsys):
    before, games = (trained / "t.bin").read_bytes(), checkpoints.games_in(trained / "t.npz")
    assert main([*QUICK, "--games", str(games - 1), "--table", str(trained / "t.bin")]) == 2
    told = capsys.readouterr().err
    assert (told.count("\n"), f"has learned from {games} games" in told, "--resume" in told) == (1, True, True)
    assert (trained / "t.bin").read_bytes() == before


def test_training_prints_its_curve_and_what_it_saved(tmp_path):
    run = train(*QUICK, "--games", 300, "--table", tmp_path / "t.bin", "--curve", tmp_path / "curve.txt")
    assert run.returncode == 0, run.stderr
    opponents, header, point, last = run.stdout.splitlines()
    assert opponents.split() == ["random", "greedy", "aggressive", "smart"]
    assert header.split() == ["games", "error", *"BWBWBWBW"]
    assert len(opponents) == len(header) == len(point) <= 80
    assert point.split()[0] == "300"
    assert last == f"done after 300 of 300 games; saved {tmp_path / 't.bin'}, {tmp_path / 't.npz'}, {tmp_path / 'curve.txt'}"
    assert (tmp_path / "curve.txt").read_text().splitlines() == [opponents, header, point]
    assert run.stderr == ""


@pytest.mark.slow
def test_a_run_stopped_by_ctrl_c_goes_on_to_the_same_table(trained, tmp_path, monkeypatch, capsys):
    """It is pressed while the first point of the curve is written: games enough are left, however busy the machine is."""
    header = command_line.curve_header
    monkeypatch.setattr(command_line, "curve_header", lambda point: signal.raise_signal(signal.SIGINT) or header(point))
    assert main([*PLAN, "--evaluations=3", "--evaluation-games=1", f"--table={tmp_path / 't.bin'}"]) == 130
    printed, complaints = capsys.readouterr()
    assert complaints == ""
    stopped, _, saved = printed.splitlines()[-1].partition("; ")
    assert stopped == "stopped after 2000 of 6000 games"
    assert saved == f"saved {tmp_path / 't.bin'}, {tmp_path / 't.npz'}"
    resumed = train("--resume", tmp_path / "t.npz", "--table", tmp_path / "t.bin", "--evaluations", 1, "--evaluation-games", 1)
    assert resumed.returncode == 0, resumed.stderr
    assert (tmp_path / "t.bin").read_bytes() == (trained / "t.bin").read_bytes()


BAD_OPTIONS = [
    (["--games=0"], "--games: expected at least 1, got 0"),
    (["--games=many"], "argument --games: invalid int value: 'many'"),
    (["--opponents=smart,gnugo"], "--opponents: expected some of random, greedy, aggressive, smart, self, past, got 'gnugo'"),
    (["--opponents=smart:-1"], "--opponents: expected a share above 0 after 'smart', got '-1'"),
    (["--rate=fast"], "--rate: expected START or START:END, each from 1e-06 to 1, got 'fast'"),
    (["--exploration=0.5:2"], "--exploration: expected START or START:END, each from 0 to 1, got '0.5:2'"),
    (["--trace=1.5"], "--trace: expected a number from 0 to 1, got 1.5"),
    (["--trace=nan"], "--trace: expected a number from 0 to 1, got nan"),
    (["--workers=0"], "--workers: expected at least 1, got 0"),
    (["--curve=curve.pdf"], "--curve: expected a file ending in .txt or .png, got 'curve.pdf'"),
    (["--table=nowhere/t.bin"], "--table: 'nowhere/t.bin' cannot be written: No such file or directory"),
    (["--table=tests"], "--table: 'tests' cannot be written: expected a file, or none yet"),
    (["--table="], "--table: expected the name of a file, got '.'"),
    (["--table=/proc/t.bin"], "--table: '/proc/t.bin' cannot be written: No such file or directory"),
    (["--curve=nowhere/c.txt"], "--curve: 'nowhere/c.txt' cannot be written: No such file or directory"),
    (["--rule=sarsa"], "argument --rule: invalid choice: 'sarsa' (choose from rival, minimax)"),
    (["--table=t.npz"], "--table: the checkpoint will be called 't.npz', choose another ending"),
    (["--resume=none.npz"], "none.npz: cannot be read as a checkpoint: No such file or directory"),
    (["--resume=x.npz", "--seed=1"], "--resume goes on with the plan in the file: leave out --seed"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "complaint"), BAD_OPTIONS, ids=[" ".join(options) for options, _ in BAD_OPTIONS])
def test_bad_options_are_refused_in_one_line(options, complaint, capsys):
    try:
        status = main(options)
    except SystemExit as leaving:  # argparse's way
        status = leaving.code
    assert status == 2
    out, err = capsys.readouterr()
    # Whether choices are quoted differs from one Python to the next.
    assert (out, err.replace("'rival', 'minimax'", "rival, minimax")) == ("", f"qlearning: {complaint}\n")


def test_the_bar_has_moved_by_the_games_that_were_played(monkeypatch):
    """A run that goes on begins with those that it has."""
    moved = []

    class Bar(nullcontext):
        def __init__(self, total, initial, **_):
            moved.extend([total, initial])

        def __enter__(self):
            return self

        def update(self, games):
            moved.append(games)

    class Run(SimpleNamespace):
        def step(self, workers):
            self.played += 20

    monkeypatch.setattr(command_line, "tqdm", Bar)
    monkeypatch.setattr(command_line, "evaluate", lambda *_: None)
    command_line.train(Run(plan=SimpleNamespace(games=100), played=40), SimpleNamespace(evaluations=1, workers=1), [])
    assert moved == [100, 40, 20, 20, 20]


def test_a_file_that_cannot_be_written_is_one_line(tmp_path, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("golearn.qlearning.command.save", full)
    assert main(["--games=1", "--evaluations=1", f"--table={tmp_path / 't.bin'}"]) == 2
    assert capsys.readouterr().err == "qlearning: No space left on device\n"


@pytest.mark.parametrize("content", [b"", b"no checkpoint", b"PK\x05\x06" + 18 * b"\0"])
def test_a_damaged_checkpoint_is_refused_in_one_line(content, tmp_path):
    (tmp_path / "damaged.npz").write_bytes(content)
    run = train("--resume", tmp_path / "damaged.npz")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"qlearning: {tmp_path / 'damaged.npz'}: cannot be read as a checkpoint: ")
    assert run.stderr.count("\n") == 1


def test_a_picture_without_matplotlib_is_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main([f"--curve={tmp_path / 'curve.png'}"]) == 2
    expected = f"--curve: a .png needs matplotlib, which is missing ({how_to_install('plots')}); ask for a .txt"
    assert capsys.readouterr().err == f"qlearning: {expected}\n"


def test_a_curve_can_be_drawn(tmp_path):
    points = [{"games": 100, "error": 0.5, "smart B": 0.25}, {"games": 200, "error": 0.4, "smart B": 0.5}]
    write_curve(points, tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
