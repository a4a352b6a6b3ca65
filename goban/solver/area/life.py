"""Stones that cannot be captured although their owner always passes, and the points that are theirs for good.

D. B. Benson, "Life in the game of Go", Information Sciences 10 (1976): a group is alive if it has two *vital* regions, regions
of points without stones of its colour of which every empty point is its liberty, and whose other groups are alive as well.

A region between living groups is their owner's if nearly all of its points lie next to them: see `safe_points`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.area.boards import Shape, adjacent, group, largest_turned

Bytes = npt.NDArray[np.uint8]
FAR = 100
"""Stands where no more stones would do."""
ROOM = 64
"""How many places of the array `safe_points` writes into."""
_REGIONS = 32


@kernel
def safe_points(own: int, other: int, shape: Shape, room: Ints, start: int) -> int:
    """Return the points that are `own`'s whatever the opponent plays.

    With A for the living groups: a part of the other points counts if all its points but one lie next to A, and next to each
    group of which it is a vital region. Then its owner can fill it from the outside, point by point, until whatever stands in
    it is captured, and keeps A alive while doing so. `room`: 64 places from `start` on to write into.
    """
    full = shape[1]
    rest = full & ~own
    if own == 0 or rest == 0 or group(rest & -rest, rest, shape) == rest:
        return 0
    # Groups: stones from `start`, their neighbours 16 places further; regions from _REGIONS.
    groups = 0
    while own:
        members = group(own & -own, own, shape)
        own ^= members
        room[nth(start + groups)] = members
        room[nth(start + 16 + groups)] = adjacent(members, shape) & ~members
        groups += 1
    regions = 0
    while rest:
        members = group(rest & -rest, rest, shape)
        rest ^= members
        room[nth(start + _REGIONS + regions)] = members
        regions += 1
    living, kept = (1 << groups) - 1, (1 << regions) - 1
    while True:
        before = living
        for g in range(groups):
            if living >> g & 1:
                near, vital = int(room[nth(start + 16 + g)]), 0
                for r in range(regions):
                    if kept >> r & 1:
                        members = int(room[nth(start + _REGIONS + r)])
                        vital += members & near != 0 and members & ~other & ~near == 0
                if vital < 2:
                    living &= ~(1 << g)
                    for r in range(regions):
                        if room[nth(start + _REGIONS + r)] & near:
                            kept &= ~(1 << r)
        if living == before:
            break
    if living == 0:
        return 0
    alive = around = 0
    for g in range(groups):
        if living >> g & 1:
            alive |= int(room[nth(start + g)])
            around |= int(room[nth(start + 16 + g)])
    safe = alive
    rest = full & ~alive
    stones = 0
    for g in range(groups):
        stones |= int(room[nth(start + g)])
    while rest:
        members = group(rest & -rest, rest, shape)
        rest ^= members
        if _few(members & ~around) and (members & stones or _near_all(members, other, groups, living, room, start)):
            safe |= members
    return safe


@kernel
def count_missing(wanted: int, shape: Shape, symmetries: Ints, missing: Bytes, start: int, room: Ints) -> None:
    """Write, for every set of stones, how many more would make a margin of `wanted` safe if the other side had none.

    `missing`: the number of a set stands at `start` plus its mask. `room`: ROOM places to write into.
    """
    points = count(shape[1])
    for stones in range(shape[1], -1, -1):
        turned = largest_turned(stones, symmetries)
        fewest = FAR
        if turned != stones:
            fewest = int(missing[nth(start + turned)])
        elif 2 * count(safe_points(stones, 0, shape, room, 0)) - points >= wanted:
            fewest = 0
        else:
            rest = shape[1] & ~stones
            while rest:
                bit = rest & -rest
                rest ^= bit
                fewest = min(fewest, int(missing[nth(start + (stones | bit))]) + 1)
        missing[nth(start + stones)] = fewest


def count_for_claim(wanted: int, shape: Shape, symmetries: Ints, missing: Bytes, room: Ints) -> None:
    """Write into one half of `missing` what is missing for a margin, into the other what for the one that refutes it."""
    for margin, start in ((wanted, 0), (1 - wanted, len(missing) // 2)):
        count_missing(margin, shape, symmetries, missing, start, room)


@inlined
def missing_of(missing: Bytes, place: int) -> int:
    """Return what `count_missing` wrote at a place, 0 where nothing was counted."""
    return int(missing[nth(place)]) if len(missing) else 0


@kernel
def _few(mask: int) -> bool:
    return mask & (mask - 1) == 0


@kernel
def _near_all(members: int, other: int, groups: int, living: int, room: Ints, start: int) -> bool:
    """Tell whether all points of a region but one lie next to each living group of which it is a vital region."""
    for g in range(groups):
        near = int(room[nth(start + 16 + g)])
        if living >> g & 1 and members & ~other & ~near == 0 and not _few(members & ~near):
            return False
    return True
