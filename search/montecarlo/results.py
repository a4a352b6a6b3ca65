"""What the result of a game changes in the tree: counts on its path, moves played later, and what it proves."""

from __future__ import annotations

from kernels.numba_tools.entry_points import kernel
from kernels.patterns.replies import learn_replies
from kernels.playouts.arrays import BLACK, WHITE

# isort: off
from search.montecarlo.spaces import (
    AMAF_VISITS, AMAF_WINS, COMPLETE, COUNT, FIRST, LOST, MOVE, PASS, PROVEN, STATUS, TIED, UNIT, VISITS, WINS, WON, Nodes,
)  # fmt: skip
# isort: on
from search.montecarlo.spaces import TIE_WINNER, Space


@kernel
def value_for_black(status: int, mover: int) -> int:
    """Return what Black gets where something is proven for who made the move."""
    if status & TIED != 0:
        return UNIT // 2
    return UNIT if (status & WON != 0) == (mover == BLACK) else 0


@kernel
def winner_of(space: Space, margin: float) -> int:
    """Return who wins by Black's lead, komi counted in: 1, 2, or 0 for a tie."""
    return BLACK if margin > 0.0 else WHITE if margin < 0.0 else space.facts[TIE_WINNER]


@kernel
def value_of(winner: int) -> int:
    """Return what Black gets where somebody has won."""
    return UNIT if winner == BLACK else 0 if winner == WHITE else UNIT // 2


@kernel
def count_game(space: Space, depth: int, mover: int, black: int) -> None:
    """Add a game to the nodes on its path. mover: who made the last move of the path; black: what Black gets."""
    nodes, path = space.nodes, space.path
    value = black if mover == BLACK else UNIT - black
    for d in range(depth, -1, -1):
        nodes[path[d], VISITS] += 1
        nodes[path[d], WINS] += value
        value = UNIT - value


@kernel
def count_amaf(space: Space, depth: int, length: int, black: int) -> None:
    """Add a game to the children along its path whose move the same player made first on that point later in the game.

    length: of the record.
    """
    nodes, path, record, owners = space.nodes, space.path, space.record, space.owners
    for p in range(len(owners)):
        owners[p] = 0
    for k in range(length - 1, depth - 1, -1):
        owners[record[k] >> 2] = record[k] & 3
    for d in range(depth - 1, -1, -1):
        own = record[d] & 3
        owners[record[d] >> 2] = own
        # A later pass says nothing of a pass now.
        owners[PASS] = 0
        value = black if own == BLACK else UNIT - black
        first = nodes[path[d], FIRST]
        for child in range(first, first + nodes[path[d], COUNT]):
            if owners[nodes[child, MOVE]] == own:
                nodes[child, AMAF_VISITS] += 1
                nodes[child, AMAF_WINS] += value


@kernel
def count_replies(space: Space, length: int, black: int) -> None:
    """Learn from the replies of a game. length: of the record. A tie teaches nothing."""
    if black != UNIT // 2:
        learn_replies(space.replies, len(space.owners), space.record, length, WHITE if black == UNIT else BLACK)


@kernel
def count_order(space: Space, depth: int, black: int) -> None:
    """Add a game to GNU Go's order: one more for each move in the tree that was made by who lost."""
    for d in range(depth):
        move, own = space.record[d] >> 2, space.record[d] & 3
        if black == (0 if own == BLACK else UNIT):
            space.orders[3 * move + own] += 1


@kernel
def spread_proof(space: Space, depth: int) -> None:
    """Prove what follows from the proven node at the end of the path for those above it."""
    nodes, path = space.nodes, space.path
    for d in range(depth - 1, -1, -1):
        result = LOST if nodes[path[d + 1], STATUS] & WON != 0 else _worst(nodes, path[d])
        if result == 0:
            return
        nodes[path[d], STATUS] |= result


@kernel
def _worst(nodes: Nodes, parent: int) -> int:
    """Return what is proven for who moved to a node whose children are all proven, none of them won; else 0."""
    if nodes[parent, STATUS] & COMPLETE == 0:
        return 0
    first, result = nodes[parent, FIRST], WON
    for child in range(first, first + nodes[parent, COUNT]):
        status = nodes[child, STATUS]
        if status & PROVEN == 0:
            return 0
        if status & TIED != 0:
            result = TIED
    return result
