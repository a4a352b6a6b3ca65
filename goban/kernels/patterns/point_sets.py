"""Sets of points inside arrays of 64-bit words: the bit of point p is bit p & 63 of the set's word p >> 6.

A set begins at some index of its array and takes as many words as the *span* says: a tuple of so many zeros. Compiled code
knows the length of a tuple before it runs, so that loops over a set's words vanish. Small boards take two words, large
ones seven, and there is no third kind.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.entry_points import kernel
from goban.kernels.numba_tools.indices import nth

Words = npt.NDArray[np.uint64]
Span = tuple[int, ...]

SMALL: Span = (0,) * 2
LARGE: Span = (0,) * 7
LARGEST_SMALL = 10
"""The largest board whose points, with the frame between its rows, are below 128."""

ONE = np.uint64(1)


def span_of(size: int) -> Span:
    """Return the span of the sets of a board of this size."""
    return SMALL if size <= LARGEST_SMALL else LARGE


@kernel
def bit_of(p: int) -> np.uint64:
    """Return the bit of a point within its word."""
    return ONE << np.uint64(p & 63)


@kernel
def include(words: Words, start: int, p: int) -> None:
    """Put a point into the set that begins at `start`."""
    words[nth(start + (p >> 6))] |= bit_of(p)


@kernel
def exclude(words: Words, start: int, p: int) -> None:
    """Take a point out of a set."""
    words[nth(start + (p >> 6))] &= ~bit_of(p)


@kernel
def includes(words: Words, start: int, p: int) -> bool:
    """Tell whether a point is in a set."""
    return signed(words[nth(start + (p >> 6))] >> np.uint64(p & 63) & ONE) != 0
