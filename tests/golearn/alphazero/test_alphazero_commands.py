"""The command line, with a learner that needs no torch; with torch's it is tried in test_training.py."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from goban.common.command_lines import how_to_install
from golearn.alphazero import runs
from golearn.alphazero.__main__ import COMMANDS, main
from golearn.alphazero.commands import training
from golearn.alphazero.commands.training import train_with
from golearn.alphazero.games import GAME_CHOICES
from golearn.alphazero.plans import read_plan
from golearn.alphazero.runs import begin, kept_networks, newest_network, plan_of
from golearn.alphazero.weights import read_weights
from tests.support.alphazero_commands import COMPILING, refused
from tests.support.missing import needs, no_package
from tests.support.plain_learner import PlainLearner, tiny_plan

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """What every test of a run has a copy of."""
    here = tmp_path_factory.mktemp("learnt")
    (here / "tiny.toml").write_text(tiny_plan())
    begin(here / "run", read_plan(str(here / "tiny.toml")))
    with redirect_stdout(io.StringIO()):
        train_with(PlainLearner, here / "run", 1)
    return here


@pytest.fixture
def folder(learnt, tmp_path, monkeypatch):
    """A folder with a plan, tiny.toml, and a run that is over."""
    shutil.copytree(learnt, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def plainly(folder, monkeypatch):
    """The same folder, and commands that need no torch."""
    monkeypatch.setattr(training, "torch_learner", lambda device: PlainLearner)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert f"python3 -m golearn.alphazero {command}" in capsys.readouterr().out


def test_all_games_are_listed_with_their_plans(capsys):
    assert main(["games"]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines] == list(GAME_CHOICES)
    assert any("go5 (" in line and "5x5" in line for line in lines)


def test_fields_of_a_plan_are_set_on_the_command_line(plainly, capsys):
    changes = ["--set", "search.simulations=3", "--set", "channels=3", "--set", "games=8"]
    assert main(["train", "other", "--plan", "tiny.toml", "--workers", "1", *changes]) == 0
    plan = plan_of(Path("other"))
    assert (plan.simulations, plan.channels, plan.games) == (3, 3, 8)
    capsys.readouterr()
    line = refused(capsys, "train", "third", "--plan", "tiny.toml", "--set", "chanels=3")
    assert "expected FIELD=VALUE with one of" in line
    assert line.endswith("got 'chanels=3'; did you mean channels?\n")
    assert not Path("third").exists()


def test_the_curve_is_a_table_too(folder):
    rows = list(csv.DictReader(Path("run/curve.csv").read_text().splitlines()))
    points = [json.loads(line) for line in Path("run/curve.jsonl").read_text().splitlines()]
    assert [{name: float(value) for name, value in row.items()} for row in rows] == points


def test_a_game_of_ones_own_is_checked(capsys):
    assert main(["check", "tests.support.take_away:TakeAway", "--games", "3"]) == 0
    assert capsys.readouterr().out == "tests.support.take_away:TakeAway: nothing found in 3 random games\n"
    assert main(["check", "tests.golearn.alphazero.test_game_checks:Shaded"]) == 1
    assert capsys.readouterr().out.startswith("encoding: plane 2 holds several values besides 0 (0.2")
    assert "no_such:Game cannot be had" in refused(capsys, "check", "no_such:Game")


@needs(no_package("tensorboard", extra="tensorboard") and no_package("tensorboardX", extra="tensorboard"))
def test_a_run_is_seen_in_tensorboard(plainly):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    assert main(["train", "other", "--plan", "tiny.toml", "--workers", "1", "--log", "tensorboard"]) == 0
    seen = EventAccumulator("other/tensorboard")
    seen.Reload()
    points = [json.loads(line) for line in Path("other/curve.jsonl").read_text().splitlines()]
    assert set(seen.Tags()["scalars"]) == set(points[0])
    for name in points[0]:
        found = [(event.step, event.value) for event in seen.Scalars(name)]
        assert found == [(point["games"], pytest.approx(point[name], rel=1e-6)) for point in points]


def test_without_tensorboard_one_line_says_what_to_install(plainly, monkeypatch, capsys):
    for name in ("torch.utils.tensorboard", "tensorboard", "tensorboardX"):
        monkeypatch.setitem(sys.modules, name, None)
    said = refused(capsys, "train", "other", "--plan", "tiny.toml", "--log", "tensorboard")
    assert "--log: tensorboard is missing; install it with: " in said
    assert not Path("other").exists()


@pytest.mark.parametrize("half", [False, True])
def test_an_exported_network_is_that_of_the_run(folder, half, capsys):
    assert main(["export", "run", "net.npz", *["--half"] * half]) == 0
    assert "net.npz: tictactoe after 24 games, " in capsys.readouterr().out
    network, expected = read_weights("net.npz"), newest_network(Path("run"))
    assert network.about == expected.about
    for name, array in expected.arrays.items():
        assert abs(network.arrays[name] - array).max(initial=0) <= (2e-3 if half else 0)


REFUSED = [
    (["train", "run", "--plan=tiny.toml"],
     "train: run: expected a new or an empty folder, found a run, with which resume goes on\n"),
    (["train", "new", "--plan=tiny"],
     "train: tiny: expected one of connectfour, go5, go5-rivals, go7, go7-deep, go7-komi9.5, go9, tictactoe, or a file\n"),
    (["train", "new", "--plan=tiny.toml", "--games=0"],
     "python3 -m golearn.alphazero train: argument --games: expected a number of games from 1 to 1000000000, got '0'\n"),
    (["train", "new"], "python3 -m golearn.alphazero train: the following arguments are required: --plan\n"),
    (["train", "new", "--plan=tiny.toml", "--network=nowhere.npz"], "train: nowhere.npz: No such file or directory\n"),
    (["train", "new", "--plan=tiny.toml", "--network=tiny.toml"], "train: tiny.toml: no network, or a damaged one\n"),
    (["resume", "new"], "resume: new: expected the folder of a run, with a plan.toml\n"),
    (["export", "new", "net.npz"], "export: new: expected the folder of a run, with a plan.toml\n"),
    (["export", "run", "nowhere/net.npz"], "export: nowhere/net.npz: "),
    (["export", "run", "net.npz", "--onnx"], "export: net.npz: a file is written as .npz without --onnx\n"),
    (["export", "run", "net.onnx"], "export: net.onnx: a file is written as .onnx with --onnx\n"),
    (["evaluate", "random", "--game=tictactoe", "--positions=new.npz"],
     "evaluate: --positions and --conversion: expected with go5"),
    (["evaluate", "random", "--game=tictactoe", "--conversion=4"],
     "evaluate: --positions and --conversion: expected with go5"),
    (["learn"], "python3 -m golearn.alphazero: expected a command (train, resume, "),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "line"), REFUSED)
def test_what_cannot_be_done_is_said_in_one_line(plainly, arguments, line, capsys):
    assert refused(capsys, *arguments).startswith(line)
    assert not Path("new").exists()


def test_a_run_is_begun_stopped_and_gone_on_with(plainly, capsys, monkeypatch):
    class Stopped(PlainLearner):
        def learn(self, batch, rate):
            if rate < 1e-3:
                raise KeyboardInterrupt
            return super().learn(batch, rate)

    monkeypatch.setattr(training, "torch_learner", lambda device: Stopped)
    assert main(["train", "new", "--plan=tiny.toml", "--seed=5", "--workers=1"]) == 130
    assert capsys.readouterr().out.endswith("stopped; new has 8 of 24 games: resume goes on with them\n")
    monkeypatch.setattr(training, "torch_learner", lambda device: PlainLearner)
    assert main(["resume", "new", "--workers=2"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^ +16 +\d+ +\d\.\d +\d+\.\d%  policy .*, value .*; \d+\.\d games/s, 0 min left$", said, re.M)
    assert re.search(r"^done: 24 games in new, digest [0-9a-f]{16}$", said, re.M)
    assert main(["resume", "new"]) == 0
    assert newest_network(Path("new")).about == {"game": "tictactoe", "games": 24, "seed": 5}


def cut(path):
    path.write_bytes(path.read_bytes()[:1000])


def empty(path):
    path.write_bytes(b"")


def flip(path):
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), 101):
        content[place] ^= 0xFF
    path.write_bytes(content)


def exchange_a_member(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.npy", "no array")


def leave_out_a_member(path):
    with np.load(path) as arrays:
        np.savez(path, **dict(list(arrays.items())[:-1]))


def make_a_folder(path):
    path.unlink()
    path.mkdir()
    (path / "something").touch()


def link_to_nowhere(path):
    path.unlink()
    path.symlink_to("nowhere")


def link_to_itself(path):
    path.unlink()
    path.symlink_to(path.name)


DAMAGES = [cut, empty, flip, exchange_a_member, leave_out_a_member, make_a_folder, link_to_nowhere, link_to_itself]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_run_goes_on_from_the_checkpoint_before_a_damaged_one(plainly, damage, capsys):
    older, newest = sorted(Path("run").glob("checkpoint-*"))
    games = newest_network(Path("run")).about["games"]
    damage(newest)
    assert main(["resume", "run"]) == 0
    complaint = COMPILING.sub("", capsys.readouterr().err)
    assert complaint.startswith(f"{newest}: cannot be read as a checkpoint: ")
    assert complaint.endswith(f"; {older.name} takes its place\n")
    assert complaint.count("\n") == 1
    assert newest_network(Path("run")).about["games"] == games

    for path in Path("run").glob("checkpoint-*.npz"):
        damage(path)
    assert "cannot be read as a checkpoint: " in refused(capsys, "resume", "run")


@pytest.mark.parametrize(("rounds", "kept"), [(3, [1, 2, 3]), (20, [*range(1, 21)]), (100, [*range(5, 101, 5)])])
def test_a_run_keeps_twenty_of_its_networks_evenly(rounds, kept, tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(runs, "write_weights", lambda path, number: written.append((path.name, number)))
    monkeypatch.setattr(runs, "tidy", lambda run, folder: None)
    for number in range(1, rounds + 1):
        run = SimpleNamespace(rounds=number, plan=SimpleNamespace(rounds=rounds), notes=dict, arrays=dict)
        run.network = partial(int, number)
        runs.save(run, tmp_path)
    assert written == [(f"weights-{number:06}.npz", number) for number in kept]


def test_a_run_goes_on_from_another_runs_network(plainly, capsys):
    assert main(["export", "run", "net.npz"]) == 0
    given = read_weights("net.npz")
    assert main(["train", "whole", "--plan=tiny.toml", "--network=net.npz"]) == 0
    whole = capsys.readouterr().out.splitlines()[-1]
    assert main(["train", "new", "--plan=tiny.toml"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[-1] != whole.split()[-1]
    begin(Path("parts"), read_plan("tiny.toml"), Path("net.npz"))
    Path("net.npz").unlink()
    first, *_ = kept_networks(Path("parts"))
    assert first.arrays.keys() == given.arrays.keys()
    assert all((first.arrays[name] == array).all() for name, array in given.arrays.items())
    assert first.about == {"game": "tictactoe", "games": 0, "seed": 1, "before": given.about}
    assert main(["resume", "parts"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == whole.replace("whole", "parts")


def test_a_network_of_another_size_is_refused_before_anything_is_written(plainly, capsys):
    assert main(["export", "run", "net.npz"]) == 0
    Path("wide.toml").write_text(Path("tiny.toml").read_text().replace("channels = 2", "channels = 6"))
    capsys.readouterr()
    line = refused(capsys, "train", "new", "--plan=wide.toml", "--network=net.npz")
    assert re.fullmatch(r"train: net\.npz: expected a network of .*channels=6.*, got one of .*channels=2.*\n", line)
    assert not Path("new").exists()


def test_a_plan_in_a_run_that_is_wrong_is_named(folder, capsys):
    Path("run/plan.toml").write_text("games = 5\n")
    line = refused(capsys, "export", "run", "net.npz")
    assert line.startswith("export: run/plan.toml: game: expected one of tictactoe, ")
    assert line.endswith(", got nothing\n")


@pytest.mark.skipif(not no_package("torch"), reason="torch is installed")
def test_without_torch_one_sentence_says_so(folder, capsys):
    line = refused(capsys, "train", "new", "--plan=tiny.toml")
    assert line.startswith(f"train: torch is missing; install it with: {how_to_install('zero')}")
    assert not Path("new").exists()


def test_games_are_listed_without_torch():
    code = "import sys; sys.modules['torch'] = None; from golearn.alphazero.__main__ import main; sys.exit(main(['games']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_matrices_are_multiplied_by_one_thread_unless_the_user_says_otherwise(given, threads):
    """Numpy reads the setting when it is imported."""
    code = "import golearn.alphazero.__main__, os, sys; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=clean | given, capture_output=True, text=True)
    assert done.stdout == f"False {threads}\n"
