"""Can one side, the *prover*, reach this margin, whatever the opponent does and however often they repeat?

The prover must force it in a finite number of moves: a position that comes again on the way is their failure, whoever made it
again. So a proof does not depend on how a position was reached, and holds under every rule about repetition: see
docs/proofs.md. A refutation that only rests on repetitions does depend on the way: such a one is marked in the table, trusted
while proofs are looked for, and not trusted when somebody wants to know for sure.

The search is depth-first proof-number search (df-pn; A. Nagai 2002): a position has a proof number, an estimate of how hard it
is to prove, and a disproof number, how hard to refute. The search goes where the least is to be done, and comes back when
another place has become cheaper, by an eighth of the number or more (the "1 + epsilon trick"; J. Pawlewicz, L. Lew 2006).
Of several children that all must be settled the hardest counts, and one for each of the others: positions of Go are
reached by many ways, and sums would count the same work many times (weak proof numbers; T. Ueda et al. 2008). A position
that was not searched yet is thought the harder, the more stones a side would need to make its claim safe if it played alone.
"""

from __future__ import annotations

from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.area import stack as at
from goban.solver.area.boards import Shape
from goban.solver.area.life import Bytes
from goban.solver.area.moves import expand, key_of
from goban.solver.area.stack import row_of
from goban.solver.area.table import NEVER, contents_of, store

PROVEN, REFUTED, REPEATED, UNKNOWN = 1, 0, 2, -1
"""REPEATED: refuted as far as some refutations are trusted that rest on repetitions."""

_WIDENING = 3
"""How far a child may go beyond the next best one: an eighth of its number."""


@kernel
def prove(
    p: int, o: int, ko: int, turn: int, passed: int, shape: Shape, symmetries: Ints, missing: Bytes, space: Ints, table: Ints
) -> int:
    """Answer for stones `p` of the prover and `o` of the opponent.

    ko: the point that is forbidden. turn: 0 if the prover moves, 1 if not. passed: 1 if a pass ends the game. UNKNOWN if the
    limit of nodes in `space` was reached. missing: what `life.count_missing` wrote for the margin, then for the opponent's
    that refutes it; empty to search without it.
    """
    level = 0
    _begin(0, p, o, ko, turn, key_of(p, o, ko, turn, passed, symmetries), NEVER, NEVER, space)
    expand(0, shape, symmetries, missing, space, table)
    while True:
        row = row_of(level)
        turn = int(space[nth(row + at.TURN)])
        chosen, second, open_ = _weigh(row, turn, space)
        proof, disproof = int(space[nth(row + at.PROOF)]), int(space[nth(row + at.DISPROOF)])
        most_proof, most_disproof = int(space[nth(row + at.MOST_PROOF)]), int(space[nth(row + at.MOST_DISPROOF)])
        stop = space[nth(at.NODES)] >= space[nth(at.LIMIT)]
        if proof == 0 or disproof == 0 or proof >= most_proof or disproof >= most_disproof or stop:
            ancestor = _settle(level, row, chosen, stop, space, table)
            if level == 0:
                if proof and disproof:
                    return UNKNOWN
                return PROVEN if proof == 0 else REFUTED if ancestor == at.NO_ANCESTOR else REPEATED
            if stop:
                return UNKNOWN
            level -= 1
            _note(row_of(level), int(space[nth(row_of(level) + at.CHOSEN)]), proof, disproof, ancestor, space)
            continue
        space[nth(row + at.CHOSEN)] = chosen
        child = int(space[nth(row + at.KEYS + chosen)])
        again = _level_of(child, level, space)
        if again >= 0 or level + 1 >= at.MOST_LEVELS:
            _note(row, chosen, NEVER, 0, again, space)
            continue
        widened = second + 1 + (second >> _WIDENING)
        if turn == 0:
            most_proof, most_disproof = min(most_proof, widened, NEVER), min(NEVER, most_disproof - (open_ - 1))
        else:
            most_proof, most_disproof = min(NEVER, most_proof - (open_ - 1)), min(most_disproof, widened, NEVER)
        level += 1
        p, o = int(space[nth(row + at.PS + chosen)]), int(space[nth(row + at.OS + chosen)])
        _begin(level, p, o, int(space[nth(row + at.KOS + chosen)]), 1 - turn, child, most_proof, most_disproof, space)
        expand(level, shape, symmetries, missing, space, table)


@inlined
def _begin(level: int, p: int, o: int, ko: int, turn: int, key: int, most_proof: int, most_disproof: int, space: Ints) -> None:
    row = row_of(level)
    space[nth(row + at.P)], space[nth(row + at.O)], space[nth(row + at.KO)] = p, o, ko
    space[nth(row + at.TURN)], space[nth(row + at.KEY)] = turn, key
    space[nth(row + at.MOST_PROOF)], space[nth(row + at.MOST_DISPROOF)] = most_proof, most_disproof
    space[nth(row + at.BEFORE)] = space[nth(at.NODES)]


@inlined
def _weigh(row: int, turn: int, space: Ints) -> tuple[int, int, int]:
    """Write the numbers of a position, from those of its children; return which child to search, the second best
    number, and how many children are not settled."""
    # The player to move wants one child whose number comes down to 0: the prover's is the proof number.
    wanted, others = (row + at.PROOFS, row + at.DISPROOFS) if turn == 0 else (row + at.DISPROOFS, row + at.PROOFS)
    best, second, hardest, open_, chosen = NEVER, NEVER, 0, 0, 0
    for k in range(int(space[nth(row + at.NUMBER)])):
        mine, theirs = int(space[nth(wanted + k)]), int(space[nth(others + k)])
        if mine < best:
            best, second, chosen = mine, best, k
        else:
            second = min(second, mine)
        open_ += theirs > 0
        hardest = max(hardest, theirs)
    rest = min(hardest + open_ - 1, NEVER - 1)
    if best == 0:
        rest = NEVER
    elif open_ == 0:
        best, rest = NEVER, 0
    space[nth(row + at.PROOF)], space[nth(row + at.DISPROOF)] = (best, rest) if turn == 0 else (rest, best)
    return chosen, second, open_


@inlined
def _note(row: int, child: int, proof: int, disproof: int, ancestor: int, space: Ints) -> None:
    space[nth(row + at.PROOFS + child)], space[nth(row + at.DISPROOFS + child)] = proof, disproof
    space[nth(row + at.ANCESTORS + child)] = ancestor


@inlined
def _level_of(key: int, level: int, space: Ints) -> int:
    """Return the level of the path at which a position stands, -1 if it is new."""
    while level >= 0 and space[nth(row_of(level) + at.KEY)] != key:
        level -= 1
    return level


@kernel
def _settle(level: int, row: int, chosen: int, stopped: bool, space: Ints, table: Ints) -> int:
    """Store what is known of a position; return the earliest level of the path that its refutation rests on."""
    proof, disproof = int(space[nth(row + at.PROOF)]), int(space[nth(row + at.DISPROOF)])
    ancestor = at.NO_ANCESTOR
    if disproof == 0:
        if space[nth(row + at.TURN)] == 0:
            for k in range(int(space[nth(row + at.NUMBER)])):
                ancestor = min(ancestor, int(space[nth(row + at.ANCESTORS + k)]))
        else:
            ancestor = int(space[nth(row + at.ANCESTORS + chosen)])
        # What only comes back to this position itself is refuted whatever the path.
        if ancestor >= level:
            ancestor = at.NO_ANCESTOR
    if not stopped or proof == 0 or disproof == 0:
        spent = int(space[nth(at.NODES)] - space[nth(row + at.BEFORE)])
        store(table, int(space[nth(row + at.KEY)]), contents_of(proof, disproof, spent, ancestor != at.NO_ANCESTOR))
    return ancestor
