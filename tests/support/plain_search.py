"""Exact values by plain recursion: every move of every position, no pruning, no symmetry, no bit tricks.

Written from the rules, without any code of the packages under test. Boards are strings of '.', 'X' and 'O', row by row.
The only rule sets are `course` and `littlego`.
"""

from __future__ import annotations

from functools import cache


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """For each point, the points next to it."""

    def around(point: int) -> tuple[int, ...]:
        i, j = divmod(point, size)
        pairs = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        return tuple(a * size + b for a, b in pairs if 0 <= a < size and 0 <= b < size)

    return tuple(around(point) for point in range(size * size))


def without_liberty(board: str, point: int, near: tuple[tuple[int, ...], ...]) -> list[int]:
    """The group of the stone on `point` if it touches no empty point; else nothing."""
    colour, found = board[point], [point]
    for member in found:  # grows while it is walked
        for other in near[member]:
            if board[other] == ".":
                return []
            if board[other] == colour and other not in found:
                found.append(other)
    return found


def placed(board: str, point: int, colour: str, size: int) -> tuple[str, int] | None:
    """(the board after a placement, how many stones it captured); None for suicide."""
    near = neighbours(size)
    after = board[:point] + colour + board[point + 1 :]
    dead: set[int] = set()
    for other in near[point]:
        if after[other] not in (".", colour):
            dead.update(without_liberty(after, other, near))
    if dead:
        after = "".join("." if k in dead else mark for k, mark in enumerate(after))
    return None if without_liberty(after, point, near) else (after, len(dead))


class PlainGame:
    """Values of positions under one rule set and size, each computed once.

    A position is (board, colour to move, board that a capture may not bring back or None, whether a pass ends the game,
    moves left).
    """

    def __init__(self, rules: str, size: int) -> None:
        self.passing = {"course": False, "littlego": True}[rules]
        self.size = size
        self.values: dict[tuple, int] = {}

    def start(self) -> tuple:
        return "." * self.size**2, "X", None, self.passing, self.size**2 - 1

    def position(self, state) -> tuple:
        """The position of a `goban` state, read from its rows."""

        def text(rows):
            return "".join(".XO"[stone] for row in rows for stone in row)

        board, previous = text(state.rows()), text(state.grid.rows(*state.previous))
        banned = previous if state.captured else None
        left = self.size**2 - 1 - state.n_move
        return board, "XO"[state.to_move - 1], banned, self.passing and board == previous, left

    def successors(self, position: tuple) -> list[tuple[int | None, tuple | None]]:
        """(point or None for a pass, position after it or None if the pass ends the game) for every legal move."""
        board, colour, banned, pass_ends, left = position
        other = "O" if colour == "X" else "X"
        found: list[tuple[int | None, tuple | None]] = []
        for point, mark in enumerate(board):
            result = placed(board, point, colour, self.size) if mark == "." else None
            if result is not None and not (banned is not None and result[1] and result[0] == banned):
                found.append((point, (result[0], other, board if result[1] else None, False, left - 1)))
        if self.passing:
            found.append((None, None if pass_ends else (board, other, None, True, left - 1)))
        return found

    def value(self, position: tuple) -> int:
        """Black's stones less White's at the end, with best play."""
        known = self.values.get(position)
        if known is None:
            board, colour, _, _, left = position
            now = board.count("X") - board.count("O")
            after = self.successors(position) if left else []
            results = [now if successor is None else self.value(successor) for _, successor in after]
            known = now if not results else max(results) if colour == "X" else min(results)
            self.values[position] = known
        return known


@cache
def plain_game(rules: str, size: int) -> PlainGame:
    """The values of one rule set and size; those that a test has had computed the next ones find."""
    return PlainGame(rules, size)
