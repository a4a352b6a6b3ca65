"""Random games from any state, one or a million, on one thread or several.

    games = play_games(new_game(ruleset("course")), 100_000, seed=7, threads=2)
    games.winners, games.moves, games.first_moves

The same seed gives the same games whatever the number of threads; the first k of n games are the same as k games alone.
`course` and `littlego` run on bitboards up to 8x8, everything else on array boards. Which of the two is used shows in the
games that come out, not in their odds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goban.kernels.bitboards import MAX_SIZE, Masks, board_shape
from goban.kernels.playouts.array_games import ArrayGame
from goban.kernels.playouts.array_playouts import play_arrays
from goban.kernels.playouts.array_rules import ENDINGS
from goban.kernels.playouts.bitboard_playouts import play_bitboards
from goban.kernels.playouts.policies import Policy
from goban.rulesets import Ending, OnRepeat, Repetition, Scoring
from goban.states import State

__all__ = ["Playouts", "Policy", "play_games"]

_REPEATED = ENDINGS.index(Ending.REPETITION)


@dataclass(frozen=True)
class Playouts:
    """Random games, one per entry of each array."""

    moves: npt.NDArray[np.int16]
    """How many moves were played, passes counted, from the start handed in."""
    first_moves: npt.NDArray[np.int16]
    """The first of them: size * i + j, size * size for a pass, -1 if the start was an end."""
    endings: npt.NDArray[np.int16]
    """Why each game ended, as a number in `goban.kernels.playouts.array_rules.ENDINGS`; 0 if `most` moves were not enough."""
    points: npt.NDArray[np.int16]
    """(Black's, White's) points on the last board, komi not included; shape (games, 2)."""
    winners: npt.NDArray[np.int8]
    """1, 2 or 0 for a tie; by points for a game that was left unfinished."""


def play_games(
    state: State,
    games: int,
    seed: int,
    policy: Policy = Policy.PLACEMENTS,
    threads: int = 1,
    most: int | None = None,
    arrays: bool = False,
) -> Playouts:
    """Play random games from a state.

    seed: any integer, of which 64 bits count. most: moves after which a game is left as it is, at most 32,767; without it,
    4 * size * size, which few games reach under rules without a move limit. arrays: array boards even where bitboards
    would do. Raises ValueError if a player has resigned, or for more moves than that.
    """
    if state.ending not in ENDINGS:
        raise ValueError(f"expected a game that nobody has resigned, got {state!r}")
    size, word = state.grid.size, np.uint64(seed % 2**64)
    most = 4 * size * size if most is None else most
    if most > np.iinfo(np.int16).max:
        raise ValueError(f"expected at most {np.iinfo(np.int16).max} moves a game, got {most}")
    table = np.zeros((games, 5), dtype=np.int16)
    if not arrays and fits_bitboards(state):
        play_bitboards.prepare()
        work = _on_bitboards(state, most, policy, word, table)
    else:
        play_arrays.prepare()
        work = _on_arrays(state, most, policy, word, table)
    share = -(-games // max(1, threads))
    spans = [(first, min(games, first + share)) for first in range(0, games, share or 1)]
    if len(spans) == 1:
        work(*spans[0])
    elif spans:
        with ThreadPoolExecutor(len(spans)) as pool:
            for done in [pool.submit(work, *span) for span in spans]:
                done.result()
    return _collected(state, table)


def fits_bitboards(state: State) -> bool:
    """Tell whether `goban.kernels.bitboards` knows the rules and the size of a state."""
    rules = state.rules
    plain = rules.repetition is Repetition.SIMPLE_KO and rules.on_repeat is OnRepeat.NOTHING
    return plain and rules.scoring is Scoring.STONES and state.grid.size <= MAX_SIZE


def bitboard_of(state: State) -> Masks:
    """Return (own, other, ko, last) of a state, seen from the player to move; see `goban.kernels.bitboards`."""
    grid = state.grid

    def mask(stones: int) -> int:
        return sum(1 << grid.size * i + j for i, j in grid.points_of(stones))

    own, other = state.colours()
    ko = mask(state.captured) if state.captured.bit_count() == 1 else 0
    last = 0 if state.last_point is None else mask(grid.bit[state.last_point])
    return np.array([mask(own), mask(other), ko, last], dtype=np.uint64)


def _on_bitboards(
    state: State, most: int, policy: Policy, seed: np.uint64, table: npt.NDArray[np.int16]
) -> Callable[[int, int], None]:
    rules, size = state.rules, state.grid.size
    limit = rules.max_move(size)
    left = 2**31 if limit is None else limit - state.n_move
    start, shape = bitboard_of(state), board_shape(size)
    if state.ending is not None:
        most = 0

    def work(first: int, end: int) -> None:
        play_bitboards(
            start, state.to_move, rules.passing, state.pass_ends, left, most, int(policy), seed, first, shape,
            table[first:end],
        )  # fmt: skip
        if state.ending is not None:
            table[first:end, 2] = ENDINGS.index(state.ending)

    return work


def _on_arrays(
    state: State, most: int, policy: Policy, seed: np.uint64, table: npt.NDArray[np.int16]
) -> Callable[[int, int], None]:
    limit = state.rules.max_move(state.grid.size)
    room = most if limit is None else min(most, max(0, limit - state.n_move))
    start = ArrayGame(state, moves=room)

    def work(first: int, end: int) -> None:
        play_arrays(
            start.board, start.hashes, start.keys, most, int(policy), seed, first, start.board.copy(), start.hashes.copy(),
            table[first:end],
        )  # fmt: skip

    return work


def _collected(state: State, table: npt.NDArray[np.int16]) -> Playouts:
    margins = table[:, 3] - table[:, 4] - state.rules.komi(state.grid.size)
    winners = np.where(margins > 0, 1, np.where(margins < 0, 2, state.rules.tie_winner))
    repeated = table[:, 2] == _REPEATED
    if repeated.any():
        # Who repeated a board has lost, or nobody has: every game that so ended ended with a move of its own.
        lost = state.rules.on_repeat is OnRepeat.MOVER_LOSES
        to_move = np.where(table[:, 0] % 2 == 0, state.to_move, 3 - state.to_move)
        winners = np.where(repeated, to_move if lost else 0, winners)
    moves, firsts, endings = (np.ascontiguousarray(table[:, k]) for k in range(3))
    return Playouts(moves, firsts, endings, np.ascontiguousarray(table[:, 3:]), winners.astype(np.int8))
