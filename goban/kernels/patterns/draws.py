"""Moves drawn in proportion to their weights, and drawn evenly."""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import count, lowest, nth_bit
from goban.kernels.numba_tools.entry_points import inlined, kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.numba_tools.random_numbers import advance, below, below_long
from goban.kernels.patterns.moves import far_weight, may_place, near_weight, weigh, weight_sum
from goban.kernels.patterns.point_sets import ONE, Span, Words, exclude, includes
from goban.kernels.patterns.tables import Tables

# isort: off
from goban.kernels.patterns.boards import (
    EMPTIES, NEAR, NEAR_SUM, STALE, SUMS, TO_MOVE, TOTALS, Board, block_bits, head, weight_of,
)  # fmt: skip
# isort: on

_NONE = np.uint64(0)
_TRIES = 4


@inlined
def draw_weighted(board: Board, words: Words, tables: Tables, span: Span, state: np.uint64) -> tuple[np.uint64, int]:
    """Return (random state, point) of a move drawn in proportion to its weight; 0 for a pass, where all weights are 0.

    Near points have two weights, of which the sums of blocks count the wrong one. So one is drawn from both together, and
    again if it is by the wrong one; should that go on, because near points are worth much less than far ones, for the last
    time with those weights set to 0.
    """
    if weight_sum(board, words) == _NONE:
        return state, 0
    mover, near = head(board, TO_MOVE), words[NEAR_SUM]
    for _ in range(_TRIES):
        state = advance(state)
        number = below_long(state, near + words[nth(TOTALS + mover)])
        if number < near:
            return state, _pick_near(board, words, tables, span, number)
        p = _pick_far(words, span, mover, number - near)
        if not includes(words, NEAR, p):
            return state, p
    state = advance(state)
    return state, _pick_apart(board, words, tables, span, below_long(state, weight_sum(board, words)))


@kernel
def _pick_near(board: Board, words: Words, tables: Tables, span: Span, number: np.uint64) -> int:
    """Return the near point in whose share a number below their sum lies."""
    mover, p = head(board, TO_MOVE), 0
    for k in range(len(span)):
        left = words[NEAR + k]
        while left != _NONE:
            p = 64 * k + lowest(left)
            left &= left - ONE
            weight = near_weight(board, tables, p, mover)
            if number < weight:
                return p
            number -= weight
    return p


@kernel
def _pick_far(words: Words, span: Span, mover: int, number: np.uint64) -> int:
    """Return the point in whose share of the sums of blocks a number below their total lies."""
    sums = SUMS - 32 + 32 * mover
    block = 0
    while number >= words[nth(sums + block)]:
        number -= words[nth(sums + block)]
        block += 1
    place = weight_of(span, block << block_bits(span), mover)
    p = block << block_bits(span)
    while number >= words[nth(place)]:
        number -= words[nth(place)]
        place += len(span) + 2
        p += 1
    return p


@kernel
def _pick_apart(board: Board, words: Words, tables: Tables, span: Span, number: np.uint64) -> int:
    """Return the point in whose share of all weights a number below their sum lies; the weights of blocks are put right."""
    near, mover = words[NEAR_SUM], head(board, TO_MOVE)
    if number < near:
        return _pick_near(board, words, tables, span, number)
    _weigh_near(board, words, tables, span, False)
    p = _pick_far(words, span, mover, number - near)
    _weigh_near(board, words, tables, span, True)
    return p


@kernel
def _weigh_near(board: Board, words: Words, tables: Tables, span: Span, far: bool) -> None:
    """Let near points count as far ones in the sums of blocks, or not at all."""
    mover = head(board, TO_MOVE)
    for k in range(len(span)):
        left = words[NEAR + k]
        while left != _NONE:
            p = 64 * k + lowest(left)
            left &= left - ONE
            weigh(words, span, p, mover, far_weight(board, tables, p, mover) if far else _NONE)


@kernel
def _nth_point(words: Words, span: Span, start: int, n: int) -> int:
    """Return the n-th point of a set, counted from 0; there are more than n."""
    k = 0
    here = count(words[nth(start)])
    while n >= here:
        n -= here
        k += 1
        here = count(words[nth(start + k)])
    return 64 * k + lowest(nth_bit(words[nth(start + k)], n))


@kernel
def draw_legal(board: Board, words: Words, span: Span, state: np.uint64) -> tuple[np.uint64, int]:
    """Return (random state, point) of a legal placement, each with the same chance; 0 if there is none. Facts are needed."""
    for k in range(len(span)):
        words[STALE + k] = words[EMPTIES + k]
    number = 0
    for k in range(len(span)):
        left = words[EMPTIES + k]
        while left != _NONE:
            p = 64 * k + lowest(left)
            left &= left - ONE
            if may_place(board, p):
                number += 1
            else:
                exclude(words, STALE, p)
    if number == 0:
        return state, 0
    state = advance(state)
    return state, _nth_point(words, span, STALE, below(state, number))
