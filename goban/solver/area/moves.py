"""The moves of a position in a proof search: which there are, what comes of each, and what is known of that."""

from __future__ import annotations

from goban.kernels.numba_tools.bits import count, nth, prefetch
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.area import stack as at
from goban.solver.area.boards import Shape, adjacent, area, group, pair_of
from goban.solver.area.life import Bytes, safe_points
from goban.solver.area.ordering import edge_of, worth_of
from goban.solver.area.stack import row_of
from goban.solver.area.table import NEVER, depends_on_path, disproof_of, look_up, place_of, proof_of

# First guesses of proof and disproof numbers; found by trying. By the stones that are missing, binary logarithms in quarters:
_PROOF_MISSING, _DISPROOF_MISSING, _LOG_LIBERTY = 12, 8, 2
_WORTH = 100
"""A move that `ordering` thinks more promising makes the number of its side less, by a quarter for so much."""
_MOST_LOG = 22
# On larger boards, where those are not counted: what there is to begin with, for a liberty and for a stone.
_PROOF, _PROOF_LIBERTY, _PROOF_STONE = 20, 4, 4
_DISPROOF = 4


@inlined
def key_of(p: int, o: int, ko: int, turn: int, passed: int, symmetries: Ints) -> int:
    """Return the number of a position, symmetric ones having the same; the point of a ko ban is noted as both colours'."""
    return pair_of(p | ko, o | ko, symmetries) | turn << 60 | passed << 61


@kernel
def margin_of(p: int, o: int, shape: Shape) -> int:
    """Return the area of `p` less that of `o`."""
    return count(area(p, o, shape)) - count(area(o, p, shape))


@kernel
def expand(level: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints) -> None:
    """Write the moves of the position of a level, and what is known of each."""
    space[nth(at.NODES)] += 1
    row = row_of(level)
    number = list_moves(row, shape, symmetries, space)
    space[nth(row + at.NUMBER)] = number
    # Asking for all the places first lets the processor wait for memory once.
    for k in range(number):
        prefetch(table, place_of(table, int(space[nth(row + at.KEYS + k)])))
    for k in range(number):
        contents = look_up(table, int(space[nth(row + at.KEYS + k)]))
        proof, disproof, ancestor = proof_of(contents), disproof_of(contents), at.NO_ANCESTOR
        if contents and depends_on_path(contents):
            ancestor = at.FROM_TABLE
            if not space[nth(at.TRUSTING)]:
                contents, ancestor = 0, at.NO_ANCESTOR
        if not contents:
            proof, disproof = _first_numbers(row, k, shape, missing, space)
        space[nth(row + at.PROOFS + k)], space[nth(row + at.DISPROOFS + k)] = proof, disproof
        space[nth(row + at.ANCESTORS + k)] = ancestor


@kernel
def list_moves(row: int, shape: Shape, symmetries: Ints, space: Ints) -> int:
    """Write the moves worth looking at; return how many there are.

    The prover passes only with the margin wanted on the board: the opponent would end the game. They do not play where it
    changes nothing, in what is safe for either side, except while a ko is banned. The opponent plays everywhere, and passes
    unless the prover would then end the game.
    """
    p, o, ko = int(space[nth(row + at.P)]), int(space[nth(row + at.O)]), int(space[nth(row + at.KO)])
    turn, passed = int(space[nth(row + at.TURN)]), (int(space[nth(row + at.KEY)]) >> 61) & 1
    own, other = (p, o) if turn == 0 else (o, p)
    empty = shape[1] & ~(own | other)
    capturing, legal, listed = 0, adjacent(empty, shape) & empty, 0
    rest = other
    while rest:
        members = group(rest & -rest, rest, shape)
        rest ^= members
        free = adjacent(members, shape) & empty
        if free & (free - 1) == 0:
            capturing |= free
            space[nth(at.GROUPS + listed)], space[nth(at.LIBERTIES + listed)] = members, free
            listed += 1
    rest = own
    while rest:
        members = group(rest & -rest, rest, shape)
        rest ^= members
        free = adjacent(members, shape) & empty
        if free & (free - 1):
            legal |= free
    legal |= capturing
    suicides = empty & ~legal if space[nth(at.SUICIDE)] else 0
    todo = (legal | suicides) & ~ko
    if turn == 0 and ko == 0:
        safe = safe_points(p, o, shape, space, at.SCRATCH)
        todo &= ~(safe_points(o, p, shape, space, at.SCRATCH) | (safe if safe & o == 0 else 0))
    number = 0
    if turn == 0 or not passed:
        ahead = margin_of(p, o, shape) >= space[nth(at.WANTED)]
        if ahead == (turn == 0):
            number = _write(row, 0, 0, p, o, 0, 1 - turn, 1 - turn, symmetries, space)
    while todo:
        bit = todo & -todo
        todo ^= bit
        taken = 0
        if bit & capturing:
            for g in range(listed):
                if space[nth(at.LIBERTIES + g)] == bit:
                    taken |= int(space[nth(at.GROUPS + g)])
        # As `goban.solver.alphabeta.boards.ko_after`.
        banned = taken if taken & (taken - 1) == 0 and adjacent(bit, shape) & (own | empty) == 0 else 0
        mine, theirs = own | bit, other & ~taken
        if bit & suicides:
            members = group(bit, mine, shape)
            if members == bit:
                # The board stays as it is: under no rule about repetition a move.
                continue
            mine ^= members
        p, o = (mine, theirs) if turn == 0 else (theirs, mine)
        number = _write(row, number, bit, p, o, banned, 1 - turn, 0, symmetries, space)
    return number


@inlined
def _write(
    row: int, number: int, bit: int, p: int, o: int, ko: int, turn: int, passed: int, symmetries: Ints, space: Ints
) -> int:
    space[nth(row + at.BITS + number)], space[nth(row + at.KOS + number)] = bit, ko
    space[nth(row + at.PS + number)], space[nth(row + at.OS + number)] = p, o
    space[nth(row + at.KEYS + number)] = key_of(p, o, ko, turn, passed, symmetries)
    return number + 1


@kernel
def is_won(p: int, o: int, shape: Shape, space: Ints) -> bool:
    """Tell whether points enough are the prover's for good."""
    return bool(2 * count(safe_points(p, o, shape, space, at.SCRATCH)) - count(shape[1]) >= space[nth(at.WANTED)])


@kernel
def is_lost(o: int, p: int, shape: Shape, space: Ints) -> bool:
    """Tell whether so many points are the opponent's for good that the claim does not hold."""
    return bool(count(shape[1]) - 2 * count(safe_points(o, p, shape, space, at.SCRATCH)) < space[nth(at.WANTED)])


@kernel
def _first_numbers(row: int, child: int, shape: Shape, missing: Bytes, space: Ints) -> tuple[int, int]:
    """Return proof and disproof number of a position that was not searched yet."""
    p, o = int(space[nth(row + at.PS + child)]), int(space[nth(row + at.OS + child)])
    # Only who has just moved can have made more of their points safe.
    if space[nth(row + at.TURN)] == 0:
        if is_won(p, o, shape, space):
            return 0, NEVER
    elif is_lost(o, p, shape, space):
        return NEVER, 0
    empty = shape[1] & ~(p | o)
    liberties = count(adjacent(p, shape) & empty) - count(adjacent(o, shape) & empty)
    if len(missing):
        proof = _PROOF_MISSING * int(missing[nth(p)]) - _LOG_LIBERTY * liberties
        disproof = _DISPROOF_MISSING * int(missing[nth(shape[1] + 1 + o)]) + _LOG_LIBERTY * liberties
        bit, before, other = int(space[nth(row + at.BITS + child)]), int(space[nth(row + at.P)]), int(space[nth(row + at.O)])
        if bit and space[nth(row + at.TURN)] == 0:
            proof -= worth_of(0, before, other, p, o, bit, 0, edge_of(shape), missing, shape) // _WORTH
        elif bit:
            disproof -= worth_of(1, other, before, o, p, bit, 0, edge_of(shape), missing, shape) // _WORTH
        return _power(proof), _power(disproof)
    stones = count(p) - count(o)
    return max(1, _PROOF - _PROOF_LIBERTY * liberties - _PROOF_STONE * stones), max(1, _DISPROOF + liberties)


@inlined
def _power(quarters: int) -> int:
    """Return the number with this logarithm, kept within what the table holds."""
    return 1 << min(max(quarters, 0) >> 2, _MOST_LOG)
