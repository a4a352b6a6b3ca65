"""Where a runner's workers come from: so many processes of this machine, or others that join and are lost as it goes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import BrokenExecutor, Executor
from typing import Protocol

from gojudge.refereeing.executors import LocalExecutor

# How many games a process has at a time: one that it plays, and one that is ready when that ends.
_AHEAD = 2


class LostWorkerError(BrokenExecutor):
    """A worker is gone for a reason that is no game's: others play what it was given."""


class Crew(Protocol):
    """The workers of a run, each an executor that runs one task at a time, in order.

    An executor may raise BrokenExecutor, from `submit` or as a result: then one more must be to be had at once. Or it raises
    LostWorkerError: then the run goes on with the others.
    """

    def hire(self, present: int) -> Sequence[Executor]:
        """Return those who join now. present: how many the runner has. Called several times a second; must not wait.

        Raises JudgeError if there is nobody left to play.
        """

    def ahead(self, executor: Executor) -> int:
        """Return how many games this one is to be given at a time, those that it plays included."""

    def late(self) -> Collection[Executor]:
        """Return those whose games take so long that others should play them too, if they have nothing else to do."""

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        """End these, the last that the runner has. in_peace: after what they were given; otherwise that is given up."""


class LocalCrew:
    """A fixed number of executors, each replaced when it breaks.

    size: their number. make: makes one.
    """

    def __init__(self, size: int, make: Callable[[], Executor]) -> None:
        self._size = size
        self._make = make

    def hire(self, present: int) -> Sequence[Executor]:
        return [self._make() for _ in range(self._size - present)]

    def ahead(self, executor: Executor) -> int:
        return _AHEAD

    def late(self) -> Collection[Executor]:
        return ()

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        if in_peace:
            for executor in executors:
                executor.shutdown(wait=True)
            return
        for executor in executors:
            if isinstance(executor, LocalExecutor):
                executor.interrupt()
            else:
                executor.shutdown(wait=False, cancel_futures=True)
        for executor in executors:
            if isinstance(executor, LocalExecutor):
                executor.wait_for_end()
