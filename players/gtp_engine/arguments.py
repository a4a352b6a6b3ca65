"""What commands are made of here: words come in, a result goes out, or lines of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from common.excerpts import quoted
from goban.errors import GtpError

Words = tuple[str, ...]

Handler = Callable[[Words], str | Iterator[str]]
"""Obeys a command; raises GtpError. It returns the result, or lines that are sent as they come, each when it is there."""


def check_count(words: Words, usage: str, least: int, most: int | None = None) -> None:
    """Raise GtpError unless there are `least` to `most` words; most: `least` unless given. usage: what is expected."""
    if not least <= len(words) <= (least if most is None else most):
        raise GtpError(f"syntax error: expected {usage}, got {quoted(' '.join(words))}")
