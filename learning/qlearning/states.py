"""Known states: a table of single afterstates, each with a Q-value of its own.

Patterns share what they learn; an afterstate that comes up again and again deserves a value of its own. The table is a hash
table in flat arrays (linear probing), so that kernels can use it. It only takes in afterstates of the first LAST_STAGE
placements, and none once it is three quarters full. Keys are those of `my_player.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.bitboards import Masks
from kernels.numba_tools.compile import njit
from learning.qlearning.patterns import PATTERNS, SIZE, Geometry, Indices, Weights, find_lines, pattern_value

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


class Scratch(NamedTuple):
    """Space for the ten lines and the 17 pattern entries of one board, so that kernels need not ask for it each time."""

    lines: Indices
    entries: Indices


def scratch() -> Scratch:
    """Return fresh scratch space; every thread needs its own."""
    return Scratch(np.empty(2 * SIZE, np.int32), np.empty(PATTERNS, np.int32))


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
    return pattern_value(space.lines, stage, tables.weights, geo, space.entries)
