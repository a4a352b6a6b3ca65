"""Plays many games side by side, and has every one kept as soon as it is finished.

    lane 1   alice-bob-001   alice-bob-002   ...      games of one pairing: its two seats stay open
    lane 2   alice-carol-001 ...                      a lane without work takes half of another's
    alone    what was void or doubtful, one game at a time at the end, with all other lanes still

Results depend on the games alone: not on the number of lanes, nor on the order in which games end.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field, replace

from common.excerpts import error_line
from tournament.errors import TournamentError
from tournament.records import Entrant, GameResult, GameSpec
from tournament.refereeing.executors import LocalExecutor
from tournament.refereeing.lag import is_doubtful
from tournament.refereeing.open_seats import Table, close_here, play_here
from tournament.refereeing.referee import Played
from tournament.verdicts import Termination

MAX_REPLAYS = 3
# Games given to a lane at a time: the next one is there when one ends.
_AHEAD = 2
# After so many void games without a good one in between, more will not help.
_HOPELESS = 20
# Forfeits that may be the fault of a machine with too much to do; what failed at the start may have had no time to begin.
_BY_THE_CLOCK = (Termination.TIME_OUT, Termination.START_UP_FAILURE)


@dataclass(frozen=True)
class Job:
    """A game to be played. replays: how often it has been played in vain; notes: why."""

    spec: GameSpec
    replays: int = 0
    notes: tuple[str, ...] = ()


@dataclass
class Account:
    """What became of a run. played: games kept; replayed: of those, games that took more than one try;
    void: id -> reason, for games that remain to be played; stopped: whether it was told to stop."""

    played: int = 0
    replayed: int = 0
    void: dict[str, str] = field(default_factory=dict)
    stopped: bool = False


@dataclass(eq=False)
class _Lane:
    executor: Executor
    used: bool = False
    games: deque[Job] = field(default_factory=deque)
    given: dict[Future[Played], Job] = field(default_factory=dict)


def local_executor() -> LocalExecutor:
    """Return a worker process of this machine."""
    return LocalExecutor(close_here)


class Runner:
    """Plays games, once.

    entrants: everyone who takes part. keep: called with every game that counts, in this thread, in any order. executor:
    makes a lane's executor, which must run one task at a time, in order. stopped: asked several times a second.
    """

    def __init__(
        self,
        table: Table,
        entrants: Iterable[Entrant],
        keep: Callable[[GameResult], None],
        *,
        jobs: int = 1,
        executor: Callable[[], Executor] = local_executor,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._table = table
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._keep = keep
        self._jobs = jobs
        self._make_executor = executor
        self._stopped = stopped
        self._lanes: list[_Lane] = []
        self._batches: Iterator[Iterable[GameSpec]] = iter(())
        self._alone: deque[Job] = deque()
        self._ended: queue.SimpleQueue[tuple[_Lane, Future[Played]]] = queue.SimpleQueue()
        self._voids_in_a_row = 0
        self.account = Account()

    def run(self, batches: Iterable[Iterable[GameSpec]]) -> Account:
        """Play until all is done or `stopped`; raises what `keep` raises, and TournamentError if nothing can be played.

        Games in flight are given up then. batches: games that had better be played one after the other, with the same
        seats; each is asked for when its turn comes.
        """
        self._batches = iter(batches)
        done = False
        try:
            self._lanes = [_Lane(self._make_executor()) for _ in range(self._jobs)]
            done = self._play_all()
        finally:
            self._close(in_peace=done)
        self.account.stopped = not done
        return self.account

    def _play_all(self) -> bool:
        """Return whether all games have been played, as far as they can be; False if told to stop."""
        while not self._stopped():
            for lane in self._lanes:
                self._fill(lane)
            if not any(lane.given for lane in self._lanes):
                if not self._alone:
                    return True
                self._give(self._lanes[0], self._alone.popleft())
            try:
                lane, future = self._ended.get(timeout=0.1)
            except queue.Empty:
                continue
            if future in lane.given:
                self._settle(lane, future)
        self._keep_finished()
        return False

    def _keep_finished(self) -> None:
        """Keep games that ended just before the run was told to stop."""
        while not self._ended.empty():
            lane, future = self._ended.get()
            if future in lane.given and not future.cancelled() and future.exception() is None:
                self._settle(lane, future)

    # Handing out

    def _fill(self, lane: _Lane) -> None:
        while len(lane.given) < _AHEAD and self._find_games(lane):
            self._give(lane, lane.games.popleft())

    def _find_games(self, lane: _Lane) -> bool:
        """Return whether a lane has games left, after a look round for some."""
        if not lane.games:
            lane.games.extend(Job(spec) for spec in next(self._batches, ()))
        if not lane.games:
            richest = max(self._lanes, key=lambda other: len(other.games))
            stolen = [richest.games.pop() for _ in range((len(richest.games) + 1) // 2)]
            lane.games.extend(reversed(stolen))
        return bool(lane.games)

    def _give(self, lane: _Lane, job: Job) -> None:
        spec = job.spec
        players = self._entrants[spec.black], self._entrants[spec.white]
        try:
            future = lane.executor.submit(play_here, self._table, spec, *players)
        except BrokenExecutor:
            # It broke while idle: nobody's game is to blame.
            self._renew(lane)
            future = lane.executor.submit(play_here, self._table, spec, *players)
        lane.given[future] = job
        lane.used = True
        future.add_done_callback(lambda ended: self._ended.put((lane, ended)))

    def _renew(self, lane: _Lane) -> None:
        lane.executor.shutdown(wait=False, cancel_futures=True)
        lane.executor, lane.used = self._make_executor(), False

    # Taking in

    def _settle(self, lane: _Lane, future: Future[Played]) -> None:
        """Decide what a game's end means: it counts, or is played again."""
        try:
            played = future.result()
        except BrokenExecutor:
            # The process played the first of its games; the others did not even begin.
            guilty, *innocent = lane.given.values()
            lane.given.clear()
            lane.games.extendleft(reversed(innocent))
            self._renew(lane)
            self._in_vain(guilty, f"game {guilty.spec.id} is void: the process that played it died")
            return
        except (TournamentError, CancelledError):
            raise
        except Exception as error:
            job = lane.given.pop(future)
            self._in_vain(job, f"game {job.spec.id} is void: {error_line(error)}")
            return
        job, result = lane.given.pop(future), played.result
        if result.winner is None:
            self._in_vain(job, result.detail)
        elif (ending := result.termination) in _BY_THE_CLOCK and is_doubtful(
            played.lag, self._table.limits.seconds_before(ending)
        ):
            self._doubt(job, result, f"{ending.value} while this machine was {played.lag:.2f} s late")
        else:
            self._count(job, result)

    def _count(self, job: Job, result: GameResult) -> None:
        self._keep(replace(result, replays=job.replays, notes=job.notes))
        self._voids_in_a_row = 0
        self.account.played += 1
        self.account.replayed += job.replays > 0

    def _doubt(self, job: Job, result: GameResult, reason: str) -> None:
        if job.replays < MAX_REPLAYS:
            self._again(job, f"{reason}: played again, alone")
        else:
            self._count(replace(job, notes=(*job.notes, f"{reason}, as each time before: it counts")), result)

    def _in_vain(self, job: Job, reason: str) -> None:
        # Games that have failed before are no news.
        self._voids_in_a_row += not job.replays
        if self._voids_in_a_row >= _HOPELESS:
            raise TournamentError(f"the last {_HOPELESS} games were all void; the last one: {reason}")
        if job.replays < MAX_REPLAYS:
            self._again(job, reason)
        else:
            self.account.void[job.spec.id] = reason

    def _again(self, job: Job, reason: str) -> None:
        self._alone.append(Job(job.spec, job.replays + 1, (*job.notes, reason)))

    def _close(self, *, in_peace: bool) -> None:
        """End the lanes: in peace when they have nothing to do, else at once."""
        if in_peace:
            for lane in self._lanes:
                with suppress(BrokenExecutor):
                    # A process that has not begun would only be started for this.
                    if lane.used:
                        lane.executor.submit(close_here)
            for lane in self._lanes:
                lane.executor.shutdown(wait=True)
            return
        for lane in self._lanes:
            if isinstance(lane.executor, LocalExecutor):
                lane.executor.interrupt()
            else:
                lane.executor.shutdown(wait=False, cancel_futures=True)
        for lane in self._lanes:
            if isinstance(lane.executor, LocalExecutor):
                lane.executor.wait_for_end()
