"""What the first page of a course says: of each homework and of the ladder, what the ledger says last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from tournament.courses.course_files import Course
from tournament.courses.ledgers import Mark, Published, last_of
from tournament.pages.editions import START
from tournament.pages.sites import Front, FrontCell, FrontStage


def front_of(course: Course, edition: str, ledger: Sequence[Published]) -> Front:
    """Return what is to be shown of all that have pages. In the instructor's edition also who got what.

    Other readers know people by nicknames, and their points without penalties: they find them on the pages of each homework.
    """
    lasts = [last_of(ledger, stage.name) for stage in course.stages if (course.pages_of(stage, edition) / START).is_file()]
    shown = [last for last in lasts if last is not None]
    people = _people(shown) if edition == "instructor" else {}
    return Front(course.name, edition, [_about(last) for last in shown], people)


def _about(last: Published) -> FrontStage:
    graded = bool(last.marks)
    many = f"marks of {len(last.marks)} submissions" if graded else f"ranking of {len(last.places)} players"
    what = many.removesuffix("s") if len(last.marks) == 1 else many
    return FrontStage(last.stage, graded, what, f"{last.time.astimezone(UTC):%Y-%m-%d %H:%M} UTC", not last.final)


def _people(shown: Sequence[Published]) -> dict[str, list[FrontCell]]:
    """Return what everybody got, a cell for each that was published. Reference players have a rank only, and are left out."""
    cells = [_cells(last) for last in shown]
    marked = [found for last, found in zip(shown, cells, strict=True) if last.marks]
    names = sorted({name for found in marked or cells for name in found})
    return {name: [found.get(name, FrontCell("–", "")) for found in cells] for name in names}


def _cells(last: Published) -> dict[str, FrontCell]:
    marks = {mark.name: _cell(mark) for mark in last.marks}
    return marks | {place.name: FrontCell(f"rank {place.rank}", str(place.rank)) for place in last.places}


def _cell(mark: Mark) -> FrontCell:
    if not mark.played:
        return FrontCell("not played yet", "")
    return FrontCell("refused" if mark.refused else f"{mark.points} of {mark.of}", mark.points)
