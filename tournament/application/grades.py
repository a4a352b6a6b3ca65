"""Grading a class, and everyone against everyone: playing the missing games, then evaluating them.

Points of an earlier stage decide who takes part in a later one and who moves first. They are read from the results file of a
grade, or from a CSV file with the columns `name` and `points`; other columns are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from goban.common.arguments import check_fields, check_functions, check_kind
from goban.common.command_lines import DONE, INTERRUPTED
from goban.common.excerpts import printable, quoted, quoted_path
from goban.common.tables import SheetError, read_sheet
from gojudge.errors import BadRosterError
from gojudge.intake.rosters import MARKED_LATE, SUBMITTED
from gojudge.intake.submissions import Intake
from gojudge.records import Entrant, GameRow
from tournament.application.plans import EventPlan, Tell, tell_nobody
from tournament.application.runs import MakeWatcher, NoWatcher, RunSettings, play_event
from tournament.errors import BadEventError
from tournament.results.exports import from_cell
from tournament.results.grade_report import write_refusals
from tournament.results.grading import Grade, class_grades
from tournament.results.ratings import Ratings, ratings
from tournament.results.rubric_files import read_rubric
from tournament.results.rubrics import Rubric
from tournament.results.standings import Standings, standings
from tournament.store.store import Store, named_without, read_results, read_store, without_beside

HERE = RunSettings()
"""On this machine, one game per core."""


@dataclass(frozen=True)
class EventRun:
    """The outcome of a run. store: the results file; entrants: all participants; rows: all games that count so far.

    status: DONE, LEFT if games remain to be played, INTERRUPTED if it was stopped. grades: if the event is a grade, those of
    every submission, including refused ones. timed: True if every submission's time is known, or does not matter.
    """

    store: Path
    plan: EventPlan
    entrants: tuple[Entrant, ...]
    status: int
    rows: tuple[GameRow, ...] = ()
    grades: tuple[Grade, ...] = ()
    timed: bool = True

    def __post_init__(self) -> None:
        check_fields(self, BadEventError)

    @property
    def complete(self) -> bool:
        """True if all games have been played."""
        return self.status == DONE

    @cached_property
    def standings(self) -> Standings:
        """The ranking."""
        names = (entrant.name for entrant in self.entrants)
        return standings(self.rows, names, self.plan.rubric, by_rating=self.plan.event.ranks_by_rating)

    @cached_property
    def ratings(self) -> Ratings:
        """Everybody's strength; there must be games. Needs numpy and scipy."""
        return ratings(self.standings.tallies)


def grade(
    plan: EventPlan, intake: Intake, store: Path | str, settings: RunSettings = HERE, *,
    roster: Path | None = None, tell: Tell = tell_nobody, watch: MakeWatcher = NoWatcher,
) -> EventRun:  # fmt: skip
    """Play each submission against the rubric's reference players, and return its grade.

    roster: the source of the submissions' times, for messages. tell, watch: see `tournament.application.runs.play_event`.
    Games already in the store are not played again. Raises JudgeError if the run cannot start or continue.
    """
    _check_kind(plan, intake, settings, "grade")
    check_functions(BadEventError, tell=tell, watch=watch)
    rubric, store = plan.rubric, Path(store)
    if rubric is None or not rubric.opponents:
        raise BadEventError(f"{plan.event.name}: expected a rubric with reference players, got none")
    everybody = (*intake.entrants, *plan.given)
    # A time that cannot be read stops the run before the games, not after them.
    timed = are_timed(intake, rubric, roster)
    status, rows = DONE, list[GameRow]()
    if intake.entrants:
        status = play_event(store, plan, everybody, settings, tell=tell, watch=watch)
        write_refusals(store, intake.refused)
        if status == INTERRUPTED:
            return EventRun(store, plan, everybody, status)
        with read_store(store) as results:
            rows = results.rows()
            _tell_absent(results, everybody, tell)
    grades = class_grades(rows, rubric, intake.entrants, intake.refused, plan.event.games, plan.event.until_decided)
    return EventRun(store, plan, everybody, status, tuple(rows), tuple(grades), timed)


def round_robin(
    plan: EventPlan, intake: Intake, store: Path | str, settings: RunSettings = HERE, *,
    points: Mapping[str, float] | None = None, tell: Tell = tell_nobody, watch: MakeWatcher = NoWatcher,
) -> EventRun:  # fmt: skip
    """Play everyone against everyone, or against as many as the event says: submissions, reference players and engines.

    points: of a first stage, see `admit`. tell, watch: see `tournament.application.runs.play_event`. Games already in the
    store are not played again. Raises JudgeError if the run cannot start or continue.
    """
    _check_kind(plan, intake, settings, "round-robin")
    check_functions(BadEventError, tell=tell, watch=watch)
    store = Path(store)
    everybody = (*admit(plan, intake.entrants, points, tell), *plan.given)
    status = play_event(store, plan, everybody, settings, points, tell=tell, watch=watch)
    with read_store(store) as results:
        rows = results.rows()
        _tell_absent(results, everybody, tell)
    return EventRun(store, plan, everybody, status, tuple(rows))


def _check_kind(plan: EventPlan, intake: Intake, settings: RunSettings, kind: str) -> None:
    check_kind(plan, EventPlan, "a plan of tournament.read_event", BadEventError)
    check_kind(intake, Intake, "an intake of tournament.take_in", BadEventError)
    check_kind(settings, RunSettings, "settings (tournament.RunSettings)", BadEventError)
    if plan.event.kind != kind:
        raise BadEventError(f"{plan.event.name}: expected an event of the kind {kind}, got {plan.event.kind}")


def _tell_absent(results: Store, everybody: Collection[Entrant], tell: Tell) -> None:
    """Tell who has games in a store and no longer takes part: nothing is deleted."""
    present = {entrant.name for entrant in everybody} | {*named_without(results.path).values()}
    absent = [each.name for each in results.entrants() if each.is_submission and each.name not in present]
    if absent:
        names = printable(", ".join(absent), 300)
        file = without_beside(results.path)
        tell(f"played earlier, and not now: {names}; standings, pages and exports still have them, unless {file} names them")


def admit(
    plan: EventPlan, entrants: Sequence[Entrant], points: Mapping[str, float] | None, tell: Tell = tell_nobody
) -> list[Entrant]:
    """Return the entrants with the points that the rubric requires; all if it requires none or there was no earlier stage."""
    if points is None or plan.rubric is None or plan.rubric.entry is None:
        return list(entrants)
    admitted = [entrant for entrant in entrants if points.get(entrant.name, 0.0) >= plan.rubric.entry]
    tell(f"{len(admitted)} of {len(entrants)} submissions have {float(plan.rubric.entry):g} points or more")
    return admitted


def are_timed(intake: Intake, rubric: Rubric, roster: Path | None) -> bool:
    """Return True if every submission's time is known, or does not matter.

    Raises BadRosterError if none is known, or one cannot be read.
    """
    grades = class_grades((), rubric, intake.entrants, intake.refused)
    timed = {SUBMITTED, MARKED_LATE}
    if rubric.deadline is not None and not any(timed & dict(each.fields).keys() for each in grades):
        if roster is None:
            raise BadRosterError(f"deadline: expected a roster with a column {SUBMITTED}, got none")
        raise BadRosterError(f"{roster}: the rubric has a deadline: expected a column {SUBMITTED}, found none")
    return all(each.refused or each.late is None or each.late.known for each in grades)


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
    with read_results(path) as store:
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
    """Return notices about how a CSV file with points was read, one line each."""
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
