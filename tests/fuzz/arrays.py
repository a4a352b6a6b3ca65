"""Files of arrays: whatever numpy saved, networks, and positions with exact values."""

from __future__ import annotations

import io
import random
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

from common.array_files import read_arrays
from learning.alphazero.errors import AlphaZeroError
from learning.alphazero.go_positions import ACTIONS, MOST_MOVES, RULES, KnownPositions, read_positions, set_bytes
from learning.alphazero.weight_files import read_weights, write_weights
from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import Reader
from tests.support.plain_networks import KINDS, any_weights

_VALUES = np.ones((2, ACTIONS), np.int8)
_POSITIONS = KnownPositions(RULES[0], np.zeros((2, MOST_MOVES), np.uint8), np.zeros(2, bool), _VALUES, _VALUES)
_WORDS = (b"'descr'", b"'<U9'", b"(2, 3)", b"'fortran_order'", b"'|O'", b"(")


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


def odd_members(seeds: list[bytes], rng: random.Random) -> bytes:
    """Return a file whose members are packed rightly, and hold arrays that may be wrong in any way."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(rng.choice(seeds))) as old, zipfile.ZipFile(buffer, "w", rng.choice((0, 8, 12, 14))) as new:
        names = old.namelist()
        changed = rng.choice(names)
        for name in names:
            data = old.read(name)
            if name == changed:
                # Most of what is read of an array stands in its first bytes.
                head, rest = data[:128], data[128:]
                head = Mutator(rng, _WORDS, 512).mutated(head, b"")
                data = head + (rest if rng.random() < 0.7 else rest[: rng.randrange(len(rest) + 1)])
            new.writestr(zipfile.ZipInfo(name) if rng.random() < 0.5 else name, data)
    return buffer.getvalue()


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
    "positions": Reader(lambda: [set_bytes(_POSITIONS)], _read_positions, (AlphaZeroError,), (b"\x93NUMPY",),
                        (lambda rng: odd_members([set_bytes(_POSITIONS)], rng),)),
}  # fmt: skip
