"""Checks of what a caller gives a public function, so that a wrong kind of object is told at once and in one line."""

from __future__ import annotations

import operator

from goban.common.excerpts import quoted


def check_kind(value: object, kind: type | tuple[type, ...], what: str, error: type[Exception]) -> None:
    """Raise `error` unless a value is of a kind. what: that kind in words, such as 'a position (goban.State)'."""
    if not isinstance(value, kind):
        raise error(f"expected {what}, got {quoted(value)}")


def is_whole(value: object, low: int, high: int) -> bool:
    """Tell whether a value is a whole number, of Python or of numpy, in this range, both ends included."""
    try:
        return not isinstance(value, bool) and low <= operator.index(value) <= high  # type: ignore[arg-type]
    except TypeError:
        return False
