"""What was seen and published of a student, and where it came from: games, versions and key."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from common.command_lines import DONE, LEFT
from common.excerpts import quoted
from tournament.courses.course_files import Course
from tournament.courses.ledgers import Entry, Inspection, Published, Sight, key_digest, read_entries
from tournament.errors import BadCourseError, StoreError
from tournament.store.store import read_store


def traces(course: Course, name: str) -> int:
    """Print a line for all that was seen and published of a student, oldest first; return LEFT if games cannot be found."""
    entries = sorted(read_entries(course.ledger), key=lambda one: one.time.timestamp())
    found = [said for one in entries for said in _said(course, one, name)]
    if not found:
        whose = "the name of somebody of whom something was published or seen"
        raise BadCourseError(f"--trace: expected {whose}, got {quoted(name)}")
    for line, _ in found:
        print(line)
    return DONE if all(whole for _, whole in found) else LEFT


def _said(course: Course, one: Entry, name: str) -> Iterator[tuple[str, bool]]:
    """Yield a line, and whether the games it names are in the store as they were then."""
    when = f"{_shown(course, one.time)} {one.stage}"
    if isinstance(one, Inspection):
        yield from ((f"{when}: {_seen(course, one, sight)}", True) for sight in one.sights if sight.name == name)
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


def _seen(course: Course, look: Inspection, sight: Sight) -> str:
    """Return what was seen in words, or who confirmed it."""
    what = f"{sight.submission}, {f'version {sight.version[:12]}' if sight.entry else sight.version or 'nothing there'}"
    stated = _shown(course, datetime.fromisoformat(sight.stated)) if sight.stated else "at a time that nobody says"
    under = f"handed in {stated}"
    if look.by:
        return f"confirmed by {look.by}: {what}, {under}"
    return f"seen {what}, {under}{': held, for something else was there before' if sight.held else ''}"


def _shown(course: Course, moment: datetime) -> str:
    return f"{moment.astimezone(course.zone):%Y-%m-%d %H:%M:%S %z}"


def _source(course: Course, one: Published, submission: str, version: str) -> tuple[str, int]:
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
