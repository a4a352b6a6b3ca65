"""Perfect play: a winning move whenever there is one, otherwise a move that gives no stone away and is hard to beat.

Of the moves that keep the margin of a lost position, the hardest leaves the fewest winning replies. To know both, the position
after each move and each reply must be solved. In the first moves of a game that would take minutes; there it is the move after
which the player's stones look best, see `looks_after`. The result depends on the position alone, except which of several
winning moves is found first.

The margin comes before the replies: whoever leaves one winning reply at the price of five stones has lost the game once that
reply is found. Whoever is behind by half a point to the end wins it after any mistake (docs/measurements.md, Perfect play).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from goban.moves import Move
from goban.states import State
from search.alphabeta.boards import mask_of_state
from search.alphabeta.groups import groups_of
from search.alphabeta.ordering import ATARI, GROUP, LIBERTY, STONE_IN_ATARI, STONE_THREATENED, THREAT
from search.alphabeta.stack import new_space
from search.solver import Solver

# From this many moves on, margins and replies are looked at.
COUNTED_FROM = 10


def perfect_moves(state: State, solver: Solver) -> list[Move]:
    """Return the moves to choose from in a position that is not over: one that wins, or all that are equally good."""
    found = solver.winning_move(state)
    if found.winning_moves:
        return list(found.winning_moves)
    if found.winner == 0:
        return list(solver.best_moves(state).best_moves)
    return hardest_moves(state, solver)


def hardest_moves(state: State, solver: Solver) -> list[Move]:
    """Return the moves of a lost position that give nothing away and, of these, set the opponent the hardest task."""
    moves: Sequence[Move] = state.legal_moves()
    if state.n_move >= COUNTED_FROM:
        moves = least(solver.best_moves(state).best_moves, lambda move: winning_replies(state.after(move), solver))
    return least(moves, lambda move: -looks_after(state, move))


def least(moves: Sequence[Move], number: Callable[[Move], int]) -> list[Move]:
    """Return the moves for which a number is least, in their order."""
    numbers = [number(move) for move in moves]
    return [move for move, found in zip(moves, numbers, strict=True) if found == min(numbers)]


def winning_replies(state: State, solver: Solver) -> int:
    """Return how many moves keep the win of the player to move; if the game is over, more than there can be."""
    return state.grid.size**2 + 1 if state.is_over else len(solver.winning_moves(state).winning_moves)


def looks_after(state: State, move: Move) -> int:
    """Return how good the position after a move looks for the player who made it.

    Good are few groups, none of them in atari, and many liberties; for the opponent the opposite. The weights are those by
    which the search orders moves far from the end (`search.alphabeta.ordering`), here at every stage of the game.
    """
    after = state.after(move)
    score = LIBERTY * (_liberties(after, state.to_move) - _liberties(after, after.to_move))
    for stones, liberties in _groups(after, state.to_move):
        score -= GROUP + (ATARI + STONE_IN_ATARI * stones.bit_count() if liberties.bit_count() == 1 else 0)
    for stones, liberties in _groups(after, after.to_move):
        score += THREAT + STONE_THREATENED * stones.bit_count() if liberties.bit_count() == 1 else 0
    return score


def _groups(state: State, player: int) -> list[tuple[int, int]]:
    """Return (stones, liberties) of each of a player's groups, as masks."""
    stones, empty, full = (mask_of_state(state, mask) for mask in (state.stones(player), state.empty, state.grid.full))
    space = new_space()
    end = groups_of(stones, empty, full, space, 0)
    return [(int(space[i]), int(space[i + 1])) for i in range(0, end, 2)]


def _liberties(state: State, player: int) -> int:
    """Return how many liberties a player's groups have together."""
    return state.grid.liberties(state.stones(player), state.empty).bit_count()
