"""Drawing boards: as text with coordinates for people, in the course's plain style, and as SVG; reading drawings.

An SVG board is self-contained, in a page, a notebook or a file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Real

from goban.common.excerpts import paint, quoted
from goban.errors import BadArgumentError, BadBoardError
from goban.grids import BLACK, WHITE, Rows
from goban.points import COLUMNS, Point, point_of

_MARKS = {0: ".", BLACK: "X", WHITE: "O"}
_STONES = {mark: stone for stone, mark in _MARKS.items()} | {"x": BLACK, "o": WHITE}
# Bright, since Black and White themselves are hard to see on one terminal or another.
_COLOURS = {BLACK: "1;36", WHITE: "1;33"}
_PARENTHESES = str.maketrans("()", "  ")
_LAST, _TAKEN = ";7", "1;31"


def diagram(
    rows: Sequence[Sequence[int]], last: Point | None = None, taken: Collection[Point] = (), colours: bool = False
) -> str:
    """Return a board with coordinates, the stone of the last move in parentheses.

    colours: for terminals that support them: Black is cyan, White yellow, the last stone inverted, and points where
    stones were captured are red. Without colours, captures are not shown. Raises BadBoardError for what are no rows of
    0, 1 and 2, and BadPointError.

    >>> print(diagram([[0, 1], [2, 0]], last=(1, 0)))
       A B
     2 . X  2
     1(O).  1
       A B
    """
    if isinstance(rows, str) or not hasattr(rows, "__len__"):
        raise BadBoardError(f"expected the rows of a board, such as state.rows(), got {quoted(rows)}")
    size = len(rows)
    last = None if last is None else point_of(last, size)
    header = "  " + "".join(f" {column}" for column in COLUMNS[:size])
    lines = [header]
    for i, row in enumerate(rows):
        marks = _marks_of(row, size)
        if colours:
            codes = [_code(stone, (i, j) == last, (i, j) in taken) for j, stone in enumerate(row)]
            marks = [paint(mark, code) if code else mark for mark, code in zip(marks, codes, strict=True)]
        between = [" "] * (size + 1)
        if last is not None and last[0] == i:
            between[last[1] : last[1] + 2] = "()"
        text = between[0] + "".join(mark + after for mark, after in zip(marks, between[1:], strict=True))
        lines.append(f"{size - i:2d}{text} {size - i:<2d}".rstrip())
    lines.append(header)
    return "\n".join(lines)


def _marks_of(row: Sequence[int], size: int) -> list[str]:
    """Return how a row is drawn; raises BadBoardError for what is no row of a board of this size."""
    try:
        marks = [_MARKS[stone] for stone in row]
    except (KeyError, TypeError):
        marks = []
    if len(marks) != size:
        raise BadBoardError(f"expected rows of {size} numbers 0, 1 or 2, got {quoted(row)}")
    return marks


def _code(stone: int, is_last: bool, is_taken: bool) -> str:
    """Return the colour of a point, '' for none."""
    if not stone:
        return _TAKEN if is_taken else ""
    return _COLOURS[stone] + (_LAST if is_last else "")


def course_diagram(rows: Sequence[Sequence[int]]) -> str:
    """Return a board as the course's host prints it: stones between two rules, no coordinates."""
    rule = "-" * 2 * len(rows)
    lines = ["".join("X " if stone == BLACK else "O " if stone == WHITE else "  " for stone in row) for row in rows]
    return "\n".join([rule, *lines, rule])


def parse_diagram(text: str) -> Rows:
    """Return the rows drawn with `.`, `X` and `O` (spaces between points do not matter).

    A drawing with coordinates is read, too, as `diagram` makes it.

    Raises BadBoardError if the drawing is not a square of 2..19 points, naming the first bad line.
    """
    lines = [line for line in (line.strip() for line in text.splitlines()) if line]
    if lines and lines[0].split() == list(COLUMNS[: len(lines[0].split())]):
        lines = _without_coordinates(lines)
    rows = []
    for line in lines:
        marks = line.replace(" ", "")
        unknown = next((mark for mark in marks if mark not in _STONES), None)
        if unknown is not None:
            raise BadBoardError(f"expected '.', 'X' and 'O' in a drawn board, got {unknown!r} in {quoted(line)}")
        if len(marks) != len(lines):
            raise BadBoardError(f"expected {len(lines)} points in every row, got {quoted(line)}")
        rows.append([_STONES[mark] for mark in marks])
    if not 2 <= len(rows) <= 19:
        raise BadBoardError(f"expected 2 to 19 rows, got {len(rows)}")
    return rows


def _without_coordinates(lines: Sequence[str]) -> list[str]:
    """Return the rows of a drawing as `diagram` makes it, without colours."""
    rows = lines[1:-1] if lines[-1] == lines[0] else lines[1:]
    return [row.translate(_PARENTHESES).strip(" 0123456789") for row in rows]


# As SVG

_WOOD, _LINE = "#e3b563", "#4a3614"
# Lines lie one unit apart, and so far from the edge, where the coordinates stand.
_EDGE = 1.25
_STARS = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}
_LETTER = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'


def svg_of(
    rows: Sequence[Sequence[int]], last: Point | None = None, width: int = 350, labels: Mapping[Point, str] | None = None
) -> str:
    """Return a board as SVG, `width` pixels wide, with coordinates.

    last: the stone that is marked. labels: short texts or numbers on points, as numbers of moves. Raises BadArgumentError.
    """
    if isinstance(width, bool) or not (isinstance(width, Real) and width > 0):
        raise BadArgumentError(f"expected a width in pixels, such as 350, got {quoted(width)}")
    size, labels = len(rows), labels or {}
    span = size - 1 + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{width}" viewBox="0 0 {span:g} {span:g}">',
        f'<rect width="{span:g}" height="{span:g}" fill="{_WOOD}"/>',
        f'<path d="{_lines(size)}" stroke="{_LINE}" stroke-width="0.04" stroke-linecap="square" fill="none"/>',
    ]
    stars = _STARS.get(size, ())
    parts += [f'<circle cx="{_EDGE + j:g}" cy="{_EDGE + i:g}" r="0.1" fill="{_LINE}"/>' for i in stars for j in stars]
    parts += _coordinates(size)
    for i, row in enumerate(rows):
        parts += [_stone(i, j, stone == BLACK) for j, stone in enumerate(row) if stone]
    if last is not None and last not in labels:
        x, y = _EDGE + last[1], _EDGE + last[0]
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="0.22" fill="none" stroke="{_ink(rows, last)}" stroke-width="0.07"/>')
    parts += [_label(rows, point, text) for point, text in labels.items()]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _lines(size: int) -> str:
    places = [_EDGE + k for k in range(size)]
    across = "".join(f"M{_EDGE:g} {y:g}h{size - 1}" for y in places)
    return across + "".join(f"M{x:g} {_EDGE:g}v{size - 1}" for x in places)


def _coordinates(size: int) -> list[str]:
    near, far = 0.45, size - 1 + 2 * _EDGE - 0.45
    names = [(x, y, COLUMNS[k]) for k in range(size) for x, y in ((_EDGE + k, near), (_EDGE + k, far))]
    names += [(x, y, str(size - k)) for k in range(size) for x, y in ((near, _EDGE + k), (far, _EDGE + k))]
    return [f'<text x="{x:g}" y="{y:g}" font-size="0.4" fill="{_LINE}" {_LETTER}>{name}</text>' for x, y, name in names]


def _stone(i: int, j: int, black: bool) -> str:
    fill, edge = ("#111", "#000") if black else ("#fafafa", "#555")
    return f'<circle cx="{_EDGE + j:g}" cy="{_EDGE + i:g}" r="0.47" fill="{fill}" stroke="{edge}" stroke-width="0.03"/>'


def _label(rows: Sequence[Sequence[int]], point: Point, text: str) -> str:
    """Return a text on a point; on an empty one the lines below it are covered."""
    # Brought for this alone, which few games need.
    from html import escape

    x, y = _EDGE + point[1], _EDGE + point[0]
    under = "" if rows[point[0]][point[1]] else f'<circle cx="{x:g}" cy="{y:g}" r="0.35" fill="{_WOOD}"/>'
    shown = f'<text x="{x:g}" y="{y:g}" font-size="0.45" fill="{_ink(rows, point)}" {_LETTER}>{escape(str(text))}</text>'
    return under + shown


def _ink(rows: Sequence[Sequence[int]], point: Point) -> str:
    """Return the colour in which a point is marked."""
    return "#fff" if rows[point[0]][point[1]] == BLACK else "#000"
