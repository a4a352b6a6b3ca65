"""What a course has published and seen, for good: a text file with lines of JSON. One for each time that marks or a ranking
changed:

    {"before": "9c1e...", "time": "2026-10-02T07:10:00+00:00", "stage": "first", "store": "first.db", "run": 3,
     "key": "51b0...", "rubric": "Due 2026-10-01 ...", "final": true,
     "marks": [{"name": "ann", "submission": "ann.2", "version": "3f2a...", "points": "82.5", ...}]}

and one whenever a look at a hand-in folder finds something else than the look before, or finds it under another time. `by`
names who confirmed that what is listed came when the roster says; it is '' for a look.

    {"before": "51f0...", "time": "2026-10-02T07:00:00+00:00", "stage": "first", "by": "",
     "sights": [{"name": "ann", "submission": "ann.2", "version": "3f2a...", "stated": "2026-10-01T20:00:00+00:00", ...}]}

Lines are only ever added. `before` is the SHA-256 of the line before, so a line that was changed or lost is noticed.

A mark leads back to what it was made of: `store` and `run` to the games that counted then (`StoredGames.rows_after`), which
stay in the store when they are superseded; `version`, the digest of what was handed in, to its copy beside the store; `key`,
a digest of the event's secret key, to the chance of all games. The key itself is in the store only.

A roster says when a submission was handed in, and what was seen in the hand-in folder may contradict that. If somebody looked,
and there were other contents under the same time, the new ones cannot have come at that time: they came between that look and
the first one that saw them. They are in doubt if the deadline treats the latter worse than the stated time: more late days, or
the cut-off. Nothing is in doubt

    under a time at which nobody has looked before     the first look is believed, and so is another time in the roster
    that was seen at the first look under its time     also where something else lay there in between
    that has been confirmed                            by somebody, whom the ledger names

What is in doubt is held: what counted before still counts, and nobody else waits. A file that is gone is not held; one that can
no longer be taken in is.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from goban.common.excerpts import printable
from goban.common.files import read_bounded, write_beside
from tournament.errors import BadCourseError
from tournament.results.deadlines import days_late
from tournament.results.ratings import Place, Ranking
from tournament.results.rubrics import Deadline

_MOST_BYTES = 1_000_000_000
_TYPES: dict[Any, type] = {"str": str, "int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class Mark:
    """A student's points. submission: the entrant that counts, one of several attempts perhaps. games: how many of its games
    counted. refused: why it could not be taken in, '' if it could; then it has no version. late: how late it was, which late
    days of the course are left, and of an extension until when and why; '' if there are neither of these."""

    name: str
    submission: str
    version: str
    points: str
    of: str
    games: int
    refused: str = ""
    late: str = ""

    @property
    def played(self) -> bool:
        """False if it had games to play and none had been played: then its points say nothing."""
        return bool(self.refused) or self.games > 0


@dataclass(frozen=True)
class Published:
    """What was published of a stage at an aware time; see the top of this file. Either `marks` or `places` is empty.

    rubric: what is said of deadlines, '' for nothing. final: whether no game was missing.
    """

    time: datetime
    stage: str
    store: str
    run: int
    key: str
    rubric: str
    final: bool
    marks: tuple[Mark, ...] = ()
    places: tuple[Place, ...] = ()

    def says_as(self, other: Published) -> bool:
        """Tell whether both publish the same, whenever they did and after however many runs."""
        return replace(self, time=other.time, run=other.run) == other


ABSENT, UNREADABLE = "", "unreadable"
"""Versions of which there are no contents: nothing lay there, and something that could not be taken in."""


@dataclass(frozen=True)
class Sight:
    """What lay there of somebody. submission: the entrant's name, one of several attempts perhaps. version: the digest of its
    contents, ABSENT or UNREADABLE. stated: when it was handed in, as the roster says, in UTC; '' if it does not say. entry,
    class_name, kind: what plays. held: whether it did not count then."""

    name: str
    submission: str
    version: str
    stated: str
    entry: str = ""
    class_name: str = ""
    kind: str = ""
    held: bool = False


@dataclass(frozen=True)
class Inspection:
    """What was new in the hand-in folder of a stage at an aware time. by: who confirmed its times, '' if nobody did."""

    time: datetime
    stage: str
    by: str
    sights: tuple[Sight, ...]


Entry = Published | Inspection
T = TypeVar("T", Mark, Place, Published, Sight, Inspection)


def read_ledger(path: Path) -> list[Published]:
    """Return all that was published, in order; [] if there is no file. Raises BadCourseError."""
    return [one for one in read_entries(path) if isinstance(one, Published)]


def read_entries(path: Path) -> list[Entry]:
    """Return all that was published and seen, in order; [] if there is no file. Raises BadCourseError."""
    found: list[Entry] = []
    before = ""
    for number, line in enumerate(_lines(path), 1):
        try:
            values = json.loads(line)
            fits = values.pop("before") == before
            found.append(_inspection(**values) if "sights" in values else _read_publication(**values))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            fits = False
        if not fits:
            where = f"{printable(str(path), 400)}, line {number}"
            raise BadCourseError(f"{where}: is damaged: expected what was written after the line before")
        before = _digest(line)
    return found


def add_to_ledger(path: Path, *entries: Entry) -> None:
    """Add lines; the file is there with all or with none. Raises BadCourseError if the file is damaged, and OSError."""
    read_entries(path)
    lines = _lines(path)
    for one in entries:
        values = {"before": _digest(lines[-1]) if lines else "", **plain(one)}
        lines.append(json.dumps(values, separators=(",", ":")).encode())
    write_beside(path, b"".join(line + b"\n" for line in lines))


def plain(one: Entry) -> dict[str, Any]:
    """Return a line as plain data. What the first ledgers did not say of a mark is left out where there is nothing to say."""
    values = {**asdict(one), "time": one.time.isoformat()}
    for mark in values.get("marks", ()):
        if not mark["late"]:
            del mark["late"]
    return values


def last_of(ledger: Iterable[Published], stage: str) -> Published | None:
    """Return what was published of a stage last."""
    return next((one for one in reversed([*ledger]) if one.stage == stage), None)


def list_moved_marks(before: Published, now: Published) -> list[str]:
    """Return a line for each mark whose late days or extension have changed since the last publication. They change with its
    own dates, or because an earlier homework has used fewer or more late days."""
    old = {mark.name: mark for mark in before.marks if mark.played}
    pairs = [(old[mark.name], mark) for mark in now.marks if mark.played and mark.name in old]
    return [
        f"{now.stage}: {mark.name}: {mark.points} of {mark.of} points, {mark.late or 'as for everybody'}; before: "
        f"{was.points}, {was.late or 'as for everybody'}"
        for was, mark in pairs
        if was.late != mark.late
    ]


def rankings_of(ledger: Sequence[Published], stage: str) -> list[Ranking]:
    """Return the rankings of a ladder, oldest first."""
    return [Ranking(one.time, one.places) for one in ledger if one.stage == stage and one.places]


def key_digest(secret: bytes) -> str:
    """Return the ledger's name for a key, which does not reveal the key."""
    return hashlib.sha256(b"go-competition-harness key " + secret).hexdigest()


def _lines(path: Path) -> list[bytes]:
    try:
        return read_bounded(path, _MOST_BYTES).splitlines()
    except FileNotFoundError:
        return []


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _read_publication(
    time: str, stage: str, store: str, run: int, key: str, rubric: str, final: bool, marks: list[dict[str, object]],
    places: list[dict[str, object]],
) -> Published:  # fmt: skip
    if Path(store).name != store:
        raise ValueError(store)
    own, there = (_of_types(Mark(**one)) for one in marks), (_of_types(Place(**one)) for one in places)  # type: ignore[arg-type]
    return _of_types(Published(
        time=_moment(time),
        stage=stage,
        store=store,
        run=run,
        key=key,
        rubric=rubric,
        final=final,
        marks=tuple(own),
        places=tuple(there),
    ))


def _inspection(time: str, stage: str, by: str, sights: list[dict[str, object]]) -> Inspection:
    found = tuple(_of_types(Sight(**one)) for one in sights)  # type: ignore[arg-type]
    for one in found:
        if one.stated:
            _moment(one.stated)
    return _of_types(Inspection(_moment(time), stage, by, found))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not 1900 < moment.year < 3000:
        raise ValueError(text)
    return moment


def _of_types(record: T) -> T:
    """Return a record; raises TypeError if a text or a number in it is something else, and ValueError for no real number."""
    for field in fields(record):
        value = getattr(record, field.name)
        if field.type in _TYPES and type(value) is not _TYPES[field.type]:
            raise TypeError(field.name)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(field.name)
    return record


Seen = tuple[Inspection, Sight]
"""What was seen, and at which look."""


@dataclass(frozen=True)
class Doubt:
    """Contents that are held. first: when they were first seen. before: when others were seen under the same time. kept: what
    still counts, as it was seen."""

    sight: Sight
    first: datetime
    before: datetime
    kept: Sight


@dataclass(frozen=True)
class Judgement:
    """What is to be made of a look at a stage. news: to be added to the ledger, None if there is nothing new. doubts: what is
    held. late: who was seen first after they were due, though the roster's time, which counts, is before."""

    news: Inspection | None
    doubts: tuple[Doubt, ...] = ()
    late: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Under:
    """What was seen of a person under one stated time. first: when somebody looked first. counted: versions that count.
    kept: which of these was seen last, of anything and of each submission."""

    first: datetime
    counted: frozenset[str]
    kept: Sight | None
    kept_of: Mapping[str, Sight]

    @classmethod
    def of(cls, seen: Sequence[Seen], firsts: Mapping[str, datetime], deadline: Deadline | None) -> _Under:
        first, stated = seen[0][0], seen[0][1].stated
        counted = {one.version for look, one in seen if look is first or look.by}
        others = {one.version for _, one in seen} - counted
        counted |= {version for version in others if not _is_worse(firsts[version], stated, deadline)}
        kept = [one for _, one in seen if one.version in counted and one.version != ABSENT]
        return cls(first.time, frozenset(counted), kept[-1] if kept else None, {one.submission: one for one in kept})


@dataclass(frozen=True)
class _Past:
    """What was seen of one person. firsts: version -> when it was seen first. under: stated time -> what was seen under it."""

    firsts: Mapping[str, datetime]
    under: Mapping[str, _Under]
    deadline: Deadline | None

    @classmethod
    def of(cls, seen: Iterable[Seen], deadline: Deadline | None) -> _Past:
        firsts: dict[str, datetime] = {}
        by_time: dict[str, list[Seen]] = {}
        for look, one in seen:
            firsts[one.version] = min(firsts.get(one.version, look.time), look.time, key=datetime.timestamp)
            by_time.setdefault(one.stated, []).append((look, one))
        return cls(firsts, {stated: _Under.of(some, firsts, deadline) for stated, some in by_time.items()}, deadline)


def judge_sightings(
    stage: str, sights: Sequence[Sight], before: Sequence[Inspection], deadline: Deadline | None, now: datetime
) -> Judgement:
    """Return what is to be made of what lies there now. before: the looks at this stage, oldest first."""
    seen_of: dict[str, list[Seen]] = {}
    last: dict[str, Sight] = {}
    for look in before:
        for sight in look.sights:
            seen_of.setdefault(sight.name, []).append((look, sight))
            if not look.by:
                last[sight.submission] = sight
    doubts, fresh, late = [], [], []
    pasts: dict[str, _Past] = {}
    for one in sights:
        if one.name not in pasts:
            own = deadline.of(one.name) if deadline is not None else None
            pasts[one.name] = _Past.of(seen_of.get(one.name, []), own)
        past = pasts[one.name]
        doubt = _doubt(one, past, now)
        doubts += [doubt] if doubt is not None else []
        if not _same(last.get(one.submission), one):
            fresh.append(replace(one, held=doubt is not None))
            known = one.version in (ABSENT, UNREADABLE) or one.version in past.firsts
            if doubt is None and one.stated and not known and _is_worse(now, one.stated, past.deadline):
                late.append(one.name)
    news = Inspection(now, stage, "", tuple(fresh)) if fresh else None
    return Judgement(news, tuple(doubts), tuple(dict.fromkeys(late)))


def confirm_sightings(stage: str, doubts: Iterable[Doubt], by: str, now: datetime) -> Inspection:
    """Return the ledger's entry for somebody who confirms that contents came when the roster says."""
    return Inspection(now, stage, by, tuple(found.sight for found in doubts))


def _doubt(sight: Sight, past: _Past, now: datetime) -> Doubt | None:
    """Return why what lies there is held, None if it counts. past: of the same person."""
    under = past.under.get(sight.stated)
    if sight.version == ABSENT or under is None:
        return None
    seen_first = past.firsts.get(sight.version, now)
    if sight.version in under.counted or not _is_worse(seen_first, sight.stated, past.deadline):
        return None
    kept = under.kept_of.get(sight.submission) or under.kept or replace(sight, version=ABSENT)
    return Doubt(sight, seen_first, under.first, kept)


def _is_worse(moment: datetime, stated: str, deadline: Deadline | None) -> bool:
    """Tell whether a deadline treats what came at an aware time worse than what came at the stated one, or in time."""
    if deadline is None:
        return False
    late, cut_off = _standing(moment, deadline)
    stated_late, stated_cut_off = _standing(datetime.fromisoformat(stated), deadline) if stated else (0, False)
    return late > stated_late or cut_off > stated_cut_off


def _standing(moment: datetime, deadline: Deadline) -> tuple[int, bool]:
    cut_off = deadline.cut_off is not None and moment.astimezone(UTC) > deadline.cut_off.astimezone(UTC)
    return days_late(deadline, moment), cut_off


def _same(last: Sight | None, one: Sight) -> bool:
    return last is not None and (last.name, last.version, last.stated) == (one.name, one.version, one.stated)
