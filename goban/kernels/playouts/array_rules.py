"""Every preset's rules on array boards (`goban.kernels.playouts.arrays`): what may be placed, what follows, when it is over.

A rule set travels inside the board as a few numbers, so that one set of kernels plays them all. Superko needs the
situations that have stood; they are kept as 64-bit Zobrist hashes in an open-addressing table at the end of `hashes`. Two
different situations of one game are taken for the same with a chance of about (moves ** 2) / 2**65.

Kernels know no resigning. `ArrayGame` is the same for Python, move by move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from goban.grids import WHITE_TO_MOVE
from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.rulesets import Ending, OnRepeat, Repetition, RuleSet, Scoring

# isort: off
from goban.kernels.playouts.arrays import (
    AREA, BLACK, BOARD_HASH, CAPTURED, COLOUR, COUNT, EMPTIES, EMPTY, ENDING, KO, LAST, LIMIT, N_MOVE, NEXT, ON_REPEAT,
    PASSED, PASSING, REPETITION, SEEN, SIZE, STRIDE, TO_MOVE, WHITE, WINNER, Board, Hashes, at, colours_around, empty_board,
    hash_after, is_alive, place,
)  # fmt: skip
# isort: on

ENDINGS = (None, Ending.MOVE_LIMIT, Ending.NO_PLACEMENT, Ending.TWO_PASSES, Ending.REPETITION)
"""What the number in board[ENDING] means."""
MOVE_LIMIT, NO_PLACEMENT, TWO_PASSES, REPEATED = 1, 2, 3, 4

_REPETITIONS = (Repetition.SIMPLE_KO, Repetition.POSITIONAL, Repetition.SITUATIONAL)
_ON_REPEATS = (OnRepeat.NOTHING, OnRepeat.MOVER_LOSES, OnRepeat.TIE)
_SIMPLE_KO, _POSITIONAL, _NOTHING, _MOVER_LOSES = 0, 1, 0, 1

_WHITE_TO_MOVE = np.uint64(WHITE_TO_MOVE)
_FREE = np.uint64(0)
_MARKED = 8


def new_board(rules: RuleSet, size: int) -> Board:
    """Return the empty board of a game under these rules.

    Raises BadBoardError for a size outside 2..19, ValueError for rules that allow suicide: array boards know none.
    Whether a pass ends the game at once (PASSED) is left to the caller, who knows the position.
    """
    if rules.suicide:
        raise ValueError(f"expected rules that forbid suicide for games in arrays, got {rules.name}")
    board = empty_board(size)
    board[PASSING], board[AREA] = rules.passing, rules.scoring is Scoring.AREA
    board[REPETITION], board[ON_REPEAT] = _REPETITIONS.index(rules.repetition), _ON_REPEATS.index(rules.on_repeat)
    board[LIMIT] = rules.max_move(size) or 0
    return board


def new_hashes(rules: RuleSet, moves: int) -> Hashes:
    """Return the hashes of an empty board, with room for the history of so many moves if the rules need one.

    The table is never more than half full, so that a search in it ends soon; the caller sees to it that it stays so.
    """
    room = 1 << (2 * moves + 3).bit_length() if rules.needs_history else 0
    return np.zeros(SEEN + room, dtype=np.uint64)


@kernel
def copy_words(target: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy one array into another of the same type; `target` may be the longer one."""
    for k in range(len(source)):
        target[k] = source[k]


@kernel
def _slot(hashes: Hashes, situation: np.uint64) -> int:
    """Return the index in `hashes` where a situation stands, or the free one where it would."""
    last = len(hashes) - SEEN - 1
    slot = signed(situation & np.uint64(last))
    while hashes[SEEN + slot] != _FREE and hashes[SEEN + slot] != situation:
        slot = (slot + 1) & last
    return SEEN + slot


@kernel
def remember(hashes: Hashes, situation: np.uint64) -> None:
    """Enter a situation into the history. (The empty board with Black to move is 0, but no placement brings it back.)"""
    hashes[_slot(hashes, situation)] = situation


@kernel
def has_stood(hashes: Hashes, situation: np.uint64) -> bool:
    """Tell whether the history holds a situation."""
    return bool(hashes[_slot(hashes, situation)] != _FREE)


@kernel
def situation_of(board_hash: np.uint64, to_move: int) -> np.uint64:
    """Return the hash of a board with the player to move."""
    return board_hash ^ _WHITE_TO_MOVE if to_move == WHITE else board_hash


@kernel
def _repeats(board: Board, hashes: Hashes, keys: Hashes, p: int, own: int) -> bool:
    """Tell whether superko forbids a placement."""
    after = situation_of(hash_after(board, hashes, keys, p, own), BLACK + WHITE - own)
    if has_stood(hashes, after):
        return True
    return at(board, REPETITION) == _POSITIONAL and has_stood(hashes, after ^ _WHITE_TO_MOVE)


@inlined
def may_place(board: Board, hashes: Hashes, keys: Hashes, p: int) -> bool:
    """Tell whether the player to move may place on the empty point p, whether or not the game is over."""
    own = at(board, TO_MOVE)
    if colours_around(board, p) & EMPTY == 0:
        # The ko point has no empty neighbour.
        if at(board, REPETITION) == _SIMPLE_KO and p == at(board, KO):
            return False
        if not is_alive(board, p, own):
            return False
    return at(board, REPETITION) == _SIMPLE_KO or not _repeats(board, hashes, keys, p, own)


@inlined
def play(board: Board, hashes: Hashes, keys: Hashes, p: int) -> None:
    """Place on a point where the player to move may, and end the game if the rules say so.

    Not noticed is that a player without passing has no placement left: that takes a look at the whole board, see `can_place`.
    """
    own = at(board, TO_MOVE)
    other = BLACK + WHITE - own
    place(board, hashes, keys, p, own)
    board[TO_MOVE], board[PASSED] = other, 0
    if at(board, REPETITION) != _SIMPLE_KO or at(board, ON_REPEAT) != _NOTHING:
        now = situation_of(hashes[BOARD_HASH], other)
        repeat = at(board, ON_REPEAT)
        if repeat != _NOTHING and (has_stood(hashes, now) or has_stood(hashes, now ^ _WHITE_TO_MOVE)):
            board[ENDING] = REPEATED
            board[WINNER] = other if repeat == _MOVER_LOSES else 0
        remember(hashes, now)
    _count_move(board)


@kernel
def pass_turn(board: Board, hashes: Hashes) -> None:
    """Pass, where the rules know passing."""
    other = BLACK + WHITE - at(board, TO_MOVE)
    board[TO_MOVE], board[KO], board[LAST], board[CAPTURED] = other, 0, 0, 0
    if at(board, PASSED) != 0:
        board[ENDING] = TWO_PASSES
    board[PASSED] = 1
    if at(board, REPETITION) != _SIMPLE_KO or at(board, ON_REPEAT) != _NOTHING:
        remember(hashes, situation_of(hashes[BOARD_HASH], other))
    _count_move(board)


@kernel
def _count_move(board: Board) -> None:
    moves, limit = at(board, N_MOVE) + 1, at(board, LIMIT)
    board[N_MOVE] = moves
    if moves >= limit and limit != 0 and at(board, ENDING) == 0:
        board[ENDING] = MOVE_LIMIT


@kernel
def can_place(board: Board, hashes: Hashes, keys: Hashes) -> bool:
    """Tell whether the player to move has a legal placement."""
    for k in range(at(board, COUNT)):  # noqa: SIM110 (numba knows no generator expressions)
        if may_place(board, hashes, keys, at(board, k + EMPTIES)):
            return True
    return False


@kernel
def ending_of(board: Board, hashes: Hashes, keys: Hashes) -> int:
    """Return why the game is over as a number in ENDINGS, 0 while it is not."""
    ending = at(board, ENDING)
    if ending == 0 and at(board, PASSING) == 0 and not can_place(board, hashes, keys):
        return NO_PLACEMENT
    return ending


@kernel
def points_of(board: Board) -> tuple[int, int]:
    """Return Black's and White's points, stones or area as the rules count, komi not included."""
    black = white = 0
    for i in range(at(board, SIZE)):
        row = COLOUR + STRIDE * (i + 1) + 1
        for q in range(row, row + at(board, SIZE)):
            colour = at(board, q)
            black += colour & 1
            white += colour >> 1 & 1
    if at(board, AREA) != 0:
        count = at(board, COUNT)
        for k in range(count):
            p = at(board, k + EMPTIES)
            if at(board, p + COLOUR) == EMPTY:
                size, border = _region(board, p)
                black += size if border == BLACK else 0
                white += size if border == WHITE else 0
        for k in range(count):
            board[at(board, k + EMPTIES) + COLOUR] = EMPTY
    return black, white


@kernel
def _region(board: Board, p: int) -> tuple[int, int]:
    """Return (size, colours at the border) of the empty region around p, whose points are left marked.

    The points still to be looked at are chained by NEXT, for which an empty point has no other use.
    """
    size = border = last = 0
    board[p + COLOUR] = EMPTY | _MARKED
    board[p + NEXT] = last
    last = p
    while last != 0:
        point = last
        last = at(board, point + NEXT)
        board[point + NEXT] = point
        size += 1
        for step in (-STRIDE, -1, 1, STRIDE):
            q = point + step
            colour = at(board, q + COLOUR)
            if colour == EMPTY:
                board[q + COLOUR] = EMPTY | _MARKED
                board[q + NEXT] = last
                last = q
            else:
                border |= colour & (BLACK | WHITE)
    return size, border
