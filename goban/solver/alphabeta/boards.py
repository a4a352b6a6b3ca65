"""Boards of up to 5 x 5 points as 25-bit masks, for the solver, and lists of their groups.

The bit of (i, j) is `1 << (5 * i + j)` whatever the size, so that one set of shifts serves all sizes; `full` is the mask
of the board's points. Masks are plain non-negative integers below 2**25 (int64 when compiled): nothing here can
overflow or turn negative, and the source gives the same numbers compiled and uncompiled.

`own` are the stones of the player to move, `other` those of the opponent. `ko` is the one point forbidden by the ko rule,
as a mask, 0 if there is none.

Lists of groups are kept move by move: that is cheaper than to look for the groups anew in every position. A list is a range of
places, `start` to `end`, in an array: (group, liberties) pairs of masks, in any order. `to` is where a new list begins; it may
not overlap the old one, and needs room for a pair more. A pair is written whether or not it belongs to the list, and then
overwritten or not: what a processor cannot foresee costs it more than writing in vain.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.numba_tools.vectors import Lanes, equal, greater
from goban.points import Point
from goban.solver.errors import RULES, BadPositionError, UnsupportedGameError
from goban.states import State

Ints = npt.NDArray[np.int64]
Mask = TypeVar("Mask", int, Ints)

WIDTH = 5
MIN_SIZE, MAX_SIZE = 2, 5

_NOT_FIRST = 0x1EF7BDE
_NOT_LAST = 0x0F7BDEF


@kernel
def index(bit: int) -> int:
    """Return p for the mask `1 << p`."""
    return count(bit - 1)


@kernel
def adjacent(mask: Mask, full: int) -> Mask:
    """Return the points orthogonally next to any point of the mask (which may include points of the mask).

    For eight masks at once, see `goban.kernels.numba_tools.vectors`, of each.
    """
    return ((mask << 5) | (mask >> 5) | ((mask & _NOT_LAST) << 1) | ((mask & _NOT_FIRST) >> 1)) & full


@kernel
def group(seed: int, stones: int, full: int) -> int:
    """Return the part of `stones` connected with `seed`; `seed` itself must lie within `stones`."""
    while True:
        grown = (seed | adjacent(seed, full)) & stones
        if grown == seed:
            return seed
        seed = grown


@kernel
def ko_after(bit: int, own: int, empty: int, taken: int, full: int) -> int:
    """Return the ko point that a placement on `bit` which captures `taken` leaves behind; `own`, `empty` before it.

    Retaking brings the board back only if one stone took one stone: the placed stone must stand alone, and the captured
    point must be its only liberty.
    """
    if taken == 0 or taken & (taken - 1) or adjacent(bit, full) & (own | empty):
        return 0
    return taken


@kernel
def transform(mask: int, which: int, size: int) -> int:
    """Return a mask under one of the eight symmetries of the board, numbered 0 (none) to 7."""
    if which & 4:
        mask = _transposed(mask)
    if which & 2:
        mask = _upside_down(mask, size)
    if which & 1:
        mask = _mirrored(mask, size)
    return mask


@kernel
def _transposed(mask: Mask) -> Mask:
    """Return a mask with rows and columns exchanged; as `adjacent` of eight at once, too, and of pairs (`least_form`)."""
    return (
        mask & 0x01041041_01041041
        | (mask & 0x00820820_00820820) >> 4 | (mask & 0x00410400_00410400) >> 8
        | (mask & 0x00208000_00208000) >> 12 | (mask & 0x00100000_00100000) >> 16
        | (mask & 0x00082082_00082082) << 4 | (mask & 0x00004104_00004104) << 8
        | (mask & 0x00000208_00000208) << 12 | (mask & 0x00000010_00000010) << 16
    )  # fmt: skip


@kernel
def _upside_down(mask: Mask, size: int) -> Mask:
    turned = (
        (mask & 0x0000001F_0000001F) << 20 | (mask & 0x000003E0_000003E0) << 10 | mask & 0x00007C00_00007C00
        | (mask & 0x000F8000_000F8000) >> 10 | (mask & 0x01F00000_01F00000) >> 20
    )  # fmt: skip
    return turned >> 5 * (5 - size)


@kernel
def _mirrored(mask: Mask, size: int) -> Mask:
    turned = (
        (mask & 0x00108421_00108421) << 4 | (mask & 0x00210842_00210842) << 2 | mask & 0x00421084_00421084
        | (mask & 0x00842108_00842108) >> 2 | (mask & 0x01084210_01084210) >> 4
    )  # fmt: skip
    return turned >> 5 - size


@kernel
def least_form(own: int, other: int, size: int) -> int:
    """Return the least pair (own, other) that a symmetry leads to, and which symmetry, as own << 35 | other << 3 | which."""
    pair = own << 32 | other
    turned = _transposed(pair)
    pair_down, turned_down = _upside_down(pair, size), _upside_down(turned, size)
    least = min(pair << 3, _mirrored(pair, size) << 3 | 1)
    least = min(least, pair_down << 3 | 2, _mirrored(pair_down, size) << 3 | 3)
    least = min(least, turned << 3 | 4, _mirrored(turned, size) << 3 | 5)
    return min(least, turned_down << 3 | 6, _mirrored(turned_down, size) << 3 | 7)


@kernel
def symmetry_of(own: int, other: int, ko: int, size: int) -> int:
    """Return the number of the symmetry under which the triple (own, other, ko) is smallest, the least of several."""
    least = least_form(own, other, size)
    best = least & 7
    if ko:
        for which in range(best + 1, 8):
            if transform(ko, which, size) < transform(ko, best, size) and (
                transform(own, which, size) << 32 | transform(other, which, size) == least >> 3
            ):
                best = which
    return best


@kernel
def canonical(own: int, other: int, ko: int, size: int) -> tuple[int, int, int]:
    """Return (own, other, ko) under the symmetry that makes the triple smallest."""
    which = symmetry_of(own, other, ko, size)
    return transform(own, which, size), transform(other, which, size), transform(ko, which, size)


@inlined
def least_forms(own: Lanes, other: Lanes, size: int) -> tuple[Lanes, Lanes]:
    """Return what `canonical` makes of eight boards on which no ko forbids a point, own and other stones."""
    one, another = _least_flipped(own, other, size)
    return _lesser(one, another, *_least_flipped(_transposed(own), _transposed(other), size))


@inlined
def _least_flipped(own: Lanes, other: Lanes, size: int) -> tuple[Lanes, Lanes]:
    """Return the least of the four forms that need no quarter turn."""
    own_down, other_down = _upside_down(own, size), _upside_down(other, size)
    one, another = _lesser(own, other, _mirrored(own, size), _mirrored(other, size))
    two, too = _lesser(own_down, other_down, _mirrored(own_down, size), _mirrored(other_down, size))
    return _lesser(one, another, two, too)


@inlined
def _lesser(own: Lanes, other: Lanes, mine: Lanes, theirs: Lanes) -> tuple[Lanes, Lanes]:
    """Return the smaller of two pairs (own, other), for each of eight."""
    less = greater(own, mine) | (equal(own, mine) & greater(other, theirs))
    return own + (less & (mine - own)), other + (less & (theirs - other))


@kernel
def inverse(which: int) -> int:
    """Return the number of the symmetry that undoes another: only the two quarter turns do not undo themselves."""
    return which ^ 3 if which == 5 or which == 6 else which


@kernel
def turned_point(point: int, which: int, size: int) -> int:
    """Return where a symmetry takes a point; what is not on the board, such as a pass, stays as it is."""
    return index(transform(1 << point, which, size)) if which and 0 <= point < WIDTH * WIDTH else point


def mask_of_state(state: State, stones: int) -> int:
    """Return a mask of `goban.grids` (its rows are `size + 1` bits apart) in this module's layout."""
    size, stride = state.grid.size, state.grid.stride
    return sum(((stones >> i * stride) & ((1 << size) - 1)) << WIDTH * i for i in range(size))


def point_mask(point: Point) -> int:
    """Return the mask of one point."""
    return 1 << (WIDTH * point[0] + point[1])


def check_state(state: State) -> None:
    """Raise UnsupportedGameError or BadPositionError unless the solver can search this state."""
    size = state.grid.size
    if state.rules.name not in RULES:
        raise UnsupportedGameError(f"expected rules {' or '.join(RULES)}, got {state.rules.name!r}")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise UnsupportedGameError(f"expected a board size from {MIN_SIZE} to {MAX_SIZE}, got {size}")
    if state.rules.komi(size) != size / 2:
        raise UnsupportedGameError(f"expected a komi of {size / 2:g} on {size}x{size}, got {state.rules.komi(size):g}")
    if state.black | state.white | state.empty != state.grid.full or state.black & state.white:
        raise BadPositionError("expected every point to be empty, black or white, got one that is none of these")
    for stones in (state.black, state.white):
        dead = state.grid.dead(stones, state.empty)
        if dead:
            raise BadPositionError(f"expected every group to have a liberty, got none at {state.grid.points_of(dead)[0]}")


def ko_point(state: State) -> int:
    """Return the mask of the point that the ko rule forbids to the player to move, 0 if there is none."""
    if not state.captured:
        return 0
    for point in state.grid.points_of(state.empty):
        breach = state.why_illegal_placement(point)
        if breach is not None and breach.repeats is not None:
            return point_mask(point)
    return 0


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
