"""The value of a tiny board under `area` rules and positional superko, by playing every game there is.

Written from the rules, without any code of the packages under test. Boards are strings of '.', 'X' and 'O', row by row.
"""

from __future__ import annotations

from functools import cache

OTHER = {"X": "O", "O": "X"}
NOTHING = 99


@cache
def neighbours(height: int, width: int) -> tuple[tuple[int, ...], ...]:
    """For each point, the points next to it."""

    def around(point: int) -> tuple[int, ...]:
        i, j = divmod(point, width)
        pairs = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        return tuple(a * width + b for a, b in pairs if 0 <= a < height and 0 <= b < width)

    return tuple(around(point) for point in range(height * width))


def reached(board: str, start: int, near: tuple[tuple[int, ...], ...]) -> tuple[set[int], set[str]]:
    """The points of one mark connected with `start`, and the marks beside them."""
    found, beside, todo = {start}, set(), [start]
    while todo:
        for other in near[todo.pop()]:
            if board[other] != board[start]:
                beside.add(board[other])
            elif other not in found:
                found.add(other)
                todo.append(other)
    return found, beside


def score(board: str, near: tuple[tuple[int, ...], ...]) -> int:
    """Black's area less White's."""
    total = 0
    for point, mark in enumerate(board):
        colours = {mark} if mark != "." else reached(board, point, near)[1]
        total += (colours == {"X"}) - (colours == {"O"})
    return total


def placed(board: str, point: int, mark: str, near: tuple[tuple[int, ...], ...], suicide: bool = False) -> str | None:
    """The board after a placement, None if there is none such; a suicide of one stone is none."""
    after = board[:point] + mark + board[point + 1 :]
    for colour in (OTHER[mark], mark):
        dead = {p for p, m in enumerate(after) if m == colour and "." not in reached(after, p, near)[1]}
        if dead and colour == mark and (not suicide or dead == {point}):
            return None
        after = "".join("." if p in dead else m for p, m in enumerate(after))
    return after


def superko_value(height: int, width: int) -> int:
    """What the empty board is worth under positional superko, by alpha-beta over all games."""
    near = neighbours(height, width)

    def value(board: str, mark: str, passed: bool, before: frozenset[str], low: int, high: int) -> int:
        """For the player to move."""
        best = -NOTHING
        # A pass first: Tromp counts 1,446 positions on 2x2 so, and 19 million if it comes last.
        for point in [None, *(p for p, m in enumerate(board) if m == ".")]:
            if point is None:
                if passed:
                    found = score(board, near) * (1 if mark == "X" else -1)
                else:
                    found = -value(board, OTHER[mark], True, before, -high, -low)
            else:
                after = placed(board, point, mark, near)
                if after is None or after in before:
                    continue
                found = -value(after, OTHER[mark], False, before | {after}, -high, -low)
            best = max(best, found)
            low = max(low, found)
            if low >= high:
                break
        return best

    empty = "." * (height * width)
    return value(empty, "X", False, frozenset({empty}), -NOTHING, NOTHING)
