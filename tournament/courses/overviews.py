"""What the first page of a course says: what is open and due, what was published and has changed, who is missing, who got what.

It is made of what the ledger says, of who is listed and has handed in, of the deadlines, and of how the time stands to these.
The same standing gives the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from gojudge.intake.rosters import ATTEMPT, ATTEMPT_OF, SUBMITTED, student_of
from gojudge.intake.submissions import Refused
from gojudge.records import Entrant, Fields
from tournament.courses.course_files import CourseFile, Stage
from tournament.courses.ledgers import Mark, Published, last_of
from tournament.pages.editions import SECTION, START
from tournament.pages.rendering import slugs
from tournament.pages.sites import LEADERBOARD, Front, FrontCell, FrontPerson, FrontSection, FrontStage
from tournament.pages.words import show_name
from tournament.results.deadlines import LATE_DAYS, write_time
from tournament.results.rubrics import Deadline

_ABOUT_ATTEMPTS = frozenset({SUBMITTED, LATE_DAYS, ATTEMPT, ATTEMPT_OF})


@dataclass(frozen=True)
class Listed:
    """What lies there of a stage that has begun. deadline: the one that counts, None for none. by_roster: whether a roster says
    who might hand in."""

    deadline: Deadline | None
    entrants: Sequence[Entrant]
    refused: Sequence[Refused]
    by_roster: bool = False

    @property
    def there(self) -> list[Entrant | Refused]:
        """Everybody who has handed in something, readable or not."""
        # What a roster lists and is not there has no place.
        return [*self.entrants, *(one for one in self.refused if one.source.is_absolute())]

    @property
    def missing(self) -> list[str]:
        """The people in the roster who have handed in nothing."""
        there = {_person(one) for one in self.there}
        return sorted({_person(one) for one in self.refused} - there)


def front_of(
    course: CourseFile, edition: str, ledger: Sequence[Published], listed: Mapping[str, Listed], now: datetime
) -> Front:  # fmt: skip
    """Return what is to be shown. listed: of the stages that have begun, by name. Only the instructor sees who got what.

    Other readers know people by nicknames, and their points without penalties: they find them on the pages of each homework.
    """
    shows_all = edition == "instructor"
    about = _about(listed.values())
    stages = [_stage(course, stage, edition, ledger, listed.get(stage.name), now) for stage in course.stages]
    if not shows_all:
        return Front(course.name, edition, str(course.zone), stages)
    cells = {stage.name: _cells(course, stage, ledger, listed.get(stage.name)) for stage in course.stages}
    # Reference players have a rank only, and are left out.
    marked = [stage for stage in course.stages if stage.kind == "grade"] or course.stages
    names = sorted({*about, *(name for stage in marked for name in cells[stage.name])})
    columns = tuple(dict.fromkeys(column for _, fields in about.values() for column, text in fields if text))
    people = []
    for name in names:
        students, fields = about.get(name, ((), ()))
        own = [cells[stage.name].get(name, _NOTHING) for stage in course.stages]
        people.append(FrontPerson(name, students, dict(fields), dict(fields).get(SECTION, ""), own))
    graded = [number for number, stage in enumerate(course.stages) if stage.kind == "grade"]
    sections = _sections(people, graded) if SECTION in columns else []
    return Front(course.name, edition, str(course.zone), stages, columns, people, sections)


_NOTHING = FrontCell("–", "")


def _about(listed: Iterable[Listed]) -> dict[str, tuple[tuple[str, ...], Fields]]:
    """Return who is behind each name, and what rosters say of them besides."""
    about: dict[str, tuple[tuple[str, ...], Fields]] = {}
    for found in listed:
        everybody: list[Entrant | Refused] = [*found.entrants, *found.refused]
        for one in everybody:
            students, fields = about.get(_person(one), ((), ()))
            about[_person(one)] = students or one.students, _join(fields, one.fields)
    return about


def _person(one: Entrant | Refused) -> str:
    return student_of(one.name, one.fields)


def _join(known: Fields, more: Fields) -> Fields:
    """Return what rosters say of somebody besides their attempts; what is known counts."""
    found = {column: text for column, text in more if column not in _ABOUT_ATTEMPTS}
    return tuple((found | {column: text for column, text in known if text}).items())


def moment(time: datetime, zone: tzinfo) -> str:
    """Return a time by the clocks of a zone: 'Thu 2026-10-01 23:59:59 -0700'."""
    there = time.astimezone(zone)
    return f"{_DAYS[there.weekday()]} {write_time(there)}"


# By no locale: the same pages everywhere.
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _stage(
    course: CourseFile, stage: Stage, edition: str, ledger: Sequence[Published], listed: Listed | None, now: datetime
) -> FrontStage:  # fmt: skip
    deadline = stage.deadline if listed is None else listed.deadline
    zone = course.zone if deadline is None else deadline.zone
    last, before = _last_two(ledger, stage.name)
    shows_all, graded = edition == "instructor", stage.kind == "grade"

    def address(page: str) -> str:
        return f"{stage.name}/{page}" if (course.pages_of(stage, edition) / page).is_file() else ""

    front = FrontStage(stage.name, graded, *_state(stage, deadline, now, zone), handed_in=_show_handed_in(listed))
    front = replace(front, leaderboard=address(f"{LEADERBOARD}.html"))
    if listed is not None and shows_all and graded:
        front = replace(front, missing=listed.missing)
    if deadline is not None:
        front = replace(front, due=moment(deadline.due, zone), due_at=deadline.due.isoformat())
        front = replace(front, cut_off=moment(deadline.cut_off, zone) if deadline.cut_off is not None else "")
        front = replace(front, extensions=_extensions(deadline) if shows_all else ())
    if last is not None:
        time = moment(last.time, course.zone)
        front = replace(front, address=address(START), what=_what(last), time=time, open=not last.final)
        if before is not None:
            front = replace(front, since=moment(before.time, course.zone), changes=_changes(before, last, shows_all))
    return front


def _state(stage: Stage, deadline: Deadline | None, now: datetime, zone: tzinfo) -> tuple[str, str]:
    """Return how a stage stands at an aware time, as one word and in words."""
    if not stage.has_begun(now):
        assert stage.begins is not None
        return "waiting", f"begins {moment(stage.begins, zone)}"
    if deadline is None or now.astimezone(UTC) <= deadline.due.astimezone(UTC) + deadline.grace:
        return "open", "open"
    if deadline.cut_off is None:
        return "late", "due date has passed"
    over = now.astimezone(UTC) > deadline.cut_off.astimezone(UTC)
    return ("closed", "closed") if over else ("late", "late, until the cut-off")


def _extensions(deadline: Deadline) -> tuple[str, ...]:
    """Return who has another due date than all others, and which."""
    own = [(show_name(one.student), one.due) for one in deadline.own if one.due is not None]
    return tuple(f"{student}: {moment(due, due.tzinfo or UTC)}" for student, due in own)


def _show_handed_in(listed: Listed | None) -> str:
    """Return '15 of 18', or '15' where no roster says of how many."""
    if listed is None:
        return ""
    there = len({_person(one) for one in listed.there})
    return f"{there} of {there + len(listed.missing)}" if listed.by_roster else str(there)


def _last_two(ledger: Iterable[Published], stage: str) -> tuple[Published | None, Published | None]:
    own = [one for one in ledger if one.stage == stage]
    return own[-1] if own else None, own[-2] if len(own) > 1 else None


def _what(last: Published) -> str:
    many = f"marks of {len(last.marks)} submissions" if last.marks else f"ranking of {len(last.places)} players"
    return many.removesuffix("s") if len(last.marks or last.places) == 1 else many


def _changes(before: Published, last: Published, named: bool) -> tuple[str, ...]:
    """Return what has changed from one publication to the next: whose marks, or how many."""
    old, new = _worth(before), _worth(last)
    come, gone = sorted(new.keys() - old.keys()), sorted(old.keys() - new.keys())
    changed = sorted(name for name in old.keys() & new.keys() if old[name] != new[name])
    if named:
        found = [f"{show_name(name)}: new, {new[name]}" for name in come]
        found += [f"{show_name(name)}: {old[name]} → {new[name]}" for name in changed]
        return (*found, *(f"{show_name(name)}: no longer there" for name in gone))
    said = [f"{len(names)} {what}" for names, what in ((come, "new"), (changed, "changed"), (gone, "no longer there")) if names]
    return (", ".join(said),) if said else ()


def _worth(last: Published) -> dict[str, str]:
    """Return what everybody got, in words."""
    return {mark.name: _cell(mark).shown for mark in last.marks} | {place.name: f"rank {place.rank}" for place in last.places}


def _cells(course: CourseFile, stage: Stage, ledger: Sequence[Published], listed: Listed | None) -> dict[str, FrontCell]:
    """Return what everybody got in a stage, with the address of their page."""
    last = last_of(ledger, stage.name)
    found = {} if listed is None else {_person(one): FrontCell("refused", "", bad=True) for one in listed.refused}
    if listed is not None:
        missing = FrontCell("missing", "", bad=True) if stage.kind == "grade" else _NOTHING
        found |= dict.fromkeys(listed.missing, missing)
        found |= {_person(one): FrontCell("handed in", "") for one in listed.entrants}
    if last is None:
        return found
    folder = course.pages_of(stage, "instructor")

    def address(name: str) -> str:
        page = f"player-{slugs([show_name(name)])[show_name(name)]}.html"
        return f"{stage.name}/{page}" if (folder / page).is_file() else ""

    gone = frozenset(listed.missing) if listed is not None else frozenset()
    found |= {mark.name: _cell(mark, address(mark.name)) for mark in last.marks if mark.name not in gone}
    return found | {
        place.name: FrontCell(f"rank {place.rank}", str(place.rank), address(place.name)) for place in last.places
    }  # fmt: skip


def _cell(mark: Mark, address: str = "") -> FrontCell:
    if not mark.played:
        return FrontCell("not played yet", "", address)
    return FrontCell("refused" if mark.refused else f"{mark.points} of {mark.of}", mark.points, address, bool(mark.refused))


def _sections(people: Sequence[FrontPerson], graded: Sequence[int]) -> list[FrontSection]:
    """Return how many are in each section, and the mean of their points in each homework. graded: the places of these."""
    found = []
    for section in sorted({one.section for one in people}):
        own = [one for one in people if one.section == section]
        means = []
        for number in graded:
            cells = [one.cells[number] for one in own]
            points = [float(cell.value) for cell in cells if cell.value]
            missing = sum(cell.shown == "missing" for cell in cells)
            mean = f"{sum(points) / len(points):.1f}" if points else "–"
            means.append(mean + (f", {missing} missing" if missing else ""))
        found.append(FrontSection(section or "none", len(own), means))
    return found
