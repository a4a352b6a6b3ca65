"""Random games of every preset on array boards, sizes 2 to 19; see `arrays` and `array_rules` beside it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.compile import entry, inlined
from goban.kernels.numba_tools.random_numbers import advance, below, game_stream
from goban.kernels.playouts.array_rules import NO_PLACEMENT, copy_words, may_place, pass_turn, play, points_of
from goban.kernels.playouts.policies import ALL_MOVES, NO_OWN_EYES, PLACEMENTS

# isort: off
from goban.kernels.playouts.arrays import (
    COUNT, EMPTIES, ENDING, PASSING, SIZE, STRIDE, TO_MOVE, Board, Hashes, at, colours_around, is_eye, put_aside,
)  # fmt: skip
# isort: on

Table = npt.NDArray[np.int16]


@inlined
def draw_point(board: Board, hashes: Hashes, keys: Hashes, policy: int, extra: int, state: np.uint64) -> tuple[np.uint64, int]:
    """Return (random state, drawn point); the point is 0 for a pass, or if there is nothing to draw from.

    Empty points are drawn until one may be played; those that may not be played are put aside. `extra` is 1 if a pass is
    drawn like a placement, else 0. The list of empty points changes its order.
    """
    left, own = at(board, COUNT), at(board, TO_MOVE)
    while left + extra > 0:
        state = advance(state)
        k = below(state, left + extra)
        if k == left:
            break
        p = at(board, k + EMPTIES)
        eye = policy == NO_OWN_EYES and colours_around(board, p) == own and is_eye(board, p, own)
        if not eye and may_place(board, hashes, keys, p):
            return state, p
        left -= 1
        put_aside(board, k, left)
    return state, 0


@entry("void(uint16[::1], uint64[::1], uint64[::1], int64, int64, uint64, int64, uint16[::1], uint64[::1], int16[:, ::1])")
def play_arrays(
    start: Board,
    past: Hashes,
    keys: Hashes,
    most: int,
    policy: int,
    seed: np.uint64,
    first: int,
    board: Board,
    hashes: Hashes,
    table: Table,
) -> None:
    """Play the games `first`, `first + 1`, ... of a seed from a start, one per row of the table.

    most: moves after which a game is left as it is; `past` must have room for so many. board, hashes: of the same sizes as
    start and past, to play on. The rows of the table are as `goban.kernels.playouts.bitboard_playouts.play_bitboards` writes
    them, with points where that has stones.
    """
    size = at(start, SIZE)
    passing = at(start, PASSING) != 0
    extra = 1 if passing and policy == ALL_MOVES else 0
    for row in range(len(table)):
        copy_words(board, start)
        copy_words(hashes, past)
        state = game_stream(seed, first + row)
        moves, opening, now = 0, -1, policy
        while at(board, ENDING) == 0 and moves < most:
            state, p = draw_point(board, hashes, keys, now, extra, state)
            if p == 0 and not passing:
                if now == NO_OWN_EYES:
                    # Once more, eyes and all. (A second call in the source would keep numba from inlining the first.)
                    now = PLACEMENTS
                    continue
                board[ENDING] = NO_PLACEMENT
                break
            now = policy
            if moves == 0:
                opening = size * size if p == 0 else size * (p // STRIDE - 1) + p % STRIDE - 1
            moves += 1
            if p == 0:
                pass_turn(board, hashes)
            else:
                play(board, hashes, keys, p)
        table[row, 0], table[row, 1], table[row, 2] = moves, opening, at(board, ENDING)
        table[row, 3], table[row, 4] = points_of(board)
