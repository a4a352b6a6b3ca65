"""Plays many games side by side, and has each one stored as soon as it is finished.

    worker 1   alice-carol-001   bob-carol-001   ...    games of one batch, whose seats stay open
    worker 2   alice-dan-001     bob-dan-001     ...    a worker without work takes half of another's
    left       games of workers that were lost, and games that were held: whoever is free plays them next
    late       games of a slow worker, given to others too once nothing else is left; the first to end counts
    held       games of submissions that are on probation
    put off    games of submissions that take too long, played once nothing else is left
    alone      games that were void or in doubt, one at a time at the end, with all other workers idle

Workers may join and be lost at any time. Results depend only on the games, not on the workers or the order in which games end.
A game that has ended counts, is played again, is played alone, or stays void.
"""

from __future__ import annotations

import queue
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TypeVar

from goban.common.arguments import check_functions, check_kind
from goban.common.excerpts import error_line, quoted
from gojudge.errors import JudgeError
from gojudge.game import BLACK
from gojudge.records import Entrant, GameResult, GameSpec, Termination
from gojudge.refereeing.executors import LocalExecutor, LocalPool, LostWorkerError, WorkerPool
from gojudge.refereeing.open_seats import Conditions, Job, close_here, play_here
from gojudge.refereeing.probation import NOT_PLAYED, Budgets, Probation, names_of
from gojudge.refereeing.referee import Played, is_doubtful, loser_of, reason_of

T = TypeVar("T")

# What `Runner.run` takes, in words.
_BATCHES = "lists of games as `batches`, such as [[game]]"
# A game that was at so many workers that were lost may be the reason.
_MOST_LOSSES = 10
# How many games are stored together at most.
_MOST_TOGETHER = 500
# With so many held games we wait for those under way rather than look through the rest of the event for others.
_MOST_HELD = 1000


@dataclass(eq=False)
class _Worker:
    executor: Executor
    used: bool = False
    lost: bool = False
    games: deque[Job] = field(default_factory=deque)
    given: dict[Future[Played], Job] = field(default_factory=dict)


def by_batch(jobs: Iterable[Job]) -> list[deque[Job]]:
    """Return the games in their order; neighbours of one batch are together."""
    return [deque(batch) for _, batch in groupby(jobs, key=lambda job: job.batch)]


def _all_of(given: Iterable[T], kind: type[T], what: str) -> list[T]:
    """Return all that a caller gave; raises JudgeError for what is not of this kind. what: what was expected, in words."""
    check_kind(given, Iterable, what, JudgeError)
    found = [*given]
    for each in found:
        check_kind(each, kind, what, JudgeError)
    return found


def local_executor() -> LocalExecutor:
    """Return a worker process of this machine."""
    return LocalExecutor(close_here)


class Runner:
    """Plays the games of one run.

    entrants: all participants. keep: called in this thread with the games that have ended since its last call and count, in
    any order. jobs: number of workers on this machine. executor: makes a worker's executor, which must run one task at a time,
    in order. pool: another source of workers, in place of these two. stopped: called several times a second; True ends the
    run. before: what earlier runs say about how entrants start, see `gojudge.refereeing.probation.telling_games`. budgets:
    decide whose games are put off until all others are done. only_slow_left: called then, with their number; False ends the
    run without them.
    """

    def __init__(
        self,
        conditions: Conditions,
        entrants: Iterable[Entrant],
        keep: Callable[[Sequence[GameResult]], None],
        *,
        jobs: int = 1,
        executor: Callable[[], Executor] = local_executor,
        pool: WorkerPool | None = None,
        stopped: Callable[[], bool] = lambda: False,
        before: Iterable[GameResult] = (),
        budgets: Budgets | None = None,
        only_slow_left: Callable[[int], bool] = lambda games: True,
    ) -> None:
        check_kind(conditions, Conditions, "conditions (gojudge.Conditions)", JudgeError)
        check_functions(JudgeError, keep=keep, executor=executor, stopped=stopped, only_slow_left=only_slow_left)
        self._conditions = conditions
        self._entrants = {entrant.name: entrant for entrant in _all_of(entrants, Entrant, "entrants (gojudge.Entrant)")}
        self._keep = keep
        self._pool = LocalPool(jobs, executor) if pool is None else pool
        self._stopped = stopped
        self._workers: list[_Worker] = []
        self._batches: Iterator[tuple[int, Iterable[GameSpec]]] = iter(())
        self._probation = Probation([name for name, entrant in self._entrants.items() if not entrant.reference], before)
        self._left: deque[deque[Job]] = deque()
        # ids of games that more than one worker may have.
        self._shared: set[str] = set()
        self._late: list[_Worker] = []
        self._budgets = budgets or Budgets({}, None)
        self._only_slow_left = only_slow_left
        # None once they are played.
        self._put_off: list[Job] | None = []
        self._ended: queue.SimpleQueue[tuple[_Worker, Future[Played]]] = queue.SimpleQueue()
        # Whether there is nothing left to be handed out; a thousand workers without work must not look for it all the time.
        self._dry = False
        self._in_flight = 0
        self.account = Account()
        self._adjudicator = Adjudicator(self.account, self._seconds_before)

    def run(self, batches: Iterable[Iterable[GameSpec]]) -> Account:
        """Play until all games are done or `stopped` says so. Raises what `keep` raises, and JudgeError if nothing works.

        Games in progress are abandoned when the run stops or an error is raised. batches: each holds games that are best played
        by one worker one after the other, since they share seats; a batch is not iterated before its turn comes. JudgeError is
        raised then if a seat is none of the entrants'.
        """
        check_kind(batches, Iterable, _BATCHES, JudgeError)
        self._batches = enumerate(batches)
        done = False
        try:
            done = self._play_all()
        finally:
            self._close(in_peace=done)
        self.account.stopped = not done
        return self.account

    def _play_all(self) -> bool:
        """Play; return True when every game has been played or is void for good, False if told to stop."""
        if not self._read_batch():
            return True
        # Workers that may need games. Of a thousand, few end a game at a time, and only those are looked at.
        hungry: Iterable[_Worker] = ()
        while not self._stopped():
            self._share_late()
            changed = bool(self._left)
            for executor in self._pool.hire(len(self._workers)):
                self._workers.append(_Worker(executor))
                changed = True
            for worker in list(self._workers) if changed else hungry:
                self._fill(worker)
            if not self._in_flight and not self._left and self._workers:
                if (job := self._next_alone()) is not None:
                    able = [worker for worker in self._workers if worker not in self._late] or self._workers
                    self._give(able[job.replays % len(able)], job)
                    self._dry = True
                elif not self._left:
                    return True
                else:
                    continue
            hungry = self._take_in()
        self._keep_finished()
        return False

    # Handing out

    def _read_batch(self) -> bool:
        """Take in the next batch; return whether there was one."""
        batch = next(self._batches, None)
        if batch is not None:
            self._probation.enter(self._jobs(*batch))
            self._take_released()
        return batch is not None

    def _jobs(self, number: int, batch: Iterable[GameSpec]) -> list[Job]:
        jobs = [Job(spec, batch=number) for spec in _all_of(batch, GameSpec, _BATCHES)]
        for job in jobs:
            for name in names_of(job.spec):
                if name not in self._entrants:
                    raise JudgeError(f"game {quoted(job.spec.id)}: expected the name of an entrant, got {quoted(name)}")
        return jobs

    def _take_released(self) -> None:
        """Queue the games that are held no longer, those of a batch for one worker."""
        if released := by_batch(self._probation.release()):
            self._left.extend(released)
            self._dry = False

    def _next_alone(self) -> Job | None:
        """Return the next game to play with all other workers idle; None if there is none, or if other games come first."""
        self._dry = False
        if self._read_on():
            return None
        if self._adjudicator.alone:
            return self._adjudicator.alone.popleft()
        job = self._probation.last_try()
        self._take_released()
        if job is None and not self._left:
            self._take_put_off()
        return job

    def _take_put_off(self) -> None:
        """Queue the games that were put off, unless the run is to end without them; the least slow submission comes first."""
        jobs, self._put_off = self._put_off, None
        if jobs and self._only_slow_left(len(jobs)):
            slow = [pace.name for pace in self._budgets.slow()]
            jobs.sort(key=lambda job: max((slow.index(name) for name in names_of(job.spec) if name in slow), default=0))
            self._left.extend(by_batch(jobs))

    def _fill(self, worker: _Worker) -> None:
        while not worker.lost and self._has_room(worker) and self._find_games(worker):
            if worker.given and self._put_off is not None and self._has_slow(worker.games[0]):
                # Once what the worker has now is over, it may be put off.
                return
            if not self._give(worker, worker.games.popleft()):
                return

    def _has_room(self, worker: _Worker) -> bool:
        return len(worker.given) < self._pool.ahead(worker.executor) and worker not in self._late

    def _share_late(self) -> None:
        """Let others play what late workers have not begun; if nothing else is left, also what those were given."""
        if not (late := self._pool.late()) and not self._late:
            return
        self._late = [worker for worker in self._workers if worker.executor in late]
        if len(self._late) == len(self._workers):
            self._late = []
        for worker in self._late:
            shared = [job for job in worker.given.values() if self._dry and job.spec.id not in self._shared]
            self._shared.update(job.spec.id for job in shared)
            self._left.extend(games for games in (worker.games, deque(shared)) if games)
            worker.games = deque()

    def _is_elsewhere(self, job: Job) -> bool:
        """Tell whether another worker has a game, or will have it."""
        if job.spec.id not in self._shared:
            return False
        handed = (other for worker in self._workers for other in (*worker.given.values(), *worker.games))
        left = (other for games in self._left for other in games)
        return any(other.spec.id == job.spec.id for other in (*handed, *left))

    def _drop_others(self, ended: Job) -> None:
        """Forget a game that has ended wherever else it was handed out."""
        if ended.spec.id not in self._shared:
            return
        self._shared.discard(ended.spec.id)
        for worker in self._workers:
            for future in [future for future, job in worker.given.items() if job.spec.id == ended.spec.id]:
                self._pop_job(worker, future)
        for games in [*self._left, *(worker.games for worker in self._workers)]:
            for job in [job for job in games if job.spec.id == ended.spec.id]:
                games.remove(job)
        self._left = deque(games for games in self._left if games)

    def _find_games(self, worker: _Worker) -> bool:
        """Find games for a worker that has none: `left` ones, a batch, or half of another's; return whether it has any."""
        self._pass_over_slow(worker)
        while not worker.games and self._read_on():
            worker.games, self._dry = self._left.popleft(), False
            self._pass_over_slow(worker)
        while not worker.games and not self._dry:
            richest = max(self._workers, key=lambda other: len(other.games))
            stolen = [richest.games.pop() for _ in range((len(richest.games) + 1) // 2)]
            worker.games.extend(reversed(stolen))
            self._dry = not stolen
            self._pass_over_slow(worker)
        return bool(worker.games)

    def _pass_over_slow(self, worker: _Worker) -> None:
        """Put off a worker's next games for as long as they are those of slow submissions."""
        # The first games of a player decide which others are played, so they are not put off.
        while self._put_off is not None and worker.games and self._can_wait(worker.games[0]):
            self._put_off.append(worker.games.popleft())

    def _can_wait(self, job: Job) -> bool:
        known = not any(map(self._probation.is_open, names_of(job.spec)))
        return self._has_slow(job) and known and job.spec.id not in self._shared

    def _has_slow(self, job: Job) -> bool:
        return any(map(self._budgets.is_slow, names_of(job.spec)))

    def _read_on(self) -> bool:
        """Read batches until games are left that are not held; return whether there are any."""
        while not self._left and not self._dry and self._probation.waiting < _MOST_HELD:
            if not self._read_batch():
                break
        return bool(self._left)

    def _give(self, worker: _Worker, job: Job) -> bool:
        """Queue a game at a worker; return whether it may be given another now."""
        try:
            future = self._submit(worker, job)
        except LostWorkerError:
            worker.games.appendleft(job)
            self._lose(worker)
            return False
        except BrokenExecutor:
            if worker.given:
                # One of these has broken it, and will say so when its turn comes.
                worker.games.appendleft(job)
                return False
            # It broke while idle: nobody's game is to blame.
            self._renew(worker)
            try:
                future = self._submit(worker, job)
            except BrokenExecutor as error:
                self._adjudicator.void(job, f"game {job.spec.id} is void: {error_line(error)}")
                return True
        worker.given[future] = job
        worker.used = True
        self._in_flight += 1
        future.add_done_callback(lambda ended: self._ended.put((worker, ended)))
        return True

    def _submit(self, worker: _Worker, job: Job) -> Future[Played]:
        players = self._entrants[job.spec.black], self._entrants[job.spec.white]
        return worker.executor.submit(play_here, self._conditions, job.spec, *players, job.known)

    def _renew(self, worker: _Worker) -> None:
        worker.executor.shutdown(wait=False, cancel_futures=True)
        (worker.executor,) = self._pool.hire(len(self._workers) - 1)
        worker.used = False

    def _lose(self, worker: _Worker) -> None:
        """Give the games of a lost worker to others."""
        worker.lost = True
        self._workers.remove(worker)
        for job in self._take_from(worker):
            if self._is_elsewhere(job):
                continue
            if job.losses < _MOST_LOSSES:
                worker.games.appendleft(replace(job, losses=job.losses + 1))
            else:
                reason = f"game {job.spec.id} is void: the last {_MOST_LOSSES} workers that had it were lost"
                self._adjudicator.void(replace(job, losses=0), reason)
        if worker.games:
            self._left.append(worker.games)

    def _take_from(self, worker: _Worker) -> list[Job]:
        """Take back the games that a worker was given, and return them, the last one first."""
        jobs = list(reversed(worker.given.values()))
        self._in_flight -= len(jobs)
        worker.given.clear()
        return jobs

    # Taking in

    def _take_in(self) -> dict[_Worker, None]:
        """Settle and store the games that have ended, waiting briefly if there is none; return the workers that played them."""
        workers: dict[_Worker, None] = {}
        try:
            worker, future = self._ended.get(timeout=0.1)
            for _ in range(_MOST_TOGETHER):
                if future in worker.given:
                    self._settle(worker, future)
                workers[worker] = None
                worker, future = self._ended.get_nowait()
            self._ended.put((worker, future))
        except queue.Empty:
            pass
        finally:
            self._store()
        return workers

    def _keep_finished(self) -> None:
        """Store the games that ended just before the run was told to stop."""
        while not self._ended.empty():
            worker, future = self._ended.get()
            if future in worker.given and not future.cancelled() and future.exception() is None:
                self._settle(worker, future)
        self._store()

    def _store(self) -> None:
        if finished := self._adjudicator.take_counted():
            self._keep(finished)
            self.account.played += len(finished)
            self.account.replayed += sum(result.replays > 0 for result in finished)
        for result in finished:
            self._probation.learn(result)
            for colour, name in enumerate(names_of(result.spec), BLACK):
                self._budgets.count(name, sum(answer.spent.charge for answer in result.answers_of(colour)))
        for spec in self._adjudicator.take_voided():
            self._probation.forget(spec)
        self._take_released()

    def _settle(self, worker: _Worker, future: Future[Played]) -> None:
        """Decide whether a game that has ended counts or is played again."""
        try:
            played = future.result()
        except LostWorkerError:
            self._lose(worker)
            return
        except BrokenExecutor:
            # The process was playing the first of its games; the others had not begun.
            *innocent, guilty = self._take_from(worker)
            worker.games.extendleft(innocent)
            self._dry = False
            self._renew(worker)
            self._adjudicator.void(guilty, f"game {guilty.spec.id} is void: the process that played it died")
            return
        except (JudgeError, CancelledError):
            raise
        except Exception as error:
            job = self._pop_job(worker, future)
            self._drop_others(job)
            self._adjudicator.void(job, f"game {job.spec.id} is void: {error_line(error)}")
            return
        job = self._pop_job(worker, future)
        self._drop_others(job)
        self._adjudicator.take(*self._note_unstarted(job, played))

    def _note_unstarted(self, job: Job, played: Played) -> tuple[Job, Played]:
        """Return a game that has ended, with a note if an entrant lost it without being started."""
        if (loser := loser_of(played.result)) not in job.known:
            return job, played
        self.account.unplayed[loser, reason_of(played.result)] += 1
        return replace(job, notes=(*job.notes, NOT_PLAYED)), replace(played, lag=0.0)

    def _pop_job(self, worker: _Worker, future: Future[Played]) -> Job:
        self._in_flight -= 1
        return worker.given.pop(future)

    def _seconds_before(self, result: GameResult) -> float:
        """Return how many seconds the player had who forfeited by the clock."""
        return self._conditions.limits_of(self._entrants[loser_of(result)]).seconds_before(result.termination)

    def _close(self, *, in_peace: bool) -> None:
        """End the workers. in_peace: they have nothing left to do; otherwise their work is given up."""
        if in_peace:
            for worker in self._workers:
                with suppress(BrokenExecutor):
                    # An unused worker has no process yet, and would start one only for this.
                    if worker.used:
                        worker.executor.submit(close_here)
        self._pool.dismiss([worker.executor for worker in self._workers], in_peace=in_peace)


MAX_REPLAYS = 3
# After so many void games in a row, more will not help.
_HOPELESS = 20
# Forfeits that an overloaded machine may have caused; a start-up failure may be one of them, if there was no time to start.
_BY_THE_CLOCK = (Termination.TIME_OUT, Termination.START_UP_FAILURE)


@dataclass
class Account:
    """What became of a run. played: games stored; replayed: how many of those took more than one try; void: id -> reason, for
    games that remain to be played; stopped: whether the run was told to stop. unplayed: (name, reason) -> how many games that
    entrant forfeited without being started, see `gojudge.refereeing.probation`."""

    played: int = 0
    replayed: int = 0
    void: dict[str, str] = field(default_factory=dict)
    stopped: bool = False
    unplayed: Counter[tuple[str, str]] = field(default_factory=Counter)


class Adjudicator:
    """Decides about each game that has ended, in the order in which they end.

    account: where games are noted that stay void. seconds_before: returns how many seconds the player had that forfeited by the
    clock. alone: games to be played again, with nothing else under way.
    """

    def __init__(self, account: Account, seconds_before: Callable[[GameResult], float]) -> None:
        self.alone: deque[Job] = deque()
        self._account = account
        self._seconds_before = seconds_before
        self._counted: list[GameResult] = []
        self._voided: list[GameSpec] = []
        self._voids_in_a_row = 0

    def take_counted(self) -> list[GameResult]:
        """Return the games that count and were not returned before."""
        counted, self._counted = self._counted, []
        return counted

    def take_voided(self) -> list[GameSpec]:
        """Return the games that stay void and were not returned before."""
        voided, self._voided = self._voided, []
        return voided

    def take(self, job: Job, played: Played) -> None:
        """Decide about a game that a worker has played. Raises JudgeError after too many void games in a row."""
        result = played.result
        if result.winner is None:
            self.void(job, result.detail)
        elif (ending := result.termination) in _BY_THE_CLOCK and is_doubtful(played.lag, self._seconds_before(result)):
            self._doubt(job, result, f"{ending.value} while this machine was {played.lag:.2f} s late")
        else:
            self._count(job, result)

    def void(self, job: Job, reason: str) -> None:
        """Schedule a void game again, or note that it stays void. Raises JudgeError after too many in a row."""
        # A replay that fails again says nothing new.
        self._voids_in_a_row += not job.replays
        if self._voids_in_a_row >= _HOPELESS:
            raise JudgeError(f"the last {_HOPELESS} games were all void; the last one: {reason}")
        if job.replays < MAX_REPLAYS:
            self._again(job, reason)
        else:
            self._account.void[job.spec.id] = reason
            self._voided.append(job.spec)

    def _count(self, job: Job, result: GameResult) -> None:
        self._counted.append(replace(result, replays=job.replays, notes=job.notes) if job.replays or job.notes else result)
        self._voids_in_a_row = 0

    def _doubt(self, job: Job, result: GameResult, reason: str) -> None:
        if job.replays < MAX_REPLAYS:
            self._again(job, f"{reason}: played again, alone")
        else:
            self._count(replace(job, notes=(*job.notes, f"{reason}, as each time before: it counts")), result)

    def _again(self, job: Job, reason: str) -> None:
        self.alone.append(replace(job, replays=job.replays + 1, notes=(*job.notes, reason), losses=0))
