"""Names for points: (row, col) pairs inside, 'B4' for people and GTP.

    form     top left   bottom right   pass     used by
    pair     (0, 0)     (4, 4)         None     GO, players, the match record
    vertex   'A5'       'E1'           'pass'   GTP, reports, error messages

Rows count down from the top, as in the course's input file.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from numbers import Integral, Real

from goban.common.arguments import check_kind
from goban.common.excerpts import quoted
from goban.errors import BadBoardError, BadPointError

Point = tuple[int, int]

# GTP leaves out I, which is easily read as 1 or l.
COLUMNS = "ABCDEFGHJKLMNOPQRST"


def vertex(point: Point | None, size: int) -> str:
    """Return the name of a point, such as 'B4'; None means pass.

    Raises BadPointError if the point is off the board.

    >>> vertex((1, 1), 5)
    'B4'
    """
    check_size(size, Integral)
    if point is None:
        return "pass"
    row, col = point_of(point, size)
    return f"{COLUMNS[col]}{size - row}"


def parse_vertex(text: str, size: int) -> Point | None:
    """Return the point that a GTP name stands for; None means pass.

    Raises BadPointError if the text names no point of this board.

    >>> parse_vertex('b4', 5)
    (1, 1)
    """
    check_kind(text, str, "a vertex like 'B4' or 'pass'", BadPointError)
    check_size(size, Integral)
    name = text.strip().upper()
    if name == "PASS":
        return None
    col = COLUMNS.find(name[:1]) if name else -1
    digits = name[1:]
    if col < 0 or not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
        raise BadPointError(f"expected a vertex like 'B4' or 'pass', got {text!r}")
    row = size - int(digits)
    if col >= size or not 0 <= row < size:
        raise BadPointError(f"vertex {text!r} is off the {size}x{size} board")
    return row, col


def check_size(size: object, kind: type = Real) -> None:
    """Raise BadBoardError for a board size that is no number of this kind."""
    check_kind(size, kind, "a board size from 2 to 19", BadBoardError)


def point_of(given: str | Sequence[int], size: int) -> Point:
    """Return the point that a caller means by its name, or by any pair of whole numbers, be it a list or one of numpy's.

    Raises BadPointError.

    >>> point_of([1, 1], 5), point_of('b4', 5)
    ((1, 1), (1, 1))
    """
    if type(given) is tuple and len(given) == 2:
        # What it nearly always is, and all games pass by here.
        row, col = given
        if type(row) is int and type(col) is int and 0 <= row < size and 0 <= col < size:
            return given
    pair = parse_vertex(given, size) if isinstance(given, str) else given
    try:
        row, col = map(operator.index, pair)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise BadPointError(f"expected a point like (1, 3) or 'B4', got {quoted(given)}") from None
    if not (0 <= row < size and 0 <= col < size):
        raise BadPointError(f"point {(row, col)!r} is off the {size}x{size} board")
    return row, col


def parse_pair(text: str, size: int) -> Point:
    """Return the point written as 'row,column', both from 0, as in the course's output file.

    Raises BadPointError if the text is not two integers, or names a point off the board.

    >>> parse_pair('1, 3', 5)
    (1, 3)
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise BadPointError(f"expected a point like '2,3', got {text!r}")
    if any(len(part) > 2 or int(part) >= size for part in parts):
        raise BadPointError(f"point {text!r} is off the {size}x{size} board")
    return int(parts[0]), int(parts[1])
