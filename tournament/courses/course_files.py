"""A course in one file: its homeworks and its ladder, who hands in where, and who may see what.

    name = "go-2026"                        the keys before the first table
    zone = "America/Los_Angeles"            that of times without an offset; UTC if left out
    roster = "class.csv"                    of all that have no roster of their own
    only_listed = true                      refuse who is not in the roster
    base = "handouts"                       what was handed out, a folder or a list, for `similarity`
    editions = ["instructor", "class"]      see `tournament.pages.editions`; these two if left out
    nicknames = "nicknames.csv"             what students are called in public; made if it is missing
    pages = "pages"                         the folder for pages: pages/instructor/first/index.html
    kept = "kept"                           the folder for results, copies and the ledger
    late_days = 5                           optional: free in the whole course; a deadline's own are the most of them there
    extensions = "extensions.csv"           optional: see `tournament.courses.calendars`, also for [[extension]]

    [[homework]]                            one for each, in any order
    name = "first"                          its results are kept/first.db
    submissions = "first"                   the folder students hand in to, as in an event file
    begins = 2026-09-24T08:00:00            optional: before this time nothing of it is done
    zone = "Europe/Berlin"                  optional: another than the course's
    rubric = "easy.toml"                    and all other keys of an event file, as games, until_decided, seed
    limits = { move_seconds = 1 }
    deadline = { due = 2026-10-01T23:59:59, points_per_day = 10 }     as in a rubric, and instead of its own

    [ladder]                                optional: everyone plays everyone, again whenever somebody hands in
    submissions = "first"
    games = 11

Paths are relative to the file. `tournament.events.event_files` has the keys of events, `tournament.results.rubric_files` those
of deadlines; a deadline's `zone` may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from errno import ELOOP, ENOTDIR
from os.path import realpath
from pathlib import Path
from typing import Any

from goban.common.excerpts import printable, quoted, suggestion
from goban.common.files import read_bounded
from goban.common.moments import find_zone
from goban.common.tables import Table, WrongValueError, parse_toml, whole
from tournament.courses.calendars import Extension, read_extensions
from tournament.errors import BadCourseError, BadEventError, BadRubricError
from tournament.events.event_files import EventFile, event_file_of
from tournament.events.events import event_name
from tournament.pages.editions import KINDS, START
from tournament.results.deadlines import MOST_DAYS
from tournament.results.rubric_files import moment_on, read_deadline
from tournament.results.rubrics import Deadline

_MOST_BYTES = 100_000
_TOP = (
    "name", "zone", "roster", "only_listed", "base", "editions", "nicknames", "pages", "kept", "late_days", "extensions",
    "extension", "homework", "ladder",
)  # fmt: skip
LADDER = "ladder"
_NOT_HERE = {
    "kind": "no such key, a homework is a grade and the ladder a round robin",
    "first_stage": "no such key, points of homeworks change nothing in the ladder",
    "store": "no such key, a course keeps its own results files",
}

_OF_COURSE = {
    "course_late_days": "late_days before the first table says it for all homeworks",
    "student": "[[extension]] gives one student other dates",
}


@dataclass(frozen=True)
class Stage:
    """A homework, or the ladder. kind: 'grade' or 'round-robin'. file: as an event file would say it, with absolute paths.

    where: how messages about it begin. begins: when it begins; None for at once. deadline: in place of the rubric's.
    zone: of times without an offset, where the deadline has no other.
    """

    name: str
    kind: str
    where: str
    file: EventFile
    begins: datetime | None = None
    deadline: Deadline | None = None
    zone: tzinfo = UTC

    def has_begun(self, now: datetime) -> bool:
        """Tell whether it has begun at an aware time."""
        return self.begins is None or self.begins.astimezone(UTC) <= now.astimezone(UTC)


@dataclass(frozen=True)
class CourseFile:
    """What a course's file says. All paths are absolute. stages: the homeworks, and then the ladder, if there is one.
    late_days: that everybody has in the whole course; None if homeworks have their own."""

    name: str
    path: Path
    zone: tzinfo
    editions: tuple[str, ...]
    nicknames: Path
    pages: Path
    kept: Path
    stages: tuple[Stage, ...]
    late_days: int | None = None
    extensions: tuple[Extension, ...] = ()

    def store(self, stage: Stage) -> Path:
        """Return the results file of a stage."""
        return self.kept / f"{stage.name}.db"

    def trials(self, stage: Stage) -> Path:
        """Return the results file of the trial games of a stage's submissions."""
        return self.kept / f"{stage.name}.check.db"

    def rubric(self, stage: Stage) -> Path:
        """Return the file of the rubric by which a homework is graded, including its deadline."""
        return self.kept / f"{stage.name}.rubric.toml"

    def pages_of(self, stage: Stage, edition: str) -> Path:
        """Return the folder of a stage's pages."""
        return self.pages / edition / stage.name

    def front(self, edition: str) -> Path:
        """Return the first page of an edition, above those of its stages. A student's edition, which is mailed, has none."""
        return self.pages / edition / START

    @property
    def names(self) -> Path:
        """The file that keeps which submission has which short name, in all stages."""
        return self.kept / "files.json"

    @property
    def ledger(self) -> Path:
        """The file that records what was published."""
        return self.kept / "published.jsonl"

    @property
    def stamps(self) -> Path:
        """The file that names what the pages were made from."""
        return self.kept / "pages.json"


def is_course(path: Path) -> bool:
    """Tell whether a TOML file is that of a course, and not of an event; False for one that cannot be read."""
    try:
        return not {"homework", LADDER}.isdisjoint(parse_toml(read_bounded(path, _MOST_BYTES)))
    except (OSError, ValueError):
        return False


def read_course(path: Path) -> CourseFile:
    """Return what the file of a course says. Raises BadCourseError with one line; the files that it names are not opened."""
    try:
        values = parse_toml(read_bounded(path, _MOST_BYTES), parse_float=Decimal)
    except OSError as error:
        raise BadCourseError(f"{printable(str(path), 400)}: {error.strerror}") from None
    except ValueError as error:
        raise BadCourseError(f"{printable(str(path), 400)}: expected a TOML file: {error}") from None
    try:
        return _course(values, path)
    except (BadEventError, BadRubricError) as error:
        raise BadCourseError(str(error)) from None


def _course(values: Mapping[str, Any], path: Path) -> CourseFile:
    table = Table(values, lambda key: f"{path}: {key}", BadCourseError)
    for key in values:
        if key not in _TOP:
            raise BadCourseError(f"{path}: expected keys {', '.join(_TOP)}, got {quoted(key)}{suggestion(key, _TOP)}")
    folder = path.resolve().parent
    zone = table.take("zone", find_zone) if "zone" in values else UTC
    homeworks = [_stage(one, "grade", zone, folder, table) for one in table.tables("homework")]
    ladder = []
    if LADDER in values:
        ladder.append(_stage(_ladder(table.table(LADDER), homeworks), "round-robin", zone, folder, table))
    stages = (*homeworks, *ladder)
    if not stages:
        raise table.complaint("homework", "tables [[homework]], or a [ladder]", "neither")
    for number, stage in enumerate(stages):
        if stage.name.casefold() == START:
            raise BadCourseError(f"{stage.where}: name: expected another than the first page's, got {quoted(stage.name)}")
        if stage.name.casefold() in {other.name.casefold() for other in stages[:number]}:
            raise BadCourseError(f"{stage.where}: name: expected a name of its own, got {quoted(stage.name)} twice")
    course = CourseFile(
        name=table.take("name", event_name),
        path=path,
        zone=zone,
        editions=table.take("editions", _editions),
        nicknames=folder / table.take("nicknames", _path("nicknames.csv")),
        pages=folder / table.take("pages", _path("pages")),
        kept=folder / table.take("kept", _path("kept")),
        stages=stages,
        late_days=table.take("late_days", whole(0, MOST_DAYS)) if "late_days" in values else None,
        extensions=_extensions(table, folder, homeworks),
    )
    _expect_places_of_its_own(course, table)
    return course


def _extensions(table: Table, folder: Path, homeworks: Sequence[Stage]) -> tuple[Extension, ...]:
    file = folder / table.take("extensions", _path("")) if "extensions" in table.values else None
    zones = {one.name: one.zone if one.deadline is None else one.deadline.zone for one in homeworks}
    return read_extensions(table.tables("extension"), file, zones)


def _expect_places_of_its_own(course: CourseFile, table: Table) -> None:
    """Raise BadCourseError if pages or what is kept would be written among submissions, or into a folder of others."""
    submissions = [source for stage in course.stages for source in stage.file.submissions]
    for key, place in (("pages", course.pages), ("kept", course.kept)):
        for other in (*submissions, *([course.kept] if key == "pages" else [])):
            # A link that leads to itself is one of Path.resolve's errors.
            real, real_other = Path(realpath(place)), Path(realpath(other))
            if real.is_relative_to(real_other) or real_other.is_relative_to(real):
                raise table.complaint(key, f"a folder apart from {quoted(str(other))}", quoted(str(place)))
        if _cannot_be_a_folder(place):
            raise table.complaint(key, "a folder, or the name of a new one", quoted(str(place)))
    own = {course.names.name, course.ledger.name, *(course.store(stage).name for stage in course.stages)}
    places = {"pages": (course.pages, "pages", {*KINDS, START}), "kept": (course.kept, "this course", own)}
    for key, (place, owner, ours) in places.items():
        there = _contents(place)
        if there and not there & ours:
            raise table.complaint(key, f"a folder of {owner}, or a new one", f"{quoted(str(place))}, where other files lie")


def _contents(folder: Path) -> set[str]:
    """Return the names of what lies in a folder, without hidden files and locks; none if there is no such folder."""
    try:
        entries = [entry for entry in folder.iterdir() if not entry.suffix.startswith(".lock")]
        return {entry.name for entry in entries if not entry.name.startswith(".")}
    except OSError:  # Whatever writes there will say so.
        return set()


def _cannot_be_a_folder(path: Path) -> bool:
    """Tell whether a path leads to something else, or through it."""
    try:
        path.stat()
    except FileNotFoundError:
        return path.is_symlink()
    except OSError as error:
        return error.errno in (ENOTDIR, ELOOP)
    return not path.is_dir()


def _ladder(table: Table, homeworks: list[Stage]) -> Table:
    """Return the ladder's table, with the name and the folder that it may leave out."""
    values = {"name": LADDER, **table.values}
    if "submissions" not in values and homeworks:
        values["submissions"] = [str(source) for source in homeworks[-1].file.submissions]
    return replace(table, values=values)


def _stage(table: Table, kind: str, zone: tzinfo, folder: Path, course: Table) -> Stage:
    where = table.place("").rstrip(": .")
    name = table.take("name", event_name)
    for key, expected in _NOT_HERE.items():
        if key in table.values:
            raise table.complaint(key, expected, quoted(table.values[key]))
    if "submissions" not in table.values:
        raise table.complaint("submissions", "the folder students hand in to", "nothing")
    zone = table.take("zone", find_zone) if "zone" in table.values else zone
    begins = table.take("begins", moment_on(zone)) if "begins" in table.values else None
    days = course.take("late_days", whole(0, MOST_DAYS)) if "late_days" in course.values else None
    deadline = _deadline(table, kind, zone, days) if "deadline" in table.values else None
    usual = {key: course.values[key] for key in ("roster", "only_listed", "base") if key in course.values}
    own = {key: value for key, value in table.values.items() if key not in ("begins", "deadline", "zone")}
    file = event_file_of(_floats({**usual, **own}), where, folder)
    if kind == "grade" and file.engines:
        raise table.complaint("engine", "none, a homework's opponents are those of its rubric", "some")
    return Stage(name, kind, where, file, begins, deadline, zone)


def _deadline(table: Table, kind: str, zone: tzinfo, course_days: int | None) -> Deadline:
    if kind != "grade":
        raise table.complaint("deadline", "none, a ladder goes on", "one")
    inner = table.table("deadline")
    values = inner.values
    for key, instead in _OF_COURSE.items():
        if key in values:
            raise inner.complaint(key, f"no such key here, {instead}", quoted(values[key]))
    whole_course = {} if course_days is None else {"course_late_days": course_days}
    return read_deadline(replace(table, values={"deadline": {"zone": str(zone), **values, **whole_course}}))


def _floats(value: Any) -> Any:  # noqa: ANN401
    """Return what a TOML file holds with numbers as event files have them; a deadline's are exact."""
    if isinstance(value, dict):
        return {key: _floats(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_floats(one) for one in value]
    return float(value) if isinstance(value, Decimal) else value


# What a field may hold


def _editions(value: object) -> tuple[str, ...]:
    if value is None:
        return ("instructor", "class")
    names = value if isinstance(value, list) else []
    if not names or len(set(map(repr, names))) < len(names) or any(name not in KINDS for name in names):
        raise WrongValueError(f"a list of some of {', '.join(KINDS)}")
    return tuple(names)


def _path(usual: str) -> Callable[[object], str]:
    """Return the check for a path in the course's folder, or elsewhere. usual: the one that counts if there is none."""

    def check(value: object) -> str:
        found = usual if value is None else value
        if not isinstance(found, str) or not found or "\0" in found:
            raise WrongValueError("a path")
        return found

    return check
