"""The list of answers that a proof consists of, in arrays: which positions come up, and the prover's answer to each.

A position is its key of 60 bits (`moves.key_of`), which says all: the two sides' stones as turned there, and the point of a ko,
noted as both colours'. It has a number, its place in the arrays, found by its key in a table with open addressing.

Positions are answered from those that take the most moves to those that take the fewest, so that most of what else is listed
is known when an answer is chosen: of the few answers that took the least to find, the one with the fewest new positions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import kernel
from goban.solver.alphabeta.boards import Ints, index
from goban.solver.area import stack as at
from goban.solver.area.boards import MOST_POINTS, Shape, adjacent, without_liberties
from goban.solver.area.deepening import list_first, within_of, work_of
from goban.solver.area.life import Bytes
from goban.solver.area.moves import is_won
from goban.solver.area.stack import row_of
from goban.solver.area.table import look_up

Numbers = npt.NDArray[np.int32]

SAFE, BY_PASS, OPEN = 64, 63, 254
"""An answer is a point, plus SAFE where points enough are then the prover's for good; BY_PASS; or OPEN, not found yet."""
COMPLETE, FULL, SEARCH, BUSY = range(4)
"""What `answer_all` returns: all is answered; the arrays are full; what wins position `state[WHICH]` is forgotten; not yet."""
COUNT, RANK, WHICH, FIXED, PLACED = range(5)
"""How many positions there are, the moves left where answers are given now, whether given ones stay, how many are in order."""

MOST_CHILDREN = 32
"""There is always room for as many positions more."""
_CANDIDATES = 3
_PART = 100_000
"""Positions answered before Python has a look."""
_KEY = (1 << 2 * MOST_POINTS) - 1


class Listing(NamedTuple):
    """The arrays: of each position the key, within how many moves it is won, the answer, and which is answered after it."""

    keys: Ints
    ranks: Bytes
    answers: Bytes
    following: Numbers
    places: Numbers
    heads: Numbers
    state: Ints


def new_listing(room: int) -> Listing:
    """Return an empty list for so many positions."""
    size = 1 << (2 * room - 1).bit_length()
    return Listing(
        np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.uint8), np.full(room, OPEN, dtype=np.uint8), no_numbers(room),
        no_numbers(size), no_numbers(256), np.zeros(5, dtype=np.int64),
    )  # fmt: skip


def no_numbers(size: int) -> Numbers:
    """Return places for so many numbers, with -1 in each."""
    return np.full(size, -1, dtype=np.int32)


def grown(listing: Listing) -> Listing:
    """Return the same list with room for twice as many positions."""
    old = len(listing.keys)
    made = new_listing(2 * old)
    made.keys[:old], made.ranks[:old], made.answers[:old] = listing.keys, listing.ranks, listing.answers
    made.following[:old] = listing.following
    made.heads[:], made.state[:] = listing.heads, listing.state
    index_keys(made.places, made.keys, int(made.state[COUNT]))
    return made


@kernel
def index_keys(places: Numbers, keys: Ints, number: int) -> None:
    """Write the numbers of the first so many keys into an empty table."""
    for i in range(number):
        places[nth(place_in(places, keys, int(keys[nth(i)])))] = i


@kernel
def place_in(places: Numbers, keys: Ints, key: int) -> int:
    """Return the place in the table where a key's number is, or where it would be."""
    last = len(places) - 1
    mixed = (key ^ key >> 31) * 0x1E3779B97F4A7C15
    place = (mixed ^ (mixed >> 29)) & last
    while places[nth(place)] >= 0 and keys[nth(int(places[nth(place)]))] != key:
        place = (place + 1) & last
    return int(place)


@kernel
def number_of(listing: Listing, key: int) -> int:
    """Return the number of a position, -1 if it is not listed."""
    return int(listing.places[nth(place_in(listing.places, listing.keys, key & _KEY))])


@kernel
def add(listing: Listing, key: int, left: int, table: Ints) -> None:
    """List a position that has to be won within so many moves, unless it is; find it another answer if its own takes more."""
    state, key = listing.state, key & _KEY
    place = place_in(listing.places, listing.keys, key)
    number = int(listing.places[nth(place)])
    if number < 0:
        number = int(state[COUNT])
        state[COUNT] += 1
        listing.places[nth(place)], listing.keys[nth(number)] = number, key
        left = min(left, int(within_of(look_up(table, key))))
    elif listing.ranks[nth(number)] <= left or state[FIXED]:
        return
    elif listing.answers[nth(number)] == OPEN:
        # It waits among those with more moves, and is answered with them.
        listing.ranks[nth(number)] = left
        return
    listing.ranks[nth(number)], listing.answers[nth(number)] = left, OPEN
    listing.following[nth(number)], listing.heads[nth(left)] = listing.heads[nth(left)], number
    state[RANK] = max(int(state[RANK]), left)


@kernel
def answer_all(listing: Listing, shape: Shape, symmetries: Ints, space: Ints, table: Ints) -> int:
    """Answer the positions listed, and list what comes of that; return how far that is."""
    heads, state, done = listing.heads, listing.state, 0
    while state[RANK]:
        number = int(heads[nth(int(state[RANK]))])
        if number < 0:
            state[RANK] -= 1
            continue
        if listing.answers[nth(number)] == OPEN:
            if state[COUNT] + MOST_CHILDREN > len(listing.keys):
                return FULL
            if done == _PART:
                return BUSY
            done += 1
            if not _answer(listing, number, shape, symmetries, space, table):
                state[WHICH] = number
                return SEARCH
        # What was listed meanwhile with as many moves stands before it: no answer lists such positions.
        heads[nth(int(state[RANK]))] = listing.following[nth(number)]
    return COMPLETE


@kernel
def _answer(listing: Listing, number: int, shape: Shape, symmetries: Ints, space: Ints, table: Ints) -> bool:
    """Choose the answer to a position, and list the replies; tell whether one is known."""
    row, left = row_of(0), int(listing.ranks[nth(number)])
    moves = _list_moves(int(listing.keys[nth(number)]), shape, symmetries, space)
    for k in range(moves):
        bit, contents = int(space[nth(row + at.BITS + k)]), 0
        if bit and is_won(int(space[nth(row + at.PS + k)]), int(space[nth(row + at.OS + k)]), shape, space):
            listing.answers[nth(number)] = SAFE + index(bit)
            listing.ranks[nth(number)] = 1
            return True
        contents = look_up(table, int(space[nth(row + at.KEYS + k)]))
        rank = 1 + int(within_of(contents))
        space[nth(row + at.WORTHS + k)] = work_of(contents) << 8 | rank if rank <= left else -1
    chosen, fewest, best = -1, 1 << 60, 0
    for _ in range(_CANDIDATES):
        worth, candidate = 1 << 60, -1
        for k in range(moves):
            found = int(space[nth(row + at.WORTHS + k)])
            if 0 <= found < worth:
                worth, candidate = found, k
        if candidate < 0:
            break
        space[nth(row + at.WORTHS + candidate)] = -1
        new = 0
        for k in range(_list_replies(candidate, shape, symmetries, space)):
            new += number_of(listing, int(space[nth(row_of(1) + at.KEYS + k)])) < 0
        if new < fewest:
            chosen, fewest, best = candidate, new, worth & 255
    if chosen < 0:
        return False
    bit = int(space[nth(row + at.BITS + chosen)])
    listing.answers[nth(number)] = index(bit) if bit else BY_PASS
    listing.ranks[nth(number)] = best
    for k in range(_list_replies(chosen, shape, symmetries, space)):
        add(listing, int(space[nth(row_of(1) + at.KEYS + k)]), best - 1, table)
    return True


@kernel
def replies_of(listing: Listing, number: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write into row 1 what the answer to a position leaves, and what the opponent can do; return how many moves those are."""
    play_answer(listing, number, shape, space)
    return int(list_first(1, shape, symmetries, space))


@kernel
def play_answer(listing: Listing, number: int, shape: Shape, space: Ints) -> None:
    """Write into row 1 what the answer to a position leaves."""
    row, key, answer = row_of(1), int(listing.keys[nth(number)]), int(listing.answers[nth(number)]) & (SAFE - 1)
    mine, theirs = key & ((1 << MOST_POINTS) - 1), key >> MOST_POINTS
    mine, theirs, banned = mine & ~theirs, theirs & ~mine, 0
    if answer != BY_PASS:
        bit = 1 << answer
        beside = adjacent(bit, shape) & ~theirs
        taken = without_liberties(theirs, shape[1] & ~(mine | theirs | bit), shape)
        mine, theirs = mine | bit, theirs ^ taken
        mine ^= without_liberties(mine, shape[1] & ~(mine | theirs), shape)
        # As in `moves.list_moves`: a single stone that is taken by one with nothing but stones of the others beside it.
        banned = taken if taken & (taken - 1) == 0 and beside == 0 else 0
    space[nth(row + at.P)], space[nth(row + at.O)] = mine, theirs
    space[nth(row + at.KO)], space[nth(row + at.TURN)], space[nth(row + at.KEY)] = banned, 1, 0


@kernel
def add_replies(listing: Listing, number: int, shape: Shape, symmetries: Ints, space: Ints, table: Ints) -> None:
    """List what follows the answer to a position."""
    for k in range(replies_of(listing, number, shape, symmetries, space)):
        add(listing, int(space[nth(row_of(1) + at.KEYS + k)]), int(listing.ranks[nth(number)]) - 1, table)


@kernel
def _list_moves(key: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write the prover's moves into row 0; return how many there are."""
    row, mine, theirs = row_of(0), key & ((1 << MOST_POINTS) - 1), key >> MOST_POINTS
    ko = mine & theirs
    space[nth(row + at.P)], space[nth(row + at.O)], space[nth(row + at.KO)] = mine & ~ko, theirs & ~ko, ko
    space[nth(row + at.TURN)], space[nth(row + at.KEY)] = 0, key
    return int(list_first(0, shape, symmetries, space))


@kernel
def _list_replies(chosen: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write into row 1 what the opponent can do after a move of row 0; return how many moves those are."""
    row, below = row_of(0), row_of(1)
    space[nth(below + at.P)], space[nth(below + at.O)] = space[nth(row + at.PS + chosen)], space[nth(row + at.OS + chosen)]
    space[nth(below + at.KO)], space[nth(below + at.TURN)] = space[nth(row + at.KOS + chosen)], 1
    space[nth(below + at.KEY)] = space[nth(row + at.KEYS + chosen)]
    return int(list_first(1, shape, symmetries, space))


@kernel
def write_bytes(listing: Listing, order: Numbers, points: int, size: int, into: Bytes) -> None:
    """Write positions with their answers as `verify_proof` reads them, each `size` bytes and two more."""
    place = 0
    for i in range(len(order)):
        key, code = int(listing.keys[nth(int(order[nth(i)]))]), 0
        ko = key & key >> MOST_POINTS
        for point in range(points - 1, -1, -1):
            stones = (key >> point & 1) + 2 * (key >> MOST_POINTS + point & 1)
            code = 3 * code + (stones if stones < 3 else 0)
        for _ in range(size):
            into[nth(place)] = code & 255
            code >>= 8
            place += 1
        answer = int(listing.answers[nth(int(order[nth(i)]))]) & (SAFE - 1)
        into[nth(place)] = index(ko) if ko else 255
        into[nth(place + 1)] = 255 if answer == BY_PASS else answer
        place += 2
