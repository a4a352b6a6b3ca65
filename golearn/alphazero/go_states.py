"""Rows of Go positions on array boards (`goban.kernels.playouts.arrays`): what `golearn.alphazero.go_games` says, compiled."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of
from goban.kernels.numba_tools.compile import entry
from goban.kernels.playouts.array_games import ArrayGame
from goban.kernels.playouts.array_rules import REPEATED, copy_words, ending_of, may_place, pass_turn, play, points_of
from goban.rulesets import RuleSet
from goban.states import State, new_game
from golearn.alphazero.games import Actions, Facts, Observations, Rows, States

# isort: off
from goban.kernels.playouts.arrays import (
    BLACK, COLOUR, COUNT, EMPTIES, ENDING, KO, LAST, LIMIT, N_MOVE, PASSED, PASSING, SIZE, STRIDE, TO_MOVE, WHITE, WINNER,
    at, key_table, pair_of, point_of,
)  # fmt: skip
# isort: on

Boards: TypeAlias = npt.NDArray[np.uint16]
Hashes: TypeAlias = npt.NDArray[np.uint64]

_ROWS = "uint16[:, ::1], uint64[:, ::1], uint64[::1]"


@entry(f"void({_ROWS}, int64[::1], int64[::1], int64[::1])")
def play_rows(boards: Boards, hashes: Hashes, keys: Hashes, parents: Rows, actions: Actions, rows: Rows) -> None:
    """Copy each parent into its row and make the move there; `board[ENDING]` then holds every ending."""
    for k in range(len(rows)):
        board, own = boards[rows[k]], hashes[rows[k]]
        if parents[k] != rows[k]:
            copy_words(board, boards[parents[k]])
            copy_words(own, hashes[parents[k]])
        size = at(board, SIZE)
        if actions[k] == size * size:
            pass_turn(board, own)
        else:
            play(board, own, keys, STRIDE * (actions[k] // size + 1) + actions[k] % size + 1)
        board[ENDING] = ending_of(board, own, keys)


@entry(f"void({_ROWS}, float64, int64[::1], boolean[:, ::1], int8[::1], boolean[::1], int8[::1])")
def find_facts(
    boards: Boards,
    hashes: Hashes,
    keys: Hashes,
    komi: float,
    rows: Rows,
    legal: npt.NDArray[np.bool_],
    players: npt.NDArray[np.int8],
    over: npt.NDArray[np.bool_],
    results: npt.NDArray[np.int8],
) -> None:
    """Write the facts about rows into arrays of zeros."""
    for k in range(len(rows)):
        board, own = boards[rows[k]], hashes[rows[k]]
        size, ending = at(board, SIZE), at(board, ENDING)
        players[k] = 1 if at(board, TO_MOVE) == BLACK else -1
        if ending == 0:
            for n in range(at(board, COUNT)):
                p = at(board, n + EMPTIES)
                legal[k, size * (p // STRIDE - 1) + p % STRIDE - 1] = may_place(board, own, keys, p)
            legal[k, size * size] = at(board, PASSING) != 0
            continue
        over[k] = True
        if ending == REPEATED:
            winner = at(board, WINNER)
            results[k] = 1 if winner == BLACK else -1 if winner == WHITE else 0
        else:
            black, white = points_of(board)
            margin = black - white - komi
            results[k] = 1 if margin > 0 else -1 if margin < 0 else 0


@entry("void(uint16[:, ::1], int64[::1], float32[:, :, :, ::1])")
def draw_planes(boards: Boards, rows: Rows, planes: Observations) -> None:
    """Write `golearn.alphazero.go_games.PLANES` of rows into an array of zeros."""
    for k in range(len(rows)):
        board = boards[rows[k]]
        size, to_move = at(board, SIZE), at(board, TO_MOVE)
        left = np.float32((at(board, LIMIT) - at(board, N_MOVE)) / at(board, LIMIT))
        for i in range(size):
            for j in range(size):
                p = STRIDE * (i + 1) + j + 1
                colour = at(board, p + COLOUR)
                planes[k, 0, i, j] = colour == to_move
                planes[k, 1, i, j] = colour == BLACK + WHITE - to_move
                planes[k, 2, i, j] = p == at(board, KO)
                planes[k, 3, i, j] = p == at(board, LAST)
                planes[k, 4, i, j] = at(board, PASSED)
                planes[k, 5, i, j] = to_move == BLACK
                planes[k, 6, i, j] = left
                planes[k, 7, i, j] = 1


class GoStates:
    """See `golearn.alphazero.games.States`; the rules must have a move limit."""

    def __init__(self, rules: RuleSet, size: int, num_planes: int, count: int) -> None:
        limit = rules.max_move(size)
        if limit is None:
            raise ValueError(f"expected rules with a move limit, got {rules.name}")
        self.rules, self.num_planes = rules, num_planes
        self.size, self.komi, self.limit = size, rules.komi(size), limit
        self.keys = key_table(size)
        start = self._take_over(new_game(rules, size))
        self.boards = np.zeros((count, len(start.board)), dtype=np.uint16)
        self.hashes = np.zeros((count, len(start.hashes)), dtype=np.uint64)

    def _take_over(self, state: State) -> ArrayGame:
        return ArrayGame(state, moves=max(0, self.limit - state.n_move))

    def put(self, row: int, state: Any) -> None:  # noqa: ANN401
        game = self._take_over(state)
        self.boards[row], self.hashes[row] = game.board, game.hashes

    def state(self, row: int) -> State:
        """Return a row as a state. Of the past only the last placement and a ko are known, no earlier board."""
        board, grid = self.boards[row], grid_of(self.size)
        stones = [[int(board[COLOUR + point_of(i, j)]) & (BLACK | WHITE) for j in range(self.size)] for i in range(self.size)]
        empty, *before = grid.masks(stones)
        black, white = before
        mover, last, ko = int(board[TO_MOVE]), int(board[LAST]), int(board[KO])
        captured = grid.bit[pair_of(ko)] if ko else 0
        if last:
            before[BLACK + WHITE - mover - 1] ^= grid.bit[pair_of(last)]
            before[mover - 1] |= captured
        n_move = int(board[N_MOVE])
        return State(
            self.rules, grid, black, white, empty, mover, n_move, (before[0], before[1]), captured,
            pair_of(last) if last else None, passed=n_move > 0 and bool(board[PASSED]),
        )  # fmt: skip

    def copy(self, source: States, sources: Rows, rows: Rows) -> None:
        if not isinstance(source, GoStates):
            raise TypeError(f"expected GoStates to copy from, got {type(source).__name__}")
        self.boards[rows], self.hashes[rows] = source.boards[sources], source.hashes[sources]

    def play(self, parents: Rows, actions: Actions, rows: Rows) -> None:
        play_rows(self.boards, self.hashes, self.keys, parents, actions, rows)

    def facts(self, rows: Rows) -> Facts:
        count = len(rows)
        legal = np.zeros((count, self.size * self.size + 1), dtype=np.bool_)
        players, over, results = np.zeros(count, np.int8), np.zeros(count, np.bool_), np.zeros(count, np.int8)
        find_facts(self.boards, self.hashes, self.keys, self.komi, rows, legal, players, over, results)
        return Facts(legal, players, over, results)

    def encode(self, rows: Rows) -> Observations:
        planes = np.zeros((len(rows), self.num_planes, self.size, self.size), dtype=np.float32)
        draw_planes(self.boards, rows, planes)
        return planes
