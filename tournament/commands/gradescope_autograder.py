"""gradescope-autograder: write the zip with which Gradescope grades each submission as soon as it is handed in."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from common.command_lines import DONE
from common.files import read_bounded, write_beside
from tournament.commands.event_options import add_event_arguments, read_plan
from tournament.commands.grade import USUAL_RUBRIC
from tournament.errors import BadEventError
from tournament.events.chance import new_key
from tournament.records import Tier
from tournament.results.autograders import Settings, autograder
from tournament.results.gradescope import VISIBILITIES

SUMMARY = "write a zip that grades each submission on Gradescope"
_MOST_BYTES = 100_000
_MOST_MINUTES = 40
_MOST_JOBS = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("zip", type=Path, metavar="FILE", help="the zip to write")
    there = parser.add_argument_group("on Gradescope")
    there.add_argument("--minutes", type=float, default=10.0, metavar="N", help=(
        "the time-out in the assignment's settings, from 2 to 40; grading ends a minute before (default: %(default)g)"
    ))  # fmt: skip
    there.add_argument("--jobs", type=int, default=1, metavar="N", help=(
        "games played at the same time: as many as the assignment has CPUs (default: %(default)s)"
    ))  # fmt: skip
    there.add_argument(
        "--visibility", default="visible", choices=VISIBILITIES, help="who sees the tests (default: %(default)s)"
    )
    there.add_argument("--requirements", type=Path, metavar="FILE", help=(
        "what pip installs there, such as numpy, for submissions to import (default: nothing)"
    ))  # fmt: skip
    add_event_arguments(parser, references=False)


def run(options: argparse.Namespace) -> int:
    """Write the zip."""
    if not 2 <= options.minutes <= _MOST_MINUTES:
        raise BadEventError(f"--minutes: expected a number from 2 to {_MOST_MINUTES}, got {options.minutes:g}")
    if not 1 <= options.jobs <= _MOST_JOBS:
        raise BadEventError(f"--jobs: expected a whole number from 1 to {_MOST_JOBS}, got {options.jobs}")
    plan = read_plan(options, "grade", USUAL_RUBRIC)
    if plan.file.engines:
        raise BadEventError(f"{options.event}: engine: expected none, a grade's opponents are those of its rubric")
    assert plan.rubric is not None
    # Containers forbid the stronger ones, as a rule; what is asked for is kept.
    asked = options.require_tier or plan.file.machine.get("require_tier")
    machine = plan.machine if asked else replace(plan.machine, require_tier=Tier.T0)
    requirements = read_bounded(options.requirements, _MOST_BYTES) if options.requirements else b""
    settings = Settings((plan.key or new_key()).secret.hex(), options.visibility, options.minutes, options.jobs)
    data = autograder(plan.event, machine, plan.rubric, settings, requirements)
    write_beside(options.zip, data)
    print(
        f"{options.zip}: {len(data) / 1e6:.1f} MB, {plan.rubric.title}, {plan.event.games} games per opponent; it holds the "
        "secret key of all chance, so show it to nobody",
        file=sys.stderr,
    )
    return DONE
