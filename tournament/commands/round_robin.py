"""round-robin: everyone plays everyone, or as many as the event says."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, command_line, need_packages
from gojudge.intake.submissions import Intake
from tournament.application.classes import names_beside
from tournament.application.grades import round_robin, take_in
from tournament.application.runs import nothing_left_if_refused
from tournament.commands.event_options import PLAYED, add_class_arguments, add_event_arguments, read_plan, read_sources
from tournament.commands.progress import GameProgress, add_run_arguments, run_settings, say, store_of
from tournament.events.event_files import is_reference

SUMMARY = "everyone plays everyone"
EXAMPLE = "hw2 --first-stage grade.db --rubric 2019-second"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class_arguments(parser, "; names of reference players")
    parser.add_argument("--first-stage", type=Path, metavar="FILE", help=(
        "points that decide who takes part: a grade's results file, or CSV: name,points"
    ))  # fmt: skip
    add_event_arguments(parser, *PLAYED, "rules", "size", "rubric", "memory-mib")
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played."""
    references = [str(path) for path in options.submissions if is_reference(str(path)) and not path.exists()]
    options.submissions = [path for path in options.submissions if str(path) not in references]
    plan = read_plan(options, "round-robin", references=references)
    if plan.event.deciding or plan.event.rounds:
        # Which games are due is a matter of ratings.
        need_packages("numpy", "scipy")
    handed, first_stage = read_sources(options, plan.file), options.first_stage or plan.file.first_stage
    points = first_stage_points(first_stage)
    if first_stage is not None and points is not None:
        # Whoever has points is called what they were called then.
        handed = replace(handed, earlier=names_beside(first_stage), before=points)
    store, intake = store_of(plan), Intake((), ())
    with nothing_left_if_refused(store):
        if handed.sources or not (plan.file.engines or len(plan.event.references) > 1):
            intake = take_in(plan, handed, store, tell=say)
        played = round_robin(plan, intake, store, run_settings(options), points=points, tell=say, watch=GameProgress)
    if played.status != INTERRUPTED:
        print(f"{command_line('tournament')} standings {played.store}", file=sys.stderr)
    return LEFT if played.status == DONE and not intake.as_listed else played.status


def first_stage_points(path: Path | None) -> Mapping[str, float] | None:
    """Return name -> points of a first stage, None if there was none."""
    if path is None:
        return None
    from tournament.results.first_stage import points_notices, read_points

    for line in points_notices(path):
        say(line)
    return read_points(path)
