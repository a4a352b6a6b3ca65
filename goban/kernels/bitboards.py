"""The rules of `course` and `littlego` on 64-bit boards, for sizes 2 to 8.

A set of points is one `np.uint64`, the bit of (i, j) being `1 << (size * i + j)`; unlike in `goban.grids` no bits are
left free between rows (8 x 8 needs all 64), so shifts along a row cut the edge column off first. Colours come in as
masks: `own` are the stones of the player to move, `other` those of the opponent. `shape` is what `board_shape` returns.

Two more masks say all that the repetition rule needs of the past. A placement can restore the board before the previous
one only by taking back, with a single stone, the single stone that captured it:

    ko     the stone captured by the previous placement if it was a single one, else 0
    last   the point of the previous placement (0 before the first)

so a placement on `ko` that captures `last` and nothing else is the one that is forbidden.

Every mask passed in from Python must be an `np.uint64`; a plain int would be taken for a signed number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import count
from goban.kernels.numba_tools.compile import njit

Masks = npt.NDArray[np.uint64]

MIN_SIZE, MAX_SIZE = 2, 8

ZERO = np.uint64(0)
ONE = np.uint64(1)

_SEVEN, _SEVENTEEN, _THIRTY_TWO = (np.uint64(n) for n in (7, 17, 32))
_LOW_HALF = np.uint64(0xFFFFFFFF)


def board_shape(size: int) -> Masks:
    """Return (size, all points, all but the first column, all but the last column) of a board, as four `uint64`.

    Raises ValueError outside 2..8.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"bitboards hold sizes {MIN_SIZE} to {MAX_SIZE}, got {size}")
    full = (1 << size * size) - 1
    first = sum(1 << size * i for i in range(size))
    return np.array([size, full, full ^ first, full ^ first << size - 1], dtype=np.uint64)


@njit
def adjacent(mask: np.uint64, shape: Masks) -> np.uint64:
    """Return the points orthogonally next to any point of the mask (which may include points of the mask)."""
    around: np.uint64 = (mask << shape[0] | mask >> shape[0]) & shape[1]
    around |= (mask & shape[3]) << ONE | (mask & shape[2]) >> ONE
    return around


@njit
def group(seed: np.uint64, stones: np.uint64, shape: Masks) -> np.uint64:
    """Return the part of `stones` connected with `seed`; `seed` itself must lie within `stones`."""
    while True:
        grown = (seed | adjacent(seed, shape)) & stones
        if grown == seed:
            return seed
        seed = grown


@njit
def dead(stones: np.uint64, empty: np.uint64, shape: Masks) -> np.uint64:
    """Return those of `stones` whose group has no liberty, anywhere on the board."""
    alive = adjacent(empty, shape) & stones
    if alive == stones:
        return ZERO
    return stones ^ group(alive, stones, shape)


@njit
def captures(bit: np.uint64, own: np.uint64, other: np.uint64, shape: Masks) -> np.uint64:
    """Return the opposing stones that an own stone on the empty point `bit` would capture."""
    if adjacent(bit, shape) & other == ZERO:
        return ZERO
    return dead(other, shape[1] & ~(own | other | bit), shape)


@njit
def is_legal(bit: np.uint64, own: np.uint64, other: np.uint64, ko: np.uint64, last: np.uint64, shape: Masks) -> bool:
    """Tell whether the player to move may place on the empty point `bit`."""
    empty: np.uint64 = shape[1] & ~(own | other)
    near = adjacent(bit, shape)
    if near & empty != ZERO:
        return True
    captured = captures(bit, own, other, shape)
    if captured != ZERO:
        return bool(bit != ko or captured != last)
    return bool(adjacent(group(bit, own | bit, shape), shape) & (empty ^ bit) != ZERO)


@njit
def legal_mask(own: np.uint64, other: np.uint64, ko: np.uint64, last: np.uint64, shape: Masks) -> np.uint64:
    """Return the points on which the player to move may place."""
    todo: np.uint64 = shape[1] & ~(own | other)
    legal = todo & adjacent(todo, shape)
    todo ^= legal
    while todo != ZERO:
        bit = todo & (~todo + ONE)
        todo ^= bit
        if is_legal(bit, own, other, ko, last, shape):
            legal |= bit
    return legal


@njit
def ko_of(captured: np.uint64) -> np.uint64:
    """Return the ko mask that a placement which captured these stones leaves behind."""
    return captured if captured != ZERO and captured & (captured - ONE) == ZERO else ZERO


@njit
def next_random(state: Masks) -> np.uint64:
    """Advance a one-element state (never 0) in place and return it: xorshift64, Marsaglia 2003, shifts 13, 7, 17."""
    x: np.uint64 = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> _SEVEN
    x ^= x << _SEVENTEEN
    state[0] = x
    return x


@njit
def random_below(bound: int, state: Masks) -> int:
    """Return a number from 0 to bound - 1; the bias for small bounds is below bound / 2**32."""
    return int((((next_random(state) >> _THIRTY_TWO) & _LOW_HALF) * np.uint64(bound)) >> _THIRTY_TWO)


@njit
def random_point(mask: np.uint64, state: Masks) -> np.uint64:
    """Return one point of a mask that is not empty, each with the same chance."""
    for _ in range(random_below(count(mask), state)):
        mask &= mask - ONE
    return mask & (~mask + ONE)


def random_states(seed: int, first: int, number: int) -> Masks:
    """Return generator states for the games `first`, `first + 1`, ... of a seed, one row of one element each.

    SplitMix64 (Steele, Lea and Flood 2014) over seed and number: every game has its own stream, whichever worker plays it.
    """
    mix = np.arange(first + 1, first + number + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mix += np.uint64(seed % 2**32) << np.uint64(32)
    mix = (mix ^ mix >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mix = (mix ^ mix >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    mix ^= mix >> np.uint64(31)
    return np.where(mix == 0, ONE, mix).reshape(number, 1)
