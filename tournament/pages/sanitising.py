"""Untrusted texts, made fit to be shown on a page.

Letters of all languages stay. Control characters, escape sequences and everything that changes the direction of writing
become visible escapes, as Python writes them; stacks of accents are cut. Markup is not treated here: the templates escape
everything, and the scripts only ever set text.
"""

from __future__ import annotations

from common.excerpts import signs

_LINE_CHARACTERS = 400


def visible(text: str, length: int) -> str:
    """Return a text as one line of at most `length` characters (a few more if some are escaped)."""
    cut = text[: length + 1]
    shown = "".join(signs(cut))
    return shown if len(cut) <= length else f"{shown[: length - 1]}…"


def excerpt(text: str, length: int) -> str:
    """Return the head and the tail of a text of many lines, about `length` characters, each line cut and made visible."""
    if len(text) > length:
        half = length // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} signs left out]\n{text[-half:]}"
    return "\n".join(visible(line.replace("\t", "    "), _LINE_CHARACTERS) for line in text.replace("\r\n", "\n").split("\n"))
