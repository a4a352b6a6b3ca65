"""Plays many games side by side, and has each one stored as soon as it is finished.

    worker 1   alice-bob-001   alice-bob-002   ...      games of one pairing: its two seats stay open
    worker 2   alice-carol-001 ...                      a worker without work takes half of another's
    alone      games that were void or in doubt, one at a time at the end, with all other workers idle

Results depend only on the games, not on the number of workers or the order in which games end.
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
from tournament.refereeing.open_seats import Conditions, close_here, play_here
from tournament.refereeing.referee import Played
from tournament.verdicts import Termination

MAX_REPLAYS = 3
# How many games a worker has at a time: one that it plays, and one that is ready when that ends.
_AHEAD = 2
# After so many void games in a row, more will not help.
_HOPELESS = 20
# Forfeits that an overloaded machine may have caused; a start-up failure may be one of them, if there was no time to start.
_BY_THE_CLOCK = (Termination.TIME_OUT, Termination.START_UP_FAILURE)


@dataclass(frozen=True)
class Job:
    """A game to be played. replays: how often it has already been played in vain; notes: why, each time."""

    spec: GameSpec
    replays: int = 0
    notes: tuple[str, ...] = ()


@dataclass
class Account:
    """What became of a run. played: games stored; replayed: how many of those took more than one try; void: id -> reason, for
    games that remain to be played; stopped: whether the run was told to stop."""

    played: int = 0
    replayed: int = 0
    void: dict[str, str] = field(default_factory=dict)
    stopped: bool = False


@dataclass(eq=False)
class _Worker:
    executor: Executor
    used: bool = False
    games: deque[Job] = field(default_factory=deque)
    given: dict[Future[Played], Job] = field(default_factory=dict)


def local_executor() -> LocalExecutor:
    """Return a worker process of this machine."""
    return LocalExecutor(close_here)


class Runner:
    """Plays the games of one run.

    entrants: all who take part. keep: called with every game that counts, in this thread, in any order. executor: makes a
    worker's executor, which must run one task at a time, in order. stopped: called several times a second; True ends the run.
    """

    def __init__(
        self,
        conditions: Conditions,
        entrants: Iterable[Entrant],
        keep: Callable[[GameResult], None],
        *,
        jobs: int = 1,
        executor: Callable[[], Executor] = local_executor,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._conditions = conditions
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._keep = keep
        self._jobs = jobs
        self._make_executor = executor
        self._stopped = stopped
        self._workers: list[_Worker] = []
        self._batches: Iterator[Iterable[GameSpec]] = iter(())
        self._alone: deque[Job] = deque()
        self._ended: queue.SimpleQueue[tuple[_Worker, Future[Played]]] = queue.SimpleQueue()
        self._voids_in_a_row = 0
        self.account = Account()

    def run(self, batches: Iterable[Iterable[GameSpec]]) -> Account:
        """Play until all games are done or `stopped` says so. Raises what `keep` raises, and TournamentError if nothing works.

        Games in flight are given up when the run stops or an error is raised. batches: each holds games with the same seats,
        best played one after the other; it is only iterated when its turn comes.
        """
        self._batches = iter(batches)
        done = False
        try:
            self._workers = [_Worker(self._make_executor()) for _ in range(self._jobs)]
            done = self._play_all()
        finally:
            self._close(in_peace=done)
        self.account.stopped = not done
        return self.account

    def _play_all(self) -> bool:
        """Play; return True when every game has been played or is void for good, False if told to stop."""
        while not self._stopped():
            for worker in self._workers:
                self._fill(worker)
            if not any(worker.given for worker in self._workers):
                if not self._alone:
                    return True
                self._give(self._workers[0], self._alone.popleft())
            try:
                worker, future = self._ended.get(timeout=0.1)
            except queue.Empty:
                continue
            if future in worker.given:
                self._settle(worker, future)
        self._keep_finished()
        return False

    def _keep_finished(self) -> None:
        """Store the games that ended just before the run was told to stop."""
        while not self._ended.empty():
            worker, future = self._ended.get()
            if future in worker.given and not future.cancelled() and future.exception() is None:
                self._settle(worker, future)

    # Handing out

    def _fill(self, worker: _Worker) -> None:
        while len(worker.given) < _AHEAD and self._find_games(worker):
            self._give(worker, worker.games.popleft())

    def _find_games(self, worker: _Worker) -> bool:
        """Get a worker more games if it has none, from the batches or another worker; return whether it has any."""
        if not worker.games:
            worker.games.extend(Job(spec) for spec in next(self._batches, ()))
        if not worker.games:
            richest = max(self._workers, key=lambda other: len(other.games))
            stolen = [richest.games.pop() for _ in range((len(richest.games) + 1) // 2)]
            worker.games.extend(reversed(stolen))
        return bool(worker.games)

    def _give(self, worker: _Worker, job: Job) -> None:
        spec = job.spec
        players = self._entrants[spec.black], self._entrants[spec.white]
        try:
            future = worker.executor.submit(play_here, self._conditions, spec, *players)
        except BrokenExecutor:
            # It broke while idle: nobody's game is to blame.
            self._renew(worker)
            future = worker.executor.submit(play_here, self._conditions, spec, *players)
        worker.given[future] = job
        worker.used = True
        future.add_done_callback(lambda ended: self._ended.put((worker, ended)))

    def _renew(self, worker: _Worker) -> None:
        worker.executor.shutdown(wait=False, cancel_futures=True)
        worker.executor, worker.used = self._make_executor(), False

    # Taking in

    def _settle(self, worker: _Worker, future: Future[Played]) -> None:
        """Decide whether a game that has ended counts or is played again."""
        try:
            played = future.result()
        except BrokenExecutor:
            # The process was playing the first of its games; the others had not begun.
            guilty, *innocent = worker.given.values()
            worker.given.clear()
            worker.games.extendleft(reversed(innocent))
            self._renew(worker)
            self._in_vain(guilty, f"game {guilty.spec.id} is void: the process that played it died")
            return
        except (TournamentError, CancelledError):
            raise
        except Exception as error:
            job = worker.given.pop(future)
            self._in_vain(job, f"game {job.spec.id} is void: {error_line(error)}")
            return
        job, result = worker.given.pop(future), played.result
        if result.winner is None:
            self._in_vain(job, result.detail)
        elif (ending := result.termination) in _BY_THE_CLOCK and is_doubtful(
            played.lag, self._conditions.limits.seconds_before(ending)
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
        # A replay that fails again says nothing new.
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
        """End the workers. in_peace: they have nothing left to do; otherwise what they do is given up."""
        if in_peace:
            for worker in self._workers:
                with suppress(BrokenExecutor):
                    # An unused worker has no process yet, and would start one only for this.
                    if worker.used:
                        worker.executor.submit(close_here)
            for worker in self._workers:
                worker.executor.shutdown(wait=True)
            return
        for worker in self._workers:
            if isinstance(worker.executor, LocalExecutor):
                worker.executor.interrupt()
            else:
                worker.executor.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            if isinstance(worker.executor, LocalExecutor):
                worker.executor.wait_for_end()
