"""Grades for people and for other programs: a printed table, CSV, JSON, and a `results.json` per submission for Gradescope.

The same games give the same points; only measured seconds differ from machine to machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from common.excerpts import printable
from common.files import write_beside
from tournament.events.event_files import event_fields
from tournament.events.events import Event
from tournament.events.machines import USUAL, Machine
from tournament.intake.submissions import Refused
from tournament.records import Entrant, GameRow
from tournament.results.exports import csv_line
from tournament.results.gradescope import results
from tournament.results.grading import Grade, Part, grades, refused_grade
from tournament.results.rubrics import Rubric, shown
from tournament.results.tallies import Score
from tournament.verdicts import Termination

_FORFEITS = [reason for reason in Termination if reason.is_forfeit]


def write_grade_reports(
    rows: Iterable[GameRow],
    event: Event,
    entrants: Sequence[Entrant],
    rubric: Rubric,
    out: Path | None,
    *,
    machine: Machine = USUAL,
    refused: Sequence[Refused] = (),
    gradescope: bool = False,
    visibility: str = "visible",
) -> str:
    """Return the text to be printed. Unless `out` is None, create that folder and write `grades.csv` and `grades.json` there.

    refused: submissions that could not be taken in; they get no points. gradescope: write `gradescope/NAME/results.json`
    too, with this visibility. A file is written as a whole or not at all. Raises OSError.
    """
    found = grades(rows, rubric, entrants, event.games)
    found += [refused_grade(one.name, one.students, one.reason, rubric) for one in refused]
    found.sort(key=lambda grade: grade.name)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        write_beside(out / "grades.csv", grades_csv(found, rubric).encode())
        everything = {"event": event_fields(event, machine), "rubric": rubric.title, "grades": grades_json(found)}
        write_beside(out / "grades.json", json_bytes(everything))
        if gradescope:
            for grade in found:
                folder = out / "gradescope" / grade.name
                folder.mkdir(parents=True, exist_ok=True)
                write_beside(folder / "results.json", json_bytes(results(grade, visibility)))
    return grades_text(found, rubric, event.games)


def json_bytes(value: object) -> bytes:
    """Return a value as the contents of a JSON file, in plain ASCII."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()


# Text


def grades_text(found: Sequence[Grade], rubric: Rubric, games: int) -> str:
    """Return grades as a table, with notes below it."""
    from tabulate import tabulate

    opponents = [opponent.name for opponent in rubric.opponents]
    header = ["name", "points", *_stages(rubric), *opponents, "forfeits", "s/move", "longest"]
    full = " + ".join(shown(points) for points in rubric.stages.values())
    lines = [
        f"{rubric.title}: {games} games per opponent, {full} points at most",
        "",
        tabulate([_line(grade, rubric) for grade in found], header, disable_numparse=True, colalign=_alignment(rubric)),
    ]
    parts = [part for grade in found for part in grade.parts]
    if any(part.uncertain for part in parts):
        lines += ["", "~ close to a threshold (the 95 % interval reaches across): other seeds might give other points"]
    if not all(grade.complete for grade in found):
        lines += ["", "* games are missing; these points are not final"]
    lines += [""] if any(grade.refused or grade.over_budget for grade in found) else []
    lines += [f"{grade.name}: {printable(grade.refused, 300)}" for grade in found if grade.refused]
    lines += [
        f"{grade.name}: all games took {grade.whole.seconds:.0f} s, the rubric allows {rubric.seconds} s"
        for grade in found
        if grade.over_budget
    ]
    return "\n".join(lines)


def _alignment(rubric: Rubric) -> list[str]:
    numbers = len(_stages(rubric)) + len(rubric.opponents)
    return ["left", "right", *["right"] * numbers, "left", "right", "right"]


def _stages(rubric: Rubric) -> dict[str, int]:
    """Return the stages by name, if there are more than one."""
    return {f"stage {stage}": stage for stage in rubric.stages} if len(rubric.stages) > 1 else {}


def _stage_points(grade: Grade, rubric: Rubric, stage: int) -> str:
    parts = zip(rubric.opponents, grade.parts, strict=True)
    return shown(sum((part.points for opponent, part in parts if opponent.stage == stage), Fraction()))


def _line(grade: Grade, rubric: Rubric) -> list[str]:
    points = shown(grade.points) + ("" if grade.complete else "*")
    stages = [_stage_points(grade, rubric, stage) for stage in _stages(rubric).values()]
    if grade.refused:
        return [grade.name, points, *["-"] * (len(stages) + len(grade.parts)), "refused", "", ""]
    times = [f"{grade.whole.mean:.3f}", f"{grade.whole.worst:.3f}"]
    return [grade.name, points, *stages, *map(_cell, grade.parts), forfeits_text(grade), *times]


def _cell(part: Part) -> str:
    """Return '17 (85%)', marked if the win rate is close to a threshold."""
    if not part.tally.total.games:
        return "-"
    return f"{'~' if part.uncertain else ''}{shown(part.points)} ({100 * float(part.rate):.3g}%)"


def forfeits_text(grade: Grade) -> str:
    """Return '2 time-out, 1 crash', or ''."""
    counted = grade.whole.forfeits
    return ", ".join(f"{counted[reason]} {reason.value}" for reason in _FORFEITS if counted[reason])


# CSV and JSON


def grades_csv(found: Sequence[Grade], rubric: Rubric) -> str:
    """Return grades as CSV: one line per submission. The columns depend on the rubric only."""
    empty = refused_grade("", (), "", rubric)
    lines = (_flat(empty, rubric), *(_flat(grade, rubric).values() for grade in found))
    return "".join(csv_line(values) for values in lines)


def _flat(grade: Grade, rubric: Rubric) -> dict[str, object]:
    whole = grade.whole
    line: dict[str, object] = {
        "name": grade.name,
        "students": "; ".join(grade.students),
        "points": shown(grade.points),
        "of": shown(grade.full),
        "complete": "yes" if grade.complete else "no",
        "over_time": "yes" if grade.over_budget else "no",
        "refused": grade.refused,
    }
    line |= {f"stage_{stage}_points": _stage_points(grade, rubric, stage) for stage in _stages(rubric).values()}
    for part in grade.parts:
        line |= {f"{part.opponent}_{key}": value for key, value in _part(part).items()}
    line |= {f"forfeits_{reason.value.replace(' ', '_')}": whole.forfeits[reason] for reason in _FORFEITS}
    return line | _times(grade)


def _part(part: Part) -> dict[str, object]:
    colours = {f"{colour}_{what}": number for colour, score in (("black", part.tally.black), ("white", part.tally.white))
               for what, number in _counts(score).items()}  # fmt: skip
    return {
        "points": shown(part.points),
        **colours,
        "rate": round(float(part.rate), 4),
        "rate_low": round(part.low, 4),
        "rate_high": round(part.high, 4),
        "close": "yes" if part.uncertain else "no",
    }


def _counts(score: Score) -> dict[str, int]:
    return {"won": score.wins, "lost": score.losses, "tied": score.ties}


def _times(grade: Grade) -> dict[str, object]:
    return {"seconds_per_move": round(grade.whole.mean, 4), "longest_seconds": round(grade.whole.worst, 4)}


def grades_json(found: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return grades as plain data."""
    return [
        {
            "name": grade.name,
            "students": list(grade.students),
            "points": float(shown(grade.points, 6)),
            "of": float(shown(grade.full, 6)),
            "complete": grade.complete,
            "over_time": grade.over_budget,
            "refused": grade.refused,
            "opponents": [_part_json(part) for part in grade.parts],
            "forfeits": {reason.value: grade.whole.forfeits[reason] for reason in _FORFEITS},
            **_times(grade),
        }
        for grade in found
    ]


def _part_json(part: Part) -> dict[str, Any]:
    return {
        "opponent": part.opponent,
        "points": float(shown(part.points, 6)),
        "of": float(shown(part.full, 6)),
        "games": part.tally.total.games,
        "expected": part.expected,
        "black": _counts(part.tally.black),
        "white": _counts(part.tally.white),
        "rate": float(part.rate),
        "interval": [part.low, part.high],
        "close": part.uncertain,
    }
