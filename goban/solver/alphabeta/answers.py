"""The answers of a strategy in a game of the course, as the search proves them: kernels for `course_proofs`.

A position, in which the prover is to move, is a number as in `verify_course_proof`, but with room for five points in each row
whatever the size: the order of the numbers is the same.

The search has proven what comes of some answers already, most of them on its way to the proof of the claim; of such an answer
all that follows is known, too, and little of it is new. So the answers known to win are taken, and only where there is none the
position is searched. Late in the game more are tried. Of several the one is taken that brings the fewest positions which have
not come about already. Late, a position counts for what its own best answer brings, one that no single answer decides for
several. A choice changes what others bring, so some thousand positions are gone through several times.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import entry, inlined, kernel, spliced
from goban.solver.alphabeta import stack as at
from goban.solver.alphabeta.boards import (
    WIDTH,
    Ints,
    adjacent,
    group,
    groups_of,
    index,
    inverse,
    ko_after,
    transform,
    turned_point,
)
from goban.solver.alphabeta.null_window import NO, UNKNOWN, prove
from goban.solver.alphabeta.transpositions import look_up, mix, move_of, symmetric_key
from goban.solver.alphabeta.verify_course_proof import NONE

MOST_REPLIES = 26 * 26
"""To all answers in one position."""
REPLIES_AT_ONCE = 1 << 20
"""To the answers that are chosen together."""

_LATE = 8
"""With so many moves left or fewer, all answers are tried, each with so many nodes."""
_KNOWN, _EFFORT, _NO_LIMIT = 1, 30, 1 << 60
_OPEN_SIZE = 6
"""What a position counts for that no single answer decides, at a glance."""
_SWEEPS = 3

_POINTS = WIDTH * WIDTH
_STONES = (1 << _POINTS) - 1

# The room: the margin wanted; for each answer ahead the options, BIT (0: a pass), OWN and OTHER after it as who made it sees
# them, KO, whether it WINS, and the REPLIES to one of them; groups, and what can be captured of them.
_WANTED = 0
BIT, OWN, OTHER, KO, WINS, REPLIES = range(8, 8 + 6 * 32, 32)
_LEVEL = 6 * 32
_GROUPS = 8 + 3 * _LEVEL
_TAKEN = _GROUPS + 32
# What glances found: a position with its moves left, its size.
_MEMO, _MEMO_BITS = _TAKEN + (2 << 14), 18
# Of positions chosen together: a set of the replies, what each counts for, and how many chosen answers lead to it; where each
# answer's replies stand there; the answers, a point and where its replies begin; each position's first answer, and the chosen.
_SEEN_BITS = 21
_SEEN, _WEIGHT, _USES = range(_MEMO + (2 << _MEMO_BITS), _MEMO + (2 << _MEMO_BITS) + (3 << _SEEN_BITS), 1 << _SEEN_BITS)
_PLACES = _USES + (1 << _SEEN_BITS)
_ANSWERS = _PLACES + REPLIES_AT_ONCE
_FIRST = _ANSWERS + REPLIES_AT_ONCE
_CHOSEN = _FIRST + REPLIES_AT_ONCE // 2
_END = _CHOSEN + REPLIES_AT_ONCE // 2

DONE, REACHED = range(2)
"""What `answer_some` counts up: the positions that have their answers, and the numbers in `reached`."""


def new_room(wanted: int) -> Ints:
    """Return what the kernels need to work in, for a margin that the prover wants."""
    room = np.zeros(_END, np.int64)
    room[_WANTED] = wanted
    return room


@kernel
def number_of(p: int, o: int, ko: int, passed: bool, size: int) -> int:
    """Return the number of a position: of those that it has turned and mirrored, the least."""
    p, o = p | ko, o | ko
    least_p, least_o = p, o
    for which in range(1, 8):
        theirs = transform(o, which, size)
        if theirs <= least_o:
            mine = transform(p, which, size)
            if theirs < least_o or mine < least_p:
                least_p, least_o = mine, theirs
    return least_p | least_o << _POINTS | (1 << 2 * _POINTS if passed else 0)


@kernel
def _position_of(number: int) -> tuple[int, int, int, bool]:
    """Return (p, o, forbidden point, whether a pass would end the game)."""
    p, o = number & _STONES, (number >> _POINTS) & _STONES
    return p & ~o, o & ~p, p & o, number >> 2 * _POINTS != 0


@kernel
def _list_options(p: int, o: int, ko: int, passes: bool, room: Ints, base: int, full: int) -> int:
    """List what the player with the stones `p` can do, from `base` on, where a level begins; return how much that is."""
    empty, number = full & ~(p | o), 0
    rest = empty & ~ko
    while rest:
        bit = rest & -rest
        rest ^= bit
        near, taken = adjacent(bit, full), 0
        beside = near & o
        while beside:
            part = group(beside & -beside, o, full)
            beside &= ~part
            if adjacent(part, full) & empty == bit:
                taken |= part
        if taken or near & empty or adjacent(group(bit, p | bit, full), full) & (empty ^ bit):
            place = base + number
            room[nth(place + BIT)], room[nth(place + OWN)], room[nth(place + OTHER)] = bit, p | bit, o & ~taken
            room[nth(place + KO)] = ko_after(bit, p, empty, taken, full)
            number += 1
    if passes:
        place = base + number
        room[nth(place + BIT)], room[nth(place + OWN)], room[nth(place + OTHER)], room[nth(place + KO)] = 0, p, o, 0
        number += 1
    return number


@kernel
def list_replies(option: int, left: int, room: Ints, base: int, space: Ints) -> int:
    """List the positions that come of an option, after which so many moves are left; return how many. Uses the next level."""
    if left < 2:
        return 0
    place, over, size = base + option, base + _LEVEL, int(space[at.SIZE])
    passes = space[at.PASSING] != 0 and room[nth(place + BIT)] != 0
    p, o, ko = int(room[nth(place + OWN)]), int(room[nth(place + OTHER)]), int(room[nth(place + KO)])
    number = 0
    for k in range(_list_options(o, p, ko, passes, room, over, int(space[at.FULL]))):
        o, p, ko = int(room[nth(over + OWN + k)]), int(room[nth(over + OTHER + k)]), int(room[nth(over + KO + k)])
        reply, known = number_of(p, o, ko, room[nth(over + BIT + k)] == 0, size), False
        for i in range(number):
            known |= room[nth(base + REPLIES + i)] == reply
        room[nth(base + REPLIES + number)] = reply
        number += not known
    return number


@kernel
def decides(p: int, o: int, left: int, wanted: int, passing: bool, full: int, room: Ints) -> bool:
    """Tell what `verify_course_proof.is_decided` tells, in the same steps."""
    theirs, mine, empty = (left + 1) // 2, left // 2, full & ~(p | o)
    least = count(p) - count(o) - theirs - wanted
    if least + mine < 0:
        return False
    end, fills, pairs, used = groups_of(p, empty, full, room, _GROUPS), 0, 0, 0
    most = 0
    for i in range(_GROUPS, end, 2):
        most = max(most, count(int(room[nth(i + 1)])))
    for liberties in range(most, theirs, -1):
        for i in range(_GROUPS, end, 2):
            near = int(room[nth(i + 1)])
            if count(near) == liberties and near & used == 0:
                fills, used = fills + liberties - theirs - 1, used | near
                while near:
                    beyond = adjacent(near & -near, full) & empty & ~used
                    pairs, used, near = pairs + (beyond != 0), used | beyond & -beyond, near & (near - 1)
    fills = min(mine, fills + pairs // 2)
    least += fills
    if least < 0 or (not passing and fills < mine - (left % 2 == 0)):
        return False
    room[_TAKEN], room[_TAKEN + 1], last = 0, 0, _TAKEN + 2
    for i in range(_GROUPS, end, 2):
        stones, near = count(int(room[nth(i)])), int(room[nth(i + 1)])
        if count(near) <= theirs:
            for j in range(_TAKEN, last, 2):
                more, lost = near | int(room[nth(j)]), stones + int(room[nth(j + 1)])
                if count(more) <= theirs:
                    if lost > least:
                        return False
                    room[nth(last)], room[nth(last + 1)], last = more, lost, last + 2
    return True


@kernel
def _find_deciding(options: int, p: int, o: int, passed: bool, left: int, room: Ints, base: int, space: Ints) -> int:
    """Return an option that decides the game, `options` where none is needed, -1 if there is none."""
    full, passing, wanted = int(space[at.FULL]), space[at.PASSING] != 0, int(room[_WANTED])
    if options == 0 or (passed and count(p) - count(o) >= wanted):
        return options
    for place in range(base, base + options):
        if decides(int(room[nth(place + OWN)]), int(room[nth(place + OTHER)]), left - 1, wanted, passing, full, room):
            return place - base
    return -1


@spliced
def _search(
    p: int, o: int, ko: int, passed: bool, left: int, wanted: int, nodes: int, space: Ints, table: Ints, common: Ints
) -> int:
    """Return what `prove` does with so many nodes."""
    space[at.NODES], space[at.LIMIT], space[at.STOP] = 0, nodes, 0
    answer = prove(p, o, ko, passed, left, wanted, space, table, common)
    if answer == UNKNOWN:
        # What was being searched must not be put off when it comes again.
        for k in range(at.MARKS):
            common[nth(k)] = 0
    return answer


@spliced
def _wins(place: int, left: int, nodes: int, room: Ints, space: Ints, table: Ints, common: Ints) -> bool:
    """Tell whether the option that stands at a place is found to win."""
    p, o, ko = int(room[nth(place + OWN)]), int(room[nth(place + OTHER)]), int(room[nth(place + KO)])
    wanted, passed = 1 - int(room[_WANTED]), room[nth(place + BIT)] == 0
    return _search(o, p, ko, passed, left - 1, wanted, nodes, space, table, common) == NO


@kernel
def _mark_winning(
    options: int,
    p: int,
    o: int,
    ko: int,
    passed: bool,
    left: int,
    room: Ints,
    base: int,
    space: Ints,
    table: Ints,
    common: Ints,
) -> None:
    """Mark the options that are found to win; if none is at once, the one that the search proves the position by."""
    nodes, some = _EFFORT if left <= _LATE else _KNOWN, False
    for place in range(base, base + options):
        wins = _wins(place, left, nodes, room, space, table, common)
        room[nth(place + WINS)] = wins
        some |= wins
    if some:
        return
    _search(p, o, ko, passed, left, int(room[_WANTED]), _NO_LIMIT, space, table, common)
    size = int(space[at.SIZE])
    key, which = symmetric_key(p, o, ko, passed, left, int(space[at.SYMMETRIC]), size)
    best = turned_point(move_of(look_up(table, int(space[at.BITS]), key)), inverse(which), size)
    for others in range(2):
        for place in range(base, base + options):
            proving = best >= 0 and room[nth(place + BIT)] == 1 << best
            if proving != (others != 0) and _wins(place, left, _NO_LIMIT, room, space, table, common):
                room[nth(place + WINS)] = 1
                return


@kernel
def _glance(number: int, left: int, room: Ints, base: int, space: Ints) -> int:
    """Return what a position counts for by whether one answer decides it."""
    if left <= 2:
        return 1
    key = number | left << 2 * _POINTS + 1
    place = _MEMO + 2 * (mix(key) & ((1 << _MEMO_BITS) - 1))
    if room[nth(place)] != key:
        p, o, ko, passed = _position_of(number)
        options = _list_options(p, o, ko, space[at.PASSING] != 0 and not passed, room, base, int(space[at.FULL]))
        easy = _find_deciding(options, p, o, passed, left, room, base, space) >= 0
        room[nth(place)], room[nth(place + 1)] = key, 1 if easy else _OPEN_SIZE
    return int(room[nth(place + 1)])


@spliced
def _size_of(number: int, left: int, room: Ints, base: int, space: Ints, table: Ints, common: Ints) -> int:
    """Return about how many positions come of one, itself counted: late, looking one answer ahead."""
    if left <= 2 or left > _LATE:
        return 1
    p, o, ko, passed = _position_of(number)
    options = _list_options(p, o, ko, space[at.PASSING] != 0 and not passed, room, base, int(space[at.FULL]))
    if _find_deciding(options, p, o, passed, left, room, base, space) >= 0:
        return 1
    _mark_winning(options, p, o, ko, passed, left, room, base, space, table, common)
    least = _NO_LIMIT
    for option in range(options):
        if room[nth(base + WINS + option)]:
            size = 1
            for i in range(list_replies(option, left - 1, room, base, space)):
                size += _glance(int(room[nth(base + REPLIES + i)]), left - 2, room, base + _LEVEL, space)
            least = min(least, size)
    return least


@kernel
def _slot_of(number: int, numbers: Ints, start: int, bits: int) -> int:
    """Return where a number stands in a set with 1 << bits places from `start` on, or the free one where it belongs.

    A place holds a number plus 1, or 0.
    """
    slot = mix(number) >> (60 - bits)
    while numbers[nth(start + slot)] != number + 1 and numbers[nth(start + slot)] != 0:
        slot = (slot + 1) & ((1 << bits) - 1)
    return slot


@entry("void(int64[::1], int64[::1])")
def add_all(listed: Ints, numbers: Ints) -> None:
    """Add numbers to a set, which has a power of two places."""
    bits = count(len(numbers) - 1)
    for i in range(len(listed)):
        numbers[nth(_slot_of(int(listed[nth(i)]), numbers, 0, bits))] = listed[nth(i)] + 1


@entry("void(int64[::1], int64, int64, uint8[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])")
def answer_some(
    positions: Ints,
    left: int,
    most: int,
    answers: npt.NDArray[np.uint8],
    counts: Ints,
    reached: Ints,
    room: Ints,
    space: Ints,
    table: Ints,
    common: Ints,
) -> None:
    """Answer the next `most` positions, or as many as there is room for; add what comes of them to the set `reached`.

    Where the answers end is in `counts`, changed at the very end: no signal finds half of it done.
    """
    done = int(counts[DONE])
    number = _list_choices(positions, done, min(len(positions), done + most), left, reached, room, space, table, common)
    for sweep in range(_SWEEPS):
        # Who has no choice comes first.
        for choices in range(1, 27):
            for k in range(number):
                first = int(room[nth(_FIRST + k)])
                if room[nth(_FIRST + k + 1)] - first == choices:
                    if sweep:
                        _use(int(room[nth(_CHOSEN + k)]), -1, room)
                    best = _least_choice(first, choices, left, room, space, table, common) if choices > 1 else first
                    room[nth(_CHOSEN + k)] = best
                    _use(best, 1, room)
    size = int(space[at.SIZE])
    for k in range(number):
        bit = int(room[nth(_ANSWERS + 2 * int(room[nth(_CHOSEN + k)]))])
        answers[nth(done + k)] = index(bit) // WIDTH * size + index(bit) % WIDTH if bit else NONE
    counts[REACHED] += _take_used(int(room[nth(_ANSWERS + 2 * int(room[nth(_FIRST + number)]) + 1)]), reached, room)
    counts[DONE] = done + number


@spliced
def _list_choices(
    positions: Ints, start: int, end: int, left: int, reached: Ints, room: Ints, space: Ints, table: Ints, common: Ints
) -> int:
    """List the answers to positions that are found to win, each with its replies; return for how many there was room."""
    number = choices = replies = 0
    while start + number < end and replies + MOST_REPLIES <= REPLIES_AT_ONCE and 2 * choices + 64 <= REPLIES_AT_ONCE:
        room[nth(_FIRST + number)] = choices
        p, o, ko, passed = _position_of(int(positions[nth(start + number)]))
        options = _list_options(p, o, ko, space[at.PASSING] != 0 and not passed, room, 0, int(space[at.FULL]))
        deciding = _find_deciding(options, p, o, passed, left, room, 0, space)
        if deciding < 0:
            _mark_winning(options, p, o, ko, passed, left, room, 0, space, table, common)
        for option in range(max(options, deciding + 1)):
            if option == deciding or (deciding < 0 and room[nth(WINS + option)]):
                place = _ANSWERS + 2 * choices
                room[nth(place)], room[nth(place + 1)] = room[nth(BIT + option)] if option < options else 0, replies
                choices += 1
                if deciding < 0:
                    replies = _add_replies(list_replies(option, left - 1, room, 0, space), replies, reached, room)
        number += 1
    room[nth(_FIRST + number)] = choices
    room[nth(_ANSWERS + 2 * choices + 1)] = replies
    return number


@kernel
def _add_replies(number: int, place: int, reached: Ints, room: Ints) -> int:
    """Add so many listed replies to those seen, and where they stand there from a place on; return the place after them."""
    bits = count(len(reached) - 1)
    for i in range(number):
        reply = int(room[nth(REPLIES + i)])
        slot = _slot_of(reply, room, _SEEN, _SEEN_BITS)
        if room[nth(_SEEN + slot)] == 0:
            room[nth(_SEEN + slot)] = reply + 1
            # What has come about already costs nothing; -1 is not known yet.
            room[nth(_WEIGHT + slot)] = -1 if reached[nth(_slot_of(reply, reached, 0, bits))] == 0 else 0
        room[nth(_PLACES + place + i)] = slot
    return place + number


@inlined
def _use(choice: int, more: int, room: Ints) -> None:
    """Count an answer's replies as used once more, or less."""
    place = _ANSWERS + 2 * choice + 1
    for i in range(int(room[nth(place)]), int(room[nth(place + 2)])):
        room[nth(_USES + room[nth(_PLACES + i)])] += more


@spliced
def _least_choice(first: int, choices: int, left: int, room: Ints, space: Ints, table: Ints, common: Ints) -> int:
    """Return the answer, of so many from the first on, that brings least which has not come about already."""
    best, least = first, _NO_LIMIT
    for choice in range(first, first + choices):
        size, place = 0, _ANSWERS + 2 * choice + 1
        for i in range(int(room[nth(place)]), int(room[nth(place + 2)])):
            slot = int(room[nth(_PLACES + i)])
            if room[nth(_USES + slot)] == 0:
                if room[nth(_WEIGHT + slot)] < 0:
                    reply = int(room[nth(_SEEN + slot)]) - 1
                    room[nth(_WEIGHT + slot)] = _size_of(reply, left - 2, room, _LEVEL, space, table, common)
                size += int(room[nth(_WEIGHT + slot)])
        if size < least:
            best, least = choice, size
    return best


@kernel
def _take_used(replies: int, reached: Ints, room: Ints) -> int:
    """Add the replies used to a set, forget all that were seen, and return how many are new."""
    bits, new = count(len(reached) - 1), 0
    for i in range(replies):
        slot = int(room[nth(_PLACES + i)])
        if room[nth(_USES + slot)] > 0:
            reply = int(room[nth(_SEEN + slot)]) - 1
            place = _slot_of(reply, reached, 0, bits)
            new += reached[nth(place)] == 0
            reached[nth(place)] = reply + 1
        room[nth(_SEEN + slot)] = room[nth(_USES + slot)] = 0
    return new
