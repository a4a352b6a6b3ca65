"""The book: early 5x5 positions, with what was proven of them, in a file of a few megabytes.

    book = shipped_book("course")       None if this rule set has no book
    Solver(book=no_book)                a solver that begins without one
    book.keys, book.values              what a solver's table is filled with before its first search

An entry is a position with bounds of its final margin and the move that proves the lower one, in the form of
`goban.solver.alphabeta.transpositions`. The positions are early ones only, where symmetric positions count as one: all of the
first moves, and later ones that took long.

The file, `goban/solver/book_<rules>.bin`:

    8 bytes    'goBook01'
    4 bytes    number of entries, little-endian
    32 bytes   SHA-256 of what follows
    the rest   zlib: the keys, ascending, as differences of 8 bytes, then the values of 4 bytes; both little-endian and
               laid out byte by byte (all first bytes, all second bytes, ...), which packs better

`python3 -m goban.solver.bookmaking` makes it anew.
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

from goban.common.excerpts import quoted_path
from goban.solver.alphabeta.boards import MAX_SIZE, Ints
from goban.solver.errors import BadBookError

_MAGIC = b"goBook01"
_HEAD = len(_MAGIC) + 4 + 32
_MOST_ENTRIES = 20_000_000
"""More than a file of a few megabytes can have. What unpacks to more was not made by us."""


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
    """Return the book in a file; raises BadBookError, which names the file, if it is not one or has been damaged.

    The checksum tells damage. A file with other contents and a right checksum is refused too, unless its entries are such as
    a book may have; whether they are true is not looked at.
    """
    name = f"book {quoted_path(path)}"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadBookError(f"{name} cannot be read: {error.strerror}") from error
    if data[: len(_MAGIC)] != _MAGIC or len(data) < _HEAD:
        raise BadBookError(f"{name}: expected a file that begins with {_MAGIC!r}, got {data[:8]!r}")
    number = int.from_bytes(data[8:12], "little")
    if hashlib.sha256(data[_HEAD:]).digest() != data[12:_HEAD]:
        raise BadBookError(f"{name} is damaged: its checksum does not match; download it again")
    columns = _unpack(data[_HEAD:], 12 * min(number, _MOST_ENTRIES))
    if columns is None or len(columns) != 12 * number:
        raise BadBookError(f"{name}: expected {number} entries, as its header says, got another number")
    steps = _from_columns(columns[: 8 * number], np.dtype("<i8"))
    values = _from_columns(columns[8 * number :], np.dtype("<i4"))
    book = Book(np.cumsum(steps), values.astype(np.int64))
    if not _is_sound(book):
        raise BadBookError(f"{name}: expected positions with bounds of their margins, got other entries")
    return book


def _unpack(data: bytes, length: int) -> bytes | None:
    """Return what is packed in a zlib stream, None if that is more than `length` bytes or the stream is none."""
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(data, length + 1)
    except zlib.error:
        return None
    return unpacked if stream.eof and not stream.unused_data else None


def _is_sound(book: Book) -> bool:
    """Tell whether keys rise and are positions of a game, and values are moves of the board and bounds that fit together.

    A solver relies on it: to a key beyond all positions its table has no place.
    """
    keys, values = book.keys, book.values
    if not len(keys):
        return True
    last = ((MAX_SIZE**2 - 1) << 55) + (1 << 55)
    low, high, move = values >> 11, values >> 5 & 63, values & 31
    return bool(
        keys[0] >= 0 and keys[-1] < last and (keys[1:] > keys[:-1]).all()
        and low.min() >= 0 and (low <= high).all() and move.max() <= MAX_SIZE**2
    )  # fmt: skip


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
