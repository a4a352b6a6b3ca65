"""Pages from templates, and the security policy of every page: it may load its own files, run its own script, and no more.

    page(title, ...)         one page of a site; style, script and data are files beside it
    single(title, ...)       one page that holds everything; the policy names the script that may run by its SHA-256

The template engine escapes all that a page shows. Nothing from the event is ever put inside a script.
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

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"
_SCRIPTS = ("data.js", "lists.js", "games.js", "tables.js")
# For a page opened from disk, some browsers do not count the files beside it as 'self'. The source `file:` allows them, and
# has no effect on a web server.
_BESIDE = "'self' file:"
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z")


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
    found: dict[str, str] = {}
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
        found[name] = slug
    return found


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
