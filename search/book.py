"""The book: early 5x5 positions, with what was proven of them, in a file of a few megabytes.

    book = shipped_book("course")       None if this rule set has no book
    Solver(book=no_book)                a solver that begins without one
    book.keys, book.values              what a solver's table is filled with before its first search

An entry is a position with bounds of its final margin and the move that proves the lower one, in the form of
`search.alphabeta.transpositions`. The positions are early ones only, where symmetric positions count as one: all of the
first moves, and later ones that took long.

The file, `search/book_<rules>.bin`:

    8 bytes    'goBook01'
    4 bytes    number of entries, little-endian
    32 bytes   SHA-256 of what follows
    the rest   zlib: the keys, ascending, as differences of 8 bytes, then the values of 4 bytes; both little-endian and
               laid out byte by byte (all first bytes, all second bytes, ...), which packs better

`python3 -m search.bookmaking` makes it anew.
"""

from __future__ import annotations

import functools
import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.alphabeta.boards import Ints
from search.errors import BadBookError

_MAGIC = b"goBook01"
_HEAD = len(_MAGIC) + 4 + 32


@dataclass(frozen=True, eq=False)
class Book:
    """Entries in ascending order of key. values: bits 0-4 move + 1, 5-10 upper bound + 32, 11-16 lower bound + 32."""

    keys: Ints
    values: Ints

    def __len__(self) -> int:
        return len(self.keys)

    def part_about(self, key: int) -> Book:
        """Return the entry of one position, if there is one, as a book of its own."""
        first, end = np.searchsorted(self.keys, (key, key + 1))
        return Book(self.keys[first:end], self.values[first:end])


BookOf = Callable[[str], Book | None]
"""Returns the book of a rule set, given its name; None for none."""


def shipped_path(rules: str) -> Path:
    """Return where the book of a rule set lies, whether or not there is one."""
    return Path(__file__).parent / f"book_{rules}.bin"


@functools.cache
def shipped_book(rules: str) -> Book | None:
    """Return the book that comes with the project, None if there is none; raises BadBookError if it cannot be used."""
    path = shipped_path(rules)
    return read_book(path) if path.exists() else None


def no_book(rules: str) -> None:
    """Return None: for a solver that is to begin with an empty table."""


def read_book(path: Path) -> Book:
    """Return the book in a file; raises BadBookError, which names the file, if it is not one or has been damaged."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadBookError(f"book {str(path)!r} cannot be read: {error.strerror}") from error
    if data[: len(_MAGIC)] != _MAGIC or len(data) < _HEAD:
        raise BadBookError(f"book {str(path)!r}: expected a file that begins with {_MAGIC!r}, got {data[:8]!r}")
    number = int.from_bytes(data[8:12], "little")
    if hashlib.sha256(data[_HEAD:]).digest() != data[12:_HEAD]:
        raise BadBookError(f"book {str(path)!r} is damaged: its checksum does not match; get the file anew")
    columns = zlib.decompress(data[_HEAD:])
    if len(columns) != 12 * number:
        raise BadBookError(f"book {str(path)!r}: expected {number} entries, got {len(columns) / 12:g}")
    steps = _from_columns(columns[: 8 * number], np.dtype("<i8"))
    values = _from_columns(columns[8 * number :], np.dtype("<i4"))
    return Book(np.cumsum(steps), values.astype(np.int64))


def book_bytes(book: Book) -> bytes:
    """Return a book as its file holds it."""
    steps = np.diff(book.keys, prepend=0).astype("<i8")
    packed = zlib.compress(_to_columns(steps) + _to_columns(book.values.astype("<i4")), 9)
    return _MAGIC + len(book).to_bytes(4, "little") + hashlib.sha256(packed).digest() + packed


def _to_columns(numbers: npt.NDArray[np.integer]) -> bytes:
    return np.frombuffer(numbers.tobytes(), np.uint8).reshape(len(numbers), -1).T.tobytes()


def _from_columns(data: bytes, kind: np.dtype[np.signedinteger]) -> npt.NDArray[np.integer]:
    columns = np.frombuffer(data, np.uint8).reshape(kind.itemsize, -1)
    return np.frombuffer(columns.T.tobytes(), kind)
