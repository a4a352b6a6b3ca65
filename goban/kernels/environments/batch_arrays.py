"""The arrays a batch of games is made of, as the kernels take them: three tuples.

    games   what goes on in each game, a row or an entry per game
    shown   what is shown of each: observation, legal actions, rewards, whether it is over
    table   what is the same for all: the rules, an empty board, and where things are
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of
from goban.kernels.environments.batch_boards import PASSED, Keys, Spots, key_table, new_board, past_words, point_of
from goban.kernels.environments.legal_actions import MARGIN, Points, action_words, side_masks
from goban.kernels.environments.observations import bits_in_word, plane_masks, planes_of, view_spot, view_words
from goban.kernels.numba_tools.spreading import Bytes, Words
from goban.kernels.playouts.arrays import Board
from goban.rulesets import RuleSet
from goban.states import new_game

Facts = npt.NDArray[np.int32]
Log = npt.NDArray[np.int16]
Rewards = npt.NDArray[np.float32]

PLAYER, TURN, STEPS, WON, ENDED, ORDER = range(6)
"""Rows of `facts`: the player to move (0 or 1), the colour to move (0 Black, 1 White), steps taken, who has won (0 nobody, 1
Black, 2 White), why the game is over (0: it is not), and which player has Black."""

Games: TypeAlias = tuple[
    npt.NDArray[np.uint16], npt.NDArray[np.uint64], Words, Words, Words, Words, Words, Log, Facts
]  # fmt: skip
Shown: TypeAlias = tuple[Bytes, Bytes, Rewards, Bytes]
Table: TypeAlias = tuple[Board, Keys, Words, Words, Points, Spots, Spots, int, np.float32, int]

GAMES = (
    "Tuple((uint16[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], "
    "uint64[::1], int16[:, ::1], int32[:, ::1]))"
)
SHOWN = "Tuple((uint8[:, ::1], uint8[:, ::1], float32[:, ::1], uint8[::1]))"
TABLE = (
    "Tuple((uint16[::1], uint64[:, ::1], uint64[::1], uint64[:, ::1], uint16[::1], uint16[::1], uint16[::1], int64, float32, "
    "int64))"
)


class GameArrays(NamedTuple):
    """What goes on in each game: boards and pasts as in `goban.kernels.environments.batch_boards`, and what goes with them."""

    boards: npt.NDArray[np.uint16]
    pasts: Words
    views: Words
    """What the player to move sees; see `goban.kernels.environments.observations`."""
    finals: Words
    """The last view of the game before, where a game begins in the step that ends the one before."""
    empties: Words
    legal: Words
    streams: Words
    """Where each row's random numbers have got to; they say which player has Black."""
    log: Log
    """The actions of the game so far."""
    facts: Facts

    def plain(self) -> Games:
        """Return them as kernels take them."""
        return (
            self.boards, self.pasts, self.views, self.finals, self.empties, self.legal, self.streams, self.log, self.facts,
        )  # fmt: skip


def table_of(rules: RuleSet, size: int, history: int) -> Table:
    """Return what is the same for all games. The rules must have a move limit; BadBoardError for a size outside 2..19."""
    board = new_board(rules, size)
    board[PASSED] = new_game(rules, size).pass_ends
    points = np.array([point_of(size, *pair) for pair in grid_of(size).points])
    cells, spots = np.zeros((2, len(board) >> 2), dtype=np.uint16)
    cells[points >> 2] = MARGIN + np.arange(size * size)
    spots[points >> 2] = [view_spot(k, history) for k in range(size * size)]
    sides = side_masks(size, rules.passing)
    komi = np.float32(rules.komi(size))
    return (
        board, key_table(size), plane_masks(history), sides, np.array([*points, 0], dtype=np.uint16), cells, spots,
        bits_in_word(history), komi, rules.tie_winner,
    )  # fmt: skip


def new_games(rules: RuleSet, size: int, history: int, number: int, streams: Words) -> GameArrays:
    """Return arrays for so many games, none of which has begun."""
    words = action_words(size)
    return GameArrays(
        np.zeros((number, len(new_board(rules, size))), dtype=np.uint16),
        np.zeros((number, past_words(rules, size)), dtype=np.uint64),
        np.zeros((number, view_words(size, history)), dtype=np.uint64),
        np.zeros((number, view_words(size, history)), dtype=np.uint64),
        np.zeros((number, words), dtype=np.uint64),
        np.zeros((number, words), dtype=np.uint64),
        streams,
        np.zeros((number, rules.max_move(size) or 0), dtype=np.int16),
        np.zeros((6, number), dtype=np.int32),
    )


def new_shown(size: int, history: int, number: int) -> Shown:
    """Return arrays to show so many games in: observations, legal actions, rewards and whether they are over."""
    return (
        np.zeros((number, size * size * planes_of(history)), dtype=np.uint8),
        np.zeros((number, size * size + 1), dtype=np.uint8),
        np.zeros((number, 2), dtype=np.float32),
        np.zeros(number, dtype=np.uint8),
    )
