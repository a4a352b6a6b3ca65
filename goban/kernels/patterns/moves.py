"""Moves on pattern boards, with the weights of all moves kept: what a place is worth changes at near points only.

    place(board, words, tables, span, p)      pass_turn(board, words, span)      of the player to move
    may_place(board, p)                       no suicide, and no simple ko
    move_weight(board, words, tables, span, p)     what a move is worth now
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import lowest
from goban.kernels.numba_tools.entry_points import inlined, kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.patterns.facts import BLACK_SUICIDE, WHITE_SUICIDE, find_facts
from goban.kernels.patterns.neighbourhoods import EMPTY
from goban.kernels.patterns.point_sets import ONE, Span, Words, include, includes
from goban.kernels.patterns.strings import put_stone
from goban.kernels.patterns.tables import Tables, column_of, row_of, value_of

# isort: off
from goban.kernels.patterns.boards import (
    BLACK, CAPTURED, CODE, COLOUR, DEPTH, EMPTIES, FACTS, FAR_SUM, KO, NEAR, NEAR_SUM, PASSES, SIZE, STALE, TO_MOVE, TOTALS,
    WHITE, Board, get, head, put, sum_of, weight_of,
)  # fmt: skip
# isort: on

_NONE = np.uint64(0)


@kernel
def weigh(words: Words, span: Span, p: int, colour: int, value: np.uint64) -> None:
    """Set the weight of a move of a colour, and the sums it is part of."""
    place = weight_of(span, p, colour)
    change = value - words[nth(place)]
    words[nth(place)] = value
    words[nth(sum_of(span, p, colour))] += change
    words[nth(TOTALS + colour)] += change


@kernel
def far_weight(board: Board, tables: Tables, p: int, colour: int) -> np.uint64:
    """Return what a move to the empty point p would be worth if it were not near; 0 for suicide."""
    return value_of(tables, row_of(tables, colour, get(board, p, CODE)), column_of(tables, colour, 0, get(board, p, FACTS)))


@kernel
def near_weight(board: Board, tables: Tables, p: int, colour: int) -> np.uint64:
    """Return what a move to the near point p is worth; 0 for suicide and for retaking a ko."""
    if p == head(board, KO):
        return _NONE
    return value_of(tables, row_of(tables, colour, get(board, p, CODE)), column_of(tables, colour, 1, get(board, p, FACTS)))


@kernel
def renew(board: Board, words: Words, tables: Tables, span: Span) -> None:
    """Find the facts of points in STALE and the weights of those in NEAR, which keeps only the empty points."""
    mover, stride = head(board, TO_MOVE), head(board, SIZE) + 1
    near_sum = far_sum = _NONE
    for k in range(len(span)):
        left = words[NEAR + k] & words[EMPTIES + k]
        stale = words[STALE + k]
        words[NEAR + k] = left
        while left != _NONE:
            place = lowest(left)
            p = 64 * k + place
            left &= left - ONE
            if stale >> np.uint64(place) & ONE != _NONE:
                put(board, p, FACTS, find_facts(board, tables.facts, p, stride))
            black, white = far_weight(board, tables, p, BLACK), far_weight(board, tables, p, WHITE)
            weigh(words, span, p, BLACK, black)
            weigh(words, span, p, WHITE, white)
            far_sum += black if mover == BLACK else white
            near_sum += near_weight(board, tables, p, mover)
    words[NEAR_SUM], words[FAR_SUM] = near_sum, far_sum


@kernel
def count_turn(board: Board, passes: int) -> None:
    """Let the other player move; `passes` in a row have been made."""
    board[TO_MOVE] = BLACK + WHITE - head(board, TO_MOVE)
    board[DEPTH], board[PASSES] = head(board, DEPTH) + 1, passes


@inlined
def place(board: Board, words: Words, tables: Tables, span: Span, p: int) -> None:
    """Place on a point where the player to move may."""
    weigh(words, span, p, BLACK, _NONE)
    weigh(words, span, p, WHITE, _NONE)
    put_stone(board, words, tables, span, p, head(board, TO_MOVE))
    count_turn(board, 0)
    renew(board, words, tables, span)


@kernel
def pass_turn(board: Board, words: Words, span: Span) -> None:
    """Pass. Then nothing is near."""
    board[KO] = board[CAPTURED] = 0
    forget_last(board, words, span)
    count_turn(board, head(board, PASSES) + 1)


@kernel
def forget_last(board: Board, words: Words, span: Span) -> None:
    """Let nothing be near, whatever the last move was; but a ko may still not be retaken."""
    for k in range(len(span)):
        words[NEAR + k] = _NONE
    words[NEAR_SUM] = words[FAR_SUM] = _NONE
    ko = head(board, KO)
    if ko != 0:
        include(words, NEAR, ko)
        words[FAR_SUM] = words[nth(weight_of(span, ko, head(board, TO_MOVE)))]


@kernel
def may_place(board: Board, p: int) -> bool:
    """Tell whether the player to move may place on p by the simple ko rule; other repetition is not looked at."""
    suicide = BLACK_SUICIDE if head(board, TO_MOVE) == BLACK else WHITE_SUICIDE
    return get(board, p, COLOUR) == EMPTY and p != head(board, KO) and get(board, p, FACTS) & suicide == 0


@kernel
def move_weight(board: Board, words: Words, tables: Tables, span: Span, p: int) -> np.uint64:
    """Return what a move to p is worth to the player to move; 0 where it may not place."""
    mover = head(board, TO_MOVE)
    if get(board, p, COLOUR) != EMPTY:
        return _NONE
    if includes(words, NEAR, p):
        return near_weight(board, tables, p, mover)
    return np.uint64(words[nth(weight_of(span, p, mover))])


@kernel
def weight_sum(board: Board, words: Words) -> np.uint64:
    """Return the sum of the weights of all moves of the player to move."""
    return np.uint64(words[nth(TOTALS + head(board, TO_MOVE))] - words[FAR_SUM] + words[NEAR_SUM])
