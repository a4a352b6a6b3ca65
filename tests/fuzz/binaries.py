"""Files that our own commands have made: books of solved positions, and tables of learned values."""

from __future__ import annotations

import hashlib
import random
import struct
import zlib
from pathlib import Path

import numpy as np

from goban.solver.book import Book, book_bytes, read_book
from goban.solver.errors import SearchError
from my_player_table import STAGES, PackedTable
from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import Reader

_BOOK = Book(np.array([3, 70, 2**59 + 1]), np.array([32 << 11 | 40 << 5 | 1, 33 << 11 | 63 << 5 | 25, 1 << 11 | 32 << 5]))
_HEAD = 44


def _odd_book(rng: random.Random) -> bytes:
    """Return a book whose checksum is right and whose contents, or their number, are not."""
    data = book_bytes(_BOOK)
    columns = Mutator(rng).mutated(zlib.decompress(data[_HEAD:]), b"")
    packed = zlib.compress(columns) if rng.random() < 0.8 else Mutator(rng).mutated(data[_HEAD:], b"")
    number = rng.choice((len(columns) // 12, 3, 0, 2**32 - 1))
    return data[:8] + number.to_bytes(4, "little") + hashlib.sha256(packed).digest() + packed


def _read_book(data: bytes, folder: Path) -> str:
    path = folder / "book.bin"
    path.write_bytes(data)
    book = read_book(path)
    return f"{min(len(book), 9)} {len(book.part_about(70))}"


class _SmallTable(PackedTable):
    """A table with one weight of each kind. All weights are valid, so more of them would only take longer to unpack."""

    LAYOUT = (1, 1, 1, 1, 1)


def _table(head: bytes, states: bytes) -> bytes:
    return zlib.compress(head + states + bytes((STAGES - 1) * sum(_SmallTable.LAYOUT)))


def _tables() -> list[bytes]:
    states = struct.pack("<2Q2h", 3**25, 3**25 + 7, -9, 9)
    return [_table(struct.pack("<4sII", b"goQ1", 12, 2), states), _table(struct.pack("<4sII", b"goQ1", 0, 0), b"")]


def _odd_table(rng: random.Random) -> bytes:
    """Return a table that can be unpacked, and whose numbers may be wrong."""
    head = struct.pack("<4sII", b"goQ1", rng.choice((0, 1, 24, 2**32 - 1)), rng.choice((0, 1, 2, 3, 2**31, 2**32 - 1)))
    return _table(head, rng.randbytes(rng.choice((0, 10, 20, 30, 31))))


def _read_table(data: bytes, folder: Path) -> str:
    path = folder / "table.bin"
    path.write_bytes(data)
    table = _SmallTable.read(path)
    return f"{len(table.keys)} {[table.value(0, 0, stage) for stage in (1, 12, 23)]}"


READERS = {
    "book": Reader(lambda: [book_bytes(_BOOK), book_bytes(Book(_BOOK.keys[1:], _BOOK.values[1:]))], _read_book, (SearchError,),
                   (b"goBook01", b"\xff\xff\xff\xff"), (_odd_book,)),
    "table": Reader(_tables, _read_table, (ValueError,), (b"goQ1",), (_odd_table,)),
}  # fmt: skip
