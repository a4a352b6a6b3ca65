"""Moves: a point to play on, a pass, or a resignation; and reading them from what a player answered.

    move        inside             as a player answers       as people write it
    placement   (1, 1)             any two integers          'B4'
    pass        None               'PASS'                    'pass'
    resign      Resign.RESIGN      'RESIGN'                  'resign'
"""

from __future__ import annotations

import operator
from enum import Enum
from typing import Final

from goban.errors import BadAnswerError
from goban.points import Point, vertex


class Resign(Enum):
    """The move that gives the game up."""

    RESIGN = "RESIGN"


RESIGN: Final = Resign.RESIGN
PASS: Final = None

Move = Point | None | Resign


def move_name(move: Move, size: int) -> str:
    """Return a move as people write it: 'B4', 'pass' or 'resign'; BadPointError if it is off the board."""
    return "resign" if isinstance(move, Resign) else vertex(move, size)


def read_answer(answer: object, size: int) -> Move:
    """Return the move a player's answer means, whatever object it is.

    An answer is "PASS", "RESIGN", or any sequence of exactly two integers in the sense of `operator.index` (lists and
    numpy integers are fine, floats are not), both from 0 to size - 1. Whether the rules allow the move is not checked.
    Raises BadAnswerError, with the answer quoted, for everything else; an exception raised by a hostile object counts
    as such an answer.
    """
    if isinstance(answer, str):
        if answer == "PASS":
            return PASS
        if answer == "RESIGN":
            return RESIGN
        raise BadAnswerError(f"expected (row, column), got {_quoted(answer)}")
    try:
        if len(answer) != 2:  # type: ignore[arg-type]
            raise TypeError
        point = operator.index(answer[0]), operator.index(answer[1])  # type: ignore[index]
    except Exception:
        raise BadAnswerError(f"expected (row, column), got {_quoted(answer)}") from None
    if not (0 <= point[0] < size and 0 <= point[1] < size):
        raise BadAnswerError(f"expected a row and a column from 0 to {size - 1}, got {_quoted(answer)}")
    return point


def _quoted(answer: object) -> str:
    """Return the answer as one short line, even if it does not want to be shown."""
    try:
        text = ascii(answer)
    except Exception:
        text = f"an object of type {type(answer).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
