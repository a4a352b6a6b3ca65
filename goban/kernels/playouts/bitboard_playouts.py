"""Random games of `course` and `littlego` on bitboards, sizes 2 to 8; see `goban.kernels.bitboards` for masks, ko and shape.

Random empty points are drawn until one may be played; those that may not be played are put aside. So every legal point has
the same chance, wherever the illegal ones lie.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.bitboards import ONE, ZERO, Masks, adjacent, group, ko_of
from goban.kernels.numba_tools.bits import count, lowest, nth_bit, signed
from goban.kernels.numba_tools.compile import entry, inlined, kernel
from goban.kernels.numba_tools.random_numbers import advance, below, game_stream
from goban.kernels.playouts.array_rules import MOVE_LIMIT, NO_PLACEMENT, TWO_PASSES
from goban.kernels.playouts.policies import ALL_MOVES, NO_OWN_EYES, PLACEMENTS

Table = npt.NDArray[np.int16]


@kernel
def captured_by(near: np.uint64, other: np.uint64, free: np.uint64, shape: Masks) -> np.uint64:
    """Return the opposing stones that a stone with the neighbours `near` captures; `free`: the points empty after it."""
    foes = near & other
    if foes == ZERO:
        return ZERO
    doubtful = foes & ~adjacent(free, shape)
    if doubtful == ZERO:
        return ZERO
    hit = group(doubtful, other, shape)
    if adjacent(hit, shape) & free == ZERO:
        return hit
    if doubtful & (doubtful - ONE) == ZERO:
        return ZERO
    # Several strings, of which one lives.
    return hit ^ group(hit & adjacent(free, shape), hit, shape)


@kernel
def fills_eye(bit: np.uint64, near: np.uint64, own: np.uint64, shape: Masks) -> bool:
    """Tell whether the empty point `bit` is an eye of `own` as `goban.grids.Grid.is_eye` has it."""
    if near & ~own != ZERO:
        return False
    beside = (bit & shape[3]) << ONE | (bit & shape[2]) >> ONE
    diagonal = (beside << shape[0] | beside >> shape[0]) & shape[1]
    missing = count(diagonal & ~own)
    return missing == 0 or (missing == 1 and count(diagonal) == 4)


@inlined
def draw_placement(
    own: np.uint64,
    other: np.uint64,
    ko: np.uint64,
    last: np.uint64,
    shape: Masks,
    policy: int,
    extra: int,
    state: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return (random state, drawn point, captured stones); the point is 0 for a pass, or if there is nothing to draw from.

    `extra` is 1 if a pass is drawn like a placement, else 0.
    """
    empty = shape[1] & ~(own | other)
    todo = empty
    while True:
        number = count(todo)
        if number + extra == 0:
            return state, ZERO, ZERO
        state = advance(state)
        k = below(state, number + extra)
        if k == number:
            return state, ZERO, ZERO
        bit = nth_bit(todo, k)
        near, free = adjacent(bit, shape), empty ^ bit
        taken = captured_by(near, other, free, shape)
        if near & empty != ZERO:
            return state, bit, taken
        legal = bit != ko or taken != last
        if taken == ZERO:
            legal = adjacent(group(bit, own | bit, shape), shape) & free != ZERO
        if legal and not (policy == NO_OWN_EYES and fills_eye(bit, near, own, shape)):
            return state, bit, taken
        todo ^= bit


@kernel
def _number(bit: np.uint64, shape: Masks) -> int:
    """Return size * i + j of a point, size * size for no point."""
    return lowest(bit) if bit != ZERO else signed(shape[0] * shape[0])


@entry("void(uint64[::1], int64, boolean, boolean, int64, int64, int64, uint64, int64, uint64[::1], int16[:, ::1])")
def play_bitboards(
    start: Masks,
    to_move: int,
    passing: bool,
    passed: bool,
    left: int,
    most: int,
    policy: int,
    seed: np.uint64,
    first: int,
    shape: Masks,
    table: Table,
) -> None:
    """Play the games `first`, `first + 1`, ... of a seed, one per row of the table.

    start: (own, other, ko, last); to_move: 1 or 2; passed: whether a pass ends the game at once; left: moves until the
    rules' move limit; most: moves after which a game is left as it is. A row of the table becomes (moves, first move as
    size * i + j or size * size for a pass or -1, ending, Black's stones, White's).
    """
    extra = 1 if passing and policy == ALL_MOVES else 0
    stop = min(left, most)
    for row in range(len(table)):
        state = game_stream(seed, first + row)
        own, other, ko, last = start[0], start[1], start[2], start[3]
        moves, opening, ending, may_end, now = 0, ZERO, 0, passed, policy
        while moves < stop:
            state, bit, taken = draw_placement(own, other, ko, last, shape, now, extra, state)
            if bit == ZERO:
                if passing:
                    ending = TWO_PASSES if may_end else 0
                elif now == NO_OWN_EYES:
                    # Once more, eyes and all. (A second call in the source would keep numba from inlining the first.)
                    now = PLACEMENTS
                    continue
                else:
                    ending = NO_PLACEMENT
                    break
            now = policy
            if moves == 0:
                opening = bit
            moves += 1
            may_end = bit == ZERO
            ko = ko_of(taken)
            last = bit
            own, other = other ^ taken, own | bit
            if ending != 0:
                break
        if moves & 1 == 1:
            own, other = other, own
        mover, waiting = count(own), count(other)
        table[row, 0], table[row, 1] = moves, _number(opening, shape) if moves > 0 else -1
        table[row, 2] = MOVE_LIMIT if ending == 0 and moves >= left else ending
        table[row, 3] = mover if to_move == 1 else waiting
        table[row, 4] = waiting if to_move == 1 else mover
