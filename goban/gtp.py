"""GTP, the Go Text Protocol, as text, for both sides: the engine's and the controller's.

An engine reads commands, and writes answers:

    12 play b C3   # a comment        Command(id='12', name='play', words=('b', 'C3'))
    =12                               success: then the result, if there is one, and an empty line
    ?12 illegal move                  failure: one line that says why, and an empty line

A controller splits an engine's standard output into answers:

    loading weights...                junk: lines that begin with neither '=' nor '?' are skipped, up to a limit
    =12 C3                            Answer(id='12', ok=True, text='C3')
                                      an empty line ends it
    ?13 illegal move                  Answer(id='13', ok=False, text='illegal move')

In a game it sends to an engine:

    name, version, list_commands                                   once, when the engine has been started
    [start-up commands], boardsize, clear_board, komi,             when a game begins; the last two
    [time_settings], [set_random_seed]                             if the engine knows them
    play w C3, genmove b                                           at each of its turns

An engine keeps its own board, which we do not trust: we play its moves on ours.

Source: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html (version 2, draft 2), sections 2 and 4.1.1.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from goban.common.excerpts import message_line, quoted
from goban.errors import BadPointError, GtpError
from goban.grids import BLACK, WHITE
from goban.moves import PASS, RESIGN, Move, move_name
from goban.points import Point, parse_vertex
from goban.rulesets import RuleSet, opponent
from goban.states import State

LONGEST_LINE = 65_536
"""In characters. The longest command names all points of a board, some 1,500 characters."""

_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_BYTE_ORDER_MARK = "\ufeff"
"""What some programs on Windows begin their input or output with."""
_KEPT = str.maketrans({chr(code): None for code in (*range(9), *range(10, 32), 127)} | {_BYTE_ORDER_MARK: None, "\t": " "})


@dataclass(frozen=True)
class Command:
    """A command as it was sent. id: the digits before its name, '' if there are none; the answer repeats them."""

    id: str
    name: str
    words: tuple[str, ...] = ()


def read_command(line: str) -> Command | None:
    """Return the command in a line, None if it holds nothing but blanks and a comment.

    Control characters and byte-order marks are dropped, a tab counts as a blank. A line with only an id is a command without a
    name.
    """
    words = _without_controls(line[: LONGEST_LINE + 1]).partition("#")[0].split()
    if not words:
        return None
    if words[0].isascii() and words[0].isdigit():
        identity, *words = words
    else:
        identity = ""
    return Command(identity, words[0] if words else "", tuple(words[1:]))


def _without_controls(line: str) -> str:
    """Return a line as both sides read it: without control characters and byte-order marks, a tab counts as a blank."""
    return line.translate(_KEPT)


def success(identity: str, result: str = "") -> str:
    """Return an answer. A result that begins with a line break starts on its own line; empty lines are left out."""
    body = "\n".join(line for line in result.split("\n") if line.strip())
    space = "" if not body else "\n" if result.startswith("\n") else " "
    return f"={identity}{space}{body}\n\n"


def failure(identity: str, reason: str) -> str:
    """Return the answer to a command that failed; the reason becomes one line."""
    return f"?{identity} {message_line(reason)}\n\n"


def colour_of(word: str) -> int:
    """Return 1 or 2 for a colour; raises GtpError."""
    colour = _COLOURS.get(word.lower())
    if colour is None:
        raise GtpError(f"syntax error: expected a colour, b or w, got {quoted(word)}")
    return colour


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


# What an engine writes

MOST_JUNK_LINES = 1000
MOST_JUNK_BYTES = 65_536
"""The number of lines and bytes that may be skipped between two answers."""
LONGEST_ANSWER = 65_536
"""In characters. Longer answers are cut off here; the longest honest one is a list of commands."""


@dataclass(frozen=True)
class Answer:
    """An answer. id: the digits after '=' or '?', '' if there are none. text: its lines, without blanks at both ends."""

    id: str
    ok: bool
    text: str


class Answers:
    """Takes bytes as they arrive, and returns answers."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._rest = b""
        # The lines of the answer that has begun, and their length.
        self._begun: list[str] = []
        self._length = 0
        self._junk_lines = self._junk_bytes = 0
        self._first_junk = b""

    def feed(self, data: bytes) -> None:
        """Add some bytes; call `take` until it returns None before adding more."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._lines.extend(lines)
        if self._answer_is_open():
            # Of an endless line no more is kept than of an endless answer.
            self._rest = self._rest[: LONGEST_ANSWER + 1]

    def _answer_is_open(self) -> bool:
        return bool(self._begun) or self._rest.lstrip().startswith((b"=", b"?"))

    @property
    def unfinished(self) -> str:
        """The first line of an answer that no empty line has ended yet; '' if there is none."""
        return self._begun[0] if self._begun else ""

    def take(self) -> Answer | None:
        """Return the next answer, None if it has not come yet. Raises GtpError if there is too much junk before it."""
        while self._lines:
            line = self._lines.popleft()
            text = _without_controls(line[: LONGEST_ANSWER + 1].decode("utf-8", "backslashreplace")).strip()
            if self._begun:
                if not text:
                    return self._finish()
                self._add(text)
            elif text[:1] in ("=", "?"):
                self._junk_lines, self._junk_bytes, self._first_junk = 0, 0, b""
                self._add(text)
            else:
                self._skip(line)
        if not self._answer_is_open():
            self._check_junk(self._rest)
        return None

    def _add(self, text: str) -> None:
        self._begun.append(text[: max(0, LONGEST_ANSWER - self._length)])
        self._length += len(self._begun[-1])
        if not self._begun[-1]:
            self._begun.pop()

    def _finish(self) -> Answer:
        first, *others = self._begun
        self._begun, self._length = [], 0
        after = first[1:].lstrip("0123456789")
        text = "\n".join([after.strip(), *others]).strip()
        return Answer(first[1 : len(first) - len(after)], first[0] == "=", text)

    def _skip(self, line: bytes) -> None:
        self._first_junk = self._first_junk or line[:200]
        self._junk_lines += 1
        self._junk_bytes += len(line) + 1
        self._check_junk(b"")

    def _check_junk(self, more: bytes) -> None:
        lines, size = self._junk_lines, self._junk_bytes + len(more)
        if lines <= MOST_JUNK_LINES and size <= MOST_JUNK_BYTES:
            return
        what = f"{lines} lines" if lines > MOST_JUNK_LINES else f"more than {MOST_JUNK_BYTES // 1024} KiB"
        text = (self._first_junk or more[:200]).decode("utf-8", "backslashreplace")
        raise GtpError(f"wrote {what} and no answer, which begins with = or ?; it began with {quoted(text)}")


# What a controller tells an engine in a game

_LETTERS = {BLACK: "b", opponent(BLACK): "w"}
_SEED_BITS = 31
"""Engines read a seed as a signed number of 32 bits."""

GET_READY = "harness-get_ready"
"""A command of our own engines, which they answer once they can play: so compiling takes no time from their first move."""


def seed_for_engine(seed: int) -> int:
    """Return the part of a seed that an engine can read, 0 .. 2**31 - 1."""
    return seed % (1 << _SEED_BITS)


def fill_in(word: str, seed: int, size: int, komi: float) -> str:
    """Return a word of a command line or of a start-up command with this game's {seed}, {size} and {komi} filled in."""
    for name, value in (("seed", seed_for_engine(seed)), ("size", size), ("komi", f"{komi:g}")):
        word = word.replace(f"{{{name}}}", str(value))
    return word


def opening_commands(
    size: int, komi: float, known: Collection[str], seed: int, move_seconds: float | None = None
) -> list[str]:
    """Return the commands that begin a game, after the start-up commands. known: the commands that the engine has listed.

    move_seconds: for each move; None if no clock runs. GTP counts whole seconds: fractions are dropped.
    """
    commands = [f"boardsize {size}", "clear_board", f"komi {komi:g}"]
    if move_seconds is not None and "time_settings" in known:
        commands.append(f"time_settings 0 {max(1, int(move_seconds))} 1")
    if "set_random_seed" in known:
        commands.append(f"set_random_seed {seed_for_engine(seed)}")
    if GET_READY in known:
        commands.append(GET_READY)
    return commands


def play_command(colour: int, move: Point | None, size: int) -> str:
    """Return the command that reports a move."""
    return f"play {_LETTERS[colour]} {move_name(move, size)}"


def genmove_command(colour: int) -> str:
    """Return the command that asks for a move."""
    return f"genmove {_LETTERS[colour]}"


def last_move_command(state: State) -> str:
    """Return the command that reports the move before a position; '' if there was none."""
    if not state.n_move:
        return ""
    return play_command(opponent(state.to_move), PASS if state.passed else state.last_point, state.grid.size)


def read_generated_move(text: str, size: int) -> Move:
    """Return the move in an answer to genmove: a point, a pass, or a resignation. Raises GtpError."""
    return RESIGN if text.lower() == "resign" else vertex_of(text, size)


def explain_refused_move(command: str, reply: str, rules: RuleSet) -> str:
    """Return the message about an engine that refuses its opponent's legal move. command: a play; reply: its answer."""
    move = command.split()[-1]
    verdict = f"it refuses {move}, which {rules.name} allows, with {quoted(reply)}"
    return verdict if move == "pass" else f"{verdict}: is its ko rule another than {rules.repetition.value}?"


def explain_refused_opening(command: str, reply: str) -> str:
    """Return the message about an engine that refuses to begin a game: this size or komi, or a start-up command."""
    return f"it answers {quoted(command)} with {quoted(f'? {reply}')}"


def read_listed_commands(text: str) -> frozenset[str]:
    """Return the names in an answer to list_commands."""
    return frozenset(text.split())


def expect_id(answer_id: str, number: int, command: str) -> None:
    """Raise GtpError if an answer does not have its command's id: from then on the two sides would be out of step."""
    if answer_id != str(number):
        got = f"id {answer_id}" if answer_id else "no id"
        raise GtpError(f"answered command {number}, {quoted(command)}, with {got}")
