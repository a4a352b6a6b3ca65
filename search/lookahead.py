"""What can be said of a position's successors without searching them: by the table, and by the bounds.

A successor in which the opponent fails wins: its move becomes the one tried last. Where he surely does not, the move is
dropped.
"""

from __future__ import annotations

from kernels.entries import kernel
from kernels.indices import nth
from search import spaces as at
from search.bounds import surely_misses, surely_reaches
from search.groups import joined, opposing
from search.smallboards import Ints, canonical, count
from search.spaces import bring_forward, entry_of, place_of, row_of, score_of
from search.transpositions import fetch, look_up, lower_bound, position_key, upper_bound

DROPPED = -(1 << 40)
"""The score of a move that need not be tried."""


@kernel
def wins_at_sight(left: int, space: Ints) -> bool:
    """Tell whether the bounds show a successor to be won."""
    row = row_of(left)
    wanted, passing = 1 - int(space[nth(row + at.WANTED)]), space[at.PASSING] != 0
    for k in range(int(space[nth(row + at.NUMBER)])):
        move = place_of(row, k)
        margin = count(int(space[nth(move + at.OWN)])) - count(int(space[nth(move + at.OTHER)]))
        ahead = margin + ((left - 1) & 1) >= wanted
        start, end = _groups_that_matter(ahead, move, row, space)
        if ahead:
            if surely_reaches(margin, wanted, left - 1, space, start, end, passing):
                space[nth(row + at.ORDER + k)] = entry_of(DROPPED, k)
        elif surely_misses(margin, wanted, left - 1, space, start, end, passing):
            bring_forward(space, row, k)
            space[nth(row + at.TRIED)] = 1
            return True
    return False


@kernel
def _groups_that_matter(next_players: bool, move: int, row: int, space: Ints) -> tuple[int, int]:
    """Return where the groups of the next player, or of the one who moves, are listed as they are after a move."""
    point = int(space[nth(move + at.MOVE)])
    theirs, others = row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)])
    if point == at.PASS_MOVE:
        return (theirs, others) if next_players else (row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]))
    if next_players:
        return at.SCRATCH, opposing(1 << point, space, theirs, others, at.SCRATCH)
    return at.SCRATCH, mover_groups_after(move, row, space, at.SCRATCH)


@kernel
def mover_groups_after(move: int, row: int, space: Ints, to: int) -> int:
    """Write the groups, after a placement in a row's position, of the player who makes it; return the end of the list."""
    full, bit = int(space[at.FULL]), 1 << int(space[nth(move + at.MOVE)])
    mine, theirs = int(space[nth(row + at.MINE)]), int(space[nth(row + at.THEIRS)])
    taken = theirs & ~int(space[nth(move + at.OWN)])
    return joined(bit, taken, full & ~(mine | theirs), full, space, row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]), to)


@kernel
def known_to_win(left: int, space: Ints, table: Ints) -> bool:
    """Tell whether the table knows a successor to be won."""
    row = row_of(left)
    wanted, bits, symmetric = int(space[nth(row + at.WANTED)]), int(space[at.BITS]), left > space[at.SYMMETRIC]
    number = int(space[nth(row + at.NUMBER)])
    # Asking for all the places first lets the processor wait for memory once, not once for every successor.
    for k in range(number):
        if score_of(int(space[nth(row + at.ORDER + k)])) == DROPPED:
            continue
        move = place_of(row, k)
        own, other, ko = int(space[nth(move + at.OWN)]), int(space[nth(move + at.OTHER)]), int(space[nth(move + at.KO)])
        if symmetric:
            own, other, ko = canonical(own, other, ko, int(space[at.SIZE]))
        key = position_key(own, other, ko, space[nth(move + at.MOVE)] == at.PASS_MOVE, left - 1)
        space[nth(move + at.AFTER)] = key
        fetch(table, bits, key)
    for k in range(number):
        if score_of(int(space[nth(row + at.ORDER + k)])) == DROPPED:
            continue
        move = place_of(row, k)
        entry = look_up(table, bits, int(space[nth(move + at.AFTER)]))
        if entry:
            if upper_bound(entry) <= -wanted:
                bring_forward(space, row, k)
                space[nth(row + at.TRIED)] = 1
                return True
            if lower_bound(entry) > -wanted:
                space[nth(row + at.ORDER + k)] = entry_of(DROPPED, k)
    return False
