"""What reports say of when submissions came, what that costs, and which attempt counts."""

from __future__ import annotations

from typing import Any

from tournament.results.grading import Grade
from tournament.results.rubrics import shown


def late_lines(grade: Grade) -> list[str]:
    """Return what people should know: that it was late and what that costs, and which of several attempts counts."""
    lines, late = [], grade.late
    if late is not None and not late.known and not grade.refused:
        marked = "it was late, and nobody says how late" if late.marked else "nobody says when it was handed in"
        lines.append(f"{marked}: it counts as in time")
    elif late is not None and late.days:
        less = f": {shown(grade.earned)} - {shown(late.penalty)} = {shown(grade.points)} points" if late.penalty else ""
        lines.append(f"handed in {late.time}, {late.words}{less}")
    if late is not None and late.due_time:
        lines.append(f"due {late.due_time}{', an extension' if late.extended else ''}")
    if grade.attempts:
        each = ", ".join(f"{number}. {attempt_text(attempt)}" for number, attempt in enumerate(grade.attempts, 1))
        lines.append(f"attempt {place_of(grade)} of {len(grade.attempts)} counts; points: {each}")
    return lines


def place_of(grade: Grade) -> int:
    """Return which of its student's attempts a grade is, from 1; there must be several."""
    return 1 + next(k for k, attempt in enumerate(grade.attempts) if attempt.name == grade.name)


def attempt_text(attempt: Grade) -> str:
    """Return the points of one of several attempts: '85 (95 before the penalty)'."""
    less = attempt.late is not None and attempt.late.penalty
    return shown(attempt.points) + (f" ({shown(attempt.earned)} before the penalty)" if less else "")


def late_cells(grade: Grade) -> dict[str, object]:
    """Return a CSV line's cells by their columns; none if the grade has no deadline."""
    if grade.late is None:
        return {}
    return {
        "before_penalty": shown(grade.earned),
        "penalty": shown(grade.late.penalty),
        "late": grade.late.words,
        "late_days_used": grade.late.free,
        **({} if grade.late.left is None else {"late_days_left": grade.late.left}),
        "attempts": "; ".join(map(attempt_text, grade.attempts)),
    }


def late_json(grade: Grade) -> dict[str, Any]:
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
        "penalty": float(shown(late.penalty, 6)),
        **({} if late.left is None else {"left": late.left}),
        **({"extended_to": late.due.isoformat()} if late.extended and late.due is not None else {}),
    }
    found: dict[str, Any] = {"before_penalty": float(shown(grade.earned, 6)), "late": said}
    if grade.attempts:
        found["attempts"] = [
            {"name": one.name, "points": float(shown(one.points, 6)), "counts": one.name == grade.name, **late_json(one)}
            for one in grade.attempts
        ]
    return found
