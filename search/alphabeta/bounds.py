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

So with slack >= moves he loses at most the *weak* groups, those of `attacks` liberties or fewer: and not all of them if they
have more liberties together than there are attacks, since he plays on none of them (but on those that the strong group has
too, and what touches these becomes part of it), so the attacker has to play on every one himself. Every move for which the
slack does not suffice costs one stone more if he can pass it by. Where he cannot, only his very last move, after the
attacker's last, can be done without (`spare`): the game is then over one stone short. In all other cases nothing is said.

Where passing is allowed and the attacker passes as well, the game ends with as many moves unplayed by both, so that the
margin counted with all moves played stays a bound.

All this is asked about the positions after the moves of one, eight at a time.
"""

from __future__ import annotations

from kernels.numba_tools.bits import count
from kernels.numba_tools.entry_points import inlined
from kernels.numba_tools.indices import nth
from kernels.numba_tools.vectors import WIDTH, Lanes, counts, eightfold, equal, greater, load, signs, store
from search.alphabeta import stack as at
from search.alphabeta.boards import Ints, adjacent
from search.alphabeta.moves import captures
from search.alphabeta.stack import row_of


@inlined
def judge_moves(start: int, left: int, space: Ints) -> int:
    """Return which of eight listed moves, from number `start` on, surely win, as bits; if none, write which surely fail.

    A move wins if the next player then surely misses what he needs, and fails if he surely reaches it.
    """
    row, passing = row_of(left), space[at.PASSING] != 0
    half, odd = (left - 1) >> 1, (left - 1) & 1
    moves = row + at.MOVES + start
    bit = load(space, moves + at.BIT)
    taken = captures(bit, row, space)
    # What the next player ends up with, if nothing is captured any more, beyond what he needs.
    margin = count(int(space[nth(row + at.THEIRS)])) - count(int(space[nth(row + at.MINE)]))
    beyond = ~equal(bit, 0) + (margin + odd - 1 + int(space[nth(row + at.WANTED)]))
    if space[nth(row + at.CAPTURING)]:
        beyond = beyond - counts(taken)
    listed = (1 << min(WIDTH, int(space[nth(row + at.NUMBER)]) - start)) - 1
    behind = signs(beyond) & listed
    if behind:
        lost, liberties = lost_by_mover(bit, taken, half + odd, row, space)
        winning = signs(loses_at_most(-1 - beyond, lost, liberties, half + odd, half, odd == 0, passing)) & listed
        if winning:
            return winning
    hopeless = eightfold(0)
    if behind != listed:
        lost, liberties = lost_by_opponent(bit, half, row, space)
        hopeless = loses_at_most(beyond, lost, liberties, half, half + odd, odd != 0, passing)
    store(space, moves + at.HOPELESS, hopeless)
    return 0


@inlined
def loses_at_most(allowed: Lanes, lost: Lanes, liberties: Lanes, attacks: int, moves: int, spare: bool, passing: bool) -> Lanes:
    """Return -1 where the defender surely need not lose more than `allowed` stones, passes counted as stones, else 0.

    `lost`: what he loses with enough slack. `liberties`: the most that a group of his has. `moves`: all of his up to the end;
    `spare`: the last of them comes after the attacker's last.
    """
    missing = (moves + attacks + 1) - liberties
    missing = missing & greater(missing, 0)
    missing = missing + (greater(missing, moves) & (moves - missing))
    if passing:
        return ~greater(lost, allowed - missing)
    enough = equal(missing, 0) & ~greater(lost, allowed)
    if spare:
        enough = enough | (equal(missing, 1) & greater(liberties, attacks) & greater(allowed, lost))
    return enough


@inlined
def lost_by_mover(bit: Lanes, taken: Lanes, attacks: int, row: int, space: Ints) -> tuple[Lanes, Lanes]:
    """Return what the player who makes each of eight moves loses at most with enough slack, and the most liberties he has."""
    full, capturing = int(space[at.FULL]), space[nth(row + at.CAPTURING)] != 0
    empty = full & ~(int(space[nth(row + at.MINE)]) | int(space[nth(row + at.THEIRS)]))
    placed = ~equal(bit, 0)
    size, free = placed & 1, adjacent(bit, full) & (taken | empty)
    weak = most = together = eightfold(0)
    least = eightfold(count(full))
    for i in range(row + at.OWN_GROUPS, int(space[nth(row + at.OWNS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        apart = equal(bit & liberties, 0)
        # The same twice, but captures are rare, and without them the liberties need not be counted for each move.
        if capturing:
            freed = (taken & adjacent(stones, full)) | liberties
            number = apart & counts(freed)
        else:
            freed = eightfold(liberties)
            number = apart & count(liberties)
        size, free = size + (~apart & count(stones)), free | (freed & ~apart)
        lost = apart & ~greater(number, attacks)
        weak, together, least = _with_weak(weak, together, least, lost, eightfold(count(stones)), freed)
        most = _larger(most, number)
    free = free & ~bit
    number = counts(free)
    lost = placed & ~greater(number, attacks)
    weak, together, least = _with_weak(weak, together, least, lost, size, free)
    return weak - (greater(counts(together), attacks) & least), _larger(most, number)


@inlined
def lost_by_opponent(bit: Lanes, attacks: int, row: int, space: Ints) -> tuple[Lanes, Lanes]:
    """Return the same for the opponent of the player who makes the moves."""
    weak = most = together = eightfold(0)
    least = eightfold(count(int(space[at.FULL])))
    for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        number = ~equal(bit & liberties, 0) + count(liberties)
        lost = greater(number, 0) & ~greater(number, attacks)
        weak, together, least = _with_weak(weak, together, least, lost, eightfold(count(stones)), liberties & ~bit)
        most = _larger(most, number)
    return weak - (greater(counts(together), attacks) & least), most


@inlined
def _with_weak(
    weak: Lanes, together: Lanes, least: Lanes, lost: Lanes, size: Lanes, liberties: Lanes
) -> tuple[Lanes, Lanes, Lanes]:
    """Return the weak groups' stones, all their liberties, and the smallest one's stones, with one more where it is `lost`."""
    smaller = lost & greater(least, size)
    return weak + (lost & size), together | (lost & liberties), least + (smaller & (size - least))


@inlined
def _larger(one: Lanes, other: Lanes) -> Lanes:
    return one + (greater(other, one) & (other - one))
