"""Tables for a terminal, whose columns stand below each other whatever the script of the names in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

# Counts as a sign, and is taken out again.
_FILLER = "\0"


def terminal_table(rows: Iterable[Sequence[object]], header: Sequence[str], align: Sequence[str] | None = None) -> str:
    """Return a table as text. Texts stay as they are; East Asian signs take two columns. align: 'left' or 'right' for each."""
    from tabulate import tabulate

    wide = [[_widened(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return tabulate(wide, header, disable_numparse=align is not None, colalign=align).replace(_FILLER, "")


def _widened(text: str) -> str:
    if text.isascii():
        return text
    return "".join(sign + _FILLER if unicodedata.east_asian_width(sign) in "WF" else sign for sign in text)
