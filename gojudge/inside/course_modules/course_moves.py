"""course_moves: what the reference players of the course look at, seen through the host's GO and in no hurry.

All points are (row, column). `go` is any object with the methods of the host's GO; it is copied, never changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Point = tuple[int, int]


def placements(go: Any, piece_type: int) -> list[Point]:  # noqa: ANN401
    """Return the points on which a colour may place a stone now, row by row."""
    size = range(len(go.board))
    return [(i, j) for i in size for j in size if go.valid_place_check(i, j, piece_type, test_check=True)]


def after(go: Any, point: Point, piece_type: int) -> tuple[Any, int]:  # noqa: ANN401
    """Return a copy of the game after a placement, and how many stones it captured."""
    test = go.copy_board()
    test.place_chess(*point, piece_type)
    test.died_pieces = test.remove_died_pieces(3 - piece_type)
    return test, len(test.died_pieces)


def best(points: list[Point], value: Callable[[Point], int]) -> list[Point]:
    """Return the points of the highest value; all of none."""
    values = [value(point) for point in points]
    return [point for point, worth in zip(points, values, strict=True) if worth == max(values)]


def most_captures(go: Any, points: list[Point], piece_type: int) -> tuple[list[Point], bool]:  # noqa: ANN401
    """Return the points that capture most at once, and whether they capture anything."""
    captures = {point: after(go, point, piece_type)[1] for point in points}
    return best(points, captures.__getitem__), any(captures.values())


def most_captures_by_two(go: Any, points: list[Point], piece_type: int) -> list[Point]:  # noqa: ANN401
    """Return the points that begin a pair of placements, with no reply in between, that captures most."""

    def of_pairs(first: Point) -> int:
        test, captured = after(go, first, piece_type)
        return max((captured + after(test, second, piece_type)[1] for second in placements(test, piece_type)), default=-1)

    return best(points, of_pairs)


def aggressive(go: Any, points: list[Point], piece_type: int) -> tuple[list[Point], bool]:  # noqa: ANN401
    """Return the points an aggressive player chooses from, and whether they capture at once."""
    chosen, captures = most_captures(go, points, piece_type)
    return (chosen, True) if captures else (most_captures_by_two(go, points, piece_type), False)


def fewest_losses(go: Any, points: list[Point], piece_type: int) -> list[Point]:  # noqa: ANN401
    """Return the points after which the worst reply leaves most own stones on the board."""

    def stones_left(point: Point) -> int:
        test, _ = after(go, point, piece_type)
        own: int = sum(row.count(piece_type) for row in test.board)
        return own - max((after(test, reply, 3 - piece_type)[1] for reply in placements(test, 3 - piece_type)), default=0)

    return best(points, stones_left)


def nearest_to_centre(go: Any, points: list[Point]) -> list[Point]:  # noqa: ANN401
    """Return the points with the smallest sum of row and column distance to the centre."""
    last = len(go.board) - 1
    return best(points, lambda point: -abs(2 * point[0] - last) - abs(2 * point[1] - last))
