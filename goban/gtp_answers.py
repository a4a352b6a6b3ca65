"""What an engine writes to its standard output, cut into answers: the controller's side of `goban.gtp`.

    loading weights...                junk: lines that begin with neither '=' nor '?' are skipped, up to a limit
    =12 C3                            Answer(id='12', ok=True, text='C3')
                                      an empty line ends it
    ?13 illegal move                  Answer(id='13', ok=False, text='illegal move')
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from common.excerpts import quoted
from goban.errors import GtpError
from goban.gtp import without_controls

MOST_JUNK_LINES = 1000
MOST_JUNK_BYTES = 65_536
"""So many lines and bytes are skipped between two answers."""
LONGEST_ANSWER = 65_536
"""In characters. Of a longer answer the beginning is kept; the longest honest one is a list of commands."""


@dataclass(frozen=True)
class Answer:
    """An answer. id: the digits after '=' or '?', '' if there are none. text: its lines, without blanks at both ends."""

    id: str
    ok: bool
    text: str


class Answers:
    """Takes bytes as they come, and gives answers."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._rest = b""
        # The lines of the answer that has begun, and their length.
        self._begun: list[str] = []
        self._length = 0
        self._junk_lines = self._junk_bytes = 0
        self._first_junk = b""

    def feed(self, data: bytes) -> None:
        """Add some bytes; call `take` until it returns None before adding more."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines.extend(lines)
        if self._answer_is_open():
            # Of an endless line no more is kept than of an endless answer.
            self._rest = self._rest[: LONGEST_ANSWER + 1]

    def _answer_is_open(self) -> bool:
        return bool(self._begun) or self._rest.lstrip().startswith((b"=", b"?"))

    @property
    def unfinished(self) -> str:
        """The first line of an answer that no empty line has ended yet; '' if there is none."""
        return self._begun[0] if self._begun else ""

    def take(self) -> Answer | None:
        """Return the next answer, None if it has not come yet. Raises GtpError if there is too much junk before it."""
        while self._lines:
            line = self._lines.popleft()
            text = without_controls(line[: LONGEST_ANSWER + 1].decode("utf-8", "backslashreplace")).strip()
            if self._begun:
                if not text:
                    return self._finished()
                self._add(text)
            elif text[:1] in ("=", "?"):
                self._junk_lines, self._junk_bytes, self._first_junk = 0, 0, b""
                self._add(text)
            else:
                self._skip(line)
        if not self._answer_is_open():
            self._check_junk(self._rest)
        return None

    def _add(self, text: str) -> None:
        self._begun.append(text[: max(0, LONGEST_ANSWER - self._length)])
        self._length += len(self._begun[-1])
        if not self._begun[-1]:
            self._begun.pop()

    def _finished(self) -> Answer:
        first, *others = self._begun
        self._begun, self._length = [], 0
        after = first[1:].lstrip("0123456789")
        text = "\n".join([after.strip(), *others]).strip()
        return Answer(first[1 : len(first) - len(after)], first[0] == "=", text)

    def _skip(self, line: bytes) -> None:
        self._first_junk = self._first_junk or line[:200]
        self._junk_lines += 1
        self._junk_bytes += len(line) + 1
        self._check_junk(b"")

    def _check_junk(self, more: bytes) -> None:
        lines, size = self._junk_lines, self._junk_bytes + len(more)
        if lines <= MOST_JUNK_LINES and size <= MOST_JUNK_BYTES:
            return
        what = f"{lines} lines" if lines > MOST_JUNK_LINES else f"more than {MOST_JUNK_BYTES // 1024} KiB"
        text = (self._first_junk or more[:200]).decode("utf-8", "backslashreplace")
        raise GtpError(f"wrote {what} and no answer, which begins with = or ?; it began with {quoted(text)}")
