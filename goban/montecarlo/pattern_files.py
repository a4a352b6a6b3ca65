"""Pattern files: 3x3 drawings, and what a move in the middle of each is worth in a playout.

    # Comments begin with '#'.
    XO?                     .  empty                    O  own, of the player to move     o  own or empty
    O*x                     *  the move                 X  the opponent's                 x  the opponent's or empty
    ?x?                     |  -  +  beyond the edge    ?  own, the opponent's or empty   %  any of these four
    :100,near,osafe         a value for moves of which all the words hold, see below
    :5                      a value for all that the lines above leave out

Drawings stand for all their turned and mirrored forms. What is drawn without an edge matches only where there is none. Every
move is worth 1 unless a line says otherwise, and the first that does counts. The notation is that of GNU Go 3.8, whose files
are read as it reads them; what it silently passes over, such as a word it does not know, is refused here.

The words of a line of values, and what they stand for:

    near, far               the move is, or is not, near what the move before it has changed
    osafe, ounsafe          the string of the stone would have two liberties or more, or fewer
    xsafe, xunsafe          the same for a stone of the opponent there; suicide is unsafe
    xsuicide, xnosuicide    the opponent's move there would be suicide, or not
    ocap0 to ocap3          so many stones the move would capture, 3 standing for more as well
    ocap1+, ocap2+          so many or more
    ocap1-, ocap2-          so many or fewer
    xcap...                 the same eight for the opponent's move there

All words of a line must hold. Words that exclude each other hold for no combination of properties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from goban.common.excerpts import printable, quoted
from goban.common.files import read_bounded
from goban.kernels.patterns.neighbourhoods import Bools

# isort: off
from goban.kernels.patterns.neighbourhoods import (
    COMBINATIONS, MOST_CAPTURES, NEAR, OTHER_ATARI, OTHER_CAPTURES, OTHER_SUICIDE, OWN_ATARI, OWN_CAPTURES,
)  # fmt: skip
from goban.solver.errors import BadPatternError
# isort: on

MOST_VALUE = 2**32 - 1
MOST_BYTES = 1 << 16
"""Of a file: thousands of patterns. Those that people use have some dozens."""

SYMBOLS = ".OXox?%|-+"
_MOVE = "*"
_MOST_SIGNS = 79
"""Of a line of values. GNU Go cuts longer lines in pieces, and takes a piece for a line of its own."""


@dataclass(frozen=True)
class Pattern:
    """A drawing: three rows of three symbols, and the number of the line where it begins, from 1."""

    rows: tuple[str, str, str]
    line: int


@dataclass(frozen=True)
class Rule:
    """A line of values. value: 0 to MOST_VALUE; words: all must hold; line: its number, from 1."""

    pattern: Pattern
    value: int
    words: tuple[str, ...]
    line: int

    def __str__(self) -> str:
        return ":" + ",".join([str(self.value), *self.words])


def read_pattern_file(path: str | Path) -> tuple[Rule, ...]:
    """Return the rules of a file, in its order; raises OSError, and BadPatternError with the file and the line."""
    return parse_patterns(read_bounded(path, MOST_BYTES), printable(str(path), 400))


def parse_patterns(data: bytes, name: str) -> tuple[Rule, ...]:
    """Return the rules of a file's contents, in its order. Raises BadPatternError with `name` and the line.

    Comments may hold any bytes. Lines may end as on Windows, and have white space or a comment behind what counts.
    """
    reader, number = _Reader(), 0
    try:
        for number, line in enumerate(data.split(b"\n"), 1):
            # Bytes have no line breaks and white space but those of ASCII.
            text = line.rstrip().decode("latin-1")
            if text and not text.startswith("#"):
                reader.take(text, number)
        reader.end()
    except BadPatternError as error:
        raise BadPatternError(f"{name}, line {number}: {error}") from None
    return tuple(reader.rules)


class _Reader:
    """Takes the lines of a file one by one. Raises BadPatternError, without the place."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self._rows: list[str] = []
        self._first = 0
        self._pattern: Pattern | None = None

    def take(self, text: str, number: int) -> None:
        """Take a line that is neither blank nor a comment."""
        if text.startswith(":"):
            self._take_rule(text, number)
        elif text[0] in SYMBOLS + _MOVE:
            self._take_row(_without_comment(text), number)
        else:
            raise BadPatternError(f"expected a row, values such as ':10,near', a comment or nothing, got {quoted(text)}")

    def end(self) -> None:
        """Take the end of the file."""
        if self._rows:
            raise BadPatternError(
                f"expected three rows and values below them, in the pattern of line {self._first}, got the end of the file"
            )

    def _take_row(self, row: str, number: int) -> None:
        if len(self._rows) == 3:
            raise BadPatternError(
                f"expected values such as ':10,near' below the pattern of line {self._first}, got a fourth row {quoted(row)}"
            )
        self._rows.append(check_row(row, len(self._rows)))
        self._pattern = None
        if len(self._rows) == 1:
            self._first = number

    def _take_rule(self, text: str, number: int) -> None:
        if self._pattern is None:
            self._pattern = Pattern(self._three_rows(), self._first)
            self._rows = []
        if len(text) > _MOST_SIGNS:
            raise BadPatternError(f"expected at most {_MOST_SIGNS} characters in a line of values, got {len(text)}")
        value, *words = (part.strip() for part in _without_comment(text)[1:].split(","))
        self.rules.append(Rule(self._pattern, _value(value), check_words(words), number))

    def _three_rows(self) -> tuple[str, str, str]:
        if len(self._rows) != 3:
            raise BadPatternError(f"expected three rows above values, got {len(self._rows)}")
        return self._rows[0], self._rows[1], self._rows[2]


def check_row(row: str, place: int) -> str:
    """Return a row of a drawing; raises BadPatternError if it is not the one at `place`, 0 to 2."""
    if len(row) != 3:
        raise BadPatternError(f"expected a row of 3 symbols, got {quoted(row)}")
    for column, symbol in enumerate(row):
        if place == column == 1:
            if symbol != _MOVE:
                raise BadPatternError(f"expected '*', the move, in the middle of the second row, got {quoted(row)}")
        elif symbol not in SYMBOLS:
            raise BadPatternError(f"expected symbols of {' '.join(SYMBOLS)} around the move, got {symbol!r} in {quoted(row)}")
    return row


def _without_comment(text: str) -> str:
    return text.partition("#")[0].rstrip()


def _value(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_VALUE):
        raise BadPatternError(f"expected a whole number from 0 to {MOST_VALUE} behind the colon, got {quoted(text)}")
    return int(text)


@cache
def combinations_of_word() -> dict[str, Bools]:
    """Return for each of the 24 words the combinations, of all 256, for which it holds. Shared: not to be written to."""
    index = np.arange(COMBINATIONS)
    found = {}
    yes_and_no = (
        ("near", "far", NEAR), ("ounsafe", "osafe", OWN_ATARI), ("xunsafe", "xsafe", OTHER_ATARI),
        ("xsuicide", "xnosuicide", OTHER_SUICIDE),
    )  # fmt: skip
    for yes, no, bit in yes_and_no:
        found[yes] = index >> bit & 1 == 1
        found[no] = ~found[yes]
    for letter, bit in (("o", OWN_CAPTURES), ("x", OTHER_CAPTURES)):
        stones = index >> bit & MOST_CAPTURES
        found |= {f"{letter}cap{number}": stones == number for number in range(MOST_CAPTURES + 1)}
        for number in (1, 2):
            found[f"{letter}cap{number}+"] = stones >= number
            found[f"{letter}cap{number}-"] = stones <= number
    return found


def check_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return words, all of which are of the 24; raises BadPatternError, which lists these, for any other."""
    known = combinations_of_word()
    for word in words:
        if word not in known:
            raise BadPatternError(f"expected one of {', '.join(known)}, got {quoted(word)}")
    return tuple(words)


def combinations_of(words: tuple[str, ...]) -> Bools:
    """Return the combinations, of all 256, for which all of the words hold; without words all of them."""
    holds = np.ones(COMBINATIONS, np.bool_)
    for word in words:
        holds &= combinations_of_word()[word]
    return holds
