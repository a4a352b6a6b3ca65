"""resume: go on with a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from golearn.alphazero.commands.training_runs import add_machine_arguments, logs_of, torch_learner, train_with

SUMMARY = "go on with a run that was stopped or killed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the run")
    add_machine_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Train on."""
    learner_of, logs = torch_learner(options.device), logs_of(options.log, options.folder)
    return train_with(learner_of, options.folder, options.workers, logs)
