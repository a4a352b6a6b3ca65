"""Seeded random numbers for kernels: one 64-bit word of state, held in a local variable of the caller.

    state = game_stream(np.uint64(seed), number)
    state = advance(state)
    k = below(state, bound)                bound < 2**32
    k = below_long(state, bound)           any bound; np.uint64

Game `number` of a seed has its own stream whichever thread plays it: SplitMix64 (Steele, Lea and Flood 2014) scatters the
starting points. The stream itself is xorshift64* (Vigna 2016); `below` uses the upper half of its words only, and
`benchmarks/playouts.c` draws the same numbers. The products are meant to overflow: run uncompiled, these functions need
`np.errstate(over="ignore")`.

Python's own generator for kernels, what `random.Random(word)` draws first, for many words at once:

    draw_as_python(words, bounds, new_twisters(), drawn)       random.Random(word).randrange(bound) for each; bounds < 2**31

It is the Mersenne Twister (Matsumoto and Nishimura 1998), begun as Python does it. Run uncompiled, its products overflow, too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import nth, signed
from goban.kernels.numba_tools.compile import entry, inlined, kernel

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


Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

_1 = np.uint64(1)

TWISTERS = 32
"""How many are begun together: each step waits for the one before, but a processor takes a step of many at once."""
Twisters = npt.NDArray[np.uint32]

_STATE, _SHIFT = 624, 397
_SPREAD_1, _SPREAD_2 = np.uint64(1664525), np.uint64(1566083941)
_UPPER, _LOWER, _TWIST = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
_TEMPER_1, _TEMPER_2 = 0x9D2C5680, 0xEFC60000


def _plain_state() -> Twisters:
    """Return the words that seeding by several numbers begins with."""
    words = [19650218]
    for i in range(1, _STATE):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) % 2**32)
    return np.array(words, dtype=np.uint32)


# As tables, whose numbers LLVM knows to have 32 bits: it multiplies twice as many at once.
_PLAIN, _PLACES = _plain_state(), np.arange(_STATE, dtype=np.uint32)


def new_twisters() -> Twisters:
    """Return room for TWISTERS generators: word i of generator `lane` stands at i * TWISTERS + lane."""
    return np.zeros((_STATE + 2) * TWISTERS, dtype=np.uint32)


@kernel
def start_twisters(words: Words, first: int, twisters: Twisters) -> None:
    """Begin generators with words[first] and those after it, as many as there are."""
    for lane in range(TWISTERS):
        word = words[min(first + lane, len(words) - 1)]
        low, high = word & _LOW, word >> _32
        # Halves of the word are added in turns, the second with 1; there is no second half where it is 0.
        twisters[_STATE * TWISTERS + lane] = low
        twisters[(_STATE + 1) * TWISTERS + lane] = low if high == 0 else high + _1 & _LOW
        twisters[lane] = _PLAIN[0]
    for i in range(1, _STATE):
        _add_half(i - 1, i, np.uint64(_PLAIN[nth(i)]), _STATE + 1 - (i & 1), twisters)
    for lane in range(TWISTERS):
        before, now = np.uint64(twisters[(_STATE - 1) * TWISTERS + lane]), np.uint64(twisters[TWISTERS + lane])
        half = np.uint64(twisters[(_STATE + 1) * TWISTERS + lane])
        twisters[TWISTERS + lane] = (now ^ (before ^ before >> _30) * _SPREAD_1) + half
    for i in range(2, _STATE + 1):
        _take_place(i - 1, i if i < _STATE else 1, twisters)
    for lane in range(TWISTERS):
        twisters[lane] = _UPPER


@inlined
def _add_half(before: int, i: int, plain: np.uint64, half: int, twisters: Twisters) -> None:
    """Take the first time round a step for word i of all generators."""
    old, new, added = nth(before * TWISTERS), nth(i * TWISTERS), nth(half * TWISTERS)
    for lane in range(TWISTERS):
        last, more = np.uint64(twisters[old + nth(lane)]), np.uint64(twisters[added + nth(lane)])
        twisters[new + nth(lane)] = (plain ^ (last ^ last >> _30) * _SPREAD_1) + more


@inlined
def _take_place(before: int, i: int, twisters: Twisters) -> None:
    """Take the second time round a step for word i of all generators."""
    old, new, place = nth(before * TWISTERS), nth(i * TWISTERS), np.uint64(_PLACES[nth(i)])
    for lane in range(TWISTERS):
        last, now = np.uint64(twisters[old + nth(lane)]), np.uint64(twisters[new + nth(lane)])
        twisters[new + nth(lane)] = (now ^ (last ^ last >> _30) * _SPREAD_2) - place


@kernel
def twister_below(twisters: Twisters, lane: int, bound: int) -> int:
    """Return the first number from 0 to bound - 1 that a generator draws, as `random.Random.choice` does; bound < 2**31."""
    bits = 0
    while bound >> bits != 0:
        bits += 1
    # A number is too large with a chance below a half; there are some two hundred before the words would have to be made anew.
    for i in range(_STATE - _SHIFT):
        here, following = signed(twisters[i * TWISTERS + lane]), signed(twisters[(i + 1) * TWISTERS + lane])
        word = signed(twisters[(i + _SHIFT) * TWISTERS + lane]) ^ ((here & _UPPER) | (following & _LOWER)) >> 1
        word ^= _TWIST if following & 1 else 0
        word ^= word >> 11
        word ^= word << 7 & _TEMPER_1
        word ^= word << 15 & _TEMPER_2
        word ^= word >> 18
        if word >> 32 - bits < bound:
            return word >> 32 - bits
    return 0


@entry("void(uint64[::1], int64[::1], uint32[::1], int64[::1])")
def draw_as_python(words: Words, bounds: Numbers, twisters: Twisters, drawn: Numbers) -> None:
    """Draw a number below each bound by a random word, as `random.Random(word).choice` does."""
    for k in range(len(words)):
        if k % TWISTERS == 0:
            start_twisters(words, k, twisters)
        drawn[k] = twister_below(twisters, k % TWISTERS, bounds[k])
