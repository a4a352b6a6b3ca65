"""train: a new run."""

from __future__ import annotations

import argparse
from pathlib import Path

from goban.common.command_lines import whole_number
from golearn.alphazero.commands.training_runs import add_machine_arguments, logs_of, torch_learner, train_with
from golearn.alphazero.plans import PRESETS, change_of, read_plan
from golearn.alphazero.runs import begin

SUMMARY = "begin a run in a new folder: play, learn, and again"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the run is to be kept")
    parser.add_argument("--plan", required=True, help=f"{', '.join(PRESETS)}, or a TOML file")
    parser.add_argument("--games", type=whole_number(1, 10**9, "a number of games"), help="in place of the plan's")
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), help="in place of the plan's")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help=(
        "another field in place of the plan's, such as simulations=64 or search.simulations=64; may be given often"
    ))  # fmt: skip
    parser.add_argument("--network", type=Path, metavar="FILE", help="to go on from, in place of one that knows nothing")
    add_machine_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Begin and train."""
    changes = {"games": options.games, "seed": options.seed, **dict(map(change_of, options.set))}
    plan, learner_of = read_plan(options.plan, **changes), torch_learner(options.device)
    logs = logs_of(options.log, options.folder)
    begin(options.folder, plan, options.network)
    return train_with(learner_of, options.folder, options.workers, logs)
