"""grade: each submission against the rubric's reference players."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from common.command_lines import DONE, INTERRUPTED, LEFT, need_packages
from tournament.commands.event_options import Plan, add_event_arguments, read_plan
from tournament.commands.players import HandedIn, add_class_arguments, handed_in, take_in_class
from tournament.commands.running import add_run_arguments, play_event, run_settings, store_of
from tournament.errors import BadEventError, BadRosterError
from tournament.intake.attempts import SUBMITTED, Attempts
from tournament.intake.submissions import Intake
from tournament.pages.words import first_forfeits
from tournament.records import GameRow
from tournament.results.gradescope import VISIBILITIES
from tournament.results.grading import Grade, class_grades
from tournament.results.refusals import write_refusals
from tournament.results.rubrics import Deadline, Rubric
from tournament.store.store import read_store

SUMMARY = "each submission plays the rubric's reference players, and gets points"
USUAL_RUBRIC = "2019"


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
    add_event_arguments(parser, references=False, until_decided=True)
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, then report."""
    need_packages("tabulate")
    plan = read_plan(options, "grade", USUAL_RUBRIC)
    if plan.file.engines:
        raise BadEventError(f"{options.event}: engine: expected none, a grade's opponents are those of its rubric")
    rubric, store = plan.rubric, store_of(options, plan)
    assert rubric is not None
    references = rubric.references()
    handed = handed_in(options, plan.file)
    if rubric.deadline is not None:
        handed = with_attempts(handed, rubric.deadline)
    intake = take_in_class(handed, store, [entrant.name for entrant in references], plan.event.rules)
    status, rows = DONE, []
    faults: dict[str, dict[str, str]] = {}
    # A time that cannot be read stops the run before the games, not after them.
    timed = are_timed(class_grades((), rubric, intake.entrants, intake.refused), rubric, handed)
    if intake.entrants:
        status = play_event(store, plan, [*intake.entrants, *references], run_settings(options)).status
        write_refusals(store, intake.refused)
        if status == INTERRUPTED:
            return status
        with read_store(store) as results:
            rows = results.rows()
            if options.gradescope:
                faults = first_forfeits(results.results(), plan.event.limits)
    _report(options, plan, rubric, intake, rows, faults)
    return LEFT if status == DONE and not (intake.as_listed and timed) else status


def with_attempts(handed: HandedIn, deadline: Deadline) -> HandedIn:
    """Return what was handed in, with the attempts that count under a deadline. Raises BadRosterError without a roster."""
    if handed.roster is None:
        raise BadRosterError(f"deadline: expected a roster with a column {SUBMITTED}, got none")
    return replace(handed, attempts=Attempts(deadline.zone, deadline.best, deadline.cut_off))


def are_timed(found: Sequence[Grade], rubric: Rubric, handed: HandedIn) -> bool:
    """Tell whether it is known of every submission when it came, or does not matter. Raises BadRosterError if of none."""
    if rubric.deadline is not None and not any(SUBMITTED in dict(grade.fields) for grade in found):
        raise BadRosterError(f"{handed.roster}: the rubric has a deadline: expected a column {SUBMITTED}, found none")
    return all(grade.refused or grade.late is None or grade.late.submitted is not None for grade in found)


def _report(
    options: argparse.Namespace, plan: Plan, rubric: Rubric, intake: Intake, rows: list[GameRow],
    faults: Mapping[str, Mapping[str, str]],
) -> None:  # fmt: skip
    from tournament.results.grade_report import write_grade_reports

    store = store_of(options, plan)
    out = options.out or store.with_name(f"{store.stem}.grades")
    text = write_grade_reports(
        rows, plan.event, intake.entrants, rubric, out,
        machine=plan.machine, refused=intake.refused, gradescope=options.gradescope, visibility=options.visibility,
        faults=faults,
    )  # fmt: skip
    print(text)
    print(f"grades are written to {out}", file=sys.stderr)
