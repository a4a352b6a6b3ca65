"""Untrusted texts, made fit to be shown on a page.

Letters of all languages stay. Control characters, escape sequences and everything that changes the direction of writing
become visible escapes, as Python writes them; stacks of accents are cut. Markup is not treated here: the templates escape
everything, and the scripts only ever set text.
"""

from __future__ import annotations

import re
import unicodedata

from common.excerpts import as_written, signs

_LINE_CHARACTERS = 400
_REPEATED = re.compile(r"(\W)\1{2,}")


def visible(text: str, length: int) -> str:
    """Return a text as one line of at most `length` characters (a few more if some are escaped)."""
    cut = text[: length + 1]
    shown = "".join(signs(cut))
    return shown if len(cut) <= length else f"{shown[: length - 1]}…"


def name_shown(text: str) -> str:
    """Return a name as it is written, in one line; no script needs the same mark three times in a row."""
    return _REPEATED.sub(lambda match: match[1] * 2 if unicodedata.combining(match[1]) else match[0], as_written(text))


def excerpt(text: str, length: int) -> str:
    """Return the head and the tail of a text of many lines, about `length` characters, each line cut and made visible."""
    if len(text) > length:
        half = length // 2
        text = f"{text[:half]}\n[{len(text) - 2 * half} signs left out]\n{text[-half:]}"
    return "\n".join(visible(line.replace("\t", "    "), _LINE_CHARACTERS) for line in text.replace("\r\n", "\n").split("\n"))
