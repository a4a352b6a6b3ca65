"""Values of all 4x4 positions at once, computed backwards from the end: no search order, no pruning, no symmetry.

Written from the rules, without any code of the packages under test. A board is two masks of 16 bits: own stones (of the
player to move) and other stones. Its number has 16 base-3 digits: 1 for own, 2 for other. `tables[left]` has the margin
of every board (own less other stones at the end) with `left` moves left, if nothing is banned and a pass would not end the
game. Positions with a ban, or after a pass, are computed from their successors on demand.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

POINTS, FULL = 16, 0xFFFF
BOARDS = 3**POINTS
NO_VALUE = -99
_NOT_FIRST, _NOT_LAST = 0xEEEE, 0x7777


@numba.njit
def beside(mask):
    """The points next to the points of a mask."""
    return (mask << 4 | mask >> 4 | (mask & _NOT_LAST) << 1 | (mask & _NOT_FIRST) >> 1) & FULL


@numba.njit
def living(stones, empty):
    """The stones whose group touches an empty point."""
    found = beside(empty) & stones
    while True:
        more = (found | beside(found)) & stones
        if more == found:
            return found
        found = more


@numba.njit
def placed(own, other, bit):
    """(own stones, other stones, whether the placement is not suicide), after a placement."""
    own |= bit
    other = living(other, FULL & ~(own | other))
    return own, other, living(own, FULL & ~(own | other)) == own


@numba.njit
def number(own, other, powers):
    """The number of a board."""
    return powers[own] + 2 * powers[other]


@numba.njit
def stones(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@numba.njit
def value(own, other, banned, passed, left, passing, tables, powers):
    """The final margin for the player to move. banned: the point they may not play on, 0 if none."""
    margin = stones(own) - stones(other)
    if left == 0:
        return margin
    best = NO_VALUE
    empty = FULL & ~(own | other)
    for point in range(POINTS):
        bit = 1 << point
        if not empty & bit or bit == banned:
            continue
        mine, theirs, legal = placed(own, other, bit)
        if not legal:
            continue
        ban = 0
        taken = other & ~theirs
        if stones(taken) == 1:
            # Would recapturing bring back this board?
            back, left_over, may = placed(theirs, mine, taken)
            if may and back == other and left_over == own:
                ban = taken
        if ban:
            after = value(theirs, mine, ban, False, left - 1, passing, tables, powers)
        else:
            after = int(tables[left - 1, number(theirs, mine, powers)])
        best = max(best, -after)
    if passing:
        worth = margin if passed else -value(other, own, 0, True, left - 1, passing, tables, powers)
        best = max(best, worth)
    return margin if best == NO_VALUE else best


@numba.njit(nogil=True)
def fill(first, left, passing, tables, powers):
    """Compute `tables[left]` from the tables before it, for every second mask of own stones."""
    for own in range(first, 1 << POINTS, 2):
        rest = FULL & ~own
        other = rest
        # All subsets of the points without own stones.
        while True:
            empty = FULL & ~(own | other)
            if living(own, empty) == own and living(other, empty) == other:
                worth = value(own, other, 0, False, left, passing, tables, powers)
                tables[left, number(own, other, powers)] = worth
            if other == 0:
                break
            other = (other - 1) & rest


def all_values(passing: bool) -> tuple[np.ndarray, np.ndarray]:
    """The tables for 0 to 15 moves left, and what each mask of points adds to a board's number."""
    powers = np.array([sum(3**k for k in range(POINTS) if mask >> k & 1) for mask in range(1 << POINTS)])
    tables = np.full((POINTS, BOARDS), NO_VALUE, dtype=np.int8)
    fill(FULL + 1, 0, passing, tables, powers)  # compiles
    with ThreadPoolExecutor(2) as pool:
        for left in range(POINTS):
            list(pool.map(lambda first, left=left: fill(first, left, passing, tables, powers), (0, 1)))
    return tables, powers
