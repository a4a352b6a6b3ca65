"""A whole course: does what is due, one step after the other, and nothing twice.

    run = Course("course.toml").do_due()

Each step can be repeated, and writes its files completely or not at all. A step that was stopped half-way leaves its games in
the store; the next look finds the same step due.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from goban.common.arguments import check_fields, check_functions
from goban.common.command_lines import DONE, INTERRUPTED, LEFT
from goban.common.excerpts import quoted
from goban.common.files import make_folder, write_beside
from gojudge.intake.rosters import roster_notices
from gojudge.records import Entrant, GameResult
from gojudge.sandbox.leftovers import owned_folder
from gojudge.sandbox.sweeping import sweep
from tournament.application.grades import HERE
from tournament.application.plans import Tell, tell_changes, tell_nobody
from tournament.application.runs import MakeWatcher, NoWatcher, RunSettings, conditions_for, play_event
from tournament.application.stages import (
    OpenStage,
    WatchedStage,
    in_order,
    look_at,
    notices_of,
    open_games,
    open_stage,
    publication,
    read_stamps,
    rubric_text,
    stamp,
    stamp_name,
    used_after,
    watch_stage,
    with_days_left,
)
from tournament.application.trials import about, try_entrants, verdict
from tournament.courses.course_files import CourseFile, read_course
from tournament.courses.due import Step, StepKind, due
from tournament.courses.ledgers import (
    Inspection,
    Published,
    add_to_ledger,
    confirm_sightings,
    last_of,
    list_moved_marks,
    rankings_of,
    read_entries,
    read_ledger,
)
from tournament.errors import BadCourseError, OtherEventError, StoreBusyError
from tournament.pages.editions import nickname_notices
from tournament.results.grade_report import everybody, read_refusals, write_refusals
from tournament.results.ratings import Ranking
from tournament.store.store import lock_for_writing, open_store, read_store


@dataclass(frozen=True)
class CourseRun:
    """What a run of a course did: its steps, in order.

    status: DONE; LEFT if games remain to be played or a submission is held; INTERRUPTED if it was stopped. held: stage ->
    submissions whose time somebody has to confirm.
    """

    status: int
    steps: tuple[Step, ...] = ()
    held: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self, BadCourseError)

    @property
    def complete(self) -> bool:
        """True if nothing that was due is left."""
        return self.status == DONE


Look = tuple[dict[str, WatchedStage], Iterable[tuple[OpenStage, Step]]]
"""The stages that have begun, by name, and the steps that are due."""


class Course:
    """A course, as described by its file. Raises BadCourseError for a faulty file, and OSError for a missing one."""

    def __init__(self, path: Path | str) -> None:
        self.file = read_course(Path(path))

    def do_due(
        self, now: datetime | None = None, settings: RunSettings = HERE, *,
        tell: Tell = tell_nobody, show: Tell | None = None, watch: MakeWatcher = NoWatcher,
    ) -> CourseRun:  # fmt: skip
        """Do what is due at `now`, a time with a time zone (default: the current time), and return what was done.

        settings: only `jobs`, `cluster` and `verify` are used. show: receives what is done and its outcome; tell: receives all
        other messages. Both get one line at a time; without show, tell gets everything. watch: see `play_event`.

        Raises JudgeError, and BadCourseError if another run of the course is in progress. Steps finished before that stay done.
        """
        check_functions(BadCourseError, tell=tell, show=tell if show is None else show, watch=watch)
        now = datetime.now(UTC).astimezone(self.file.zone) if now is None else now
        if now.tzinfo is None:
            raise BadCourseError(f"now: expected a time with a zone, got {quoted(now.isoformat())}")
        with _lock(self.file):
            return _do(self.file, _Steps(now, settings, tell, tell if show is None else show, watch))

    @contextmanager
    def look(self, now: datetime) -> Iterator[Look]:
        """Find out what would be done at a time, in a copy of the course's files; the files themselves do not change."""
        with owned_folder() as folder:
            yield _look(_copy(self.file, folder), now)

    def confirm(self, names: Sequence[str], by: str, now: datetime) -> list[str]:
        """Record that these students' held submissions came when the roster says; return a line for each.

        by: who confirms it. Raises BadCourseError if one of them has nothing held.
        """
        with _lock(self.file):
            return _confirm(self.file, names, by, now)

    def later(self, now: datetime) -> list[str]:
        """Return a line for each stage that has not begun yet."""
        stages = [stage for stage in self.file.stages if not stage.has_begun(now)]
        return [f"{stage.name}: begins {stage.begins:%Y-%m-%d %H:%M:%S %z}" for stage in stages]


def _look(course: CourseFile, now: datetime) -> Look:
    entries, stamps = read_entries(course.ledger), read_stamps(course)
    ledger = [one for one in entries if isinstance(one, Published)]
    stages = {
        stage.name: watch_stage(open_stage(course, stage), entries, now) for stage in course.stages if stage.has_begun(now)
    }
    open_stages = [one.stage for one in stages.values()]
    # All are looked at before anything is done: a fault in one stops the run.
    steps = [*_steps(course, open_stages, ledger, stamps, now)]
    return stages, steps if course.late_days is None else _steps(course, open_stages, ledger, stamps, now)


def _steps(
    course: CourseFile, stages: Sequence[OpenStage], ledger: Sequence[Published], stamps: Mapping[str, str], now: datetime
) -> Iterator[tuple[OpenStage, Step]]:
    """Yield the due steps of the stages that have begun, stage by stage.

    How many late days of the course a homework leaves for the next ones is asked once its own steps are done.
    """
    used: dict[str, int] = {}
    for one in stages if course.late_days is None else in_order(stages):
        stage = with_days_left(one, used)
        for step in due([look_at(stage, ledger, stamps, now)], course.editions, now):
            yield stage, step
        used = used_after(stage, used)


def _record(course: CourseFile, stages: dict[str, WatchedStage], *more: Inspection) -> None:
    """Write down what was seen, before anything is made of it."""
    news = [one for watched in stages.values() for one in watched.news]
    if news or more:
        add_to_ledger(course.ledger, *news, *more)


def _confirm(course: CourseFile, names: Sequence[str], by: str, now: datetime) -> list[str]:
    stages, _ = _look(course, now)
    held = {name: watched.judgement.doubts for name, watched in stages.items()}
    who = sorted({doubt.sight.name for doubts in held.values() for doubt in doubts})
    for name in names:
        if name not in who:
            those = ", ".join(who) or "nobody is"
            raise BadCourseError(f"confirm: expected somebody who is held ({those}), got {quoted(name)}")
    chosen = {stage: [doubt for doubt in doubts if doubt.sight.name in names] for stage, doubts in held.items()}
    _record(course, stages, *(confirm_sightings(stage, doubts, by, now) for stage, doubts in chosen.items() if doubts))
    return [
        f"{stage}: {doubt.sight.submission} is confirmed by {by}" for stage, doubts in chosen.items() for doubt in doubts
    ]


def _do(course: CourseFile, doer: _Steps) -> CourseRun:
    """Do what is due, while this run holds the course's lock."""
    stages, steps = _look(course, doer.now)
    for line in _notices(course):
        doer.tell(line)
    _record(course, stages)
    for watched in stages.values():
        for line in notices_of(watched):
            doer.tell(line)
    open_stages = [watched.stage for watched in stages.values()]
    put_off: list[int] = []
    # Marks of everybody else are shown before the slow play on, in all homeworks.
    done = _do_all(course, open_stages, steps, replace(doer, leave_slow=put_off.append))
    if put_off and not _is_stopped(done):
        done += _do_all(course, open_stages, _look(course, doer.now)[1], doer)
    held = {name: tuple(doubt.sight.submission for doubt in watched.judgement.doubts) for name, watched in stages.items()}
    held = {name: submissions for name, submissions in held.items() if submissions}
    status = INTERRUPTED if _is_stopped(done) else max([LEFT if held else DONE, *(status for _, status in done)])
    if not done:
        doer.show("nothing is due")
    return CourseRun(status, tuple(step for step, _ in done), held)


def _do_all(
    course: CourseFile, stages: Sequence[OpenStage], steps: Iterable[tuple[OpenStage, Step]], doer: _Steps
) -> list[tuple[Step, int]]:
    """Do steps one after the other, up to one that is interrupted, then write the first pages; return the steps' statuses."""
    done: list[tuple[Step, int]] = []
    for stage, step in steps:
        doer.show(f"{step.stage.name}: {step.words}")
        done.append((step, doer.do(stage, step)))
        if _is_stopped(done):
            return done
    _write_fronts(course, stages, doer.now, doer.tell)
    return done


def _is_stopped(done: Sequence[tuple[Step, int]]) -> bool:
    return bool(done) and done[-1][1] == INTERRUPTED


def _notices(course: CourseFile) -> list[str]:
    """Return what people should know of how rosters and nicknames were read, each line once."""
    rosters = dict.fromkeys(stage.file.roster for stage in course.stages if stage.file.roster is not None)
    return [line for path in rosters for line in roster_notices(path)] + nickname_notices(course.nicknames)


@contextmanager
def _lock(course: CourseFile) -> Iterator[None]:
    """Keep other runs of the same course out."""
    make_folder(course.kept)
    try:
        lock = lock_for_writing(course.kept / "course")
    except StoreBusyError:
        raise BadCourseError(f"{course.path}: another run of this course is at work; wait for it") from None
    try:
        yield
    finally:
        lock.close()


def _copy(course: CourseFile, folder: Path) -> CourseFile:
    """Return the course with a copy of what it keeps: to look at a store, and to take in, writes beside it."""
    kept = folder / "kept"
    if not course.kept.is_dir():
        kept.mkdir()
        return replace(course, kept=kept)
    # A store that is written to meanwhile could not be copied whole.
    with _lock(course):
        try:
            shutil.copytree(course.kept, kept, ignore=shutil.ignore_patterns("*.submissions", "*.lock", "*.part"))
        except shutil.Error as error:  # a list of all that failed, each with a line that names it
            raise BadCourseError(f"{course.path}: kept: {error.args[0][0][2]}") from None
    return replace(course, kept=kept)


@dataclass(frozen=True)
class _Steps:
    """How steps are done; see `Course.do_due`, and `RunSettings` for leave_slow. now: an aware time of what is published."""

    now: datetime
    settings: RunSettings
    tell: Tell
    show: Tell
    watch: MakeWatcher
    leave_slow: Callable[[int], None] | None = None

    def do(self, stage: OpenStage, step: Step) -> int:
        """Do a step of a stage; return DONE, LEFT if games are missing, or INTERRUPTED. Raises JudgeError."""
        actions: dict[StepKind, Callable[[OpenStage, Step], int]] = {
            StepKind.CHECK: self._check, StepKind.PLAY: self._play,
            StepKind.PUBLISH: self._publish, StepKind.PAGES: self._pages,
        }  # fmt: skip
        return actions[step.kind](stage, step)

    def _check(self, stage: OpenStage, step: Step) -> int:
        """Have new submissions play their trial games, and show what came of it."""
        sweep()
        trying = [one for one in stage.intake.entrants if one.name in step.names]
        for name in step.names:
            if name in stage.intake.called:
                self.tell(stage.intake.called[name])
        conditions = conditions_for(stage.plan.event, stage.plan.machine, trying, self.tell)
        path = stage.course.trials(stage.stage)

        def show_outcome(entrant: Entrant, games: Sequence[GameResult], reason: str) -> None:
            failure = f"could not be tried, which is not its fault: {reason}"
            self.show(f"{entrant.name}: {failure if reason else verdict(entrant, games, about(entrant))[1]}")

        def play(force_new: bool) -> bool:
            jobs = self.settings.jobs
            return try_entrants(
                path, trying, conditions, show_outcome, jobs=jobs, force_new=force_new, tell=self.tell, watch=self.watch
            )

        try:
            stopped = play(force_new=False)
        except OtherEventError:
            # Other limits than when the last ones were tried.
            stopped = play(force_new=True)
        return INTERRUPTED if stopped else DONE

    def _play(self, stage: OpenStage, step: Step) -> int:
        for one in stage.intake.refused:
            self.tell(f"{one.name}: refused: {one.reason}")
        _write_rubric(stage)
        asked = self.settings
        settings = RunSettings(asked.jobs, asked.cluster, asked.verify, leave_slow=self.leave_slow)
        status = play_event(stage.store, stage.plan, stage.entrants, settings, tell=self.tell, watch=self.watch)
        if stage.stage.kind == "grade" and status != INTERRUPTED:
            write_refusals(stage.store, stage.intake.refused)
        return status

    def _publish(self, stage: OpenStage, step: Step) -> int:
        """Add a line to the ledger, unless its last one says the same."""
        _write_rubric(stage)
        _adopt_rubric(stage, self.tell)
        path = stage.course.ledger
        last = last_of(read_ledger(path), stage.stage.name)
        with open_games(stage) as store:
            publishing = publication(stage, store, self.now)
        if last is None or not last.says_as(publishing):
            add_to_ledger(path, publishing)
        for line in list_moved_marks(last, publishing) if last is not None else ():
            self.tell(line)
        return DONE

    def _pages(self, stage: OpenStage, step: Step) -> int:
        """Write the pages of an edition, then that they are."""
        course, ledger = stage.course, read_ledger(stage.course.ledger)
        _write_pages(stage, step.edition, rankings_of(ledger, stage.stage.name))
        stamps = read_stamps(course) | {
            stamp_name(stage, step.edition): stamp(stage, step.edition, last_of(ledger, stage.stage.name))
        }
        write_beside(course.stamps, (json.dumps(stamps, indent=1) + "\n").encode())
        self.tell(f"{stage.stage.name}: pages written to {stage.pages(step.edition)}")
        return DONE


def _write_fronts(course: CourseFile, stages: Iterable[OpenStage], now: datetime, tell: Tell) -> None:
    """Write the first pages that have changed. stages: those that have begun; now: an aware time."""
    from tournament.courses.overviews import Listed, front_of
    from tournament.pages.sites import write_front

    ledger = read_ledger(course.ledger)
    listed = {
        one.stage.name: Listed(
            one.plan.rubric.deadline if one.plan.rubric is not None else None,
            one.intake.entrants, one.intake.refused, one.stage.file.roster is not None,
        )
        for one in stages
    }  # fmt: skip
    for edition in course.editions:
        if edition != "student" and write_front(front_of(course, edition, ledger, listed, now), course.front(edition)):
            tell(f"the first page of the {edition} edition is written to {course.front(edition)}")


def _write_rubric(stage: OpenStage) -> None:
    """Write the rubric by which a homework is graded beside its results, where other commands find it."""
    text = rubric_text(stage)
    if text:
        write_beside(stage.course.rubric(stage.stage), text.encode())


def _adopt_rubric(stage: OpenStage, tell: Tell) -> None:
    """Put the rubric as it is now into the store, and tell what has changed."""
    plan = stage.plan
    with read_store(stage.store) as store:
        known = store.rubric
    if known != plan.basis.text:
        with open_store(stage.store, plan.event, plan.basis, key=plan.key) as store:
            tell_changes(stage.store, store.changes, tell)


def _write_pages(stage: OpenStage, kind: str, rankings: Sequence[Ranking]) -> None:
    from tournament.pages.contents import gather, gather_students, past_of
    from tournament.pages.editions import edition, first_attempts, nicknames_in_event
    from tournament.pages.losses import losses_path, read_losses
    from tournament.pages.sites import write_folder, write_students
    from tournament.pages.truths import read_truths, truth_path

    rubric, out = stage.plan.rubric, stage.pages(kind)
    truths, refused = read_truths(truth_path(stage.store)), read_refusals(stage.store)
    losses = read_losses(losses_path(stage.store))
    make_folder(out.parent)
    with open_games(stage) as store:
        entrants = everybody(store.entrants(), refused)
        path = stage.course.nicknames
        # Not seeded: nobody must be able to draw the same names again.
        nicknames = {} if kind == "instructor" else nicknames_in_event(path, entrants, random.SystemRandom())
        if kind == "student":
            editions = [edition(kind, entrants, nicknames, name) for name in first_attempts(entrants)]
            pages = gather_students(store, editions, rubric, truths, "", refused, losses=losses)
            write_students((replace(page, past=past_of(rankings, page.edition)) for page in pages), entrants, out)
        else:
            contents = gather(store, edition(kind, entrants, nicknames), rubric, truths, "", refused, losses=losses)
            past = past_of(rankings, contents.edition)
            write_folder(replace(contents, past=past, course=stage.course.name), out)
