"""Rubrics from TOML files. Shipped ones lie in `rubrics/`; an instructor's own is a file of the same shape.

A rubric that grades against reference players:

    title = "First stage"       for reports
    rules = "course"            a preset of `goban.rulesets`
    size = 5                    the board
    games = 100                 per opponent, half of them with each colour
    seconds = 1200              optional: what all games of a submission may take together; reported, costs no points

    [[opponent]]                one for each
    name = "random"             what reports call it
    player = "random"           optional: a reference player or a file.py (beside this file) with a MyPlayer; else `name`
    stage = 1                   optional: where there are several, points are also added up for each; 1 if not said
    bands = [                   from the highest to the one from 0
      { from = 0.9, points = 30 },
      { from = 0.7, times_rate = 20 },      20 x win rate
      { from = 0, points = 0 },
    ]

and one for a round robin, by rank: title, rules, size, games (per pair), `entry` (optional: points from an earlier stage
that entrants should have), and

    [[rank]]                    ranks 1 and 2
    to = 2
    points = 20

    [[rank]]                    all others: the last one has no `to`
    points = 5

Numbers are taken as they are written.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from common.excerpts import printable, quoted, quoted_path
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
    """Return a shipped rubric by name, or the one in a TOML file.

    Raises BadRubricError with file, key, what was expected and what came.
    """
    path = Path(name) if name.endswith(".toml") else SHIPPED / f"{name}.toml"
    if not name.endswith(".toml") and name not in names():
        raise BadRubricError(f"expected a rubric ({', '.join(names())}) or a file.toml, got {quoted(name)}")
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadRubricError(f"rubric {quoted_path(path)} cannot be read: {reason}") from error
    if len(data) > _MOST_BYTES:
        raise BadRubricError(f"{printable(str(path), 200)}: expected at most {_MOST_BYTES} bytes")
    return parse_rubric(data, path)


def parse_rubric(data: bytes, path: Path) -> Rubric:
    """Return the rubric that a TOML file at `path` (nothing is read from it) holds; raises BadRubricError."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise BadRubricError(f"{printable(str(path), 200)}: not TOML: {printable(str(error), 200)}") from error
    return _rubric(_Table(printable(str(path), 200), "", table), path.parent)


def _rubric(table: _Table, folder: Path) -> Rubric:
    table.only("title", "rules", "size", "games", "seconds", "entry", "opponent", "rank")
    opponents, ranks = table.tables("opponent"), table.tables("rank")
    if bool(opponents) == bool(ranks):
        raise table.error("opponent", "either [[opponent]] or [[rank]]", "both" if ranks else "neither")
    try:
        rules = ruleset(table.text("rules"))
    except UnknownRuleSetError as error:
        raise BadRubricError(f"{table.file}: rules: {error}") from error
    found = tuple(_opponent(opponent, folder) for opponent in opponents)
    for number, opponent in enumerate(found):
        if opponent.name in {other.name for other in found[:number]}:
            raise opponents[number].error("name", "a name of its own for each opponent", quoted(opponent.name))
    return Rubric(
        title=table.text("title"),
        rules=rules.name,
        size=table.whole("size", MIN_SIZE, MAX_SIZE),
        games=table.whole("games", 1, _MOST_GAMES),
        seconds=table.whole("seconds", 1, 10**9) if "seconds" in table.values else None,
        entry=table.number("entry") if "entry" in table.values else None,
        opponents=found,
        ranks=_ranks(ranks),
    )


def _opponent(table: _Table, folder: Path) -> OpponentRubric:
    table.only("name", "player", "stage", "bands")
    name = table.text("name")
    if not (name.isascii() and name.replace("_", "a").isalnum() and len(name) <= 60):
        raise table.error("name", "letters, digits and _, 60 at most", quoted(name))
    player = table.text("player") if "player" in table.values else name
    bands = table.tables("bands")
    found = tuple(_band(band) for band in bands)
    for number, band in enumerate(found[1:], 1):
        if band.start >= found[number - 1].start:
            raise bands[number].error("from", "less than in the band before", _number(band.start))
    if not found or found[-1].start:
        raise table.error("bands", "a last band from 0", _number(found[-1].start) if found else "no band")
    stage = table.whole("stage", 1, 9) if "stage" in table.values else 1
    return OpponentRubric(name, str(folder / player) if player.endswith(".py") else player, found, stage)


def _band(table: _Table) -> Band:
    table.only("from", "points", "times_rate")
    if ("points" in table.values) == ("times_rate" in table.values):
        raise table.error("points", "either points or times_rate", "both" if "points" in table.values else "neither")
    start = table.number("from")
    if start > 1:
        raise table.error("from", "a win rate from 0 to 1", _number(start))
    times_rate = "times_rate" in table.values
    return Band(start, table.number("times_rate" if times_rate else "points"), times_rate)


def _ranks(tables: list[_Table]) -> tuple[RankBand, ...]:
    found: list[RankBand] = []
    before = 0
    for number, table in enumerate(tables, 1):
        table.only("to", "points")
        if number == len(tables):
            if "to" in table.values:
                raise table.error("to", "no such key in the last rank, which is for all others", quoted(table.values["to"]))
            found.append(RankBand(None, table.number("points")))
        else:
            before = table.whole("to", before + 1, 10**6)
            found.append(RankBand(before, table.number("points")))
    return tuple(found)


def _number(number: Fraction) -> str:
    """Return a number as an error message shows it."""
    return f"{float(number):g}"


@dataclass(frozen=True)
class _Table:
    """A table of the file, with the words to complain about it. where: '' or 'opponent 2: '."""

    file: str
    where: str
    values: dict[str, Any]

    def error(self, key: str, expected: str, got: str) -> BadRubricError:
        return BadRubricError(f"{self.file}: {self.where}{key}: expected {expected}, got {got}")

    def only(self, *keys: str) -> None:
        for key in self.values:
            if key not in keys:
                raise BadRubricError(f"{self.file}: {self.where}expected keys {', '.join(keys)}, got {quoted(key)}")

    def got(self, key: str) -> str:
        if key not in self.values:
            return "nothing"
        value = self.values[key]
        return printable(str(value), 60) if isinstance(value, Decimal) else quoted(value)

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if not isinstance(value, str) or not value or len(value) > 200 or not value.isprintable():
            raise self.error(key, "a line of text", self.got(key))
        return value

    def whole(self, key: str, least: int, most: int) -> int:
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.error(key, f"a whole number from {least} to {most}", self.got(key))
        return value

    def number(self, key: str) -> Fraction:
        value = self.values.get(key)
        if isinstance(value, Decimal):
            # Before anything is computed with it: Fraction(Decimal("1e999999999")) would take all memory.
            fits = value.is_finite() and (not value or -20 < value.adjusted() < 7)
        else:
            fits = isinstance(value, int) and not isinstance(value, bool)
        if not fits or not 0 <= value <= 10**6:  # type: ignore[operator]
            raise self.error(key, "a number from 0 to 1000000", self.got(key))
        return Fraction(value) if value else Fraction()

    def tables(self, key: str) -> list[_Table]:
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.error(key, "a list of tables", self.got(key))
        singular = key.removesuffix("s")
        return [_Table(self.file, f"{self.where}{singular} {number}: ", one) for number, one in enumerate(value, 1)]
