"""The children of a node: the moves that may be played, and what is guessed of each before any game went through it."""

from __future__ import annotations

from kernels.numba_tools.entry_points import kernel
from kernels.patterns.point_sets import Span
from kernels.patterns.tables import Tables
from kernels.playouts.array_rules import NO_PLACEMENT, REPEATED, may_place, points_of

# isort: off
from kernels.playouts.arrays import (
    AREA, BLACK, COLOUR, EMPTY, ENDING, PASSED, PASSING, SIZE, TO_MOVE, WHITE, WINNER, Board, Hashes, at,
)  # fmt: skip
from search.montecarlo.spaces import (
    AMAF_VISITS, AMAF_WINS, COMPLETE, COUNT, FIRST, LOST, MOVE, PASS, STATUS, TIED, UNIT, VISITS, WINS, WON, Nodes,
)  # fmt: skip
from search.montecarlo.guesses import guess
from search.montecarlo.spaces import KOMI, PRIOR_OF_PASS, USED, Space
# isort: on
from search.montecarlo.positions import Position, array_point, usual_weight, weight_at
from search.montecarlo.results import winner_of

_POOR = 0.1


@kernel
def outcome(board: Board, space: Space) -> int:
    """Return who has won a game that is over, or has more points: 1, 2, or 0 for a tie."""
    if at(board, ENDING) == REPEATED:
        return at(board, WINNER)
    black, white = points_of(board)
    return winner_of(space, black - white - space.factors[KOMI])


@kernel
def status_of(winner: int, mover: int) -> int:
    """Return what a winner is for a player."""
    return TIED if winner == 0 else WON if winner == mover else LOST


@kernel
def expand(space: Space, played: Position, keys: Hashes, tables: Tables, span: Span, node: int) -> bool:
    """Give a node its children; False if there is no room. Where nothing may be played, the game is over and the node proven.

    Moves that a game at random would never make, such as into own eyes, are left out where area is counted.
    """
    nodes, board, first = space.nodes, played.board, space.facts[USED]
    size, own, used = at(board, SIZE), at(board, TO_MOVE), space.facts[USED]
    if first + size * size + 1 > len(nodes):
        return False
    complete, careful = True, at(board, AREA) != 0 and at(board, PASSING) != 0
    even = usual_weight(played, tables)
    for p in range(size + 2, (size + 1) * (size + 1)):
        q = array_point(board, p)
        if at(board, q + COLOUR) == EMPTY and may_place(board, played.hashes, keys, q):
            weight = weight_at(played, tables, span, p)
            if weight == 0.0 and careful:
                complete = False
            else:
                games, won = guess(space, played, tables, p, weight, even)
                _add(nodes, used, p, games, won)
                used += 1
    if at(board, PASSING) != 0:
        _add_pass(space, node, used, board)
        used += 1
    if used == first:
        board[ENDING] = NO_PLACEMENT
        nodes[node, STATUS] |= status_of(outcome(board, space), BLACK + WHITE - own)
    nodes[node, FIRST], nodes[node, COUNT], space.facts[USED] = first, used - first, used
    if complete:
        nodes[node, STATUS] |= COMPLETE
    return True


@kernel
def _add_pass(space: Space, node: int, row: int, board: Board) -> None:
    """Write the row of a pass, with its result if it ends the game. Where it wins, nothing else need be looked at."""
    nodes = space.nodes
    games = space.factors[PRIOR_OF_PASS]
    _add(nodes, row, PASS, int(games), _POOR * games)
    if at(board, PASSED) != 0:
        nodes[row, STATUS] = status_of(outcome(board, space), at(board, TO_MOVE))
        if nodes[row, STATUS] == WON:
            nodes[node, STATUS] |= LOST


@kernel
def _add(nodes: Nodes, row: int, move: int, games: int, won: float) -> None:
    """Write a new row. games, won: what is guessed, as a number of games and how many of them were won."""
    nodes[row, MOVE] = move
    nodes[row, FIRST] = nodes[row, COUNT] = nodes[row, VISITS] = nodes[row, WINS] = nodes[row, STATUS] = 0
    nodes[row, AMAF_VISITS] = games
    nodes[row, AMAF_WINS] = int(won * UNIT)
