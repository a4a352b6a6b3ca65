"""Playouts: moves drawn until the game is over, and its score.

    play_out(board, words, tables, span, moves, state)     from a pattern board on, which is changed
    score_of(board, words, span)                           Black's points less White's
    write_row(results, row, turns, moves, ...)             what a playout came to, for Python

A playout ends after three passes in a row, at the depth at which the rules end the game, and, where they know no passing,
when the player to move has no legal placement. From depth MOST_MOVES + 1 on there are only passes.

Last good replies: what a player answered in a game it won is answered again in later playouts, until a game is lost by it:

    new_replies(size)                                             none known yet
    play_replying(board, words, tables, span, replies, ...)       a playout that answers so where it can
    learn_replies(replies, record, length, loser)                 from a game

A reply is kept by who gave it and by the two moves before it, and by the one move before it alone, which is asked second.
Source: Baier and Drake, *The power of forgetting: improving the last-good-reply policy in Monte Carlo Go*, 2010 (LGRF-2).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import count, lowest, nth, nth_bit
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.numba_tools.random_numbers import advance, below, below_long
from goban.kernels.patterns.neighbourhoods import EMPTY, ONE, Span, Words, exclude, includes
from goban.kernels.patterns.strings import far_weight, may_place, move_weight, near_weight, pass_turn, place, weigh, weight_sum
from goban.kernels.patterns.tables import Tables, is_atari

# isort: off
from goban.kernels.patterns.boards import (
    AREA, BLACK, CAPTURED, COLOUR, DEPTH, EMPTIES, FACTS, LIMIT, NEAR, NEAR_SUM, NEXT, PASSES, PASSING, SIZE, STALE, SUMS,
    TO_MOVE, TOTALS, WHITE, Board, block_bits, cells, get, head, put, weight_of,
)  # fmt: skip

# isort: on

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


# isort: on

Moves = npt.NDArray[np.uint16]
Results = npt.NDArray[np.int16]
NO_TURN = -1

MOST_MOVES = 600
MOST_PASSES = 3
"""In a row. Both as in GNU Go 3.8."""
MOST_TURNS = MOST_MOVES + MOST_PASSES + 1
"""The most moves and passes of a playout from depth 0 on."""
_NONE = np.uint64(0)


@inlined
def play_out(board: Board, words: Words, tables: Tables, span: Span, moves: Moves, state: np.uint64) -> tuple[np.uint64, int]:
    """Play from a board on; return (random state, how many turns were taken).

    moves: gets the point of each, 0 for a pass; the first is that of the player to move now, and they alternate. It must have
    MOST_TURNS entries.
    """
    turns = 0
    while not is_over(board):
        state, p = draw_turn(board, words, tables, span, state)
        if p == NO_TURN:
            break
        moves[nth(turns)] = p
        turns += 1
        take_turn(board, words, tables, span, p)
    return state, turns


@kernel
def is_over(board: Board) -> bool:
    """Tell whether a playout ends here, whatever may still be placed."""
    limit = head(board, LIMIT)
    return head(board, PASSES) >= MOST_PASSES or (limit != 0 and head(board, DEPTH) >= limit)


@inlined
def draw_turn(board: Board, words: Words, tables: Tables, span: Span, state: np.uint64) -> tuple[np.uint64, int]:
    """Return (random state, point) of the next turn, 0 for a pass; NO_TURN if there is none."""
    p = 0
    if head(board, DEPTH) <= MOST_MOVES:
        state, p = draw_weighted(board, words, tables, span, state)
    if p == 0 and head(board, PASSING) == 0:
        state, p = draw_legal(board, words, span, state)
        if p == 0:
            p = NO_TURN
    return state, p


@inlined
def take_turn(board: Board, words: Words, tables: Tables, span: Span, p: int) -> None:
    """Place on a point where the player to move may, or pass if it is 0."""
    if p == 0:
        pass_turn(board, words, span)
    else:
        place(board, words, tables, span, p)


@kernel
def stone_lead(board: Board) -> int:
    """Return Black's stones less White's."""
    size, lead = head(board, SIZE), 0
    for i in range(size):
        first = (size + 1) * (i + 1) + 1
        for p in range(first, first + size):
            colour = get(board, p, COLOUR)
            lead += (colour & 1) - (colour >> 1)
    return lead


@kernel
def score_of(board: Board, words: Words, span: Span) -> int:
    """Return Black's points less White's, stones or area as the rules count, komi not included."""
    size, score = head(board, SIZE), stone_lead(board)
    if head(board, AREA) != 0:
        for k in range(len(span)):
            words[STALE + k] = words[EMPTIES + k]
        for k in range(len(span)):
            while words[STALE + k] != _NONE:
                score += _territory(board, words, size + 1, 64 * k + lowest(words[STALE + k]))
    return score


@kernel
def write_row(results: Results, row: int, turns: int, moves: Moves, size: int, stride: int, score: int) -> None:
    """Write what a playout came to: (turns, first move, score). stride: points in a row of its board, with the frame.

    The first move is counted as size * i + j, size * size for a pass; NO_TURN if there was none.
    """
    results[row, 0], results[row, 1], results[row, 2] = turns, NO_TURN, score
    if turns > 0:
        p = int(moves[0])
        results[row, 1] = size * size if p == 0 else size * (p // stride - 1) + p % stride - 1


@kernel
def _territory(board: Board, words: Words, stride: int, p: int) -> int:
    """Return the points of the empty region around p, negative if White's; takes it out of STALE.

    The points still to be looked at are chained by NEXT, for which an empty point has no other use.
    """
    points = border = last = 0
    while True:
        exclude(words, STALE, p)
        points += 1
        for q in (p + stride, p - 1, p - stride, p + 1):
            colour = get(board, q, COLOUR)
            border |= 1 << colour
            if colour == EMPTY and includes(words, STALE, q):
                exclude(words, STALE, q)
                put(board, q, NEXT, last)
                last = q
        if last == 0:
            break
        p = last
        last = get(board, p, NEXT)
    black, white = border >> BLACK & 1, border >> WHITE & 1
    return points * (black - white)


Replies = npt.NDArray[np.uint16]
"""By colour, the move before and the move before that: a point, 0 for none. A pass before is move 0; a reply to a pass, or one
that is a pass, is not kept."""
Record = npt.NDArray[np.int64]
"""Moves as 4 * point + colour, 0 for the point of a pass."""

def new_replies(size: int) -> Replies:
    """Return room for the replies of a board size."""
    number = cells(size)
    return np.zeros(2 * number * (number + 1), dtype=np.uint16)


@kernel
def _place(number: int, colour: int, last: int) -> int:
    """Return where the reply to one move stands; those to two moves follow it. number: of cells."""
    return ((colour - 1) * number + last) * (number + 1)


@kernel
def _cells(board: Board) -> int:
    size = head(board, SIZE)
    return (size + 2) * (size + 1) + 1


@inlined
def play_replying(
    board: Board,
    words: Words,
    tables: Tables,
    span: Span,
    replies: Replies,
    moves: Moves,
    before: int,
    last: int,
    mercy: int,
    state: np.uint64,
) -> tuple[np.uint64, int]:
    """Play from a board on as `playouts.play_out`, but reply where a good reply is known.

    before, last: the last two moves, 0 for a pass or none. mercy: the lead in stones, of either player, at which the playout
    ends, if it is larger by half as many than in the beginning; 0 for none.
    """
    turns, lead = 0, stone_lead(board)
    most = max(mercy, abs(lead) + mercy // 2)
    while not is_over(board) and (mercy == 0 or abs(lead) < most):
        p = _reply(board, words, tables, span, replies, before, last)
        if p == 0:
            state, p = draw_turn(board, words, tables, span, state)
            if p == NO_TURN:
                break
        moves[nth(turns)] = p
        turns += 1
        sign = 1 if head(board, TO_MOVE) == BLACK else -1
        take_turn(board, words, tables, span, p)
        if p != 0:
            lead += sign * (1 + head(board, CAPTURED))
        before, last = last, p
    return state, turns


@kernel
def _reply(board: Board, words: Words, tables: Tables, span: Span, replies: Replies, before: int, last: int) -> int:
    """Return the reply to the last two moves, or to the last; 0 if none is known that may be played."""
    if last == 0 or head(board, DEPTH) > MOST_MOVES:
        return 0
    place = _place(_cells(board), head(board, TO_MOVE), last)
    for k in (1 + before, 0):
        p = int(replies[nth(place + k)])
        if p != 0 and _is_sound(board, words, tables, span, p):
            return p
    return 0


@kernel
def _is_sound(board: Board, words: Words, tables: Tables, span: Span, p: int) -> bool:
    """Tell whether the player to move may place there, would ever do so at random, and is not in atari then."""
    if move_weight(board, words, tables, span, p) == _NONE:
        return False
    return not is_atari(get(board, p, FACTS), head(board, TO_MOVE))


@kernel
def learn_replies(replies: Replies, number: int, record: Record, length: int, loser: int) -> None:
    """Keep the winner's replies of a game, and forget those of the loser that it just gave. number: of cells."""
    before = last = 0
    for k in range(length):
        p, colour = record[k] >> 2, record[k] & 3
        if p != 0 and last != 0:
            place = _place(number, colour, last)
            for at in (place, place + 1 + before):
                if colour != loser:
                    replies[nth(at)] = p
                elif replies[nth(at)] == p:
                    replies[nth(at)] = 0
        before, last = last, p
