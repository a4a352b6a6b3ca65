"""The moves of a position: which are legal, what position each leads to, and in which order to try them.

`list_moves` is enough to see whether one of them surely wins; what a search needs of the others, `score_moves` adds later.
"""

from __future__ import annotations

from kernels.numba_tools.entry_points import inlined
from kernels.numba_tools.indices import nth
from kernels.numba_tools.vectors import WIDTH, Lanes, eightfold, equal, load, store
from search.alphabeta import stack as at
from search.alphabeta.boards import Ints, adjacent
from search.alphabeta.ordering import FIRST, HOPELESS, looks
from search.alphabeta.stack import entry_of, history_of, point_of, row_of


@inlined
def list_moves(own: int, other: int, ko: int, passed: bool, left: int, space: Ints) -> int:
    """Write the legal moves into the row of a position whose groups are there; return how many there are.

    A pass that would end the game is left out: it is worth the margin on the board, and the search has already looked at that.
    """
    full, row = int(space[at.FULL]), row_of(left)
    space[nth(row + at.MINE)], space[nth(row + at.THEIRS)] = own, other
    empty = full & ~(own | other)
    legal, capturing = adjacent(empty, full) & empty, 0
    for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
        free = int(space[nth(i + 1)])
        capturing |= free & -(free & (free - 1) == 0)
    for i in range(row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]), 2):
        free = int(space[nth(i + 1)])
        legal |= free & -(free & (free - 1) != 0)
    legal = (legal | capturing) & ~ko
    number, bits = 0, row + at.MOVES + at.BIT
    while legal:
        space[nth(bits + number)] = legal & -legal
        legal &= legal - 1
        number += 1
    # The place after the last move holds no point: a pass, if there is one.
    store(space, bits + number, eightfold(0))
    number += space[at.PASSING] != 0 and not passed
    space[nth(row + at.NUMBER)], space[nth(row + at.CAPTURING)] = number, capturing
    return number


@inlined
def captures(bit: Lanes, row: int, space: Ints) -> Lanes:
    """Return the stones that each of eight placements captures."""
    taken = eightfold(0)
    if space[nth(row + at.CAPTURING)]:
        for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
            taken = taken | (equal(bit, int(space[nth(i + 1)])) & int(space[nth(i)]))
    return taken


@inlined
def score_moves(left: int, space: Ints, common: Ints) -> None:
    """Write the positions after the listed moves, and the order in which to try those that are not hopeless."""
    row = row_of(left)
    number, best = int(space[nth(row + at.NUMBER)]), int(space[nth(row + at.BEST)])
    past, later = history_of(left), history_of(left - 2)
    own, other, full = int(space[nth(row + at.MINE)]), int(space[nth(row + at.THEIRS)]), int(space[at.FULL])
    for start in range(0, number, WIDTH):
        move = row + at.MOVES + start
        bit = load(space, move + at.BIT)
        taken = captures(bit, row, space)
        alone = equal(adjacent(bit, full) & (full & ~other), 0)
        store(space, move + at.OWN, other & ~taken)
        store(space, move + at.OTHER, own | bit)
        # As `boards.ko_after`.
        store(space, move + at.KO, taken & equal(taken & (taken - 1), 0) & alone)
        score = looks(bit, taken, left, row, space) + (load(space, move + at.HOPELESS) & HOPELESS)
        store(space, row + at.ORDER + start, score)
    for k in range(number):
        point = point_of(int(space[nth(row + at.MOVES + at.BIT + k)]))
        learnt = int(common[nth(past + point)]) + (int(common[nth(later + point)]) >> 1)
        score_now = int(space[nth(row + at.ORDER + k)]) + learnt + FIRST * (point == best)
        space[nth(row + at.ORDER + k)] = entry_of(score_now, k)
