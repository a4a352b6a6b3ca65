"""The position that a simulation has come to, on two boards.

An array board (`goban.kernels.playouts.arrays`) knows the rules, with superko and endings: it says what may be played in the
tree, and when the game is over. A pattern board (`goban.kernels.patterns.boards`) knows what moves are worth, and is played on
at random.

Each stone costs time on both, so a game is played on one of them: on the array board if the table is flat, when the other is
not needed at all; else on the pattern board, and the array board catches up where it is asked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.numba_tools.random_numbers import advance
from goban.kernels.patterns.boards import Board as PatternBoard
from goban.kernels.patterns.flat_playouts import draw_flat, flat_weight, play_flat
from goban.kernels.patterns.neighbourhoods import Span, Words
from goban.kernels.patterns.playouts import draw_weighted, play_out, play_replying, score_of, take_turn
from goban.kernels.patterns.strings import move_weight, weight_sum
from goban.kernels.patterns.tables import Tables
from goban.kernels.playouts.array_rules import copy_words, pass_turn, play, points_of

# isort: off
from goban.kernels.playouts.arrays import (
    BLACK, COUNT, LAST, LIMIT, N_MOVE, ON_REPEAT, SIZE, STRIDE, TO_MOVE, WHITE, Board, Hashes, at,
)  # fmt: skip
# isort: on
from goban.montecarlo.spaces import MERCY, PASS, REPLYING, Space


class Position(NamedTuple):
    """The same position on both boards, or what is still to become it."""

    board: Board
    hashes: Hashes
    patterned: PatternBoard
    words: Words


Numbers = npt.NDArray[np.int64]

POSITION = "Tuple((uint16[::1], uint64[::1], uint16[::1], uint64[::1]))"


@inlined
def begin(start: Position, played: Position, tables: Tables) -> int:
    """Begin a game anew; return how many of its moves the array board has, -1 for none and not even the beginning."""
    if tables.flat != 0:
        _begin_arrays(start, played)
        return 0
    copy_words(played.patterned, start.patterned)
    copy_words(played.words, start.words)
    return -1


@kernel
def _begin_arrays(start: Position, played: Position) -> None:
    copy_words(played.board, start.board)
    copy_words(played.hashes, start.hashes)


@inlined
def go_on(played: Position, keys: Hashes, tables: Tables, span: Span, p: int, known: int) -> int:
    """Make a legal move, p as nodes have it; return how many moves the array board has, which had `known`."""
    if tables.flat != 0:
        _play_on_arrays(played, keys, p)
        return known + 1
    take_turn(played.patterned, played.words, tables, span, p)
    return known


@kernel
def _play_on_arrays(played: Position, keys: Hashes, p: int) -> None:
    if p == PASS:
        pass_turn(played.board, played.hashes)
    else:
        play(played.board, played.hashes, keys, array_point(played.board, p))


@kernel
def catch_up(start: Position, played: Position, keys: Hashes, record: Numbers, known: int, depth: int) -> int:
    """Make on the array board what moves of the record it has not yet; return how many it has."""
    if known < 0:
        _begin_arrays(start, played)
    for k in range(max(0, known), depth):
        _play_on_arrays(played, keys, record[k] >> 2)
    return depth


@kernel
def array_point(board: Board, p: int) -> int:
    """Return the point of array boards for one of pattern boards, which nodes have."""
    row = at(board, SIZE) + 1
    return p // row * STRIDE + p % row


@kernel
def mover_at(start: Position, depth: int) -> int:
    """Return who makes the move after so many."""
    first = at(start.board, TO_MOVE)
    return first if depth & 1 == 0 else BLACK + WHITE - first


@kernel
def may_end(start: Position, depth: int) -> bool:
    """Tell whether a placement may have ended the game, so many moves after the beginning."""
    board = start.board
    return at(board, ON_REPEAT) != 0 or (at(board, LIMIT) != 0 and at(board, N_MOVE) + depth >= at(board, LIMIT))


@kernel
def weight_at(played: Position, tables: Tables, span: Span, p: int) -> float:
    """Return what a legal placement is worth to the player to move."""
    if tables.flat != 0:
        return float(flat_weight(played.board, tables, array_point(played.board, p), at(played.board, TO_MOVE)))
    return float(move_weight(played.patterned, played.words, tables, span, p))


@kernel
def usual_weight(played: Position, tables: Tables) -> float:
    """Return what a placement is worth on the average; for flat tables, at most."""
    if tables.flat != 0:
        return float(tables.flat)
    return float(weight_sum(played.patterned, played.words)) / max(1, at(played.board, COUNT))


@kernel
def draw_move(played: Position, tables: Tables, span: Span, state: np.uint64) -> tuple[np.uint64, int]:
    """Return (random state, point) of a move drawn as in a playout, as nodes have it."""
    state = advance(state)
    if tables.flat == 0:
        return draw_weighted(played.patterned, played.words, tables, span, state)
    state, p = draw_flat(played.board, tables, state)
    return state, p - p // STRIDE * (STRIDE - 1 - at(played.board, SIZE))


@inlined
def play_to_end(
    played: Position, keys: Hashes, tables: Tables, span: Span, space: Space, depth: int, state: np.uint64
) -> tuple[np.uint64, int, int]:
    """Play on at random after so many moves; return (random state, how many turns were taken, Black's points less White's).

    The space gets the moves as `goban.kernels.patterns.playouts.play_out` has them, with points as nodes have them.
    """
    moves = space.moves
    if tables.flat == 0:
        if space.facts[REPLYING] != 0:
            before = space.record[depth - 2] >> 2 if depth > 1 else 0
            last = space.record[depth - 1] >> 2 if depth > 0 else 0
            state, turns = play_replying(
                played.patterned, played.words, tables, span, space.replies, moves, before, last, space.facts[MERCY], state
            )
        else:
            state, turns = play_out(played.patterned, played.words, tables, span, moves, state)
        return state, turns, score_of(played.patterned, played.words, span)
    board = played.board
    passes, narrower = 1 if depth > 0 and at(board, LAST) == 0 else 0, STRIDE - 1 - at(board, SIZE)
    state, turns = play_flat(board, played.hashes, keys, tables, moves, state, depth, passes)
    for k in range(turns):
        p = int(moves[k])
        moves[k] = p - p // STRIDE * narrower
    black, white = points_of(board)
    return state, turns, black - white
