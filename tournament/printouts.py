"""What a player prints: always read, so that printing never blocks, and only its head and its tail kept."""

from __future__ import annotations


class Printout:
    """Collects bytes; keeps the first and the last half of `limit`."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self.clear()

    def clear(self) -> None:
        """Start again with nothing."""
        self._head = b""
        self._tail = b""
        self._dropped = 0

    def add(self, piece: bytes) -> None:
        """Take some more; any amount at any time."""
        room = self._half - len(self._head)
        self._head += piece[:room]
        tail = self._tail + piece[max(room, 0) :]
        excess = max(0, len(tail) - self._half)
        self._dropped += excess
        self._tail = tail[excess:]

    def text(self) -> str:
        """Return head and tail, the gap between them marked, as text; what is not UTF-8 is escaped."""
        gap = f"\n[{self._dropped} bytes left out]\n".encode() if self._dropped else b""
        return (self._head + gap + self._tail).decode("utf-8", "backslashreplace")
