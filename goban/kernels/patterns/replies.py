"""Last good replies: what a player answered in a game it won is answered again in later playouts, until a game is lost by it.

    new_replies(size)                                             none known yet
    play_replying(board, words, tables, span, replies, ...)       a playout that answers so where it can
    learn_replies(replies, record, length, loser)                 from a game

A reply is kept by who gave it and by the two moves before it, and by the one move before it alone, which is asked second.
Source: Baier and Drake, *The power of forgetting: improving the last-good-reply policy in Monte Carlo Go*, 2010 (LGRF-2).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.entry_points import inlined, kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.patterns.boards import DEPTH, FACTS, SIZE, TO_MOVE, Board, cells, get, head
from goban.kernels.patterns.facts import is_atari
from goban.kernels.patterns.moves import move_weight
from goban.kernels.patterns.playouts import MOST_MOVES, NO_TURN, Moves, draw_turn, is_over, take_turn
from goban.kernels.patterns.point_sets import Span, Words
from goban.kernels.patterns.tables import Tables

Replies = npt.NDArray[np.uint16]
"""By colour, the move before and the move before that: a point, 0 for none. A pass before is move 0; a reply to a pass, or one
that is a pass, is not kept."""
Record = npt.NDArray[np.int64]
"""Moves as 4 * point + colour, 0 for the point of a pass."""

_NONE = np.uint64(0)


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
    state: np.uint64,
) -> tuple[np.uint64, int]:
    """Play from a board on as `playouts.play_out`, but reply where a good reply is known.

    before, last: the last two moves, 0 for a pass or none.
    """
    turns = 0
    while not is_over(board):
        p = _reply(board, words, tables, span, replies, before, last)
        if p == 0:
            state, p = draw_turn(board, words, tables, span, state)
            if p == NO_TURN:
                break
        moves[nth(turns)] = p
        turns += 1
        take_turn(board, words, tables, span, p)
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
