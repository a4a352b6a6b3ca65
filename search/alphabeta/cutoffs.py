"""What can be said of a position's successors without searching them: by the table, and by the bounds.

If the opponent fails in a successor, its move wins and becomes the one tried last. If they surely do not fail, the move is
hopeless.
"""

from __future__ import annotations

from kernels.numba_tools.entry_points import inlined, kernel
from kernels.numba_tools.indices import nth
from kernels.numba_tools.vectors import WIDTH
from search.alphabeta import stack as at
from search.alphabeta.boards import Ints, canonical, index
from search.alphabeta.bounds import judge_moves
from search.alphabeta.moves import HOPELESS
from search.alphabeta.stack import entry_of, place_of, row_of, score_of, try_only
from search.alphabeta.transpositions import fetch, look_up, lower_bound, position_key, upper_bound


@inlined
def is_hopeless(entry: int) -> bool:
    """Tell whether the move of an entry in a row's order need not be tried."""
    return score_of(entry) < HOPELESS // 2


@inlined
def wins_at_sight(left: int, space: Ints) -> bool:
    """Tell whether the bounds show a successor to be won; if not, it is written which of the listed moves are hopeless."""
    row = row_of(left)
    for start in range(0, int(space[nth(row + at.NUMBER)]), WIDTH):
        winning = judge_moves(start, left, space)
        if winning:
            try_only(space, row, start + index(winning & -winning))
            return True
    return False


@kernel
def known_to_win(left: int, space: Ints, table: Ints) -> bool:
    """Tell whether the table knows a successor to be won."""
    row = row_of(left)
    wanted, bits, symmetric = int(space[nth(row + at.WANTED)]), int(space[at.BITS]), left > space[at.SYMMETRIC]
    number = int(space[nth(row + at.NUMBER)])
    # Asking for all the places first lets the processor wait for memory once, not once for every successor.
    for k in range(number):
        if is_hopeless(int(space[nth(row + at.ORDER + k)])):
            continue
        move = place_of(row, k)
        own, other, ko = int(space[nth(move + at.OWN)]), int(space[nth(move + at.OTHER)]), int(space[nth(move + at.KO)])
        if symmetric:
            own, other, ko = canonical(own, other, ko, int(space[at.SIZE]))
        key = position_key(own, other, ko, space[nth(move + at.BIT)] == 0, left - 1)
        space[nth(move + at.AFTER)] = key
        fetch(table, bits, key)
    for k in range(number):
        if is_hopeless(int(space[nth(row + at.ORDER + k)])):
            continue
        move = place_of(row, k)
        entry = look_up(table, bits, int(space[nth(move + at.AFTER)]))
        if entry:
            if upper_bound(entry) <= -wanted:
                try_only(space, row, k)
                return True
            if lower_bound(entry) > -wanted:
                space[nth(row + at.ORDER + k)] = entry_of(HOPELESS, k)
    return False
