"""Zobrist hashes of 64-bit boards, with the keys of `goban.zobrist`."""

from __future__ import annotations

import numpy as np

from goban.grids import grid_of
from goban.zobrist import stone_keys
from kernels.bitboards import ONE, ZERO, Masks
from kernels.numba_tools.bits import lowest
from kernels.numba_tools.entry_points import kernel


def bitboard_keys(size: int) -> Masks:
    """Return the keys of a size, shape (2, N*N): Black's and White's by number of bit."""
    keys = stone_keys(size)
    return np.array([[keys[colour][bit] for bit in grid_of(size).bit.values()] for colour in (1, 2)], dtype=np.uint64)


@kernel
def mask_hash(stones: np.uint64, keys: Masks) -> np.uint64:
    """Return the XOR of the keys (one row of `bitboard_keys`) of the stones in a mask."""
    total = ZERO
    while stones != ZERO:
        total ^= keys[lowest(stones)]
        stones &= stones - ONE
    return total


@kernel
def bitboard_hash(black: np.uint64, white: np.uint64, keys: Masks) -> np.uint64:
    """Return the hash of a board, as `goban.zobrist.board_hash` has it."""
    return mask_hash(black, keys[0]) ^ mask_hash(white, keys[1])
