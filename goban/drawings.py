"""Boards as pictures: one board as SVG, which stands by itself in a page, a notebook or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from goban.grids import BLACK
from goban.points import COLUMNS, Point

_WOOD, _LINE = "#e3b563", "#4a3614"
# Lines lie one unit apart, and so far from the edge, where the coordinates stand.
_EDGE = 1.25
_STARS = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}
_LETTER = 'font-family="sans-serif" text-anchor="middle" dominant-baseline="central"'


def svg_of(
    rows: Sequence[Sequence[int]], last: Point | None = None, width: int = 350, labels: Mapping[Point, str] | None = None
) -> str:
    """Return a board as SVG, `width` pixels wide, with coordinates.

    last: the stone that is marked. labels: short texts on points, as numbers of moves.
    """
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
    x, y = _EDGE + point[1], _EDGE + point[0]
    under = "" if rows[point[0]][point[1]] else f'<circle cx="{x:g}" cy="{y:g}" r="0.35" fill="{_WOOD}"/>'
    shown = f'<text x="{x:g}" y="{y:g}" font-size="0.45" fill="{_ink(rows, point)}" {_LETTER}>{escape(text)}</text>'
    return under + shown


def _ink(rows: Sequence[Sequence[int]], point: Point) -> str:
    """Return the colour in which a point is marked."""
    return "#fff" if rows[point[0]][point[1]] == BLACK else "#000"
