"""Neighbourhoods: the eight points around a move, as the player sees them who makes it.

A *code* has two bits for each of the eight points, from the lowest on in the order of STEPS:

    NW N NE     10-11   4-5  12-13      0 empty   2 a stone of the opponent
    W  *  E      2-3     *    6-7       1 own     3 beyond the edge of the board
    SW S SE      8-9    0-1  14-15

A point has all eight on the board, or three beyond a side, or five beyond a corner; so there are 7,641 codes. Turned and
mirrored they are the same: 1,107 *classes*.

*Properties* of a move are what it does, and what a move of the opponent to the same point would do, as one number.

    bit   7         6                5                    4-3            2-1                      0
          suicide   own self-atari   self-atari           own captures   captures                 near
          (opponent)                 (opponent)           (0 to 3)       (opponent, 0 to 3)

A move is self-atari if its string has at most one liberty afterwards; suicide is self-atari, too. Captures are stones, of all
strings together, and 3 stands for more as well. A move is near if it belongs to what the move before it has changed.

Sets of points inside arrays of 64-bit words: the bit of point p is bit p & 63 of the set's word p >> 6.

A set begins at some index of its array and takes as many words as the *span* says: a tuple of so many zeros. Compiled code
knows the length of a tuple before it runs, so that loops over a set's words vanish. Small boards take two words, large
ones seven, and there is no third kind.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import nth, signed
from goban.kernels.numba_tools.compile import kernel

Codes = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

STEPS = ((1, 0), (0, -1), (-1, 0), (0, 1), (1, -1), (-1, -1), (-1, 1), (1, 1))
"""From the move to the points around it, as (rows down, columns right)."""
EMPTY, OWN, OTHER, EDGE = range(4)
CLASSES = 1107

_SHIFTS = 2 * np.arange(len(STEPS))


def contents(codes: Codes) -> Codes:
    """Return what stands on the eight points of each code: shape (codes, 8), from 0 to 3, in the order of STEPS."""
    return codes[:, None] >> _SHIFTS & 3


@cache
def all_codes() -> Codes:
    """Return every code that a point of a board can have, ascending. Shared: not to be written to."""
    codes = np.arange(1 << 2 * len(STEPS))
    beyond = (contents(codes) == EDGE) @ (1 << np.arange(len(STEPS)))
    sides = [frozenset(step for step in STEPS if step[axis] == way) for axis in (0, 1) for way in (-1, 1)]
    edges = [frozenset(), *sides, *(sides[row] | sides[col] for row in (0, 1) for col in (2, 3))]
    possible = [sum(1 << STEPS.index(step) for step in edge) for edge in edges]
    return codes[np.isin(beyond, possible)]


@cache
def class_of_code() -> npt.NDArray[np.uint16]:
    """Return the class of each code from 0 to 65,535; CLASSES for those that no point can have. Shared, as `all_codes`.

    Classes are numbered by their lowest codes, ascending.
    """
    codes = all_codes()
    around = contents(codes)
    lowest = np.min([(around[:, order] << _SHIFTS).sum(axis=1) for order in _symmetries()], axis=0)
    found = np.full(1 << 2 * len(STEPS), CLASSES, np.uint16)
    found[codes] = np.unique(lowest, return_inverse=True)[1]
    return found


def _symmetries() -> list[list[int]]:
    """Return the eight symmetries of the square, each as the order it brings the eight points into."""
    orders = []
    for mirror in (1, -1):
        steps = [(row, mirror * col) for row, col in STEPS]
        for _ in range(4):
            steps = [(col, -row) for row, col in steps]
            orders.append([STEPS.index(step) for step in steps])
    return orders


NEAR = 0
OTHER_CAPTURES = 1
OWN_CAPTURES = 3
OTHER_ATARI = 5
OWN_ATARI = 6
OTHER_SUICIDE = 7
"""The lowest bit of each property."""

COMBINATIONS = 256
"""Of all properties. Some of them no move can have, such as suicide that is no self-atari."""
MOST_CAPTURES = 3


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
