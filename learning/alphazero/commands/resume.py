"""resume: go on with a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from learning.alphazero.commands.training_runs import add_machine_arguments, torch_learner, train_with

SUMMARY = "go on with a run that was stopped or killed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the run")
    add_machine_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Train on."""
    return train_with(torch_learner(options.device), options.folder, options.workers)
