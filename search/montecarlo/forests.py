"""Several trees for one position, grown at the same time by as many threads; what they have found is added up.

Each tree has chance of its own and knows nothing of the others (root parallelisation: Chaslot, Winands and van den Herik,
"Parallel Monte-Carlo Tree Search", 2008). So with a budget in simulations the same moves follow from the same seed, however
fast each thread is. With one tree all is as that tree alone has it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from goban.errors import IllegalMoveError
from goban.moves import PASS, Move
from goban.points import Point
from goban.states import State
from search.candidates import Candidates, Moves
from search.errors import BadBudgetError
from search.montecarlo.findings import added_up, best_move
from search.montecarlo.pattern_sets import DEFAULT, table_of
from search.montecarlo.thinking import ENDLESS, Budget, slices
from search.montecarlo.trees import Tree, TreeSettings, told

MOST_TREES = 64
_APART = 0x9E3779B97F4A7C15
"""Between the seeds of two trees: 2**64 by the golden ratio, so that no two are ever near."""
_FEW = 16
"""Simulations after which a move has been tried."""
_ROUND = 0.02
"""Seconds for which several trees grow before somebody may look at them."""


class Forest:
    """Trees that stand at the same position. Raises BadBudgetError for a number of trees that makes no sense.

    settings: of each; the memory is divided among them.
    """

    def __init__(self, settings: TreeSettings, trees: int = 1) -> None:
        if not 1 <= trees <= MOST_TREES:
            raise BadBudgetError(f"expected 1 to {MOST_TREES} threads, got {trees}")
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

    def stand(self, state: State, chosen: Move = PASS, reuse: bool = True, only: Moves | None = None) -> None:
        """Stand at a position: see `Tree.stand`."""
        for tree in self._trees:
            tree.stand(state, chosen, reuse, only)

    def grow_for(self, seed: int, budget: Budget, clock: Callable[[], float], started: float) -> None:
        """Grow until the budget is spent or the game decided. Simulations are those of all trees together."""
        trees, deadline = len(self._trees), budget.deadline(started)
        shares = [(budget.simulations + trees - 1 - k) // trees for k in range(trees)]
        self._grow(seed, clock, shares if deadline is None else None, deadline)

    def rounds(self, seed: int, clock: Callable[[], float]) -> Iterator[None]:
        """Grow, and yield now and then, until the game is decided or no more games can be counted."""
        if len(self._trees) == 1:
            for _ in slices(self._trees[0], seed, clock):
                yield
            return
        before = -1
        while not self._decided() and self._visits() > before:
            before = self._visits()
            self._grow(seed, clock, None, clock() + _ROUND)
            yield

    def _grow(self, seed: int, clock: Callable[[], float], shares: list[int] | None, deadline: float | None) -> None:
        """Grow each tree in a thread of its own. Ctrl-C, which only this thread hears, ends all of them."""
        stopped: list[bool] = []
        proofs: list[tuple[int, int]] = []

        def grow(k: int) -> None:
            tree, most, done = self._trees[k], ENDLESS if shares is None else shares[k], 0
            for done in slices(tree, (seed + k * _APART) % 2**64, clock, most, deadline):
                # Where simulations are counted, whoever is slow may still be the first to prove something.
                if stopped or (proofs and (shares is None or done >= min(proofs)[0])):
                    return
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

    def _decided(self) -> Tree | None:
        return next((tree for tree in self._trees if tree.is_decided), None)

    @property
    def _speaking(self) -> list[Tree]:
        """Those who know something of the position: the one that has decided it, or all."""
        decided = self._decided()
        return self._trees if decided is None else [decided]

    def best(self) -> Point | None:
        """Return the move to be played: see `findings.best_move`."""
        trees = self._speaking
        tied = any(tree.is_tied for tree in trees)
        return best_move(added_up(tree.findings() for tree in trees), trees[0].passing_state, tied, self._gnugo)

    def candidates(self) -> Candidates:
        """Return the moves of the position, the best first."""
        return told(self._speaking)


class MonteCarlo:
    """A search of any position, for Python: `MonteCarlo(simulations=5000).candidates(state)`.

    simulations, or seconds unless that is None: for each question. patterns: a built-in set, or a file. memory: MiB.
    threads: so many trees. The same seed gives the same answers where simulations are counted, whatever was asked before.
    Raises BadBudgetError, BadPatternError, or OSError for a file of patterns.
    """

    def __init__(
        self,
        simulations: int = 30_000,
        seconds: float | None = None,
        *,
        patterns: str = DEFAULT,
        memory: int = TreeSettings.memory,
        threads: int = 1,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._budget, self._seed, self._clock = Budget(simulations, seconds), seed % 2**64, clock
        self._forest = Forest(TreeSettings(table_of(patterns), memory), threads)

    def candidates(self, state: State) -> Candidates:
        """Return the moves of a position, the best first, with how often and how well each did; () if the game is over."""
        forest = self._grown(state)
        return () if forest is None else forest.candidates()

    def best_move(self, state: State) -> Point | None:
        """Return the move to be played; None is a pass. Raises IllegalMoveError if the game is over."""
        forest = self._grown(state)
        if forest is None:
            raise IllegalMoveError("expected a position in which somebody may move, got the end of a game")
        return forest.best()

    def _grown(self, state: State) -> Forest | None:
        """Return the trees of a position, grown from nothing; None if the game is over."""
        if state.is_over:
            return None
        self._forest.stand(state, reuse=False)
        self._forest.grow_for(self._seed, self._budget, self._clock, self._clock())
        return self._forest
