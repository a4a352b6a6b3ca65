"""Makes texts and objects fit to be shown: as one line, in a colour, with what may have been meant.

    printable, quoted, ...    what players and their files say: however hostile it is, nothing hidden is left in it
    as_written                what people write who are trusted, such as an instructor's names: as it stands, in any script
    suggestion                what somebody may have meant who mistyped a name
    is_terminal               whether a line can be written over
    shows_colours, paint      whether a terminal shows colours, and how a text gets one (ECMA-48, select graphic rendition)
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

# Control, format, surrogate, private-use and unassigned characters, and separators of lines.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters that show nothing.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0")
_MARKS = frozenset({"Mn", "Me"})
_MOST_MARKS = 2
"""On one letter."""
# Where an object lies in memory, as Python ends the text of one that says nothing else of itself.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=[>,])")
# Those that would turn what follows them around: embeddings, overrides, isolates.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str, length: int) -> str:
    """Return the text with everything escaped that does not show as what it is, cut to `length` characters.

    Letters, marks, digits, punctuation and symbols of all scripts stay; of a stack of marks the first ones.
    """
    # A subclass of str may have methods of its own.
    whole = str.__str__(text)
    line = "".join(signs(whole[: length + 1]))
    return line if max(len(line), str.__len__(whole)) <= length else line[: length - 3] + "..."


def signs(text: str) -> Iterator[str]:
    """Yield a text in pieces, as `printable` shows it."""
    if text.isascii() and text.isprintable():
        yield text
        return
    marks = 0
    for sign in text:
        category = unicodedata.category(sign)
        marks = marks + 1 if category in _MARKS else 0
        if category in _HIDDEN or sign in _BLANK:
            yield ascii(sign)[1:-1]
        elif marks <= _MOST_MARKS:
            yield " " if category == "Zs" else sign


def as_written(text: str) -> str:
    """Return a text as its author wrote it, in one line: without control characters and bidirectional overrides.

    Line ends and tabs become blanks. Nothing is escaped and nothing cut.
    """
    if text.isprintable():
        return text
    return "".join(_show_sign(sign) for sign in text)


def _show_sign(sign: str) -> str:
    if sign in "\t\n\v\f\r\x85\u2028\u2029":
        return " "
    return "" if sign in _TURNING or unicodedata.category(sign) in ("Cc", "Cs") else sign


def message_line(text: str, length: int = 1000) -> str:
    """Return a message as one line for a terminal: white space becomes blanks, and what cannot be printed is escaped."""
    line = "".join(signs(" ".join(text[: 2 * length].split())))
    return line if len(line) <= length else line[: length - 3] + "..."


def type_name(thing: object) -> str:
    """Return the name of an object's class, whatever its metaclass says."""
    return printable(type.__dict__["__name__"].__get__(type(thing)), 60)


def quoted(thing: object) -> str:
    """Return an object as Python writes it, without its address, at most 60 characters; its type if its `repr` raises."""
    try:
        return printable(without_addresses(repr(thing)), 60)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"an object of type {type_name(thing)}"


def quoted_path(path: object) -> str:
    """Return the name of a file or folder as Python writes it; up to 400 characters, since people must find the file."""
    return printable(repr(str(path)), 400)


def error_line(error: BaseException) -> str:
    """Return the type and message of an exception, without addresses, even if the message cannot be read."""
    try:
        text = printable(without_addresses(str(error)), 200)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = "(its message cannot be read)"
    return f"{type_name(error)}: {text}" if text else type_name(error)


def without_addresses(text: str) -> str:
    """Return a text without what differs from run to run where Python shows an object that has no text of its own.

    >>> without_addresses("got <my_player.Move object at 0x7f1780b19210>")
    'got <my_player.Move object>'
    """
    return _ADDRESS.sub("", text)


def suggestion(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Return '; did you mean greedy?', to end a message about an unknown name with; '' if no known one is like it.

    alike: how much, from 0 to 1.

    >>> suggestion("greddy", ["random", "greedy"]), suggestion("xyz", ["random"])
    ('; did you mean greedy?', '')
    """
    # Imported late, because it takes a while and is needed for mistakes only.
    from difflib import get_close_matches

    close = get_close_matches(name.lower()[:100], list(known), 1, alike)
    return f"; did you mean {close[0]}?" if close else ""


def is_terminal(file: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a stream is a terminal on which a line can be written over; None is none.

    Windows of editors such as IDLE call themselves one, and have no descriptor of a terminal; a notebook has the descriptor of
    that from which it was started.
    """
    if file is None or environment.get("TERM") == "dumb":
        return False
    try:
        return file.isatty() and os.isatty(file.fileno())
    except (AttributeError, OSError, ValueError):
        return False


def shows_colours(file: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether texts written to a file may have colours: it is a terminal that has some, and NO_COLOR is unset or empty.

    Source: https://no-color.org. A terminal that does not say what it is (TERM) is taken to have none.
    """
    if environment.get("NO_COLOR") or not environment.get("TERM"):
        return False
    return is_terminal(file, environment)


def paint(text: str, code: str) -> str:
    """Return a text in a colour, which ends with it. code: numbers with ';' between them."""
    return f"\033[{code}m{text}\033[0m"
