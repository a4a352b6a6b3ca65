"""Curves as pictures: SVG, a small diagram for each figure, over the games played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from learning.alphazero.rounds import Point
from learning.alphazero.truth import EVERY, SHARES, Metrics

FIGURES = {
    "policy": "policy loss", "value": "value loss", "margin": "margin loss", "owners": "owners loss",
    "plies": "moves of a game", "first": "points of who moves first", "rate": "rate of learning",
}  # fmt: skip
TRUTHS = {
    "winner": "the right winner", "kept wins": "kept wins", "best moves": "best moves", "regret": "regret, stones",
    "kept values": "kept values", "safe moves": "safe moves", "value error": "value error",
}  # fmt: skip
"""Metrics of `learning.alphazero.truth`, and of small games."""
_WIDTH, _HEIGHT, _EDGE, _FOOT = 360, 150, 40, 24
_TALL = 230
"""The height of a diagram with several lines."""
_COLOURS = ("teal", "#d98c00", "#b0413e", "#6a51a3", "#7f7f7f")
_BOLD, _USUAL = 2.5, 1.5


@dataclass(frozen=True)
class Diagram:
    """One figure. lines: its values by the name of a line, the first drawn bold; across: the games of each value."""

    title: str
    across: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    shares: bool = False


def picture(curve: Sequence[Point]) -> str:
    """Return a run's curve as SVG; figures that it does not have are left out."""
    games = [point["games"] for point in curve]
    return _drawn([
        Diagram(title, games, {"": [point[name] for point in curve]})
        for name, title in FIGURES.items() if curve and name in curve[0]
    ])  # fmt: skip


def truth_picture(curve: Sequence[tuple[int, dict[str, Metrics]]]) -> str:
    """Return as SVG how near networks came to the exact values: after so many games, by part of the positions."""
    games, parts = [games for games, _ in curve], list(curve[0][1])
    diagrams = []
    for metric, title in TRUTHS.items():
        there = [part for part in parts if all(metric in results[part] for _, results in curve)]
        if EVERY in there:
            lines = {part: [results[part][metric].value for _, results in curve] for part in there}
            diagrams.append(Diagram(title, games, lines, metric in SHARES))
    return _drawn(diagrams, legend=parts)


def _drawn(diagrams: Sequence[Diagram], legend: Sequence[str] = ()) -> str:
    """Return diagrams two abreast; legend: names of lines, if there are several."""
    tall, foot = (_TALL, _FOOT) if len(legend) > 1 else (_HEIGHT, 0)
    shown = "".join(_diagram(diagram, k % 2 * _WIDTH, k // 2 * tall, tall, legend) for k, diagram in enumerate(diagrams))
    below = -(-len(diagrams) // 2) * tall
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * _WIDTH} {below + foot}" '
        'font-family="sans-serif" font-size="11">\n'
        f'<rect width="{2 * _WIDTH}" height="{below + foot}" fill="white"/>\n{shown}{_legend(legend, below)}</svg>\n'
    )


def _legend(names: Sequence[str], top: int) -> str:
    """Return a line of names in their colours; '' if one name needs none."""
    step = 2 * (_WIDTH - _EDGE) // max(1, len(names))
    return "".join(
        f'<text x="{_EDGE + k * step}" y="{top + 8}" fill="{_COLOURS[k % len(_COLOURS)]}" font-weight="bold">'
        f"{'all positions' if name == EVERY else f'after {name} moves'}</text>\n"
        for k, name in enumerate(names) if len(names) > 1
    )  # fmt: skip


def _diagram(diagram: Diagram, left: int, top: int, tall: int, legend: Sequence[str]) -> str:
    """Return one figure, drawn between its lowest and its highest value."""
    values = [value for line in diagram.lines.values() for value in line]
    low, high, last = min(values), max(values), diagram.across[-1]
    width, height = _WIDTH - 2 * _EDGE, tall - 2 * _EDGE
    x, y = left + _EDGE, top + _EDGE
    across = [x + width * games / last for games in diagram.across]
    lines = []
    for k, (name, line) in enumerate(diagram.lines.items()):
        down = [y + height * (high - value) / ((high - low) or 1) for value in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
        colour = _COLOURS[(legend.index(name) if legend else k) % len(_COLOURS)]
        thick = _BOLD if k == 0 and len(diagram.lines) > 1 else _USUAL
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{thick}"/>\n')
    ends = [f"{100 * end:.3g} %" if diagram.shares else f"{end:.3g}" for end in (high, low)]
    return (
        f'<text x="{x}" y="{y - 10}" font-weight="bold">{diagram.title}</text>\n'
        f'<path d="M{x},{y}V{y + height}H{x + width}" fill="none" stroke="gray"/>\n'
        f'<text x="{x - 4}" y="{y + 4}" text-anchor="end">{ends[0]}</text>\n'
        f'<text x="{x - 4}" y="{y + height + 4}" text-anchor="end">{ends[1]}</text>\n'
        f'<text x="{x + width}" y="{y + height + 14}" text-anchor="end">{last:,.0f} games</text>\n'
        f"{''.join(reversed(lines))}"
    )
