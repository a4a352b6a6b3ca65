"""Alpha-beta with one question: can the player to move reach this margin?

The margin is his stones less the opponent's when the game ends, without komi. If the answer is yes, one move shows it; if
no, every move fails. The value of a position is the largest margin with the answer yes.

Order of moves: the table's move first, then as `search.ordering` scores them. Before moves are searched, the table is
asked about all their successors (enhanced transposition cut-off).

Everything a search writes, apart from the table, lies in one array of int64, its `space`: numba passes one flat array
faster than several, and views of rows would be counted references.
"""

from __future__ import annotations

import numpy as np

from kernels.entries import kernel
from search.bounds import decided
from search.leaves import reaches_in_one, reaches_in_two
from search.ordering import learn, shape
from search.smallboards import Ints, adjacent, canonical, captured_by, count, groups_of, index, ko_after
from search.transpositions import HIGHEST, LOWEST, fetch, look_up, lower_bound, move_of, position_key, store, upper_bound

YES, NO, UNKNOWN = 1, 0, -1
_OPEN = 2

# The first places of a space: the game (its points, whether it knows passing, its size), the binary logarithm of the
# table's buckets, from how many moves left symmetric positions count as one, the limit of nodes, the nodes counted so
# far, and whether to stop.
FULL, PASSING, SIZE, BITS, SYMMETRIC, LIMIT, NODES, STOP = range(8)

# Then one row for every number of moves left, 0 to 24: the position searched, its history, its groups, its moves.
_KEY, _WANTED, _LOW, _HIGH, _BEST, _NUMBER, _TRIED, _BEFORE, _MARK = range(9)
_ROWS, _ROW = 16, 288
_HISTORY, _GROUPS, _MOVES = 10, 40, 104
_MOVE, _OWN, _OTHER, _KO, _SCORE, _AFTER, _COLUMNS = range(7)

PASS_MOVE = 25
_DROPPED = -(1 << 40)
_DEFERRED = 1 << 38
_BUSY = 1 << 12
_FIRST = 1 << 40
_CAPTURE_BONUS = 40
# Positions with fewer moves left cost less than remembering them.
_STORED = 4
# With fewer moves left, threads do not look what the others are doing.
_SHARED = 8
# With fewer moves left, looking at the shape costs more than it saves.
_SHAPED = 8


def new_busy() -> Ints:
    """Return the board on which threads that search the same position note what they are at, all zero."""
    return np.zeros(_BUSY, dtype=np.int64)


def new_space() -> Ints:
    """Return what one search needs to work in, all zero; the caller fills in its first places."""
    return np.zeros(_ROWS + 25 * _ROW, dtype=np.int64)


@kernel
def prove(own: int, other: int, ko: int, passed: bool, left: int, wanted: int, space: Ints, table: Ints, busy: Ints) -> int:
    """Return YES if the player to move reaches the margin `wanted`, NO if not, UNKNOWN if the budget ran out.

    `passed`: a pass would end the game. `left`: moves left, passes counted. Nodes are counted up in `space`; the search
    gives up when they reach the limit there, or when STOP is set. Threads may share `table` and `busy`, not `space`.

    A loop, not a recursion: numba cannot load functions that call each other from its cache. The search stands at one
    position for every number of moves left, from `top` down to `left`.
    """
    top = left
    answer = _enter(own, other, ko, passed, left, wanted, space, table)
    while True:
        if answer == _OPEN:
            move = _next_move(left, space, busy)
            if move < 0:
                answer = _settle(False, left, space, table)
            else:
                wanted = 1 - int(space[_ROWS + left * _ROW + _WANTED])
                left -= 1
                own, other, ko = int(space[move + _OWN]), int(space[move + _OTHER]), int(space[move + _KO])
                answer = _enter(own, other, ko, space[move + _MOVE] == PASS_MOVE, left, wanted, space, table)
        elif left == top or answer == UNKNOWN:
            return answer
        else:
            left += 1
            if left >= _SHARED:
                _release(left, space, busy)
            # What the opponent cannot reach, the player to move has proven.
            answer = _settle(True, left, space, table) if answer == NO else _OPEN


@kernel
def _enter(own: int, other: int, ko: int, passed: bool, left: int, wanted: int, space: Ints, table: Ints) -> int:
    """Answer for a position at once, or write it and its moves into its row and return _OPEN."""
    full, passing = int(space[FULL]), space[PASSING] != 0
    space[NODES] += 1
    if left == 1:
        return YES if reaches_in_one(own, other, ko, wanted, full) else NO
    if left == 2:
        return YES if reaches_in_two(own, other, ko, passed, wanted, full, passing, space, _scratch(2)) else NO
    margin = count(own) - count(other)
    if left == 0 or (passed and margin >= wanted):
        return YES if margin >= wanted else NO
    if space[NODES] >= space[LIMIT] or space[STOP] != 0:
        return UNKNOWN
    # Who has the last move reaches at least what he reaches without it: it adds a stone and captures, or is not made.
    if left == 3 and reaches_in_two(own, other, ko, passed, wanted, full, passing, space, _scratch(2)):
        return YES
    if left >= space[SYMMETRIC]:
        own, other, ko = canonical(own, other, ko, int(space[SIZE]))
    key = position_key(own, other, ko, passed, left)
    low, high, best = LOWEST, HIGHEST, -1
    if left >= _STORED:
        entry = look_up(table, int(space[BITS]), key)
        if entry:
            low, high, best = lower_bound(entry), upper_bound(entry), move_of(entry)
            if low >= wanted:
                return YES
            if high < wanted:
                return NO
    empty, others = full & ~(own | other), _scratch(left)
    owns = groups_of(other, empty, full, space, others)
    end = groups_of(own, empty, full, space, owns)
    reached, missed = decided(margin, wanted, left, space, others, owns, end, passing)
    if reached or missed:
        return YES if reached else NO
    number = _list_moves(own, other, ko, passed, left, best, space, owns, end)
    if number == 0:
        return YES if margin >= wanted else NO
    row = _ROWS + left * _ROW
    space[row + _KEY], space[row + _WANTED], space[row + _BEST] = key, wanted, best
    space[row + _LOW], space[row + _HIGH] = low, high
    space[row + _NUMBER], space[row + _TRIED], space[row + _BEFORE] = number, 0, space[NODES]
    if left > _STORED and _look_ahead(left, space, table):
        return _settle(True, left, space, table)
    return _OPEN


@kernel
def _scratch(left: int) -> int:
    return _ROWS + left * _ROW + _GROUPS


@kernel
def _list_moves(
    own: int, other: int, ko: int, passed: bool, left: int, best: int, space: Ints, owns: int, end: int
) -> int:
    """Write the legal moves with the positions after them (own and other as the next player sees them); return how many.

    The row's scratch room holds the opponent's groups up to `owns`, then the player's own up to `end`.
    A pass that would end the game is left out: it is worth the margin on the board, which `_enter` has looked at.
    """
    full = int(space[FULL])
    empty = full & ~(own | other)
    others, past = _scratch(left), _ROWS + left * _ROW + _HISTORY
    legal, capturing = adjacent(empty, full) & empty, 0
    for i in range(others, owns, 2):
        free = int(space[i + 1])
        if free & (free - 1) == 0:
            capturing |= free
    for i in range(owns, end, 2):
        free = int(space[i + 1])
        if free & (free - 1):
            legal |= free
    legal = (legal | capturing) & ~ko
    row = _ROWS + left * _ROW + _MOVES
    number = 0
    while legal:
        bit = legal & -legal
        legal ^= bit
        point = index(bit)
        taken = captured_by(bit, space, others, owns) if bit & capturing else 0
        score = int(space[past + point])
        if taken:
            score += _CAPTURE_BONUS * count(taken)
        if left >= _SHAPED:
            score += shape(own | bit, other ^ taken, full)
        space[row + _MOVE], space[row + _OWN], space[row + _OTHER] = point, other ^ taken, own | bit
        space[row + _KO] = ko_after(bit, own, empty, taken, full)
        space[row + _SCORE] = score + _FIRST if point == best else score
        row += _COLUMNS
        number += 1
    if space[PASSING] != 0 and not passed:
        space[row + _MOVE], space[row + _OWN], space[row + _OTHER], space[row + _KO] = PASS_MOVE, other, own, 0
        space[row + _SCORE] = _FIRST if best == PASS_MOVE else space[past + PASS_MOVE]
        number += 1
    return number


@kernel
def _look_ahead(left: int, space: Ints, table: Ints) -> bool:
    """Tell whether the table knows a successor to be good enough (its move becomes the one tried last).

    Moves that the table knows to fail are dropped.
    """
    row = _ROWS + left * _ROW
    wanted, bits, symmetric = int(space[row + _WANTED]), int(space[BITS]), left > space[SYMMETRIC]
    first = row + _MOVES
    end = first + int(space[row + _NUMBER]) * _COLUMNS
    # Asking for all the places first lets the processor wait for memory once, not once for every successor.
    for move in range(first, end, _COLUMNS):
        own, other, ko = int(space[move + _OWN]), int(space[move + _OTHER]), int(space[move + _KO])
        if symmetric:
            own, other, ko = canonical(own, other, ko, int(space[SIZE]))
        key = position_key(own, other, ko, space[move + _MOVE] == PASS_MOVE, left - 1)
        space[move + _AFTER] = key
        fetch(table, bits, key)
    for move in range(first, end, _COLUMNS):
        entry = look_up(table, bits, int(space[move + _AFTER]))
        if entry:
            if upper_bound(entry) <= -wanted:
                _swap(space, first, move)
                space[row + _TRIED] = 1
                return True
            if lower_bound(entry) > -wanted:
                space[move + _SCORE] = _DROPPED
    return False


@kernel
def _next_move(left: int, space: Ints, busy: Ints) -> int:
    """Bring the most promising move not tried yet to the front of the rest; return its place, -1 if none is left.

    After the first move, one that another thread is searching now is put off until nothing else is left (simplified
    ABDADA: T. Kerrigan, after J.-C. Weill 1996); its result is then likely to be in the table.
    """
    row = _ROWS + left * _ROW
    tried, number = int(space[row + _TRIED]), int(space[row + _NUMBER])
    if tried == number:
        return -1
    first, end = row + _MOVES + tried * _COLUMNS, row + _MOVES + number * _COLUMNS
    while True:
        best = first
        for move in range(first + _COLUMNS, end, _COLUMNS):
            if space[move + _SCORE] > space[best + _SCORE]:
                best = move
        if space[best + _SCORE] == _DROPPED:
            return -1
        if left < _SHARED:
            break
        mark = _mark_of(best, left, space)
        if tried == 0 or space[best + _SCORE] < -_DEFERRED // 2 or busy[mark % _BUSY] != mark:
            busy[mark % _BUSY] = mark
            space[row + _MARK] = mark
            break
        space[best + _SCORE] -= _DEFERRED
    if best != first:
        _swap(space, first, best)
    space[row + _TRIED] = tried + 1
    return first


@kernel
def _mark_of(move: int, left: int, space: Ints) -> int:
    """Return a number for the position after a move, 1 or more; different positions may share one."""
    own, other = int(space[move + _OWN]), int(space[move + _OTHER])
    return ((own * 40503 + other * 25173 + left * 977) & ((1 << 40) - 1)) + 1


@kernel
def _release(left: int, space: Ints, busy: Ints) -> None:
    """Say that this thread no longer searches the move it tried last with this many moves left."""
    mark = int(space[_ROWS + left * _ROW + _MARK])
    if busy[mark % _BUSY] == mark:
        busy[mark % _BUSY] = 0


@kernel
def _swap(space: Ints, one: int, two: int) -> None:
    for column in range(_COLUMNS):
        kept = space[one + column]
        space[one + column] = space[two + column]
        space[two + column] = kept


@kernel
def _settle(proven: bool, left: int, space: Ints, table: Ints) -> int:
    """Store the answer for the position with `left` moves left and return it; the move tried last is what proved it."""
    row = _ROWS + left * _ROW
    spent, bits, key = int(space[NODES] - space[row + _BEFORE]), int(space[BITS]), int(space[row + _KEY])
    low, high, wanted = int(space[row + _LOW]), int(space[row + _HIGH]), int(space[row + _WANTED])
    if not proven:
        if left >= _STORED:
            store(table, bits, key, low, wanted - 1, int(space[row + _BEST]), spent)
        return NO
    first = row + _MOVES
    last = first + (int(space[row + _TRIED]) - 1) * _COLUMNS
    if left >= _STORED:
        store(table, bits, key, wanted, high, int(space[last + _MOVE]), spent)
    weight = left * left * left
    past = row + _HISTORY
    learn(space, past + int(space[last + _MOVE]), weight)
    for move in range(first, last, _COLUMNS):
        learn(space, past + int(space[move + _MOVE]), -2 * weight)
    return YES
