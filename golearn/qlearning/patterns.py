"""Pattern tables: how an afterstate is cut into shared pieces, and what the pieces are worth together.

An afterstate, the 5x5 board right after a placement, is covered by 17 overlapping patterns. Each looks up one weight in a
table that all its mirror images share (an n-tuple network; Lucas 2008, Szubert and Jaskowski 2014):

    offset   entries   pattern                  where
         0     59049   two rows, outer          rows 0-1 and 4-3, columns 0-1 and 4-3
     59049     59049   two rows, inner          rows 1-2 and 3-2, columns 1-2 and 3-2
    118098     19683   3x3 window, corner       the four corners, read from the corner inwards
    137781     19683   3x3 window, edge         the four edges, read from the edge inwards
    157464     19683   3x3 window, centre       the middle

A point counts 0 if empty, 1 if held by the player who has just placed, 2 if by the opponent; a row of five is a number
in base 3 whose lowest digit is its first point. There is one set of tables (177147 = 3**11 entries) per *stage*, the number of
placements made, 1 to 23: the stage tells the colour that has just placed, and what a shape is worth changes from move to move.

No single piece shows which stones are in atari. Weights may have 1764 entries more for them, looked up as
`my_player_table.atari` counts them, and then an 18th weight is added.

Patterns share what they learn; an afterstate that comes up again and again deserves a value of its own. These *known states*
are a hash table in flat arrays (linear probing), so that kernels can use it. It only takes in afterstates of the first
LAST_STAGE placements, and none once it is three quarters full. Keys are those of `my_player.py`.
"""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.kernels.bitboards import ONE, ZERO, Masks, adjacent, board_shape, group
from goban.kernels.numba_tools.bits import count
from goban.kernels.numba_tools.compile import njit

Weights: TypeAlias = npt.NDArray[np.floating]
Indices: TypeAlias = npt.NDArray[np.int32]

SIZE = 5
STAGES = 24
PATTERNS = 17
PAIR, WINDOW = 3**10, 3**9
INNER, CORNER, EDGE, CENTRE = PAIR, 2 * PAIR, 2 * PAIR + WINDOW, 2 * PAIR + 2 * WINDOW
ENTRIES = 2 * PAIR + 3 * WINDOW

# Stones in atari are counted to MOST; LEADS are those from -24 to 24 stones.
MOST, LEADS = 5, 49
ATARI = (MOST + 1) ** 2 * LEADS


def row_codes() -> Indices:
    """Return the base-3 numbers of all rows, by `own | other << 5` of the row's two 5-bit masks."""
    codes = np.zeros(1024, dtype=np.int32)
    for own, other in product(range(32), repeat=2):
        codes[own | other << SIZE] = sum(3**j * ((own >> j & 1) + 2 * (other >> j & 1)) for j in range(SIZE))
    return codes


def column_codes() -> npt.NDArray[np.int64]:
    """Return what row k adds to the numbers of the five columns, 8 bits each, by k and `own | other << 5`."""
    codes = np.zeros((SIZE, 1024), dtype=np.int64)
    for k, own, other in product(range(SIZE), range(32), range(32)):
        digits = [(own >> j & 1) + 2 * (other >> j & 1) for j in range(SIZE)]
        codes[k, own | other << SIZE] = sum(digit * 3**k << 8 * j for j, digit in enumerate(digits))
    return codes


def mirrored_windows() -> Indices:
    """Return the number of a row of three read backwards, for all 27."""
    return np.array([code // 9 + code // 3 % 3 * 3 + code % 3 * 9 for code in range(27)], dtype=np.int32)


def mirrored_lines() -> Indices:
    """Return the number of a row of five read backwards, for all 243."""
    return np.array([sum(code // 3**j % 3 * 3 ** (4 - j) for j in range(SIZE)) for code in range(243)], dtype=np.int32)


def shared_entries() -> Indices:
    """Return for every entry the lowest entry that is its mirror image: only that one is learned.

    Pairs of rows and edge windows have one mirror image, left to right; corner windows their transpose; the centre window
    all eight symmetries, which the two generate.
    """
    pair = np.arange(PAIR).reshape((3,) * 10)  # an axis per point, rows in order, each from its last point to its first
    window = np.arange(WINDOW).reshape((3,) * 9)
    mirror, transpose = (2, 1, 0, 5, 4, 3, 8, 7, 6), (8, 5, 2, 7, 4, 1, 6, 3, 0)
    pairs = np.minimum(pair, pair.transpose(4, 3, 2, 1, 0, 9, 8, 7, 6, 5)).ravel()
    corner = np.minimum(window, window.transpose(transpose)).ravel()
    edge = np.minimum(window, window.transpose(mirror)).ravel()
    centre = window
    for symmetry in (mirror, transpose) * 4:  # no symmetry of the square takes more than eight of these steps
        centre = np.minimum(centre, centre.transpose(symmetry))
    parts = (pairs, pairs + INNER, corner + CORNER, edge + EDGE, centre.ravel() + CENTRE)
    return np.concatenate(parts).astype(np.int32)


class Geometry(NamedTuple):
    """The look-ups a kernel needs; the same for every table. Get it from `geometry()`."""

    shape: Masks
    rows: Indices
    columns: npt.NDArray[np.int64]
    mirrored: Indices
    turned: Indices
    shared: Indices


def geometry() -> Geometry:
    """Return the look-ups of the 5x5 board; building them takes some milliseconds."""
    return Geometry(board_shape(SIZE), row_codes(), column_codes(), mirrored_windows(), mirrored_lines(), shared_entries())


@njit
def find_lines(own: np.uint64, other: np.uint64, geo: Geometry, lines: Indices) -> None:
    """Write the base-3 numbers of the five rows, then of the five columns, into `lines`; `own` has just placed."""
    row = np.uint64(31)
    packed = 0
    for k in range(SIZE):
        shift = np.uint64(SIZE * k)
        both = int((own >> shift) & row | ((other >> shift) & row) << np.uint64(SIZE))
        lines[k] = geo.rows[both]
        packed += geo.columns[k, both]
    for k in range(SIZE):
        lines[SIZE + k] = packed >> 8 * k & 255


@njit
def find_entries(lines: Indices, geo: Geometry, entries: Indices) -> None:
    """Write the 17 shared entries of a board, given by its lines, into `entries`."""
    mirrored, shared = geo.mirrored, geo.shared
    for k in range(2):
        a, b, c, d, e = lines[5 * k], lines[5 * k + 1], lines[5 * k + 2], lines[5 * k + 3], lines[5 * k + 4]
        entries[6 * k] = shared[a * 243 + b]
        entries[6 * k + 1] = shared[e * 243 + d]
        entries[6 * k + 2] = shared[INNER + b * 243 + c]
        entries[6 * k + 3] = shared[INNER + d * 243 + c]
        entries[6 * k + 4] = shared[EDGE + a // 3 % 27 * 729 + b // 3 % 27 * 27 + c // 3 % 27]
        entries[6 * k + 5] = shared[EDGE + e // 3 % 27 * 729 + d // 3 % 27 * 27 + c // 3 % 27]
    a, b, c, d, e = lines[0], lines[1], lines[2], lines[3], lines[4]
    entries[12] = shared[CORNER + a % 27 * 729 + b % 27 * 27 + c % 27]
    entries[13] = shared[CORNER + e % 27 * 729 + d % 27 * 27 + c % 27]
    entries[14] = shared[CORNER + mirrored[a // 9] * 729 + mirrored[b // 9] * 27 + mirrored[c // 9]]
    entries[15] = shared[CORNER + mirrored[e // 9] * 729 + mirrored[d // 9] * 27 + mirrored[c // 9]]
    entries[16] = shared[CENTRE + b // 3 % 27 * 729 + c // 3 % 27 * 27 + d // 3 % 27]


class Scratch(NamedTuple):
    """Space for the ten lines and the 17 or 18 entries of one board, so that kernels need not ask for it each time."""

    lines: Indices
    entries: Indices


def scratch(weights: Weights) -> Scratch:
    """Return fresh scratch space for boards that these weights value; every thread needs its own."""
    return Scratch(np.empty(2 * SIZE, np.int32), np.empty(PATTERNS + (weights.shape[1] > ENTRIES), np.int32))


@njit
def in_atari(stones: np.uint64, empty: np.uint64, shape: Masks) -> int:
    """Return how many of the stones the opponent could take at once, MOST at most."""
    number = 0
    while stones != ZERO:
        together = group(stones & (~stones + ONE), stones, shape)
        liberties = adjacent(together, shape) & empty
        if liberties & (liberties - ONE) == ZERO:
            number += count(together)
        stones ^= together
    return min(number, MOST)


@njit
def atari_entry(own: np.uint64, other: np.uint64, shape: Masks) -> int:
    """Return the entry of the stones in atari; `own` has just placed."""
    empty = shape[1] & ~(own | other)
    mine, theirs = in_atari(own, empty, shape), in_atari(other, empty, shape)
    return ENTRIES + (mine * (MOST + 1) + theirs) * LEADS + count(own) - count(other) + LEADS // 2


@njit
def squash(total: float) -> float:
    """Return the value, -1 (lost) to 1 (won), of a sum of weights. Exact to the last bit on every machine, unlike tanh."""
    return total / sqrt(1.0 + total * total)


@njit
def pattern_value(own: np.uint64, other: np.uint64, stage: int, weights: Weights, geo: Geometry, space: Scratch) -> float:
    """Return the sum of an afterstate's weights, squashed, given its lines in `space`; leaves its entries there."""
    find_entries(space.lines, geo, space.entries)
    if len(space.entries) > PATTERNS:
        space.entries[PATTERNS] = atari_entry(own, other, geo.shape)
    total = 0.0
    for entry in space.entries:
        total += weights[stage, entry]
    return squash(total)


# Known states


BOARDS = 3**25
"""Numbers that 25 points in base 3 can make."""

LAST_STAGE = 12
LEAST_STEP = 0.02
_SPREAD_1, _SPREAD_2 = np.uint64(19), np.uint64(37)


class States(NamedTuple):
    """keys: uint64, 0 where a slot is free; values: float32, -1 to 1; visits: int32, how often each was updated."""

    keys: Masks
    values: npt.NDArray[np.float32]
    visits: npt.NDArray[np.int32]


def no_states(bits: int) -> States:
    """Return an empty table of `2**bits` slots, 16 bytes each."""
    slots = 1 << bits
    return States(np.zeros(slots, np.uint64), np.zeros(slots, np.float32), np.zeros(slots, np.int32))


@njit
def state_key(lines: Indices, stage: int, geo: Geometry) -> np.uint64:
    """Return `stage * BOARDS` + the least base-3 number of the eight images of a board, given by its lines."""
    least = BOARDS  # above all of them
    for k in range(2):
        forward = backward = forward_turned = backward_turned = 0
        for j in range(SIZE):
            first, last = lines[SIZE * k + j], lines[SIZE * k + SIZE - 1 - j]
            forward = forward * 243 + first
            backward = backward * 243 + last
            forward_turned = forward_turned * 243 + geo.turned[first]
            backward_turned = backward_turned * 243 + geo.turned[last]
        least = min(least, forward, backward, forward_turned, backward_turned)
    return np.uint64(stage * BOARDS + least)


@njit
def find_slot(key: np.uint64, states: States) -> int:
    """Return the slot that holds the key, or the free slot where it would go."""
    last = len(states.keys) - 1
    slot = int(key ^ key >> _SPREAD_1 ^ key >> _SPREAD_2) & last
    while states.keys[slot] != key and states.keys[slot] != 0:
        slot = (slot + 1) & last
    return slot


@njit
def learn_state(lines: Indices, stage: int, target: float, start: float, states: States, geo: Geometry, room: bool) -> int:
    """Move the value of a state towards `target`; return 1 if it is new and was entered at the value `start`, else 0.

    The step is 1/2, 1/3, ... at the first, second, ... visit, and never below LEAST_STEP, because the targets get better
    with time. Unknown states are passed over unless there is `room`.
    """
    key = state_key(lines, stage, geo)
    slot = find_slot(key, states)
    new = states.keys[slot] == 0
    if new:
        if not room:
            return 0
        states.keys[slot] = key
        states.values[slot] = start
    states.visits[slot] += 1
    step = max(1.0 / (1.0 + states.visits[slot]), LEAST_STEP)
    states.values[slot] += step * (target - states.values[slot])
    return 1 if new else 0


class Tables(NamedTuple):
    """All that is learned."""

    weights: Weights
    states: States


@njit
def afterstate_value(own: np.uint64, other: np.uint64, stage: int, tables: Tables, geo: Geometry, space: Scratch) -> float:
    """Return the learned value of an afterstate for the player who has just placed, -1 to 1.

    It is the state's own if the state is known, else the sum of its patterns.
    """
    find_lines(own, other, geo, space.lines)
    states = tables.states
    if stage <= LAST_STAGE and len(states.keys) > 1:
        slot = find_slot(state_key(space.lines, stage, geo), states)
        if states.keys[slot] != 0:
            return float(states.values[slot])
    return pattern_value(own, other, stage, tables.weights, geo, space)
