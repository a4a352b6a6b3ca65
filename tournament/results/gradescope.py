"""A grade as Gradescope's `results.json`: score, tests[], leaderboard[], visibility.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format"). Texts are marked as plain, so
that nothing that a submission printed is taken for HTML or Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from common.intervals import percent
from tournament.results.grading import Grade, Part
from tournament.results.late_report import late_lines
from tournament.results.rubrics import shown

_NO_FAULTS: Mapping[str, str] = {}
VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
DECIMALS = 2


def results(grade: Grade, visibility: str = "visible", faults: Mapping[str, str] = _NO_FAULTS) -> dict[str, Any]:
    """Return the contents of `results.json`; `visibility` is one of VISIBILITIES.

    faults: opponent -> one line about the first game that was forfeited against it, where that is to be told.
    The leaderboard shows the points, the win rate over all games, and the mean time per move (less is better). What a roster
    says besides is the extra data, which students do not see.
    """
    whole = grade.whole.total
    return {
        "score": _number(grade),
        "output": _summary(grade),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": [_test(part, number, grade, faults.get(part.opponent, "")) for number, part in enumerate(grade.parts, 1)],
        "leaderboard": [
            {"name": "points", "value": _number(grade)},
            {"name": "games won (%)", "value": round(100 * whole.wins / whole.games, 1) if whole.games else 0.0},
            {"name": "seconds per move", "value": round(grade.whole.mean, 3), "order": "asc"},
        ],
    } | ({"extra_data": dict(grade.fields)} if grade.fields else {})


def unfinished(reason: str) -> dict[str, Any]:
    """Return the contents of `results.json` for a submission about which nothing is known, through no fault of its own."""
    output = f"This submission was not graded, which says nothing about it: {reason}. Please tell the course's staff."
    return {"score": 0.0, "output": output, "output_format": "text", "stdout_visibility": "hidden", "tests": []}


def _number(points: Grade | Part) -> float:
    return float(shown(points.points, DECIMALS))


def _test(part: Part, number: int, grade: Grade, fault: str) -> dict[str, Any]:
    told = part_text(part) + (f"\nthe first: {fault}" if fault else "")
    return {
        "name": f"against {part.opponent}",
        "number": str(number),
        "score": _number(part),
        "max_score": float(shown(part.full, DECIMALS)),
        "status": "passed" if part.points == part.full else "failed",
        "output": told if not grade.refused else "not played",
    }


def part_text(part: Part) -> str:
    """Return one paragraph about the games against one reference player."""
    score = part.tally.total
    if not score.games:
        return "no game yet"
    close = "close to a threshold: " if part.uncertain else ""
    lines = [
        f"{score.games} of {part.expected} games, {score.wins} won ({100 * float(part.rate):.1f} %, 95 % interval "
        f"{100 * part.low:.1f} to {100 * part.high:.1f} %)",
        f"{close}other seeds would give another band with a chance of {percent(part.other)}",
        f"as Black {part.tally.black.text()}, as White {part.tally.white.text()} (won-lost-tied)",
        f"{part.tally.mean:.3f} s per move, longest {part.tally.worst:.3f} s",
    ]
    lines += [f"forfeited {number} x {reason.value}" for reason, number in sorted(part.tally.forfeits.items())]
    return "\n".join(lines)


def _summary(grade: Grade) -> str:
    if grade.refused:
        return f"This submission could not be played: {grade.refused}"
    lines = [f"{shown(grade.points, DECIMALS)} of {shown(grade.full, DECIMALS)} points", *late_lines(grade)]
    if not grade.complete:
        lines.append("Some games are still to be played: these points are not final.")
    if grade.over_budget:
        lines.append(f"All games took {grade.whole.seconds:.0f} s, which is more than the rubric allows.")
    return "\n".join(lines)
