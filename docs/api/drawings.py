"""Docstrings for the site: drawings and examples in them are shown as they stand. Part of `make docs`; nothing imports it.

A drawing is indented by four columns, which Markdown knows; but Python's own clean-up takes that away where nothing else
follows the first line. So it is told by its gaps.
"""

from __future__ import annotations

import re
import textwrap
from typing import Any

import griffe

_DRAWN = re.compile(r"^>>> |^ .*\S|\S {3,}\S", re.M)


class Drawings(griffe.Extension):
    """Makes code blocks of paragraphs that are drawn or are examples."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:  # noqa: ANN401
        """Change an object's docstring, if it has one."""
        if obj.docstring is not None:
            paragraphs = obj.docstring.value.split("\n\n")
            obj.docstring.value = "\n\n".join(map(_shown, paragraphs))


def _shown(paragraph: str) -> str:
    drawn = _DRAWN.search(paragraph) and not paragraph.startswith("    ")
    return textwrap.indent(paragraph, "    ") if drawn else paragraph
