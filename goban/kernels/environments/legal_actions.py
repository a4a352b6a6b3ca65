"""Which actions are legal, as bits: bit k is action k, the bit after the points' the pass.

`empties`, `sides` and what is found are rows of words with a margin of one word of zeros at either end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.environments.batch_boards import KO, PASSING, REPETITION, SIMPLE_KO, SIZE, Keys, is_alive, may_place
from goban.kernels.numba_tools.bits import lowest, signed
from goban.kernels.numba_tools.entry_points import inlined
from goban.kernels.numba_tools.spreading import Words
from goban.kernels.playouts.arrays import Board, at

NOT_LAST, NOT_FIRST, ALL_POINTS, FIRST_LEGAL, ALL_ACTIONS = range(5)
"""Rows of `side_masks`: the points that have a neighbour to the right, to the left; all points; what is legal on the empty
board; all points and the pass."""
MARGIN = 64
"""Where the bits of the actions begin in a row."""

Points = npt.NDArray[np.uint16]

_0, _1, _63 = (np.uint64(n) for n in (0, 1, 63))


def action_words(size: int) -> int:
    """Return how many words the actions of a board take, margins included."""
    return -(-(size * size + 1) // 64) + 2


def side_masks(size: int, passing: bool) -> Words:
    """Return sets of actions of a board size, one row for each of NOT_LAST to ALL_ACTIONS."""
    bits = np.zeros((5, action_words(size) * 64), dtype=np.uint8)
    bits[:, MARGIN : MARGIN + size * size] = 1
    points = bits[:, MARGIN : MARGIN + size * size].reshape(5, size, size)
    points[NOT_LAST, :, -1] = points[NOT_FIRST, :, 0] = 0
    bits[ALL_ACTIONS, MARGIN + size * size] = 1
    bits[FIRST_LEGAL, MARGIN + size * size] = passing
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


@inlined
def find_legal(
    board: Board, past: Words, keys: Keys, own: int, empties: Words, sides: Words, points: Points, legal: Words
) -> np.uint64:
    """Write a player's legal actions; return a word that is 0 if no placement is among them. points: by action."""
    size = at(board, SIZE)
    row, back = np.uint64(size), np.uint64(64 - size)
    simple, ko = at(board, REPETITION) == SIMPLE_KO, at(board, KO)
    found = _0
    for w in range(1, len(empties) - 1):
        here, below, above = empties[w], empties[w - 1], empties[w + 1]
        near = (here & sides[NOT_LAST, w]) << _1 | (below & sides[NOT_LAST, w - 1]) >> _63
        near |= (here & sides[NOT_FIRST, w]) >> _1 | (above & sides[NOT_FIRST, w + 1]) << _63
        near |= here << row | below >> back | here >> row | above << back
        # Next to an empty point a stone lives, and the ko point has none.
        good = here & near if simple else _0
        doubtful = here ^ good
        while doubtful != _0:
            bit = doubtful & (_0 - doubtful)
            doubtful ^= bit
            p = signed(points[(w - 1) * 64 + lowest(bit)])
            lives = is_alive(board, p, own) & (p != ko) if simple else may_place(board, past, keys, p, own)
            good |= bit if lives else _0
        legal[w] = good
        found |= good
    if at(board, PASSING) != 0:
        legal[(size * size >> 6) + 1] |= _1 << np.uint64(size * size & 63)
    return found
