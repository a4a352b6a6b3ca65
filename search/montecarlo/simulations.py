"""Simulations: down the tree to a position that few games went through, a game at random from there, and its result back up."""

from __future__ import annotations

import numpy as np

from kernels.numba_tools.entry_points import kernel
from kernels.numba_tools.random_numbers import game_stream
from kernels.patterns.boards import Board
from kernels.patterns.point_sets import Span, Words
from kernels.patterns.spanned import board_entry
from kernels.patterns.tables import Tables
from kernels.playouts.arrays import BLACK, ENDING, WHITE, Hashes, at

# isort: off
from search.montecarlo.expansion import expand, outcome, status_of
from search.montecarlo.spaces import COUNT, MOVE, PROVEN, ROOT, STATUS, VISITS
from search.montecarlo.positions import POSITION, Position, begin, catch_up, drawn, go_on, may_end, mover_at, play_to_end
from search.montecarlo.results import (
    count_amaf, count_game, count_order, count_replies, spread_proof, value_for_black, value_of, winner_of,
)  # fmt: skip
from search.montecarlo.selection import gnugo_child, rave_child
from search.montecarlo.spaces import AMAF, DONE, EQUIVALENCE, GNUGO, KOMI, MOST_DEPTH, REPLYING, SPACE, THRESHOLD, URGE, Space
# isort: on


@board_entry("int64", f", int64, uint64, {SPACE}, {POSITION}, uint16[::1], uint64[::1], uint64[::1]")
def simulate(
    patterned: Board,
    words: Words,
    given_tables: Tables,
    span: Span,
    most: int,
    seed: np.uint64,
    given_space: Space,
    given_start: Position,
    board: Board,
    hashes: Hashes,
    keys: Hashes,
) -> int:
    """Simulate `most` games, fewer if the root is proven before; return how many.

    given_start: the root's position; the other boards are played on.
    """
    tables, space, start = Tables(*given_tables), Space(*given_space), Position(*given_start)
    played = Position(board, hashes, patterned, words)
    for number in range(most):
        if space.nodes[ROOT, STATUS] & PROVEN != 0:
            return number
        state = game_stream(seed, space.facts[DONE])
        space.facts[DONE] += 1
        state, depth = _descend(space, start, played, keys, tables, span, state)
        leaf, length, mover = space.path[depth], depth, mover_at(start, depth - 1)
        if space.nodes[leaf, STATUS] & PROVEN != 0:
            spread_proof(space, depth)
            black = value_for_black(space.nodes[leaf, STATUS], mover)
        else:
            state, turns, score = play_to_end(played, keys, tables, span, space, depth, state)
            black = _result(space, depth, turns, BLACK + WHITE - mover, score)
            length += turns
            if space.facts[REPLYING] != 0 and tables.flat == 0:
                count_replies(space, length, black)
        count_game(space, depth, mover, black)
        if space.facts[GNUGO] != 0:
            count_order(space, depth, black)
        elif space.facts[AMAF] != 0:
            count_amaf(space, depth, length, black)
    return most


@kernel
def _descend(
    space: Space, start: Position, played: Position, keys: Hashes, tables: Tables, span: Span, state: np.uint64
) -> tuple[np.uint64, int]:
    """Play from the root down; return (random state, how many moves). The path has the nodes, and the record the moves."""
    nodes, facts, record = space.nodes, space.facts, space.record
    node = depth = 0
    space.path[0] = ROOT
    known = begin(start, played, tables)
    while depth < MOST_DEPTH and nodes[node, STATUS] & PROVEN == 0:
        mover = mover_at(start, depth)
        if nodes[node, COUNT] == 0:
            if depth > 0 and nodes[node, VISITS] < facts[THRESHOLD]:
                break
            known = catch_up(start, played, keys, record, known, depth)
            if not expand(space, played, keys, tables, span, node) or nodes[node, STATUS] & PROVEN != 0:
                break
        if facts[GNUGO] != 0:
            state, point = drawn(played, tables, span, state)
            node = gnugo_child(space, node, depth, mover, point)
        else:
            node = rave_child(nodes, node, space.factors[EQUIVALENCE], space.factors[URGE])
        record[depth] = 4 * nodes[node, MOVE] + mover
        depth += 1
        space.path[depth] = node
        known = go_on(played, keys, tables, span, nodes[node, MOVE], known)
        if nodes[node, VISITS] == 0 and nodes[node, STATUS] & PROVEN == 0 and may_end(start, depth):
            known = catch_up(start, played, keys, record, known, depth)
            if at(played.board, ENDING) != 0:
                nodes[node, STATUS] |= status_of(outcome(played.board, space), mover)
    return state, depth


@kernel
def _result(space: Space, depth: int, turns: int, own: int, score: int) -> int:
    """Return what Black gets for a game that was played out, and put its moves on record, the first that of `own`."""
    for k in range(turns):
        space.record[depth + k] = 4 * int(space.moves[k]) + own
        own = BLACK + WHITE - own
    margin = score - space.factors[KOMI]
    first = space.record[0] >> 2
    space.leads[first] += margin
    space.leads[first + len(space.leads) // 2] += 1.0
    return value_of(winner_of(space, margin))
