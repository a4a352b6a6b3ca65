"""What somebody may have meant who mistyped a name."""

from __future__ import annotations

from collections.abc import Iterable


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return '; did you mean greedy?', to end a message about an unknown name with; '' if no known one is like it.

    >>> suggestion("greddy", ["random", "greedy"]), suggestion("xyz", ["random"])
    ('; did you mean greedy?', '')
    """
    # Imported late, because it takes a while and is needed for mistakes only.
    from difflib import get_close_matches

    found = get_close_matches(name.lower()[:100], list(known), 1)
    return f"; did you mean {found[0]}?" if found else ""
