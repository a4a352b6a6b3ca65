"""Alpha-beta with one question: can the player to move reach this margin?

The margin is his stones less the opponent's when the game ends, without komi. If the answer is yes, one move shows it; if
no, every move fails. The value of a position is the largest margin with the answer yes.

Order of moves: the table's move first, then as `search.ordering` scores them. Before moves are searched, the table is
asked about all their successors (enhanced transposition cut-off).

The search writes what it does into a `search.spaces` space. The groups of a position come from those of the one before it.
"""

from __future__ import annotations

import numpy as np

from kernels.entries import inlined, kernel
from kernels.indices import nth
from search import spaces as at
from search.bounds import surely_misses, surely_reaches
from search.groups import captured_by, groups_of, opposing
from search.leaves import reaches_in_one, reaches_in_two
from search.lookahead import DROPPED, known_to_win, mover_groups_after, wins_at_sight
from search.ordering import learn, shape
from search.smallboards import Ints, adjacent, canonical, count, index, ko_after
from search.spaces import entry_of, place_of, row_of, score_of
from search.transpositions import HIGHEST, LOWEST, look_up, lower_bound, move_of, position_key, store, upper_bound

YES, NO, UNKNOWN = 1, 0, -1
_OPEN = 2

_DEFERRED = 1 << 38
_BUSY = 1 << 12
_FIRST = 1 << 40
# What a captured stone adds to a score, far from the end and near it; history alone gives up to 65,536.
_CAPTURED_FAR, _CAPTURED_NEAR = 40, 20_000
# Positions with fewer moves left cost less than remembering them.
_STORED = 4
# With fewer moves left, threads do not look what the others are doing.
_SHARED = 8
# With fewer moves left, looking at the shape costs more than it saves.
_SHAPED = 8
# With more moves left, hardly anything can be seen without a search.
_AT_SIGHT = 7
_NO_MOVE = -1


def new_busy() -> Ints:
    """Return the board on which threads that search the same position note what they are at, all zero."""
    return np.zeros(_BUSY, dtype=np.int64)


@kernel
def prove(own: int, other: int, ko: int, passed: bool, left: int, wanted: int, space: Ints, table: Ints, busy: Ints) -> int:
    """Return YES if the player to move reaches the margin `wanted`, NO if not, UNKNOWN if the budget ran out.

    `passed`: a pass would end the game. `left`: moves left, passes counted. Nodes are counted up in `space`; the search
    gives up when they reach the limit there, or when STOP is set. Threads may share `table` and `busy`, not `space`.

    A loop, not a recursion: numba cannot load functions that call each other from its cache. The search stands at one
    position for every number of moves left, from `top` down to `left`.
    """
    top = left
    answer = _enter(own, other, ko, passed, left, wanted, _NO_MOVE, space, table)
    while True:
        if answer == _OPEN:
            move = _next_move(left, space, busy)
            if move < 0:
                answer = _settle(False, left, space, table)
            else:
                wanted = 1 - int(space[nth(row_of(left) + at.WANTED)])
                left -= 1
                own, other, ko = int(space[nth(move + at.OWN)]), int(space[nth(move + at.OTHER)]), int(space[nth(move + at.KO)])
                answer = _enter(own, other, ko, space[nth(move + at.MOVE)] == at.PASS_MOVE, left, wanted, move, space, table)
        elif left == top or answer == UNKNOWN:
            return answer
        else:
            left += 1
            if left >= _SHARED:
                _release(left, space, busy)
            # What the opponent cannot reach, the player to move has proven.
            answer = _settle(True, left, space, table) if answer == NO else _OPEN


@inlined
def _enter(own: int, other: int, ko: int, passed: bool, left: int, wanted: int, move: int, space: Ints, table: Ints) -> int:
    """Answer for a position at once, or write it and its moves into its row and return _OPEN.

    `move`: where the move that led to it stands in the row above, or _NO_MOVE.
    """
    space[at.NODES] += 1
    full, passing, row = int(space[at.FULL]), space[at.PASSING] != 0, row_of(left)
    margin = count(own) - count(other)
    if left == 0 or (passed and margin >= wanted):
        return YES if margin >= wanted else NO
    if left == 1:
        return YES if reaches_in_one(own, other, ko, wanted, full, space) else NO
    if left > 2 and (space[at.NODES] >= space[at.LIMIT] or space[at.STOP] != 0):
        return UNKNOWN
    symmetric = left >= space[at.SYMMETRIC]
    if symmetric:
        own, other, ko = canonical(own, other, ko, int(space[at.SIZE]))
    key = position_key(own, other, ko, passed, left)
    low, high, best = LOWEST, HIGHEST, -1
    if left >= _STORED:
        entry = look_up(table, int(space[at.BITS]), key)
        if entry:
            low, high, best = lower_bound(entry), upper_bound(entry), move_of(entry)
            if low >= wanted:
                return YES
            if high < wanted:
                return NO
    _list_groups(own, other, _NO_MOVE if symmetric else move, left, space)
    owns, others = int(space[nth(row + at.OWNS)]), int(space[nth(row + at.OTHERS)])
    if left <= 3:
        # Who has the last move reaches at least what he reaches without it: it adds a stone and captures, or is not made.
        reached = reaches_in_two(
            own, other, ko, passed, wanted, space, row + at.OWN_GROUPS, owns, row + at.OTHER_GROUPS, others
        )  # fmt: skip
        if reached or left == 2:
            return YES if reached else NO
    if move == _NO_MOVE or left >= _AT_SIGHT:
        if surely_reaches(margin, wanted, left, space, row + at.OWN_GROUPS, owns, passing):
            return YES
        if surely_misses(margin, wanted, left, space, row + at.OTHER_GROUPS, others, passing):
            return NO
    space[nth(row + at.KEY)], space[nth(row + at.WANTED)], space[nth(row + at.BEST)] = key, wanted, best
    space[nth(row + at.LOW)], space[nth(row + at.HIGH)] = low, high
    space[nth(row + at.TRIED)], space[nth(row + at.BEFORE)] = 0, space[at.NODES]
    if _list_moves(own, other, ko, passed, left, space) == 0:
        return YES if margin >= wanted else NO
    if left <= _AT_SIGHT and wins_at_sight(left, space):
        return _settle(True, left, space, table)
    if left > _STORED and known_to_win(left, space, table):
        return _settle(True, left, space, table)
    return _OPEN


@inlined
def _list_groups(own: int, other: int, move: int, left: int, space: Ints) -> None:
    """Write the groups of a position into its row."""
    row, full = row_of(left), int(space[at.FULL])
    owns, others = row + at.OWN_GROUPS, row + at.OTHER_GROUPS
    if move == _NO_MOVE or space[nth(move + at.MOVE)] == at.PASS_MOVE:
        empty = full & ~(own | other)
        space[nth(row + at.OWNS)] = groups_of(own, empty, full, space, owns)
        space[nth(row + at.OTHERS)] = groups_of(other, empty, full, space, others)
        return
    above = row_of(left + 1)
    space[nth(row + at.OWNS)], space[nth(row + at.OTHERS)] = _groups_after(move, above, space, owns, others)


@inlined
def _groups_after(move: int, row: int, space: Ints, owns: int, others: int) -> tuple[int, int]:
    """Write the groups after a placement in a row's position, those of the next player to `owns`; return the ends."""
    bit = 1 << int(space[nth(move + at.MOVE)])
    end = opposing(bit, space, row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), owns)
    return end, mover_groups_after(move, row, space, others)


@inlined
def _list_moves(own: int, other: int, ko: int, passed: bool, left: int, space: Ints) -> int:
    """Write the legal moves with the positions after them (own and other as the next player sees them); return how many.

    A pass that would end the game is left out: it is worth the margin on the board, which `_enter` has looked at.
    """
    full, row = int(space[at.FULL]), row_of(left)
    space[nth(row + at.MINE)], space[nth(row + at.THEIRS)] = own, other
    owns, others = int(space[nth(row + at.OWNS)]), int(space[nth(row + at.OTHERS)])
    empty, past, best = full & ~(own | other), row + at.HISTORY, int(space[nth(row + at.BEST)])
    legal, capturing = adjacent(empty, full) & empty, 0
    for i in range(row + at.OTHER_GROUPS, others, 2):
        free = int(space[nth(i + 1)])
        capturing |= free & -(free & (free - 1) == 0)
    for i in range(row + at.OWN_GROUPS, owns, 2):
        free = int(space[nth(i + 1)])
        legal |= free & -(free & (free - 1) != 0)
    legal = (legal | capturing) & ~ko
    number = 0
    captured = _CAPTURED_FAR if left >= _SHAPED else _CAPTURED_NEAR
    while legal:
        bit = legal & -legal
        legal ^= bit
        point, move = index(bit), place_of(row, number)
        taken = captured_by(bit, space, row + at.OTHER_GROUPS, others) if bit & capturing else 0
        score = int(space[nth(past + point)]) + captured * count(taken) + _FIRST * (point == best)
        space[nth(move + at.MOVE)], space[nth(move + at.OWN)], space[nth(move + at.OTHER)] = point, other ^ taken, own | bit
        space[nth(move + at.KO)] = ko_after(bit, own, empty, taken, full)
        if left >= _SHAPED:
            next_end, end = _groups_after(move, row, space, at.OTHER_SCRATCH, at.SCRATCH)
            score += shape(space, at.SCRATCH, end, at.OTHER_SCRATCH, next_end)
        space[nth(row + at.ORDER + number)] = entry_of(score, number)
        number += 1
    if space[at.PASSING] != 0 and not passed:
        move = place_of(row, number)
        space[nth(move + at.MOVE)], space[nth(move + at.KO)] = at.PASS_MOVE, 0
        space[nth(move + at.OWN)], space[nth(move + at.OTHER)] = other, own
        score = int(space[nth(past + at.PASS_MOVE)]) + _FIRST * (best == at.PASS_MOVE)
        space[nth(row + at.ORDER + number)] = entry_of(score, number)
        number += 1
    space[nth(row + at.NUMBER)] = number
    return number


@inlined
def _next_move(left: int, space: Ints, busy: Ints) -> int:
    """Bring the most promising move not tried yet to the front of the rest; return its place, -1 if none is left.

    After the first move, one that another thread is searching now is put off until nothing else is left (simplified
    ABDADA: T. Kerrigan, after J.-C. Weill 1996); its result is then likely to be in the table.
    """
    row = row_of(left)
    tried, number = int(space[nth(row + at.TRIED)]), int(space[nth(row + at.NUMBER)])
    if tried == number:
        return -1
    first, end = row + at.ORDER + tried, row + at.ORDER + number
    while True:
        best, entry = first, int(space[nth(first)])
        for place in range(first + 1, end):
            other = int(space[nth(place)])
            better = score_of(other) > score_of(entry)
            best = place if better else best
            entry = other if better else entry
        if score_of(entry) == DROPPED:
            return -1
        if left < _SHARED:
            break
        mark = _mark_of(place_of(row, entry), left, space)
        if tried == 0 or score_of(entry) < -_DEFERRED // 2 or busy[mark % _BUSY] != mark:
            busy[mark % _BUSY] = mark
            space[nth(row + at.MARK)] = mark
            break
        space[nth(best)] -= entry_of(_DEFERRED, 0)
    space[nth(best)] = space[nth(first)]
    space[nth(first)] = entry
    space[nth(row + at.TRIED)] = tried + 1
    return place_of(row, entry)


@kernel
def _mark_of(move: int, left: int, space: Ints) -> int:
    """Return a number for the position after a move, 1 or more; different positions may share one."""
    own, other = int(space[nth(move + at.OWN)]), int(space[nth(move + at.OTHER)])
    return ((own * 40503 + other * 25173 + left * 977) & ((1 << 40) - 1)) + 1


@kernel
def _release(left: int, space: Ints, busy: Ints) -> None:
    """Say that this thread no longer searches the move it tried last with this many moves left."""
    mark = int(space[nth(row_of(left) + at.MARK)])
    if busy[mark % _BUSY] == mark:
        busy[mark % _BUSY] = 0


@inlined
def _settle(proven: bool, left: int, space: Ints, table: Ints) -> int:
    """Store the answer for the position with `left` moves left and return it; the move tried last is what proved it."""
    row = row_of(left)
    spent, bits, key = int(space[at.NODES] - space[nth(row + at.BEFORE)]), int(space[at.BITS]), int(space[nth(row + at.KEY)])
    low, high, wanted = int(space[nth(row + at.LOW)]), int(space[nth(row + at.HIGH)]), int(space[nth(row + at.WANTED)])
    if not proven:
        if left >= _STORED:
            store(table, bits, key, low, wanted - 1, int(space[nth(row + at.BEST)]), spent)
        return NO
    first = row + at.ORDER
    end = first + int(space[nth(row + at.TRIED)]) - 1
    last = place_of(row, int(space[nth(end)]))
    if left >= _STORED:
        store(table, bits, key, wanted, high, int(space[nth(last + at.MOVE)]), spent)
    weight = left * left * left
    past = row + at.HISTORY
    learn(space, past + int(space[nth(last + at.MOVE)]), weight)
    for place in range(first, end):
        learn(space, past + int(space[nth(place_of(row, int(space[nth(place)])) + at.MOVE)]), -2 * weight)
    return YES
