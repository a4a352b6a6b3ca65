"""train, resume, export: runs of training, begun, gone on with, and their network as one file."""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from goban.common.command_lines import DONE, CommandError, Subcommand, how_to_install, say, whole_number
from goban.common.files import check_writable
from goban.common.terminals import Progress
from golearn.alphazero.plans import PRESETS, Plan, change_of, read_plan
from golearn.alphazero.rounds import Learner, Point, Run
from golearn.alphazero.runs import begin, finish_run, newest_network, resume_run, torch_learner
from golearn.alphazero.weights import write_weights
from players.registry import tell_compilation

Logs = Callable[[list[Point]], None]

LOSSES = ("policy", "value", "margin", "owners")


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder for the run")
    parser.add_argument("--plan", required=True, help=f"{', '.join(PRESETS)}, or a TOML file")
    parser.add_argument("--games", type=whole_number(1, 10**9, "a number of games"), help="instead of the plan's")
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), help="instead of the plan's")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help=(
        "override a field of the plan, such as simulations=64 or search.simulations=64; may be repeated"
    ))  # fmt: skip
    parser.add_argument("--network", type=Path, metavar="FILE", help="a network to start from, instead of an untrained one")
    _add_machine(parser)


def _train(options: argparse.Namespace) -> int:
    changes = {"games": options.games, "seed": options.seed, **dict(map(change_of, options.set))}
    plan, learner_of = read_plan(options.plan, **changes), torch_learner(options.device)
    logs = _logs(options.log, options.folder)
    begin(options.folder, plan, options.network)
    return train_with(learner_of, options.folder, options.workers, logs)


def _add_resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the run")
    _add_machine(parser)


def _resume(options: argparse.Namespace) -> int:
    learner_of, logs = torch_learner(options.device), _logs(options.log, options.folder)
    return train_with(learner_of, options.folder, options.workers, logs)


def _add_machine(parser: argparse.ArgumentParser) -> None:
    """Add what the result does not depend on."""
    parser.add_argument("--device", default="auto", help="what computes: auto, cpu, cuda, or cuda:1 (default: auto)")
    parser.add_argument("--log", choices=("tensorboard",), help=(
        "also log each round to FOLDER/tensorboard, through tensorboard or tensorboardX"
    ))  # fmt: skip
    number = whole_number(1, 1024, "a number of workers")
    parser.add_argument("--workers", type=number, default=os.cpu_count() or 1, help=(
        "threads that play games; does not affect the result (default: one per core)"
    ))  # fmt: skip


def _logs(kind: str | None, folder: Path) -> Logs:
    """Return who is told of a run's curve after each round; raises CommandError without the package that writes it."""
    if kind is None:
        return lambda points: None
    try:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            from tensorboardX import SummaryWriter
    except ImportError:
        raise CommandError(f"--log: tensorboard is missing; install it with: {how_to_install('tensorboard')}") from None
    place = folder / "tensorboard"
    writers: list[Any] = []

    def tell(points: list[Point]) -> None:
        new = points[-1:]
        if not writers:
            # Anew, with what was played before: a process that was killed may have written a round twice, or not at all.
            shutil.rmtree(place, ignore_errors=True)
            writers.append(SummaryWriter(str(place)))
            new = points
        for point in new:
            for name, value in point.items():
                writers[0].add_scalar(name, value, int(point["games"]))
        writers[0].flush()

    return tell


def train_with(
    learner_of: Callable[[Plan], Learner], folder: Path, workers: int, logs: Logs = lambda points: None
) -> int:
    """Go on with the run in a folder to its end, with a line for each round; return the exit status.

    What Ctrl-C interrupts is the round at hand: the folder has those before it. KeyboardInterrupt is raised all the same.
    """
    run = resume_run(folder, learner_of, say)
    started, before = time.monotonic(), run.played
    progress = Progress(run.plan.games, quiet=False, before=before)

    def show(run: Run) -> None:
        logs(run.curve)
        rate = (run.played - before) / (time.monotonic() - started)
        progress.clear()
        left = (run.plan.games - run.played) / rate / 60
        print(f"{_line(run.curve[-1])}; {rate:.1f} games/s, {left:.0f} min left", flush=True)

    print(f"{'games':>12} {'positions':>12} {'moves':>6} {'first':>6}  losses", flush=True)
    try:
        with tell_compilation("train"):
            finish_run(run, folder, workers, show, progress.update)
    except KeyboardInterrupt:
        progress.clear()
        print(f"stopped; {folder} has {run.played:,} of {run.plan.games:,} games: resume goes on with them")
        raise
    finally:
        progress.clear()
    print(f"done: {run.played:,} games in {folder}, digest {run.digest()[:16]}")
    return DONE


def _line(point: Point) -> str:
    losses = ", ".join(f"{name} {point[name]:.3f}" for name in LOSSES if name in point)
    return f"{point['games']:>12,} {point['positions']:>12,} {point['plies']:>6.1f} {point['first']:>6.1%}  {losses}"


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the run")
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, such as go5.npz")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--half", action="store_true", help="16-bit numbers: a file of half the size")
    kind.add_argument("--onnx", action="store_true", help="an ONNX file, for other programs")


def _export(options: argparse.Namespace) -> int:
    wrong = ".npz" if options.onnx else ".onnx"
    if options.file.suffix == wrong:
        option = "without --onnx" if options.onnx else "with --onnx"
        raise CommandError(f"{options.file}: a file is written as {wrong} {option}")
    check_writable(options.file, ".onnx" if options.onnx else ".npz")
    network = newest_network(options.folder, say)
    if options.onnx:
        from golearn.alphazero.onnx_files import write_onnx

        write_onnx(options.file, network)
    else:
        write_weights(options.file, network, half=options.half)
    what = f"{network.about['game']} after {network.about['games']:,} games"
    print(f"{options.file}: {what}, {options.file.stat().st_size:,} bytes")
    return DONE


TRAIN = Subcommand("start a run in a new folder: play, learn, repeat", _add_train, _train)
RESUME = Subcommand("continue a run that was stopped or killed", _add_resume, _resume)
EXPORT = Subcommand("write a run's network to a file, for play", _add_export, _export)
