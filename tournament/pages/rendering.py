"""Pages from templates, and the security policy of every page: it may load its own files, run its own script, and no more.

    page(title, ...)         one page of a site; style, script and data are files beside it
    single(title, ...)       one page that holds everything; the policy names the script that may run by its SHA-256

The template engine escapes all that a page shows. Nothing from the event is ever put inside a script.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"
SCRIPTS = ("data.js", "board.js", "strip.js", "printed.js", "games.js", "tables.js")
# For a page opened from disk, some browsers do not count the files beside it as 'self'. The source `file:` allows them, and
# has no effect on a web server.
_POLICY = "default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; form-action 'none'"
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}\Z")


@cache
def asset(name: str) -> str:
    """Return the text of a style sheet or script."""
    return (_ASSETS / name).read_text("utf-8")


def script() -> str:
    """Return all scripts, joined."""
    return "\n".join(asset(name) for name in SCRIPTS)


def slugs(names: Sequence[str]) -> dict[str, str]:
    """Return name -> the slug in its page's file name and in links: the name itself if possible, else a number."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for k, name in enumerate(names, 1):
        # Some file systems ignore case.
        slug = name if _SLUG.match(name) and name.casefold() not in taken else f"player-{k}"
        while slug.casefold() in taken:
            slug += "-"
        taken.add(slug.casefold())
        found[name] = slug
    return found


class Pages:
    """Makes pages. links: a page's key ('standings', 'player/ann', 'games') -> its address in links."""

    def __init__(self, links: Callable[[str], str], everywhere: dict[str, Any]) -> None:
        loader = FileSystemLoader(_HERE / "templates")
        self._templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._templates.globals.update(everywhere, link=links)

    def section(self, template: str, **values: Any) -> Markup:  # noqa: ANN401
        """Return the main part of a page, made from its template."""
        return Markup(self._templates.get_template(template).render(**values))

    def page(self, title: str, current: str, content: Markup) -> bytes:
        """Return one page of a site of many files."""
        policy = _POLICY.format(scripts="'self' file:", styles="'self' file:")
        values = {"title": title, "current": current, "sections": [("", title, content)], "policy": policy, "single": False}
        return self._templates.get_template("page.html").render(**values).encode()

    def single(self, title: str, sections: Sequence[tuple[str, str, Markup]], data: Sequence[tuple[str, str]]) -> bytes:
        """Return everything as one page. sections: key, title, content. data: name, and JSON that is safe inside a script."""
        style, code = f"\n{asset('style.css')}", f"\n{script()}"
        policy = _POLICY.format(scripts=_digest(code), styles=_digest(style))
        values = {"title": title, "current": "", "sections": sections, "policy": policy, "single": True}
        inside = {"style": Markup(style), "code": Markup(code), "data": [(name, Markup(text)) for name, text in data]}
        return self._templates.get_template("page.html").render(**values, **inside).encode()


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
