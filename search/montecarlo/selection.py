"""Which child of a node a simulation goes to.

Our own way weighs what games through a child came to against what games came to in which the move was played later, "all
moves as first", the less the more games there are of the former. Unvisited children begin with a guess in place of the
latter, which makes them wait or hurry. Source: Gelly and Silver, *Monte-Carlo tree search and rapid action value estimation in
computer Go*, 2011, section 4. As neither kind of evidence changes while a child is left aside, a small term brings every child
its turn: the square root of the games through the node, shared among its children, over those through the child.

GNU Go's way is UCB1-tuned with another bound, which narrows with the depth, and thresholds above which nothing else is tried.
"""

from __future__ import annotations

import math

from kernels.numba_tools.entry_points import kernel
from search.montecarlo.spaces import AMAF_VISITS, AMAF_WINS, COUNT, FIRST, LOST, MOVE, STATUS, UNIT, VISITS, WINS, Nodes, Space


@kernel
def rave_child(nodes: Nodes, node: int, equivalence: float, urge: float) -> int:
    """Return the child of the highest value; one that is proven lost only if all are.

    equivalence: after so many games both kinds of evidence weigh the same, if there is plenty of the second. urge: the weight
    of the term that brings every child its turn.
    """
    first: int = nodes[node, FIRST]
    count: int = nodes[node, COUNT]
    best, highest, doubt = first, -1.0, 1.0 / equivalence
    urge *= UNIT * math.sqrt(float(nodes[node, VISITS])) / count
    for child in range(first, first + count):
        if nodes[child, STATUS] & LOST == 0:
            value = _rave_value(nodes, child, doubt) + urge / (1.0 + nodes[child, VISITS])
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
    else one without games, by the order of moves that `results.count_order` keeps; else the one of the largest upper bound.
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
