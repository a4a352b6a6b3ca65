"""Lists of groups, and what a move makes of them: cheaper than to look for the groups anew in every position.

A list is a range of places, `start` to `end`, in an array: (group, liberties) pairs of masks, in any order. `to` is where a
new list begins; it may not overlap the old one, and needs room for a pair more. A pair is written whether or not it belongs
to the list, and then overwritten or not: what a processor cannot foresee costs it more than writing in vain.
"""

from __future__ import annotations

from kernels.numba_tools.bits import count
from kernels.numba_tools.entry_points import kernel
from kernels.numba_tools.indices import nth
from search.alphabeta.boards import Ints, adjacent, group


@kernel
def groups_of(stones: int, empty: int, full: int, space: Ints, start: int) -> int:
    """Write the groups of `stones` from `start` on; return the end of the list."""
    while stones:
        members = group(stones & -stones, stones, full)
        stones ^= members
        space[nth(start)] = members
        space[nth(start + 1)] = adjacent(members, full) & empty
        start += 2
    return start


@kernel
def captured_by(bit: int, space: Ints, start: int, end: int) -> int:
    """Return the stones that a placement on `bit` captures, from the list of the opponent's groups."""
    taken = 0
    for i in range(start, end, 2):
        if space[nth(i + 1)] == bit:
            taken |= int(space[nth(i)])
    return taken


@kernel
def most_captured(space: Ints, start: int, end: int, ko: int) -> int:
    """Return the most stones of the listed groups that one placement captures; `ko` is forbidden."""
    once = twice = best = 0
    for i in range(start, end, 2):
        free = int(space[nth(i + 1)])
        if free & (free - 1) == 0 and free != ko:
            twice |= once & free
            once |= free
            best = max(best, count(int(space[nth(i)])))
    # Several groups share a last liberty: add up what each such point captures.
    while twice:
        bit = twice & -twice
        twice ^= bit
        best = max(best, count(captured_by(bit, space, start, end)))
    return best


@kernel
def opposing(bit: int, space: Ints, start: int, end: int, to: int) -> int:
    """Write what becomes of the opponent's groups when a stone is placed on `bit`; return the end of the list."""
    for i in range(start, end, 2):
        free = int(space[nth(i + 1)])
        space[nth(to)] = space[nth(i)]
        space[nth(to + 1)] = free & ~bit
        to += 2 * (free != bit)
    return to


@kernel
def joined(bit: int, taken: int, empty: int, full: int, space: Ints, start: int, end: int, to: int) -> int:
    """Write what becomes of a player's groups when they place a stone on `bit` and capture `taken`; return the end.

    `empty`: the empty points before that. The group of the new stone comes first.
    """
    members, free = bit, adjacent(bit, full) & (empty | taken)
    place = to + 2
    for i in range(start, end, 2):
        mine, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        if taken:
            liberties |= adjacent(mine, full) & taken
        touched = -((liberties & bit) != 0)
        members |= mine & touched
        free |= liberties & touched
        space[nth(place)], space[nth(place + 1)] = mine, liberties
        place += 2 + 2 * touched
    space[nth(to)], space[nth(to + 1)] = members, free & ~bit
    return place
