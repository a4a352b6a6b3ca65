"""The solver's memory: proven bounds of positions, in a table of fixed size that threads share without locks.

A position is a number below 2**60, with nothing left out:

    bits   0-24 own stones   25-49 other stones   50-54 code   55-59 moves left
    code   0, or 1 + point of the ko ban, or 31 if a pass would end the game

Bijective mixing (multiplication by odd numbers and xor-shifts are invertible modulo 2**60) turns it into a bucket number
(the upper bits) and a tag (the rest), so an entry found is never another position's. One entry is one int64, written at
once, which is why threads can share the table: a reader sees an old entry or a new one, never half of each.

    bits   0-4 work   5-9 move + 1   10-15 upper bound + 32   16-21 lower bound + 32   22-62 tag
    work   binary logarithm of the nodes spent

Four entries make a bucket. A new entry always goes in, in place of the one with the least work.
Bounds are final margins in stones, from the view of the player to move.
"""

from __future__ import annotations

import numpy as np

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from goban.kernels.numba_tools.bits import nth, prefetch
from goban.kernels.numba_tools.compile import kernel
from goban.solver.alphabeta.boards import Ints, index, least_form, symmetry_of, transform
from goban.solver.errors import BadBudgetError

BUCKET = 4
PASSED = 31
LOWEST, HIGHEST = -32, 31
"""Bounds that say nothing."""
NOTHING = (LOWEST + 32) << 11 | (HIGHEST + 32) << 5
"""What a book holds for a position it knows nothing about."""
MOST_WORK = 31
"""The work noted for entries of a book, so that nothing takes their place."""

_KEY_BITS = 60
_MASK = (1 << 25) - 1
_LOW = (1 << _KEY_BITS) - 1
# What remains of 60 key bits less those of the bucket's number, 22 bits of contents, and the sign bit unused.
_MIB = 16, 262144


def new_table(memory_mib: int) -> Ints:
    """Return an empty table, the largest power of two that fits in this many MiB.

    Raises BadBudgetError below 16 MiB: smaller tables leave no room for the tags.
    """
    if not is_whole(memory_mib, *_MIB):
        raise BadBudgetError(f"expected {_MIB[0]} to {_MIB[1]} MiB of memory, got {quoted(memory_mib)}")
    bits = (memory_mib * 2**20 // (8 * BUCKET)).bit_length() - 1
    room = np.zeros((BUCKET << bits) + 8, dtype=np.int64)
    # A bucket must not lie across two cache lines of 64 bytes.
    skipped = -room.ctypes.data % 64 // 8
    return room[skipped : skipped + (BUCKET << bits)]


@kernel
def position_key(own: int, other: int, ko: int, passed: bool, left: int) -> int:
    """Return the number of a position; `left` is the number of moves left, 0 to 31."""
    code = 0
    if passed:
        code = PASSED
    elif ko:
        code = 1 + index(ko)
    return own | other << 25 | code << 50 | left << 55


@kernel
def symmetric_key(
    own: int, other: int, ko: int, passed: bool, left: int, symmetric: int, size: int
) -> tuple[int, int]:
    """Return the number that a position shares with symmetric ones, and the symmetry that leads to the position it is of.

    With fewer moves left than `symmetric` it is the number of this position alone, and no symmetry, 0.
    """
    if left < symmetric:
        return position_key(own, other, ko, passed, left), 0
    if ko:
        which = symmetry_of(own, other, ko, size)
        turned = transform(own, which, size), transform(other, which, size), transform(ko, which, size)
        return position_key(*turned, passed, left), which
    least = least_form(own, other, size)
    return position_key(least >> 35, (least >> 3) & _MASK, 0, passed, left), least & 7


@kernel
def mix(key: int) -> int:
    """Return a number below 2**60 for another, all of whose bits depend on many of the other's."""
    key ^= key >> 31
    key = (key * 0x1E3779B97F4A7C15) & _LOW
    key ^= key >> 29
    key = (key * 0x3F58476D1CE4E5B9) & _LOW
    return key ^ key >> 32


@kernel
def _unmixed(mixed: int) -> int:
    """Return the key that `mix` turned into this number."""
    key = mixed ^ mixed >> 32
    key = (key * 0x06DE1B173F119089) & _LOW
    key ^= key >> 29 ^ key >> 58
    key = (key * 0x01DE83E19937733D) & _LOW
    return key ^ key >> 31


@kernel
def look_up(table: Ints, bits: int, key: int) -> int:
    """Return the entry of a position, 0 if there is none; `bits` is the binary logarithm of the number of buckets."""
    mixed = mix(key)
    first = (mixed >> (_KEY_BITS - bits)) * BUCKET
    tag = mixed & ((1 << (_KEY_BITS - bits)) - 1)
    for i in range(first, first + BUCKET):
        entry = int(table[nth(i)])
        if entry >> 22 == tag and entry:
            return entry
    return 0


@kernel
def fetch(table: Ints, bits: int, key: int) -> None:
    """Have a position's bucket brought into the processor's cache, where a later `look_up` finds it at once."""
    prefetch(table, (mix(key) >> (_KEY_BITS - bits)) * BUCKET)


@kernel
def lower_bound(entry: int) -> int:
    """Return the least margin that an entry proves for the player to move."""
    return ((entry >> 16) & 63) - 32


@kernel
def upper_bound(entry: int) -> int:
    """Return the greatest margin that an entry leaves possible for the player to move."""
    return ((entry >> 10) & 63) - 32


@kernel
def move_of(entry: int) -> int:
    """Return the point of the move that proved the lower bound, -1 if none is known."""
    return ((entry >> 5) & 31) - 1


@kernel
def value_of(entry: int) -> int:
    """Return bounds and move of an entry, as `goban.solver.book` holds them."""
    return (entry >> 5) & ((1 << 17) - 1)


@kernel
def work_of(entry: int) -> int:
    """Return the binary logarithm of the nodes that an entry took."""
    return entry & 31


@kernel
def store(table: Ints, bits: int, key: int, low: int, high: int, move: int, nodes: int) -> None:
    """Keep the bounds of a position; `move` is the point of the proving move or -1, `nodes` what they cost."""
    mixed = mix(key)
    first = (mixed >> (_KEY_BITS - bits)) * BUCKET
    tag = mixed & ((1 << (_KEY_BITS - bits)) - 1)
    work = 0
    while nodes > 1 and work < MOST_WORK:
        nodes >>= 1
        work += 1
    place, least = first, 32
    for i in range(first, first + BUCKET):
        entry = int(table[nth(i)])
        if entry >> 22 == tag and entry:
            place = i
            break
        spent = (entry & 31) if entry else -1
        if spent < least:
            place, least = i, spent
    table[nth(place)] = tag << 22 | (low + 32) << 16 | (high + 32) << 10 | (move + 1) << 5 | work


@kernel
def fill(table: Ints, bits: int, keys: Ints, values: Ints) -> None:
    """Put proven bounds into the table, as `goban.solver.book` holds them, so that no later entry takes their place."""
    for i in range(len(keys)):
        mixed = mix(int(keys[i]))
        first = (mixed >> (_KEY_BITS - bits)) * BUCKET
        place = first
        while place < first + BUCKET - 1 and table[nth(place)]:
            place += 1
        tag = mixed & ((1 << (_KEY_BITS - bits)) - 1)
        table[nth(place)] = tag << 22 | int(values[i]) << 5 | MOST_WORK


@kernel
def dump(table: Ints, bits: int, least_work: int, least_left: int, keys: Ints, values: Ints, works: Ints) -> int:
    """Write all entries with at least so much work and so many moves left into three arrays; return how many there are.

    Those for which the arrays have no room are counted, not written.
    """
    number = 0
    for place in range(len(table)):
        entry = int(table[nth(place)])
        if entry == 0 or work_of(entry) < least_work:
            continue
        key = _unmixed((place // BUCKET) << (_KEY_BITS - bits) | entry >> 22)
        if key >> 55 < least_left:
            continue
        if number < len(keys):
            keys[number], values[number], works[number] = key, value_of(entry), work_of(entry)
        number += 1
    return number
