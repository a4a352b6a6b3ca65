"""Grades for people and for other programs: a printed table, CSV and JSON.

The same games give the same points; only measured seconds differ from machine to machine.

Submissions that could not be taken in stand in a file beside the results, so that reports can name them: the results file holds
only who has played. Each run of `grade` writes STORE.refused.json: {"refused": [{"name": ..., "students": [...], "reason": ...,
"fields": [[column, text], ...]}, ...]}, where the fields are what a roster says of them besides. Without the file nobody was
refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from goban.common.excerpts import printable
from goban.common.files import make_folder, read_bounded, write_beside
from gojudge.intake.submissions import Refused
from gojudge.records import Entrant, Termination
from tournament.errors import StoreError
from tournament.events.event_files import event_fields
from tournament.events.events import USUAL, Event, Machine
from tournament.results.course_systems import OPEN, OPEN_SHARE
from tournament.results.deadlines import Late, words
from tournament.results.exports import csv_line, roster_headers
from tournament.results.grading import Grade, Part, against, attempt_text, late_lines, refused_grade
from tournament.results.ratings import Score
from tournament.results.rubrics import OpponentRubric, Rubric, show_chance, show_points
from tournament.results.standings import terminal_table

# So many of the most open marks are listed below the table at most.
_LISTED = 10
_REASON_CHARACTERS = 400
_FORFEITS = [reason for reason in Termination if reason.is_forfeit]


def write_grade_reports(
    grades: Sequence[Grade], rubric: Rubric, event: Event, out: Path | None, machine: Machine = USUAL
) -> str:
    """Return the text to be printed. Unless `out` is None, create that folder and write `grades.csv` and `grades.json` there.

    A file is written as a whole or not at all. Raises OSError.
    """
    if out is not None:
        about: dict[str, Any] = {"event": event_fields(event, machine), "rubric": rubric.title}
        if rubric.deadline is not None:
            about["deadline"] = words(rubric.deadline)
        files = {
            "grades.csv": grades_csv(grades, rubric).encode(),
            "grades.json": json_bytes({**about, "grades": grades_json(grades)}),
        }
        make_folder(out)
        for name, data in files.items():
            write_beside(out / name, data)
    return grades_text(grades, rubric, event)


def json_bytes(value: object) -> bytes:
    """Return a value as the contents of a JSON file, in plain ASCII."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()


# Text


def grades_text(grades: Sequence[Grade], rubric: Rubric, event: Event) -> str:
    """Return grades as a table, with notes below it."""
    full = " + ".join(show_points(points) for points in rubric.stages.values())
    parts = [part for grade in grades for part in grade.parts]
    head = [f"{rubric.title}: {event.per_opponent}, {full} points at most"]
    if rubric.deadline is not None:
        head.append(words(rubric.deadline))
    if any(part.tally.total.games for part in parts):
        head.append(OPEN)
    headers, alignment = zip(*_columns(rubric), strict=True)
    table = terminal_table([_line(grade, rubric) for grade in grades], headers, alignment)
    undecided = f"undecided after {event.games} games" if event.until_decided else "the 95 % interval reaches across"
    close = f"~ close to a threshold ({undecided}): other seeds might give other points"
    slow = f"the rubric allows {rubric.seconds} s"
    blocks = [
        head,
        [table],
        [close] if any(part.uncertain for part in parts) else [],
        _open_marks(grades, rubric),
        ["* games are missing; these points are not final"] if not all(grade.complete for grade in grades) else [],
        [f"{grade.name}: {printable(grade.refused, 300)}" for grade in grades if grade.refused]
        + [f"{grade.name}: all games took {grade.whole.seconds:.0f} s, {slow}" for grade in grades if grade.over_budget],
        [f"{grade.person}: {line}" for grade in grades for line in late_lines(grade)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _open_marks(grades: Sequence[Grade], rubric: Rubric) -> list[str]:
    """Return the marks that other seeds are most likely to change, as a table with a line above it."""
    pairs = [(grade, opponent, part) for grade in grades for opponent, part in zip(rubric.opponents, grade.parts, strict=True)]
    pairs = sorted((pair for pair in pairs if pair[2].other >= OPEN_SHARE), key=lambda pair: -pair[2].other)
    if not pairs:
        return []
    rows = [
        [grade.person, part.opponent, part.tally.total.text(), opponent.bands[part.band].words, show_points(part.points),
         f"{show_points(part.least)} to {show_points(part.most)}", show_chance(part.other)]
        for grade, opponent, part in pairs[:_LISTED]
    ]  # fmt: skip
    header = ["name", "against", "won-lost", "band", "points", "95 % interval", "open"]
    more = f", {_LISTED} of {len(pairs)}" if len(pairs) > _LISTED else ""
    align = ["left", "left", "right", "left", *["right"] * 3]
    table = terminal_table(rows, header, align)
    return [f"The most open marks{more}:", "", table]


def rubric_text(grades: Sequence[Grade], rubric: Rubric) -> str:
    """Return what each opponent's games are worth, in words, and how the reference players did against these submissions."""
    tallies = {opponent.name: against(grades, opponent.name) for opponent in rubric.opponents}
    lines = [
        [opponent.name, show_points(opponent.full), opponent.words, Score(*_swap_sides(tallies[opponent.name].total)).text()]
        for opponent in rubric.opponents
    ]
    header = ["reference player", "points", "by the share of games won against it", "it won-lost"]
    return terminal_table(lines, header, ["left", "right", "left", "right"])


def _swap_sides(score: Score) -> tuple[int, int, int]:
    """Return the opponent's wins, losses and ties."""
    return score.losses, score.wins, score.ties


def _columns(rubric: Rubric) -> list[tuple[str, str]]:
    """Return the headers of the table's columns, each with its alignment; `_line` has the cells."""
    numbers = [*_stages(rubric), *(opponent.name for opponent in rubric.opponents), "open"]
    return [
        ("name", "left"),
        ("points", "right"),
        *([("before", "right"), ("late", "left")] if rubric.deadline is not None else []),
        *((header, "right") for header in numbers),
        ("forfeits", "left"),
        ("s/move", "right"),
        ("longest", "right"),
    ]


def _stages(rubric: Rubric) -> dict[str, int]:
    """Return the stages by name, if there are more than one."""
    return {f"stage {stage}": stage for stage in rubric.stages} if len(rubric.stages) > 1 else {}


def _stage_points(grade: Grade, rubric: Rubric, stage: int) -> Fraction:
    parts = zip(rubric.opponents, grade.parts, strict=True)
    return sum((part.points for opponent, part in parts if opponent.stage == stage), Fraction())


def _line(grade: Grade, rubric: Rubric) -> list[str]:
    points = _points(grade, grade.points) + ("" if grade.complete else "*")
    stages = [show_points(_stage_points(grade, rubric, stage)) for stage in _stages(rubric).values()]
    start = [grade.person, points, *([] if grade.late is None else [_points(grade, grade.earned), grade.late.words])]
    if grade.refused or not grade.played:
        return [*start, *["-"] * (len(stages) + len(grade.parts) + 1), "refused" if grade.refused else "not played", "", ""]
    times = [f"{grade.whole.mean:.3f}", f"{grade.whole.worst:.3f}"]
    return [*start, *stages, *map(_cell, grade.parts), show_chance(grade.other), forfeits_text(grade), *times]


def _points(grade: Grade, points: Fraction) -> str:
    """Return these points of a grade; '-' if nothing of it was played."""
    return show_points(points) if grade.played else "-"


def _cell(part: Part) -> str:
    """Return '17 (85%)', marked if the win rate is close to a threshold."""
    if not part.tally.total.games:
        return "-"
    return f"{'~' if part.uncertain else ''}{show_points(part.points)} ({100 * float(part.rate):.3g}%)"


def forfeits_text(grade: Grade) -> str:
    """Return '2 time-out, 1 crash', or ''."""
    counted = grade.whole.forfeits
    return ", ".join(f"{counted[reason]} {reason.value}" for reason in _FORFEITS if reason in counted)


# CSV and JSON


def grades_csv(grades: Sequence[Grade], rubric: Rubric) -> str:
    """Return grades as CSV: one line per submission. The columns depend on the rubric and on those of the roster only."""
    lates = [grade.late for grade in grades if grade.late is not None]
    late = Late(None, left=None if all(one.left is None for one in lates) else 0) if lates else None
    empty = replace(refused_grade("", (), "", rubric), late=late)
    more = roster_headers((grade.fields for grade in grades), _flat(empty, rubric, {}))
    lines = (_flat(empty, rubric, more), *(_flat(grade, rubric, more).values() for grade in grades))
    return "".join(csv_line(values) for values in lines)


def _flat(grade: Grade, rubric: Rubric, more: Mapping[str, str]) -> dict[str, object]:
    """Return a grade's cells by their columns. more: columns for what the roster says, with the roster's names for them."""
    whole, fields = grade.whole, dict(grade.fields)
    line: dict[str, object] = {
        "name": grade.person,
        "students": "; ".join(grade.students),
        **{header: fields.get(column, "") for header, column in more.items()},
        "points": grade.points if grade.played else "",
        "of": grade.full,
        "complete": "yes" if grade.complete else "no",
        "over_time": "yes" if grade.over_budget else "no",
        "refused": printable(grade.refused, _REASON_CHARACTERS),
        "other_band": round(grade.other, 4) if grade.played else "",
    }
    line |= _late_cells(grade)
    line |= {
        f"stage_{stage}_points": _stage_points(grade, rubric, stage) if grade.played else ""
        for stage in _stages(rubric).values()
    }
    for opponent, part in zip(rubric.opponents, grade.parts, strict=True):
        # Of a refused submission nothing is missing: it has 0 points.
        known = bool(grade.refused or part.tally.total.games)
        line |= {f"{part.opponent}_{key}": value if known else "" for key, value in _part(part, opponent).items()}
    line |= {f"forfeits_{reason.value.replace(' ', '_')}": whole.forfeits.get(reason, 0) for reason in _FORFEITS}
    return line | (_times(grade) if grade.played else dict.fromkeys(_times(grade), ""))


def _late_cells(grade: Grade) -> dict[str, object]:
    """Return a CSV line's cells by their columns; none if the grade has no deadline."""
    if grade.late is None:
        return {}
    return {
        "before_penalty": grade.earned,
        "penalty": grade.late.penalty,
        "late": grade.late.words,
        "late_days_used": grade.late.free,
        **({} if grade.late.left is None else {"late_days_left": grade.late.left}),
        "attempts": "; ".join(map(attempt_text, grade.attempts)),
    }


def _part(part: Part, opponent: OpponentRubric) -> dict[str, object]:
    colours = {f"{colour}_{what}": number for colour, score in (("black", part.tally.black), ("white", part.tally.white))
               for what, number in _counts(score).items()}  # fmt: skip
    return {
        "points": part.points,
        **colours,
        "rate": round(float(part.rate), 4),
        "rate_low": round(part.low, 4),
        "rate_high": round(part.high, 4),
        "close": "yes" if part.uncertain else "no",
        "band": opponent.bands[part.band].words,
        "points_low": part.least,
        "points_high": part.most,
        "other_band": round(part.other, 4),
    }


def _counts(score: Score) -> dict[str, int]:
    return {"won": score.wins, "lost": score.losses, "tied": score.ties}


def _times(grade: Grade) -> dict[str, object]:
    return {"seconds_per_move": round(grade.whole.mean, 4), "longest_seconds": round(grade.whole.worst, 4)}


def grades_json(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return grades as plain data."""
    return [
        {
            "name": grade.person,
            "students": list(grade.students),
            "roster": dict(grade.fields),
            "points": _number(grade.points) if grade.played else None,
            "of": _number(grade.full),
            "complete": grade.complete,
            "over_time": grade.over_budget,
            "refused": grade.refused,
            "other_band": grade.other if grade.played else None,
            **_late_json(grade),
            "opponents": [_part_json(part, bool(grade.refused)) for part in grade.parts],
            "forfeits": {reason.value: grade.whole.forfeits.get(reason, 0) for reason in _FORFEITS},
            **_times(grade),
        }
        for grade in grades
    ]


def _part_json(part: Part, refused: bool) -> dict[str, Any]:
    known = refused or part.tally.total.games > 0
    return {
        "opponent": part.opponent,
        "points": _number(part.points) if known else None,
        "of": _number(part.full),
        "games": part.tally.total.games,
        "expected": part.expected,
        "black": _counts(part.tally.black),
        "white": _counts(part.tally.white),
        "rate": float(part.rate) if known else None,
        "interval": [part.low, part.high],
        "close": part.uncertain,
        "points_interval": [_number(points) for points in (part.least, part.most)],
        "other_band": part.other if known else None,
    }


def _late_json(grade: Grade) -> dict[str, Any]:
    """Return the same as plain data, with every attempt's points."""
    if grade.late is None:
        return {}
    late, submitted = grade.late, grade.late.submitted
    said = {
        "submitted": None if submitted is None else submitted.isoformat(),
        "words": late.words,
        "days": late.days,
        "free": late.free,
        "cut_off": late.cut_off,
        "penalty": _number(late.penalty),
        **({} if late.left is None else {"left": late.left}),
        **({"extended_to": late.due.isoformat()} if late.extended and late.due is not None else {}),
    }
    found: dict[str, Any] = {"before_penalty": _number(grade.earned), "late": said}
    if grade.attempts:
        found["attempts"] = [
            {"name": one.name, "points": _number(one.points), "counts": one.name == grade.name, **_late_json(one)}
            for one in grade.attempts
        ]
    return found


def _number(points: Fraction) -> float:
    return float(show_points(points, 6))


_MOST_BYTES = 10_000_000
_STORED_REASON_CHARACTERS = 1_000


def refusals_path(store: Path) -> Path:
    """Return the path of the file with a store's refused submissions."""
    return store.with_name(f"{store.name}.refused.json")


def write_refusals(store: Path, refused: Iterable[Refused]) -> None:
    """Write the file as a whole, or remove an old one if nobody was refused. Raises OSError."""
    lines = [
        {"name": one.name, "students": list(one.students), "reason": one.reason, "fields": [list(pair) for pair in one.fields]}
        for one in refused
    ]
    if lines:
        write_beside(refusals_path(store), json_bytes({"refused": lines}))
    else:
        refusals_path(store).unlink(missing_ok=True)


def read_refusals(store: Path) -> list[Refused]:
    """Return a store's refused submissions. Raises StoreError if the file is not as `write_refusals` writes it."""
    path = refusals_path(store)
    try:
        lines = json.loads(read_bounded(path, _MOST_BYTES))["refused"]
        return [_read_refused(**one) for one in lines]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        name = printable(path.name, 200)
        raise StoreError(f"{name}: expected the refused submissions as grade writes them; delete it and grade again") from None


def _read_refused(name: str, students: list[str], reason: str, fields: list[list[str]]) -> Refused:
    said = tuple((column, text) for column, text in fields)
    if not all(type(text) is str for text in (name, reason, *students, *chain.from_iterable(said))):
        raise TypeError("expected texts")
    return Refused(name, tuple(students), Path(), printable(reason, _STORED_REASON_CHARACTERS), said)


def everybody(entrants: Iterable[Entrant], refused: Sequence[Refused]) -> list[Entrant]:
    """Return the entrants of an event and its refused submissions, as if those had taken part, by name.

    Who was refused last may have played before: then the entrant is returned.
    """
    by_name = {one.name: Entrant(one.name, one.students, fields=one.fields) for one in refused}
    by_name.update((entrant.name, entrant) for entrant in entrants)
    return sorted(by_name.values(), key=lambda entrant: entrant.name)
