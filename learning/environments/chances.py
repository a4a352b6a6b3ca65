"""Chance for those who play in a batch: a stream of random words for every row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.environments.steps import start_streams
from kernels.numba_tools.spreading import Words

Rows = npt.NDArray[np.intp]

_12, _25, _27, _32 = (np.uint64(n) for n in (12, 25, 27, 32))
_STAR = np.uint64(0x2545F4914F6CDD1D)


class Chances:
    """What a row draws depends on the seed and on how often it has drawn, on no other row.

    The streams are those of `kernels.numba_tools.random_numbers`.
    """

    def __init__(self, seed: int) -> None:
        self._seed, self._streams = np.uint64(seed % 2**64), np.zeros(0, dtype=np.uint64)

    def words(self, rows: Rows) -> Words:
        """Return a random word for each of these rows, which are all different; the upper half is the better one."""
        number = int(rows.max(initial=-1)) + 1
        if number > len(self._streams):
            streams = np.zeros(number, dtype=np.uint64)
            start_streams(self._seed, streams)
            streams[: len(self._streams)] = self._streams
            self._streams = streams
        words = self._streams[rows]
        words ^= words >> _12
        words ^= words << _25
        words ^= words >> _27
        self._streams[rows] = words
        return words * _STAR


def numbers_below(words: Words, bounds: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return for each word a number from 0 to its bound - 1, each with the same chance; bounds are from 1 to 2**31."""
    return ((words >> _32) * bounds.astype(np.uint64) >> _32).astype(np.int64)
