"""The list of answers that a proof consists of, in arrays: which positions come up, and the prover's answer to each.

A position is its key of 60 bits (`moves.key_of`), which says all: the two sides' stones as turned there, and the point of a ko,
noted as both colours'. It has a number, its place in the arrays, found by its key in a table with open addressing.

Positions are answered from those that take the most moves to those that take the fewest, so that most of what else is listed
is known when an answer is chosen: of the few answers that took the least to find, the one with the fewest new positions.

What a single move wins needs nothing else to be proven first, and is most of a proof. Of such positions there are only the
keys, in a table of their own; their answers are found again when they are written.
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
from goban.solver.area.life import Bytes, missing_of
from goban.solver.area.moves import is_won
from goban.solver.area.stack import row_of
from goban.solver.area.table import look_up

Numbers = npt.NDArray[np.int32]

SAFE, BY_PASS, OPEN = 64, 63, 254
"""An answer is a point, plus SAFE where points enough are then the prover's for good; BY_PASS; or OPEN, not found yet."""
COMPLETE, FULL, SEARCH, BUSY = range(4)
"""What `answer_all` returns: all is answered; the arrays are full; what wins position `state[WHICH]` is forgotten; not yet."""
COUNT, RANK, WHICH, FIXED, PLACED, WINS = range(6)
"""How many positions there are, the moves left where answers are given now, whether given ones stay, how many are in order, and
how many others one move wins."""

MOST_CHILDREN = 32
"""There is always room for as many positions more."""
_CANDIDATES = 3
_PART = 100_000
"""Positions answered before Python has a look."""
_KEY = (1 << 2 * MOST_POINTS) - 1


class Listing(NamedTuple):
    """The arrays: of each position the key, within how many moves it is won, the answer, and which is answered after it.

    wins: the keys of positions that one move wins, each in a place that `_win_place` finds; -1 elsewhere.
    """

    keys: Ints
    ranks: Bytes
    answers: Bytes
    following: Numbers
    places: Numbers
    heads: Numbers
    state: Ints
    wins: Ints


def new_listing(room: int) -> Listing:
    """Return an empty list for so many positions, and for as many that one move wins."""
    size = 1 << (2 * room - 1).bit_length()
    return Listing(
        np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.uint8), np.full(room, OPEN, dtype=np.uint8), no_numbers(room),
        no_numbers(size), no_numbers(256), np.zeros(6, dtype=np.int64), np.full(size, -1, dtype=np.int64),
    )  # fmt: skip


def no_numbers(size: int) -> Numbers:
    """Return places for so many numbers, with -1 in each."""
    return np.full(size, -1, dtype=np.int32)


def grown(listing: Listing) -> Listing:
    """Return the same list with room for twice as many positions, of the kind that is about to lack it."""
    if has_room_for_wins(listing):
        old = len(listing.keys)
        made = new_listing(2 * old)._replace(wins=listing.wins, state=listing.state)
        made.keys[:old], made.ranks[:old], made.answers[:old] = listing.keys, listing.ranks, listing.answers
        made.following[:old], made.heads[:] = listing.following, listing.heads
        index_keys(made.places, made.keys, int(made.state[COUNT]))
        return made
    made = listing._replace(wins=np.full(2 * len(listing.wins), -1, dtype=np.int64))
    _copy_wins(listing.wins, made.wins)
    return made


@kernel
def has_room(listing: Listing) -> bool:
    """Tell whether the replies to one more answer find room."""
    return int(listing.state[COUNT]) + MOST_CHILDREN <= len(listing.keys) and has_room_for_wins(listing)


@kernel
def has_room_for_wins(listing: Listing) -> bool:
    """The same of those that one move wins. Three quarters of the places are used at most."""
    return 4 * (int(listing.state[WINS]) + MOST_CHILDREN) <= 3 * len(listing.wins)


@kernel
def _copy_wins(wins: Ints, into: Ints) -> None:
    for i in range(len(wins)):
        key = int(wins[nth(i)])
        if key >= 0:
            into[nth(_win_place(into, key))] = key


@kernel
def _win_place(wins: Ints, key: int) -> int:
    """Return the place where a key is, or where it would be."""
    last = len(wins) - 1
    mixed = (key ^ key >> 31) * 0x1E3779B97F4A7C15
    place = (mixed ^ (mixed >> 29)) & last
    while wins[nth(place)] >= 0 and wins[nth(place)] != key:
        place = (place + 1) & last
    return int(place)


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
def _is_listed(listing: Listing, key: int) -> bool:
    """Tell whether a position is listed, or among those that one move wins."""
    key &= _KEY
    return number_of(listing, key) >= 0 or _is_win(listing, key)


@kernel
def _is_win(listing: Listing, key: int) -> bool:
    """Tell whether a position is among those that one move wins."""
    return bool(listing.wins[nth(_win_place(listing.wins, key))] == key)


@kernel
def winning_bit(key: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints) -> int:
    """Return the first move that wins a position at once, by making points enough safe; 0 if there is none."""
    key &= _KEY
    mine, theirs = key & ((1 << MOST_POINTS) - 1), key >> MOST_POINTS
    if missing_of(missing, mine & ~theirs) > 1:
        return 0
    row = row_of(2)
    for k in range(_list_moves(2, key, shape, symmetries, space)):
        bit, own = int(space[nth(row + at.BITS + k)]), int(space[nth(row + at.PS + k)])
        if bit and missing_of(missing, own) == 0 and is_won(own, int(space[nth(row + at.OS + k)]), shape, space):
            return bit
    return 0


@kernel
def _add_win(listing: Listing, key: int) -> None:
    """Add a position that one move wins, if it is not there."""
    place = _win_place(listing.wins, key)
    if listing.wins[nth(place)] < 0:
        listing.wins[nth(place)] = key
        listing.state[WINS] += 1


@kernel
def _add_replies(
    listing: Listing, number: int, left: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints
) -> None:
    """List so many replies of row 1, to be won within so many moves."""
    row = row_of(1)
    for k in range(number):
        key = int(space[nth(row + at.KEYS + k)]) & _KEY
        if number_of(listing, key) < 0 and (_is_win(listing, key) or winning_bit(key, shape, symmetries, missing, space)):
            _add_win(listing, key)
        else:
            add(listing, key, left, table)


@kernel
def answer_all(listing: Listing, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints) -> int:
    """Answer the positions listed, and list what comes of that; return how far that is."""
    heads, state, done = listing.heads, listing.state, 0
    while state[RANK]:
        number = int(heads[nth(int(state[RANK]))])
        if number < 0:
            state[RANK] -= 1
            continue
        if listing.answers[nth(number)] == OPEN:
            if not has_room(listing):
                return FULL
            if done == _PART:
                return BUSY
            done += 1
            if not _answer(listing, number, shape, symmetries, missing, space, table):
                state[WHICH] = number
                return SEARCH
        # What was listed meanwhile with as many moves stands before it: no answer lists such positions.
        heads[nth(int(state[RANK]))] = listing.following[nth(number)]
    return COMPLETE


@kernel
def _answer(
    listing: Listing, number: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints
) -> bool:
    """Choose the answer to a position, and list the replies; tell whether one is known."""
    row, left = row_of(0), int(listing.ranks[nth(number)])
    moves = _list_moves(0, int(listing.keys[nth(number)]), shape, symmetries, space)
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
            new += not _is_listed(listing, int(space[nth(row_of(1) + at.KEYS + k)]))
        if new < fewest:
            chosen, fewest, best = candidate, new, worth & 255
    if chosen < 0:
        return False
    bit = int(space[nth(row + at.BITS + chosen)])
    listing.answers[nth(number)] = index(bit) if bit else BY_PASS
    listing.ranks[nth(number)] = best
    replies = _list_replies(chosen, shape, symmetries, space)
    _add_replies(listing, replies, best - 1, shape, symmetries, missing, space, table)
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
def add_replies(
    listing: Listing, number: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints
) -> None:
    """List what follows the answer to a position."""
    replies = replies_of(listing, number, shape, symmetries, space)
    _add_replies(listing, replies, int(listing.ranks[nth(number)]) - 1, shape, symmetries, missing, space, table)


@kernel
def keep_wins(listing: Listing, order: Numbers, shape: Shape, symmetries: Ints, space: Ints) -> None:
    """Forget the positions that one move wins, but for replies to the answers to these; ends early as `proof_order` does."""
    listing.wins[:] = -1
    listing.state[WINS] = 0
    for i in range(len(order)):
        number = int(order[nth(i)])
        if space[nth(at.LIMIT)] and listing.answers[nth(number)] & SAFE == 0:
            for k in range(replies_of(listing, number, shape, symmetries, space)):
                key = int(space[nth(row_of(1) + at.KEYS + k)]) & _KEY
                if number_of(listing, key) < 0:
                    _add_win(listing, key)


@kernel
def _list_moves(level: int, key: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write the prover's moves into the row of a level; return how many there are."""
    row, mine, theirs = row_of(level), key & ((1 << MOST_POINTS) - 1), key >> MOST_POINTS
    ko = mine & theirs
    space[nth(row + at.P)], space[nth(row + at.O)], space[nth(row + at.KO)] = mine & ~ko, theirs & ~ko, ko
    space[nth(row + at.TURN)], space[nth(row + at.KEY)] = 0, key
    return int(list_first(level, shape, symmetries, space))


@kernel
def _list_replies(chosen: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write into row 1 what the opponent can do after a move of row 0; return how many moves those are."""
    row, below = row_of(0), row_of(1)
    space[nth(below + at.P)], space[nth(below + at.O)] = space[nth(row + at.PS + chosen)], space[nth(row + at.OS + chosen)]
    space[nth(below + at.KO)], space[nth(below + at.TURN)] = space[nth(row + at.KOS + chosen)], 1
    space[nth(below + at.KEY)] = space[nth(row + at.KEYS + chosen)]
    return int(list_first(1, shape, symmetries, space))


@kernel
def write_wins(
    keys: Ints, points: int, size: int, into: Bytes, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints
) -> None:
    """Write positions that one move wins, with that move, as `write_positions` does."""
    for i in range(len(keys)):
        bit = winning_bit(int(keys[nth(i)]), shape, symmetries, missing, space)
        _write_position(int(keys[nth(i)]), index(bit), points, size, into, i * (size + 2))


@kernel
def write_positions(listing: Listing, order: Numbers, points: int, size: int, into: Bytes) -> None:
    """Write positions with their answers as `verify_proof` reads them, each `size` bytes and two more."""
    for i in range(len(order)):
        number = int(order[nth(i)])
        answer = int(listing.answers[nth(number)]) & (SAFE - 1)
        _write_position(int(listing.keys[nth(number)]), answer, points, size, into, i * (size + 2))


@kernel
def _write_position(key: int, answer: int, points: int, size: int, into: Bytes, place: int) -> None:
    ko, code = key & key >> MOST_POINTS, 0
    for point in range(points - 1, -1, -1):
        stones = (key >> point & 1) + 2 * (key >> MOST_POINTS + point & 1)
        code = 3 * code + (stones if stones < 3 else 0)
    for k in range(size):
        into[nth(place + k)] = code & 255
        code >>= 8
    into[nth(place + size)] = index(ko) if ko else 255
    into[nth(place + size + 1)] = 255 if answer == BY_PASS else answer
