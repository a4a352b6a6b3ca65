"""Alpha-beta search with a null window, which asks one question: can the player to move reach this margin?

The margin is the mover's stones less the opponent's when the game ends, without komi. Alpha-beta usually finds a value between
two limits; here there is nothing between them, so the answer is yes or no, and far more branches are cut off. If the
answer is yes, one move proves it; if it is no, every move has failed. The value of a position is the largest margin with the
answer yes: `goban.solver.solver` finds it by asking again with another margin, and the table makes that cheap.

The player to move reaches `wanted` if the opponent, who moves next, cannot reach `1 - wanted`: margins are whole numbers, so
"not at least 1 - wanted" is "at most -wanted", which is at least `wanted` from the other side.

What happens at a position, cheapest first:

    _enter        the game is over, or one or two moves from its end: answered without a search (`last_moves`)
                  the table knows a bound that answers
                  the bounds show a move that surely wins (`bounds.wins_at_sight`), and which surely fail
                  the table knows a successor in which the opponent fails (enhanced transposition cut-off)
    _next_move    the most promising move not tried yet: the table's move first, then as `moves` scores them
    _settle       the answer goes into the table, and the history learns which move proved it and which were tried in vain

The search writes what it does into a `goban.solver.alphabeta.stack` space. The groups of a position are made from those of the
one before it, not found anew.
"""

from __future__ import annotations

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta import stack as at
from goban.solver.alphabeta.boards import Ints, groups_of, inverse, joined, opposing, turned_point
from goban.solver.alphabeta.bounds import is_hopeless, known_to_win, wins_at_sight
from goban.solver.alphabeta.last_moves import reaches_in_one, reaches_in_two
from goban.solver.alphabeta.moves import DEFERRED, learn, list_moves, score_moves
from goban.solver.alphabeta.stack import MARKS, entry_of, history_of, place_of, point_of, row_of, score_of
from goban.solver.alphabeta.transpositions import (
    HIGHEST,
    LOWEST,
    look_up,
    lower_bound,
    move_of,
    store,
    symmetric_key,
    upper_bound,
)

YES, NO, UNKNOWN = 1, 0, -1
_OPEN = 2

# Positions with fewer moves left cost less than remembering them.
STORED = 4
# With fewer moves left, threads do not look what the others are doing.
_SHARED = 7
_NO_MOVE = -1


@kernel
def prove(own: int, other: int, ko: int, passed: bool, left: int, wanted: int, space: Ints, table: Ints, common: Ints) -> int:
    """Return YES if the player to move reaches the margin `wanted`, NO if not, UNKNOWN if the budget ran out.

    `passed`: a pass would end the game. `left`: moves left, passes counted. Nodes are counted up in `space`; the search
    gives up when they reach the limit there, or when STOP is set. Threads may share `table` and `common`, not `space`.

    A loop, not a recursion: numba cannot load functions that call each other from its cache. The search stands at one
    position for every number of moves left, from `top` down to `left`.
    """
    top = left
    answer = _enter(own, other, ko, passed, left, wanted, _NO_MOVE, space, table, common)
    while True:
        if answer == _OPEN:
            move = _next_move(left, space, common)
            if move < 0:
                # No move is left that could prove it.
                answer = _settle(False, left, space, table, common)
            else:
                # Down: to refute the move the opponent must reach 1 - wanted.
                wanted = 1 - int(space[nth(row_of(left) + at.WANTED)])
                left -= 1
                own, other, ko = int(space[nth(move + at.OWN)]), int(space[nth(move + at.OTHER)]), int(space[nth(move + at.KO)])
                passed = space[nth(move + at.BIT)] == 0
                answer = _enter(own, other, ko, passed, left, wanted, move, space, table, common)
        elif left == top or answer == UNKNOWN:
            return answer
        else:
            # Up, with the opponent's answer.
            left += 1
            if left >= _SHARED:
                _release(left, space, common)
            # A no of the opponent's proves the margin; after a yes the next move is tried.
            answer = _settle(True, left, space, table, common) if answer == NO else _OPEN


@inlined
def _enter(
    own: int, other: int, ko: int, passed: bool, left: int, wanted: int, move: int, space: Ints, table: Ints, common: Ints
) -> int:
    """Answer for a position at once, or write it and its moves into its row and return _OPEN.

    `move`: where the move that led to it stands in the row above, or _NO_MOVE.
    """
    space[at.NODES] += 1
    full, row = int(space[at.FULL]), row_of(left)
    margin = count(own) - count(other)
    # A pass that ends the game is worth the margin on the board. If that is not enough, it is no move to consider.
    if left == 0 or (passed and margin >= wanted):
        return YES if margin >= wanted else NO
    if left == 1:
        return YES if reaches_in_one(own, other, ko, wanted, full, space) else NO
    if left > 2 and (space[at.NODES] >= space[at.LIMIT] or space[at.STOP] != 0):
        return UNKNOWN
    # Early on, symmetric positions count as one in the table: what is proven of one holds for all eight. The board itself is
    # not turned: what the history has learnt of its points would be worth little.
    size = int(space[at.SIZE])
    key, which = symmetric_key(own, other, ko, passed, left, int(space[at.SYMMETRIC]), size)
    low, high, best = LOWEST, HIGHEST, -1
    if left >= STORED:
        entry = look_up(table, int(space[at.BITS]), key)
        if entry:
            low, high = lower_bound(entry), upper_bound(entry)
            best = turned_point(move_of(entry), inverse(which), size)
            if low >= wanted:
                return YES
            if high < wanted:
                return NO
    _list_groups(own, other, move, left, space)
    if left <= 3:
        # Three moves left: the player to move has the last one too. It adds a stone and may capture, or is not made, so
        # what two moves reach three reach as well.
        reached = reaches_in_two(own, other, ko, passed, wanted, row, space)
        if reached or left == 2:
            return YES if reached else NO
    space[nth(row + at.KEY)], space[nth(row + at.WANTED)], space[nth(row + at.BEST)] = key, wanted, best
    space[nth(row + at.LOW)], space[nth(row + at.HIGH)], space[nth(row + at.WHICH)] = low, high, which
    space[nth(row + at.TRIED)], space[nth(row + at.BEFORE)] = 0, space[at.NODES]
    if list_moves(own, other, ko, passed, left, space) == 0:
        return YES if margin >= wanted else NO
    if wins_at_sight(left, space):
        return _settle(True, left, space, table, common)
    score_moves(left, space, common)
    if left > STORED and known_to_win(left, space, table):
        return _settle(True, left, space, table, common)
    return _OPEN


@inlined
def _list_groups(own: int, other: int, move: int, left: int, space: Ints) -> None:
    """Write the groups of a position into its row."""
    row, full = row_of(left), int(space[at.FULL])
    owns, others = row + at.OWN_GROUPS, row + at.OTHER_GROUPS
    if move == _NO_MOVE or space[nth(move + at.BIT)] == 0:
        empty = full & ~(own | other)
        space[nth(row + at.OWNS)] = groups_of(own, empty, full, space, owns)
        space[nth(row + at.OTHERS)] = groups_of(other, empty, full, space, others)
        return
    # Colours change places: the opponent of the row above is the player to move here.
    above, bit = row_of(left + 1), int(space[nth(move + at.BIT)])
    mine, theirs = int(space[nth(above + at.MINE)]), int(space[nth(above + at.THEIRS)])
    start, end = above + at.OTHER_GROUPS, int(space[nth(above + at.OTHERS)])
    space[nth(row + at.OWNS)] = opposing(bit, space, start, end, owns)
    empty, taken = full & ~(mine | theirs), theirs & ~own
    start, end = above + at.OWN_GROUPS, int(space[nth(above + at.OWNS)])
    space[nth(row + at.OTHERS)] = joined(bit, taken, empty, full, space, start, end, others)


@inlined
def _next_move(left: int, space: Ints, common: Ints) -> int:
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
        # One step of a selection sort: most positions are settled after a move or two, so sorting all would be in vain.
        best, entry = first, int(space[nth(first)])
        for place in range(first + 1, end):
            other = int(space[nth(place)])
            better = score_of(other) > score_of(entry)
            best = place if better else best
            entry = other if better else entry
        # The rest scores lower still, so all of it is hopeless.
        if is_hopeless(entry):
            return -1
        if left < _SHARED:
            break
        mark = _mark_of(place_of(row, entry), left, space)
        if tried == 0 or score_of(entry) < -DEFERRED // 2 or common[mark % MARKS] != mark:
            common[mark % MARKS] = mark
            space[nth(row + at.MARK)] = mark
            break
        space[nth(best)] -= entry_of(DEFERRED, 0)
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
def _release(left: int, space: Ints, common: Ints) -> None:
    """Say that this thread no longer searches the move it tried last with this many moves left."""
    mark = int(space[nth(row_of(left) + at.MARK)])
    if common[mark % MARKS] == mark:
        common[mark % MARKS] = 0


@inlined
def _settle(proven: bool, left: int, space: Ints, table: Ints, common: Ints) -> int:
    """Store the answer for the position with `left` moves left and return it; the move tried last is what proved it."""
    row = row_of(left)
    spent, bits, key = int(space[at.NODES] - space[nth(row + at.BEFORE)]), int(space[at.BITS]), int(space[nth(row + at.KEY)])
    low, high, wanted = int(space[nth(row + at.LOW)]), int(space[nth(row + at.HIGH)]), int(space[nth(row + at.WANTED)])
    size, which = int(space[at.SIZE]), int(space[nth(row + at.WHICH)])
    if not proven:
        # What the table knew from below stays; from above it is now one less than was asked for.
        if left >= STORED:
            store(table, bits, key, low, wanted - 1, turned_point(int(space[nth(row + at.BEST)]), which, size), spent)
        return NO
    first = row + at.ORDER
    end = first + int(space[nth(row + at.TRIED)]) - 1
    last = int(space[nth(place_of(row, int(space[nth(end)])) + at.BIT)])
    if left >= STORED:
        store(table, bits, key, wanted, high, turned_point(point_of(last), which, size), spent)
    # Early moves cut off more, so they count more. Moves tried in vain before lose twice what the proving one gains.
    weight, past = left * left * left, history_of(left)
    learn(common, past + point_of(last), weight)
    for place in range(first, end):
        vain = int(space[nth(place_of(row, int(space[nth(place)])) + at.BIT)])
        learn(common, past + point_of(vain), -2 * weight)
    return YES
