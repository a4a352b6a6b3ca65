"""Standard input and output as GTP has them: a controller takes every line on standard output for an answer.

What commands are made of here stands at the end: words come in, a result goes out, or lines of one.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator

from goban.common.excerpts import quoted
from goban.errors import GtpError
from goban.gtp import LONGEST_LINE

_MOST_LINES = 1000
"""That are read ahead."""
_CHUNK = 65_536


def write_all(descriptor: int, text: str) -> None:
    """Write a text at once, whatever it is short of; raises OSError."""
    data = text.encode("ascii", "backslashreplace")
    while data:
        data = data[os.write(descriptor, data) :]


class Inbox:
    """The lines of a descriptor. A thread reads them, so that it is known whether the next one is there.

    Of a line that is longer than any command can be, the beginning is kept.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read: queue.Queue[str | None] = queue.Queue(_MOST_LINES)
        self._next: list[str | None] = []
        threading.Thread(target=self._fill, daemon=True).start()

    def __iter__(self) -> Iterator[str]:
        while (line := self._next.pop() if self._next else self._read.get()) is not None:
            yield line

    def waits(self, seconds: float) -> bool:
        """Wait for the next line, so many seconds at most; tell whether there is one, or the input has ended."""
        if not self._next:
            try:
                self._next.append(self._read.get(timeout=seconds))
            except queue.Empty:
                return False
        return True

    def _fill(self) -> None:
        rest = b""
        # Not a file object: when the process ends, Python would wait for the lock that this thread holds on it.
        while data := self._chunk():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._put(line)
            rest = rest[: LONGEST_LINE + 1]
        if rest:
            self._put(rest)
        self._read.put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            return b""

    def _put(self, line: bytes) -> None:
        # File names may be no UTF-8.
        self._read.put(line[: LONGEST_LINE + 1].decode("utf-8", "surrogateescape"))


# Commands


Words = tuple[str, ...]

Handler = Callable[[Words], str | Iterator[str]]
"""Obeys a command; raises GtpError. It returns the result, or lines that are sent as they come, each when it is there."""


def check_count(words: Words, usage: str, least: int, most: int | None = None) -> None:
    """Raise GtpError unless there are `least` to `most` words; most: `least` unless given. usage: what is expected."""
    if not least <= len(words) <= (least if most is None else most):
        raise GtpError(f"syntax error: expected {usage}, got {quoted(' '.join(words))}")
