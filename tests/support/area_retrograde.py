"""Values of all positions of a board under `area` rules, by going over all of them until nothing changes any more.

Written from the rules, without any code of the packages under test. One side, the prover, has to force a margin in a finite
number of moves; the other may repeat for ever. A board is two masks, the prover's stones and the opponent's; its number has
a base-3 digit for each point. Positions with a ban (simple ko) are computed from their successors on demand.
"""

from __future__ import annotations

import numba
import numpy as np

NOTHING = 99


@numba.njit(cache=True)
def beside(mask, width, full, first, last):
    """The points next to the points of a mask."""
    return (mask << width | mask >> width | (mask & ~last) << 1 | (mask & ~first) >> 1) & full


@numba.njit(cache=True)
def living(stones, empty, board):
    """The stones whose group touches an empty point."""
    width, full, first, last = board
    found = beside(empty, width, full, first, last) & stones
    while True:
        more = (found | beside(found, width, full, first, last)) & stones
        if more == found:
            return found
        found = more


@numba.njit(cache=True)
def placed(own, other, bit, suicide, board):
    """(own stones, other stones, ban), after a placement; own is -1 where it is not allowed."""
    full = board[1]
    mine = own | bit
    theirs = living(other, full & ~(mine | other), board)
    taken = other & ~theirs
    alive = living(mine, full & ~(mine | theirs), board)
    if alive != mine:
        if not suicide or mine & ~alive == bit:
            return -1, theirs, 0
        return alive, theirs, 0
    ban = 0
    if taken and taken & (taken - 1) == 0:
        # Would taking back bring back the board?
        back = theirs | taken
        rest = living(mine, full & ~(mine | back), board)
        if rest == own and back == other:
            ban = taken
    return mine, theirs, ban


@numba.njit(cache=True)
def stones(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@numba.njit(cache=True)
def reaching(colour, empty, board):
    """The empty points that reach a colour."""
    width, full, first, last = board
    found = beside(colour, width, full, first, last) & empty
    while True:
        more = found | (beside(found, width, full, first, last) & empty)
        if more == found:
            return found
        found = more


@numba.njit(cache=True)
def score(p, o, board):
    empty = board[1] & ~(p | o)
    by_p, by_o = reaching(p, empty, board), reaching(o, empty, board)
    return stones(p | by_p & ~by_o) - stones(o | by_o & ~by_p)


@numba.njit(cache=True)
def number_of(p, o, ban, board, powers):
    """Where a position stands in the tables: the board's number, then the point of the ban + 1."""
    return (powers[p] + 2 * powers[o]) * (stones(board[1]) + 1) + (stones(ban - 1) + 1 if ban else 0)


@numba.njit(cache=True)
def best_placement(p, o, ban, turn, suicide, board, to_prover, after_prover, powers):
    """What the mover gets by a placement; -NOTHING for the prover or NOTHING for the opponent if there is none."""
    own, other = (p, o) if turn == 0 else (o, p)
    best = -NOTHING if turn == 0 else NOTHING
    rest = board[1] & ~(p | o | ban)
    while rest:
        bit = rest & -rest
        rest ^= bit
        mine, theirs, banned = placed(own, other, bit, suicide, board)
        if mine < 0:
            continue
        if turn == 0:
            number = number_of(mine, theirs, banned, board, powers)
            # The opponent may pass too; then the prover is to move, and may end the game.
            passing = max(score(mine, theirs, board), to_prover[number_of(mine, theirs, 0, board, powers)])
            best = max(best, min(after_prover[number], passing))
        else:
            best = min(best, to_prover[number_of(theirs, mine, banned, board, powers)])
    return best


@numba.njit(cache=True)
def renew(p, o, ban, board, suicide, to_prover, after_prover, powers):
    """Compute a position with either side to move; return how many values have changed."""
    number = number_of(p, o, ban, board, powers)
    placing = best_placement(p, o, ban, 1, suicide, board, to_prover, after_prover, powers)
    mine = best_placement(p, o, ban, 0, suicide, board, to_prover, after_prover, powers)
    # A pass, which the opponent may answer by another.
    mine = max(mine, min(score(p, o, board), after_prover[number_of(p, o, 0, board, powers)]))
    changed = (placing != after_prover[number]) + (mine != to_prover[number])
    after_prover[number], to_prover[number] = placing, mine
    return changed


@numba.njit(cache=True)
def sweep(suicide, board, to_prover, after_prover, powers):
    """Compute every position once more; return how many have changed."""
    full, changed = board[1], 0
    for p in range(full + 1):
        rest = full & ~p
        o = rest
        while True:
            empty = full & ~(p | o)
            if living(p, empty, board) == p and living(o, empty, board) == o:
                changed += renew(p, o, 0, board, suicide, to_prover, after_prover, powers)
                while empty:
                    bit = empty & -empty
                    empty ^= bit
                    # A ban is on a stone that would be taken back by one.
                    if placed(p, o, bit, False, board)[2] or placed(o, p, bit, False, board)[2]:
                        changed += renew(p, o, bit, board, suicide, to_prover, after_prover, powers)
            if o == 0:
                break
            o = (o - 1) & rest
    return changed


class AllValues:
    """The tables of one board: the most that the prover forces if they move, and after each of the opponent's placements."""

    def __init__(self, height: int, width: int, suicide: bool = False) -> None:
        points = height * width
        first = sum(1 << width * row for row in range(height))
        self.board = width, (1 << points) - 1, first, first << width - 1
        self.powers = np.array([sum(3**k for k in range(points) if mask >> k & 1) for mask in range(1 << points)])
        self.to_prover = np.full(3**points * (points + 1), -NOTHING, dtype=np.int8)
        self.after_prover = np.full(3**points * (points + 1), -NOTHING, dtype=np.int8)
        self.sweeps = 1
        while sweep(suicide, self.board, self.to_prover, self.after_prover, self.powers):
            self.sweeps += 1

    def prover_moves(self, p: int, o: int, ban: int = 0) -> int:
        """What the prover forces who is to move, with stones `p` against `o`."""
        return int(self.to_prover[number_of(p, o, ban, self.board, self.powers)])

    def opponent_moves(self, p: int, o: int, ban: int = 0) -> int:
        """What the prover forces if the opponent is to move, and no pass ends the game."""
        placing = int(self.after_prover[number_of(p, o, ban, self.board, self.powers)])
        return min(placing, max(int(score(p, o, self.board)), self.prover_moves(p, o)))
