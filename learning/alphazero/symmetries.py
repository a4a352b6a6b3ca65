"""Symmetries of boards, as permutations of points and of actions.

Points are numbered row by row. A symmetry turns a state's planes and its policy so that they fit together:

    turned_planes[:, k] = planes[:, points[k]]          (planes flattened to (planes, points))
    turned_policy[k] = policy[actions[k]]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Permutation = npt.NDArray[np.int64]


class Symmetry(NamedTuple):
    """One symmetry of a game: for each place of the turned array, the index in the original."""

    points: Permutation
    actions: Permutation


def identity(points: int, actions: int) -> Symmetry:
    """Return the symmetry that changes nothing."""
    return Symmetry(np.arange(points), np.arange(actions))


def board_symmetries(size: int, others: int = 0) -> list[Symmetry]:
    """Return the eight symmetries of a square board on which actions are points, then `others` that stay as they are."""
    board = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(side, quarter).ravel() for side in (board, board.T) for quarter in range(4)]
    rest = np.arange(size * size, size * size + others)
    return [Symmetry(points, np.concatenate([points, rest])) for points in turned]


def column_mirror(rows: int, columns: int) -> Symmetry:
    """Return left and right exchanged, for a game whose actions are columns."""
    board = np.arange(rows * columns).reshape(rows, columns)
    return Symmetry(board[:, ::-1].ravel(), np.arange(columns)[::-1].copy())
