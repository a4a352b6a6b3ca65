"""A grade as Gradescope's `results.json`: score, tests[], leaderboard[], visibility.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format"). Texts are marked as plain, so
that nothing that a submission printed is taken for HTML or Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goban.common.estimates import percent
from tournament.results.grading import Grade, Part
from tournament.results.late_report import late_lines
from tournament.results.rubrics import shown

_NO_FAULTS: Mapping[str, str] = {}
VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
DECIMALS = 2
OPEN_SHARE = 0.05
"""From this probability of another band on it is told."""
OPEN = "Open: how likely as many other games would give another band. The fewer games, the more is open, for everybody."
# Where a result that is shown again keeps its own text.
_OUTPUT = "graded_output"


def results(grade: Grade, visibility: str = "visible", faults: Mapping[str, str] = _NO_FAULTS) -> dict[str, Any]:
    """Return the contents of `results.json`; `visibility` is one of VISIBILITIES.

    faults: opponent -> what is said of the first game that was forfeited against it, where that is to be told.
    While games are missing there is no score, on top or in a test, of which Gradescope would make a sum. The leaderboard shows
    the points, the win rate over all games, and the mean time per move (less is better), of who has played all games. What a
    roster says besides is the extra data, which students do not see.
    """
    said: dict[str, Any] = {
        "output": _summary(grade),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": [_test(part, number, grade, faults.get(part.opponent, "")) for number, part in enumerate(grade.parts, 1)],
    }
    if grade.complete:
        said = {"score": _number(grade), **said}
        said |= {"leaderboard": _leaderboard(grade)} if not grade.refused else {}
    return said | ({"extra_data": dict(grade.fields)} if grade.fields else {})


def unfinished(reason: str) -> dict[str, Any]:
    """Return the contents of `results.json` for a submission about which nothing is known, through no fault of its own.

    It has no score. The specification then wants tests, which may be without one, too.
    """
    output = f"This submission was not graded, which says nothing about it: {reason}. Please tell the course's staff."
    tests = [{"name": "not graded", "output": reason}]
    return {"output": output, "output_format": "text", "stdout_visibility": "hidden", "tests": tests}


def not_another(before: int, most: int, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of `results.json` for a submission that is one too many: what it says is `result`, that of the one
    before, with a line on top.

    before: how many were graded; most: how many are. This is how Gradescope's documents limit submissions.
    """
    said = f"Not graded: {before} submissions were graded before, and the limit is {most}."
    if not result:
        return {**unfinished(said.rstrip(".")), "output": said}
    extra = result["extra_data"] if isinstance(result.get("extra_data"), dict) else {}
    graded = str(extra.get(_OUTPUT, result.get("output", "")))
    output = f"{said} What follows is the result of the last one that was.\n\n{graded}"
    return {**result, "output": output, "extra_data": {**extra, _OUTPUT: graded}}


def _number(points: Grade | Part) -> float:
    return float(shown(points.points, DECIMALS))


def _leaderboard(grade: Grade) -> list[dict[str, Any]]:
    """Return the columns. Who has forfeited every game is not compared by time: it would lead by answering nothing."""
    whole = grade.whole.total
    rate = round(100 * whole.wins / whole.games, 1) if whole.games else 0.0
    columns: list[dict[str, Any]] = [{"name": "points", "value": _number(grade)}, {"name": "games won (%)", "value": rate}]
    if grade.whole.forfeits.total() < whole.games:
        columns.append({"name": "seconds per move", "value": round(grade.whole.mean, 3), "order": "asc"})
    return columns


def _test(part: Part, number: int, grade: Grade, fault: str) -> dict[str, Any]:
    told = part_text(part) + (f"\nthe first of them: {fault}" if fault else "")
    said: dict[str, Any] = {"name": f"against {part.opponent}", "number": str(number)}
    if grade.complete:
        full = float(shown(part.full, DECIMALS))
        status = "passed" if part.points == part.full else "failed"
        said |= {"score": _number(part), "max_score": full, "status": status}
    return {**said, "output": told if not grade.refused else "not played"}


def part_text(part: Part) -> str:
    """Return one paragraph about the games against one reference player."""
    score = part.tally.total
    if not score.games:
        return "no game yet"
    lines = [
        f"{score.games} of {part.expected} games, {score.wins} won ({100 * float(part.rate):.1f} %, 95 % interval "
        f"{100 * part.low:.1f} to {100 * part.high:.1f} %)",
        *(["close to a threshold"] if part.uncertain else []),
        f"as Black {part.tally.black.text()}, as White {part.tally.white.text()} (won-lost-tied)",
        f"{part.tally.mean:.3f} s per move, longest {part.tally.worst:.3f} s",
    ]
    lines += [f"forfeited {number} x {reason.value}" for reason, number in sorted(part.tally.forfeits.items())]
    return "\n".join(lines)


def few_games(grade: Grade) -> str:
    """Return what the probability of another band says of a grade, and what it does not."""
    return f"So few games leave room for luck: as many others would give another band with a chance of {percent(grade.other)}."


def _summary(grade: Grade) -> str:
    if grade.refused:
        return f"This submission could not be played: {grade.refused}"
    if grade.complete:
        lines = [f"{shown(grade.points, DECIMALS)} of {shown(grade.full, DECIMALS)} points", *late_lines(grade)]
        # Where nothing but faults was seen, luck is not what is missing.
        by_luck = grade.other >= OPEN_SHARE and grade.whole.forfeits.total() < grade.whole.total.games
        lines += [few_games(grade)] if by_luck else []
    else:
        expected = sum(part.expected for part in grade.parts)
        lines = [f"{grade.whole.total.games} of {expected} games were played. Until all are, there are no points."]
    if grade.over_budget:
        lines.append(f"All games took {grade.whole.seconds:.0f} s, which is more than the rubric allows.")
    return "\n".join(lines)
