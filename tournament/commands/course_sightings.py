"""What lies in the hand-in folders of a course, held against what was seen there before; see `tournament.courses.sightings`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from common.moments import read_moment
from tournament.application.classes import copies_beside
from tournament.commands.course_stages import Opened
from tournament.commands.progress import say
from tournament.courses.course_files import Course
from tournament.courses.ledgers import ABSENT, UNREADABLE, Entry, Inspection, Published, Sight
from tournament.courses.sightings import Doubt, Judgement, judged
from tournament.intake.attempts import SUBMITTED, student_of
from tournament.intake.submissions import Refused
from tournament.records import Entrant, Fields
from tournament.results.refusals import read_refusals
from tournament.store.store import read_store

_MOST_NAMES = 10


@dataclass(frozen=True)
class Watched:
    """A stage in which only counts what is not held. news: what the ledger does not say yet; judgement: of what lies there."""

    stage: Opened
    news: tuple[Inspection, ...]
    judgement: Judgement


def watched(stage: Opened, entries: Sequence[Entry], now: datetime) -> Watched:
    """Hold a stage against what was seen of it. A ladder has no deadline that could be missed. Raises TournamentError."""
    if stage.stage.kind != "grade":
        return Watched(stage, (), Judgement(None))
    name, rubric = stage.stage.name, stage.plan.rubric
    before = [one for one in entries if isinstance(one, Inspection) and one.stage == name]
    earlier = () if before else _seen_before(stage, [one for one in entries if isinstance(one, Published)])
    deadline = rubric.deadline if rubric is not None else None
    judgement = judged(name, _sights(stage, _zone(stage)), [*earlier, *before], deadline, now)
    news = (*earlier, *([judgement.news] if judgement.news is not None else []))
    return Watched(_without(stage, judgement.doubts), news, judgement)


def _zone(stage: Opened) -> tzinfo:
    """Return the zone of times without an offset in the roster."""
    rubric = stage.plan.rubric
    return rubric.deadline.zone if rubric is not None and rubric.deadline is not None else stage.stage.zone


def _sights(stage: Opened, zone: tzinfo) -> list[Sight]:
    """Return what lies there, and who has handed in nothing, by name; but not who may not take part."""
    intake = stage.intake
    found = [_sight(one, one.fields, one.digest, zone) for one in intake.entrants]
    for one in intake.refused:
        if one.name not in intake.unlisted:
            # What a roster lists and is not there has no place.
            found.append(_sight(one, one.fields, UNREADABLE if one.source.is_absolute() else ABSENT, zone))
    return sorted(found, key=lambda one: one.submission)


def _sight(one: Entrant | Refused, fields: Fields, version: str, zone: tzinfo) -> Sight:
    said = dict(fields)
    text = said.get(SUBMITTED, "")
    stated = read_moment(text, zone).astimezone(UTC).isoformat() if text else ""
    plays = (one.entry, one.class_name, one.kind) if isinstance(one, Entrant) else ("", "", "")
    return Sight(student_of(one.name, fields), one.name, version, stated, *plays)


def _seen_before(stage: Opened, published: Sequence[Published]) -> tuple[Inspection, ...]:
    """Return what was seen of a stage before ledgers said so: what its store knows, when it was published first."""
    own = [one for one in published if one.stage == stage.stage.name]
    if not own or not stage.store.exists():
        return ()
    with read_store(stage.store) as store:
        submissions = [one for one in store.entrants() if one.is_submission]
    refused = {one.name for one in read_refusals(stage.store)}
    zone = _zone(stage)
    at: dict[datetime, list[Sight]] = {}
    for one in submissions:
        if one.name not in refused:
            fitting = [p.time for p in own for mark in p.marks if (mark.submission, mark.version) == (one.name, one.digest)]
            at.setdefault((fitting or [own[-1].time])[0], []).append(_sight(one, one.fields, one.digest, zone))
    return tuple(
        Inspection(time, stage.stage.name, "", tuple(sights)) for time, sights in sorted(at.items(), key=lambda pair: pair[0])
    )


def _without(stage: Opened, doubts: Iterable[Doubt]) -> Opened:
    """Return the stage in which what counted before stands for what is held."""
    intake = stage.intake
    entrants = {one.name: one for one in intake.entrants}
    refused = {one.name: one for one in intake.refused}
    for doubt in doubts:
        name, kept = doubt.sight.submission, doubt.kept
        there = entrants.pop(name, None) or refused.pop(name)
        if kept.version in (ABSENT, UNREADABLE):
            reason = f"what lies there was seen first {_when(stage.course, doubt.first)}, too late for its time, and is held"
            refused[name] = Refused(name, there.students, copies_beside(stage.store) / name, reason, there.fields)
            continue
        folder = copies_beside(stage.store) / f"{kept.submission}-{kept.version[:12]}"
        entrants[name] = Entrant(
            name, there.students, "", folder, kept.entry, kept.class_name, kept.version, kept.kind, there.fields
        )
    return replace(stage, intake=replace(
        intake,
        entrants=tuple(sorted(entrants.values(), key=lambda one: one.name)),
        refused=tuple(sorted(refused.values(), key=lambda one: one.name)),
    ))  # fmt: skip


def tell(found: Watched) -> None:
    """Say what was handed out by a course system, what is held, and whose contents were seen first after their time."""
    stage, judgement = found.stage, found.judgement
    name, course = stage.stage.name, stage.course
    for line in stage.notices:
        say(line)
    for line in stage.intake.folders:
        say(f"{name}: {line}")
    for doubt in judgement.doubts:
        sight = doubt.sight
        at = f"the time {_when(course, datetime.fromisoformat(sight.stated))}" if sight.stated else "no time"
        counts = "what was handed in by then counts on" if doubt.kept.version != ABSENT else "it counts for nothing"
        say(
            f"{name}: {sight.submission} is held: its contents were seen first {_when(course, doubt.first)} and stand under "
            f"{at}, under which there was something else {_when(course, doubt.before)}; {counts} until "
            f"--confirm {sight.name}, or another time in the roster"
        )
    if judgement.late:
        more = f" and {len(judgement.late) - _MOST_NAMES} more" if len(judgement.late) > _MOST_NAMES else ""
        who = ", ".join(judgement.late[:_MOST_NAMES]) + more
        say(f"{name}: seen first only now, after they were due; the times in the roster count: {who}")


def _when(course: Course, moment: datetime) -> str:
    return f"{moment.astimezone(course.zone):%Y-%m-%d %H:%M:%S %z}"
