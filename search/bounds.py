"""How many stones a player can be made to lose before the game ends: a bound found without a search.

One player, the *defender*, has groups on the board; the *attacker* has `attacks` moves left, the defender `moves`. A group
with more than `attacks` liberties cannot be captured unless the defender fills its liberties himself, and without passing
he may have to. Its *slack* is how many of them he can afford to fill: liberties - attacks - 1.

The defender's plan is to play on the liberties of the group with the most slack, once for each of his moves:

- An attacker's move takes at most one of its liberties and uses up one attack, so its slack never falls by it.
- A defender's move on one of its liberties lowers its slack by at most one. Other groups that had the same liberty become
  part of it, so none of them is lost. The move is legal: with slack to spend the group has two liberties at least, so it
  is not suicide; and of two such points the ko rule forbids only one.
- Captures of the attacker's stones only add liberties, captures of the defender's other groups do not touch it.

So with slack >= moves he loses at most groups of `attacks` liberties or fewer, and of these only such as have no more liberties
together than there are attacks: he plays on none of them (but on those that the strong group has too, and what touches these
becomes part of it), so the attacker has to play on every one himself. Every move for which the slack does not suffice costs
one stone more if he can pass it by. Where he cannot, only his very last move, after the attacker's last, can be done without
(`spare`): the game is then over one stone short. In all other cases nothing is said.

Where passing is allowed and the attacker passes as well, the game ends with as many moves unplayed by both, so that the
margin counted with all moves played stays a bound.
"""

from __future__ import annotations

from kernels.entries import kernel
from kernels.indices import nth
from search import spaces as at
from search.smallboards import Ints, count

_MOST_SETS = 6
"""Of more weak groups than these, all are taken for lost together."""


@kernel
def loses_at_most(
    allowed: int, space: Ints, start: int, end: int, attacks: int, moves: int, spare: bool, passing: bool
) -> bool:
    """Tell whether the defender surely need not lose more than `allowed` stones, passes counted as stones.

    `space` holds the defender's (group, liberties) from `start` to `end`, as `groups_of` writes them. `moves` counts all
    moves of the defender up to the end; `spare`: the last of them comes after the attacker's last.
    """
    if allowed < 0:
        return False
    most = weak = 0
    front = at.WEAK
    for i in range(start, end, 2):
        members, free = int(space[nth(i)]), int(space[nth(i + 1)])
        liberties = count(free)
        lost = liberties <= attacks
        weak += count(members) & -lost
        space[nth(front)], space[nth(front + 1)] = members, free
        front += 2 * lost
        most = max(most, liberties)
    missing = min(moves, moves - (most - attacks - 1))
    if missing > 0:
        if passing:
            allowed -= missing
        elif most > attacks and spare and missing == 1:
            allowed -= 1
        else:
            return False
    if weak <= allowed:
        return True
    return allowed >= 0 and not _captures_more(allowed, space, front, attacks)


@kernel
def _captures_more(allowed: int, space: Ints, end: int, attacks: int) -> bool:
    """Tell whether weak groups of more than `allowed` stones have at most `attacks` liberties together.

    The groups are listed from WEAK to `end`. Sets of them grow group by group; those with too many liberties are dropped.
    """
    number = (end - at.WEAK) >> 1
    if number > _MOST_SETS:
        return True
    space[at.SETS], space[at.SETS + 1] = 0, 0
    filled = at.SETS + 2
    for i in range(at.WEAK, end, 2):
        size, free = count(int(space[nth(i)])), int(space[nth(i + 1)])
        for j in range(at.SETS, filled, 2):
            stones, liberties = int(space[nth(j)]) + size, int(space[nth(j + 1)]) | free
            few = count(liberties) <= attacks
            if few and stones > allowed:
                return True
            space[nth(filled)], space[nth(filled + 1)] = stones, liberties
            filled += 2 * few
    return False


@kernel
def surely_reaches(margin: int, wanted: int, left: int, space: Ints, start: int, end: int, passing: bool) -> bool:
    """Tell whether the player to move surely reaches a final margin; his groups are listed from `start` to `end`.

    `margin` is his now; `left` moves are left, passes counted. Each places a stone with every move, the player to move one
    more if `left` is odd.
    """
    half, odd = left >> 1, left & 1
    return loses_at_most(margin + odd - wanted, space, start, end, half, half + odd, odd != 0, passing)


@kernel
def surely_misses(margin: int, wanted: int, left: int, space: Ints, start: int, end: int, passing: bool) -> bool:
    """Tell whether the player to move surely does not reach a final margin; the opponent's groups are listed."""
    half, odd = left >> 1, left & 1
    return loses_at_most(wanted - 1 - margin - odd, space, start, end, half + odd, half, odd == 0, passing)
