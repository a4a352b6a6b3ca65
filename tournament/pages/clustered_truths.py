"""What moves were worth, computed by the workers of a cluster: one game at each at a time.

Workers are asked what they are as for games, see `gojudge.cluster.descriptions`, but need no sandbox and may have any speed:
values are exact, and a slow machine only knows fewer of them after the same time.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from goban.common.excerpts import error_line
from goban.rulesets import ruleset
from gojudge.cluster.at_worker import replied
from gojudge.cluster.cluster_crew import ClusterCrew
from gojudge.cluster.links import Link
from gojudge.cluster.replies import NonsenseError, unpacked
from gojudge.errors import ClusterError
from gojudge.records import Turn
from gojudge.times import NOTHING
from tournament.pages.truths import Truth, analyser, fields_of, truth_of_fields

# A game that was so often at a worker that was lost may be the reason.
_MOST_LOSSES = 10
# On a busy machine a game may take this many times the seconds it has, after its worker has compiled the solver.
_BUSY = 20.0
_COMPILING_SECONDS = 3600.0


@dataclass(frozen=True)
class TruthQuestion:
    """What a worker is asked about games. seconds: that it has for one."""

    rules: str
    size: int
    seconds: float


def look(question: TruthQuestion, key: str, moves: Sequence[str]) -> bytes:
    """At a worker: reply with the truth about a game, and the key it was asked for by."""

    def work() -> dict[str, Any]:
        turns = [Turn(move, NOTHING) for move in moves]
        return {"key": key, "truth": fields_of(_analyser(question)(turns))}

    return replied(work)


@cache
def _analyser(question: TruthQuestion) -> Callable[[Sequence[Turn]], Truth]:
    return analyser(ruleset(question.rules), question.size, question.seconds)


@dataclass(frozen=True)
class _Task:
    key: str
    began: float
    future: Future[bytes]


def truths_from(
    crew: ClusterCrew,
    link: Link,
    question: TruthQuestion,
    wanted: Mapping[str, Sequence[Turn]],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[tuple[str, Truth]]:
    """Yield key and truth of each game, in the order in which they are found.

    crew, link: the workers and the way to them. wanted: key -> moves, see `tournament.pages.truths.missing`. clock: in seconds.
    Workers may join and be lost meanwhile; others look at their games. Raises ClusterError if nobody is left who can.
    """
    left, losses = deque(wanted), Counter[str]()
    under_way: dict[str, _Task] = {}
    longest = _BUSY * question.seconds + _COMPILING_SECONDS
    try:
        while left or under_way:
            present = crew.present()
            for address in [address for address in present if address not in under_way]:
                if left:
                    key = left.popleft()
                    moves = tuple(turn.move for turn in wanted[key])
                    under_way[address] = _Task(key, clock(), link.submit(address, look, question, key, moves))
            wait([task.future for task in under_way.values()], 0.05, FIRST_COMPLETED)
            for address, task in list(under_way.items()):
                found = None
                if task.future.done():
                    found = _taken(crew, address, task, wanted[task.key])
                elif clock() - task.began > longest:
                    crew.refuse(address, "it takes longer than any game can")
                elif address in present:
                    continue
                del under_way[address]
                if found is not None:
                    yield task.key, found
                    continue
                task.future.cancel()
                left.append(task.key)
                losses[task.key] += 1
                if losses[task.key] > _MOST_LOSSES:
                    raise ClusterError(f"the last {_MOST_LOSSES} workers that looked at game {task.key} were lost")
    finally:
        for task in under_way.values():
            task.future.cancel()


def _taken(crew: ClusterCrew, address: str, task: _Task, turns: Sequence[Turn]) -> Truth | None:
    """Return what a worker has found; None, and perhaps the worker is not used any more, if that is nothing."""
    try:
        return _truth_in(task.future.result(), task.key, turns)
    except NonsenseError as error:
        crew.refuse(address, str(error))
    except (CancelledError, ClusterError):
        # It was lost, or its scheduler gave the game up. If it is still there, it may be asked again.
        pass
    except Exception as error:
        crew.refuse(address, error_line(error))
    return None


def _truth_in(reply: bytes, key: str, turns: Sequence[Turn]) -> Truth:
    """Return the truth about a game that a reply holds. Raises NonsenseError."""
    found = unpacked(reply)
    if "failed" in found:
        raise NonsenseError(f"it says: {str(found['failed'])[:500]!r}")
    if found.get("key") == key:
        with suppress(ValueError, KeyError, TypeError, AttributeError, OverflowError):
            truth = truth_of_fields(found["truth"])
            if len(truth.winners) == len(turns) + 1:
                return truth
    raise NonsenseError("it has sent something else than was asked for: expected the truth about a game")
