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

So with slack >= moves he loses at most the groups of `attacks` liberties or fewer. Every move for which the slack does not
suffice costs one stone more if he can pass it by. Where he cannot, only his very last move, after the attacker's last, can be
done without (`spare`): the game is then over one stone short. In all other cases nothing is said.

Where passing is allowed and the attacker passes as well, the game ends with as many moves unplayed by both, so that the
margin counted with all moves played stays a bound.
"""

from __future__ import annotations

from kernels.entries import kernel
from search.smallboards import Ints, count

ANY_NUMBER = 99
"""No bound: more than there are stones."""


@kernel
def most_lost(space: Ints, start: int, end: int, attacks: int, moves: int, spare: bool, passing: bool) -> int:
    """Return a number of stones that the defender need not lose more than, passes counted as stones; or ANY_NUMBER.

    `space` holds the defender's (group, liberties) from `start` to `end`, as `groups_of` writes them. `moves` counts all
    moves of the defender up to the end; `spare`: the last of them comes after the attacker's last.
    """
    lost = most = 0
    for i in range(start, end, 2):
        liberties = count(int(space[i + 1]))
        if liberties <= attacks:
            lost += count(int(space[i]))
        elif liberties > most:
            most = liberties
    missing = moves - (most - attacks - 1)
    if missing <= 0:
        return lost
    if passing:
        return lost + min(missing, moves)
    if most and spare and missing == 1:
        return lost + 1
    return ANY_NUMBER


@kernel
def decided(
    margin: int, wanted: int, left: int, space: Ints, others: int, owns: int, end: int, passing: bool
) -> tuple[bool, bool]:
    """Tell whether the player to move surely reaches a final margin, and whether he surely does not.

    `margin` is his now; `left` moves are left, passes counted. `space` holds the opponent's groups from `others` to `owns`
    and his own from there to `end`. Each places a stone with every move, the player to move one more if `left` is odd.
    """
    half, odd = left >> 1, left & 1
    final = margin + odd
    if final >= wanted:
        return final - most_lost(space, owns, end, half, half + odd, odd != 0, passing) >= wanted, False
    return False, final + most_lost(space, others, owns, half + odd, half, odd == 0, passing) < wanted
