"""Seeded random numbers for kernels: one 64-bit word of state, held in a local variable of the caller.

    state = game_stream(np.uint64(seed), number)
    state = advance(state)
    k = below(state, bound)                bound < 2**32
    k = below_long(state, bound)           any bound; np.uint64

Game `number` of a seed has its own stream whichever thread plays it: SplitMix64 (Steele, Lea and Flood 2014) scatters the
starting points. The stream itself is xorshift64* (Vigna 2016); `below` uses the upper half of its words only, and
`benchmarks/playouts.c` draws the same numbers. The products are meant to overflow: run uncompiled, these functions need
`np.errstate(over="ignore")`.
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.entry_points import kernel

_ONE = np.uint64(1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STAR = np.uint64(0x2545F4914F6CDD1D)
_LOW = np.uint64(0xFFFFFFFF)
_12, _25, _27, _30, _31, _32 = (np.uint64(n) for n in (12, 25, 27, 30, 31, 32))


@kernel
def scramble(word: np.uint64) -> np.uint64:
    """Return the word mixed so that neighbouring words have nothing to do with each other (the finish of SplitMix64)."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def game_stream(seed: np.uint64, number: int) -> np.uint64:
    """Return the state in which game `number` (0 and up) of a seed begins; never 0."""
    return scramble(scramble(seed) + np.uint64(number + 1) * _GOLDEN) | _ONE


@kernel
def advance(state: np.uint64) -> np.uint64:
    """Return the state after this one; the state must not be 0."""
    state = state ^ (state >> _12)
    state = state ^ (state << _25)
    return state ^ (state >> _27)


@kernel
def below(state: np.uint64, bound: int) -> int:
    """Return a number from 0 to bound - 1 made from a state; no number is favoured by more than bound / 2**32 of its share."""
    return signed((((state * _STAR) >> _32) * np.uint64(bound)) >> _32)


@kernel
def below_long(state: np.uint64, bound: np.uint64) -> np.uint64:
    """Return a number from 0 to bound - 1; no number is favoured by more than bound / 2**64 of its share.

    It is the upper word of the product of a random word and the bound, put together from products of their halves.
    """
    word = state * _STAR
    high, low = word >> _32, word & _LOW
    bound_high, bound_low = bound >> _32, bound & _LOW
    middle = high * bound_low + (low * bound_low >> _32)
    return high * bound_high + (middle >> _32) + ((middle & _LOW) + low * bound_high >> _32)
