"""Playouts: moves drawn until the game is over, and its score.

    play_out(board, words, tables, span, moves, state)     from a pattern board on, which is changed
    score_of(board, words, span)                           Black's points less White's
    write_row(results, row, turns, moves, ...)             what a playout came to, for Python

A playout ends after three passes in a row, at the depth at which the rules end the game, and, where they know no passing,
when the player to move has no legal placement. From depth MOST_MOVES + 1 on there are only passes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import lowest
from goban.kernels.numba_tools.entry_points import inlined, kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.patterns.draws import draw_legal, draw_weighted
from goban.kernels.patterns.moves import pass_turn, place
from goban.kernels.patterns.neighbourhoods import EMPTY
from goban.kernels.patterns.point_sets import Span, Words, exclude, includes
from goban.kernels.patterns.tables import Tables

# isort: off
from goban.kernels.patterns.boards import (
    AREA, BLACK, COLOUR, DEPTH, EMPTIES, LIMIT, NEXT, PASSES, PASSING, SIZE, STALE, WHITE, Board, get, head, put,
)  # fmt: skip
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
def score_of(board: Board, words: Words, span: Span) -> int:
    """Return Black's points less White's, stones or area as the rules count, komi not included."""
    size, score = head(board, SIZE), 0
    for i in range(size):
        first = (size + 1) * (i + 1) + 1
        for p in range(first, first + size):
            colour = get(board, p, COLOUR)
            score += (colour & 1) - (colour >> 1)
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
