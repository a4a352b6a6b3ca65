"""Points of an earlier stage, which decide who takes part in a later one and who moves first.

They are read from the results file of a grade, or from a CSV file with the columns `name` and `points` (others are ignored).
"""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from common.excerpts import printable, quoted, quoted_path
from tournament.errors import BadRosterError
from tournament.results.grading import class_grades
from tournament.results.rubric_files import read_rubric
from tournament.store.store import read_store

# The first bytes of every SQLite file.
_MAGIC = b"SQLite format 3\0"


def read_points(path: Path) -> dict[str, float]:
    """Return name -> points. Raises BadRosterError, StoreError, or BadRubricError if the rubric of a grade is gone."""
    try:
        data = path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise BadRosterError(f"{quoted_path(path)}: {error.strerror}") from None
    if data is None:
        raise BadRosterError(f"{path}: expected a grade's results file or a CSV file, found none")
    return _of_store(path) if data.startswith(_MAGIC) else _of_csv(data, path)


def _of_store(path: Path) -> dict[str, float]:
    with read_store(path) as store:
        if store.event.kind != "grade":
            raise BadRosterError(f"{path}: expected the results of a grade, got a {store.event.kind}")
        event, rubric = store.event, read_rubric(store.event.rubric)
        graded = class_grades(store.rows(), rubric, store.entrants(), (), event.games, event.until_decided)
    missing = [grade.name for grade in graded if not grade.complete]
    if missing:
        raise BadRosterError(f"{path}: expected a finished grade, but games of {', '.join(missing[:5])} are missing")
    return {grade.person: float(grade.points) for grade in graded}


def _of_csv(data: bytes, path: Path) -> dict[str, float]:
    points: dict[str, float] = {}
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig")), strict=True)
        columns = list(reader.fieldnames or ())
        if not {"name", "points"}.issubset(columns):
            got = quoted(", ".join(columns)) if columns else "none"
            raise BadRosterError(f"{path}: expected columns name and points, got {got}")
        for line in reader:
            where = f"{path}, line {reader.line_num}"
            name, text = line["name"], line["points"]
            if name in points:
                raise BadRosterError(f"{where}: expected every name once, got {quoted(name)} again")
            points[name] = _number(text, where)
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadRosterError(f"{path}: expected a CSV file in UTF-8: {printable(str(error), 100)}") from None
    return points


def _number(text: str | None, where: str) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadRosterError(f"{where}: expected points, got {quoted(text)}")
    return value
