"""course: a whole course from one file; does what is due, and nothing twice."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from common.command_lines import DONE, INTERRUPTED
from common.excerpts import quoted
from common.moments import read_moment
from common.tables import WrongValueError
from tournament.commands.clusters import add_cluster_argument
from tournament.commands.course_stages import Opened, looked_at, opened, read_stamps
from tournament.commands.course_steps import Doing
from tournament.commands.course_traces import traces
from tournament.courses.course_files import Course, read_course
from tournament.courses.due import Step, due
from tournament.courses.ledgers import read_ledger
from tournament.errors import BadCourseError, StoreBusyError
from tournament.sandbox.leftovers import owned_folder
from tournament.store.store_files import lock_for_writing

SUMMARY = "a whole course in one file: takes in, checks, grades, plays the ladder and publishes what is due"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("course", type=Path, metavar="FILE", help="the TOML file of the course, see docs/course.md")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument("--trace", metavar="NAME", help="show what was published of a student, and where it came from")
    parser.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")
    add_cluster_argument(parser)
    # For tests, and for a look at what will be due.
    parser.add_argument("--now", default="", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Do what is due; return the worst of the steps' statuses."""
    course = read_course(options.course)
    if options.trace is not None:
        return traces(course, options.trace)
    now = _now(course, options.now)
    if options.dry_run:
        with owned_folder() as folder:
            for step in _look(_copied(course, folder), now)[1]:
                print(f"{step.stage.name}: would {step.words}")
            _print_begins(course, now)
        return DONE
    course.kept.mkdir(parents=True, exist_ok=True)
    with _locked(course):
        return _do(course, Doing(now, options.jobs, options.cluster))


def _now(course: Course, text: str) -> datetime:
    try:
        return read_moment(text, course.zone) if text else datetime.now(UTC).astimezone(course.zone)
    except WrongValueError as error:
        raise BadCourseError(f"--now: expected {error}, got {quoted(text)}") from None


def _look(course: Course, now: datetime) -> tuple[dict[str, Opened], list[Step]]:
    """Return the stages that have begun, by name, and what is due."""
    ledger, stamps = read_ledger(course.ledger), read_stamps(course)
    stages = {stage.name: opened(course, stage) for stage in course.stages if stage.has_begun(now)}
    found = [looked_at(stage, ledger, stamps, now) for stage in stages.values()]
    return stages, due(found, course.editions, now)


def _do(course: Course, doing: Doing) -> int:
    stages, steps = _look(course, doing.now)
    worst = DONE
    for step in steps:
        print(f"{step.stage.name}: {step.words}", flush=True)
        status = doing.do(stages[step.stage.name], step)
        if status == INTERRUPTED:
            return status
        worst = max(worst, status)
    if not steps:
        print("nothing is due")
    _print_begins(course, doing.now)
    return worst


def _print_begins(course: Course, now: datetime) -> None:
    for stage in course.stages:
        if not stage.has_begun(now):
            print(f"{stage.name}: begins {stage.begins:%Y-%m-%d %H:%M:%S %z}")


@contextmanager
def _locked(course: Course) -> Iterator[None]:
    """Keep other runs of the same course out."""
    try:
        lock = lock_for_writing(course.kept / "course")
    except StoreBusyError:
        raise BadCourseError(f"{course.path}: another run of this course is at work; wait for it") from None
    try:
        yield
    finally:
        lock.close()


def _copied(course: Course, folder: Path) -> Course:
    """Return the course with a copy of what it keeps: to look at a store, and to take in, writes beside it."""
    kept = folder / "kept"
    if not course.kept.is_dir():
        kept.mkdir()
        return replace(course, kept=kept)
    # A store that is written to meanwhile could not be copied whole.
    with _locked(course):
        shutil.copytree(course.kept, kept, ignore=shutil.ignore_patterns("*.submissions", "*.lock", "*.part"))
    return replace(course, kept=kept)
