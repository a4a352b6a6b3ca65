"""Texts that come from strangers, fit to be shown on a page, and data as scripts that can do nothing but be data.

Letters of all languages stay. Control signs, escape sequences and everything that turns the direction of writing become
visible escapes, as Python writes them; towers of accents are cut. That a text is no markup is the templates' business
(they escape everything) and the scripts' (they only ever set text).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
_MOST_MARKS = 2
_LINE_CHARACTERS = 400


def visible(text: str, length: int) -> str:
    """Return a text as one line of at most `length` signs (a few more where signs are escaped)."""
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
    """Return the head and the tail of a text of many lines, about `length` signs of it, every line cut and visible."""
    if len(text) > length:
        half = length // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} signs left out]\n{text[-half:]}"
    return "\n".join(visible(line.replace("\t", "    "), _LINE_CHARACTERS) for line in text.replace("\r\n", "\n").split("\n"))


def script_json(value: object) -> str:
    """Return a value as JSON in plain ASCII that ends no script element and opens no comment, wherever it stands."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
