"""The workers of a run on a cluster. They may join at any time, and be lost at any time.

joins         it is asked what it is and has; it is used if `why_not` has nothing against it
silent        not heard of for a while: its games go to others; if it is heard of again, it joins like a new one
late          its games take much longer than any so far: idle workers play them, too, and the first to end counts
hangs         a portion of games takes longer than any can: it counts as silent, and is not used again
nonsense      it replied with something that was not asked for, or its games are all void: the same
expelled      its games ended differently elsewhere: the same, and none of its games counts
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass

from goban.common.excerpts import printable
from gojudge.cluster import at_worker
from gojudge.cluster.remote_executor import SLOW, UNFIT, WRONG, Deliveries, Link, RemoteExecutor
from gojudge.cluster.replies import BOUND, Description, NonsenseError, description_of, unpack_reply, why_not
from gojudge.errors import ClusterError
from gojudge.records import Tier

# Seconds between two looks at who is there.
_INTERVAL = 1.0
# dask's scheduler takes 2 ms for a message. With more workers than this, portions are so much larger than for this many.
_WORKERS_OF_ONE_SECOND = 200
# How many seconds workers have to close what is open there.
_PARTING = 5.0
# How many seconds to wait for the first worker.
_NOBODY = 30.0
# A worker is late if its games take longer than this many seconds, and than so many times the longest game of any worker.
_LATE_SECONDS, _LATE_TIMES = 30.0, 4.0
# How many seconds workers have to introduce themselves, and new ones to take the place of the last that was lost.
_PATIENCE = 60.0


@dataclass(frozen=True)
class Needs:
    """What a run needs of its workers.

    ours: this machine, with which they are compared. python: the interpreter of submissions, '' for the worker's own. tier: of
    the weakest sandbox that will do, '' if there is no submission. one_a_core: no more workers of a machine may be used than it
    has cores. seconds: the most that a game may take. bound: how many times as fast or slow as this machine they may be.
    """

    ours: Description
    python: str = ""
    tier: str = ""
    one_a_core: bool = False
    seconds: float = 3600.0
    bound: float = BOUND


@dataclass
class Service:
    """What a worker has done for a run.

    games, seconds: that it has played, and how long that took by our clock. checks: games of others among them, played again.
    end: in a few words why it is not used any more, or what was odd, '' if nothing.
    """

    address: str
    host: str = ""
    games: int = 0
    seconds: float = 0.0
    checks: int = 0
    end: str = ""


class ClusterPool:
    """A `gojudge.refereeing.executors.WorkerPool` of a cluster's workers. say: is told in one line who is not used, and why."""

    def __init__(
        self, link: Link, needs: Needs, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.deliveries = Deliveries(link)
        self._link = link
        self._needs = needs
        self._say = say
        self._clock = clock
        self._tier = needs.tier
        self._asked: dict[str, Future[bytes]] = {}
        self._refused: set[str] = set()
        self._found: dict[str, Description] = {}
        self._executors: dict[str, RemoteExecutor] = {}
        self._late: set[str] = set()
        self._expelled: set[str] = set()
        self._services: dict[str, Service] = {}
        self.wrong: dict[str, str] = {}
        """address -> why none of its games is to count: who keeps the games takes it out."""
        self._look_at = 0.0
        self._last_seen = clock()

    def muster(self, seconds: float = _PATIENCE) -> str:
        """Wait until the workers that are there have introduced themselves; return the best tier that all of them have.

        From then on weaker ones are refused. seconds: how long to wait. Raises ClusterError if nobody can be used.
        """
        began = self._clock()
        while (not self._found or self._asked) and (waited := self._clock() - began) < seconds:
            if not self._look() and (self._refused or waited > _NOBODY):
                break
            time.sleep(0.05)
        if not self._found:
            refused = f"none of {len(self._refused)} workers" if self._refused else "no worker"
            raise ClusterError(f"{self._link.name}: {refused} can be used")
        if self._needs.tier:
            self._tier = min(worker.tier for worker in self._found.values())
        speeds = [self._needs.ours.seconds / worker.seconds for worker in self._found.values()]
        hosts = len({worker.host for worker in self._found.values()})
        machines = f"{hosts} machine{'s' if hosts > 1 else ''}"
        workers = f"{len(speeds)} worker{'s' if len(speeds) > 1 else ''}"
        sandboxes = f", sandboxes of tier {self._tier}" if self._tier else ""
        fast = f"{min(speeds):.2f} to {max(speeds):.2f} times as fast as this one"
        self._say(f"{self._link.name}: {workers} on {machines}, {fast}{sandboxes}")
        return self._tier

    # For the runner

    def hire(self, present: int) -> Sequence[Executor]:
        if self._clock() >= self._look_at:
            self._look_around()
            for executor in self._executors.values():
                executor.portion_seconds = max(1.0, len(self._executors) / _WORKERS_OF_ONE_SECOND)
        joined = []
        for address in [address for address in self._found if address not in self._executors]:
            place, seconds = self._found[address].place, self._needs.seconds
            executor = RemoteExecutor(self._link, address, place, self.deliveries, seconds, self._clock)
            self._executors[address] = executor
            joined.append(executor)
        return joined

    def ahead(self, executor: Executor) -> int:
        return executor.ahead if isinstance(executor, RemoteExecutor) else 1

    def late(self) -> Collection[Executor]:
        return [self._executors[address] for address in self._late if address in self._executors]

    def is_late(self, address: str) -> bool:
        """Tell whether a worker's games take much longer than others'."""
        return address in self._late

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        self._note_lost()
        with suppress(ClusterError):
            leaving = [executor.leave() for executor in executors if isinstance(executor, RemoteExecutor)]
            # Whoever cannot be told now closes its sandboxes a minute later.
            wait(leaving, timeout=_PARTING if in_peace else _INTERVAL)
        for executor in executors:
            executor.shutdown()
        # They may be hired again for more games.
        for executor in executors:
            if isinstance(executor, RemoteExecutor):
                self._note_work(executor)
        self._executors = {address: executor for address, executor in self._executors.items() if executor not in executors}

    # For games that are played again

    def checkers(self, address: str) -> list[RemoteExecutor]:
        """Return the workers that may check what a worker has played: those of other machines.

        If all workers are on the machine that started the run, they trust each other.
        """
        ours, host = self._needs.ours.machine, self._host_of(address)
        at_home = [name for name, worker in self._found.items() if ours and worker.machine == ours]
        fine = [name for name in self._executors if name != address and self._host_of(name) != host]
        if not fine and address in at_home:
            fine = [name for name in at_home if name != address]
        here = [self._executors[name] for name in fine if name in self._executors and name not in self._late]
        return sorted((executor for executor in here if not executor.why_lost), key=lambda executor: executor.load)

    def _host_of(self, address: str) -> str:
        worker = self._found.get(address)
        return (worker.machine or worker.host) if worker is not None else ""

    def executors(self) -> list[RemoteExecutor]:
        """Return the executors of the workers in use."""
        return list(self._executors.values())

    def account(self) -> list[Service]:
        """Return what each worker has done, as far as anything is known of it."""
        for executor in self._executors.values():
            self._note_work(executor)
        return sorted(self._services.values(), key=lambda service: (service.host, service.address))

    def expel(self, address: str, reason: str) -> None:
        """Stop using a worker; none of its games is to count."""
        if address in self._expelled:
            return
        if address in self._executors:
            executor = self._executors.pop(address)
            executor.lose(reason, WRONG)
            self._note_work(executor)
        self._found.pop(address, None)
        self._refused.add(address)
        self._expelled.add(address)
        self.service(address).end = f"{WRONG}: {printable(reason, 200)}"
        self.wrong[address] = reason

    def is_expelled(self, address: str) -> bool:
        """Tell whether none of a worker's games counts."""
        return address in self._expelled

    def service(self, address: str) -> Service:
        """Return what a worker has done."""
        return self._services.setdefault(address, Service(address))

    def _note_work(self, executor: RemoteExecutor) -> None:
        service = self.service(executor.address)
        service.games += executor.games
        service.seconds += executor.busy
        executor.games, executor.busy = 0, 0.0

    # For work that is no game

    def present(self) -> Collection[str]:
        """Return the addresses of those who can be used now. Called several times a second; does not wait.

        Raises ClusterError if for a while nobody has been there who can be used.
        """
        if self._clock() >= self._look_at:
            self._look_around()
        return list(self._found)

    def refuse(self, address: str, reason: str) -> None:
        """Stop using a worker, and say why."""
        self._found.pop(address, None)
        self._refused.add(address)
        self.service(address).end = self.service(address).end or f"{UNFIT}: {printable(reason, 200)}"
        self._say(f"{address} is not used: {printable(reason, 500)}")

    # Who is there

    def _look_around(self) -> None:
        self._look_at = self._clock() + _INTERVAL
        self._look()
        self._drop_lost()
        self._find_late()

    def _look(self) -> bool:
        """See who has come, has answered or is gone; return whether there is a worker that is not refused."""
        alive = set(self._link.alive())
        for address in alive - self._asked.keys() - self._found.keys() - self._refused:
            sandboxed = bool(self._needs.tier)
            self._asked[address] = self._link.submit(address, at_worker.introduce, self._needs.python, sandboxed)
        for address in [address for address, task in self._asked.items() if task.done() or address not in alive]:
            task = self._asked.pop(address)
            if address in alive:
                self._admit(address, task)
            else:
                task.cancel()
        for address in [address for address in self._found if address not in alive]:
            if address in self._executors:
                self._executors[address].lose("it is not heard of")
            else:
                del self._found[address]
        return bool(alive - self._refused)

    def _admit(self, address: str, task: Future[bytes]) -> None:
        """Use a worker that has said what it is, or say why not."""
        try:
            reply = unpack_reply(task.result())
            worker = None if "failed" in reply else description_of(reply)
            reason = str(reply["failed"]) if worker is None else self._why_not(worker)
        except NonsenseError as error:
            worker, reason = None, str(error)
        except (CancelledError, ClusterError):
            # Nothing is known about it; it is asked again if it is still there.
            return
        except Exception as error:
            # As dask tells that a worker does not know our modules.
            worker, reason = None, f"{type(error).__name__}: {error}"
        if reason or worker is None:
            self.refuse(address, reason)
        else:
            self._found[address] = worker
            self.service(address).host = worker.host

    def _why_not(self, worker: Description) -> str:
        if reason := why_not(worker, self._needs.ours, self._needs.bound):
            return reason
        if self._tier and worker.tier not in list(Tier):
            return f"it has no sandbox: {worker.why_not}"
        if worker.tier < self._tier:
            return f"its best sandbox is of tier {worker.tier}, expected {self._tier}"
        used = Counter(other.host for other in self._found.values())
        if self._needs.one_a_core and used[worker.host] >= worker.cores:
            return f"the {worker.cores} cores of {worker.host} are taken: no two programs are to think on one core"
        return ""

    def _find_late(self) -> None:
        """Find the workers whose games take much longer than others'; report each of them once."""
        longest = max((executor.longest for executor in self._executors.values()), default=0.0)
        late = {address: executor.seconds_of_each() for address, executor in self._executors.items()}
        addresses = {address for address, each in late.items() if each > max(_LATE_SECONDS, _LATE_TIMES * longest)}
        # One that was late in the last round of games stays so until something comes from it, or all are.
        addresses |= {address for address in self._late - addresses if address in late and not self._executors[address].games}
        self._late = set() if len(addresses) == len(self._executors) else addresses
        for address in self._late:
            if not self.service(address).end:
                self.service(address).end = f"{SLOW}: {late[address]:.0f} s for a game"
                taken = f"a game there has taken {late[address]:.0f} s so far, {longest:.0f} s at most elsewhere"
                self._say(f"{address} is slow: {taken}; others play its games too once they have nothing else to do")

    def _drop_lost(self) -> None:
        """Forget workers that were lost. Raises ClusterError if for a while nobody has been there who can be used."""
        self._note_lost()
        if self._found:
            self._last_seen = self._clock()
        elif self._clock() - self._last_seen > _PATIENCE:
            raise ClusterError(f"{self._link.name}: no worker is left that can be used")

    def _note_lost(self) -> None:
        for address, executor in list(self._executors.items()):
            if executor.hangs():
                executor.lose("it takes longer than any game can", SLOW)
            if executor.why_lost:
                del self._executors[address], self._found[address]
                self._note_work(executor)
                self.service(address).end = f"{executor.fault or 'lost'}: {printable(executor.why_lost, 200)}"
                if executor.fault == WRONG and self.service(address).games:
                    self._expelled.add(address)
                    self.wrong[address] = executor.why_lost
                if executor.fault:
                    self.refuse(address, executor.why_lost)
                else:
                    self._say(f"{address} is lost: {printable(executor.why_lost, 500)}; its games are played by others")
