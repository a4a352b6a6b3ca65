"""Files of arrays: whatever numpy saved, networks, and positions with exact values."""

from __future__ import annotations

import bz2
import io
import lzma
import random
import struct
import tempfile
import zipfile
import zlib
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from goban.common.files import read_arrays
from golearn.alphazero.go_positions import ACTIONS, MOST_MOVES, RULES, KnownPositions, read_positions, set_bytes
from golearn.alphazero.weights import read_weights, write_weights
from golearn.errors import AlphaZeroError
from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import Reader
from tests.support.plain_networks import KINDS, any_weights

_VALUES = np.ones((2, ACTIONS), np.int8)
_POSITIONS = KnownPositions(RULES[0], np.zeros((2, MOST_MOVES), np.uint8), np.zeros(2, bool), _VALUES, _VALUES)
_WORDS = (b"'descr'", b"'<U9'", b"(2, 3)", b"'fortran_order'", b"'|O'", b"(")


@cache
def _saved() -> list[bytes]:
    files = []
    for save in (np.savez, np.savez_compressed):
        buffer = io.BytesIO()
        save(buffer, notes=np.array('{"a": 1}'), numbers=np.arange(6, dtype=np.int16).reshape(2, 3), one=np.array(1.5))
        files.append(buffer.getvalue())
    return files


@cache
def _networks() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.npz"
        write_weights(path, any_weights(KINDS[0]))
        return [path.read_bytes()]


@cache
def _sets() -> list[bytes]:
    return [set_bytes(_POSITIONS)]


@cache
def members_of(data: bytes) -> dict[str, bytes]:
    """Return the members of a zip file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


@lru_cache(4096)
def _packed(data: bytes, how: int) -> bytes:
    """Return a member as it stands in a zip file. Most of a file's members are packed again and again."""
    if how == zipfile.ZIP_DEFLATED:
        deflating = zlib.compressobj(wbits=-15)
        return deflating.compress(data) + deflating.flush()
    if how == zipfile.ZIP_BZIP2:
        return bz2.compress(data)
    if how == zipfile.ZIP_LZMA:
        # The properties of a dictionary of 64 KiB, as zip files have them; a larger one only takes longer to make.
        filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 2**16, "lc": 3, "lp": 0, "pb": 2}]
        return struct.pack("<BBHBI", 9, 4, 5, 93, 2**16) + lzma.compress(data, lzma.FORMAT_RAW, filters=filters)
    return data


def zip_of(members: dict[str, bytes], how: int) -> bytes:
    """Return a zip file. The library makes the same, and takes several times as long as a reader does to read it.

    how: how all members are packed, as zipfile counts it.
    """
    files, directory, at = [], [], 0
    for name, data in members.items():
        packed, title = _packed(data, how), name.encode()
        head = struct.pack("<HHHHHIIIHH", 20, 0, how, 0, 33, zlib.crc32(data), len(packed), len(data), len(title), 0)
        files.append(b"PK\3\4" + head + title + packed)
        directory.append(b"PK\1\2\x14\3" + head + struct.pack("<HHHII", 0, 0, 0, 0o600 << 16, at) + title)
        at += len(files[-1])
    table = b"".join(directory)
    return b"".join([*files, table, struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(files), len(files), len(table), at, 0)])


def odd_members(seeds: list[bytes], rng: random.Random) -> bytes:
    """Return a file whose members are packed rightly, and hold arrays that may be wrong in any way."""
    members = members_of(rng.choice(seeds))
    name = rng.choice(list(members))
    # Most of what is read of an array stands in its first bytes.
    head, rest = members[name][:128], members[name][128:]
    head = Mutator(rng, _WORDS, 512).mutated(head, b"")
    data = head + (rest if rng.random() < 0.7 else rest[: rng.randrange(len(rest) + 1)])
    how = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    return zip_of({**members, name: data}, how)


def _read_any(data: bytes, folder: Path) -> str:
    return " ".join(f"{name}:{array.dtype.kind}{array.ndim}" for name, array in sorted(read_arrays(data, 2**24).items()))[:60]


def _read_network(data: bytes, folder: Path) -> str:
    path = folder / "network.npz"
    path.write_bytes(data)
    return f"{len(read_weights(path).arrays)}"


def _read_positions(data: bytes, folder: Path) -> str:
    path = folder / "positions.npz"
    path.write_bytes(data)
    return f"{len(read_positions(path).moves)}"


READERS = {
    "arrays": Reader(_saved, _read_any, (ValueError,), (b"PK\x03\x04", b"PK\x01\x02", b"\x93NUMPY"),
                     (lambda rng: odd_members(_saved(), rng),)),
    "network": Reader(_networks, _read_network, (AlphaZeroError,), (b"\x93NUMPY", b'"version"'),
                      (lambda rng: odd_members(_networks(), rng),), most_bytes=2**20),
    "positions": Reader(_sets, _read_positions, (AlphaZeroError,), (b"\x93NUMPY",),
                        (lambda rng: odd_members(_sets(), rng),)),
}  # fmt: skip
