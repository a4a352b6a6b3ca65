"""The moves of a position: which are legal, what position each leads to, and which to try first.

`list_moves` is enough to see whether one of them surely wins; what a search needs of the others, `score_moves` adds later.

The order can change no answer, only how long it takes. History, per number of moves left and per point: how often a placement
there answered yes, less how often it was tried in vain before another did. It does most of the work: without the second half
the search visits about twice as many positions, without both ten times as many. Added to it is half of what the same player has
learnt with two moves fewer left: far from the end there is little experience. And how the stones look after the move: far from
the end above all how connected they are, near it what is captured and what can be captured next.
"""

from __future__ import annotations

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.numba_tools.vectors import WIDTH, Lanes, counts, eightfold, equal, load, store
from goban.solver.alphabeta import stack as at
from goban.solver.alphabeta.boards import Ints, adjacent
from goban.solver.alphabeta.stack import entry_of, history_of, point_of, row_of

HOPELESS = -(1 << 24)
"""What is added to the score of a move that surely fails, and need not be tried; half of it tells such moves."""
DEFERRED = 1 << 22
"""What is taken off the score of a move that another thread is searching now."""
_FIRST = 1 << 22
"""What is added to the score of the move that the table remembers; history gives up to 98,304, the looks a million."""

GROUP, ATARI, STONE_IN_ATARI = 200, 100, 100
"""What speaks, far from the end, against each group of the player who moved, and more against one in atari."""
THREAT, STONE_THREATENED, LIBERTY = 50, 50, 50
"""What speaks for each of the opponent's groups in atari, each stone in it, and each liberty more than the opponent has."""

_HISTORY_SHIFT = 16
_NEAR = 8
"""With fewer moves left, the end is near."""
_PASS = 2_000
"""What speaks against a pass far from the end."""


@inlined
def looks(bit: Lanes, taken: Lanes, left: int, row: int, space: Ints) -> Lanes:
    """Return how good the positions after eight placements look for the player who makes them; `taken`: what each captures.

    The weights were found by trying.
    """
    far = left >= _NEAR
    group, atari, stone_in_atari = (GROUP, ATARI, STONE_IN_ATARI) if far else (0, 0, 20_000)
    threat, stone_threatened, captured = (THREAT, STONE_THREATENED, 40) if far else (0, 6_000, 20_000)
    full, capturing = int(space[at.FULL]), space[nth(row + at.CAPTURING)] != 0
    empty = full & ~(int(space[nth(row + at.MINE)]) | int(space[nth(row + at.THEIRS)]))
    placed = ~equal(bit, 0)
    score = counts(taken) * captured if capturing else eightfold(0)
    # The group of the new stone, all the player's liberties, and the opponent's.
    size, free = placed & 1, adjacent(bit, full) & (taken | empty)
    mine = theirs = eightfold(0)
    for i in range(row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        apart = equal(bit & liberties, 0)
        freed = (taken & adjacent(stones, full)) | liberties
        size, free = size + (~apart & count(stones)), free | (freed & ~apart)
        mine = mine | freed
        score = score - (apart & (group + (equal(freed & (freed - 1), 0) & (atari + stone_in_atari * count(stones)))))
    free = free & ~bit
    score = score - (placed & (group + (equal(free & (free - 1), 0) & (size * stone_in_atari + atari))))
    for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        kept = liberties & ~bit
        theirs = theirs | kept
        score = score + (equal(kept & (kept - 1), 0) & ~equal(kept, 0) & (threat + stone_threatened * count(stones)))
    if far:
        score = score + LIBERTY * (counts((mine | free) & ~bit) - counts(theirs)) - (~placed & _PASS)
    return score


@kernel
def learn(common: Ints, place: int, weight: int) -> None:
    """Move a history value towards the sign of `weight`, the less the further it is there already."""
    value = int(common[nth(place)])
    common[nth(place)] = value + weight - ((value * abs(weight)) >> _HISTORY_SHIFT)


@inlined
def list_moves(own: int, other: int, ko: int, passed: bool, left: int, space: Ints) -> int:
    """Write the legal moves into the row of a position whose groups are there; return how many there are.

    A pass that would end the game is left out: it is worth the margin on the board, and the search has already looked at that.
    """
    full, row = int(space[at.FULL]), row_of(left)
    space[nth(row + at.MINE)], space[nth(row + at.THEIRS)] = own, other
    empty = full & ~(own | other)
    legal, capturing = adjacent(empty, full) & empty, 0
    for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
        free = int(space[nth(i + 1)])
        capturing |= free & -(free & (free - 1) == 0)
    for i in range(row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]), 2):
        free = int(space[nth(i + 1)])
        legal |= free & -(free & (free - 1) != 0)
    legal = (legal | capturing) & ~ko
    number, bits = 0, row + at.MOVES + at.BIT
    while legal:
        space[nth(bits + number)] = legal & -legal
        legal &= legal - 1
        number += 1
    # The place after the last move holds no point: a pass, if there is one.
    store(space, bits + number, eightfold(0))
    number += space[at.PASSING] != 0 and not passed
    space[nth(row + at.NUMBER)], space[nth(row + at.CAPTURING)] = number, capturing
    return number


@inlined
def captures(bit: Lanes, row: int, space: Ints) -> Lanes:
    """Return the stones that each of eight placements captures."""
    taken = eightfold(0)
    if space[nth(row + at.CAPTURING)]:
        for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
            taken = taken | (equal(bit, int(space[nth(i + 1)])) & int(space[nth(i)]))
    return taken


@inlined
def score_moves(left: int, space: Ints, common: Ints) -> None:
    """Write the positions after the listed moves, and the order in which to try those that are not hopeless."""
    row = row_of(left)
    number, best = int(space[nth(row + at.NUMBER)]), int(space[nth(row + at.BEST)])
    past, later = history_of(left), history_of(left - 2)
    own, other, full = int(space[nth(row + at.MINE)]), int(space[nth(row + at.THEIRS)]), int(space[at.FULL])
    for start in range(0, number, WIDTH):
        move = row + at.MOVES + start
        bit = load(space, move + at.BIT)
        taken = captures(bit, row, space)
        alone = equal(adjacent(bit, full) & (full & ~other), 0)
        store(space, move + at.OWN, other & ~taken)
        store(space, move + at.OTHER, own | bit)
        # As `boards.ko_after`.
        store(space, move + at.KO, taken & equal(taken & (taken - 1), 0) & alone)
        score = looks(bit, taken, left, row, space) + (load(space, move + at.HOPELESS) & HOPELESS)
        store(space, row + at.ORDER + start, score)
    for k in range(number):
        point = point_of(int(space[nth(row + at.MOVES + at.BIT + k)]))
        learnt = int(common[nth(past + point)]) + (int(common[nth(later + point)]) >> 1)
        score_now = int(space[nth(row + at.ORDER + k)]) + learnt + _FIRST * (point == best)
        space[nth(row + at.ORDER + k)] = entry_of(score_now, k)
