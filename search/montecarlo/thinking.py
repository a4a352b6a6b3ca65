"""Grows a tree within a budget, in slices so short that a clock is kept and a stop is heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from search.errors import BadBudgetError
from search.montecarlo.trees import Tree

_SLICE = 0.001
"""Seconds of work between two looks at the clock."""
_RESERVE, _SHARE = 0.005, 0.02
"""What is left of a time limit: so many seconds, and this part of it."""
_FIRST = 8
ENDLESS = 1 << 60
"""More simulations than anybody waits for."""


@dataclass(frozen=True)
class Budget:
    """How long to think about a move: so many simulations, or, unless that is None, so many seconds.

    Raises BadBudgetError.
    """

    simulations: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise BadBudgetError(f"expected 1 simulation or more, got {self.simulations}")
        if self.seconds is not None and not 0 < self.seconds <= 1e6:
            raise BadBudgetError(f"expected more than 0 seconds, got {self.seconds:g}")

    def deadline(self, started: float) -> float | None:
        """Return when to stop; None if simulations are counted."""
        return None if self.seconds is None else started + self.seconds * (1 - _SHARE) - _RESERVE


def grow_for(tree: Tree, seed: int, budget: Budget, clock: Callable[[], float], started: float) -> None:
    """Grow a tree until the budget is spent or the game decided. started: when the clock began to count."""
    deadline = budget.deadline(started)
    for _ in slices(tree, seed, clock, budget.simulations if deadline is None else ENDLESS, deadline):
        pass


def slices(
    tree: Tree, seed: int, clock: Callable[[], float], simulations: int = ENDLESS, deadline: float | None = None
) -> Iterator[int]:
    """Grow a tree, and yield after each slice how many simulations are done. The first slice is done at any rate, so that there
    is a move to be played."""
    size, longest, done, before = _FIRST, 0.0, 0, clock()
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
        size = 2 * size if took < _SLICE / 2 else max(1, size // 2) if took > 2 * _SLICE else size
