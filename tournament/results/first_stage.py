"""Points of an earlier stage, which decide who takes part in a later one and who moves first.

They are read from the results file of a grade, or from a CSV file with the columns `name` and `points` (others are ignored).
"""

from __future__ import annotations

import math
from pathlib import Path

from goban.common.excerpts import quoted, quoted_path
from goban.common.sheets import SheetError, read_sheet
from gojudge.errors import BadRosterError
from tournament.results.exports import from_cell
from tournament.results.grading import class_grades
from tournament.results.rubric_files import read_rubric
from tournament.store.store import read_store

# The first bytes of every SQLite file.
_MAGIC = b"SQLite format 3\0"
_MOST_BYTES = 10_000_000


def read_points(path: Path) -> dict[str, float]:
    """Return name -> points. Raises BadRosterError, StoreError, or BadRubricError if the rubric of a grade is gone."""
    if not path.is_file():
        raise BadRosterError(f"{path}: expected a grade's results file or a CSV file, found none")
    try:
        return _of_store(path) if _is_store(path) else _of_csv(path)
    except OSError as error:
        raise BadRosterError(f"{quoted_path(path)}: {error.strerror}") from None


def _is_store(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


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


def _of_csv(path: Path) -> dict[str, float]:
    points: dict[str, float] = {}
    try:
        sheet = read_sheet(path, str(path), _MOST_BYTES)
    except SheetError as error:
        raise BadRosterError(str(error)) from None
    if not {"name", "points"}.issubset(sheet.columns):
        got = quoted(", ".join(sheet.columns)) if sheet.columns else "none"
        raise BadRosterError(f"{path}: expected columns name and points, got {got}")
    for row in sheet.rows:
        where = f"{path}, line {row.number}"
        cells = dict(zip(sheet.columns, row.cells, strict=False))
        name = from_cell(cells.get("name", ""))
        if not name:
            raise BadRosterError(f"{where}: expected a name, got nothing")
        if name in points:
            raise BadRosterError(f"{where}: expected every name once, got {quoted(name)} again")
        points[name] = _number(cells.get("points"), where)
    return points


def points_notices(path: Path) -> list[str]:
    """Return what people should know of how a CSV file with points was read, one line each."""
    try:
        return [] if _is_store(path) else list(read_sheet(path, str(path), _MOST_BYTES).notices)
    except (SheetError, OSError):
        return []


def _number(text: str | None, where: str) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadRosterError(f"{where}: expected points, got {quoted(text)}")
    return value
