"""What is near for the reply to a move, a drawing for each clause.

Black plays on *; the empty points that are near for the reply are drawn as +, others as a dot.
"""

from __future__ import annotations

from tests.support.oracle import Board, Point
from tests.support.weight_cases import board_of

NEAR = {
    "the eight points around the move": """
        . . . . .
        . + + + .
        . + * + .
        . + + + .
        . . . . .""",
    "the other liberty of an own string that had two": """
        . . . . .
        + + O . .
        + * X + .
        + + O . .
        . . . . .""",
    "the liberties of an opposing string that is left with two": """
        . . . . .
        + + + . .
        + * O + .
        + + X . .
        . . . . .""",
    "but not those of one that is left with three": """
        . . . . .
        + + + . .
        + * O . .
        + + + . .
        . . . . .""",
    "the liberties of the string of the move, if it has two": """
        . . . . .
        . + O + .
        . O * X +
        . + O O .
        . . . . .""",
    "captured points and the points around them": """
        . . . . . .
        . + X X + +
        . X o o * +
        . + X X + +
        . . . . . .
        . . . . . .""",
    "the liberties of own strings that touched what was captured, if they had two": """
        + X + + .
        X o * + .
        O X O + .
        + X O . .
        . + . . .""",
}


def drawn(text: str) -> tuple[Board, Point, set[Point]]:
    """The board, the move and the near points of a drawing. A captured stone is drawn as o, and is near."""
    rows = [line.split() for line in text.split("\n") if line.strip()]
    points = {(i, j): mark for i, row in enumerate(rows) for j, mark in enumerate(row)}
    board = board_of("".join(mark.replace("o", "O") if mark in "XOo" else "." for mark in points.values()), len(rows))
    (move,) = (point for point, mark in points.items() if mark == "*")
    return board, move, {point for point, mark in points.items() if mark in "+o"}
