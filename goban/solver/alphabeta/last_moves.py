"""The last two moves of a game, decided without a search.

Everywhere `wanted` is a margin: own stones less the opponent's at the end, as the player to move counts it. The question
is whether they can reach at least that.

One move left: the margin is the present one, plus one for the stone placed, plus what it captures. Without a legal placement
(course) or with a pass (littlego) it is the present one.

Two moves left: a placement that captures c, after which the opponent can capture at most d, is worth the present margin
+ c - d, since both place one stone. If the opponent cannot place, the stone stays unanswered: the present margin + c + 1.
"""

from __future__ import annotations

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import kernel
from goban.solver.alphabeta import stack as at
from goban.solver.alphabeta.boards import Ints, adjacent, captured_by, group, groups_of, joined, ko_after, most_captured


@kernel
def can_place(own: int, other: int, ko: int, full: int) -> bool:
    """Tell whether the player to move has a legal placement."""
    empty = full & ~(own | other)
    if adjacent(empty, full) & empty & ~ko:
        return True
    while other:
        members = group(other & -other, other, full)
        other ^= members
        free = adjacent(members, full) & empty
        if free & (free - 1) == 0 and free != ko:
            return True
    while own:
        members = group(own & -own, own, full)
        own ^= members
        free = adjacent(members, full) & empty
        if free & (free - 1) and free & ~ko:
            return True
    return False


@kernel
def reaches_in_one(own: int, other: int, ko: int, wanted: int, full: int, space: Ints) -> bool:
    """Tell whether the player to move reaches the margin with the game's last move."""
    wanted -= count(own) - count(other)
    if wanted <= 0:
        return True
    end = groups_of(other, full & ~(own | other), full, space, at.SCRATCH)
    most = most_captured(space, at.SCRATCH, end, ko)
    if most or wanted > 1:
        return most + 1 >= wanted and most > 0
    return can_place(own, other, ko, full)


@kernel
def reaches_in_two(own: int, other: int, ko: int, passed: bool, wanted: int, row: int, space: Ints) -> bool:
    """Tell whether the player to move reaches the margin with the game's last move but one.

    Both players' groups are listed in the position's row.
    """
    full, passing = int(space[at.FULL]), space[at.PASSING] != 0
    owns, owns_end = row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)])
    others, others_end = row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)])
    wanted -= count(own) - count(other)
    if passed and wanted <= 0:
        return True
    points = total = 0
    for i in range(others, others_end, 2):
        free = int(space[nth(i + 1)])
        single = -((free & (free - 1) == 0) & (free != ko))
        points |= free & single
        total += count(int(space[nth(i)])) & single
    if wanted > total + 1:
        return False
    rest = points
    while rest:
        bit = rest & -rest
        rest ^= bit
        taken = captured_by(bit, space, others, others_end)
        if count(taken) >= wanted - 1 and _capture_reaches(bit, own, other, wanted, full, taken, space, owns, owns_end):
            return True
    if wanted > 1:
        return False
    if _quiet_reaches(own, other, ko, points, wanted, full, passing, space, owns, owns_end):
        return True
    return passing and not passed and wanted <= 0 and _pass_reaches(own, other, wanted, full, space, owns, owns_end)


@kernel
def _capture_reaches(
    bit: int, own: int, other: int, wanted: int, full: int, taken: int, space: Ints, start: int, end: int
) -> bool:
    """Tell whether the capturing placement on `bit` gains `wanted` stones after the opponent's reply."""
    empty = full & ~(own | other)
    ko = ko_after(bit, own, empty, taken, full)
    loss = most_captured(space, at.SCRATCH, joined(bit, taken, empty, full, space, start, end, at.SCRATCH), ko)
    if count(taken) - loss >= wanted:
        return True
    return loss == 0 and not can_place(other ^ taken, own | bit, ko, full)


@kernel
def _quiet_reaches(
    own: int, other: int, ko: int, capturing: int, wanted: int, full: int, passing: bool, space: Ints, start: int, end: int
) -> bool:
    """Tell whether some placement that captures nothing gains `wanted` (1 or less) stones after the reply."""
    empty = full & ~(own | other)
    legal = adjacent(empty, full) & empty
    for i in range(start, end, 2):
        free = int(space[nth(i + 1)])
        if free & (free - 1):
            legal |= free
    legal &= ~(capturing | ko)
    if not legal and not capturing and not passing:
        return wanted <= 0
    while legal:
        bit = legal & -legal
        legal ^= bit
        if wanted > 0:
            # Without a capture only an opponent who cannot place lets the new stone count.
            if not can_place(other, own | bit, 0, full):
                return True
        elif _keeps_losses(bit, empty, -wanted, full, space, start, end):
            return True
    return False


@kernel
def _keeps_losses(bit: int, empty: int, allowed: int, full: int, space: Ints, start: int, end: int) -> bool:
    """Tell whether after a quiet own placement on `bit` one reply captures at most `allowed` own stones.

    `space` holds the own groups before it: those next to `bit` become one group with it, the others stay as they are.
    """
    size, free = 1, adjacent(bit, full) & empty
    for i in range(start, end, 2):
        if space[nth(i + 1)] & bit:
            size += count(int(space[nth(i)]))
            free |= int(space[nth(i + 1)])
    free &= ~bit
    if free & (free - 1):
        size = 0
    if size > allowed:
        return False
    for i in range(start, end, 2):
        last = int(space[nth(i + 1)])
        if last & (last - 1) or last == bit:
            continue
        loss = size if last == free else 0
        for j in range(start, end, 2):
            if space[nth(j + 1)] == last:
                loss += count(int(space[nth(j)]))
        if loss > allowed:
            return False
    return True


@kernel
def _pass_reaches(own: int, other: int, wanted: int, full: int, space: Ints, start: int, end: int) -> bool:
    """Tell whether passing keeps the loss to the opponent's last move within `-wanted` stones."""
    loss = most_captured(space, start, end, 0)
    if loss == 0:
        return wanted < 0 or not can_place(other, own, 0, full)
    return loss + 1 <= -wanted
