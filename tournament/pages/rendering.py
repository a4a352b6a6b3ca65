"""Pages from templates, and the security policy of every page: it may load its own files, run its own script, and no more.

    page(title, ...)         one page of a site; style, script and data are files beside it
    single(title, ...)       one page that holds everything; the policy names the script that may run by its SHA-256

The template engine escapes all that a page shows. Nothing from the event is ever put inside a script.

Bars, histograms and charts are SVG, styled by classes only, because the policy forbids inline styles.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from goban.board import page
from goban.board.page import digest, policy
from goban.grids import BLACK, WHITE
from goban.points import COLUMNS, vertex
from goban.rulesets import COLOUR_NAMES

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"
_SCRIPTS = ("data.js", "lists.js", "games.js", "tables.js")
# For a page opened from disk, some browsers do not count the files beside it as 'self'. The source `file:` allows them, and
# has no effect on a web server.
_BESIDE = "'self' file:"
# Windows keeps some names for devices, whatever ending follows them.
_SLUG = re.compile(r"(?!(?i:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z")


@cache
def style() -> str:
    """Return all style sheets, joined."""
    return "\n".join([*map(page.asset, page.STYLES), (_ASSETS / "style.css").read_text("utf-8")])


@cache
def script() -> str:
    """Return all scripts, joined."""
    own = [(_ASSETS / name).read_text("utf-8") for name in _SCRIPTS]
    return "\n".join([*map(page.asset, page.SCRIPTS), *own])


def slugs(names: Sequence[str]) -> dict[str, str]:
    """Return name -> the slug in its page's file name and in links, ASCII: the name itself if possible, else a number.

    That of a name in another script, or with blanks, depends on the name only: it must not become somebody else's page when a
    class grows.
    """
    slugs_by_name: dict[str, str] = {}
    taken: set[str] = set()
    for k, name in enumerate(names, 1):
        # Some file systems ignore case.
        fits = _SLUG.match(name) is not None
        other = fits or not name or "/" in name
        slug = f"player-{k}" if other else f"player-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        slug = name if fits and name.casefold() not in taken else slug
        while slug.casefold() in taken:
            slug += "-"
        taken.add(slug.casefold())
        slugs_by_name[name] = slug
    return slugs_by_name


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(_HERE / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


class Pages:
    """Makes pages. links: a page's key ('standings', 'player/ann', 'games') -> its address in links."""

    def __init__(self, links: Callable[[str], str], everywhere: dict[str, Any]) -> None:
        self._everywhere = {**everywhere, "link": links}

    def section(self, template: str, **values: Any) -> Markup:  # noqa: ANN401
        """Return the main part of a page, made from its template."""
        return Markup(_templates().get_template(template).render(**self._everywhere, **values))

    def page(self, title: str, current: str, content: Markup) -> bytes:
        """Return one page of a site of many files."""
        values = {"title": title, "current": current, "sections": [("", title, content)], "single": False}
        values["policy"] = policy(_BESIDE, _BESIDE)
        return _templates().get_template("page.html").render(**self._everywhere, **values).encode()

    def single(self, title: str, sections: Sequence[tuple[str, str, Markup]], data: Sequence[tuple[str, str]]) -> bytes:
        """Return everything as one page. sections: key, title, content. data: name, and JSON that is safe inside a script."""
        look, code = f"\n{style()}", f"\n{script()}"
        values = {"title": title, "current": "", "sections": sections, "single": True}
        values["policy"] = policy(digest(code), digest(look))
        inside = {"style": Markup(look), "code": Markup(code), "data": [(name, Markup(text)) for name, text in data]}
        return _templates().get_template("page.html").render(**self._everywhere, **values, **inside).encode()


_BAR, _HALF = 7, 11
_WIDE = 100


def opponent_bars(shares: Sequence[float | None], label: str) -> Markup:
    """Return a row of bars, one per opponent: up for more than half of the games won, down for less.

    shares: 0..1, or None if the two did not meet. label: for screen readers and the tooltip.
    """
    up, down, even = [], [], []
    for k, share in enumerate(shares):
        if share is None:
            continue
        height = round((share - 0.5) * 2 * (_HALF - 1), 1)
        x = k * _BAR + 1
        if height > 0:
            up.append(f"M{x} {_HALF}v-{height:g}h5v{height:g}z")
        elif height < 0:
            down.append(f"M{x} {_HALF}v{-height:g}h5v{height:g}z")
        else:
            even.append(f"M{x} {_HALF - 1}h5v2h-5z")
    width = max(1, len(shares)) * _BAR + 1
    kinds = (("up", up), ("down", down), ("even", even))
    paths = [f'<path class="{name}" d="{"".join(path)}"/>' for name, path in kinds if path]
    title = Markup("<title>{}</title>").format(label)
    svg = f'<svg class="bars" role="img" width="{width}" height="{2 * _HALF}" viewBox="0 0 {width} {2 * _HALF}">'
    axis = f'<path class="axis" d="M0 {_HALF}h{width}"/>'
    return Markup(svg) + title + Markup("".join([*paths, axis]) + "</svg>")


def interval_bar(low: float, middle: float, high: float, bounds: tuple[float, float]) -> Markup:
    """Return a rating as a dot on the line of its interval, on a scale from bounds[0] to bounds[1]."""
    span = (bounds[1] - bounds[0]) or 1.0
    a, x, b = (round(4 + (_WIDE - 8) * (value - bounds[0]) / span, 1) for value in (low, middle, high))
    return Markup(
        f'<svg class="interval" aria-hidden="true" width="{_WIDE}" height="16" viewBox="0 0 {_WIDE} 16">'
        f'<path class="line" d="M{a} 8H{b}M{a} 5v6M{b} 5v6"/><circle class="dot" cx="{x}" cy="8" r="3.5"/></svg>'
    )


def histogram(counts: Sequence[int], labels: Sequence[str], title: str) -> Markup:
    """Return one bar per bin, its number above and its label below."""
    step, height, top = 58, 96, 18
    most = max(counts, default=0) or 1
    parts = []
    for k, (count, label) in enumerate(zip(counts, labels, strict=True)):
        x, tall = k * step + 6, round(height * count / most, 1)
        if count:
            y = top + height - tall
            parts.append(f'<rect class="bin" x="{x}" y="{y:g}" width="{step - 12}" height="{tall:g}" rx="2"/>')
            parts.append(f'<text x="{x + step / 2 - 6:g}" y="{y - 5:g}">{count:,}</text>')
        parts.append(f'<text class="tick" x="{x + step / 2 - 6:g}" y="{top + height + 16}">{label}</text>')
    width, tall = step * len(counts), top + height + 22
    svg = f'<svg class="histogram" role="img" viewBox="0 0 {width} {tall}" width="{width}" height="{tall}">'
    said = ", ".join(f"{label}: {count}" for label, count in zip(labels, counts, strict=True) if count)
    axis = f'<path class="axis" d="M0 {top + height}h{width}"/>'
    return Markup(svg) + Markup("<title>{}</title>").format(f"{title}. {said}") + Markup("".join(parts) + axis + "</svg>")


def rating_chart(times: Sequence[float], values: Sequence[tuple[float, float, float]], start: str, end: str) -> Markup:
    """Return ratings over time as a line of steps, within the band of their intervals.

    times: in any unit, not falling. values: (low, rating, high) from each time until the next. start, end: the first and the
    last time in words.
    """
    width, height, left, bottom = 480, 120, 44, 18
    least, most = min(low for low, _, _ in values), max(high for _, _, high in values)
    span, whole = (most - least) or 1.0, (times[-1] - times[0]) or 1.0

    def y(value: float) -> str:
        return f"{6 + (height - 12) * (most - value) / span:.1f}"

    def steps(place: int) -> list[str]:
        """Return the corners of the line through the values at this place of each triple."""
        points = []
        for k, value in enumerate(values):
            x = left + (width - left - 4) * (times[k] - times[0]) / whole
            if k:
                points.append(f"{x:.1f} {y(values[k - 1][place])}")
            points.append(f"{x:.1f} {y(value[place])}")
        return points

    band, line = "L".join([*steps(2), *reversed(steps(0))]), "L".join(steps(1))
    svg = f'<svg class="ratings" role="img" viewBox="0 0 {width} {height + bottom}" width="{width}" height="{height + bottom}">'
    title = Markup("<title>Rating from {} to {}: {} to {}, with its 95 % interval</title>").format(
        start, end, round(values[0][1]), round(values[-1][1])
    )
    texts = Markup('<text x="0" y="12">{}</text><text x="0" y="{}">{}</text>').format(round(most), height, round(least))
    texts += Markup('<text x="{}" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text>').format(
        left, height + bottom - 4, start, width - 4, height + bottom - 4, end
    )
    paths = Markup(f'<path class="band" d="M{band}z"/><path class="line" d="M{line}"/>')
    return Markup(svg) + title + paths + texts + Markup("</svg>")


def position(rows: Sequence[Sequence[int]], last: tuple[int, int] | None, title: str) -> Markup:
    """Return a board. rows: 0 empty, 1 Black, 2 White; last: the point that is marked, if any."""
    size, step, edge = len(rows), 20, 26
    far = edge + step * (size - 1)
    lines = "".join(f"M{edge} {edge + step * k}H{far}M{edge + step * k} {edge}V{far}" for k in range(size))
    names = []
    for k in range(size):
        at = edge + step * k
        names.append(f'<text class="coordinate" x="8" y="{at + 4}">{size - k}</text>')
        names.append(f'<text class="coordinate" x="{at}" y="{far + 22}">{COLUMNS[k]}</text>')
    stones = []
    for i, row in enumerate(rows):
        for j, stone in enumerate(row):
            if stone:
                centre, colour = f'cx="{edge + step * j}" cy="{edge + step * i}"', "black" if stone == BLACK else "white"
                mark = f'<circle class="last" {centre} r="4"/>' if (i, j) == last else ""
                stones.append(f'<g class="stone {colour}"><circle {centre} r="9"/>{mark}</g>')
    whole = far + edge
    svg = f'<svg class="position" role="img" viewBox="0 0 {whole} {whole}" width="{whole}" height="{whole}">'
    wood = f'<rect class="wood" width="{whole}" height="{whole}" rx="6"/><path class="grid" d="{lines}"/>'
    said = Markup("<title>{}</title>").format(f"{title}: {_stones(rows, size)}")
    return Markup(svg) + said + Markup("".join([wood, *names, *stones, "</svg>"]))


def _stones(rows: Sequence[Sequence[int]], size: int) -> str:
    """Return 'Black at B4, C3; White at A1', or 'empty'."""
    points = [(i, j, stone) for i, row in enumerate(rows) for j, stone in enumerate(row)]
    at = [[vertex((i, j), size) for i, j, stone in points if stone == colour] for colour in (BLACK, WHITE)]
    said = [f"{COLOUR_NAMES[colour].capitalize()} at {', '.join(names)}" for colour, names in enumerate(at, 1) if names]
    return "; ".join(said) or "empty"
