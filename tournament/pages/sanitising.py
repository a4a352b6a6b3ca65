"""Untrusted texts, made fit to be shown on a page.

Letters of all languages stay. Control characters, escape sequences and everything that changes the direction of writing
become visible escapes, as Python writes them; stacks of accents are cut. Markup is not treated here: the templates escape
everything, and the scripts only ever set text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
_MOST_MARKS = 2
_LINE_CHARACTERS = 400


def visible(text: str, length: int) -> str:
    """Return a text as one line of at most `length` characters (a few more if some are escaped)."""
    cut = text[: length + 1]
    shown = cut if cut.isascii() and cut.isprintable() else "".join(_signs(cut))
    return shown if len(cut) <= length else f"{shown[: length - 1]}…"


def _signs(text: str) -> Iterator[str]:
    marks = 0
    for sign in text:
        category = unicodedata.category(sign)
        marks = marks + 1 if category in _MARKS else 0
        if category in _HIDDEN:
            yield ascii(sign)[1:-1]
        elif marks <= _MOST_MARKS:
            yield sign


def excerpt(text: str, length: int) -> str:
    """Return the head and the tail of a text of many lines, about `length` characters, each line cut and made visible."""
    if len(text) > length:
        half = length // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} signs left out]\n{text[-half:]}"
    return "\n".join(visible(line.replace("\t", "    "), _LINE_CHARACTERS) for line in text.replace("\r\n", "\n").split("\n"))
