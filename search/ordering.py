"""Which move to try first. Nothing here can change an answer, only how long it takes.

History, per number of moves left and per point: how often a placement there answered yes, less how often it was tried in
vain before another did. It does most of the work: without the second half the search visits about twice as many
positions, without both ten times as many. Far from the end the shape of the stones is added.
"""

from __future__ import annotations

from kernels.entries import kernel
from search.smallboards import Ints, adjacent, count, group

_HISTORY_SHIFT = 16


@kernel
def shape(mover: int, other: int, full: int) -> int:
    """Return how good a position looks for the player who has just moved; the weights were found by trying."""
    empty = full & ~(mover | other)
    score = 50 * (count(adjacent(mover, full) & empty) - count(adjacent(other, full) & empty))
    while mover:
        members = group(mover & -mover, mover, full)
        mover ^= members
        free = adjacent(members, full) & empty
        score -= 200 if free & (free - 1) else 300 + 100 * count(members)
    while other:
        members = group(other & -other, other, full)
        other ^= members
        free = adjacent(members, full) & empty
        if free & (free - 1) == 0:
            score += 50 + 50 * count(members)
    return score


@kernel
def learn(space: Ints, place: int, weight: int) -> None:
    """Move a history value towards the sign of `weight`, the less the further it is there already."""
    value = int(space[place])
    space[place] = value + weight - ((value * abs(weight)) >> _HISTORY_SHIFT)
