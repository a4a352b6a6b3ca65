"""What there is of a stage of a course: its event, who handed in, what was played, published and shown.

    stage = open_stage(course, one)                  takes in what lies in the hand-in folder
    stage = watch_stage(stage, entries, now).stage   holds it against what was seen there before
    found = look_at(stage, ledger, stamps, now)      holds it against the store, the ledger and the pages
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted
from goban.common.files import read_bounded
from goban.common.moments import read_moment
from gojudge.intake.names import names_in
from gojudge.intake.rosters import SUBMITTED, read_roster, student_of
from gojudge.intake.submissions import Intake, Refused
from gojudge.records import Entrant, Fields, GameRow
from tournament.application.classes import SubmissionSources, copies_beside, take_in_submissions, with_attempts
from tournament.application.grades import are_timed
from tournament.application.plans import USUAL_RUBRIC, EventPlan, make_plan
from tournament.courses.calendars import Participant, count_late_days, idle, reasons, with_extensions, with_late_days
from tournament.courses.course_files import CourseFile, Stage
from tournament.courses.due import StageContents
from tournament.courses.ledgers import (
    ABSENT,
    UNREADABLE,
    Doubt,
    Entry,
    Inspection,
    Judgement,
    Mark,
    Published,
    Sight,
    judge_sightings,
    key_digest,
    last_of,
    plain,
)
from tournament.errors import BadCourseError
from tournament.events.events import LIMIT_CHECKS
from tournament.events.schedules import Key, count_by_pair, new_key, open_batches, pairings
from tournament.pages.editions import AGREED, START, has_agreed, read_nicknames
from tournament.results.deadlines import record_text, write_time
from tournament.results.due_games import due_games, games_in_all
from tournament.results.grade_report import read_refusals
from tournament.results.grading import Grade, class_grades
from tournament.results.ratings import Place, count, ratings
from tournament.results.rubrics import Deadline, rubric_toml, show_points
from tournament.results.standings import standings
from tournament.store.store import Store, read_store

_MOST_BYTES = 10_000_000
_MOST_NAMES = 10


@dataclass(frozen=True)
class OpenStage:
    """A stage with its event and with what was handed in. others: who plays besides submissions. reasons: why somebody has an
    extension; notices: what people should know of extensions, one line each."""

    course: CourseFile
    stage: Stage
    plan: EventPlan
    intake: Intake
    others: tuple[Entrant, ...]
    reasons: Mapping[str, str] = field(default_factory=dict)
    notices: Sequence[str] = ()

    @property
    def deadline(self) -> Deadline | None:
        """When a homework is due; None if it does not say, and of the ladder."""
        return self.plan.rubric.deadline if self.plan.rubric is not None else None

    @property
    def entrants(self) -> list[Entrant]:
        """Everybody who plays."""
        return [*self.intake.entrants, *self.others]

    @property
    def store(self) -> Path:
        """The results file."""
        return self.course.store(self.stage)

    def pages(self, edition: str) -> Path:
        """Return the folder of the pages of an edition."""
        return self.course.pages_of(self.stage, edition)


def open_stage(course: CourseFile, stage: Stage) -> OpenStage:
    """Take in what lies in the hand-in folder of a stage. Raises JudgeError for a file that is wrong."""
    plan = _plan(course, stage)
    others = plan.given
    before = frozenset().union(*(names_in(copies_beside(course.store(one))) for one in course.stages))
    handed = SubmissionSources(
        stage.file.submissions, stage.file.roster, stage.file.only_listed, names=course.names, before=before
    )  # fmt: skip
    deadline = plan.rubric.deadline if plan.rubric is not None else None
    extensions = [one for one in course.extensions if one.homework == stage.name]
    if deadline is not None:
        handed = with_attempts(handed, with_extensions(deadline, extensions, _list_participants(handed.roster), ""))
    elif extensions:
        raise BadCourseError(f"{extensions[0].where}: homework: expected one that has a deadline, got {quoted(stage.name)}")
    intake = Intake((), ())
    if any(map(_holds_something, handed.sources)):
        intake = take_in_submissions(handed, course.store(stage), [one.name for one in others], plan.event.rules)
        if plan.rubric is not None and plan.rubric.opponents:
            # A time that cannot be read stops the run before the games.
            are_timed(intake, plan.rubric, handed.roster)
    if AGREED in course.editions:
        # So does what would stop the pages.
        handed_in: list[Entrant | Refused] = [*intake.entrants, *intake.refused]
        for one in handed_in:
            has_agreed(one.name, one.fields)
    opened = OpenStage(course, stage, plan, intake, others)
    if deadline is None or not (intake.entrants or intake.refused):
        return opened
    everybody, roster = _everybody(opened), handed.roster.name if handed.roster is not None else ""
    opened = _due_by(opened, with_extensions(deadline, extensions, everybody, roster))
    return replace(opened, reasons=reasons(extensions, everybody), notices=idle(deadline, extensions))


def _list_participants(roster: Path | None) -> list[Participant]:
    """Return the people whom a roster names. The name decides until when attempts count, so nobody else matters here."""
    lines = read_roster(roster) if roster is not None else []
    return [Participant(line.name, line.students, dict(line.fields)) for line in lines if line.name]


def _everybody(stage: OpenStage) -> list[Participant]:
    """Return everybody who has handed in or should have; each attempt of a student stands by itself."""
    handed_in: list[Entrant | Refused] = [*stage.intake.entrants, *stage.intake.refused]
    return [Participant(student_of(one.name, one.fields), one.students, dict(one.fields)) for one in handed_in]


def _due_by(stage: OpenStage, deadline: Deadline) -> OpenStage:
    rubric = stage.plan.rubric
    return stage if rubric is None else replace(stage, plan=replace(stage.plan, rubric=replace(rubric, deadline=deadline)))


def in_order(stages: Iterable[OpenStage]) -> list[OpenStage]:
    """Return stages in the order in which they are due and so spend a course's late days; those without a date come last."""
    return sorted(stages, key=lambda one: math.inf if one.deadline is None else one.deadline.due.timestamp())


def with_days_left(stage: OpenStage, used: Mapping[str, int]) -> OpenStage:
    """Return a stage whose deadline says what everybody has left of the course's late days. used: see `used_after`."""
    if stage.course.late_days is None or stage.deadline is None:
        return stage
    return _due_by(stage, with_late_days(stage.deadline, stage.course.late_days, _everybody(stage), used))


def used_after(stage: OpenStage, used: Mapping[str, int]) -> dict[str, int]:
    """Return how many of the course's late days everybody has used after a stage, by the games it has. used: before it."""
    if stage.course.late_days is None or stage.deadline is None or not stage.store.exists():
        return dict(used)
    with open_games(stage) as store:
        return count_late_days(_grades(stage, store), used)


def _plan(course: CourseFile, stage: Stage) -> EventPlan:
    """Return the event of a stage. A homework's rubric has its deadline, and is named as the file beside the store."""

    def place(key: str) -> str:
        return f"{stage.where}: {'limits.' if key in LIMIT_CHECKS else ''}{key}"

    plan = make_plan(stage.file, stage.kind, place, USUAL_RUBRIC if stage.kind == "grade" else "")
    if stage.kind != "grade" or plan.rubric is None:
        return plan
    deadline = stage.deadline or plan.rubric.deadline
    if deadline is not None and stage.deadline is None and course.late_days is not None:
        deadline = replace(deadline, course_days=course.late_days, late_days=deadline.late_days or None)
    rubric = replace(plan.rubric, deadline=deadline)
    return replace(plan, rubric=rubric, event=replace(plan.event, rubric=course.rubric(stage).name))


def _holds_something(source: Path) -> bool:
    """Tell whether something was handed in; False for a folder that is still empty."""
    return not source.is_dir() or any(not path.name.startswith(".") for path in source.iterdir())


def look_at(stage: OpenStage, ledger: Sequence[Published], stamps: Mapping[str, str], now: datetime) -> StageContents:
    """Return what there is of a stage. Raises JudgeError, BadCourseError if its games were played under another event."""
    to_check = find_unchecked(stage)
    entrants = stage.entrants
    playable = bool(stage.intake.entrants) if stage.stage.kind == "grade" else len(entrants) > 1
    if not playable:
        return StageContents(stage.stage, unchecked=to_check)
    if not stage.store.exists():
        new = tuple(one.name for one in stage.intake.entrants)
        return StageContents(stage.stage, True, to_check, new, games=_missing(stage, (), new_key()).total())
    with open_games(stage) as store:
        _check_event(stage, store)
        known = {one.name: one for one in store.entrants()}
        changed, games = _to_play(stage, store)
        last = last_of(ledger, stage.stage.name)
        published = last is not None and last.says_as(publication(stage, store, now)) and _is_written(stage)
    new = tuple(one.name for one in stage.intake.entrants if one.name not in known)
    stale = tuple(
        edition for edition in stage.course.editions if stamps.get(stamp_name(stage, edition)) != stamp(stage, edition, last)
    )  # fmt: skip
    return StageContents(
        stage=stage.stage,
        playable=True,
        unchecked=to_check,
        new=new,
        changed=tuple(changed),
        games=games.total(),
        recorded=_is_recorded(stage, known),
        published=published,
        stale=stale,
    )


def open_games(stage: OpenStage) -> Store:
    """Open the games of a stage to read. Of a homework, whoever was neither handed in nor is in the roster is left out.

    In a ladder they stay, with the games that others have played against them.
    """
    store = read_store(stage.store)
    if stage.stage.kind == "grade":
        there = {one.name for one in stage.intake.entrants} | {one.name for one in stage.intake.refused}
        store.left_out = tuple(one.name for one in store.entrants() if one.is_submission and one.name not in there)
    return store


def rubric_text(stage: OpenStage) -> str:
    """Return the file of the rubric by which a homework is graded; '' for a ladder."""
    rubric = stage.plan.rubric
    return rubric_toml(rubric) if stage.stage.kind == "grade" and rubric is not None else ""


def _is_written(stage: OpenStage) -> bool:
    """Tell whether the rubric file beside the store is up to date: the homework is graded by this rubric."""
    text = rubric_text(stage).encode()
    try:
        return not text or read_bounded(stage.course.rubric(stage.stage), _MOST_BYTES) == text
    except OSError:
        return False


def games_to_play(stage: OpenStage) -> Counter[frozenset[str]]:
    """Return pair of names -> how many games a stage has still to play. The empty pair stands for players not known yet."""
    if not stage.store.exists():
        return _missing(stage, (), new_key())
    with read_store(stage.store) as store:
        return _to_play(stage, store)[1]


def find_unchecked(stage: OpenStage) -> tuple[str, ...]:
    """Return who has not played both trial games with what is handed in now."""
    tried: dict[str, str] = {}
    path = stage.course.trials(stage.stage)
    if path.exists():
        with read_store(path) as store:
            games = count(store.rows())
            tried = {one.name: one.digest for one in store.entrants() if _games_of(games, one.name) >= 2}
    return tuple(one.name for one in stage.intake.entrants if tried.get(one.name) != one.digest)


def _games_of(tallies: Mapping[tuple[str, str], Any], name: str) -> int:
    return sum(tally.total.games for (player, _), tally in tallies.items() if player == name)


def _check_event(stage: OpenStage, store: Store) -> None:
    plan = stage.plan
    if different := store.differences(plan.event, plan.basis):
        what = ", ".join(different)
    elif plan.key not in (None, store.key):
        what = "the seed"
    else:
        return
    raise BadCourseError(
        f"{stage.stage.where}: expected the event whose games {store.path.name} holds, got another: {what}; set it "
        "back, or give it another name, by which everything is played anew"
    )


def _to_play(stage: OpenStage, store: Store) -> tuple[list[str], Counter[frozenset[str]]]:
    """Return the players whose games must be played again, and all games that must be played; see `games_to_play`."""
    known = {one.name: one for one in store.entrants()}
    changed = {one.name for one in stage.intake.entrants if one.name in known and _plays(one) != _plays(known[one.name])}
    rows = [row for row in store.rows() if row.black not in changed and row.white not in changed]
    return sorted(changed), _missing(stage, rows, store.key)


def _missing(stage: OpenStage, rows: Sequence[GameRow], key: Key) -> Counter[frozenset[str]]:
    plan = stage.plan
    pairs = pairings(plan.event, stage.entrants, key)
    # Of games that end once they decide, nothing is known before the first.
    due = due_games(plan.event, plan.rubric if rows else None, pairs, lambda: rows, key)
    later = games_in_all(plan.event, pairs, due) - sum(pairing.games for pairing in due)
    return count_by_pair(open_batches(due, {row.id: row.black for row in rows}), later)


def _plays(one: Entrant) -> tuple[str, ...]:
    return one.digest, one.entry, one.class_name, one.kind


def _is_recorded(stage: OpenStage, known: Mapping[str, Entrant]) -> bool:
    def about(one: Entrant) -> object:
        return _plays(one), one.students, one.fields

    everybody = all(one.name in known and about(one) == about(known[one.name]) for one in stage.intake.entrants)
    others = all(one.name in known and known[one.name].digest == one.digest for one in stage.others)
    return everybody and others and (stage.stage.kind != "grade" or _refusals(stage.store) == _list_refused(stage))


def _refusals(store: Path) -> list[object]:
    return [(one.name, one.students, one.reason, one.fields) for one in read_refusals(store)]


def _list_refused(stage: OpenStage) -> list[object]:
    return [(one.name, one.students, one.reason, one.fields) for one in stage.intake.refused]


# What is published, and of what pages are made


def publication(stage: OpenStage, store: Store, now: datetime) -> Published:
    """Return what is to be published of a stage: a function of its store and of who was refused."""
    versions = {one.name: one.digest for one in store.entrants()}
    rubric = stage.plan.rubric
    deadline = rubric.deadline if rubric is not None else None
    graded = stage.stage.kind == "grade"
    return Published(
        time=now,
        stage=stage.stage.name,
        store=stage.store.name,
        run=store.run_number(),
        key=key_digest(store.key.secret),
        rubric=record_text(deadline) if deadline is not None else "",
        final=not _to_play(stage, store)[1],
        marks=_marks(stage, store, versions) if graded else (),
        places=() if graded else _places(store, versions),
    )


def _grades(stage: OpenStage, store: Store) -> list[Grade]:
    event, rubric = stage.plan.event, stage.plan.rubric
    assert rubric is not None
    refused = read_refusals(stage.store)
    return class_grades(store.rows(), rubric, store.entrants(), refused, event.games, event.until_decided)


def _marks(stage: OpenStage, store: Store, versions: Mapping[str, str]) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            name=one.person,
            submission=one.name,
            version="" if one.refused else versions[one.name],
            points=show_points(one.points, 6),
            of=show_points(one.full, 6),
            games=one.whole.total.games,
            refused=one.refused,
            late=_late(one, stage.reasons),
        )
        for one in _grades(stage, store)
    )  # fmt: skip


def _late(one: Grade, why: Mapping[str, str]) -> str:
    """Return what the ledger says of a course's late days, and of an extension; '' if there are neither."""
    late = one.late
    if late is None or (late.left is None and not late.extended):
        return ""
    reason = f" ({why[one.person]})" if one.person in why else ""
    if not late.extended or late.due is None:
        return late.words
    return f"{late.words}; due {write_time(late.due)}, an extension{reason}"


def _places(store: Store, versions: Mapping[str, str]) -> tuple[Place, ...]:
    ranking = standings(store.rows(), versions, by_rating=store.event.ranks_by_rating)
    rated = {one.name: one for one in ratings(ranking.tallies).players}
    return tuple(
        Place(
            one.name, versions[one.name], one.rank,
            *(round(value, 1) for value in (rated[one.name].rating, rated[one.name].low, rated[one.name].high)),
        )
        for one in ranking.players
        if one.name in rated
    )  # fmt: skip


def stamp_name(stage: OpenStage, edition: str) -> str:
    """Return the name of an edition's stamp, the digest of what its pages were made of."""
    return f"{stage.stage.name}/{edition}"


def stamp(stage: OpenStage, edition: str, last: Published | None) -> str:
    """Return a digest of all that the pages of an edition are made of, '' if they are not there. last: what was published.

    What was published says which games count, so they are not looked at again.
    """
    from tournament.pages.sites import LIST

    if last is None or not (stage.pages(edition) / (LIST if edition == "student" else START)).is_file():
        return ""
    nicknames = {} if edition == "instructor" else read_nicknames(stage.course.nicknames)
    everybody: list[Entrant | Refused] = [*stage.intake.entrants, *stage.intake.refused]
    about = [
        plain(last),
        [(one.name, one.students, one.fields, nicknames.get(one.name, "")) for one in everybody],
        [stage.course.name, *(one.name for one in stage.course.stages)],
    ]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def read_stamps(course: CourseFile) -> dict[str, str]:
    """Return stage/edition -> the digest of what its pages were made of; a file that cannot be read has none."""
    try:
        stamps = json.loads(read_bounded(course.stamps, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(key): str(value) for key, value in stamps.items()} if isinstance(stamps, dict) else {}


# What lies in the hand-in folder, compared with what was seen there before; see `tournament.courses.ledgers`


@dataclass(frozen=True)
class WatchedStage:
    """A stage without the submissions that are held. news: what the ledger does not have yet. judgement: of what lies there."""

    stage: OpenStage
    news: tuple[Inspection, ...]
    judgement: Judgement


def watch_stage(stage: OpenStage, entries: Sequence[Entry], now: datetime) -> WatchedStage:
    """Compare a stage with what was seen of it before. A ladder has no deadline that could be missed. Raises JudgeError."""
    if stage.stage.kind != "grade":
        return WatchedStage(stage, (), Judgement(None))
    name, rubric = stage.stage.name, stage.plan.rubric
    before = [one for one in entries if isinstance(one, Inspection) and one.stage == name]
    earlier = () if before else _find_earlier_sights(stage, [one for one in entries if isinstance(one, Published)])
    deadline = rubric.deadline if rubric is not None else None
    judgement = judge_sightings(name, _sights(stage, _zone(stage)), [*earlier, *before], deadline, now)
    news = (*earlier, *([judgement.news] if judgement.news is not None else []))
    return WatchedStage(_without(stage, judgement.doubts), news, judgement)


def _zone(stage: OpenStage) -> tzinfo:
    """Return the time zone of those times in the roster that name none."""
    rubric = stage.plan.rubric
    return rubric.deadline.zone if rubric is not None and rubric.deadline is not None else stage.stage.zone


def _sights(stage: OpenStage, zone: tzinfo) -> list[Sight]:
    """Return what lies there, by name, and who has handed in nothing; without those who may not take part."""
    intake = stage.intake
    sights = [_sight(one, one.fields, one.digest, zone) for one in intake.entrants]
    for one in intake.refused:
        if one.name not in intake.unlisted:
            # Whatever a roster lists that is not there has no place.
            sights.append(_sight(one, one.fields, UNREADABLE if one.source.is_absolute() else ABSENT, zone))
    return sorted(sights, key=lambda one: one.submission)


def _sight(one: Entrant | Refused, fields: Fields, version: str, zone: tzinfo) -> Sight:
    by_name = dict(fields)
    text = by_name.get(SUBMITTED, "")
    stated = read_moment(text, zone).astimezone(UTC).isoformat() if text else ""
    plays = (one.entry, one.class_name, one.kind) if isinstance(one, Entrant) else ("", "", "")
    return Sight(student_of(one.name, fields), one.name, version, stated, *plays)


def _find_earlier_sights(stage: OpenStage, published: Sequence[Published]) -> tuple[Inspection, ...]:
    """Return what was seen of a stage whose ledger is older than such entries: what its store has, as first published."""
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


def _without(stage: OpenStage, doubts: Iterable[Doubt]) -> OpenStage:
    """Return the stage with the contents that counted before in place of those that are held."""
    intake = stage.intake
    entrants = {one.name: one for one in intake.entrants}
    refused = {one.name: one for one in intake.refused}
    for doubt in doubts:
        name, before = doubt.sight.submission, doubt.kept
        there = entrants.pop(name, None) or refused.pop(name)
        if before.version in (ABSENT, UNREADABLE):
            reason = f"what lies there was seen first {_when(stage.course, doubt.first)}, too late for its time, and is held"
            refused[name] = Refused(name, there.students, copies_beside(stage.store) / name, reason, there.fields)
            continue
        folder = copies_beside(stage.store) / f"{before.submission}-{before.version[:12]}"
        entrants[name] = Entrant(
            name=name,
            students=there.students,
            reference="",
            folder=folder,
            entry=before.entry,
            class_name=before.class_name,
            digest=before.version,
            kind=before.kind,
            fields=there.fields,
        )
    return replace(stage, intake=replace(
        intake,
        entrants=tuple(sorted(entrants.values(), key=lambda one: one.name)),
        refused=tuple(sorted(refused.values(), key=lambda one: one.name)),
    ))  # fmt: skip


def notices_of(watched: WatchedStage) -> list[str]:
    """Return lines about what a course system handed out, what is held, and what was seen only after its stated time."""
    stage, judgement = watched.stage, watched.judgement
    name, course = stage.stage.name, stage.course
    lines = [*stage.notices, *(f"{name}: {line}" for line in stage.intake.folders)]
    for doubt in judgement.doubts:
        sight = doubt.sight
        at = f"the time {_when(course, datetime.fromisoformat(sight.stated))}" if sight.stated else "no time"
        counts = "what was handed in by then counts on" if doubt.kept.version != ABSENT else "it counts for nothing"
        lines.append(
            f"{name}: {sight.submission} is held: its contents were seen first {_when(course, doubt.first)} and stand under "
            f"{at}, under which there was something else {_when(course, doubt.before)}; {counts} until "
            f"--confirm {sight.name}, or another time in the roster"
        )
    if judgement.late:
        more = f" and {len(judgement.late) - _MOST_NAMES} more" if len(judgement.late) > _MOST_NAMES else ""
        who = ", ".join(judgement.late[:_MOST_NAMES]) + more
        lines.append(f"{name}: seen first only now, after they were due; the times in the roster count: {who}")
    return lines


def _when(course: CourseFile, moment: datetime) -> str:
    return f"{moment.astimezone(course.zone):%Y-%m-%d %H:%M:%S %z}"
