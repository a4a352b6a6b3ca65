"""A rubric as text, exact, as the numbers in it are.

    rubric_toml     a TOML file, the inverse of `tournament.results.rubric_files`
    basis_of        what results files keep of it, see `tournament.events.identities`
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from tournament.errors import BadSubmissionError
from tournament.events.identities import NO_RUBRIC, Basis, file_of
from tournament.intake.copies import digest_of
from tournament.intake.dependencies import companions
from tournament.results.rubrics import Band, Deadline, OpponentRubric, Rubric


def rubric_toml(rubric: Rubric) -> str:
    """Return a rubric whose opponents are reference players as the text of a file from which the same one is read.

    Players that are files keep their paths, so these should be absolute.
    """
    lines = [f"title = {_text(rubric.title)}", f"rules = {_text(rubric.rules)}", f"size = {rubric.size}"]
    lines += [f"games = {rubric.games}", *([f"seconds = {rubric.seconds}"] if rubric.seconds is not None else [])]
    lines += [f"entry = {_number(rubric.entry)}"] if rubric.entry is not None else []
    for opponent in rubric.opponents:
        lines += ["", "[[opponent]]", *_opponent(opponent)]
    if rubric.deadline is not None:
        lines += ["", "[deadline]", *_deadline(rubric.deadline)]
    return "\n".join(lines) + "\n"


def _opponent(opponent: OpponentRubric) -> Iterable[str]:
    bands = ", ".join(map(_band, opponent.bands))
    names = [f"name = {_text(opponent.name)}", f"player = {_text(opponent.player)}", f"stage = {opponent.stage}"]
    return [*names, f"bands = [{bands}]"]


def _band(band: Band) -> str:
    return f"{{ from = {_number(band.start)}, {'times_rate' if band.times_rate else 'points'} = {_number(band.points)} }}"


def _deadline(deadline: Deadline) -> Iterable[str]:
    lines = [f"due = {deadline.due.isoformat()}", f"zone = {_text(str(deadline.zone))}"]
    lines += [f"grace_minutes = {deadline.grace // timedelta(minutes=1)}", f"late_days = {deadline.late_days}"]
    if deadline.points_per_day:
        lines.append(f"points_per_day = {_number(deadline.points_per_day)}")
    if deadline.percent_per_day:
        lines.append(f"percent_per_day = {_number(deadline.percent_per_day)}")
    if deadline.cut_off is not None:
        lines.append(f"cut_off = {deadline.cut_off.isoformat()}")
    return [*lines, f"attempts = {_text('best' if deadline.best else 'last')}"]


def _text(text: str) -> str:
    # A line of text, which a rubric has, is written in TOML as in JSON.
    return json.dumps(text, ensure_ascii=False)


def _number(number: Fraction) -> str:
    """Return a number with all its decimals; whatever was read from a file has finitely many."""
    places = next(k for k in range(10_000) if not 10**k % number.denominator)
    digits = map(int, str(number.numerator * 10**places // number.denominator))
    return f"{Decimal((0, tuple(digits), -places)):f}"


# What results files keep


def basis_of(rubric: Rubric | None) -> Basis:
    """Return what a rubric decides. Of players that are files, their sources are read; what is missing is left out."""
    if rubric is None:
        return NO_RUBRIC
    record = rubric.record
    for one, kept in zip(rubric.opponents, record["opponents"], strict=True):
        file = file_of(one.player)
        if file is not None and (sources := _sources(file)):
            kept["sources"] = sources
    return Basis(record, _digest_before(rubric))


def _sources(player: Path) -> str:
    """Return a digest of a player's file and of the modules beside it, '' if there is no file.

    Other files are left out: a player may well write them, such as a log, or what it learns.
    """
    try:
        files = {"": player.read_bytes()}
    except OSError:
        return ""
    # A link, or more than a submission may have: all the same it may play for the course.
    with suppress(BadSubmissionError):
        files |= {path: data for path, data in companions(player).items() if path.endswith(".py")}
    return digest_of(files)


def _digest_before(rubric: Rubric) -> str:
    """Return by what the first files with version 2 know a rubric: a digest of what its class looked like then."""
    opponents = [
        f"OpponentRubric(name={one.name!r}, player={one.player!r}, bands="
        + _tuple(f"Band(start={band.start!r}, points={band.points!r}, times_rate={band.times_rate!r})" for band in one.bands)
        + ")"
        for one in rubric.opponents
    ]
    ranks = [f"RankBand(last={band.last!r}, points={band.points!r})" for band in rubric.ranks]
    text = (
        f"Rubric(title={rubric.title!r}, rules={rubric.rules!r}, size={rubric.size!r}, games={rubric.games!r}, "
        f"seconds={rubric.seconds!r}, entry={rubric.entry!r}, opponents={_tuple(opponents)}, ranks={_tuple(ranks)})"
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _tuple(items: Iterable[str]) -> str:
    found = list(items)
    return f"({', '.join(found)}{',' * (len(found) == 1)})"
