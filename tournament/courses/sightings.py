"""Which times contents contradict: a pure function of what lies in a hand-in folder now, and of what was seen there before.

A roster says when a submission was handed in. Contents that were not there when somebody looked under this time before cannot
have come then, but only between that look and the first one that saw them. So they are in doubt if the deadline treats the
latter worse than the stated time: more late days, or the cut-off. Nothing is in doubt

    under a time at which nobody has looked before     the first look is believed, and so is another time in the roster
    that was seen at the first look under its time     also where something else lay there in between
    that has been confirmed                            by somebody, whom the ledger names

What is in doubt is held: what counted before counts on, and nobody else waits. A file that is gone is not held; one that can no
longer be taken in is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tournament.courses.ledgers import ABSENT, UNREADABLE, Inspection, Sight
from tournament.results.deadlines import days_late
from tournament.results.rubrics import Deadline

Seen = tuple[Inspection, Sight]
"""What was seen, and at which look."""


@dataclass(frozen=True)
class Doubt:
    """Contents that are held. first: when they were seen first. before: when others were under the same time; kept: what counts
    on, as it was seen."""

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


def judged(
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
    for one in sights:
        seen = seen_of.get(one.name, [])
        own = deadline.of(one.name) if deadline is not None else None
        doubt = _doubt(one, seen, own, now)
        doubts += [doubt] if doubt is not None else []
        if not _same(last.get(one.submission), one):
            fresh.append(replace(one, held=doubt is not None))
            known = one.version in (ABSENT, UNREADABLE) or _first(one, seen) is not None
            late += [one.name] if doubt is None and one.stated and not known and _is_worse(now, one.stated, own) else []
    news = Inspection(now, stage, "", tuple(fresh)) if fresh else None
    return Judgement(news, tuple(doubts), tuple(dict.fromkeys(late)))


def confirmed(stage: str, doubts: Iterable[Doubt], by: str, now: datetime) -> Inspection:
    """Return what the ledger says of somebody's confirming that contents came when the roster says."""
    return Inspection(now, stage, by, tuple(found.sight for found in doubts))


def _doubt(sight: Sight, seen: Sequence[Seen], deadline: Deadline | None, now: datetime) -> Doubt | None:
    """Return why what lies there is held, None if it counts. seen: of the same person."""
    under = [(look, one) for look, one in seen if one.stated == sight.stated]
    if sight.version == ABSENT or not under:
        return None
    first = under[0][0]
    counted = {one.version for look, one in under if look is first or look.by}
    counted |= {one.version for _, one in under if not _is_worse(_first(one, seen) or now, one.stated, deadline)}
    seen_first = _first(sight, seen) or now
    if sight.version in counted or not _is_worse(seen_first, sight.stated, deadline):
        return None
    kept = [one for _, one in under if one.version in counted and one.version != ABSENT]
    own = [one for one in kept if one.submission == sight.submission] or kept
    return Doubt(sight, seen_first, first.time, own[-1] if own else replace(sight, version=ABSENT))


def _first(sight: Sight, seen: Iterable[Seen]) -> datetime | None:
    """Return when contents were seen first, None if they never were. seen: of the same person."""
    times = [look.time for look, one in seen if one.version == sight.version]
    return min(times, key=lambda time: time.timestamp(), default=None)


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
