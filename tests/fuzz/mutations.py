"""Changes to inputs, of bytes and of words: what readers meet when a file is damaged, and when somebody tries them out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from itertools import islice

_WORD = re.compile(rb"[A-Za-z_]+|[0-9]+|[^\w\s]|\s+")
_NUMBER = re.compile(rb"-?[0-9]+")
NUMBERS = (
    b"0", b"-0", b"-1", b"1", b"2", b"5", b"19", b"20", b"00", b"+1", b"1_0", b"0x10", b"1e400", b"-1e400", b"1e-400", b"nan",
    b"inf", b"-inf", b"0.5", b"255", b"256", b"65536", b"2147483648", b"4294967296", b"9223372036854775808", b"9" * 400,
    b"9" * 5000, "٣".encode(), "²".encode(), b"true", b"null", b"1.", b".1",
)  # fmt: skip
BYTES = (
    b"\0", b"\n", b"\r", b"\r\n", b"\t", b"\x0b", b"\x1b[2J", b"\x7f", b"\x80", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b" ",
    b"'", b'"', b'"""', b"\\", b"/", b"..", b";", b",", b":", b"=", b"#", b"[", b"]", b"(", b")", b"{", b"}", b"<", b"&",
    b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", "\u2028".encode(), "\u202e".encode(), "é".encode(), "日本".encode(),
)  # fmt: skip
_MOST_REPEATS = 4000


class Mutator:
    """Makes inputs out of others. words: what the readers look for, as names of keys; most_bytes: of an input."""

    def __init__(self, rng: random.Random, words: Sequence[bytes] = (), most_bytes: int = 2**16) -> None:
        self._rng = rng
        self._words = (*words, *NUMBERS, *BYTES)
        self._most = most_bytes
        self._changes: tuple[Callable[[bytes], bytes], ...] = (
            self._flipped, self._overwritten, self._shortened, self._doubled, self._inserted, self._cut, self._swapped,
            self._reworded, self._renumbered, self._rewritten, self._repeated,
        )  # fmt: skip

    def mutated(self, data: bytes, other: bytes) -> bytes:
        """Return an input after one or more changes; now and then the end of another one takes the place of its end."""
        rng = self._rng
        if rng.random() < 0.05:
            data = data[: self._place(data)] + other[self._place(other) :]
        for _ in range(1 if rng.random() < 0.5 else rng.randrange(1, 8)):
            data = rng.choice(self._changes)(data)[: self._most]
        return data

    def _place(self, data: bytes) -> int:
        return self._rng.randrange(len(data) + 1)

    def _piece(self, data: bytes) -> tuple[int, int]:
        """Return the two ends of a piece, most often a short one."""
        start = self._place(data)
        longest = len(data) - start
        return start, start + self._rng.randint(0, min(longest, self._rng.choice((1, 4, 16, 64, longest))))

    def _flipped(self, data: bytes) -> bytes:
        if not data:
            return data
        place = self._rng.randrange(len(data))
        return data[:place] + bytes([data[place] ^ 1 << self._rng.randrange(8)]) + data[place + 1 :]

    def _overwritten(self, data: bytes) -> bytes:
        place = self._place(data)
        new = self._rng.randbytes(self._rng.choice((1, 1, 2, 4, 8)))
        return data[:place] + new + data[place + len(new) :]

    def _shortened(self, data: bytes) -> bytes:
        start, end = self._piece(data)
        return data[:start] + data[end:]

    def _doubled(self, data: bytes) -> bytes:
        start, end = self._piece(data)
        return data[:end] + data[start:]

    def _inserted(self, data: bytes) -> bytes:
        place = self._place(data)
        return data[:place] + self._rng.choice(self._words) + data[place:]

    def _cut(self, data: bytes) -> bytes:
        return data[: self._place(data)]

    def _swapped(self, data: bytes) -> bytes:
        """Return the data after two neighbouring pieces have changed places."""
        first, second, third = sorted(self._place(data) for _ in range(3))
        return data[:first] + data[second:third] + data[first:second] + data[third:]

    def _reworded(self, data: bytes) -> bytes:
        """Return the data after a word of its own has become another of its words."""
        found = _spans(_WORD, data, 200, self._place(data) // 2)
        if not found:
            return data
        start, end = self._rng.choice(found)
        first, last = self._rng.choice(found)
        return data[:start] + data[first:last] + data[end:]

    def _renumbered(self, data: bytes) -> bytes:
        found = _spans(_NUMBER, data, 500)
        if not found:
            return data
        start, end = self._rng.choice(found)
        return data[:start] + self._rng.choice(NUMBERS) + data[end:]

    def _rewritten(self, data: bytes) -> bytes:
        """Return the data after a word of its own has become one of those that the reader knows."""
        found = _spans(_WORD, data, 500)
        if not found:
            return data
        start, end = self._rng.choice(found)
        return data[:start] + self._rng.choice(self._words) + data[end:]

    def _repeated(self, data: bytes) -> bytes:
        """Return the data with a word or a piece many times: depth, length and number."""
        start, end = self._piece(data)
        piece = self._rng.choice((data[start:end][:64], self._rng.choice(self._words)[:64]))
        times = int(_MOST_REPEATS ** self._rng.random())
        return data[:start] + piece * times + data[start:]


def _spans(pattern: re.Pattern[bytes], data: bytes, most: int, start: int = 0) -> list[tuple[int, int]]:
    """Return where a pattern is found first, at most so many times."""
    return [match.span() for match in islice(pattern.finditer(data, start), most)]
