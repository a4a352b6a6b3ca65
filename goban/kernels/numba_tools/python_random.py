"""Python's own generator for kernels: what `random.Random(word)` draws first, for many words at once.

    draw_as_python(words, bounds, new_twisters(), drawn)       random.Random(word).randrange(bound) for each; bounds < 2**31

It is the Mersenne Twister (Matsumoto and Nishimura 1998), begun as Python does it. Run uncompiled, products overflow as in
`goban.kernels.numba_tools.random_numbers`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.entry_points import entry, inlined, kernel
from goban.kernels.numba_tools.indices import nth

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

_1, _30, _32 = (np.uint64(n) for n in (1, 30, 32))
_LOW = np.uint64(0xFFFFFFFF)

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
