"""How the chance of winning playouts changes with the weights of patterns: what training weights by results needs.

The weight of a move is thought of as a product of two factors, one for the class of its neighbourhood and one for the
combination of its properties. A move drawn with the share w / W of all weights changes the logarithm of that share with the
logarithm of a factor by 1 if the move has it, less the share of all moves that have it. Added up over the moves of a playout,
and over playouts as often as they were won, that is the gradient of the share of playouts that are won (policy gradient).

Source: Silver and Tesauro, *Monte-Carlo simulation balancing*, 2009; Huang, Coulom and Lin, *Monte-Carlo simulation balancing
in practice*, 2010.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import lowest, nth
from goban.kernels.numba_tools.compile import kernel
from goban.kernels.numba_tools.random_numbers import game_stream
from goban.kernels.patterns.boards import CODE, EMPTIES, FACTS, NEAR, TO_MOVE, Board, get, head
from goban.kernels.patterns.neighbourhoods import CLASSES, COMBINATIONS, ONE, Span, Words, class_of_code, includes
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.playouts import NO_TURN, draw_turn, is_over, score_of, take_turn
from goban.kernels.patterns.strings import move_weight, weight_sum
from goban.kernels.patterns.tables import Tables, board_entry, combinations_by_facts, swapped_codes
from goban.kernels.playouts.array_rules import copy_words
from goban.states import State

FACTORS = CLASSES + COMBINATIONS
"""First those of classes, then those of combinations."""
_SIDE = 2 * COMBINATIONS
_NONE = np.uint64(0)

Sums = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint16]


class Gradient(NamedTuple):
    """Of playouts from one position. won: the share that Black won, ties as halves. sums, products: by factor, what it changes
    in a playout, on the average, and that times what Black got."""

    won: float
    products: Sums
    sums: Sums

    def changes(self, baseline: float) -> Sums:
        """Return how `won` changes with the logarithm of each factor, shape (FACTORS,).

        Any baseline that does not hang on these playouts leaves it right on the average; least noise is in that of a share
        close to `won`.
        """
        result: Sums = self.products - baseline * self.sums
        return result


def gradient(state: State, tables: Tables, playouts: int, seed: int) -> Gradient:
    """Play from a state that is not over. seed: any integer, of which 64 bits count. For tables that are not flat."""
    start = PatternGame(state, tables)
    scratch, products, sums = np.zeros((3, FACTORS), dtype=np.float64)
    won = _sum_up(
        start.board, start.words, tables, start.span, start.board.copy(), start.words.copy(), *_indices(), playouts,
        state.rules.komi(state.grid.size), np.uint64(seed % 2**64), scratch, products, sums,
    )  # fmt: skip
    return Gradient(won / playouts, products / playouts, sums / playouts)


@cache
def _indices() -> tuple[Indices, Indices]:
    """Return the class of each code as Black and as White sees it, and combinations by colour, nearness and facts.

    Shared: not to be written to.
    """
    classes = class_of_code()
    return np.concatenate([classes, classes[swapped_codes()]]), combinations_by_facts().astype(np.uint16)


@board_entry(
    "float64",
    ", uint16[::1], uint64[::1], uint16[::1], uint16[::1], int64, float64, uint64, float64[::1], float64[::1], float64[::1]",
)
def _sum_up(
    start: Board,
    start_words: Words,
    tables: Tables,
    span: Span,
    board: Board,
    words: Words,
    classes: Indices,
    combinations: Indices,
    playouts: int,
    komi: float,
    seed: np.uint64,
    scratch: Sums,
    products: Sums,
    sums: Sums,
) -> float:
    """Return how many playouts Black won; add the changes of each to `sums`, and to `products` as often as it was won."""
    known, total = Tables(*tables), 0.0
    for number in range(playouts):
        copy_words(board, start)
        copy_words(words, start_words)
        for k in range(FACTORS):
            scratch[k] = 0.0
        _play(board, words, known, span, classes, combinations, game_stream(seed, number), scratch)
        margin = score_of(board, words, span) - komi
        won = 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0
        total += won
        for k in range(FACTORS):
            sums[k] += scratch[k]
            products[k] += won * scratch[k]
    return total


@kernel
def _play(
    board: Board,
    words: Words,
    tables: Tables,
    span: Span,
    classes: Indices,
    combinations: Indices,
    state: np.uint64,
    changes: Sums,
) -> None:
    """Play to the end, and add what each drawn move changes."""
    while not is_over(board):
        total = weight_sum(board, words)
        state, p = draw_turn(board, words, tables, span, state)
        if p == NO_TURN:
            return
        if p != 0 and total != _NONE:
            _add(board, words, span, classes, combinations, p, 1.0, changes)
            _take_expected(board, words, tables, span, classes, combinations, float(total), changes)
        take_turn(board, words, tables, span, p)


@kernel
def _take_expected(
    board: Board, words: Words, tables: Tables, span: Span, classes: Indices, combinations: Indices, total: float, changes: Sums
) -> None:
    """Take away what is added by a drawn move on the average."""
    for k in range(len(span)):
        left = words[EMPTIES + k]
        while left != _NONE:
            p = 64 * k + lowest(left)
            left &= left - ONE
            weight = move_weight(board, words, tables, span, p)
            if weight != _NONE:
                _add(board, words, span, classes, combinations, p, -float(weight) / total, changes)


@kernel
def _add(
    board: Board, words: Words, span: Span, classes: Indices, combinations: Indices, p: int, share: float, changes: Sums
) -> None:
    """Add a share to both factors of a move."""
    side = head(board, TO_MOVE) - 1
    near = 1 if includes(words, NEAR, p) else 0
    changes[nth(int(classes[nth(side << 16 | get(board, p, CODE))]))] += share
    changes[nth(CLASSES + int(combinations[nth(side * _SIDE + near * COMBINATIONS + get(board, p, FACTS))]))] += share
