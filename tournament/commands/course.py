"""course: a whole course from one file; does what is due, and nothing twice."""

from __future__ import annotations

import argparse
import getpass
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from goban.common.command_lines import DONE, INTERRUPTED, LEFT, need_packages, say
from goban.common.excerpts import printable, quoted
from goban.common.moments import read_moment
from goban.common.tables import WrongValueError
from gojudge.intake.submissions import Refused
from gojudge.records import Entrant, GameRow
from tournament.application.courses import Course
from tournament.application.plans import tell_nobody
from tournament.application.runs import RunSettings, at_once
from tournament.application.stages import OpenStage, find_unchecked, games_to_play, notices_of
from tournament.application.trials import about, verdict
from tournament.commands.event_options import GameProgress, add_run_arguments, read_share, say_result
from tournament.courses.course_files import CourseFile
from tournament.courses.due import PlayingTime, Step, StepKind, estimate, measure_answers, writing
from tournament.courses.ledgers import Entry, Inspection, Published, Sight, key_digest, read_entries
from tournament.errors import BadCourseError, StoreError
from tournament.store.store import read_store

SUMMARY = "run a whole course from one file: check, grade, play and publish what is due"
EXAMPLE = "course.toml"
_BESIDES = "sandboxes are taken to start, and pages to be written, as fast as docs/measurements.md says"
_TRIALS = 2
"""Games that a submission plays when it is checked."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("course", type=Path, metavar="FILE", help="the TOML file of the course, see docs/course.md")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and how long it would take; do nothing")
    parser.add_argument("--trace", metavar="NAME", help="show what was published about a student, and where it came from")
    parser.add_argument("--confirm", metavar="NAME", action="append", default=[], help=(
        "confirm that a student's held submission came when the roster says; the ledger records who confirmed it"
    ))  # fmt: skip
    add_run_arguments(parser)
    # For tests, and for a look at what will be due.
    parser.add_argument("--now", default="", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Do what is due; return the worst of the steps' statuses."""
    course = Course(options.course)
    if options.confirm and (options.dry_run or options.trace is not None):
        raise BadCourseError("--confirm: expected without --dry-run and --trace, which change nothing")
    if options.trace is not None:
        return _trace(course.file, options.trace)
    now = _now(course.file, options.now)
    if options.dry_run:
        with course.look(now) as (stages, steps):
            for one in stages.values():
                for line in notices_of(one):
                    say(line)
            _preview([one.stage for one in stages.values()], steps, options.jobs)
        _print(course.later(now))
        return DONE
    need_packages("jinja2", "numpy", "scipy", "tabulate")
    if options.confirm:
        _print(course.confirm(options.confirm, _user(), now))
    settings = RunSettings(options.jobs, options.cluster, read_share(options))
    course_run = course.do_due(now, settings, tell=say, show=say_result, watch=GameProgress)
    if course_run.status != INTERRUPTED:
        _print(course.later(now))
    return course_run.status


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _now(course: CourseFile, text: str) -> datetime:
    try:
        return read_moment(text, course.zone) if text else datetime.now(UTC).astimezone(course.zone)
    except WrongValueError as error:
        raise BadCourseError(f"--now: expected {error}, got {quoted(text)}") from None


def _user() -> str:
    """Return the name of whoever runs this, as printable text."""
    try:
        return printable(getpass.getuser(), 60)
    except (OSError, KeyError, ImportError):
        return f"user {os.getuid()}" if hasattr(os, "getuid") else "somebody"


# What a run would do: who is taken in, who is refused and why, what is due, and how long it would take


def _preview(stages: Iterable[OpenStage], steps: Iterable[tuple[OpenStage, Step]], jobs: int | None) -> None:
    """Print what would be done, stage by stage, and tell how long it would take. jobs: games at a time, None for all cores."""
    whole, lanes = PlayingTime(), 1
    lines: set[str] = set()
    for stage, step in steps:
        name = stage.stage.name
        if name not in lines:
            lines.add(name)
            for line in _intake(stage):
                print(f"{name}: {line}")
        print(f"{name}: would {step.words}")
        if step.kind in (StepKind.CHECK, StepKind.PLAY):
            seconds = _time(stage, step, stages)
            lanes = at_once(jobs, stage.entrants, 1000, tell_nobody)
            if step.games or step.kind is StepKind.CHECK:
                say(f"{name}: to {step.kind} takes {seconds.words(lanes)}")
            whole += seconds
        if step.kind is StepKind.PAGES:
            whole += writing(len(_rows(stage.store)) + sum(games_to_play(stage).values()))
    if not lines:
        print("nothing is due")
    elif whole.seconds or whole.pages:
        say(f"in all: {whole.words(lanes)}")
        say(_BESIDES)


def _intake(stage: OpenStage) -> Iterable[str]:
    """Yield a line for each who is taken in and was not checked as they are now, and for each who is refused."""
    new = set(find_unchecked(stage))
    for entrant in stage.intake.entrants:
        if entrant.name in new:
            yield f"{_name_people(entrant)}: {verdict(entrant, [], about(entrant))[1]}"
    nothing = []
    for one in stage.intake.refused:
        # What a roster lists and is not there has no place.
        if one.source.is_absolute():
            yield f"{_name_people(one)}: refused: {one.reason}"
        else:
            nothing.append(_name_people(one))
    if nothing:
        yield f"nothing was handed in by {', '.join(nothing)}"


def _name_people(one: Entrant | Refused) -> str:
    return f"{one.name} ({', '.join(one.students)})" if one.students and one.students != (one.name,) else one.name


def _time(stage: OpenStage, step: Step, stages: Iterable[OpenStage]) -> PlayingTime:
    """Return how long a step takes: by games of this stage, or else its trials, or else those of other stages."""
    own = [stage.store, stage.course.trials(stage.stage)]
    others = [path for one in stages if one is not stage for path in (one.store, one.course.trials(one.stage))]
    known = measure_answers(*(_rows(path) for path in (*own, *others)))
    if step.kind is StepKind.PLAY:
        return estimate(games_to_play(stage), known, stage.entrants)
    return estimate({frozenset((name,)): _TRIALS for name in step.names}, known, stage.entrants)


def _rows(path: Path) -> list[GameRow]:
    if not path.exists():
        return []
    with read_store(path) as store:
        return store.rows()


# What was seen and published of a student, and where it came from: games, versions and key


def _trace(course: CourseFile, name: str) -> int:
    """Print a line for all that was seen and published of a student, oldest first; return LEFT if games cannot be found."""
    entries = sorted(read_entries(course.ledger), key=lambda one: one.time.timestamp())
    differences = [text for entry in entries for text in _compare_entry(course, entry, name)]
    if not differences:
        whose = "the name of somebody of whom something was published or seen"
        raise BadCourseError(f"--trace: expected {whose}, got {quoted(name)}")
    for line, _ in differences:
        print(line)
    return DONE if all(whole for _, whole in differences) else LEFT


def _compare_entry(course: CourseFile, one: Entry, name: str) -> Iterator[tuple[str, bool]]:
    """Yield a line, and whether the games it names are in the store as they were then."""
    when = f"{_show_time(course, one.time)} {one.stage}"
    if isinstance(one, Inspection):
        yield from ((f"{when}: {_describe_sight(course, one, sight)}", True) for sight in one.sights if sight.name == name)
        return
    for mark in (mark for mark in one.marks if mark.name == name):
        if mark.refused:
            yield f"{when}: {mark.points} of {mark.of} points; refused: {mark.refused}", True
            continue
        source, games = _source(course, one, mark.submission, mark.version)
        whole = games == mark.games
        missing = "" if whole else f", but the mark was made of {mark.games}"
        points = f"{mark.points} of {mark.of} points" if mark.played else "not played yet"
        points += f" ({mark.late})" if mark.late else ""
        yield f"{when}: {points}{'' if one.final else ', not final'}; {source}{missing}", whole
    for place in (place for place in one.places if place.name == name):
        source, games = _source(course, one, name, place.version)
        yield f"{when}: rank {place.rank}, rating {place.rating:.0f} ({place.low:.0f} to {place.high:.0f}); {source}", games > 0


def _describe_sight(course: CourseFile, look: Inspection, sight: Sight) -> str:
    """Return what was seen in words, or who confirmed it."""
    what = f"{sight.submission}, {f'version {sight.version[:12]}' if sight.entry else sight.version or 'nothing there'}"
    stated = _show_time(course, datetime.fromisoformat(sight.stated)) if sight.stated else "at a time that nobody says"
    under = f"handed in {stated}"
    if look.by:
        return f"confirmed by {look.by}: {what}, {under}"
    return f"seen {what}, {under}{': held, for something else was there before' if sight.held else ''}"


def _show_time(course: CourseFile, moment: datetime) -> str:
    return f"{moment.astimezone(course.zone):%Y-%m-%d %H:%M:%S %z}"


def _source(course: CourseFile, one: Published, submission: str, version: str) -> tuple[str, int]:
    """Return where a mark comes from, in words, and how many of its games are there."""
    path = course.kept / one.store
    copy = path.with_name(f"{path.stem}.submissions") / f"{submission}-{version[:12]}"
    try:
        with read_store(path) as store:
            if key_digest(store.key.secret) != one.key:
                return f"{path} has another key", 0
            games = sum(submission in (row.black, row.white) for row in store.rows_after(one.run))
    except StoreError as error:
        return str(error), 0
    return f"{games} games in {path} after run {one.run}, played by {copy}, key {one.key[:12]}", games
