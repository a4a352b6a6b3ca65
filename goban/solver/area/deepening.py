"""Can the prover make a claim safe within so many moves of its own, and by which answers?

A depth-first search that is asked for one move more each time (iterative deepening). As what is left to do becomes less with
each move of the prover's, no play goes in a circle, and a proof does not depend on how a position was reached. To find proofs
soon the prover only tries the most promising moves, `width` of them, and the less promising ones count as several (akin to
limited discrepancy search, W. Harvey and M. Ginsberg 1995), except where little is left to do; so where the search finds
nothing, that says nothing, but with all moves. The opponent tries everything, a pass first.

An entry of the table (see `table`, of which places and buckets are used) holds

    bits   0-7 moves of the prover's that suffice   8-15 moves that do not   16-23 the width with which they do not
    24-39 the opponent's move that refutes it, as a part of the key of what comes of it   48-53 work   62 used
"""

from __future__ import annotations

from goban.kernels.numba_tools.bits import nth, prefetch
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.area import stack as at
from goban.solver.area.boards import Shape, adjacent
from goban.solver.area.life import Bytes, missing_of
from goban.solver.area.moves import is_lost, is_won, list_moves
from goban.solver.area.ordering import edge_of, worth_of
from goban.solver.area.stack import row_of
from goban.solver.area.table import logarithm, look_up, place_of, store

WON, FAILED, NEVER, STOPPED = 1, 0, -1, 2
"""NEVER: failed with any number of moves, since the opponent has too much that is theirs for good."""

ALL = 31
"""The width with which nothing is left out. Else moves are, too, after which too many stones are missing: that a claim is
reached by the count alone, and never safe, is only seen with all."""

_OPEN = 3
_ALWAYS = 255
"""Stands for any number of moves."""
_ALL_MOVES = 2
"""With so few moves left the prover tries all of them."""
_MOST_COST = 3
"""The prover's two best moves take 1 of what is left, the next two 2, others so much: what is promising is followed further."""
_TRIED, _PUT_OFF = -(1 << 40), -(1 << 36)
"""What a move is worth that was tried, and what is added, 1 + its cost times, for one that another thread is searching."""
_ALONE = 3
"""With so few moves left threads do not tell each other what they search."""
_PASSING, _FIRST = -5_000, 1 << 29
"""What a pass is worth for the prover, and for the opponent."""
_KNOWN = 1 << 30
"""What is added for the move that refuted the same position before."""
_REFUTED, _NEAR = 150, 37
"""What is added for the point of the opponent's that refuted the move tried before, and for those beside it."""
_AFTER_PASS, _BESIDE = 233, 18
"""The same for the opponent's move where the prover would play after a pass."""


@kernel
def within_of(contents: int) -> int:
    """Return how many moves of the prover's are known to suffice, 255 if none are."""
    return contents & 255 if contents else _ALWAYS


@kernel
def work_of(contents: int) -> int:
    """Return the binary logarithm of the positions that an entry took."""
    return (contents >> 48) & 63


@kernel
def _failed_within(contents: int, width: int) -> int:
    """Return how many moves of the prover's are known not to suffice, with this width."""
    failed = (contents >> 8) & 255
    return failed if failed == _ALWAYS or (contents >> 16) & 255 >= width else 0


@inlined
def _tag(key: int) -> int:
    return (key ^ key >> 17 ^ key >> 37) & 0xFFFF


@inlined
def _cost_of(worth: int, number: int, left: int, width: int) -> int:
    """Return what a move of the prover's takes of `left`; number: how many are more promising."""
    if worth < _PUT_OFF // 2:
        return ((-_PUT_OFF // 2 - worth) // -_PUT_OFF) - 1
    return 1 if left <= _ALL_MOVES or width >= ALL else min(1 + number // 2, _MOST_COST)


@inlined
def _keep(key: int, within: int, failed: int, tag: int, nodes: int, space: Ints, table: Ints) -> None:
    """Keep what was found beside what was known."""
    known, width = look_up(table, key), int(space[nth(at.WIDTH)])
    if known:
        within = min(within, within_of(known))
        if failed == 0:
            failed, width, tag = (known >> 8) & 255, (known >> 16) & 255, (known >> 24) & 0xFFFF
    store(table, key, within | failed << 8 | width << 16 | tag << 24 | logarithm(nodes) << 48 | 1 << 62)


@kernel
def search(
    level: int, left: int, last: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints, busy: Ints
) -> int:
    """Answer for the position of a level's row; STOPPED where the limit of nodes in `space` was reached.

    left: what the prover's moves may take, each at least 1. last: the move before, 0 for a pass. `space[POINT]` is then the
    move that won or refuted, 0 for a pass or where it is not known. missing: what `life.count_missing` wrote for the claim,
    then for what refutes it. busy: where threads with one table say what they search, so that the others do something else
    first (as in ABDADA, J.-C. Weill 1996, in T. Kerrigan's simple form); a power of two of places, or none for a thread of
    its own.
    """
    row = row_of(level)
    turn, key = int(space[nth(row + at.TURN)]), int(space[nth(row + at.KEY)])
    contents = look_up(table, key)
    answer = _known(row, left, contents, missing, space)
    if answer != _OPEN and (level or not space[nth(at.AGAIN)]):
        return answer
    if space[nth(at.NODES)] >= space[nth(at.LIMIT)] or level >= at.MOST_LEVELS:
        return STOPPED
    space[nth(at.NODES)] += 1
    before, number = int(space[nth(at.NODES)]), _list(row, shape, symmetries, space)
    if turn == 0:
        answer = _weigh_prover(row, left, last, number, shape, missing, space, table)
    else:
        answer = _weigh_opponent(row, left, last, number, contents, shape, missing, space, table)
    if answer != _OPEN:
        return answer
    never, tried, longest, put_off = True, 0, 0, 0
    width = int(space[nth(at.WIDTH)]) if turn == 0 and left > _ALL_MOVES else number
    shared = len(busy) > 0 and left > _ALONE
    while True:
        # What was put off is among the moves to be tried.
        chosen = _next(row, number, -_TRIED if tried + put_off < width else _PUT_OFF // 2, space)
        if chosen < 0:
            break
        bit, child, place = int(space[nth(row + at.BITS + chosen)]), int(space[nth(row + at.KEYS + chosen)]), 0
        worth = int(space[nth(row + at.WORTHS + chosen)])
        cost = 0 if turn else _cost_of(worth, tried + put_off, left, width)
        below = left - cost
        if below < 0:
            # Only what was put off is cheap enough.
            width = 0
            continue
        space[nth(row + at.WORTHS + chosen)] = _TRIED
        if shared:
            searched = child ^ below << 56
            place = (place_of(table, searched) >> 3) & (len(busy) - 1)
            if worth < _PUT_OFF // 2:
                put_off -= 1
            elif tried and busy[nth(place)] == searched:
                space[nth(row + at.WORTHS + chosen)] = worth + (1 + cost) * _PUT_OFF
                put_off += 1
                continue
            busy[nth(place)] = searched
        _begin(level + 1, row, chosen, child, 1 - turn, space)
        answer = search(level + 1, below, bit, shape, symmetries, missing, space, table, busy)
        if shared:
            busy[nth(place)] = 0
        if answer == STOPPED:
            return STOPPED
        spent, point = int(space[nth(at.NODES)]) - before, int(space[nth(at.POINT)])
        suffices = min(within_of(look_up(table, child)), below)
        if (turn == 0) == (answer == WON):
            failed = 0 if answer == WON else _ALWAYS if answer == NEVER else left
            _keep(key, 1 + suffices if answer == WON else _ALWAYS, failed, _tag(child), spent, space, table)
            space[nth(at.POINT)] = bit
            return answer
        tried += 1
        never = never and answer == NEVER
        longest = max(longest, suffices)
        if turn == 0 or bit == 0:
            same, beside = (_REFUTED, _NEAR) if turn == 0 else (_AFTER_PASS, _BESIDE)
            _prefer(row, number, point, same, beside, shape, space)
    space[nth(at.POINT)] = 0
    never = never and tried == number
    answer = WON if turn else NEVER if never else FAILED
    failed = 0 if turn else _ALWAYS if never else left
    _keep(key, longest if turn else _ALWAYS, failed, 0, int(space[nth(at.NODES)]) - before, space, table)
    return answer


@kernel
def list_first(level: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write the moves of a level's row; return how many there are."""
    return _list(row_of(level), shape, symmetries, space)


@kernel
def _list(row: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write the moves; return how many there are."""
    number = list_moves(row, shape, symmetries, space)
    # The prover passes only where a second pass would win: then what the opponent can do is what they can do without it.
    if space[nth(row + at.TURN)] == 0 and number and space[nth(row + at.BITS)] == 0:
        space[nth(row + at.KEYS)] &= ~(1 << 61)
    return number


@inlined
def _known(row: int, left: int, contents: int, missing: Bytes, space: Ints) -> int:
    """Return what is known of a position without a search."""
    space[nth(at.POINT)] = 0
    if left == 0 or (missing_of(missing, int(space[nth(row + at.P)])) > left and space[nth(at.WIDTH)] < ALL):
        return FAILED
    if contents:
        if within_of(contents) <= left:
            return WON
        failed = _failed_within(contents, int(space[nth(at.WIDTH)]))
        if failed >= left:
            return NEVER if failed == _ALWAYS else FAILED
    return _OPEN


@kernel
def _weigh_prover(
    row: int, left: int, last: int, number: int, shape: Shape, missing: Bytes, space: Ints, table: Ints
) -> int:
    """Write how promising the prover's moves are; return WON where one is seen to win at once.

    CHOSEN is then the number of moves after which the claim can still be reached in time.
    """
    p, o, key = int(space[nth(row + at.P)]), int(space[nth(row + at.O)]), int(space[nth(row + at.KEY)])
    edge, able = edge_of(shape), 0
    for k in range(number):
        prefetch(table, place_of(table, int(space[nth(row + at.KEYS + k)])))
    for k in range(number):
        mine, theirs = int(space[nth(row + at.PS + k)]), int(space[nth(row + at.OS + k)])
        bit = int(space[nth(row + at.BITS + k)])
        fewest, worth = missing_of(missing, mine), _TRIED
        if fewest < left or space[nth(at.WIDTH)] >= ALL:
            if bit and fewest == 0 and is_won(mine, theirs, shape, space):
                _keep(key, 1, 0, 0, 1, space, table)
                space[nth(at.POINT)] = bit
                return WON
            contents = look_up(table, int(space[nth(row + at.KEYS + k)]))
            if within_of(contents) < left:
                _keep(key, 1 + within_of(contents), 0, 0, 1, space, table)
                space[nth(at.POINT)] = bit
                return WON
            worth = worth_of(0, p, o, mine, theirs, bit, last, edge, missing, shape) if bit else _PASSING
            able += 1
        space[nth(row + at.WORTHS + k)] = worth
    space[nth(row + at.CHOSEN)] = able
    return _OPEN


@kernel
def _weigh_opponent(
    row: int, left: int, last: int, number: int, known: int, shape: Shape, missing: Bytes, space: Ints, table: Ints
) -> int:
    """Write how promising the opponent's moves are; return FAILED or NEVER where one is seen to refute the claim at once."""
    p, o, key = int(space[nth(row + at.P)]), int(space[nth(row + at.O)]), int(space[nth(row + at.KEY)])
    edge = edge_of(shape)
    for k in range(number):
        prefetch(table, place_of(table, int(space[nth(row + at.KEYS + k)])))
    for k in range(number):
        mine, theirs = int(space[nth(row + at.OS + k)]), int(space[nth(row + at.PS + k)])
        bit, child = int(space[nth(row + at.BITS + k)]), int(space[nth(row + at.KEYS + k)])
        answer, failed = _OPEN, _failed_within(look_up(table, child), int(space[nth(at.WIDTH)]))
        if missing_of(missing, shape[1] + 1 + mine) == 0 and is_lost(mine, theirs, shape, space):
            answer = NEVER
        elif failed >= left:
            answer = NEVER if failed == _ALWAYS else FAILED
        elif missing_of(missing, theirs) > left and space[nth(at.WIDTH)] < ALL:
            answer = FAILED
        if answer != _OPEN:
            _keep(key, _ALWAYS, _ALWAYS if answer == NEVER else left, _tag(child), 1, space, table)
            space[nth(at.POINT)] = bit
            return answer
        worth = worth_of(1, o, p, mine, theirs, bit, last, edge, missing, shape) if bit & mine else _FIRST if bit == 0 else 0
        if known and (known >> 24) & 0xFFFF == _tag(child):
            worth += _KNOWN
        space[nth(row + at.WORTHS + k)] = worth
    space[nth(row + at.CHOSEN)] = number
    return _OPEN


@inlined
def _next(row: int, number: int, below: int, space: Ints) -> int:
    """Return the most promising move that was not tried and is worth less than `below`, -1 if there is none."""
    best, chosen = _TRIED, -1
    for k in range(number):
        worth = int(space[nth(row + at.WORTHS + k)])
        if best < worth < below:
            best, chosen = worth, k
    return chosen


@inlined
def _prefer(row: int, number: int, point: int, same: int, beside: int, shape: Shape, space: Ints) -> None:
    """Make a move at a point, and those beside it, more promising."""
    near = adjacent(point, shape)
    for k in range(number):
        bit = int(space[nth(row + at.BITS + k)])
        if space[nth(row + at.WORTHS + k)] > _TRIED and bit & (point | near):
            space[nth(row + at.WORTHS + k)] += same if bit == point else beside


@inlined
def _begin(level: int, row: int, chosen: int, key: int, turn: int, space: Ints) -> None:
    below = row_of(level)
    space[nth(below + at.P)], space[nth(below + at.O)] = space[nth(row + at.PS + chosen)], space[nth(row + at.OS + chosen)]
    space[nth(below + at.KO)], space[nth(below + at.TURN)] = space[nth(row + at.KOS + chosen)], turn
    space[nth(below + at.KEY)] = key
