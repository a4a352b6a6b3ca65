"""The curve of a run as a picture: SVG, a small diagram for each figure, over the games played."""

from __future__ import annotations

from collections.abc import Sequence

from learning.alphazero.rounds import Point

FIGURES = {
    "policy": "policy loss", "value": "value loss", "margin": "margin loss", "owners": "owners loss",
    "plies": "moves of a game", "first": "points of who moves first", "rate": "rate of learning",
}  # fmt: skip
_WIDTH, _HEIGHT, _EDGE = 360, 150, 40


def picture(curve: Sequence[Point]) -> str:
    """Return a curve as SVG; figures that it does not have are left out."""
    there = [name for name in FIGURES if curve and name in curve[0]]
    diagrams = "".join(_diagram(curve, name, 0 if k % 2 == 0 else _WIDTH, k // 2 * _HEIGHT) for k, name in enumerate(there))
    height = -(-len(there) // 2) * _HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * _WIDTH} {height}" '
        'font-family="sans-serif" font-size="11">\n'
        f'<rect width="{2 * _WIDTH}" height="{height}" fill="white"/>\n{diagrams}</svg>\n'
    )


def _diagram(curve: Sequence[Point], name: str, left: int, top: int) -> str:
    """Return one figure, drawn between its lowest and its highest value."""
    values = [point[name] for point in curve]
    low, high, last = min(values), max(values), curve[-1]["games"]
    width, height = _WIDTH - 2 * _EDGE, _HEIGHT - 2 * _EDGE
    across = [left + _EDGE + width * point["games"] / last for point in curve]
    down = [top + _EDGE + height * (high - value) / ((high - low) or 1) for value in values]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
    x, y = left + _EDGE, top + _EDGE
    return (
        f'<text x="{x}" y="{y - 10}" font-weight="bold">{FIGURES[name]}</text>\n'
        f'<path d="M{x},{y}V{y + height}H{x + width}" fill="none" stroke="gray"/>\n'
        f'<text x="{x - 4}" y="{y + 4}" text-anchor="end">{high:.3g}</text>\n'
        f'<text x="{x - 4}" y="{y + height + 4}" text-anchor="end">{low:.3g}</text>\n'
        f'<text x="{x + width}" y="{y + height + 14}" text-anchor="end">{last:,.0f} games</text>\n'
        f'<polyline points="{path}" fill="none" stroke="teal" stroke-width="1.5"/>\n'
    )
