"""Colours in a terminal: whether they are shown, and how a text gets one (ECMA-48, select graphic rendition)."""

from __future__ import annotations

import os
from collections.abc import Mapping


def are_shown(file: object, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether texts written to a file may have colours: it is a terminal that has some, and NO_COLOR is unset or empty.

    Source: https://no-color.org. A terminal that does not say what it is (TERM) is taken to have none.
    """
    if environment.get("NO_COLOR") or environment.get("TERM", "") in ("", "dumb"):
        return False
    is_terminal = getattr(file, "isatty", None)
    return callable(is_terminal) and is_terminal() is True


def painted(text: str, code: str) -> str:
    """Return a text in a colour, which ends with it. code: numbers with ';' between them."""
    return f"\033[{code}m{text}\033[0m"
