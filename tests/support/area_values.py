"""Values of tiny boards under `area` rules and positional superko, by playing every game there is.

A board that stood before may not come again, so what a position is worth depends on the whole game that led to it: nothing is
remembered of one game for another. Games are only left out where alpha-beta shows that they decide nothing.
"""

from __future__ import annotations

import numba
import numpy as np

from goban.kernels.numba_tools.compile import njit
from tests.support.area_retrograde import AllValues, beside, placed, score, stones


# Kept on the disk, a kernel that calls itself crashes when another process loads it.
@numba.njit
def reaches(p, o, turn, passed, wanted, suicide, board, hints, before):
    """Tell whether the side with stones `p`, which moves if `turn` is 0, gets the margin wanted.

    hints: how good each board looks for who made it, to try first what looks best. before: which boards stood in this game.
    """
    enough = score(p, o, board) >= wanted
    # A pass first: so few games have to be played to the end.
    if passed and enough == (turn == 0):
        return enough
    if not passed and reaches(p, o, 1 - turn, True, wanted, suicide, board, hints, before) == (turn == 0):
        return turn == 0
    todo = board[1] & ~(p | o)
    while todo:
        chosen, best, next_p, next_o = 0, -(1 << 30), p, o
        rest = todo
        while rest:
            bit = rest & -rest
            rest ^= bit
            mine, theirs, _ = placed(p, o, bit, suicide, board) if turn == 0 else placed(o, p, bit, suicide, board)
            new_p, new_o = (mine, theirs) if turn == 0 else (theirs, mine)
            if mine < 0 or before[new_p, new_o]:
                todo ^= bit
            elif hints[turn, new_p, new_o] > best:
                chosen, best, next_p, next_o = bit, hints[turn, new_p, new_o], new_p, new_o
        if chosen:
            todo ^= chosen
            before[next_p, next_o] = True
            answer = reaches(next_p, next_o, 1 - turn, False, wanted, suicide, board, hints, before)
            before[next_p, next_o] = False
            if answer == (turn == 0):
                return answer
    return turn == 1


@njit
def look(p, o, board):
    """How good a board looks: area, stones and liberties."""
    empty = board[1] & ~(p | o)
    liberties = stones(beside(p, *board) & empty) - stones(beside(o, *board) & empty)
    return 10 * score(p, o, board) + 8 * (stones(p) - stones(o)) + 3 * liberties


def black_reaches(table: AllValues, wanted: int, suicide: bool, black: int = 0, white: int = 0, turn: int = 0) -> bool:
    """Tell whether Black gets a margin from a board that begins the game; the table only says what to try first."""
    full = table.board[1]
    hints, before = np.zeros((2, full + 1, full + 1), dtype=np.int64), np.zeros((full + 1, full + 1), dtype=np.bool_)
    for key in table.keys[table.keys < 1 << 40]:
        p, o = int(key >> 20), int(key & 0xFFFFF)
        looks = look(p, o, table.board)
        if table.opponent_moves(p, o) >= wanted:
            looks = 1000 - int(table.settled[table.number(p, o)])
        for turned in table.turns:
            hints[:, turned[p], turned[o]] = looks, -looks
    before[black, white] = True
    return bool(reaches(black, white, turn, False, wanted, suicide, table.board, hints, before))
