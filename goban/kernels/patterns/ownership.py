"""Whose a point is in the end, by playouts: how often it is Black's and how often White's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.entry_points import kernel
from goban.kernels.numba_tools.random_numbers import game_stream
from goban.kernels.patterns.boards import BLACK, COLOUR, LIMIT, SIZE, WHITE, Board, cells, get, head
from goban.kernels.patterns.neighbourhoods import EMPTY
from goban.kernels.patterns.pattern_games import Numbers, PatternGame
from goban.kernels.patterns.playouts import MOST_TURNS, Moves, play_out
from goban.kernels.patterns.point_sets import Span, Words
from goban.kernels.patterns.spanned import board_entry
from goban.kernels.patterns.tables import Tables
from goban.kernels.playouts.array_rules import copy_words
from goban.states import State

Shares = npt.NDArray[np.float64]


@board_entry("void", ", uint16[::1], uint64[::1], uint16[::1], int64, uint64, int64[::1]")
def _count_owners(
    start: Board,
    start_words: Words,
    tables: Tables,
    span: Span,
    board: Board,
    words: Words,
    moves: Moves,
    games: int,
    seed: np.uint64,
    owners: Numbers,
) -> None:
    """Play so many playouts of a seed from a start; owners gets, by point, 1 for each that it is Black's, -1 for White's."""
    known, size = Tables(*tables), head(start, SIZE)
    for game in range(games):
        copy_words(board, start)
        copy_words(words, start_words)
        play_out(board, words, known, span, moves, game_stream(seed, game))
        for i in range(size):
            first = (size + 1) * (i + 1) + 1
            for p in range(first, first + size):
                owners[p] += _owner(board, p, size + 1)


@kernel
def _owner(board: Board, p: int, stride: int) -> int:
    """Return 1 for a point of Black's, -1 for White's: where a stone is, or next to which there are stones of one colour."""
    found = get(board, p, COLOUR)
    if found == EMPTY:
        for q in (p + stride, p - 1, p - stride, p + 1):
            colour = get(board, q, COLOUR)
            found |= colour & (BLACK | WHITE) if colour != BLACK | WHITE else 0
    return (found & 1) - (found >> 1)


def ownership(state: State, tables: Tables, games: int, seed: int) -> Shares:
    """Return (size, size) the shares of playouts that points are Black's in, less those that they are White's in: -1 to 1.

    games: 1 or more, from the state on, over or not, and beyond the move at which the rules end the game. seed: any integer, of
    which 64 bits count. An empty point between both colours counts for nobody.
    """
    start, size = PatternGame(state, tables), state.grid.size
    start.board[LIMIT] = 0
    owners, moves = np.zeros(cells(size), dtype=np.int64), np.zeros(MOST_TURNS, dtype=np.uint16)
    _count_owners(
        start.board, start.words, tables, start.span, start.board.copy(), start.words.copy(), moves, games,
        np.uint64(seed % 2**64), owners,
    )  # fmt: skip
    points = owners[:-1].reshape(size + 2, size + 1)[1:-1, 1:]
    return points / games
