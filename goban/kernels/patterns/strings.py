"""Stones put on pattern boards and taken off: codes, strings and their liberties, captures, ko, and what all this changes.

What a stone changes is noted in two sets. NEAR gets the points whose weights change: those that are near for the reply, and
stones just placed. STALE gets those of them whose facts may change. NEAR is, to the point, what GNU Go 3.8 calls near:

    the points around the stone                 the other liberty of an own string beside it that had two
    captured points, and those around them      liberties of opposing strings beside it that have one or two left
    liberties of its own string, if one or two  of own strings beside captured stones, if they had one or two before

Moves keep the weights of all moves: what a place is worth changes at near points only.

    place(board, words, tables, span, p)      pass_turn(board, words, span)      of the player to move
    may_place(board, p)                       no suicide, and no simple ko
    move_weight(board, words, tables, span, p)     what a move is worth now
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import count, lowest, nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.patterns.neighbourhoods import EMPTY, ONE, Span, Words, exclude, include, includes
from goban.kernels.patterns.tables import BLACK_SUICIDE, WHITE_SUICIDE, Tables, column_of, find_facts, kind_of, row_of, value_of

# isort: off
from goban.kernels.patterns.boards import (
    BLACK, CAPTURED, CODE, COLOUR, DEPTH, EMPTIES, EMPTY_KIND, FACTS, FAR_SUM, FIRST, HASH, KIND, KO, LIBERTIES, NEAR, NEAR_SUM,
    NEXT, PASSES, RECORD, SECOND, SIZE, STALE, STONES, STRING, TO_MOVE, TOTALS, WHITE, Board, get, head, liberties_of, put,
    sum_of, weight_of,
)  # fmt: skip

# isort: on


@kernel
def _flip(board: Board, q: int, bits: int) -> None:
    board[nth(q * RECORD + CODE)] ^= bits


@kernel
def _see(board: Board, p: int, stride: int, colour: int) -> None:
    """Let a stone on p come or go in the codes around it; each point sees p opposite to the step that leads there."""
    _flip(board, p + stride, colour << 4)
    _flip(board, p - 1, colour << 6)
    _flip(board, p - stride, colour)
    _flip(board, p + 1, colour << 2)
    _flip(board, p + stride - 1, colour << 12)
    _flip(board, p - stride - 1, colour << 14)
    _flip(board, p - stride + 1, colour << 8)
    _flip(board, p + stride + 1, colour << 10)


@kernel
def _note(board: Board, words: Words, string: int) -> None:
    """Note the liberties of a string with one or two; whichever is no longer empty will be dropped."""
    first, second = get(board, string, FIRST), get(board, string, SECOND)
    include(words, NEAR, first)
    include(words, NEAR, second)
    include(words, STALE, first)
    include(words, STALE, second)


@kernel
def _settle(board: Board, words: Words, span: Span, string: int) -> None:
    """Count the liberties of a string, and find out its kind and, if they are few, which they are."""
    start, number = liberties_of(span, string), 0
    for k in range(len(span)):
        number += count(words[nth(start + k)])
    put(board, string, LIBERTIES, number)
    put(board, string, KIND, kind_of(get(board, string, COLOUR), number, get(board, string, STONES)))
    if number <= 2:
        first = second = 0
        for k in range(len(span)):
            word = words[nth(start + k)]
            if word != 0:
                if first == 0:
                    first = second = 64 * k + lowest(word)
                    word &= word - ONE
                if word != 0:
                    second = 64 * k + lowest(word)
        put(board, string, FIRST, first)
        put(board, string, SECOND, second)


@kernel
def _join(board: Board, words: Words, span: Span, p: int, q: int) -> None:
    """Make one string of those on p, just placed, and q; the smaller one is renamed. Liberties are left to be counted."""
    big, small = get(board, p, STRING), get(board, q, STRING)
    if big == small:
        return
    if get(board, small, LIBERTIES) <= 2:
        _note(board, words, small)
    if get(board, big, STONES) < get(board, small, STONES):
        big, small = small, big
    put(board, big, STONES, get(board, big, STONES) + get(board, small, STONES))
    target, source = liberties_of(span, big), liberties_of(span, small)
    for k in range(len(span)):
        words[nth(target + k)] |= words[nth(source + k)]
    stone, last = small, small
    while True:
        put(board, stone, STRING, big)
        last = stone
        stone = get(board, stone, NEXT)
        if stone == small:
            break
    put(board, last, NEXT, get(board, big, NEXT))
    put(board, big, NEXT, small)


@kernel
def _press(board: Board, words: Words, span: Span, p: int, q: int) -> int:
    """Take the liberty p from the opposing string on q; return how many stones that captures (once for each string)."""
    string = get(board, q, STRING)
    start = liberties_of(span, string)
    if not includes(words, start, p):
        return 0
    exclude(words, start, p)
    left = get(board, string, LIBERTIES) - 1
    put(board, string, LIBERTIES, left)
    if left == 0:
        return get(board, string, STONES)
    if left <= 2:
        _settle(board, words, span, string)
        _note(board, words, string)
    return 0


@kernel
def _meet(board: Board, words: Words, span: Span, p: int, q: int, own: int) -> int:
    """Let an own stone just placed on p meet what is on q; return how many stones that captures."""
    colour = get(board, q, COLOUR)
    if colour == own:
        _join(board, words, span, p, q)
    elif colour == BLACK + WHITE - own:
        return _press(board, words, span, p, q)
    return 0


@kernel
def _free(board: Board, words: Words, span: Span, liberty: int, q: int, own: int) -> None:
    """Give the own string on q, if there is one, a liberty where a stone was captured."""
    if get(board, q, COLOUR) != own:
        return
    string = get(board, q, STRING)
    if get(board, string, LIBERTIES) <= 2:
        _note(board, words, string)
    include(words, liberties_of(span, string), liberty)
    _settle(board, words, span, string)


@kernel
def _remove(board: Board, words: Words, tables: Tables, span: Span, q: int, own: int) -> None:
    """Remove the string on q, if it is the opponent's and has no liberty."""
    other, stride = BLACK + WHITE - own, head(board, SIZE) + 1
    if get(board, q, COLOUR) != other or get(board, get(board, q, STRING), LIBERTIES) != 0:
        return
    stone = q
    while True:
        put(board, stone, COLOUR, EMPTY)
        put(board, stone, STRING, stone)
        put(board, stone, KIND, EMPTY_KIND)
        words[HASH] ^= tables.keys[nth(3 * stone + other)]
        include(words, EMPTIES, stone)
        _see(board, stone, stride, other)
        include(words, NEAR, stone)
        include(words, STALE, stone)
        for k in range(len(span)):
            around = tables.around[nth(stone * len(span) + k)]
            words[nth(NEAR + k)] |= around
            words[nth(STALE + k)] |= around
        for beside in (stone + stride, stone - 1, stone - stride, stone + 1):
            _free(board, words, span, stone, beside, own)
        stone = get(board, stone, NEXT)
        if stone == q:
            break


@kernel
def _set_down(board: Board, words: Words, tables: Tables, span: Span, p: int, own: int) -> None:
    """Put a single stone on an empty point, its liberties the empty points beside it."""
    put(board, p, COLOUR, own)
    put(board, p, STRING, p)
    put(board, p, NEXT, p)
    put(board, p, STONES, 1)
    words[HASH] ^= tables.keys[nth(3 * p + own)]
    exclude(words, EMPTIES, p)
    start = liberties_of(span, p)
    for k in range(len(span)):
        free = tables.beside[nth(p * len(span) + k)] & words[EMPTIES + k]
        words[nth(start + k)] = free
        words[STALE + k] = free
        words[NEAR + k] = tables.around[nth(p * len(span) + k)]


@inlined
def put_stone(board: Board, words: Words, tables: Tables, span: Span, p: int, own: int) -> None:
    """Put an own stone on p, where it is known to live, and remove what it captures; sets CAPTURED, KO, NEAR and STALE."""
    stride = head(board, SIZE) + 1
    _set_down(board, words, tables, span, p, own)
    _see(board, p, stride, own)
    captured = _meet(board, words, span, p, p + stride, own)
    captured += _meet(board, words, span, p, p - 1, own)
    captured += _meet(board, words, span, p, p - stride, own)
    captured += _meet(board, words, span, p, p + 1, own)
    string = get(board, p, STRING)
    exclude(words, liberties_of(span, string), p)
    _settle(board, words, span, string)
    board[KO], board[CAPTURED] = 0, captured
    if captured != 0:
        for q in (p + stride, p - 1, p - stride, p + 1):
            _remove(board, words, tables, span, q, own)
        if captured == 1 and get(board, string, STONES) == 1 and get(board, string, LIBERTIES) == 1:
            board[KO] = _first_empty(board, p, stride)
    if get(board, string, LIBERTIES) <= 2:
        _note(board, words, string)


@kernel
def _first_empty(board: Board, p: int, stride: int) -> int:
    """Return the empty point beside p; there is one."""
    for q in (p + stride, p - 1, p - stride):
        if get(board, q, COLOUR) == EMPTY:
            return q
    return p + 1


@kernel
def hash_after(board: Board, words: Words, tables: Tables, p: int, own: int) -> np.uint64:
    """Return the board's hash after an own stone on the empty point p and what it captures."""
    stride, other = head(board, SIZE) + 1, BLACK + WHITE - own
    after = words[HASH] ^ tables.keys[nth(3 * p + own)]
    one = two = three = 0
    for q in (p + stride, p - 1, p - stride, p + 1):
        string = get(board, q, STRING)
        if get(board, q, COLOUR) != other or get(board, string, LIBERTIES) != 1:
            continue
        if string in (one, two, three):
            continue
        one, two, three = string, one, two
        stone = string
        while True:
            after ^= tables.keys[nth(3 * stone + other)]
            stone = get(board, stone, NEXT)
            if stone == string:
                break
    return np.uint64(after)


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


@inlined
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
