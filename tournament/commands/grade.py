"""grade: each submission against the rubric's reference players."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from goban.common.command_lines import INTERRUPTED, LEFT, need_packages
from goban.common.files import check_folder_writable
from gojudge.intake.submissions import Intake
from tournament.application.grades import EventRun, grade, take_in
from tournament.application.plans import USUAL_RUBRIC
from tournament.application.runs import nothing_left_if_refused
from tournament.commands.event_options import PLAYED, add_class_arguments, add_event_arguments, read_plan, read_sources
from tournament.commands.progress import GameProgress, add_run_arguments, run_settings, say, store_of
from tournament.errors import BadEventError

SUMMARY = "each submission plays the rubric's reference players, and gets points"
EXAMPLE = "hw2 --roster hw2.csv --event hw2.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=(
        "where to write grades.csv and grades.json (default: NAME.grades)"
    ))  # fmt: skip
    add_event_arguments(parser, *PLAYED, "rubric", "memory-mib")
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, then report."""
    need_packages("tabulate")
    plan = read_plan(options, "grade", USUAL_RUBRIC)
    if plan.file.engines:
        raise BadEventError(f"{options.event}: engine: expected none, a grade's opponents are those of its rubric")
    store, handed = store_of(plan), read_sources(options, plan.file)
    out = options.out or store.with_name(f"{store.stem}.grades")
    check_folder_writable(out)
    with nothing_left_if_refused(store):
        intake = take_in(plan, handed, store, tell=say)
        graded = grade(plan, intake, store, run_settings(options), roster=handed.roster, tell=say, watch=GameProgress)
    if graded.status == INTERRUPTED:
        return graded.status
    _report(graded, intake, out)
    return LEFT if graded.complete and not (intake.as_listed and graded.timed) else graded.status


def _report(graded: EventRun, intake: Intake, out: Path) -> None:
    from tournament.results.grade_report import write_grade_reports

    plan, rubric = graded.plan, graded.plan.rubric
    assert rubric is not None
    text = write_grade_reports(
        graded.rows, plan.event, intake.entrants, rubric, out, machine=plan.machine, refused=intake.refused
    )
    print(text)
    print(f"grades are written to {out}", file=sys.stderr)
