"""grade: each submission against the rubric's reference players."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from common.command_lines import DONE, INTERRUPTED, LEFT
from tournament.commands.event_options import Plan, add_event_arguments, read_plan
from tournament.commands.players import add_class_arguments, take_in_class
from tournament.commands.running import add_run_arguments, play_event, store_of
from tournament.intake.submissions import Intake
from tournament.records import GameRow
from tournament.results.gradescope import VISIBILITIES
from tournament.results.rubrics import Rubric
from tournament.store.store import read_store

SUMMARY = "each submission plays the rubric's reference players, and gets points"
_RUBRIC = "2019"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class_arguments(parser)
    report = parser.add_argument_group("the report")
    report.add_argument("--out", type=Path, metavar="FOLDER", help=(
        "where grades.csv and grades.json are written (default: the store's name + .grades)"
    ))  # fmt: skip
    report.add_argument("--gradescope", action="store_true", help="also write gradescope/NAME/results.json there")
    report.add_argument(
        "--visibility", default="visible", choices=VISIBILITIES,
        help="who sees the tests on Gradescope (default: %(default)s)",
    )  # fmt: skip
    add_event_arguments(parser, references=False)
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, then report."""
    plan = read_plan(options, "grade", _RUBRIC)
    rubric, store = plan.rubric, store_of(options, plan)
    assert rubric is not None
    references = rubric.references()
    sources, roster = options.submissions or plan.file.submissions, options.roster or plan.file.roster
    intake = take_in_class(sources, roster, store, [entrant.name for entrant in references], plan.event.rules)
    status, rows = DONE, []
    if intake.entrants:
        status = play_event(options, plan, [*intake.entrants, *references]).status
        if status == INTERRUPTED:
            return status
        with read_store(store) as results:
            rows = results.rows()
    _report(options, plan, rubric, intake, rows)
    return LEFT if intake.refused and status == DONE else status


def _report(options: argparse.Namespace, plan: Plan, rubric: Rubric, intake: Intake, rows: list[GameRow]) -> None:
    from tournament.results.grade_report import write_grade_reports

    store = store_of(options, plan)
    out = options.out or store.with_name(f"{store.stem}.grades")
    text = write_grade_reports(
        rows, plan.event, intake.entrants, rubric, out,
        machine=plan.machine, refused=intake.refused, gradescope=options.gradescope, visibility=options.visibility,
    )  # fmt: skip
    print(text)
    print(f"grades are written to {out}", file=sys.stderr)
