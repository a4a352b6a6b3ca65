"""What a command line that plays games has in place of standard output and of Ctrl-C, and how it tells how far it is.

`keep_streams` is for a program that answers another one. `fit_tables` makes tables fit into the terminal.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from goban.common.command_lines import complain
from goban.common.excerpts import is_terminal

if TYPE_CHECKING:
    from mmap import mmap


def keep_streams() -> tuple[int, int]:
    """Return new descriptors of standard input and output, and turn the old ones away for the rest of the process.

    For a program that answers another one line by line: what a player prints goes to standard error, and a player that reads
    finds nothing to read. Nor may libraries look at an input that a thread waits for: on Windows they wait as well, while
    numpy is imported. Source: https://github.com/numpy/numpy/issues/24290.
    """
    commands, answers = os.dup(0), os.dup(1)
    sys.stdout.flush()
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing if sys.stderr is None else 2, 1)
    os.close(nothing)
    return commands, answers


class Output:
    """Standard output as the players see it: they cannot close it, and whether they ended their last line is known.

    If it can no longer be written to (`... --show | head`), the work is stopped as by Ctrl-C. name: the command line's.
    """

    def __init__(self, file: TextIO, name: str) -> None:
        self.file = file
        self.name = name
        self.line_is_open = False
        if isinstance(file, io.TextIOWrapper) and file.errors == "strict":
            file.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write text."""
        if text:
            self.line_is_open = not text.endswith("\n")
        return self._try(lambda: self.file.write(text)) or 0

    def flush(self) -> None:
        """Write out what is buffered."""
        self._try(self.file.flush)

    def close(self) -> None:
        """Stay open."""

    def _try(self, action: Callable[[], int | None]) -> int | None:
        try:
            return action()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
            if not isinstance(error, BrokenPipeError):
                complain(self.name, f"standard output cannot be written: {error.strerror}")
            raise KeyboardInterrupt from None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self.file, name)


class CtrlC:
    """Ctrl-C ends a game at once, but waits while a result is noted. A player that catches it does not keep it.

    noticed: called when it is pressed, with what was running then. A handler that was there before, as in consoles of editors,
    decides what is done then.
    """

    def __init__(self) -> None:
        self.pressed = self.waits = False
        self.noticed: Callable[[FrameType | None], None] = lambda frame: None
        self.before = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> CtrlC:
        if callable(self.before):
            self._have(self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self.before is not None:
            self._have(self.before)

    def _have(self, handler: Callable[[int, FrameType | None], object] | int) -> None:
        # In a thread that a program has started, Ctrl-C is its own affair.
        with suppress(ValueError):
            signal.signal(signal.SIGINT, handler)

    def _press(self, _: int, frame: FrameType | None) -> None:
        if not self.pressed:
            self.noticed(frame)
        self.pressed = True
        if not self.waits:
            self._heed(frame)

    def _heed(self, frame: FrameType | None = None) -> None:
        """Raise KeyboardInterrupt, unless a program that calls us goes on at Ctrl-C."""
        if callable(self.before):
            self.before(signal.SIGINT, frame)
        self.pressed = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Hold Ctrl-C back for a moment."""
        self.waits = True
        yield
        self.waits = False
        if self.pressed:
            self._heed()


class LastWords:
    """Words that are said if this process ends without having said them itself: a process of its own waits for that.

    It must be made before there are threads, and be closed. Where the system has no such processes nothing is said, nor under a
    debugger that follows every process: it would show this one as a program of its own, and stop until somebody debugs it.
    """

    def __init__(self) -> None:
        self._shared: mmap | None = None
        # That of VS Code, PyCharm and others.
        if "pydevd" not in sys.modules:
            with suppress(OSError, AttributeError):
                self._start()

    def _start(self) -> None:
        # Imported late: few need it.
        from mmap import mmap

        shared = mmap(-1, _MOST_WORDS)
        us = os.pidfd_open(os.getpid())
        try:
            # Not a child of ours: a player may wait for the end of all our children.
            child = os.fork()
            if not child:
                _leave_waiting(us, shared)
            os.waitpid(child, 0)
        finally:
            os.close(us)
        self._shared = shared

    def set(self, line: str, results: str = "") -> None:
        """Change them: lines for standard error, '' for none, and what then goes to standard output."""
        if self._shared is not None:
            text = f"{results}\0{line}\0".encode(errors="backslashreplace")[:_MOST_WORDS]
            self._shared[: len(text)] = text

    def close(self) -> None:
        """All was said: say nothing."""
        self.set("")


_MOST_WORDS = 1 << 16


def _leave_waiting(us: int, shared: mmap) -> NoReturn:
    """In the child: have a child of its own wait for the end of the process, and say its last words."""
    import select

    try:
        if not os.fork():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            poll = select.poll()
            poll.register(us, select.POLLIN)
            poll.poll()
            results, line, *_ = shared[:].split(b"\0", 2)
            for number, text in ((2, line), (1, results if line else b"")):
                with suppress(OSError):
                    os.write(number, text + b"\n" if text else b"")
    finally:
        os._exit(0)


class Progress:
    """One line on a terminal that says how far the games are; nothing elsewhere. before: games that were played earlier."""

    def __init__(self, total: int, quiet: bool, before: int = 0) -> None:
        self.total, self.before = total, before
        self.shown = not quiet and total > 1 and is_terminal(sys.stderr)
        self.started = self.next_time = time.monotonic()

    def update(self, done: int) -> None:
        """Show the line anew, at most ten times a second."""
        now = time.monotonic()
        if self.shown and now >= self.next_time:
            self.next_time = now + 0.1
            rate = (done - self.before) / max(now - self.started, 1e-9)
            speed = f", {rate:.1f}/s, {(self.total - done) / rate:.0f} s left" if rate else ""
            self._write(f"\r\033[K{done}/{self.total} games{speed} ")

    def say(self, line: str) -> None:
        """Print a line in its place."""
        self.clear()
        self._write(f"{line}\n")

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            self._write("\r\033[K")

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


WIDE = "\0"


def widen(text: str) -> str:
    """Return text with WIDE behind each character that takes two columns of a terminal, so that its length is its width."""
    if text.isascii():
        return text
    return "".join(sign + WIDE if unicodedata.east_asian_width(sign) in "WF" else sign for sign in text)


_RULE = re.compile(r"-+(  -+)+")
"""Between the header and the rows of a table, a dash for each column of the terminal."""


def fit_tables(text: str) -> str:
    """Return text for standard output: where that is a terminal, its tables are folded to fit."""
    return fold_tables(text, get_terminal_size().columns) if is_terminal(sys.stdout) else text


def fold_tables(text: str, width: int) -> str:
    """Return text with each table that is wider than `width` columns set close and, if need be, in parts below each other.

    Each part begins with the table's first column, which names the row, and with the second too if the first is a rank.
    """
    lines = text.split("\n")
    folded: list[str] = []
    at = 0
    while at < len(lines):
        end = at + 1
        if end < len(lines) and _RULE.fullmatch(lines[end]) and len(lines[end]) > width:
            end = lines.index("", end) if "" in lines[end:] else len(lines)
            folded += _fold(lines[at:end], width)
        else:
            folded.append(lines[at])
        at = end
    return "\n".join(folded)


def _fold(table: Sequence[str], width: int) -> list[str]:
    """Return a table in parts. table: the header, the rule, the rows."""
    columns = [_trim(table, *part.span()) for part in re.finditer("-+", table[1])]
    first = 2 if table[0].split()[:1] == ["rank"] else 1
    parts: list[list[tuple[int, int]]] = []
    for column in columns[first:]:
        if not parts or _width([*parts[-1], column]) > width:
            parts.append(columns[:first])
        parts[-1] = [*parts[-1], column]
    return "\n\n".join("\n".join(_cut(line, part) for line in table) for part in parts).split("\n")


def _trim(table: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """Return where a column begins and ends without the blanks that all its cells have before or behind them."""
    cells = [cell for line in (table[0], *table[2:]) if (cell := _cut(line, [(start, end)]))]
    wide = [widen(cell).ljust(end - start) for cell in cells]
    before = min((len(cell) - len(cell.lstrip()) for cell in wide), default=0)
    behind = min((len(cell) - len(cell.rstrip()) for cell in wide), default=0)
    return start + before, end - behind


def _width(columns: Sequence[tuple[int, int]]) -> int:
    return sum(end - start + 2 for start, end in columns) - 2


def _cut(line: str, columns: Sequence[tuple[int, int]]) -> str:
    """Return some columns of a line of a table. columns: where each begins and ends, in columns of the terminal."""
    wide = widen(line)
    return "  ".join(wide[start:end].ljust(end - start) for start, end in columns).rstrip().replace(WIDE, "")
