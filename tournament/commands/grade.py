"""grade: each submission against the rubric's reference players."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from common.command_lines import INTERRUPTED, LEFT, need_packages
from tournament.application.grades import EventRun, grade, take_in
from tournament.application.plans import USUAL_RUBRIC
from tournament.commands.event_options import add_event_arguments, read_plan
from tournament.commands.players import add_class_arguments, handed_in
from tournament.commands.progress import GameProgress, say
from tournament.commands.running import add_run_arguments, run_settings, store_of
from tournament.errors import BadEventError
from tournament.intake.submissions import Intake

SUMMARY = "each submission plays the rubric's reference players, and gets points"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class_arguments(parser)
    report = parser.add_argument_group("the report")
    report.add_argument("--out", type=Path, metavar="FOLDER", help=(
        "where grades.csv and grades.json are written (default: the store's name + .grades)"
    ))  # fmt: skip
    add_event_arguments(parser, references=False, until_decided=True)
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, then report."""
    need_packages("tabulate")
    plan = read_plan(options, "grade", USUAL_RUBRIC)
    if plan.file.engines:
        raise BadEventError(f"{options.event}: engine: expected none, a grade's opponents are those of its rubric")
    store, handed = store_of(options, plan), handed_in(options, plan.file)
    intake = take_in(plan, handed, store, tell=say)
    graded = grade(plan, intake, store, run_settings(options), roster=handed.roster, tell=say, watch=GameProgress)
    if graded.status == INTERRUPTED:
        return graded.status
    _report(options, graded, intake)
    return LEFT if graded.complete and not (intake.as_listed and graded.timed) else graded.status


def _report(options: argparse.Namespace, graded: EventRun, intake: Intake) -> None:
    from tournament.results.grade_report import write_grade_reports

    plan, store, rubric = graded.plan, graded.store, graded.plan.rubric
    assert rubric is not None
    out = options.out or store.with_name(f"{store.stem}.grades")
    text = write_grade_reports(
        graded.rows, plan.event, intake.entrants, rubric, out, machine=plan.machine, refused=intake.refused
    )
    print(text)
    print(f"grades are written to {out}", file=sys.stderr)
