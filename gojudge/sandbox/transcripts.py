"""What a player printed, as it is stored with a game: one text, in which a line `[move 7]` begins what it printed at move 7.

Moves are counted from 1 over both players. Text before the first mark was printed before the player was first asked. A move
at which nothing was printed has no mark. Logs of older games have no marks at all.

What the sandbox has refused stands before all that, in a line such as `refused: keyctl` (system calls by name).

A line of the player's own that looks like a mark is stored as `(move 7)`, so that no player can pretend to have printed
something at another move.

`Capture` keeps head and tail of it, by move. Everything is read, so that printing never blocks.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import groupby
from tempfile import gettempdir

from goban.common.excerpts import printable, signs

Piece = tuple[int, str]
"""A move, 0 for before the first one, and what was printed at it."""

_MARK = re.compile(r"^\[move ([1-9][0-9]{0,5})\](?:\n|\Z)", re.M)
_LIKE_A_MARK = re.compile(r"^\[(move [0-9]+)\]$", re.M)


# What ends the folders of a path that say nothing about the submission: Python's packages, its library and its programs, our
# own modules and, without a sandbox's view of files, the player's folder.
_ENDS = (
    re.compile(r"[/\\](?:site|dist)-packages[/\\]|[/\\](?=(?:site|dist)-packages\b)"),
    re.compile(
        r"[/\\]lib(?:64)?[/\\](?=python3\.\d)|[/\\]bin[/\\](?=python3?(?:\.\d+)?\b)"
        r"|/host/(?=(?:go\.py|goban|common|tournament)\b)|/space/player/"
    ),
)
_BETWEEN = re.compile(r"""[\s"'`(),;=<>]""")
_ROOTED = re.compile(r"[/\\]|[A-Za-z]:[/\\]")
_LONGEST_PATH = 400
ELSEWHERE = "/elsewhere"
"""Below it a sandbox has the folders of this machine whose own places are taken there."""


def shorten_paths(text: str) -> str:
    """Return a text without the folders of this machine in which Python, its packages and our own modules lie.

    >>> shorten_paths('File "/home/ann/.venv/lib/python3.11/site-packages/numpy/__init__.py", line 7')
    'File "numpy/__init__.py", line 7'
    """
    for ends in _ENDS:
        pieces, done = [], 0
        for end in ends.finditer(text):
            start = _start_of_path(text, max(done, end.start() - _LONGEST_PATH), end.start())
            # Where nothing but a relative path would go, it may be the submission's own.
            if _ROOTED.match(text, start):
                pieces.append(text[done:start])
                done = end.end()
        text = "".join([*pieces, text[done:]])
    return text


def _start_of_path(text: str, low: int, end: int) -> int:
    """Return where a path begins that goes on at `end`; not before `low`.

    It may have blanks in it between quotes, and where it begins with a folder of this machine that has some.
    """
    before = text[low:end]
    line = before.rfind("\n") + 1
    quote = max(before.rfind('"', line), before.rfind("'", line))
    if quote >= 0 and _ROOTED.match(text, low + quote + 1):
        return low + quote + 1
    folders = sys.prefix, sys.base_prefix, os.path.expanduser("~"), gettempdir()
    for folder in (*(ELSEWHERE + folder for folder in folders), *folders):
        shown = "".join(signs(folder))
        start = before.rfind(shown) if _BETWEEN.search(shown) else -1
        if start >= 0 and not _BETWEEN.search(before, start + len(shown)):
            return low + start
    starts = [between.end() for between in _BETWEEN.finditer(before)]
    return low + (starts[-1] if starts else 0)


def refused_calls(names: Sequence[str]) -> list[Piece]:
    """Return what to say, before all that was printed, of the system calls that a sandbox has refused.

    >>> refused_calls(["bind", "keyctl"])
    [(0, 'refused: bind, keyctl\\n')]
    """
    return [(0, f"refused: {', '.join(names)}\n")] if names else []


def room_of_mark(ply: int) -> int:
    """Return how many characters a mark takes at most, including a newline before it."""
    return len(f"\n[move {ply}]\n") if ply else 0


def compose(pieces: Iterable[Piece]) -> str:
    """Return the log made of pieces. Their moves never go down; pieces of the same move become one text."""
    log: list[str] = []
    for ply, same in groupby(pieces, key=lambda piece: piece[0]):
        text = "".join(text for _, text in same)
        if not text:
            continue
        if ply:
            log.append(f"\n[move {ply}]\n" if log and not log[-1].endswith("\n") else f"[move {ply}]\n")
        log.append(_LIKE_A_MARK.sub(r"(\1)", text))
    return "".join(log)


def split(log: str) -> dict[int, str]:
    """Return what was printed by move, in order; 0 for text before the first mark. {} for an empty log.

    The texts given to `compose` come back, apart from lines that look like marks and newlines that `compose` added.
    """
    texts: dict[int, str] = {}
    ply, start = 0, 0
    for mark in _MARK.finditer(log):
        texts[ply] = texts.get(ply, "") + log[start : mark.start()]
        ply, start = int(mark[1]), mark.end()
    texts[ply] = texts.get(ply, "") + log[start:]
    return {ply: text for ply, text in texts.items() if text}


def presentable(text: str) -> str:
    """Return a player's text with its lines kept, and everything else as `printable` shows it."""
    return "\n".join(printable(line.replace("\t", "    "), 2000) for line in text.split("\n"))


def presentable_log(pieces: Iterable[Piece]) -> str:
    """Return the log made of pieces as they were printed."""
    return compose((ply, shorten_paths(presentable(text))) for ply, text in pieces)


class Printout:
    """Collects bytes and keeps the first and the last, half of `limit` each. Marks of moves count as if they were printed."""

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self.clear()

    def clear(self) -> None:
        """Start again, before the first move."""
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
        pieces: list[tuple[int, bytearray]] = []
        gap = bytearray(f"\n[{self._dropped} bytes left out]\n".encode() if self._dropped else b"")
        for ply, piece in (*self._head, (self._head[-1][0] if self._head else 0, gap), *self._tail):
            _extend(pieces, ply, piece)
        return [(ply, piece.decode("utf-8", "backslashreplace")) for ply, piece in pieces if piece]

    def text(self) -> str:
        """Return what `pieces` does as one text, without marks."""
        return "".join(text for _, text in self.pieces())


def _extend(pieces: list[tuple[int, bytearray]] | deque[tuple[int, bytearray]], ply: int, piece: bytes | bytearray) -> int:
    """Add to the last piece if it is of the same move, else add a new one; return the room that a new mark takes."""
    if pieces and pieces[-1][0] == ply:
        pieces[-1][1].extend(piece)
        return 0
    pieces.append((ply, bytearray(piece)))
    return room_of_mark(ply)
