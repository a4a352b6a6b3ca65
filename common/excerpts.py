"""Makes texts and objects of players fit to be shown: one short line of plain ASCII, however hostile the object is."""

from __future__ import annotations


def printable(text: str, length: int) -> str:
    """Return the text with everything but printable ASCII escaped, cut to `length` characters."""
    # A subclass of str may have methods of its own.
    signs = (sign if " " <= sign <= "~" else ascii(sign)[1:-1] for sign in str.__str__(text)[: length + 1])
    line = "".join(signs)
    return line if len(line) <= length else line[: length - 3] + "..."


def message_line(text: str, length: int = 1000) -> str:
    """Return a message as one line for a terminal: white space becomes blanks, and what cannot be printed is escaped."""
    words = " ".join(text[: 2 * length].split())
    line = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)
    return line if len(line) <= length else line[: length - 3] + "..."


def type_name(thing: object) -> str:
    """Return the name of an object's class, whatever its metaclass says."""
    return printable(type.__dict__["__name__"].__get__(type(thing)), 60)


def quoted(thing: object) -> str:
    """Return an object as Python writes it, at most 60 characters; its type if its `repr` raises."""
    try:
        return printable(repr(thing), 60)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"an object of type {type_name(thing)}"


def quoted_path(path: object) -> str:
    """Return the name of a file or folder as Python writes it; up to 400 characters, since people must find the file."""
    return printable(repr(str(path)), 400)


def error_line(error: BaseException) -> str:
    """Return the type and message of an exception, even if the message cannot be read."""
    try:
        text = printable(str(error), 200)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = "(its message cannot be read)"
    return f"{type_name(error)}: {text}" if text else type_name(error)
