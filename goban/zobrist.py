"""Zobrist hashing: a 64-bit number for a board, kept up to date stone by stone.

Every (point, colour) has a fixed random key; a board's hash is the XOR of the keys of its stones, so placing or
removing a stone is one XOR (A. Zobrist, *A New Hashing Method with Application for Game Playing*, 1970).
Keys come from a fixed stream, so hashes are the same in every run and may be stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from goban.grids import BLACK, WHITE, grid_of

_MASK64 = (1 << 64) - 1

Keys = dict[int, int]


def _stream(seed: int) -> Iterator[int]:
    """Yield 64-bit numbers of the SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014)."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & _MASK64
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & _MASK64
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _MASK64
        yield word ^ word >> 31


@cache
def stone_keys(size: int) -> dict[int, Keys]:
    """Return the keys of a board size: colour (1 or 2) -> single-bit mask -> 64-bit key."""
    stream = _stream(size)
    bits = list(grid_of(size).point)
    return {colour: {bit: next(stream) for bit in bits} for colour in (BLACK, WHITE)}


WHITE_TO_MOVE = next(_stream(0))
"""XORed into a board's hash to make a *situation*: the board together with White to move."""


def board_hash(size: int, black: int, white: int) -> int:
    """Return the hash of a whole board given as masks; 0 for the empty board."""
    return mask_hash(size, BLACK, black) ^ mask_hash(size, WHITE, white)


def mask_hash(size: int, colour: int, stones: int) -> int:
    """Return the XOR of the keys of some stones of one colour: what changes when they come or go."""
    keys = stone_keys(size)[colour]
    total = 0
    while stones:
        bit = stones & -stones
        total ^= keys[bit]
        stones ^= bit
    return total
