"""How long a class waits for one player who takes the whole limit for each answer, by a simulated clock.

    python3 -m lab.slow_players

Nothing is played: games last as long as their answers, on workers that are simulated too. The runner is the real one. The slow
player is the first by name, which is the worst place; the others take 0.05 s for an answer, all references together nothing.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

from tabulate import tabulate

from benchmarks.made_up_events import open_instant_seat
from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameResult, GameSpec, Spent, Termination, Turn
from gojudge.refereeing.open_seats import Conditions
from gojudge.refereeing.probation import Budgets, in_words
from gojudge.refereeing.referee import Played
from gojudge.refereeing.runner import Runner
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed, open_batches, pairings

ANSWERS = 12
"""Of each player in a game."""
FAST, LIMIT = 0.05, 5.0
REFERENCES = ("random", "greedy", "aggressive", "smart")


class _Lane(Executor):
    """A simulated worker: plays one game after the other."""

    def __init__(self, pool: SimulatedPool) -> None:
        self._pool = pool
        self.free = 0.0

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        future: Future[Any] = Future()
        if len(args) > 1:
            self._pool.begin(self, args[1], future)
        else:
            future.set_result(None)
        return future


@dataclass
class SimulatedPool:
    """A `gojudge.refereeing.executors.WorkerPool` of simulated time. seconds: name -> for an answer, 0 for others.

    now: the simulated time. ended: id -> when each game ended.
    """

    lanes: int
    seconds: dict[str, float]
    now: float = 0.0
    ended: dict[str, float] = field(default_factory=dict)
    _under_way: list[tuple[float, int, GameSpec, Future[Any]]] = field(default_factory=list)

    def hire(self, present: int) -> Sequence[Executor]:
        return [_Lane(self) for _ in range(self.lanes - present)]

    def ahead(self, executor: Executor) -> int:
        return 2

    def late(self) -> Collection[Executor]:
        return ()

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        pass

    def begin(self, lane: _Lane, spec: GameSpec, future: Future[Any]) -> None:
        """Have a worker play a game after those it has."""
        length = ANSWERS * sum(self.seconds.get(name, 0.0) for name in (spec.black, spec.white))
        lane.free = max(lane.free, self.now) + length
        heapq.heappush(self._under_way, (lane.free, len(self.ended) + len(self._under_way), spec, future))

    def pass_time(self) -> bool:
        """End the game that is next to end; return False, as no run is to be stopped by this."""
        if self._under_way:
            self.now, _, spec, future = heapq.heappop(self._under_way)
            self.ended[spec.id] = self.now
            turns = [Turn("A1", Spent(cpu=self.seconds.get(name, 0.0))) for name in (spec.black, spec.white)] * ANSWERS
            future.set_result(Played(GameResult(spec, 1, 13.0, 12.0, Termination.SCORE, turns=tuple(turns))))
        return False


@dataclass(frozen=True)
class Day:
    """When games of a simulated event ended. others: all without slow players; all: all of them. ids: in that order."""

    others: float
    all: float
    ids: tuple[str, ...]


def simulate(kind: str, games: int, seconds: dict[str, float], slow: Sequence[str], lanes: int, budget: float | None) -> Day:
    """Return how an event goes: a grade against REFERENCES, or a round robin. slow: who is not to be waited for."""
    event = make_event({"kind": kind, "games": games})
    entrants = [Entrant(name) for name in sorted(seconds)]
    references = [Entrant(name, reference=name) for name in REFERENCES] if kind == "grade" else []
    pairs, key = pairings(event, [*entrants, *references], key_of_seed(1)), key_of_seed(1)
    pool = SimulatedPool(lanes, seconds)
    number = {name: sum(pairing.games for pairing in pairs if name in (pairing.one, pairing.other)) for name in seconds}
    runner = Runner(
        Conditions(event.rules, event.size, event.limits, open_instant_seat), [*entrants, *references], lambda results: None,
        pool=pool, stopped=pool.pass_time, budgets=Budgets(number, budget),
    )  # fmt: skip
    runner.run(batch.games(key) for batch in open_batches(pairs, {}))
    away = {game for pairing in pairs if {pairing.one, pairing.other} & {*slow} for game in pairing.ids}
    others = max((time for id, time in pool.ended.items() if id not in away), default=0.0)
    return Day(others, pool.now, tuple(pool.ended))


def main() -> int:
    """Print the table."""
    parser_of("slow_players", "How long a class waits for a player who takes the whole limit for each answer.").parse_args()
    lines = []
    for kind, players, games, lanes in (("grade", 40, 100, 4), ("grade", 40, 100, 16), ("round-robin", 40, 4, 4)):
        names = [f"s{number:03d}" for number in range(players)]
        seconds = dict.fromkeys(names, FAST) | {names[0]: LIMIT}
        budget = 1200.0 if kind == "grade" else 3.0 * games * (players - 1)
        found = [simulate(kind, games, seconds, names[:1], lanes, each) for each in (None, budget)]
        without = simulate(kind, games, dict.fromkeys(names[1:], FAST), (), lanes, None)
        times = [without.all, *(day.others for day in found), *(day.all for day in found)]
        lines.append([kind, players, games, lanes, *map(in_words, times)])
    header = ["event", "players", "games", "workers", "without", "others, no budget", "others", "all, no budget", "all"]
    print(tabulate(lines, header))
    return DONE


if __name__ == "__main__":
    sys.exit(run("slow_players", main, JudgeError))
