"""Playouts by flat tables, see `tables.Tables`: what a move does never matters to them, so they need no pattern board.

They are played on an array board (`goban.kernels.playouts.arrays`), where a stone costs a few additions. Points are drawn
evenly until one will do; it is taken with a chance in proportion to its weight. They end as those of `playouts` do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from goban.kernels.numba_tools.bits import nth, signed
from goban.kernels.numba_tools.compile import entry, inlined, kernel
from goban.kernels.numba_tools.random_numbers import advance, below, below_long, game_stream
from goban.kernels.patterns.playouts import MOST_MOVES, MOST_PASSES, MOST_TURNS, Moves, Results, write_row
from goban.kernels.patterns.tables import TABLES, Tables, row_of, value_of
from goban.kernels.playouts.array_playouts import draw_point
from goban.kernels.playouts.array_rules import copy_words, points_of
from goban.kernels.playouts.policies import PLACEMENTS

# isort: off
from goban.kernels.playouts.arrays import (
    BLACK, COLOUR, COUNT, EMPTIES, EMPTY, KO, LIMIT, N_MOVE, PASSING, SIZE, STRIDE, TO_MOVE, WHITE, Board, Hashes, at,
    colours_around, is_alive, place, put_aside,
)  # fmt: skip
# isort: on

_NONE = np.uint64(0)
_CONTENTS = 0b00_00_10_01_11
"""What codes say for the colours OFF, BLACK, WHITE and EMPTY, two bits for each number from 0 to 4."""


@inlined
def play_flat(
    board: Board, hashes: Hashes, keys: Hashes, tables: Tables, moves: Moves, state: np.uint64, depth: int, passes: int
) -> tuple[np.uint64, int]:
    """Play from a board on; return (random state, how many turns were taken).

    depth: turns before, of those that count for MOST_MOVES; passes: how many of the last ones were passes. moves: as for
    `playouts.play_out`. The board's facts about the game, such as N_MOVE, are left behind; the stones and KO are right.
    """
    turns, limit, ko = 0, MOST_TURNS, 1
    if at(board, LIMIT) != 0:
        limit = min(limit, at(board, LIMIT) - at(board, N_MOVE))
    while passes < MOST_PASSES and turns < limit:
        p, own = 0, at(board, TO_MOVE)
        # Who passed has no more moves than before, unless there was a ko.
        if depth + turns <= MOST_MOVES and (passes < 2 or ko != 0):
            state, p = draw_flat(board, tables, state)
        if p == 0 and at(board, PASSING) == 0:
            state, p = draw_point(board, hashes, keys, PLACEMENTS, 0, state)
            if p == 0:
                break
        moves[nth(turns)] = p
        turns += 1
        if p == 0:
            if passes == 0:
                ko = at(board, KO)
            board[KO] = 0
            passes += 1
        else:
            place(board, hashes, keys, p, own)
            passes = 0
        board[TO_MOVE] = BLACK + WHITE - own
    return state, turns


@inlined
def draw_flat(board: Board, tables: Tables, state: np.uint64) -> tuple[np.uint64, int]:
    """Return (random state, point) of a move drawn in proportion to its weight; 0 for a pass, where all weights are 0.

    Points that may not be played, or are worth 0, are put aside. The list of empty points changes its order.
    """
    left, own, most = at(board, COUNT), at(board, TO_MOVE), np.uint64(tables.flat)
    while left > 0:
        state = advance(state)
        k = below(state, left)
        p = at(board, k + EMPTIES)
        closed = colours_around(board, p) & EMPTY == 0
        if not closed and tables.even != 0:
            return state, p
        value = flat_weight(board, tables, p, own)
        if value == _NONE or (closed and (p == at(board, KO) or not is_alive(board, p, own))):
            left -= 1
            put_aside(board, k, left)
            continue
        if value == most:
            return state, p
        state = advance(state)
        if below_long(state, most) < value:
            return state, p
    return state, 0


@kernel
def flat_weight(board: Board, tables: Tables, p: int, own: int) -> np.uint64:
    """Return what a move to the empty point p is worth by a flat table, whether or not it may be played."""
    return value_of(tables, row_of(tables, own, _code_of(board, p)), signed(tables.columns[0]))


@kernel
def _code_of(board: Board, p: int) -> int:
    """Return the code of the eight points around p, as Black sees them."""
    code = _content(board, p + STRIDE) | _content(board, p - 1) << 2 | _content(board, p - STRIDE) << 4
    code |= _content(board, p + 1) << 6 | _content(board, p + STRIDE - 1) << 8 | _content(board, p - STRIDE - 1) << 10
    return code | _content(board, p - STRIDE + 1) << 12 | _content(board, p + STRIDE + 1) << 14


@kernel
def _content(board: Board, q: int) -> int:
    return _CONTENTS >> 2 * at(board, q + COLOUR) & 3


@entry(
    f"void(uint16[::1], uint64[::1], uint64[::1], {TABLES}, uint16[::1], uint64[::1], uint16[::1], uint64, int64, "
    "int16[:, ::1])"
)
def play_many_flat(
    start: Board,
    past: Hashes,
    keys: Hashes,
    given_tables: tuple[Any, ...],
    board: Board,
    hashes: Hashes,
    moves: Moves,
    seed: np.uint64,
    first: int,
    results: Results,
) -> None:
    """Play the playouts `first`, `first + 1`, ... of a seed from a start, each a row of results (`playouts.write_row`)."""
    tables = Tables(*given_tables)
    for row in range(len(results)):
        copy_words(board, start)
        copy_words(hashes, past)
        _, turns = play_flat(board, hashes, keys, tables, moves, game_stream(seed, first + row), 0, 0)
        black, white = points_of(board)
        write_row(results, row, turns, moves, at(start, SIZE), STRIDE, black - white)
