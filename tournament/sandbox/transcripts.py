"""What a player printed, as it is stored with a game: one text, with a line `[move 7]` where what it printed at move 7 begins.

Moves are counted from 1 over both players. What stands before the first mark was printed before the player was first
asked. A move at which nothing was printed has no mark. Logs of older games have none at all.

A line of the player's own that looks like a mark is stored as `(move 7)`: no player can say that it printed something at
another move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from common.excerpts import printable

Piece = tuple[int, str]
"""A move, 0 for before the first one; and what was printed then."""

_MARK = re.compile(r"^\[move ([1-9][0-9]{0,5})\](?:\n|\Z)", re.M)
_LIKE_A_MARK = re.compile(r"^\[(move [0-9]+)\]$", re.M)


def room_of_mark(ply: int) -> int:
    """Return how many characters a mark takes at most, the end of the line before it included."""
    return len(f"\n[move {ply}]\n") if ply else 0


def compose(pieces: Iterable[Piece]) -> str:
    """Return the log made of pieces, whose moves never go down; one after the other at the same move are one text."""
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
    """Return what was printed, by move, in order; 0 for what stands before the first mark. Nothing for an empty log.

    Of what `compose` was given, each text comes back but for lines that look like marks, and a line's end that it added.
    """
    found: dict[int, str] = {}
    ply, start = 0, 0
    for mark in _MARK.finditer(log):
        found[ply] = found.get(ply, "") + log[start : mark.start()]
        ply, start = int(mark[1]), mark.end()
    found[ply] = found.get(ply, "") + log[start:]
    return {ply: text for ply, text in found.items() if text}


def presentable(text: str) -> str:
    """Return a player's text with lines kept and everything else that is not plain ASCII escaped."""
    return "\n".join(printable(line.replace("\t", "    "), 2000) for line in text.split("\n"))


def presentable_log(pieces: Iterable[Piece]) -> str:
    """Return the log made of pieces as they were printed."""
    return compose((ply, presentable(text)) for ply, text in pieces)
