"""What a player prints: always read, so that printing never blocks, and only its head and its tail kept, by move."""

from __future__ import annotations

from collections import deque

from tournament.sandbox.transcripts import Piece, room_of_mark


class Printout:
    """Collects bytes; keeps the first and the last of them, half of `limit` each, marks of moves counted as if printed."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self.clear()

    def clear(self) -> None:
        """Start again with nothing, before the first move."""
        self._ply = 0
        self._head: list[tuple[int, bytearray]] = []
        self._tail: deque[tuple[int, bytearray]] = deque()
        self._room = self._half
        self._tail_size = 0
        self._dropped = 0

    def mark(self, ply: int) -> None:
        """Take what comes from now on as printed at this move. Moves never go down."""
        self._ply = ply

    def add(self, piece: bytes) -> None:
        """Take some more; any amount at any time."""
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
        """Return head and tail by move, the gap between them marked, as texts; what is not UTF-8 is escaped."""
        found: list[tuple[int, bytearray]] = []
        gap = bytearray(f"\n[{self._dropped} bytes left out]\n".encode() if self._dropped else b"")
        for ply, piece in (*self._head, (self._head[-1][0] if self._head else 0, gap), *self._tail):
            _extend(found, ply, piece)
        return [(ply, piece.decode("utf-8", "backslashreplace")) for ply, piece in found if piece]

    def text(self) -> str:
        """Return the same as one text, without marks."""
        return "".join(text for _, text in self.pieces())


def _extend(pieces: list[tuple[int, bytearray]] | deque[tuple[int, bytearray]], ply: int, piece: bytes | bytearray) -> int:
    """Add to the last of some pieces if that is of the same move, else as a new one; return the room for its mark."""
    if pieces and pieces[-1][0] == ply:
        pieces[-1][1].extend(piece)
        return 0
    pieces.append((ply, bytearray(piece)))
    return room_of_mark(ply)
