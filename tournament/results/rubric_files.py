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

Numbers are exact: 0.1 means one tenth.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from common.excerpts import printable, quoted, quoted_path
from common.files import read_bounded
from common.tables import Table, WrongValueError, parse_toml, whole
from goban.errors import UnknownRuleSetError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import ruleset
from tournament.errors import BadRubricError
from tournament.results.rubrics import Band, OpponentRubric, RankBand, Rubric

SHIPPED = Path(__file__).parent / "rubrics"
_MOST_BYTES = 100_000
_MOST_GAMES = 100_000


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


def parse_rubric(data: bytes, path: Path) -> Rubric:
    """Return the rubric in the contents of a TOML file; raises BadRubricError. path: for messages and relative paths."""
    file = printable(str(path), 200)
    try:
        values = parse_toml(data, parse_float=Decimal)
    except ValueError as error:
        raise BadRubricError(f"{file}: not TOML: {error}") from error
    return _rubric(Table(values, lambda key: f"{file}: {key}", BadRubricError), path.parent)


def _rubric(table: Table, folder: Path) -> Rubric:
    _refuse_other_keys(table, "title", "rules", "size", "games", "seconds", "entry", "opponent", "rank")
    opponents, ranks = table.tables("opponent"), table.tables("rank")
    if bool(opponents) == bool(ranks):
        raise table.complaint("opponent", "either [[opponent]] or [[rank]]", "both" if ranks else "neither")
    name = table.take("rules", _line_of_text)
    try:
        rules = ruleset(name)
    except UnknownRuleSetError as error:
        raise BadRubricError(f"{table.place('rules')}: {error}") from error
    found = tuple(_opponent(opponent, folder) for opponent in opponents)
    for number, opponent in enumerate(found):
        if opponent.name in {other.name for other in found[:number]}:
            raise opponents[number].complaint("name", "a name of its own for each opponent", quoted(opponent.name))
    return Rubric(
        title=table.take("title", _line_of_text),
        rules=rules.name,
        size=table.take("size", whole(MIN_SIZE, MAX_SIZE)),
        games=table.take("games", whole(1, _MOST_GAMES)),
        seconds=table.take("seconds", whole(1, 10**9)) if "seconds" in table.values else None,
        entry=table.take("entry", _exact) if "entry" in table.values else None,
        opponents=found,
        ranks=_ranks(ranks),
    )


def _opponent(table: Table, folder: Path) -> OpponentRubric:
    _refuse_other_keys(table, "name", "player", "stage", "bands")
    name = table.take("name", _line_of_text)
    if not (name.isascii() and name.replace("_", "a").isalnum() and len(name) <= 60):
        raise table.complaint("name", "letters, digits and _, 60 at most", quoted(name))
    player = table.take("player", _line_of_text) if "player" in table.values else name
    bands = table.tables("bands")
    found = tuple(_band(band) for band in bands)
    for number, band in enumerate(found[1:], 1):
        if band.start >= found[number - 1].start:
            raise bands[number].complaint("from", "less than in the band before", _number(band.start))
    if not found or found[-1].start:
        raise table.complaint("bands", "a last band from 0", _number(found[-1].start) if found else "no band")
    stage = table.take("stage", whole(1, 9)) if "stage" in table.values else 1
    return OpponentRubric(name, str(folder / player) if player.endswith(".py") else player, found, stage)


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
    found: list[RankBand] = []
    before = 0
    for number, table in enumerate(tables, 1):
        _refuse_other_keys(table, "to", "points")
        if number == len(tables):
            if "to" in table.values:
                raise table.complaint("to", "no such key in the last rank, which is for all others", quoted(table.values["to"]))
            found.append(RankBand(None, table.take("points", _exact)))
        else:
            before = table.take("to", whole(before + 1, 10**6))
            found.append(RankBand(before, table.take("points", _exact)))
    return tuple(found)


def _refuse_other_keys(table: Table, *keys: str) -> None:
    for key in table.values:
        if key not in keys:
            raise BadRubricError(f"{table.place('')}expected keys {', '.join(keys)}, got {quoted(key)}")


def _number(number: Fraction) -> str:
    """Return a number as an error message shows it."""
    return f"{float(number):g}"


# What a field may hold


def _line_of_text(value: object) -> str:
    if not isinstance(value, str) or not value or len(value) > 200 or not value.isprintable():
        raise WrongValueError("a line of text")
    return value


def _exact(value: object) -> Fraction:
    """Return a number as it was written."""
    if isinstance(value, Decimal):
        # Checked before any arithmetic: Fraction(Decimal("1e999999999")) would take all memory.
        fits = value.is_finite() and (not value or -20 < value.adjusted() < 7)
    else:
        fits = isinstance(value, int) and not isinstance(value, bool)
    if not fits or not isinstance(value, Decimal | int) or not 0 <= value <= 10**6:
        raise WrongValueError("a number from 0 to 1000000")
    return Fraction(value) if value else Fraction()
