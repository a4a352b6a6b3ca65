"""What 3x3 patterns do not see of strings: how many liberties a move comes to, and moves about strings with two liberties.

    liberties_to_come(board, words, tables, span, p, own, less)      after a stone on p
    loses_many(board, p, own, most)                                  a move that leaves a large string in atari
    answer_to(board, words, tables, span, last, state)               to a move that leaves strings with two liberties
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import count
from goban.kernels.numba_tools.entry_points import kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.numba_tools.random_numbers import advance, below
from goban.kernels.patterns.facts import captures_of, is_atari
from goban.kernels.patterns.moves import may_place
from goban.kernels.patterns.point_sets import Span, Words, bit_of
from goban.kernels.patterns.tables import Tables

# isort: off
from goban.kernels.patterns.boards import (
    BLACK, COLOUR, EMPTIES, FACTS, FIRST, LIBERTIES, SECOND, SIZE, STONES, STRING, TO_MOVE, WHITE, Board, get, head,
    liberties_of,
)  # fmt: skip
# isort: on


@kernel
def liberties_to_come(board: Board, words: Words, tables: Tables, span: Span, p: int, own: int, less: int) -> int:
    """Return how many liberties a stone on p has, with all it joins, captures left aside. less: a point that is none, or 0."""
    stride, number = head(board, SIZE) + 1, 0
    for k in range(len(span)):
        word = tables.beside[nth(p * len(span) + k)] & words[EMPTIES + k]
        for q in (p + stride, p - 1, p - stride, p + 1):
            if get(board, q, COLOUR) == own:
                word |= words[nth(liberties_of(span, get(board, q, STRING)) + k)]
        if p >> 6 == k:
            word &= ~bit_of(p)
        if less != 0 and less >> 6 == k:
            word &= ~bit_of(less)
        number += count(word)
    return number


@kernel
def loses_many(board: Board, p: int, own: int, most: int) -> bool:
    """Tell whether a stone on p captures nothing and leaves more than `most` stones in atari that were there before."""
    facts = get(board, p, FACTS)
    if not is_atari(facts, own) or captures_of(facts, own) != 0:
        return False
    stride = head(board, SIZE) + 1
    first = second = third = stones = 0
    for q in (p + stride, p - 1, p - stride, p + 1):
        string = get(board, q, STRING)
        if get(board, q, COLOUR) == own and string not in (first, second, third):
            stones += get(board, string, STONES)
            first, second, third = string, first, second
    return stones > most


@kernel
def answer_to(
    board: Board, words: Words, tables: Tables, span: Span, last: int, state: np.uint64
) -> tuple[np.uint64, int]:
    """Return (random state, point) of a move about a string with two liberties that the last move is part of or touches, 0 for
    none: one that brings an own string to three, or leaves the opponent's in atari and with two at most if it extends.

    Where a string of either is in atari there is none: that is what weights are good at.
    """
    own, stride = head(board, TO_MOVE), head(board, SIZE) + 1
    other, string, chosen, number = BLACK + WHITE - own, get(board, last, STRING), 0, 0
    if get(board, last, COLOUR) != other or get(board, string, LIBERTIES) == 1:
        return state, 0
    for q in (last + stride, last - 1, last - stride, last + 1):
        if get(board, q, COLOUR) == own and get(board, get(board, q, STRING), LIBERTIES) == 1:
            return state, 0
    if get(board, string, LIBERTIES) == 2:
        for p in (get(board, string, FIRST), get(board, string, SECOND)):
            if _presses(board, words, tables, span, p, string):
                state, chosen, number = _choose(state, chosen, number, p)
    for q in (last + stride, last - 1, last - stride, last + 1):
        string = get(board, q, STRING)
        if get(board, q, COLOUR) == own and get(board, string, LIBERTIES) == 2:
            for p in (get(board, string, FIRST), get(board, string, SECOND)):
                if may_place(board, p) and liberties_to_come(board, words, tables, span, p, own, 0) > 2:
                    state, chosen, number = _choose(state, chosen, number, p)
    return state, chosen


@kernel
def _choose(state: np.uint64, chosen: int, number: int, p: int) -> tuple[np.uint64, int, int]:
    """Return (random state, point, number): p, or, as likely as any of them, one of so many points before it."""
    state = advance(state)
    return state, p if below(state, number + 1) == 0 else chosen, number + 1


@kernel
def _presses(board: Board, words: Words, tables: Tables, span: Span, p: int, string: int) -> bool:
    """Tell whether a stone on one of two liberties of the opponent's string is safe, and it would come to two at most."""
    other = get(board, string, COLOUR)
    if not may_place(board, p) or is_atari(get(board, p, FACTS), BLACK + WHITE - other):
        return False
    escape = get(board, string, FIRST) + get(board, string, SECOND) - p
    return liberties_to_come(board, words, tables, span, escape, other, p) <= 2
