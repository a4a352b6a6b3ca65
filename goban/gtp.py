"""GTP, the Go Text Protocol, as text: commands as an engine reads them, answers as it writes them.

    12 play b C3   # a comment        Command(id='12', name='play', words=('b', 'C3'))
    =12                               success: then the result, if there is one, and an empty line
    ?12 illegal move                  failure: one line that says why, and an empty line

A controller's side is in `goban.gtp_answers` and `goban.gtp_games`.

Source: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html (version 2, draft 2), sections 2 and 4.1.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from common.excerpts import message_line, quoted
from goban.errors import BadPointError, GtpError
from goban.grids import BLACK, WHITE
from goban.points import Point, parse_vertex

LONGEST_LINE = 65_536
"""In characters. The longest command there is names all points of a board, some 1,500 characters."""

_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_KEPT = str.maketrans({chr(code): None for code in (*range(9), *range(10, 32), 127)} | {"\t": " "})


@dataclass(frozen=True)
class Command:
    """A command as it was sent. id: the digits before its name, '' if there are none; the answer repeats them."""

    id: str
    name: str
    words: tuple[str, ...] = ()


def read_command(line: str) -> Command | None:
    """Return the command in a line, None if it holds nothing but blanks and a comment.

    Control characters are dropped, a tab counts as a blank. A line that holds an id alone is a command without a name.
    """
    words = without_controls(line[: LONGEST_LINE + 1]).partition("#")[0].split()
    if not words:
        return None
    if words[0].isascii() and words[0].isdigit():
        identity, *words = words
    else:
        identity = ""
    return Command(identity, words[0] if words else "", tuple(words[1:]))


def without_controls(line: str) -> str:
    """Return a line as both sides read it: control characters are dropped, a tab counts as a blank."""
    return line.translate(_KEPT)


def success(identity: str, result: str = "") -> str:
    """Return an answer. A result that begins with a line end begins on a line of its own; empty lines are left out."""
    body = "\n".join(line for line in result.split("\n") if line.strip())
    space = "" if not body else "\n" if result.startswith("\n") else " "
    return f"={identity}{space}{body}\n\n"


def failure(identity: str, reason: str) -> str:
    """Return the answer to a command that failed; the reason becomes one line."""
    return f"?{identity} {message_line(reason)}\n\n"


def colour_of(word: str) -> int:
    """Return 1 or 2 for a colour; raises GtpError."""
    found = _COLOURS.get(word.lower())
    if found is None:
        raise GtpError(f"syntax error: expected a colour, b or w, got {quoted(word)}")
    return found


def vertex_of(word: str, size: int) -> Point | None:
    """Return the point, or None for a pass; raises GtpError."""
    try:
        return parse_vertex(word, size)
    except BadPointError as error:
        raise GtpError(f"syntax error: {error}") from None


def whole_number_of(word: str, most: int = 2**31 - 1) -> int:
    """Return a number from 0 to `most`; raises GtpError."""
    # int() by itself also reads '1_000' and digits of other scripts.
    if word.isascii() and word.isdigit() and len(word) <= 20 and int(word) <= most:
        return int(word)
    raise GtpError(f"syntax error: expected a whole number from 0 to {most}, got {quoted(word)}")


def real_number_of(word: str) -> float:
    """Return a finite number; raises GtpError."""
    try:
        number = float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise GtpError(f"syntax error: expected a number, got {quoted(word)}")
    # Not -0.
    return number + 0.0
