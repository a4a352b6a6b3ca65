"""Simulations: down the tree to a position that few games went through, a game at random from there, and its result back up.

**Which child.** Our own way weighs what games through a child came to against what games came to in which the move was played
later, "all moves as first", the less the more games there are of the former; where few games went through the root, the latter
is worth less. Unvisited children begin with a guess in place of it, which makes them wait or hurry. Source: Gelly and Silver,
*Monte-Carlo tree search and rapid action value estimation in computer Go*, 2011, section 4. As neither kind of evidence changes
while a child is left aside, a small term brings every child its turn: the square root of the games through the node, shared
among its children, over those through the child. GNU Go's way is UCB1-tuned with another bound, which narrows with the depth,
and thresholds above which nothing else is tried.

**New nodes.** The children of a node are the moves that may be played. What is guessed of each before any game went through it
is a number of games, and how many of them it won: the more, the likelier `guesses` holds the move, against all moves alike. The
likely ones are also brought their turn earlier: another small term is as the first, but shared by likelihood. For a flat table,
all the guess goes by is the weight of the move against the average of the position. The few hundred games and searches on 9x9
by which these numbers were chosen tell only roughly what they should be.

**Back up.** A result changes counts on the path of the game, those of moves played later, and what is proven.
"""

from __future__ import annotations

import math

import numpy as np

from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.numba_tools.random_numbers import game_stream
from goban.kernels.patterns.boards import Board as PatternBoard
from goban.kernels.patterns.neighbourhoods import Span, Words
from goban.kernels.patterns.playouts import learn_replies
from goban.kernels.patterns.tables import Tables, board_entry
from goban.kernels.playouts.array_rules import NO_PLACEMENT, REPEATED, may_place, points_of
from goban.montecarlo.guesses import score_of_move, score_of_pattern

# isort: off
from goban.kernels.playouts.arrays import (
    AREA, BLACK, COLOUR, EMPTY, ENDING, PASSED, PASSING, SIZE, TO_MOVE, WHITE, WINNER, Board, Hashes, at,
)  # fmt: skip
from goban.montecarlo.positions import (
    POSITION, Position, array_point, begin, catch_up, draw_move, go_on, may_end, mover_at, play_to_end, usual_weight, weight_at,
)  # fmt: skip
from goban.montecarlo.spaces import (
    AMAF, AMAF_VISITS, AMAF_WINS, COMPLETE, COUNT, DONE, EQUIVALENCE, FIRST, GNUGO, HOPE, KOMI, LAST_MOVE,
    LEAST_EQUIVALENCE, LIKELIHOOD, LOST, MOST_DEPTH, MOVE, PASS, PRIOR, PRIOR_OF_PASS, PROVEN, REPLYING, ROOT, SPACE,
    SPREAD, STATUS, THRESHOLD, TIE_WINNER, TIED, UNIT, URGE, USED, VISITS, WHOLE, WINS, WON, Nodes, Space,
)  # fmt: skip
# isort: on

_POOR = 0.1
_EVEN = 0.5
_TINY = 1e-9


@board_entry("int64", f", int64, uint64, {SPACE}, {POSITION}, uint16[::1], uint64[::1], uint64[::1]")
def simulate(
    patterned: PatternBoard,
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
            _spread_proof(space, depth)
            black = _value_for_black(space.nodes[leaf, STATUS], mover)
        else:
            state, turns, score = play_to_end(played, keys, tables, span, space, depth, state)
            black = _result(space, depth, turns, BLACK + WHITE - mover, score)
            length += turns
            if space.facts[REPLYING] != 0 and tables.flat == 0:
                _count_replies(space, length, black)
        _count_game(space, depth, mover, black)
        if space.facts[GNUGO] != 0:
            _count_order(space, depth, black)
        elif space.facts[AMAF] != 0:
            _count_amaf(space, depth, length, black)
    return most


@inlined
def _descend(
    space: Space, start: Position, played: Position, keys: Hashes, tables: Tables, span: Span, state: np.uint64
) -> tuple[np.uint64, int]:
    """Play from the root down; return (random state, how many moves). The path has the nodes, and the record the moves."""
    nodes, facts, record = space.nodes, space.facts, space.record
    node = depth = 0
    space.path[0] = ROOT
    equivalence = min(space.factors[EQUIVALENCE], float(max(LEAST_EQUIVALENCE, nodes[ROOT, VISITS])))
    known = begin(start, played, tables)
    while depth < MOST_DEPTH and nodes[node, STATUS] & PROVEN == 0:
        mover = mover_at(start, depth)
        if nodes[node, COUNT] == 0:
            if depth > 0 and nodes[node, VISITS] < facts[THRESHOLD]:
                break
            known = catch_up(start, played, keys, record, known, depth)
            if not _expand(space, played, keys, tables, span, node, depth) or nodes[node, STATUS] & PROVEN != 0:
                break
        if facts[GNUGO] != 0:
            state, point = draw_move(played, tables, span, state)
            node = gnugo_child(space, node, depth, mover, point)
        else:
            node = rave_child(nodes, node, equivalence, space.factors[URGE], space.factors[HOPE])
        record[depth] = 4 * nodes[node, MOVE] + mover
        depth += 1
        space.path[depth] = node
        known = go_on(played, keys, tables, span, nodes[node, MOVE], known)
        if nodes[node, VISITS] == 0 and nodes[node, STATUS] & PROVEN == 0 and may_end(start, depth):
            known = catch_up(start, played, keys, record, known, depth)
            if at(played.board, ENDING) != 0:
                nodes[node, STATUS] |= _status_of(_outcome(played.board, space), mover)
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
    return _value_of(_winner_of(space, margin))


# Which child


@inlined
def rave_child(nodes: Nodes, node: int, equivalence: float, urge: float, hope: float) -> int:
    """Return the child of the highest value; one that is proven lost only if all are.

    equivalence: after so many games both kinds of evidence weigh the same, if there is plenty of the second. urge: the weight
    of the term that brings every child its turn; hope: of the one that brings the likely ones theirs.
    """
    first: int = nodes[node, FIRST]
    count: int = nodes[node, COUNT]
    best, highest, doubt = first, -1.0, 1.0 / equivalence
    root = UNIT * math.sqrt(float(nodes[node, VISITS]))
    urge *= root / count
    hope *= root / WHOLE
    for child in range(first, first + count):
        if nodes[child, STATUS] & LOST == 0:
            value = _rave_value(nodes, child, doubt) + (urge + hope * nodes[child, LIKELIHOOD]) / (1.0 + nodes[child, VISITS])
            if value > highest:
                best, highest = child, value
    return best


@kernel
def _rave_value(nodes: Nodes, child: int, doubt: float) -> float:
    """Return the mean of both kinds of evidence. doubt: 1 / equivalence.

    A share of others / (others + visits + doubt * others * visits) goes to moves played later; this is it with one division.
    """
    visits, others = float(nodes[child, VISITS]), float(nodes[child, AMAF_VISITS])
    weight = 1.0 + doubt * others
    value: float = (nodes[child, AMAF_WINS] + weight * nodes[child, WINS]) / (others + weight * visits)
    return value


@kernel
def gnugo_child(space: Space, node: int, depth: int, colour: int, drawn: int) -> int:
    """Return the child that GNU Go 3.8 goes to from a node so many moves below the root.

    drawn: a point drawn as in a playout, which the first game goes to. A child that won more than a bound is taken at once;
    else one without games, by the order of moves that `_count_order` keeps; else the one of the largest upper bound.
    Children proven lost are no exception.
    """
    nodes, bounds = space.nodes, space.bounds
    first: int = nodes[node, FIRST]
    last = first + nodes[node, COUNT]
    best, share, untried, most, wanted = first, -1.0, -1, -1, -1
    for child in range(first, last):
        visits = nodes[child, VISITS]
        if visits == 0:
            order = space.orders[3 * nodes[child, MOVE] + colour]
            if order > most:
                untried, most = child, order
            if nodes[child, MOVE] == drawn:
                wanted = child
        elif nodes[child, WINS] / (UNIT * visits) > share:
            best, share = child, nodes[child, WINS] / (UNIT * visits)
    bounds[depth + 2] = min(0.8, share) if share >= 0.0 else 0.8
    if share > bounds[depth]:
        return best
    if untried >= 0:
        return wanted if share < 0.0 and wanted >= 0 else untried
    return _largest_bound(nodes, node, depth)


@kernel
def _largest_bound(nodes: Nodes, node: int, depth: int) -> int:
    """Return the child of the largest upper bound."""
    first: int = nodes[node, FIRST]
    best, highest, games = first, -1.0, math.log(max(2.0, float(nodes[node, VISITS])))
    for child in range(first, first + nodes[node, COUNT]):
        visits = float(nodes[child, VISITS])
        share, width = nodes[child, WINS] / (UNIT * visits), games / visits
        spread = max(0.25, share * (1.0 - share) + math.sqrt(2.0 * width))
        value = share + math.sqrt(2.0 * width * spread / (1.0 + depth))
        if value > highest:
            best, highest = child, value
    return best


# New nodes


@kernel
def _outcome(board: Board, space: Space) -> int:
    """Return who has won a game that is over, or has more points: 1, 2, or 0 for a tie."""
    if at(board, ENDING) == REPEATED:
        return at(board, WINNER)
    black, white = points_of(board)
    return _winner_of(space, black - white - space.factors[KOMI])


@kernel
def _status_of(winner: int, mover: int) -> int:
    """Return what a winner is for a player."""
    return TIED if winner == 0 else WON if winner == mover else LOST


@kernel
def _expand(space: Space, played: Position, keys: Hashes, tables: Tables, span: Span, node: int, depth: int) -> bool:
    """Give a node its children; False if there is no room. Where nothing may be played, the game is over and the node proven.

    Moves that a game at random would never make, such as into own eyes, are left out where area is counted.
    """
    nodes, board, first = space.nodes, played.board, space.facts[USED]
    size, own, used = at(board, SIZE), at(board, TO_MOVE), space.facts[USED]
    if first + size * size + 1 > len(nodes):
        return False
    complete, careful = True, at(board, AREA) != 0 and at(board, PASSING) != 0
    even, known = usual_weight(played, tables), tables.flat == 0 and space.factors[SPREAD] > 0.0 and space.facts[GNUGO] == 0
    last = space.record[depth - 1] >> 2 if depth > 0 else space.facts[LAST_MOVE]
    before = space.record[depth - 2] >> 2 if depth > 1 else space.facts[LAST_MOVE] if depth == 1 else 0
    for p in range(size + 2, (size + 1) * (size + 1)):
        q = array_point(board, p)
        if at(board, q + COLOUR) == EMPTY and may_place(board, played.hashes, keys, q):
            weight = weight_at(played, tables, span, p)
            if weight == 0.0 and careful:
                complete = False
            else:
                _add(nodes, used, p, int(space.factors[PRIOR]), _by_weight(space, weight, even))
                if known:
                    score = score_of_move(
                        played.patterned, played.words, tables, span, p, last, before, space.noted, space.terms
                    )
                    space.scores[used - first] = score + score_of_pattern(weight, even, space.terms)
                used += 1
    if known:
        _weigh_by_likelihood(space, first, used)
    if at(board, PASSING) != 0:
        _add_pass(space, node, used, board)
        if known:
            # As likely as placements on the average: where few are left, as in a seki, it gets its turn.
            nodes[used, LIKELIHOOD] = WHOLE // (used - first + 1)
        used += 1
    if used == first:
        board[ENDING] = NO_PLACEMENT
        nodes[node, STATUS] |= _status_of(_outcome(board, space), BLACK + WHITE - own)
    nodes[node, FIRST], nodes[node, COUNT], space.facts[USED] = first, used - first, used
    if complete:
        nodes[node, STATUS] |= COMPLETE
    return True


@kernel
def _weigh_by_likelihood(space: Space, first: int, end: int) -> None:
    """Guess of the placements in these rows by their scores."""
    nodes, scores, games, spread = space.nodes, space.scores, space.factors[PRIOR], space.factors[SPREAD]
    highest, total = -math.inf, 0.0
    for k in range(end - first):
        highest = max(highest, scores[k])
    for k in range(end - first):
        scores[k] = math.exp(scores[k] - highest)
        total += scores[k]
    for k in range(end - first):
        share = scores[k] / total
        nodes[first + k, LIKELIHOOD] = int(share * WHOLE)
        against_even = share * (end - first)
        won = games * (_EVEN + spread * (against_even - 1.0) / (against_even + 1.0))
        nodes[first + k, AMAF_WINS] = int(won * UNIT)


@kernel
def _add_pass(space: Space, node: int, row: int, board: Board) -> None:
    """Write the row of a pass, with its result if it ends the game. Where it wins, nothing else need be looked at."""
    nodes = space.nodes
    games = space.factors[PRIOR_OF_PASS]
    _add(nodes, row, PASS, int(games), _POOR * games)
    if at(board, PASSED) != 0:
        nodes[row, STATUS] = _status_of(_outcome(board, space), at(board, TO_MOVE))
        if nodes[row, STATUS] == WON:
            nodes[node, STATUS] |= LOST


@kernel
def _add(nodes: Nodes, row: int, move: int, games: int, won: float) -> None:
    """Write a new row. games, won: what is guessed, as a number of games and how many of them were won."""
    nodes[row, MOVE] = move
    nodes[row, FIRST] = nodes[row, COUNT] = nodes[row, VISITS] = nodes[row, WINS] = nodes[row, STATUS] = 0
    nodes[row, AMAF_VISITS], nodes[row, LIKELIHOOD] = games, 0
    nodes[row, AMAF_WINS] = int(won * UNIT)


@kernel
def _by_weight(space: Space, weight: float, even: float) -> float:
    """Return as how many won games a placement begins by its weight alone. even: what placements are worth."""
    by_weight = _EVEN + space.factors[SPREAD] * (weight - even) / (weight + even + _TINY)
    return float(space.factors[PRIOR] * by_weight)


# Back up


@kernel
def _value_for_black(status: int, mover: int) -> int:
    """Return what Black gets where something is proven for who made the move."""
    if status & TIED != 0:
        return UNIT // 2
    return UNIT if (status & WON != 0) == (mover == BLACK) else 0


@kernel
def _winner_of(space: Space, margin: float) -> int:
    """Return who wins by Black's lead, komi counted in: 1, 2, or 0 for a tie."""
    return BLACK if margin > 0.0 else WHITE if margin < 0.0 else space.facts[TIE_WINNER]


@kernel
def _value_of(winner: int) -> int:
    """Return what Black gets where somebody has won."""
    return UNIT if winner == BLACK else 0 if winner == WHITE else UNIT // 2


@kernel
def _count_game(space: Space, depth: int, mover: int, black: int) -> None:
    """Add a game to the nodes on its path. mover: who made the last move of the path; black: what Black gets."""
    nodes, path = space.nodes, space.path
    value = black if mover == BLACK else UNIT - black
    for d in range(depth, -1, -1):
        nodes[path[d], VISITS] += 1
        nodes[path[d], WINS] += value
        value = UNIT - value


@inlined
def _count_amaf(space: Space, depth: int, length: int, black: int) -> None:
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
            # Without a branch, which the processor would guess wrong for every other child.
            here = 1 if owners[nth(nodes[nth(child), MOVE])] == own else 0
            nodes[nth(child), AMAF_VISITS] += here
            nodes[nth(child), AMAF_WINS] += here * value


@kernel
def _count_replies(space: Space, length: int, black: int) -> None:
    """Learn from the replies of a game. length: of the record. A tie teaches nothing."""
    if black != UNIT // 2:
        learn_replies(space.replies, len(space.owners), space.record, length, WHITE if black == UNIT else BLACK)


@kernel
def _count_order(space: Space, depth: int, black: int) -> None:
    """Add a game to GNU Go's order: one more for each move in the tree that was made by who lost."""
    for d in range(depth):
        move, own = space.record[d] >> 2, space.record[d] & 3
        if black == (0 if own == BLACK else UNIT):
            space.orders[3 * move + own] += 1


@kernel
def _spread_proof(space: Space, depth: int) -> None:
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
