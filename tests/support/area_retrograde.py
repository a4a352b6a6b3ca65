"""Values of all positions of a board under `area` rules, by going over all of them until nothing changes any more.

Written from the rules, without any code of the packages under test. One side, the prover, has to force a margin in a finite
number of moves; the other may repeat for ever. A board is two masks, the prover's stones and the opponent's. Positions that
are the same but for turning and mirroring are one; a ban (simple ko) makes a position of its own.
"""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from goban.kernels.numba_tools.compile import njit

NOTHING = 99


@njit
def beside(mask, width, full, first, last):
    """The points next to points of a mask."""
    return (mask << width | mask >> width | (mask & ~last) << 1 | (mask & ~first) >> 1) & full


@njit
def living(stones, empty, board):
    """The stones whose group touches an empty point."""
    width, full, first, last = board
    found = beside(empty, width, full, first, last) & stones
    while True:
        more = (found | beside(found, width, full, first, last)) & stones
        if more == found:
            return found
        found = more


@njit
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


@njit
def stones(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit
def reaching(colour, empty, board):
    """The empty points that reach a colour."""
    width, full, first, last = board
    found = beside(colour, width, full, first, last) & empty
    while True:
        more = found | (beside(found, width, full, first, last) & empty)
        if more == found:
            return found
        found = more


@njit
def score(p, o, board):
    empty = board[1] & ~(p | o)
    by_p, by_o = reaching(p, empty, board), reaching(o, empty, board)
    return stones(p | by_p & ~by_o) - stones(o | by_o & ~by_p)


@njit
def key_of(p, o, ban, turns):
    """A number of a position, the same for all that are symmetric; those without a ban come first."""
    best = 1 << 62
    for which in range(len(turns)):
        turn = turns[which]
        best = min(best, turn[ban] << 40 | turn[p] << 20 | turn[o])
    return best


@njit
def boards_of(board, turns):
    """The keys of all boards whose groups have a liberty."""
    full, keys = board[1], []
    for p in range(full + 1):
        rest = full & ~p
        o = rest
        while True:
            empty = full & ~(p | o)
            if living(p, empty, board) == p and living(o, empty, board) == o:
                key = p << 20 | o
                if key_of(p, o, 0, turns) == key:
                    keys.append(key)
            if o == 0:
                break
            o = (o - 1) & rest
    return np.sort(np.array(keys))


@njit
def successors(keys, suicide, board, turns):
    """What the prover and the opponent can make of each position by a placement: keys, and where those of a position begin."""
    low = (1 << 20) - 1
    after, starts = [0], np.zeros(2 * len(keys) + 1, dtype=np.int64)
    after.pop()
    for k in range(len(keys)):
        ban, p, o = keys[k] >> 40, keys[k] >> 20 & low, keys[k] & low
        for turn in range(2):
            rest = board[1] & ~(p | o | ban)
            while rest:
                bit = rest & -rest
                rest ^= bit
                own, other = (p, o) if turn == 0 else (o, p)
                mine, theirs, banned = placed(own, other, bit, suicide, board)
                if mine >= 0:
                    after.append(key_of(mine, theirs, banned, turns) if turn == 0 else key_of(theirs, mine, banned, turns))
            starts[2 * k + turn + 1] = len(after)
    return np.array(after), starts


@njit
def sweep(now, after, starts, bare, scores, to_prover, after_prover, settled):
    """Compute every position once more; return how many values have changed.

    now: the number of the sweep. bare: the same position without a ban. after_prover: what the prover gets if the opponent
    has to place a stone. settled: the last sweep that changed a position.
    """
    changed = 0
    for k in range(len(bare)):
        worst = NOTHING
        for i in range(starts[2 * k + 1], starts[2 * k + 2]):
            worst = min(worst, to_prover[after[i]])
        # A pass, which the opponent may answer by another.
        best = min(scores[k], after_prover[bare[k]])
        for i in range(starts[2 * k], starts[2 * k + 1]):
            new = after[i]
            # The opponent may pass too; then the prover is to move, and may end the game.
            best = max(best, min(after_prover[new], max(scores[new], to_prover[bare[new]])))
        if worst != after_prover[k] or best != to_prover[k]:
            changed += 1
            after_prover[k], to_prover[k], settled[k] = worst, best, now
    return changed


@njit
def without_bans(keys, turns):
    low = (1 << 20) - 1
    return np.array([key_of(key >> 20 & low, key & low, 0, turns) for key in keys])


@njit
def scores_of(keys, board):
    low = (1 << 20) - 1
    return np.array([score(key >> 20 & low, key & low, board) for key in keys]).astype(np.int8)


class AllValues:
    """The tables of one board: the most that the prover forces if they move, and after each of the opponent's placements."""

    def __init__(self, height: int, width: int, suicide: bool = False) -> None:
        points = height * width
        first = sum(1 << width * row for row in range(height))
        self.board = width, (1 << points) - 1, first, first << width - 1
        self.turns = turns_of(height, width)
        self.keys = boards_of(self.board, self.turns)
        after, starts = successors(self.keys, suicide, self.board, self.turns)
        # A ban begins with a placement; a placement under a ban may begin another.
        while len(new := np.setdiff1d(after, self.keys)):
            self.keys = np.union1d(self.keys, new)
            after, starts = successors(self.keys, suicide, self.board, self.turns)
        bare = without_bans(self.keys, self.turns)
        self.scores = scores_of(self.keys, self.board)
        self.to_prover = np.full(len(self.keys), -NOTHING, dtype=np.int8)
        self.after_prover = np.full(len(self.keys), -NOTHING, dtype=np.int8)
        self.settled = np.zeros(len(self.keys), dtype=np.int16)
        after, bare = (np.searchsorted(self.keys, keys).astype(np.int32) for keys in (after, bare))
        values, self.sweeps = (self.scores, self.to_prover, self.after_prover, self.settled), 1
        while sweep(self.sweeps, after, starts, bare, *values):
            self.sweeps += 1

    def number(self, p: int, o: int, ban: int = 0) -> int:
        """Where a position stands in the tables."""
        return int(np.searchsorted(self.keys, key_of(p, o, ban, self.turns)))

    def prover_moves(self, p: int, o: int, ban: int = 0) -> int:
        """What the prover forces who is to move, with stones `p` against `o`."""
        return int(self.to_prover[self.number(p, o, ban)])

    def opponent_moves(self, p: int, o: int, ban: int = 0) -> int:
        """What the prover forces if the opponent is to move, and no pass ends the game."""
        placing = int(self.after_prover[self.number(p, o, ban)])
        return min(placing, max(int(score(p, o, self.board)), self.prover_moves(p, o)))


def turns_of(height: int, width: int) -> np.ndarray:
    """For each way to turn and mirror the board, what becomes of each mask."""
    points = np.arange(height * width).reshape(height, width)
    turned = [np.rot90(side, quarter) for side in (points, points[:, ::-1]) for quarter in range(4)]
    places = [turn.ravel() for turn in turned if turn.shape == points.shape]
    masks = np.arange(1 << height * width)
    return np.array([sum((masks >> k & 1) << int(place) for k, place in enumerate(turn)) for turn in places])


@cache
def all_values(height, width, suicide=False):
    """The values of a board, computed once."""
    return AllValues(height, width, suicide)


def some_positions(table, height, width, number):
    """Positions drawn at random, always the same: the stones of either side."""
    rng = random.Random(f"{height}x{width}")
    while number:
        marks = [rng.choice((0, 1, 2)) if rng.random() < 0.8 else 0 for _ in range(height * width)]
        p, o = (sum(1 << k for k, mark in enumerate(marks) if mark == colour) for colour in (1, 2))
        empty = table.board[1] & ~(p | o)
        if living(p, empty, table.board) == p and living(o, empty, table.board) == o:
            number -= 1
            yield p, o
