"""The course's reference players on bitboards: sparring partners fast enough to train against.

Each function returns the mask of all placements that its player chooses from with equal chances. They follow the same
definitions as the players in `players/`; a test compares the two on random positions. What the opponent may answer is found
by simple ko, which is all that `smart` needs to know of the rules.
"""

from __future__ import annotations

import numpy as np

from goban.kernels.bitboards import ONE, ZERO, Masks, captures, is_legal, ko_of, legal_mask, random_point
from goban.kernels.numba_tools.bits import count
from goban.kernels.numba_tools.compile import njit

RANDOM, GREEDY, AGGRESSIVE, SMART = range(4)
REFERENCES = ("random", "greedy", "aggressive", "smart")


@njit
def capturing(legal: np.uint64, own: np.uint64, other: np.uint64, shape: Masks) -> tuple[np.uint64, int]:
    """Return the legal placements that capture most, and how many stones that is."""
    most = 0
    best = legal
    todo = legal
    while todo != ZERO:
        bit = todo & (~todo + ONE)
        todo ^= bit
        taken = count(captures(bit, own, other, shape))
        if taken > most:
            most = taken
            best = bit
        elif taken == most and most > 0:
            best |= bit
    return best, most


@njit
def central(points: np.uint64, shape: Masks) -> np.uint64:
    """Return the points nearest to the centre, by row distance plus column distance."""
    size = int(shape[0])
    nearest = 4 * size
    best = ZERO
    todo = points
    while todo != ZERO:
        bit = todo & (~todo + ONE)
        todo ^= bit
        place = count(bit - ONE)
        distance = abs(2 * (place // size) - size + 1) + abs(2 * (place % size) - size + 1)
        if distance < nearest:
            nearest = distance
            best = bit
        elif distance == nearest:
            best |= bit
    return best


@njit
def most_by_second(own: np.uint64, other: np.uint64, shape: Masks) -> int:
    """Return how many stones the best own placement would capture next, before any reply; -1 if none is legal."""
    most = -1
    todo = shape[1] & ~(own | other)
    while todo != ZERO:
        bit = todo & (~todo + ONE)
        todo ^= bit
        taken = count(captures(bit, own, other, shape))
        if taken > most and (taken > 0 or is_legal(bit, own, other, ZERO, ZERO, shape)):
            most = taken
    return most


@njit
def attacking(choice: np.uint64, own: np.uint64, other: np.uint64, shape: Masks) -> np.uint64:
    """Return the placements in `choice` that begin the pairs that capture most; none of `choice` captures by itself."""
    most = -1
    best = choice
    todo = choice
    while todo != ZERO:
        bit = todo & (~todo + ONE)
        todo ^= bit
        taken = most_by_second(own | bit, other, shape)
        if taken > most:
            most = taken
            best = bit
        elif taken == most and most >= 0:
            best |= bit
    return best


@njit
def aggressive_choice(choice: np.uint64, own: np.uint64, other: np.uint64, shape: Masks) -> np.uint64:
    """Return the placements in `choice` that the aggressive player keeps."""
    best, most = capturing(choice, own, other, shape)
    if most > 0:
        return best
    return central(attacking(choice, own, other, shape), shape)


@njit
def heaviest_loss(bit: np.uint64, own: np.uint64, other: np.uint64, shape: Masks) -> int:
    """Return how many stones the opponent's best reply takes after a legal placement on `bit`."""
    taken = captures(bit, own, other, shape)
    mine, theirs = own | bit, other ^ taken
    ko = ko_of(taken)
    worst = 0
    todo = shape[1] & ~(mine | theirs)
    while todo != ZERO:
        reply = todo & (~todo + ONE)
        todo ^= reply
        loss = count(captures(reply, theirs, mine, shape))
        if loss > worst and is_legal(reply, theirs, mine, ko, bit, shape):
            worst = loss
    return worst


@njit
def smart_choice(legal: np.uint64, own: np.uint64, other: np.uint64, shape: Masks) -> np.uint64:
    """Return the legal placements that the smart player keeps."""
    least = 64
    best = ZERO
    todo = legal
    while todo != ZERO:
        bit = todo & (~todo + ONE)
        todo ^= bit
        loss = heaviest_loss(bit, own, other, shape)
        if loss < least:
            least = loss
            best = bit
        elif loss == least:
            best |= bit
    if best & (best - ONE) == ZERO:
        return best
    return central(aggressive_choice(best, own, other, shape), shape)


@njit
def reference_choice(player: int, own: np.uint64, other: np.uint64, ko: np.uint64, last: np.uint64, shape: Masks) -> np.uint64:
    """Return the placements a reference player draws from; 0 if it has none."""
    legal = legal_mask(own, other, ko, last, shape)
    if player == RANDOM or legal == ZERO:
        return legal
    if player == GREEDY:
        return capturing(legal, own, other, shape)[0]
    if player == AGGRESSIVE:
        return aggressive_choice(legal, own, other, shape)
    return smart_choice(legal, own, other, shape)


@njit
def reference_move(
    player: int, own: np.uint64, other: np.uint64, ko: np.uint64, last: np.uint64, shape: Masks, state: Masks
) -> np.uint64:
    """Return a reference player's placement, 0 if it has none; draws with the generator `state`."""
    choice = reference_choice(player, own, other, ko, last, shape)
    return random_point(choice, state) if choice != ZERO else ZERO
