"""Keeps head and tail of what a player prints, by move. Everything is read, so that printing never blocks."""

from __future__ import annotations

from collections import deque

from gojudge.sandbox.transcripts import Piece, room_of_mark


class Printout:
    """Collects bytes and keeps the first and the last, half of `limit` each. Marks of moves count as if they were printed."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self.clear()

    def clear(self) -> None:
        """Forget everything, and start again before the first move."""
        self._ply = 0
        self._head: list[tuple[int, bytearray]] = []
        self._tail: deque[tuple[int, bytearray]] = deque()
        self._room = self._half
        self._tail_size = 0
        self._dropped = 0

    def mark(self, ply: int) -> None:
        """Count what comes from now on as printed at this move. Moves never go down."""
        self._ply = ply

    def add(self, piece: bytes) -> None:
        """Add some more; any amount at any time."""
        if piece and self._room > 0:
            room = self._room - (0 if self._head and self._head[-1][0] == self._ply else room_of_mark(self._ply))
            taken, piece = piece[: max(room, 0)], piece[max(room, 0) :]
            if taken:
                _extend(self._head, self._ply, taken)
            # Once something is in the tail, nothing more comes to the head.
            self._room = 0 if piece else room - len(taken)
        if piece:
            self._tail_size += len(piece) + _extend(self._tail, self._ply, piece)
            self._cut_tail()

    def _cut_tail(self) -> None:
        while self._tail_size > self._half:
            ply, first = self._tail[0]
            cut = min(self._tail_size - self._half, len(first))
            del first[:cut]
            self._dropped += cut
            self._tail_size -= cut
            if not first:
                self._tail.popleft()
                self._tail_size -= room_of_mark(ply)

    def pieces(self) -> list[Piece]:
        """Return head and tail as texts by move, with a line for the gap between them. What is not UTF-8 is escaped."""
        found: list[tuple[int, bytearray]] = []
        gap = bytearray(f"\n[{self._dropped} bytes left out]\n".encode() if self._dropped else b"")
        for ply, piece in (*self._head, (self._head[-1][0] if self._head else 0, gap), *self._tail):
            _extend(found, ply, piece)
        return [(ply, piece.decode("utf-8", "backslashreplace")) for ply, piece in found if piece]

    def text(self) -> str:
        """Return the same as one text, without marks."""
        return "".join(text for _, text in self.pieces())


def _extend(pieces: list[tuple[int, bytearray]] | deque[tuple[int, bytearray]], ply: int, piece: bytes | bytearray) -> int:
    """Add to the last piece if it is of the same move, else add a new one; return the room that a new mark takes."""
    if pieces and pieces[-1][0] == ply:
        pieces[-1][1].extend(piece)
        return 0
    pieces.append((ply, bytearray(piece)))
    return room_of_mark(ply)
