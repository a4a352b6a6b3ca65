"""course: a whole course from one file; does what is due, and nothing twice."""

from __future__ import annotations

import argparse
import getpass
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from common.command_lines import DONE, INTERRUPTED, LEFT, need_packages
from common.excerpts import printable, quoted
from common.moments import read_moment
from common.tables import WrongValueError
from tournament.commands.course_previews import preview
from tournament.commands.course_sightings import Watched, tell, watched
from tournament.commands.course_stages import (
    Opened,
    in_order,
    looked_at,
    opened,
    read_stamps,
    used_after,
    with_days_left,
)
from tournament.commands.course_steps import Doing, write_fronts
from tournament.commands.course_traces import traces
from tournament.commands.progress import say
from tournament.commands.running import add_run_arguments, verified_share
from tournament.courses.course_files import Course, read_course
from tournament.courses.due import Step, due
from tournament.courses.ledgers import Inspection, Published, add_to_ledger, read_entries
from tournament.courses.sightings import confirmed
from tournament.errors import BadCourseError, StoreBusyError
from tournament.intake.rosters import roster_notices
from tournament.pages.editions import nickname_notices
from tournament.sandbox.leftovers import owned_folder
from tournament.store.schema import lock_for_writing

SUMMARY = "a whole course in one file: checks, grades, plays and publishes what is due"
EXAMPLE = "course.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("course", type=Path, metavar="FILE", help="the TOML file of the course, see docs/course.md")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and how long it takes; do nothing")
    parser.add_argument("--trace", metavar="NAME", help="show what was published of a student, and where it came from")
    parser.add_argument("--confirm", metavar="NAME", action="append", default=[], help=(
        "what lies there of a student and is held came when the roster says; the ledger keeps who said so"
    ))  # fmt: skip
    add_run_arguments(parser)
    # For tests, and for a look at what will be due.
    parser.add_argument("--now", default="", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Do what is due; return the worst of the steps' statuses."""
    course = read_course(options.course)
    if options.confirm and (options.dry_run or options.trace is not None):
        raise BadCourseError("--confirm: expected without --dry-run and --trace, which change nothing")
    if options.trace is not None:
        return traces(course, options.trace)
    now = _now(course, options.now)
    if options.dry_run:
        with owned_folder() as folder:
            found, steps = _look(_copied(course, folder), now)
            for one in found.values():
                tell(one)
            preview([one.stage for one in found.values()], steps, options.jobs)
            _print_begins(course, now)
        return DONE
    need_packages("jinja2", "numpy", "scipy", "tabulate")
    course.kept.mkdir(parents=True, exist_ok=True)
    with _locked(course):
        if options.confirm:
            _confirm(course, options.confirm, now)
        return _do(course, Doing(now, options.jobs, options.cluster, verified_share(options)))


def _now(course: Course, text: str) -> datetime:
    try:
        return read_moment(text, course.zone) if text else datetime.now(UTC).astimezone(course.zone)
    except WrongValueError as error:
        raise BadCourseError(f"--now: expected {error}, got {quoted(text)}") from None


def _look(course: Course, now: datetime) -> tuple[dict[str, Watched], Iterable[tuple[Opened, Step]]]:
    """Return the stages that have begun, by name, and what is due."""
    entries, stamps = read_entries(course.ledger), read_stamps(course)
    ledger = [one for one in entries if isinstance(one, Published)]
    stages = {
        stage.name: watched(opened(course, stage), entries, now) for stage in course.stages if stage.has_begun(now)
    }
    opened_ones = [one.stage for one in stages.values()]
    # All of them before anything is done: what is wrong with one stops the run.
    steps = [*_steps(course, opened_ones, ledger, stamps, now)]
    return stages, steps if course.late_days is None else _steps(course, opened_ones, ledger, stamps, now)


def _steps(
    course: Course, stages: Sequence[Opened], ledger: Sequence[Published], stamps: Mapping[str, str], now: datetime
) -> Iterator[tuple[Opened, Step]]:
    """Yield what is due of the stages that have begun, stage by stage.

    How many late days of the course a homework leaves for the next ones is asked once its own steps are done.
    """
    used: dict[str, int] = {}
    for one in stages if course.late_days is None else in_order(stages):
        stage = with_days_left(one, used)
        for step in due([looked_at(stage, ledger, stamps, now)], course.editions, now):
            yield stage, step
        used = used_after(stage, used)


def _record(course: Course, stages: dict[str, Watched], *more: Inspection) -> None:
    """Write down what was seen, before anything is made of it."""
    news = [one for found in stages.values() for one in found.news]
    if news or more:
        add_to_ledger(course.ledger, *news, *more)


def _confirm(course: Course, names: Sequence[str], now: datetime) -> None:
    """Write down that what is held of these students came when the roster says. Raises BadCourseError if nothing is held."""
    stages, _ = _look(course, now)
    held = {name: found.judgement.doubts for name, found in stages.items()}
    who = sorted({doubt.sight.name for doubts in held.values() for doubt in doubts})
    for name in names:
        if name not in who:
            those = ", ".join(who) or "nobody is"
            raise BadCourseError(f"--confirm: expected somebody who is held ({those}), got {quoted(name)}")
    by = _user()
    chosen = {stage: [doubt for doubt in doubts if doubt.sight.name in names] for stage, doubts in held.items()}
    _record(course, stages, *(confirmed(stage, doubts, by, now) for stage, doubts in chosen.items() if doubts))
    for stage, doubts in chosen.items():
        for doubt in doubts:
            print(f"{stage}: {doubt.sight.submission} is confirmed by {by}")


def _user() -> str:
    """Return the name of whoever runs this, as printable text."""
    try:
        return printable(getpass.getuser(), 60)
    except (OSError, KeyError, ImportError):
        return f"user {os.getuid()}" if hasattr(os, "getuid") else "somebody"


def _do(course: Course, doing: Doing) -> int:
    stages, steps = _look(course, doing.now)
    for line in _notices(course):
        say(line)
    _record(course, stages)
    for found in stages.values():
        tell(found)
    statuses = [LEFT if any(found.judgement.doubts for found in stages.values()) else DONE]
    put_off: list[int] = []
    done = _done(steps, replace(doing, leave_slow=put_off.append))
    if INTERRUPTED not in done:
        # Marks of everybody else are shown before the slow play on, in all homeworks.
        write_fronts(course, (found.stage for found in stages.values()), doing.now)
    if put_off and INTERRUPTED not in done:
        done += _done(_look(course, doing.now)[1], doing)
        if INTERRUPTED not in done:
            write_fronts(course, (found.stage for found in stages.values()), doing.now)
    if INTERRUPTED in done:
        return INTERRUPTED
    if not done:
        print("nothing is due")
    _print_begins(course, doing.now)
    return max(statuses + done)


def _done(steps: Iterable[tuple[Opened, Step]], doing: Doing) -> list[int]:
    """Do steps one after the other, up to one that is interrupted; return their statuses."""
    statuses = []
    for stage, step in steps:
        print(f"{step.stage.name}: {step.words}", flush=True)
        statuses.append(doing.do(stage, step))
        if statuses[-1] == INTERRUPTED:
            break
    return statuses


def _notices(course: Course) -> list[str]:
    """Return what people should know of how rosters and nicknames were read, each line once."""
    rosters = dict.fromkeys(stage.file.roster for stage in course.stages if stage.file.roster is not None)
    return [line for path in rosters for line in roster_notices(path)] + nickname_notices(course.nicknames)


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
