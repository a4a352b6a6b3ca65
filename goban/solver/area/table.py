"""What is known of positions: proof and disproof numbers, in a table of fixed size that threads share without locks.

A position is a number of 62 bits, with nothing left out (see `moves.key_of`). An entry is two int64: the contents, and
the key xor the contents, so that an entry of which a reader sees halves of two is no entry at all (R. Hyatt, T. Mann 2002).

    bits   0-23 proof number   24-47 disproof number   48-53 work   61 refuted by a repetition   62 used
    work   binary logarithm of the nodes spent

Four entries make a bucket, a cache line of 64 bytes. A new entry always goes in, in place of the one with the least work.
"""

from __future__ import annotations

import numpy as np

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.errors import BadBudgetError

NEVER = (1 << 24) - 1
"""A proof number of what cannot be proven, a disproof number of what cannot be disproven."""

_BUCKET = 8
_KEY_BITS = 62
_LOW = (1 << _KEY_BITS) - 1


def new_table(memory_mib: int) -> Ints:
    """Return an empty table, the largest power of two that fits in this many MiB; raises BadBudgetError below 1."""
    if not is_whole(memory_mib, 1, 262144):
        raise BadBudgetError(f"expected 1 to 262144 MiB of memory, got {quoted(memory_mib)}")
    places = 1 << (memory_mib * 2**20 // 8).bit_length() - 1
    room = np.zeros(places + 8, dtype=np.int64)
    skipped = -room.ctypes.data % 64 // 8
    return room[skipped : skipped + places]


@kernel
def place_of(table: Ints, key: int) -> int:
    """Return where the bucket of a position begins."""
    key ^= key >> 31
    key = (key * 0x1E3779B97F4A7C15) & _LOW
    key ^= key >> 29
    key = (key * 0x3F58476D1CE4E5B9) & _LOW
    return ((key ^ key >> 32) * _BUCKET) & (len(table) - 1)


@kernel
def look_up(table: Ints, key: int) -> int:
    """Return the contents of a position's entry, 0 if there is none."""
    first = place_of(table, key)
    for i in range(first, first + _BUCKET, 2):
        contents = int(table[nth(i)])
        if contents and int(table[nth(i + 1)]) ^ contents == key:
            return contents
    return 0


@kernel
def store(table: Ints, key: int, contents: int) -> None:
    """Keep what is known of a position."""
    first = place_of(table, key)
    place, least = first, 1 << 62
    for i in range(first, first + _BUCKET, 2):
        found = int(table[nth(i)])
        if found and int(table[nth(i + 1)]) ^ found == key:
            place = i
            break
        spent = (found >> 48) & 63 if found else -1
        if spent < least:
            place, least = i, spent
    table[nth(place)] = contents
    table[nth(place + 1)] = key ^ contents


@kernel
def logarithm(nodes: int) -> int:
    """Return the binary logarithm of a number of nodes, as entries have it in bits 48-53."""
    work = 0
    while nodes > 1:
        nodes >>= 1
        work += 1
    return work


@kernel
def contents_of(proof: int, disproof: int, nodes: int, repeats: bool) -> int:
    """Return an entry's contents; `repeats`: it is refuted by a repetition, and so depends on the path."""
    return proof | disproof << 24 | logarithm(nodes) << 48 | int(repeats) << 61 | 1 << 62


@kernel
def proof_of(contents: int) -> int:
    """Return an entry's proof number."""
    return contents & NEVER


@kernel
def disproof_of(contents: int) -> int:
    """Return an entry's disproof number."""
    return (contents >> 24) & NEVER if contents & NEVER else NEVER


@kernel
def depends_on_path(contents: int) -> bool:
    """Tell whether an entry holds for the path only on which it was found."""
    return (contents >> 61) & 1 != 0
