"""The steps of a course, done one by one. Each can be done again, and each writes what it leaves whole or not at all.

A step that was stopped half-way leaves the store as far as it came; whoever looks again finds the same step due.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from common.command_lines import DONE, INTERRUPTED
from common.files import write_beside
from tournament.application.conditions import conditions_for, tell_changes
from tournament.application.runs import RunSettings, play_event
from tournament.application.trials import try_entrants
from tournament.commands.check import about, verdict
from tournament.commands.course_stages import Opened, publication, read_stamps, rubric_text, stamp, stamp_name
from tournament.commands.progress import GameProgress, say
from tournament.courses.course_files import Course
from tournament.courses.due import Deed, Step
from tournament.courses.ledgers import add_to_ledger, last_of, moved_marks, rankings_of, read_ledger
from tournament.errors import OtherEventError
from tournament.records import Entrant, GameResult
from tournament.results.histories import Ranking
from tournament.results.refusals import everybody, read_refusals, write_refusals
from tournament.sandbox.sweeping import sweep
from tournament.store.store import open_store, read_store


@dataclass(frozen=True)
class Doing:
    """How steps are done. jobs, cluster, verify, leave_slow: see `RunSettings`. now: an aware time of what is published."""

    now: datetime
    jobs: int | None = None
    cluster: str | None = None
    verify: float = 0.0
    leave_slow: Callable[[int], None] | None = None

    def do(self, stage: Opened, step: Step) -> int:
        """Do a step of a stage; return DONE, LEFT if games are still to be played, or INTERRUPTED. Raises TournamentError."""
        deeds: dict[Deed, Callable[[Opened, Step], int]] = {
            Deed.CHECK: self._check, Deed.PLAY: self._play, Deed.PUBLISH: self._publish, Deed.PAGES: self._pages,
        }  # fmt: skip
        return deeds[step.deed](stage, step)

    def _check(self, stage: Opened, step: Step) -> int:
        """Have new submissions play their trial games, and say what came of it."""
        sweep()
        trying = [one for one in stage.intake.entrants if one.name in step.names]
        for name in step.names:
            if name in stage.intake.called:
                say(stage.intake.called[name])
        conditions = conditions_for(stage.plan.event, stage.plan.machine, trying, say)
        path = stage.course.trials(stage.stage)

        def told(entrant: Entrant, games: Sequence[GameResult], reason: str) -> None:
            said = f"could not be tried, which is not its fault: {reason}"
            print(f"{entrant.name}: {said if reason else verdict(entrant, games, about(entrant))[1]}", flush=True)

        try:
            stopped = try_entrants(path, trying, conditions, told, jobs=self.jobs, tell=say, watch=GameProgress)
        except OtherEventError:
            # Other limits than when the last ones were tried.
            stopped = try_entrants(path, trying, conditions, told, jobs=self.jobs, force_new=True, tell=say, watch=GameProgress)
        return INTERRUPTED if stopped else DONE

    def _play(self, stage: Opened, step: Step) -> int:
        for one in stage.intake.refused:
            print(f"{one.name}: refused: {one.reason}", file=sys.stderr)
        _write_rubric(stage)
        settings = RunSettings(self.jobs, self.cluster, self.verify, leave_slow=self.leave_slow)
        status = play_event(stage.store, stage.plan, stage.entrants, settings, tell=say, watch=GameProgress)
        if stage.stage.kind == "grade" and status != INTERRUPTED:
            write_refusals(stage.store, stage.intake.refused)
        return status

    def _publish(self, stage: Opened, step: Step) -> int:
        """Add a line to the ledger, unless it says that already."""
        _write_rubric(stage)
        _adopt_rubric(stage)
        path = stage.course.ledger
        last = last_of(read_ledger(path), stage.stage.name)
        with read_store(stage.store) as store:
            found = publication(stage, store, self.now)
        if last is None or not last.says_as(found):
            add_to_ledger(path, found)
        for line in moved_marks(last, found) if last is not None else ():
            say(line)
        return DONE

    def _pages(self, stage: Opened, step: Step) -> int:
        """Write the pages of an edition, then that they are."""
        course, ledger = stage.course, read_ledger(stage.course.ledger)
        _write_pages(stage, step.edition, rankings_of(ledger, stage.stage.name))
        stamps = read_stamps(course) | {
            stamp_name(stage, step.edition): stamp(stage, step.edition, last_of(ledger, stage.stage.name))
        }
        write_beside(course.stamps, (json.dumps(stamps, indent=1) + "\n").encode())
        say(f"{stage.stage.name}: pages are written to {stage.pages(step.edition)}")
        return DONE


def write_fronts(course: Course, stages: Iterable[Opened], now: datetime) -> None:
    """Write the first pages that would be others than they are. stages: those that have begun; now: an aware time."""
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
            say(f"the first page of the {edition} edition is written to {course.front(edition)}")


def _write_rubric(stage: Opened) -> None:
    """Write the rubric by which a homework is graded beside its results, where other commands find it."""
    text = rubric_text(stage)
    if text:
        write_beside(stage.course.rubric(stage.stage), text.encode())


def _adopt_rubric(stage: Opened) -> None:
    """Have the store know the rubric as it is now, and say in what it has changed."""
    plan = stage.plan
    with read_store(stage.store) as store:
        known = store.rubric
    if known != plan.basis.text:
        with open_store(stage.store, plan.event, plan.basis, key=plan.key) as store:
            tell_changes(stage.store, store.changes, say)


def _write_pages(stage: Opened, kind: str, rankings: Sequence[Ranking]) -> None:
    from tournament.pages.contents import gather, gather_students
    from tournament.pages.editions import edition, first_attempts, nicknames_in_event
    from tournament.pages.pasts import past_of
    from tournament.pages.sites import write_folder, write_students
    from tournament.pages.truths import read_truths, truth_path

    rubric, out = stage.plan.rubric, stage.pages(kind)
    truths, refused = read_truths(truth_path(stage.store)), read_refusals(stage.store)
    out.parent.mkdir(parents=True, exist_ok=True)
    with read_store(stage.store) as store:
        entrants = everybody(store.entrants(), refused)
        path = stage.course.nicknames
        # Not seeded: nobody must be able to draw the same names again.
        nicknames = {} if kind == "instructor" else nicknames_in_event(path, entrants, random.SystemRandom())
        if kind == "student":
            shown = [edition(kind, entrants, nicknames, name) for name in first_attempts(entrants)]
            pages = gather_students(store, shown, rubric, truths, "", refused)
            write_students((replace(page, past=past_of(rankings, page.edition)) for page in pages), entrants, out)
        else:
            contents = gather(store, edition(kind, entrants, nicknames), rubric, truths, "", refused)
            past = past_of(rankings, contents.edition)
            write_folder(replace(contents, past=past, course=stage.course.name), out)
