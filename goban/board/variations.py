"""Variations: lines of moves that were played in a game and left again, by undo or to go on elsewhere.

A line is a list of names of moves from the empty board, without a resignation.
"""

from __future__ import annotations

from collections.abc import Sequence

Line = list[str]
MOST_LINES = 200
"""Beyond them the oldest is forgotten."""


def with_line(lines: Sequence[Line], line: Sequence[str]) -> list[Line]:
    """Return the lines with another one at the end; a line that another one begins with is no line of its own."""
    new = [name for name in line if name != "resign"]
    if not new or any(one[: len(new)] == new for one in lines):
        return list(lines)
    return [*(one for one in lines if new[: len(one)] != one), new][-MOST_LINES:]
