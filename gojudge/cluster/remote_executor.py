"""One worker of a cluster, as the runner sees it: an executor that plays games in portions, one portion at a time.

    the runner gives a game      it waits here
    nothing is under way         as many games as make a portion are sent together
    the portion comes back       it is checked; the futures of its games get their results; the next portion goes

A portion takes about a second, or as long as the pool says, so that what a message costs does not matter for short games, nor
what is lost with a worker for long ones. What comes back after the worker was given up, or a second time, is not looked at.

A `Link` is all that is needed of a cluster: who is there, and a way to call a function at a worker. Submissions are sent to a
machine once, however many workers there ask for them.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from gojudge.cluster import at_worker
from gojudge.cluster.replies import SMALL, NonsenseError, Room, games_of, number_of, pack_reply, room_of_game, unpack_reply
from gojudge.errors import JudgeError
from gojudge.intake.archives import read_files
from gojudge.records import Entrant, GameSpec
from gojudge.refereeing.executors import LostWorkerError
from gojudge.refereeing.open_seats import Conditions, KnownFailure, close_here, play_here
from gojudge.refereeing.referee import Played


class Link(Protocol):
    """A connection to a cluster. name: how the person who started the run calls it.

    Nothing is promised of a result: it may come late, twice, or never, and it may be anything.
    """

    name: str

    def alive(self) -> Collection[str]:
        """Return the addresses of the workers that have been heard of lately. Raises ClusterError if the scheduler is gone."""

    def submit(self, address: str, task: Callable[..., bytes], *arguments: object) -> Future[bytes]:
        """Call a function, one at a module's top level, at this worker and no other. Must not wait."""

    def close(self) -> None:
        """Leave the cluster; never raises."""


class Deliveries:
    """Sends submissions through a link.

    sent: bytes of each parcel so far. lock: for all of a run's workers, since what becomes of one may concern others.
    """

    def __init__(self, link: Link) -> None:
        self.sent: list[int] = []
        self.lock = threading.RLock()
        self._link = link
        # (place, digest) -> to whom it was sent, and what comes back
        self._under_way: dict[tuple[str, str], tuple[str, Future[bytes]]] = {}

    def bring(self, address: str, place: str, entrant: Entrant, *, anew: bool) -> Future[bytes]:
        """Send a submission to a worker, unless it is on its way to that worker's machine; return what will come back.

        place: where workers of that machine keep submissions. anew: send it though it has arrived there in this run; otherwise
        it may have come since the worker missed it. Raises ClusterError, BadSubmissionError.
        """
        key = place, entrant.digest
        with self.lock:
            _, coming = self._under_way.get(key, ("", None))
            if coming is None or (coming.done() and (anew or coming.cancelled() or coming.exception() is not None)):
                parcel = at_worker.parcel_of(read_files(entrant.folder))
                coming = self._link.submit(address, at_worker.keep, entrant.digest, parcel)
                self._under_way[key] = address, coming
                self.sent.append(len(parcel))
            return coming

    def give_up(self, address: str) -> None:
        """Forget what is on its way to a lost worker; whoever waits for it may ask again."""
        with self.lock:
            # A list, since whoever waits is told at once, and may come back here.
            for coming in [coming for to, coming in self._under_way.values() if to == address]:
                coming.cancel()


_LARGEST_PORTION = 64
# Bytes of the reply to a portion of several games: it must stay small even if players print a lot.
_LARGEST_REPLY = 128 << 20
# How often a submission is sent in vain before something is wrong.
_MOST_DELIVERIES = 5
SLOW, WRONG, UNFIT = "slow", "wrong", "not used"
"""What is wrong with a worker that is not used any more."""
# So many void games in a row are the worker's fault.
_MOST_VOIDS = 5


@dataclass
class _Game:
    conditions: Conditions
    spec: GameSpec
    entrants: tuple[Entrant, Entrant]
    known: Mapping[str, KnownFailure]
    future: Future[Played] = field(default_factory=Future)


class RemoteExecutor(Executor):
    """See the top of this file.

    address: the worker's. place: where it keeps submissions. seconds: the most that a game may take before the worker is taken
    to hang. clock: in seconds. why_lost: why it is not used any more, '' while it is; fault: if that is the worker's doing, so
    that it is better not used again, SLOW, WRONG or UNFIT. portion_seconds: how long a portion of games should take. games:
    that came back so far; busy: the seconds that they took, from when they were sent; longest: those of the longest, where
    each game of a portion counts alike.
    """

    def __init__(
        self, link: Link, address: str, place: str, deliveries: Deliveries, seconds: float, clock: Callable[[], float]
    ) -> None:
        self.address = address
        self.why_lost = ""
        self.fault = ""
        self.portion_seconds = 1.0
        self.games = 0
        self.busy = self.longest = 0.0
        self._link = link
        self._place = place
        self._deliveries = deliveries
        self._seconds = seconds
        self._clock = clock
        # Results come in another thread, and perhaps while something is submitted.
        self._lock = deliveries.lock
        self._waiting: deque[_Game] = deque()
        self._portion: list[_Game] = []
        self._size = 1
        self._task: Future[bytes] | None = None
        self._leaving: Future[bytes] | None = None
        self._started = 0.0
        self._parcels = Counter[str]()
        self._voids = 0

    @property
    def ahead(self) -> int:
        """How many games it should have at a time: a portion there, and one here."""
        return 2 * self._size

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        """Submit a game by `play_here`, or `close_here`; nothing else. Raises LostWorkerError if the worker is gone."""
        if task is close_here:
            return self.leave()
        if task is not play_here:
            raise ValueError("expected a game")
        conditions, spec, black, white, known = args
        game = _Game(conditions, spec, (black, white), known)
        with self._lock:
            if self.why_lost:
                raise LostWorkerError(self.why_lost)
            self._waiting.append(game)
            self._send()
        return game.future

    def leave(self) -> Future[bytes]:
        """Have the worker close its seats once it has played what it was given; return what it says then."""
        if self._leaving is None:
            self._leaving = self._link.submit(self.address, at_worker.leave)
        return self._leaving

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop using the worker; what it plays is given up."""
        self.lose("the run has ended")

    @property
    def load(self) -> int:
        """How many games it has been given that have not come back."""
        return len(self._portion) + len(self._waiting)

    def hangs(self) -> bool:
        """Tell whether what was sent takes longer than any games do."""
        return self.seconds_of_each() > self._seconds

    def seconds_of_each(self) -> float:
        """Return how many seconds each game of those that were sent has taken until now; 0 if none was."""
        with self._lock:
            return (self._clock() - self._started) / len(self._portion) if self._portion else 0.0

    def lose(self, why: str, fault: str = "") -> None:
        """Give the worker up: all its games end with LostWorkerError."""
        with self._lock:
            if self.why_lost:
                return
            self.why_lost, self.fault = why, fault
            task, self._task = self._task, None
            games = [*self._portion, *self._waiting]
            self._portion = []
            self._waiting.clear()
            for game in games:
                game.future.set_exception(LostWorkerError(why))
        if task is not None:
            task.cancel()
        self._deliveries.give_up(self.address)

    # What is sent and comes back; the lock is held

    def _send(self) -> None:
        if self._portion or not self._waiting:
            return
        self._portion = [self._waiting.popleft() for _ in range(min(self._size, len(self._waiting)))]
        self._started = self._clock()
        self._parcels.clear()
        self._ask()

    def _ask(self) -> None:
        entrants = {entrant.name: entrant for game in self._portion for entrant in game.entrants}
        specs = tuple(game.spec for game in self._portion)
        known = tuple(game.known for game in self._portion)
        arguments = self._portion[0].conditions, specs, tuple(entrants.values()), known
        room = room_of_game(self._portion[0].conditions).of_games(len(self._portion))
        self._follow(lambda: self._link.submit(self.address, at_worker.play, *arguments), self._on_games, room)

    def _follow(
        self, begin: Callable[[], Future[bytes]], then: Callable[[dict[str, Any]], None], room: Room = SMALL
    ) -> None:
        """Start a task at the worker; hand on its checked reply, if it still matters by then."""
        try:
            task = self._task = begin()
        except JudgeError as error:
            self.lose(str(error))
            return

        def done(ended: Future[bytes]) -> None:
            with self._lock:
                if ended is not self._task:
                    return
                self._task = None
                self._take(ended, then, room)

        task.add_done_callback(done)

    def _take(self, ended: Future[bytes], then: Callable[[dict[str, Any]], None], room: Room) -> None:
        try:
            reply = unpack_reply(ended.result(), room)
            if "failed" in reply:
                self.lose(f"it says: {str(reply['failed'])[:500]!r}", UNFIT)
            else:
                then(reply)
        except NonsenseError as error:
            self.lose(f"it has sent something else than was asked for: {error}", WRONG)
        except (Exception, CancelledError) as error:
            self.lose(f"{type(error).__name__}: {error}"[:500])

    def _on_games(self, reply: dict[str, Any]) -> None:
        if "missing" in reply:
            self._bring(reply["missing"])
            return
        games = self._portion
        elapsed = self._clock() - self._started
        results = games_of(reply.get("games"), [game.spec for game in games], games[0].conditions)
        # Not how long it was under way: if we are the ones who are late, larger portions help.
        each = max(number_of(reply.get("seconds")) / len(games), 1e-6)
        most = min(_LARGEST_PORTION, _LARGEST_REPLY // room_of_game(games[0].conditions).all)
        self._size = max(1, min(most, int(self.portion_seconds / each), 2 * self._size))
        self._portion = []
        self.games += len(games)
        self.busy += elapsed
        self.longest = max(self.longest, elapsed / len(games))
        for game, played in zip(games, results, strict=True):
            self._voids = self._voids + 1 if played.result.winner is None else 0
            game.future.set_result(replace(played, result=replace(played.result, worker=self.address)))
        if self._voids >= _MOST_VOIDS:
            self.lose(f"its last {self._voids} games were all void; the last one: {results[-1].result.detail}", UNFIT)
        self._send()

    def _bring(self, digests: object) -> None:
        """Send a submission that is missing there, then ask again."""
        entrants = {entrant.digest: entrant for game in self._portion for entrant in game.entrants if entrant.is_submission}
        if not isinstance(digests, list) or not digests or not isinstance(digests[0], str) or digests[0] not in entrants:
            raise NonsenseError("expected digests of submissions")
        digest = digests[0]
        self._parcels[digest] += 1
        if self._parcels[digest] > _MOST_DELIVERIES:
            self.lose("it does not keep what it is sent", UNFIT)
            return
        anew = self._parcels[digest] > 1
        coming = self._deliveries.bring(self.address, self._place, entrants[digest], anew=anew)
        here: Future[bytes] = Future()
        coming.add_done_callback(lambda ended: _tell(ended, here))
        self._follow(lambda: here, lambda reply: self._ask())


def _tell(ended: Future[bytes], here: Future[bytes]) -> None:
    """Pass on the outcome of a delivery. If it was lost with the worker it went to, this one asks again."""
    lost = ended.cancelled() or ended.exception() is not None
    if here.set_running_or_notify_cancel():
        here.set_result(pack_reply() if lost else ended.result())
