"""What the player to move sees of a game, one bit for each byte of the observation.

A *view* is a row of words, each of which holds the planes of so many points as fit into it; a point k = size * i + j has 2 *
history + 1 bits in a row, from bit `view_spot` on: bit 2t the own stones t steps ago, bit 2t + 1 the opponent's, the last bit
a one if White looks. (Pgx's planes.) What is left of a word is never looked at.

With a step the other player looks: own and opponent change places while everything moves back by one frame. So bits of even
planes move up by 3 and those of odd planes by 1, in all words alike, and only what the move has changed is put in bit by bit.
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import Words
from goban.kernels.numba_tools.compile import inlined, kernel

UP_3, UP_1, DOWN_1, COLOUR_PLANE = range(4)
"""Entries of `plane_masks`: the bits of a word that move up by 3, by 1, and down by 1 with a step, and those of the last
plane."""

_0, _1, _3 = (np.uint64(n) for n in (0, 1, 3))


def planes_of(history: int) -> int:
    """Return how many planes an observation of so many frames has."""
    return 2 * history + 1


def points_in_word(history: int) -> int:
    """Return how many points a word of a view holds."""
    return 64 // planes_of(history)


def bits_in_word(history: int) -> int:
    """Return how many bits of such a word are in use."""
    return points_in_word(history) * planes_of(history)


def view_words(size: int, history: int) -> int:
    """Return how many words a view has."""
    return -(-size * size // points_in_word(history))


def view_spot(k: int, history: int) -> int:
    """Return where the bits of a point begin in a view."""
    word, place = divmod(k, points_in_word(history))
    return 64 * word + place * planes_of(history)


def plane_masks(history: int) -> Words:
    """Return the masks by which the words of views turn: UP_3, UP_1, DOWN_1 and COLOUR_PLANE."""
    planes, points = planes_of(history), points_in_word(history)
    bits = np.zeros((4, points, planes), dtype=np.uint8)
    bits[UP_3, :, 0 : 2 * history - 2 : 2] = 1
    bits[UP_1, :, 1 : 2 * history - 2 : 2] = 1
    # The newest frame stays where it is, too, its colours exchanged.
    bits[UP_1, :, 0] = 1
    bits[DOWN_1, :, 1] = 1
    bits[COLOUR_PLANE, :, 2 * history] = 1
    rows = np.zeros((4, 64), dtype=np.uint8)
    rows[:, : points * planes] = bits.reshape(4, -1)
    return np.packbits(rows, axis=1, bitorder="little").view("<u8").astype(np.uint64)[:, 0]


@inlined
def turn(view: Words, masks: Words, white: np.uint64, first: int, step: int) -> None:
    """Make a view that of the other player after a move that changed nothing; white: 1 if that player is White.

    first, step: which of its words, every `step`-th from `first` on.
    """
    up_3, up_1, down_1, colour = masks[UP_3], masks[UP_1], masks[DOWN_1], masks[COLOUR_PLANE] & (_0 - white)
    # With a range of a step, a processor takes an eighth longer for a step on 19x19.
    w = first
    while w < len(view):
        word = view[w]
        view[w] = (word & up_3) << _3 | (word & up_1) << _1 | (word & down_1) >> _1 | colour
        w += step


@kernel
def set_bit(words: Words, bit: int) -> None:
    """Set a bit of a row of words."""
    words[bit >> 6] |= _1 << np.uint64(bit & 63)


@kernel
def clear_bit(words: Words, bit: int) -> None:
    """Clear a bit of a row of words."""
    words[bit >> 6] &= ~(_1 << np.uint64(bit & 63))
