"""A rubric as the text of a TOML file, the inverse of `tournament.results.rubric_files`; exact, as the numbers in it are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

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
