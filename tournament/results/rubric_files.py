"""Rubrics from TOML files. The shipped ones are in `rubrics/`; an instructor's own is a file of the same form.

A rubric that grades against reference players:

    title = "First stage"       for reports
    rules = "course"            a preset of `goban.rulesets`
    size = 5                    the board
    games = 100                 per opponent, half of them with each colour
    seconds = 1200              optional: what all games of a submission may take together; reported, costs no points

    [[opponent]]                one for each reference player
    name = "random"             what reports call it
    player = "random"           optional: a reference player or a file.py (beside this file) with a MyPlayer; else `name`
    stage = 1                   optional, default 1: if there are several stages, each has a total of its own too
    bands = [                   from the highest down to the one that starts at 0
      { from = 0.9, points = 30 },
      { from = 0.7, times_rate = 20 },      20 x win rate
      { from = 0, points = 0 },
    ]

A rubric for a round robin, by rank, has title, rules, size, games (per pair), `entry` (optional: the points from an
earlier stage that entrants should have), and

    [[rank]]                    ranks 1 and 2
    to = 2
    points = 20

    [[rank]]                    all others: the last one has no `to`
    points = 5

A rubric with reference players may say when submissions were due; when each one came is the roster's column `submitted`:

    [deadline]
    due = 2026-10-01T23:59:59   by the clocks of `zone`, or with an offset of its own
    zone = "America/Los_Angeles"    that of `due`, of `cut_off`, and of times in the roster without an offset
    grace_minutes = 10          optional: who is no later than this after a limit is in time
    late_days = 2               optional: how many each student has free; the roster's column `late_days` goes before
    course_late_days = 5        optional: how many in the whole course; then `late_days` is the most that are free here
    points_per_day = 10         optional: taken off for each further late day that has begun
    percent_per_day = 10        the same as a share of the submission's points; not both
    cut_off = 2026-10-05T23:59:59   optional: what comes later has no points; no grace
    attempts = "best"           optional: which of a student's attempts counts, after penalties; or "last", before the cut-off,
                                which it is if left out; or "last-in-time", the last one before `due`, if there is one

    [[deadline.student]]        optional: what else holds for one student
    name = "ann"                the name of their submission, or of their first attempt
    due = 2026-10-04T23:59:59   optional, as is cut_off
    late_days_left = 3          optional: how many of `course_late_days` are left

A course (`tournament.courses`) writes these tables; its `[[extension]]` moves dates in fewer words.
Numbers are exact: 0.1 means one tenth.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from goban.common.excerpts import as_written, printable, quoted, quoted_path, suggestion
from goban.common.files import read_bounded
from goban.common.moments import find_zone, is_shown_twice, on_clocks
from goban.common.tables import Table, WrongValueError, one_of, parse_toml, whole
from goban.errors import UnknownRuleSetError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import ruleset
from tournament.errors import BadRubricError
from tournament.events.events import Event
from tournament.results.deadlines import MOST_DAYS
from tournament.results.rubrics import BEST, LAST, LAST_IN_TIME, Band, Deadline, OpponentRubric, OwnDates, RankBand, Rubric

SHIPPED = Path(__file__).parent / "rubrics"
_MOST_BYTES = 100_000
_MOST_GAMES = 100_000
_MOST_DIGITS = 50


def names() -> list[str]:
    """Return the names of the shipped rubrics."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def read_rubric(name: str) -> Rubric:
    """Return a shipped rubric by its name, or a rubric by the path of its TOML file.

    Raises BadRubricError, which says in which file and key, what was expected and what came.
    """
    path = Path(name) if name.endswith(".toml") else SHIPPED / f"{name}.toml"
    if not name.endswith(".toml") and name not in names():
        raise BadRubricError(f"expected a rubric ({', '.join(names())}) or a file.toml, got {quoted(name)}")
    try:
        data = read_bounded(path, _MOST_BYTES)
    except OSError as error:
        raise BadRubricError(f"rubric {quoted_path(path)} cannot be read: {error.strerror}") from error
    return parse_rubric(data, path)


def rubric_of(event: Event, store: Path, chosen: str | None = None) -> Rubric | None:
    """Return the rubric that an event's results are worth by: the chosen one, else the event's own; None if it has none.

    store: the results file; the event's own rubric may also lie beside it. Raises BadRubricError.
    """
    if chosen:
        return read_rubric(chosen)
    if not event.rubric or event.kind not in ("round-robin", "grade"):
        return None
    beside = store.parent / event.rubric
    return read_rubric(str(beside) if not Path(event.rubric).exists() and beside.is_file() else event.rubric)


def parse_rubric(data: bytes, path: Path) -> Rubric:
    """Return the rubric in the contents of a TOML file; raises BadRubricError. path: for messages and relative paths."""
    file = printable(str(path), 200)
    try:
        values = parse_toml(data, parse_float=Decimal)
    except ValueError as error:
        raise BadRubricError(f"{file}: not TOML: {error}") from error
    return _rubric(Table(values, lambda key: f"{file}: {key}", BadRubricError), path.parent)


def _rubric(table: Table, folder: Path) -> Rubric:
    _refuse_other_keys(table, "title", "rules", "size", "games", "seconds", "entry", "opponent", "rank", "deadline")
    opponents, ranks = table.tables("opponent"), table.tables("rank")
    if bool(opponents) == bool(ranks):
        raise table.complaint("opponent", "either [[opponent]] or [[rank]]", "both" if ranks else "neither")
    name = table.take("rules", line_of_text)
    try:
        rules = ruleset(name)
    except UnknownRuleSetError as error:
        raise BadRubricError(f"{table.place('rules')}: {error}") from error
    references = tuple(_opponent(opponent, folder) for opponent in opponents)
    for number, opponent in enumerate(references):
        if opponent.name in {other.name for other in references[:number]}:
            raise opponents[number].complaint("name", "a name of its own for each opponent", quoted(opponent.name))
    return Rubric(
        title=table.take("title", line_of_text),
        rules=rules.name,
        size=table.take("size", whole(MIN_SIZE, MAX_SIZE)),
        games=table.take("games", whole(1, _MOST_GAMES)),
        seconds=table.take("seconds", whole(1, 10**9)) if "seconds" in table.values else None,
        entry=table.take("entry", _exact) if "entry" in table.values else None,
        opponents=references,
        ranks=_ranks(ranks),
        deadline=read_deadline(table) if "deadline" in table.values else None,
    )


def _opponent(table: Table, folder: Path) -> OpponentRubric:
    _refuse_other_keys(table, "name", "player", "stage", "bands")
    name = table.take("name", line_of_text)
    if not (name.replace("_", "a").isalnum() and len(name) <= 60):
        raise table.complaint("name", "letters, digits and _, 60 at most", quoted(name))
    player = table.take("player", line_of_text) if "player" in table.values else name
    bands = table.tables("bands")
    bands_read = tuple(_band(band) for band in bands)
    for number, band in enumerate(bands_read[1:], 1):
        if band.start >= bands_read[number - 1].start:
            raise bands[number].complaint("from", "less than in the band before", _number(band.start))
    if not bands_read or bands_read[-1].start:
        raise table.complaint("bands", "a last band from 0", _number(bands_read[-1].start) if bands_read else "no band")
    stage = table.take("stage", whole(1, 9)) if "stage" in table.values else 1
    return OpponentRubric(name, str(folder / player) if player.endswith(".py") else player, bands_read, stage)


def _band(table: Table) -> Band:
    _refuse_other_keys(table, "from", "points", "times_rate")
    if ("points" in table.values) == ("times_rate" in table.values):
        raise table.complaint("points", "either points or times_rate", "both" if "points" in table.values else "neither")
    start = table.take("from", _exact)
    if start > 1:
        raise table.complaint("from", "a win rate from 0 to 1", _number(start))
    times_rate = "times_rate" in table.values
    return Band(start, table.take("times_rate" if times_rate else "points", _exact), times_rate)


def _ranks(tables: list[Table]) -> tuple[RankBand, ...]:
    ranks: list[RankBand] = []
    before = 0
    for number, table in enumerate(tables, 1):
        _refuse_other_keys(table, "to", "points")
        if number == len(tables):
            if "to" in table.values:
                raise table.complaint("to", "no such key in the last rank, which is for all others", quoted(table.values["to"]))
            ranks.append(RankBand(None, table.take("points", _exact)))
        else:
            before = table.take("to", whole(before + 1, 10**6))
            ranks.append(RankBand(before, table.take("points", _exact)))
    return tuple(ranks)


def read_deadline(rubric: Table) -> Deadline:
    """Return the `[deadline]` in the table of a rubric, or of something else that has one. Raises the table's error."""
    if "rank" in rubric.values:
        raise rubric.complaint("deadline", "none beside [[rank]], since a round robin is played once", "one")
    table = rubric.table("deadline")
    amounts = ("points_per_day", "percent_per_day")
    days = ("late_days", "course_late_days")
    _refuse_other_keys(table, "due", "zone", "grace_minutes", *days, *amounts, "cut_off", "attempts", "student")
    if all(key in table.values for key in amounts):
        raise table.complaint(amounts[0], f"either {' or '.join(amounts)}", "both")
    zone = table.take("zone", find_zone)
    due = table.take("due", moment_on(zone))
    cut_off = _cut_off(table, due, zone)
    points, percent = (table.take(key, _exact) if key in table.values else Fraction() for key in amounts)
    if percent > 100:
        raise table.complaint("percent_per_day", "a number from 0 to 100", _number(percent))
    late_days, course_days = (table.take(key, whole(0, MOST_DAYS)) if key in table.values else None for key in days)
    return Deadline(
        due=due,
        zone=zone,
        grace=timedelta(minutes=table.take("grace_minutes", whole(0, 1439)) if "grace_minutes" in table.values else 0),
        late_days=0 if late_days is None and course_days is None else late_days,
        percent_per_day=percent,
        points_per_day=points,
        cut_off=cut_off,
        attempts=table.take("attempts", one_of((LAST, BEST, LAST_IN_TIME))) if "attempts" in table.values else LAST,
        course_days=course_days,
        own=tuple(_own_dates(one, due, zone) for one in table.tables("student")),
    )


def _own_dates(table: Table, due: datetime, zone: tzinfo) -> OwnDates:
    _refuse_other_keys(table, "name", "due", "cut_off", "late_days_left")
    own = table.take("due", moment_on(zone)) if "due" in table.values else None
    left = table.take("late_days_left", whole(0, MOST_DAYS)) if "late_days_left" in table.values else None
    return OwnDates(table.take("name", line_of_text), own, _cut_off(table, own or due, zone), left)


def _cut_off(table: Table, due: datetime, zone: tzinfo) -> datetime | None:
    """Return the `cut_off` in a table; None if there is none. due: what it must not come before."""
    cut_off = table.take("cut_off", moment_on(zone)) if "cut_off" in table.values else None
    if cut_off is not None and cut_off.timestamp() < due.timestamp():
        raise table.complaint("cut_off", f"a time not before due, {due:%Y-%m-%d %H:%M:%S}", f"{cut_off:%Y-%m-%d %H:%M:%S}")
    return cut_off


def _refuse_other_keys(table: Table, *keys: str) -> None:
    for key in table.values:
        if key not in keys:
            meant = suggestion(key, keys)
            raise BadRubricError(f"{table.place('').rstrip('.: ')}: expected keys {', '.join(keys)}, got {quoted(key)}{meant}")


def _number(number: Fraction) -> str:
    """Return a number as an error message shows it."""
    return f"{float(number):g}"


# What a field may hold


def line_of_text(value: object) -> str:
    """Return a text that is a line; raises WrongValueError."""
    if not isinstance(value, str) or not value.strip() or len(value) > 200 or as_written(value) != value:
        raise WrongValueError("a line of text")
    return value


def moment_on(zone: tzinfo) -> Callable[[object], datetime]:
    """Return the check for a time: by the clocks of a zone, or with an offset of its own."""

    def check(value: object) -> datetime:
        if not isinstance(value, datetime) or not 1900 < value.year < 2100:
            raise WrongValueError("a date and a time, as 2026-10-01T23:59:59")
        moment = on_clocks(value, zone)
        if value.tzinfo is None and is_shown_twice(moment):
            raise WrongValueError(f"an offset, as {moment.isoformat()}, since clocks in {zone} show this time twice")
        return moment

    return check


def _exact(value: object) -> Fraction:
    """Return a number as it was written."""
    if isinstance(value, Decimal):
        # Checked before any arithmetic: Fraction(Decimal("1e999999999")) would take all memory.
        fits = value.is_finite() and (not value or -20 < value.adjusted() < 7)
        # As a fraction it takes a time that grows with the square of its digits.
        if fits and len(value.as_tuple().digits) > _MOST_DIGITS:
            raise WrongValueError(f"a number of at most {_MOST_DIGITS} digits")
    else:
        fits = isinstance(value, int) and not isinstance(value, bool)
    if not fits or not isinstance(value, Decimal | int) or not 0 <= value <= 10**6:
        raise WrongValueError("a number from 0 to 1000000")
    return Fraction(value) if value else Fraction()
