"""How many stones a player can be made to lose before the game ends: a bound found without a search.

One player, the *defender*, has groups on the board and `moves` moves left. The other, the *attacker*, has `attacks` moves left.
A group with more than `attacks` liberties cannot be captured unless the defender fills its liberties, and without passing
the defender may have to. A group's *slack* is the number of liberties its owner can afford to fill: liberties - attacks - 1.

The defender's plan is to play every move on a liberty of the group with the most slack:

- An attacker's move takes at most one of its liberties and uses up one attack, so it never lowers the slack.
- A defender's move on one of its liberties lowers its slack by at most one. Other groups that had the same liberty become
  part of it, so none of them is lost. The move is legal: with slack to spend the group has at least two liberties, so the
  move is not suicide, and the ko rule forbids only one of the two.
- Captures of the attacker's stones only add liberties. Captures of the defender's other groups do not touch the group.

So with slack >= moves the defender loses at most the *weak* groups, those of `attacks` liberties or fewer. They do not lose all
of them if these have more liberties together than there are attacks. The defender plays on none of those liberties (except
those shared with the strong group, and a weak group next to such a point becomes part of the strong one), so the attacker has
to fill every one. In that case the smallest weak group, at least, survives.

    attacks = 2     strong group: 5 liberties, so slack 2 and safe for two moves of its owner
                    weak groups:  2 liberties of its own and 1 of its own: 3 together, more than 2, so one of them lives

Every move that the slack does not cover costs one stone more if the defender can pass instead. Where passing is not allowed,
only the very last move can be left out, and only if it comes after the attacker's last (`spare`): the game then ends one
stone short. In all other cases nothing is claimed.

Where passing is allowed and the attacker passes as well, both leave equally many moves unplayed, so the margin counted with all
moves played stays a bound.

All this is asked about the positions after one player's moves, eight at a time: in a `Lanes` each of eight numbers belongs to
one move, and a truth is -1 or 0, so that `&` keeps a number or clears it.

At the end of the file stands what can be said of a position's successors without searching them, by these bounds and by the
table. If the opponent fails in a successor, its move wins and becomes the one tried last. If they surely do not fail, the move
is hopeless.
"""

from __future__ import annotations

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.numba_tools.vectors import WIDTH, Lanes, counts, eightfold, equal, greater, load, signs, store
from goban.solver.alphabeta import stack as at
from goban.solver.alphabeta.boards import Ints, adjacent, canonical, index, least_forms
from goban.solver.alphabeta.moves import HOPELESS, captures
from goban.solver.alphabeta.stack import entry_of, place_of, row_of, score_of, try_only
from goban.solver.alphabeta.transpositions import fetch, look_up, lower_bound, position_key, upper_bound


@inlined
def judge_moves(start: int, left: int, space: Ints) -> int:
    """Return which of eight listed moves, from number `start` on, surely win, as bits; if none, write which surely fail.

    A move wins if the next player then surely misses what they need, and fails if they surely reach it.
    """
    row, passing = row_of(left), space[at.PASSING] != 0
    # After the move `left - 1` are left: the next player has `half + odd` of them, the one who made the move `half`.
    half, odd = (left - 1) >> 1, (left - 1) & 1
    moves = row + at.MOVES + start
    bit = load(space, moves + at.BIT)
    taken = captures(bit, row, space)
    # What the next player ends up with beyond what they need, if every move is played and nothing more is captured: their
    # stones less ours now, one less for the stone just placed (a pass places none, so `~equal` is -1 or 0), one more if they
    # have the odd move, and what they need is 1 - WANTED.
    margin = count(int(space[nth(row + at.THEIRS)])) - count(int(space[nth(row + at.MINE)]))
    beyond = ~equal(bit, 0) + (margin + odd - 1 + int(space[nth(row + at.WANTED)]))
    if space[nth(row + at.CAPTURING)]:
        beyond = beyond - counts(taken)
    listed = (1 << min(WIDTH, int(space[nth(row + at.NUMBER)]) - start)) - 1
    # Below 0 the next player must capture something: if the mover need not lose that much, the move wins.
    behind = signs(beyond) & listed
    if behind:
        lost, liberties = lost_by_mover(bit, taken, half + odd, row, space)
        winning = signs(loses_at_most(-1 - beyond, lost, liberties, half + odd, half, odd == 0, passing)) & listed
        if winning:
            return winning
    # From 0 on the next player has stones to spare: if they need not lose more than those, the move fails.
    hopeless = eightfold(0)
    if behind != listed:
        lost, liberties = lost_by_opponent(bit, half, row, space)
        hopeless = loses_at_most(beyond, lost, liberties, half, half + odd, odd != 0, passing)
    store(space, moves + at.HOPELESS, hopeless)
    return 0


@inlined
def loses_at_most(allowed: Lanes, lost: Lanes, liberties: Lanes, attacks: int, moves: int, spare: bool, passing: bool) -> Lanes:
    """Return -1 where the defender surely need not lose more than `allowed` stones, passes counted as stones, else 0.

    `lost`: what the defender loses with enough slack. `liberties`: the most that one of their groups has. `moves`: all that
    the defender has up to the end; `spare`: the last of them comes after the attacker's last.
    """
    # How many moves the slack does not cover: moves - (liberties - attacks - 1), from 0 to all of them.
    missing = (moves + attacks + 1) - liberties
    missing = missing & greater(missing, 0)
    missing = missing + (greater(missing, moves) & (moves - missing))
    if passing:
        # Instead of each of those the defender passes, and has a stone less for it.
        return ~greater(lost, allowed - missing)
    enough = equal(missing, 0) & ~greater(lost, allowed)
    if spare:
        # One move short, and it is the very last of the game: left out, it costs the stone it would have placed.
        enough = enough | (equal(missing, 1) & greater(liberties, attacks) & greater(allowed, lost))
    return enough


@inlined
def lost_by_mover(bit: Lanes, taken: Lanes, attacks: int, row: int, space: Ints) -> tuple[Lanes, Lanes]:
    """Return what the player who makes each of eight moves loses at most with enough slack, and their most liberties."""
    full, capturing = int(space[at.FULL]), space[nth(row + at.CAPTURING)] != 0
    empty = full & ~(int(space[nth(row + at.MINE)]) | int(space[nth(row + at.THEIRS)]))
    placed = ~equal(bit, 0)
    # The new stone's group grows by every group that has the point as a liberty; the others stay apart.
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
    # With more liberties together than attacks, the smallest weak group is not lost.
    return weak - (greater(counts(together), attacks) & least), _larger(most, number)


@inlined
def lost_by_opponent(bit: Lanes, attacks: int, row: int, space: Ints) -> tuple[Lanes, Lanes]:
    """Return the same for the opponent of the player who makes the moves."""
    weak = most = together = eightfold(0)
    least = eightfold(count(int(space[at.FULL])))
    for i in range(row + at.OTHER_GROUPS, int(space[nth(row + at.OTHERS)]), 2):
        stones, liberties = int(space[nth(i)]), int(space[nth(i + 1)])
        # The move takes a liberty where it is one. A group without any is captured already, and counted in `beyond`.
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


# Successors at sight


@inlined
def is_hopeless(entry: int) -> bool:
    """Tell whether the move of an entry in a row's order need not be tried."""
    return score_of(entry) < HOPELESS // 2


@inlined
def wins_at_sight(left: int, space: Ints) -> bool:
    """Tell whether the bounds show a successor to be won; if not, it is written which of the listed moves are hopeless."""
    row = row_of(left)
    for start in range(0, int(space[nth(row + at.NUMBER)]), WIDTH):
        winning = judge_moves(start, left, space)
        if winning:
            try_only(space, row, start + index(winning & -winning))
            return True
    return False


@kernel
def known_to_win(left: int, space: Ints, table: Ints) -> bool:
    """Tell whether the table knows a successor to be won."""
    row = row_of(left)
    wanted, bits, symmetric = int(space[nth(row + at.WANTED)]), int(space[at.BITS]), left > space[at.SYMMETRIC]
    number, size = int(space[nth(row + at.NUMBER)]), int(space[at.SIZE])
    if symmetric:
        for start in range(0, number, WIDTH):
            move = row + at.MOVES + start
            owns, others = least_forms(load(space, move + at.OWN), load(space, move + at.OTHER), size)
            store(space, at.LEAST_OWN + start, owns)
            store(space, at.LEAST_OTHER + start, others)
    # Asking for all the places first lets the processor wait for memory once, not once for every successor.
    for k in range(number):
        if is_hopeless(int(space[nth(row + at.ORDER + k)])):
            continue
        move = place_of(row, k)
        own, other, ko = int(space[nth(move + at.OWN)]), int(space[nth(move + at.OTHER)]), int(space[nth(move + at.KO)])
        if symmetric and ko:
            own, other, ko = canonical(own, other, ko, size)
        elif symmetric:
            own, other = int(space[nth(at.LEAST_OWN + k)]), int(space[nth(at.LEAST_OTHER + k)])
        key = position_key(own, other, ko, space[nth(move + at.BIT)] == 0, left - 1)
        space[nth(move + at.AFTER)] = key
        fetch(table, bits, key)
    for k in range(number):
        if is_hopeless(int(space[nth(row + at.ORDER + k)])):
            continue
        move = place_of(row, k)
        entry = look_up(table, bits, int(space[nth(move + at.AFTER)]))
        if entry:
            if upper_bound(entry) <= -wanted:
                try_only(space, row, k)
                return True
            if lower_bound(entry) > -wanted:
                space[nth(row + at.ORDER + k)] = entry_of(HOPELESS, k)
    return False
