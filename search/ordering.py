"""Which move to try first. Nothing here can change an answer, only how long it takes.

History, per number of moves left and per point: how often a placement there answered yes, less how often it was tried in
vain before another did. It does most of the work: without the second half the search visits about twice as many
positions, without both ten times as many. Far from the end the shape of the stones is added.
"""

from __future__ import annotations

from kernels.entries import kernel
from kernels.indices import nth
from search.smallboards import Ints, count

_HISTORY_SHIFT = 16


@kernel
def shape(space: Ints, start: int, end: int, others: int, others_end: int) -> int:
    """Return how good a position looks for the player who has just moved; the weights were found by trying.

    His groups are listed from `start` to `end`, the opponent's from `others` to `others_end`.
    """
    score = mine = theirs = 0
    for i in range(start, end, 2):
        free = int(space[nth(i + 1)])
        mine |= free
        score -= 200 if free & (free - 1) else 300 + 100 * count(int(space[nth(i)]))
    for i in range(others, others_end, 2):
        free = int(space[nth(i + 1)])
        theirs |= free
        if free & (free - 1) == 0:
            score += 50 + 50 * count(int(space[nth(i)]))
    return score + 50 * (count(mine) - count(theirs))


@kernel
def learn(space: Ints, place: int, weight: int) -> None:
    """Move a history value towards the sign of `weight`, the less the further it is there already."""
    value = int(space[nth(place)])
    space[nth(place)] = value + weight - ((value * abs(weight)) >> _HISTORY_SHIFT)
