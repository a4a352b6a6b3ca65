"""Search trees for Python, one or several: they stand at a position, grow within a budget, and say what they have found.

A tree grows in slices so short that a clock is kept and a stop is heard. Several trees for one position grow at the same time,
each in a thread of its own; what they have found is added up. Each has chance of its own and knows nothing of the others (root
parallelisation: Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", 2008). So with a budget in simulations
the same moves follow from the same seed, however fast each thread is. One tree finds what it would find alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_functions, check_kind, is_whole
from goban.common.excerpts import quoted
from goban.common.turns import Turns, in_turn
from goban.errors import BadArgumentError, IllegalMoveError
from goban.kernels.patterns.boards import pair_of, point_of
from goban.kernels.patterns.pattern_games import PatternGame
from goban.kernels.patterns.tables import make_tables
from goban.kernels.playouts.array_games import ArrayGame
from goban.montecarlo.findings import Finding, add_up, best_move, candidate, rank, worth
from goban.montecarlo.pattern_sets import DEFAULT, table_of
from goban.montecarlo.pattern_tables import PatternTable
from goban.montecarlo.positions import Position
from goban.montecarlo.simulations import simulate
from goban.moves import PASS as PASSING
from goban.moves import Move
from goban.points import Point
from goban.solver.candidates import Candidates, Moves
from goban.solver.errors import BadBudgetError
from goban.states import State

# isort: off
from goban.montecarlo.spaces import (
    AMAF, AMAF_VISITS, AMAF_WINS, BYTES, COMPLETE, COUNT, DONE, EQUIVALENCE, FIELDS, FIRST, GNUGO, HOPE, KOMI, LAST_MOVE,
    LEAST_EQUIVALENCE, LOST, MERCY, MOST_DEPTH, MOST_VISITS, MOVE, PASS, PRIOR, PROVEN, ROOT, STATUS, TIE_WINNER, TIED,
    URGE, USED, VISITS, WINS, Factors, Nodes, Numbers, Space, copy_subtree, new_nodes, new_space,
)  # fmt: skip
# isort: on

_MIB = 1 << 20
_LONGEST_LINE = 10
_STYLES = ("rave", "gnugo")
_MOST_MEMORY = 1 << 20
_MOST_GAMES = 10**6
_THRESHOLD = 4
_ALIKE, _BY_LIKELIHOOD = (0.3, 0.0), (0.1, 0.5)
"""Urge and hope of `simulations.rave_child`, where nothing is known of moves, and where likelihoods are."""
_SPREAD = 0.3
_MERCY = 25

_SLICE = 0.001
"""Seconds of work between two looks at the clock."""
_RESERVE, _SHARE = 0.005, 0.02
"""Reserve of a time limit: so many seconds, and this part of it."""
_FIRST = 8
_FEWEST, _SETTLED = 64, 0.5
"""After so many games a choice is settled if the second move had to get more than this part of those left to come first.
Source: Baier and Winands, *Time management for Monte Carlo tree search*, 2016, the early stop."""
_ENDLESS = 1 << 60
"""More simulations than anybody waits for."""

_MOST_TREES = 64
_APART = 0x9E3779B97F4A7C15
"""Step between the seeds of two trees: 2**64 divided by the golden ratio, so that no two are ever near."""
_FEW = 16
"""Simulations after which a move has been tried."""
_ROUND = 0.02
"""Seconds for which several trees grow before somebody may look at them."""


@dataclass(frozen=True)
class TreeSettings:
    """How a tree grows. Raises BadBudgetError.

    table: of the playouts, and of guesses. memory: MiB of a tree; once it is full, no nodes are added, and the search goes
    on. uct: 'rave', or 'gnugo' for the way of GNU Go 3.8. rave: the most that `equivalence` of `simulations.rave_child` grows
    to; 0 for games of its own alone. priors: as how many games a guess counts, see `simulations`; 0 for none. replies: whether
    playouts give last good replies, see `goban.kernels.patterns.playouts`; they never do where the table is flat, nor in the
    way of GNU Go. mercy: whether playouts that give replies end once a side is far ahead, see `lead_to_end_at`.
    """

    table: PatternTable
    memory: int = 256
    uct: str = "rave"
    rave: int = 1000
    priors: int = 10
    replies: bool = True
    mercy: bool = True

    def __post_init__(self) -> None:
        if not is_whole(self.memory, 1, _MOST_MEMORY):
            raise BadBudgetError(f"expected 1 to {_MOST_MEMORY} MiB of memory, got {quoted(self.memory)}")
        if self.uct not in _STYLES:
            raise BadBudgetError(f"expected one of {', '.join(_STYLES)} as uct, got {quoted(self.uct)}")
        if not (0 <= self.rave <= _MOST_GAMES and 0 <= self.priors <= _MOST_GAMES):
            raise BadBudgetError(f"expected rave and priors from 0 to {_MOST_GAMES}, got {self.rave} and {self.priors}")

    def facts(self) -> Numbers:
        """Return the facts of a new space."""
        gnugo = self.uct == "gnugo"
        replying = self.replies and not gnugo
        return np.array([1, 0, 1 if gnugo else _THRESHOLD, self.rave > 0, gnugo, 0, replying, 0, 0], dtype=np.int64)

    def factors(self) -> Factors:
        """Return the factors of a new space. Without priors every move begins with one game, half won."""
        guesses = (self.priors, 2 * self.priors, _SPREAD) if self.priors else (1, 1, 0.0)
        return np.array([0.0, max(1, self.rave), _ALIKE[0], *guesses, _ALIKE[1]], dtype=np.float64)


def lead_to_end_at(size: int) -> int:
    """Return the lead in stones that ends a playout early: 25 on 9x9, and the same share of the points of larger boards.

    0, for never, on smaller boards, where such a lead is soon lost again.
    """
    return _MERCY * size**2 // 81 if size >= 9 else 0


class Tree:
    """Grows from one position."""

    def __init__(self, settings: TreeSettings) -> None:
        self._settings = settings
        # Two arrays: when the game goes on, what is still of use is copied to the other. They are made where there is something
        # to search: an engine has trees for both colours, and may be asked for one. Too little memory is an error at once.
        self._rows = settings.memory * _MIB // (2 * BYTES)
        new_nodes(2 * self._rows)
        self._nodes = self._other = new_nodes(1)
        self._facts, self._factors = settings.facts(), settings.factors()
        self._state: State | None = None
        self._only: Moves | None = None
        self._priors: dict[Point | None, float] = {}

    # Where it stands

    @property
    def state(self) -> State | None:
        """The root's position, None before there is one."""
        return self._state

    def stand(self, state: State, chosen: Move = PASSING, reuse: bool = True, only: Moves | None = None) -> None:
        """Stand at a position. What was found out about it is kept if the game went on from the position before.

        chosen: the move that was played there, if another one followed it. only: the legal moves that are looked at here, one
        at least; None for all that the search would look at.
        """
        if len(self._nodes) < self._rows:
            self._nodes, self._other = new_nodes(self._rows), new_nodes(self._rows)
        root = self._node_of(state, chosen) if reuse else None
        if only != self._only and (root == ROOT or only is not None):
            root = None
        if root is None:
            self._nodes[ROOT] = 0
            self._facts[USED] = 1
        elif root != ROOT:
            self._facts[USED] = copy_subtree(self._nodes, root, self._other)
            self._nodes, self._other = self._other, self._nodes
        if root != ROOT:
            self._facts[DONE] = 0
        if not self._nodes[ROOT, COUNT]:
            self._nodes[ROOT, STATUS] = 0
        if self._state is None or self._state.grid is not state.grid:
            self._tables = make_tables(state.grid.size, self._settings.table.values)
            known = self._settings.priors > 0 and not self._tables.flat
            self._factors[[URGE, HOPE]] = _BY_LIKELIHOOD if known else _ALIKE
        self._state, self._size = state, state.grid.size
        self._factors[KOMI] = state.rules.komi(self._size)
        self._facts[MERCY] = lead_to_end_at(self._size) if self._settings.mercy else 0
        self._facts[TIE_WINNER] = state.rules.tie_winner
        self._facts[LAST_MOVE] = self._number(state.last_point) if state.last_point and not state.passed else PASS
        self._only, self._priors = only, {}
        self._set_up(state)
        if only is not None and root is None:
            self._restrict(state, only)

    def forget(self) -> None:
        """Keep nothing for the next position, and know nothing of this one."""
        self._state = None
        self._nodes[ROOT] = 0

    def _set_up(self, state: State) -> None:
        if state.rules.suicide:
            # A move that was played counts, even suicide, which the search itself does not consider.
            state = state.with_(rules=replace(state.rules, suicide=False))
        game, patterned = ArrayGame(state, moves=MOST_DEPTH), PatternGame(state, self._tables)
        self._keys, self._span = game.keys, patterned.span
        self._start = Position(game.board, game.hashes, patterned.board, patterned.words)
        board, hashes, patterns, words = self._start
        self._played = Position(board.copy(), hashes.copy(), patterns.copy(), words.copy())
        self._space = new_space(self._nodes, self._facts, self._factors, self._size)

    def _restrict(self, state: State, only: Moves) -> None:
        """Give the root these children and no others, those too that the search leaves out, and call them complete."""
        guesses, number = self._guess(), 1
        for move in (move for move in state.legal_moves() if move in only):
            wanted = self._number(move)
            rows = [row for row in guesses[1:] if row[MOVE] == wanted]
            self._nodes[number] = rows[0] if rows else self._unlikely(wanted)
            number += 1
        self._nodes[ROOT, FIRST], self._nodes[ROOT, COUNT], self._nodes[ROOT, STATUS] = 1, number - 1, COMPLETE
        self._facts[USED] = number

    def _unlikely(self, move: int) -> npt.NDArray[np.int32]:
        """Return the row of a move that the search leaves out."""
        row = np.zeros(FIELDS, dtype=np.int32)
        row[MOVE], row[AMAF_VISITS] = move, self._factors[PRIOR]
        return row

    def _guess(self) -> Nodes:
        """Return the root and its children as they are before any game, each with what is guessed of it."""
        nodes, facts = new_nodes(self._size**2 + 2), self._settings.facts()
        facts[AMAF] = facts[GNUGO] = 0
        self._simulate(1, 0, new_space(nodes, facts, self._factors, self._size))
        used = nodes[: 1 + nodes[ROOT, COUNT]]
        used[:, [VISITS, WINS]] = 0
        return used

    def priors(self) -> dict[Point | None, float]:
        """Return the share of each move of the root in what is guessed of all; {} if nothing is guessed."""
        if self._settings.priors and not self._facts[GNUGO] and not self._priors:
            shares = {self._named(int(row[MOVE])): row[AMAF_WINS] / max(1, row[AMAF_VISITS]) for row in self._guess()[1:]}
            looked_at = [self._move(child) for child in self._children(ROOT)]
            total = sum(shares.get(move, 0.0) for move in looked_at) or 1.0
            self._priors = {move: float(shares.get(move, 0.0) / total) for move in looked_at}
        return self._priors

    def _node_of(self, state: State, chosen: Move) -> int | None:
        """Return the node of a position, None if there is none."""
        before = self._state
        if before is None or before.rules != state.rules or before.grid is not state.grid:
            return None
        last = None if state.passed else state.last_point
        moves: tuple[tuple[Move, ...], ...] = ((), (last,), (chosen, last))
        played = state.n_move - before.n_move
        node: int | None = ROOT if 0 <= played < len(moves) else None
        for move in moves[played] if node is not None else ():
            node = None if node is None or before.why_illegal(move) else self._child(node, move)
            before = before if node is None else before.after(move)
        return node if before == state else None

    def _child(self, node: int, move: Move) -> int | None:
        wanted = self._number(move)
        return next((child for child in self._children(node) if self._nodes[child, MOVE] == wanted), None)

    def _children(self, node: int) -> range:
        first, count = (int(self._nodes[node, field]) for field in (FIRST, COUNT))
        return range(first, first + count)

    # Growing

    def grow(self, simulations: int, seed: int) -> int:
        """Simulate so many games at most, and return how many: fewer if the game is decided, or no more can be counted.

        The same games follow from the same seed, however they are divided among calls.
        """
        return self._simulate(min(simulations, MOST_VISITS - self.visits), seed, self._space)

    def _simulate(self, simulations: int, seed: int, space: Space) -> int:
        played = self._played
        return int(
            simulate(
                played.patterned, played.words, self._tables, self._span, simulations, np.uint64(seed), tuple(space),
                tuple(self._start), played.board, played.hashes, self._keys,
            )
        )  # fmt: skip

    # What it has found

    @property
    def visits(self) -> int:
        """Games that went through the root."""
        return int(self._nodes[ROOT, VISITS])

    @property
    def is_decided(self) -> bool:
        """True if the result of the root's position is proven."""
        return bool(self._nodes[ROOT, STATUS] & PROVEN)

    def best(self) -> Point | None:
        """Return the move to be played: see `findings.best_move`."""
        return best_move(self.findings(), self.passing_state, self.is_tied, bool(self._facts[GNUGO]))

    @property
    def passing_state(self) -> State | None:
        """The root's position where a pass may be played, None elsewhere."""
        return self._state if self._only is None or None in self._only else None

    @property
    def equivalence(self) -> float:
        """See `Finding.value`."""
        return 0.0 if self._facts[GNUGO] else min(float(self._factors[EQUIVALENCE]), max(LEAST_EQUIVALENCE, self.visits))

    @property
    def is_tied(self) -> bool:
        """True if the root's position is proven to be a tie."""
        return bool(self._nodes[ROOT, STATUS] & TIED)

    def findings(self) -> list[Finding]:
        """Return what there is to say of each move of the root."""
        margins, games = self._space.leads.reshape(2, -1)
        findings = []
        for child in self._children(ROOT):
            fields = (MOVE, STATUS, VISITS, WINS, AMAF_VISITS, AMAF_WINS)
            number, status, visits, wins, others, other_wins = (int(self._nodes[child, field]) for field in fields)
            margin = float(margins[number])
            findings.append(Finding(self._move(child), status, visits, wins, margin, int(games[number]), others, other_wins))
        return findings

    def candidates(self) -> Candidates:
        """Return the moves of the root, the best first, () if there have been no games."""
        return sum_up([self])

    @property
    def margin(self) -> int:
        """By how many games the root's most visited child is ahead of every other child. Proven losses do not count."""
        children = self._children(ROOT)
        rows = self._nodes[children.start : children.stop]
        visits = np.sort(rows[rows[:, STATUS] & LOST == 0, VISITS])
        return int(visits[-1] - visits[-2]) if len(visits) > 1 else int(visits.sum())

    def line(self, move: Move) -> tuple[Point | None, ...]:
        """Return the moves that are expected after a move of the root."""
        child = self._child(ROOT, move)
        return () if child is None else tuple(self._line(child))

    def _rank_children(self, node: int) -> list[int]:
        nodes = self._nodes
        tied = bool(nodes[node, STATUS] & TIED)

        def key(child: int) -> tuple[int, int, int]:
            return worth(int(nodes[child, STATUS]), int(nodes[child, VISITS]), int(nodes[child, WINS]), tied)

        return sorted(self._children(node), key=key, reverse=True)

    def _line(self, node: int) -> Iterator[Point | None]:
        """Yield the moves that are expected after a node."""
        for _ in range(_LONGEST_LINE):
            ranked = self._rank_children(node)
            if not ranked or not self._nodes[ranked[0], VISITS]:
                return
            node = ranked[0]
            yield self._move(node)

    def _move(self, node: int) -> Point | None:
        return self._named(int(self._nodes[node, MOVE]))

    def _named(self, number: int) -> Point | None:
        return None if number == PASS else pair_of(number, self._size)

    def _number(self, move: Move) -> int:
        return point_of(*move, self._size) if isinstance(move, tuple) else PASS


def sum_up(trees: Sequence[Tree]) -> Candidates:
    """Return the moves of the position at which trees stand, by what all of them say; lines are those of the busiest tree."""
    state = trees[0].state
    if state is None:
        return ()
    each = [{one.move: one for one in tree.findings()} for tree in trees]
    moves = rank(add_up(by_point.values() for by_point in each), any(tree.is_tied for tree in trees))

    def line(move: Point | None) -> tuple[Point | None, ...]:
        busiest = max(range(len(trees)), key=lambda k: each[k][move].visits if move in each[k] else -1)
        return trees[busiest].line(move)

    priors, equivalence = trees[0].priors(), trees[0].equivalence
    listed = [one for one in moves if one.visits or one is moves[0]]
    return tuple(candidate(one, state, line(one.move), priors.get(one.move), equivalence) for one in listed)


@dataclass(frozen=True)
class Budget:
    """How long to think about a move: so many simulations, or, unless that is None, so many seconds.

    saving: whether seconds that are not spent are of use later; then the search ends when its choice is settled.
    Raises BadBudgetError.
    """

    simulations: int
    seconds: float | None = None
    saving: bool = False

    def __post_init__(self) -> None:
        if not is_whole(self.simulations, 1, _ENDLESS):
            raise BadBudgetError(f"expected 1 simulation or more, got {quoted(self.simulations)}")
        if self.seconds is not None and not (isinstance(self.seconds, Real) and 0 < self.seconds <= 1e6):
            raise BadBudgetError(f"expected more than 0 seconds, got {quoted(self.seconds)}")

    def deadline(self, started: float) -> float | None:
        """Return when to stop; None if simulations are counted."""
        return None if self.seconds is None else started + self.seconds * (1 - _SHARE) - _RESERVE


def grow_for(tree: Tree, seed: int, budget: Budget, clock: Callable[[], float], started: float) -> None:
    """Grow a tree until the budget is spent or the game decided. started: when the clock began to count."""
    deadline = budget.deadline(started)
    for _ in slices(tree, seed, clock, budget.simulations if deadline is None else _ENDLESS, deadline, budget.saving):
        pass


def slices(
    tree: Tree, seed: int, clock: Callable[[], float], simulations: int = _ENDLESS, deadline: float | None = None,
    saving: bool = False,
) -> Iterator[int]:  # fmt: skip
    """Grow a tree, and yield after each slice how many simulations are done. The first slice is done at any rate, so that there
    is a move to be played. saving: see `Budget`."""
    size, longest, done, started = _FIRST, 0.0, 0, clock()
    before = started
    while done < simulations:
        asked = min(size, simulations - done)
        grown = tree.grow(asked, seed)
        done += grown
        yield done
        now = clock()
        took, before = now - before, now
        longest = max(longest, took)
        if grown < asked or (deadline is not None and now + longest >= deadline):
            return
        if saving and deadline is not None and done >= _FEWEST and now > started:
            left = done * (deadline - now) / (now - started)
            if tree.margin > _SETTLED * left:
                return
        size = 2 * size if took < _SLICE / 2 else max(1, size // 2) if took > 2 * _SLICE else size


class Forest:
    """Trees that stand at the same position. Raises BadBudgetError for a number of trees that makes no sense.

    settings: of each; the memory is divided among them.
    """

    def __init__(self, settings: TreeSettings, trees: int = 1) -> None:
        if not is_whole(trees, 1, _MOST_TREES):
            raise BadBudgetError(f"expected 1 to {_MOST_TREES} threads, got {quoted(trees)}")
        self._settings, self._gnugo = settings, settings.uct == "gnugo"
        each = replace(settings, memory=max(1, settings.memory // trees))
        self._trees = [Tree(each) for _ in range(trees)]

    def prepare(self, state: State) -> None:
        """Compile, or load, what a search from a state's position needs. A small tree of its own grows and goes on for that."""
        tree = Tree(replace(self._settings, memory=1))
        tree.stand(state)
        tree.grow(_FEW, 0)
        for chosen in tree.findings()[:1]:
            tree.stand(state.after(chosen.move))

    def stand(self, state: State, chosen: Move = PASSING, reuse: bool = True, only: Moves | None = None) -> None:
        """Stand at a position: see `Tree.stand`."""
        for tree in self._trees:
            tree.stand(state, chosen, reuse, only)

    def grow_for(self, seed: int, budget: Budget, clock: Callable[[], float], started: float) -> None:
        """Grow until the budget is spent or the game decided. Simulations are those of all trees together."""
        trees, deadline = len(self._trees), budget.deadline(started)
        shares = [(budget.simulations + trees - 1 - k) // trees for k in range(trees)]
        self._grow(seed, clock, shares if deadline is None else None, deadline, budget.saving and trees == 1)

    def rounds(self, seed: int, clock: Callable[[], float]) -> Iterator[None]:
        """Grow, and yield now and then, until the game is decided or no more games can be counted."""
        if len(self._trees) == 1:
            for _ in slices(self._trees[0], seed, clock):
                yield
            return
        before = -1
        while not self._find_decided() and self._visits() > before:
            before = self._visits()
            self._grow(seed, clock, None, clock() + _ROUND)
            yield

    def _grow(
        self, seed: int, clock: Callable[[], float], shares: list[int] | None, deadline: float | None, saving: bool = False
    ) -> None:
        """Grow each tree in a thread of its own. Ctrl-C, which only this thread hears, ends all of them."""
        stopped: list[bool] = []
        proofs: list[tuple[int, int]] = []

        def grow(k: int) -> None:
            tree, most, done = self._trees[k], _ENDLESS if shares is None else shares[k], 0
            for done in slices(tree, (seed + k * _APART) % 2**64, clock, most, deadline, saving):
                # Where simulations are counted, a slow tree may still prove something first, or after as many as the others.
                if stopped or (proofs and (shares is None or done >= min(proofs)[0])):
                    break
            if tree.is_decided:
                proofs.append((done, k))

        if len(self._trees) == 1:
            grow(0)
            return
        with ThreadPoolExecutor(len(self._trees)) as threads:
            try:
                for job in [threads.submit(grow, k) for k in range(len(self._trees))]:
                    job.result()
            finally:
                stopped.append(True)
        if proofs:
            # How far the others came by then depends on the machine.
            for k, tree in enumerate(self._trees):
                if k != min(proofs)[1]:
                    tree.forget()

    def _visits(self) -> int:
        return sum(tree.visits for tree in self._trees)

    def _find_decided(self) -> Tree | None:
        return next((tree for tree in self._trees if tree.is_decided), None)

    @property
    def _speaking(self) -> list[Tree]:
        """The trees that know something of the position: the one that has decided it, or all."""
        decided = self._find_decided()
        return self._trees if decided is None else [decided]

    def best(self) -> Point | None:
        """Return the move to be played: see `findings.best_move`."""
        trees = self._speaking
        tied = any(tree.is_tied for tree in trees)
        return best_move(add_up(tree.findings() for tree in trees), trees[0].passing_state, tied, self._gnugo)

    def candidates(self) -> Candidates:
        """Return the moves of the position, the best first."""
        return sum_up(self._speaking)


class MonteCarlo:
    """A search of any position, for Python: `MonteCarlo(simulations=5000).candidates(state)`.

    simulations, or seconds unless that is None: for each question. patterns: a built-in set, or a file. memory: MiB.
    threads: so many trees. The same seed gives the same answers where simulations are counted, whatever was asked before.
    Threads that share a search wait for each other. Raises BadBudgetError, BadPatternError, or OSError for a file of patterns.
    """

    def __init__(
        self,
        simulations: int = 30_000,
        seconds: float | None = None,
        *,
        patterns: str | Path = DEFAULT,
        memory: int = TreeSettings.memory,
        threads: int = 1,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_kind(seed, Integral, "a whole number as seed", BadBudgetError)
        check_functions(BadArgumentError, clock=clock)
        self._budget, self._seed, self._clock = Budget(simulations, seconds), int(seed) % 2**64, clock
        self._forest, self._turns = Forest(TreeSettings(table_of(str(patterns)), memory), threads), Turns()

    @in_turn
    def candidates(self, state: State) -> Candidates:
        """Return the moves of a position, the best first, with how often and how well each did; () if the game is over."""
        forest = self._grow_trees(state)
        return () if forest is None else forest.candidates()

    @in_turn
    def best_move(self, state: State) -> Point | None:
        """Return the move to be played; None is a pass. Raises IllegalMoveError if the game is over."""
        forest = self._grow_trees(state)
        if forest is None:
            raise IllegalMoveError("expected a position in which somebody may move, got the end of a game")
        return forest.best()

    def _grow_trees(self, state: State) -> Forest | None:
        """Return the trees of a position, grown from nothing; None if the game is over."""
        check_kind(state, State, "a position (goban.State)", BadArgumentError)
        if state.is_over:
            return None
        self._forest.stand(state, reuse=False)
        self._forest.grow_for(self._seed, self._budget, self._clock, self._clock())
        return self._forest
