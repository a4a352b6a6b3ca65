"""What train and resume share: rounds until the plan is done, with a line for each."""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from goban.common.command_lines import DONE, CommandError, how_to_install, whole_number
from goban.common.terminals import Progress
from golearn.alphazero.plans import Plan
from golearn.alphazero.rounds import Learner, Point, Run, first_weights
from golearn.alphazero.runs import resume_run, save
from players.registry import compilation_told

Logs = Callable[[list[Point]], None]

LOSSES = ("policy", "value", "margin", "owners")


def add_machine_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the result does not depend on."""
    parser.add_argument("--device", default="auto", help="what computes: auto, cpu, cuda, or cuda:1 (default: auto)")
    parser.add_argument("--log", choices=("tensorboard",), help=(
        "where else each round is seen: in FOLDER/tensorboard, by tensorboard or tensorboardX"
    ))  # fmt: skip
    number = whole_number(1, 1024, "a number of workers")
    parser.add_argument("--workers", type=number, default=os.cpu_count() or 1, help=(
        "threads that play games; the result does not depend on it (default: one for each core)"
    ))  # fmt: skip


def torch_learner(device: str) -> Callable[[Plan], Learner]:
    """Return what makes a plan's learner; raises CommandError without torch, BadDeviceError."""
    try:
        from golearn.alphazero import networks, training
    except ImportError as error:
        raise CommandError(str(error)) from None
    networks.device_of(device)
    return lambda plan: training.Learner(plan, first_weights(plan), device)


def logs_of(kind: str | None, folder: Path) -> Logs:
    """Return who is told of each point of a run's curve; raises CommandError without the package that writes it."""
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
    learner_of: Callable[[Plan], Learner], folder: Path, workers: int, tell: Logs = lambda points: None
) -> int:
    """Go on with the run in a folder to its end; return the exit status. tell: called with the curve after each round.

    What Ctrl-C interrupts is the round at hand: the folder has those before it. KeyboardInterrupt is raised all the same.
    """
    run = resume_run(folder, learner_of)
    try:
        with compilation_told("train"):
            _rounds(run, folder, workers, tell)
    except KeyboardInterrupt:
        print(f"stopped; {folder} has {run.played:,} of {run.plan.games:,} games: resume goes on with them")
        raise
    print(f"done: {run.played:,} games in {folder}, digest {run.digest()[:16]}")
    return DONE


def _rounds(run: Run, folder: Path, workers: int, tell: Logs) -> None:
    """Play and learn until all games are played; save and print after each round."""
    stopped: list[bool] = []
    started, before = time.monotonic(), run.played
    progress = Progress(run.plan.games, quiet=False, before=before)
    print(f"{'games':>12} {'positions':>12} {'moves':>6} {'first':>6}  losses", flush=True)
    with ThreadPoolExecutor(workers) as executor:
        try:
            while run.played < run.plan.games:
                point = run.step(executor, progress.update, lambda: bool(stopped))
                save(run, folder)
                tell(run.curve)
                rate = (run.played - before) / (time.monotonic() - started)
                progress.clear()
                left = (run.plan.games - run.played) / rate / 60
                print(f"{_line(point)}; {rate:.1f} games/s, {left:.0f} min left", flush=True)
        finally:
            # Leaving `with` waits for the games at hand.
            stopped.append(True)
            progress.clear()


def _line(point: Point) -> str:
    losses = ", ".join(f"{name} {point[name]:.3f}" for name in LOSSES if name in point)
    return f"{point['games']:>12,} {point['positions']:>12,} {point['plies']:>6.1f} {point['first']:>6.1%}  {losses}"
