"""Which move to try first. Nothing here can change an answer, only how long it takes.

History, per number of moves left and per point: how often a placement there answered yes, less how often it was tried in
vain before another did. It does most of the work: without the second half the search visits about twice as many
positions, without both ten times as many. Added to it is half of what the same player has learnt with two moves fewer left:
far from the end there is little experience. And how the stones look after the move: far from the end above all how
connected they are, near it what is captured and what can be captured next.
"""

from __future__ import annotations

from kernels.numba_tools.bits import count
from kernels.numba_tools.entry_points import inlined, kernel
from kernels.numba_tools.indices import nth
from kernels.numba_tools.vectors import Lanes, counts, eightfold, equal
from search.alphabeta import stack as at
from search.alphabeta.boards import Ints, adjacent

HOPELESS = -(1 << 24)
"""What is added to the score of a move that surely fails, and need not be tried; half of it tells such moves."""
DEFERRED = 1 << 22
"""What is taken off the score of a move that another thread is searching now."""
FIRST = 1 << 22
"""What is added to the score of the move that the table remembers; history gives up to 98,304, the looks a million."""

GROUP, ATARI, STONE_IN_ATARI = 200, 100, 100
"""What speaks, far from the end, against each group of the player who moved, and more against one in atari."""
THREAT, STONE_THREATENED, LIBERTY = 50, 50, 50
"""What speaks for each of the opponent's groups in atari, each stone in it, and each liberty more than the opponent has."""

_HISTORY_SHIFT = 16
_NEAR = 8
"""With fewer moves left, the end is near."""
_PASS = 2_000
"""What speaks against a pass far from the end."""


@inlined
def looks(bit: Lanes, taken: Lanes, left: int, row: int, space: Ints) -> Lanes:
    """Return how good the positions after eight placements look for the player who makes them; `taken`: what each captures.

    The weights were found by trying.
    """
    far = left >= _NEAR
    group, atari, stone_in_atari = (GROUP, ATARI, STONE_IN_ATARI) if far else (0, 0, 20_000)
    threat, stone_threatened, captured = (THREAT, STONE_THREATENED, 40) if far else (0, 6_000, 20_000)
    full, capturing = int(space[at.FULL]), space[nth(row + at.CAPTURING)] != 0
    empty = full & ~(int(space[nth(row + at.MINE)]) | int(space[nth(row + at.THEIRS)]))
    placed = ~equal(bit, 0)
    score = counts(taken) * captured if capturing else eightfold(0)
    # The group of the new stone, all the player's liberties, and the opponent's.
    size, free = placed & 1, adjacent(bit, full) & (taken | empty)
    mine = theirs = eightfold(0)
    for i in range(row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        apart = equal(bit & liberties, 0)
        freed = (taken & adjacent(stones, full)) | liberties
        size, free = size + (~apart & count(stones)), free | (freed & ~apart)
        mine = mine | freed
        score = score - (apart & (group + (equal(freed & (freed - 1), 0) & (atari + stone_in_atari * count(stones)))))
    free = free & ~bit
    score = score - (placed & (group + (equal(free & (free - 1), 0) & (size * stone_in_atari + atari))))
    for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        kept = liberties & ~bit
        theirs = theirs | kept
        score = score + (equal(kept & (kept - 1), 0) & ~equal(kept, 0) & (threat + stone_threatened * count(stones)))
    if far:
        score = score + LIBERTY * (counts((mine | free) & ~bit) - counts(theirs)) - (~placed & _PASS)
    return score


@kernel
def learn(common: Ints, place: int, weight: int) -> None:
    """Move a history value towards the sign of `weight`, the less the further it is there already."""
    value = int(common[nth(place)])
    common[nth(place)] = value + weight - ((value * abs(weight)) >> _HISTORY_SHIFT)
