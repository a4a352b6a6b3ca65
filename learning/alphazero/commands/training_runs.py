"""What train and resume share: rounds until the plan is done, with a line for each."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common.command_lines import DONE, CommandError, whole_number
from common.terminals import Progress
from learning.alphazero.learners import Learner, first_weights
from learning.alphazero.plans import Plan
from learning.alphazero.rounds import Point, Run
from learning.alphazero.runs import resumed, save
from players.preparation import compilation_told

LOSSES = ("policy", "value", "margin", "owners")


def add_machine_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the result does not depend on."""
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"), help="what computes (default: auto)")
    number = whole_number(1, 1024, "a number of workers")
    parser.add_argument("--workers", type=number, default=os.cpu_count() or 1, help=(
        "threads that play games; the result does not depend on it (default: one for each core)"
    ))  # fmt: skip


def torch_learner(device: str) -> Callable[[Plan], Learner]:
    """Return what makes a plan's learner; raises CommandError without torch, BadDeviceError."""
    try:
        from learning.alphazero import networks, training
    except ImportError as error:
        raise CommandError(str(error)) from None
    networks.device_of(device)
    return lambda plan: training.Learner(plan, first_weights(plan), device)


def train_with(learner_of: Callable[[Plan], Learner], folder: Path, workers: int) -> int:
    """Go on with the run in a folder to its end; return the exit status.

    What Ctrl-C interrupts is the round at hand: the folder has those before it. KeyboardInterrupt is raised all the same.
    """
    run = resumed(folder, learner_of)
    try:
        with compilation_told("train"):
            _rounds(run, folder, workers)
    except KeyboardInterrupt:
        print(f"stopped; {folder} has {run.played:,} of {run.plan.games:,} games: resume goes on with them")
        raise
    print(f"done: {run.played:,} games in {folder}, digest {run.digest()[:16]}")
    return DONE


def _rounds(run: Run, folder: Path, workers: int) -> None:
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
