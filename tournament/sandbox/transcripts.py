"""What a player printed, as it is stored with a game: one text, in which a line `[move 7]` begins what it printed at move 7.

Moves are counted from 1 over both players. Text before the first mark was printed before the player was first asked. A move
at which nothing was printed has no mark. Logs of older games have no marks at all.

A line of the player's own that looks like a mark is stored as `(move 7)`, so that no player can pretend to have printed
something at another move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from common.excerpts import printable

Piece = tuple[int, str]
"""A move, 0 for before the first one, and what was printed at it."""

_MARK = re.compile(r"^\[move ([1-9][0-9]{0,5})\](?:\n|\Z)", re.M)
_LIKE_A_MARK = re.compile(r"^\[(move [0-9]+)\]$", re.M)


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
    found: dict[int, str] = {}
    ply, start = 0, 0
    for mark in _MARK.finditer(log):
        found[ply] = found.get(ply, "") + log[start : mark.start()]
        ply, start = int(mark[1]), mark.end()
    found[ply] = found.get(ply, "") + log[start:]
    return {ply: text for ply, text in found.items() if text}


def presentable(text: str) -> str:
    """Return a player's text with its lines kept, and everything else as `printable` shows it."""
    return "\n".join(printable(line.replace("\t", "    "), 2000) for line in text.split("\n"))


def presentable_log(pieces: Iterable[Piece]) -> str:
    """Return the log made of pieces as they were printed."""
    return compose((ply, presentable(text)) for ply, text in pieces)
