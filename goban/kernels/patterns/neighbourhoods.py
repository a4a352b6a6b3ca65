"""Neighbourhoods: the eight points around a move, as the player sees them who makes it.

A *code* has two bits for each of the eight points, from the lowest on in the order of STEPS:

    NW N NE     10-11   4-5  12-13      0 empty   2 a stone of the opponent
    W  *  E      2-3     *    6-7       1 own     3 beyond the edge of the board
    SW S SE      8-9    0-1  14-15

A point has all eight on the board, or three beyond a side, or five beyond a corner; so there are 7,641 codes. Turned and
mirrored they are the same: 1,107 *classes*.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

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
