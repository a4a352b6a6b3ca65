"""Which moves to try first in `deepening`: what a move does to the stones and liberties beside it, weighed.

The weights are logarithms of odds in hundredths, a column for each side, fitted to moves that proved or refuted positions of
5x5 in such a search (a conditional logit model; D. McFadden 1974). Nothing but time depends on them.
"""

from __future__ import annotations

import numpy as np

from goban.kernels.numba_tools.bits import count
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.area.boards import Shape, adjacent, group
from goban.solver.area.life import Bytes, missing_of

_WEIGHTS = np.array([
    # The prover's, the opponent's:
    (219, 203), (221, 355), (441, 466),                      # stones taken: one, two, more
    (-254, -99), (0, 0), (151, 70), (224, 189),              # liberties of its string: one, two, three, more
    (-363, -102),                                            # one liberty, and more stones than one
    (170, -40), (-176, -118), (228, 15),                     # fewer stones missing, how many, more for the others
    (-13, 63), (-168, -50),                                  # points beside own stones more than before, beside the others'
    (-119, -12), (-302, -123), (274, 68),                    # beside no own stone, none of the others', two or more
    (-405, -37), (-241, -31), (294, -14), (-17, 97),         # beside no empty point, one, three or four; in an own eye
    (-36, 72), (121, -1),                                    # own stones diagonally, the others'
    (-87, 19), (91, -32),                                    # on the edge, next to it
    (-115, 48), (-132, 31), (-35, 34),                       # beside the last move, diagonally to it, two points from it
    (204, 138), (76, 40),                                    # strings of the others beside it with one liberty, two
    (377, 180), (118, 65), (547, 150), (-128, -92),          # own ones with one, with two; several joined; still only one
    (-100, 7),                                               # points two away from own stones
], dtype=np.int64)  # fmt: skip
_FIRST, _SECOND = _WEIGHTS[:, 0].copy(), _WEIGHTS[:, 1].copy()
_MOST_MISSING = 6


@kernel
def edge_of(shape: Shape) -> int:
    """Return the points of the first line."""
    full = shape[1]
    return full & ~((full << shape[0]) & (full >> shape[0]) & ((full & shape[3]) << 1) & ((full & shape[2]) >> 1))


@inlined
def worth_of(
    side: int, own: int, other: int, mine: int, theirs: int, bit: int, last: int, edge: int, missing: Bytes, shape: Shape
) -> int:
    """Return how likely a placement is the one to look for.

    side: 0 for the prover's move. own, other, mine, theirs: stones before and after. last: the move before, 0 for none.
    """
    weights = _FIRST if side == 0 else _SECOND
    at_own, at_other = (0, shape[1] + 1) if side == 0 else (shape[1] + 1, 0)
    fewest = missing_of(missing, at_own + mine)
    total = int(weights[9]) * min(fewest, _MOST_MISSING)
    if fewest < missing_of(missing, at_own + own):
        total += weights[8]
    if missing_of(missing, at_other + theirs) > missing_of(missing, at_other + other):
        total += weights[10]
    before, empty = shape[1] & ~(own | other), shape[1] & ~(mine | theirs)
    near = adjacent(mine, shape) & empty
    total += weights[11] * (count(near) - count(adjacent(own, shape) & before))
    total += weights[12] * (count(adjacent(theirs, shape) & empty) - count(adjacent(other, shape) & before))
    total += weights[33] * count(adjacent(near, shape) & empty & ~near)
    total += _worth_for_strings(own, other, mine, theirs, bit, weights, shape)
    return int(total + _worth_of_place(own, other, bit, last, edge, weights, shape))


@inlined
def _worth_for_strings(own: int, other: int, mine: int, theirs: int, bit: int, weights: Ints, shape: Shape) -> int:
    """Return what counts of the stones taken, of the string that the stone belongs to, and of those beside it."""
    before, empty, beside = shape[1] & ~(own | other), shape[1] & ~(mine | theirs), adjacent(bit, shape)
    members = group(bit, mine, shape)
    liberties = count(adjacent(members, shape) & empty)
    total, taken = int(weights[2 + min(max(liberties, 1), 4)]), count(other) - count(theirs)
    if taken:
        total += weights[min(taken, 3) - 1]
    if liberties <= 1 and members != bit:
        total += weights[7]
    ataris = pairs = saved = helped = joined = 0
    rest = beside & theirs
    while rest:
        members = group(rest & -rest, theirs, shape)
        rest &= ~members
        free = count(adjacent(members, shape) & empty)
        ataris |= free == 1
        pairs |= free == 2
    rest = beside & own
    while rest:
        members = group(rest & -rest, own, shape)
        rest &= ~members
        free = count(adjacent(members, shape) & before)
        saved |= free == 1
        helped |= free == 2
        joined += 1
    total += weights[27] * ataris + weights[28] * pairs + weights[29] * saved + weights[30] * helped
    if joined > 1:
        total += weights[31]
    if saved and liberties <= 1:
        total += weights[32]
    return int(total)


@inlined
def _worth_of_place(own: int, other: int, bit: int, last: int, edge: int, weights: Ints, shape: Shape) -> int:
    """Return what counts of a point: what lies on those around it, how near it is to the edge and to the last move."""
    beside = adjacent(bit, shape)
    aside = ((bit & shape[3]) << 1) | ((bit & shape[2]) >> 1)
    diagonal = ((aside << shape[0]) | (aside >> shape[0])) & shape[1]
    others, empties = beside & other, beside & ~(own | other)
    total = int(weights[20]) * count(diagonal & own) + int(weights[21]) * count(diagonal & other)
    if beside & own == 0:
        total += weights[13]
    if others == 0:
        total += weights[14]
    elif others & (others - 1):
        total += weights[15]
    if empties == 0:
        total += weights[16]
        if others == 0:
            total += weights[19]
    elif empties & (empties - 1) == 0:
        total += weights[17]
    elif count(empties) >= 3:
        total += weights[18]
    if bit & edge:
        total += weights[22]
    elif beside & edge:
        total += weights[23]
    if last & beside:
        total += weights[24]
    elif last & diagonal:
        total += weights[25]
    elif last & adjacent(beside, shape):
        total += weights[26]
    return int(total)
