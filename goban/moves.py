"""Moves: a point to play on, a pass, or a resignation; and reading them from a player's answer.

    move        inside             as a player answers       as people write it
    placement   (1, 1)             any two integers          'B4'
    pass        None               'PASS'                    'pass'
    resign      Resign.RESIGN      'RESIGN'                  'resign'
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from types import CoroutineType, GeneratorType
from typing import Final

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from goban.common.player_faults import ASYNC
from goban.errors import BadAnswerError
from goban.points import Point, check_size, parse_vertex, point_of, vertex


class Resign(Enum):
    """The move that gives the game up."""

    RESIGN = "RESIGN"


RESIGN: Final = Resign.RESIGN
PASS: Final = None

Move = Point | None | Resign
AnyMove = Move | str | int | Sequence[int]
"""A move as a caller of the library may give it: see `move_of`."""


@dataclass(frozen=True)
class Unreadable:
    """An answer that was already found not to be a move. text: its `repr`; why: the reason."""

    text: str
    why: str

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Remarked:
    """An answer with a remark from the side that gave it, which is appended to a complaint if there is one."""

    answer: object
    remark: str

    def __repr__(self) -> str:
        return repr(self.answer)


def move_name(move: AnyMove, size: int) -> str:
    """Return the name of a move: 'B4', 'pass' or 'resign'. Raises BadPointError if it is off the board."""
    if not isinstance(move, tuple):
        check_size(size)
        move = move_of(move, size)
    return "resign" if isinstance(move, Resign) else vertex(move, size)


def parse_move(text: str, size: int) -> Move:
    """Return the move with this name: the inverse of `move_name`. Raises BadPointError.

    >>> parse_move('b4', 5)
    (1, 1)
    """
    return RESIGN if isinstance(text, str) and text.strip().lower() == "resign" else parse_vertex(text, size)


def move_of(given: AnyMove, size: int) -> Move:
    """Return the move that a caller of the library means: see `State.play`. Raises BadPointError.

    A number is an action of `GoBatch`, size * row + column; size * size passes.

    >>> move_of('pass', 5), move_of([1, 1], 5), move_of(6, 5), move_of(25, 5)
    (None, (1, 1), (1, 1), None)
    """
    if given is PASS or isinstance(given, Resign):
        return given
    if isinstance(given, str):
        return parse_move(given, size)
    if not isinstance(given, tuple) and is_whole(given, 0, size * size):
        action = operator.index(given)  # type: ignore[arg-type]
        return PASS if action == size * size else divmod(action, size)
    return point_of(given, size)  # type: ignore[arg-type]


def read_answer(answer: object, size: int) -> Move:
    """Return the move a player's answer means, whatever object it is.

    An answer is "PASS", "RESIGN", or any sequence of exactly two integers in the sense of `operator.index` (lists and
    numpy integers are fine, floats are not), both from 0 to size - 1. Whether the rules allow the move is not checked.
    Raises BadAnswerError, with the answer quoted, for everything else; an exception raised by a hostile object counts
    as such an answer.
    """
    if type(answer) is Unreadable:
        raise BadAnswerError(answer.why)
    try:
        move = _read(answer)
    except KeyboardInterrupt:
        raise
    except BaseException:
        raise BadAnswerError(_why_no_move(answer)) from None
    if isinstance(move, tuple) and not (0 <= move[0] < size and 0 <= move[1] < size):
        raise BadAnswerError(f"expected a row and a column from 0 to {size - 1}, got {quoted(move)}")
    return move


def _why_no_move(answer: object) -> str:
    kind = type(answer)
    if answer is None:
        return "expected (row, column), got None: get_input returned nothing"
    if kind is GeneratorType:
        return "expected (row, column), got a generator: get_input has yield where return is meant"
    if type(answer) is CoroutineType:
        # Or Python would warn that nobody has waited for it.
        with suppress(BaseException):
            answer.close()
        return ASYNC
    # Not len(): the object may have one of its own, which raises.
    own = next((base for base in (tuple, list) if issubclass(kind, base)), None)
    pair = own is not None and own.__len__(answer) == 2  # type: ignore[arg-type]
    return f"expected {'two whole numbers' if pair else '(row, column)'}, got {quoted(answer)}"


def _read(answer: object) -> Move:
    """Return the move an answer means, wherever it is; raises anything at all if it means none."""
    # The true class: `isinstance` asks the object, which may lie or raise.
    kind = type(answer)
    if issubclass(kind, str):
        return {"PASS": PASS, "RESIGN": RESIGN}[str.__str__(answer)]
    if issubclass(kind, dict) or len(answer) != 2:  # type: ignore[arg-type]
        raise TypeError
    return operator.index(answer[0]), operator.index(answer[1])  # type: ignore[index]
