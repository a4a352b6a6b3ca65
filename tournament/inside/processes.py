"""All processes of one submission, as the keeper sees them: stopped, continued, counted and killed, with none left out.

    EnclosedProcesses   the keeper is the first process of a PID namespace: every other process in it is the submission's
    OpenProcesses       no namespace: the keeper adopts orphans, and finds its descendants in /proc (where there is one)
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import time
from typing import Protocol

from tournament.inside import confinement
from tournament.inside.mounts import open_last_process_id, open_processes
from tournament.inside.process_table import ProcessTable, own_cpu, runs, stop_task
from tournament.inside.protocol import Message
from tournament.inside.run_delays import RunDelays
from tournament.inside.workdirs import STAGE

# The kernel takes a while to kill a process that holds gigabytes; nothing else can keep one alive.
_PATIENCE = 10.0
# How long we look whether all have stopped. Whoever has not by then pays for the CPU that it uses.
_STOPPED_WITHIN = 0.05
# As a rule all have stopped after this many seconds, or as soon as the kernel lets us sleep at all.
_FIRST_PAUSE = 0.00001
# States of a task that uses no CPU and will not begin to: stopped, or gone, or deep in the kernel with a stop in store.
_AT_REST = ([], *([state] for state in "TtDZXxKP"))


class Processes(Protocol):
    """See the top of this file."""

    def starting(self, after: int) -> None:
        """Give the next process the id that follows `after`, where that can be done: ids would count the games."""

    def started(self, pid: int) -> None:
        """Take note of the one process that the keeper itself has started."""

    def begin(self) -> None:
        """Count CPU from now on."""

    def stop(self) -> Message:
        """Stop all, and look that they have stopped. Return what they have used, as `usage` does."""

    def go(self) -> None:
        """Let all run on. The CPU that they have used since they were stopped is counted as idle."""

    def usage(self) -> Message:
        """Return what all have used since `begin`, the dead included, as plain data:

        cpu: seconds; idle: the part of them used between a stop and the next go; waited: seconds in which their tasks wanted a
        core and had none; memory: bytes they hold now, an overestimate perhaps as long as it is within the limit; runnable:
        whether one of them runs or wants a core.
        """

    def others(self, spare: int) -> list[int]:
        """Return the living processes except `spare`."""

    def kill(self, spare: int = 0) -> None:
        """Kill all but `spare`, which is continued if it was stopped; return when they are gone."""

    def why_not_fork(self, loader: int) -> str:
        """Return why forks of a process would not be independent of each other, '' if they will be."""


class _Counted:
    """What both kinds share: counting, from /proc and the CPU clocks of processes.

    memory: the limit, in bytes. proc: where the proc file system is mounted.
    """

    def __init__(self, memory: int, proc: str = "/proc") -> None:
        self._memory = memory
        self._table = ProcessTable(proc)
        self._seen: dict[int, float] = {}
        self._before = (0.0, 0.0)
        self._delays = RunDelays(proc)
        self._waited_before = 0.0
        self._idle = 0.0
        # What had been seen at the last stop, as long as all are stopped.
        self._seen_when_stopped: float | None = None

    def _everybody(self) -> list[int]:
        """Return the processes, zombies included."""
        raise NotImplementedError

    def _pids(self) -> list[int]:
        """Return the living processes."""
        return [pid for pid in self._everybody() if self._table.is_alive(pid)]

    def others(self, spare: int) -> list[int]:
        return [pid for pid in self._pids() if pid != spare]

    def begin(self) -> None:
        self._idle = self._used_when_stopped()
        pids = self._everybody()
        self._seen = {}
        self._before = self._counts(pids)
        self._waited_before = self._delays.total(self._tasks(pids))
        if self._seen_when_stopped is not None:
            # Whoever is stopped is stopped still.
            self._seen_when_stopped = self._before[1]

    def stop(self) -> Message:
        self._send_stop()
        self._see_stopped()
        pids = self._everybody()
        used = self._used(pids, self._tasks(pids))
        self._seen_when_stopped = sum(self._seen.values())
        return {**used, "runnable": False}

    def go(self) -> None:
        self._idle += self._used_when_stopped()
        self._seen_when_stopped = None
        self._send_go()

    def _used_when_stopped(self) -> float:
        """Return the CPU seconds used since the last stop, 0 if nobody is stopped."""
        if self._seen_when_stopped is None:
            return 0.0
        self._seen |= {pid: own_cpu(pid) for pid in self._everybody()}
        return max(0.0, sum(self._seen.values()) - self._seen_when_stopped)

    def _send_stop(self) -> None:
        raise NotImplementedError

    def _send_go(self) -> None:
        raise NotImplementedError

    def _see_stopped(self) -> None:
        """Wait until every task is at rest, for a while at most.

        A process takes SIGSTOP in one of its threads. If that one is deep in the kernel (in vfork, say), the others would run
        on, so whoever still runs is sent a SIGSTOP of its own.
        """
        deadline = time.monotonic() + _STOPPED_WITHIN
        pause = _FIRST_PAUSE
        while (running := self._running()) and time.monotonic() < deadline:
            if pause > _FIRST_PAUSE:
                for pid, task in running:
                    stop_task(pid, task)
            time.sleep(pause)
            pause = min(2 * pause, 0.002)

    def _tasks(self, pids: list[int]) -> list[int]:
        return [task for pid in pids for task in self._table.tasks_of(pid)]

    def _running(self) -> list[tuple[int, int]]:
        """Return the tasks that may use CPU, each as process and thread."""
        everyone = [(pid, task) for pid in self._everybody() for task in self._table.tasks_of(pid)]
        return [(pid, task) for pid, task in everyone if self._table.stat_fields(task)[:1] not in _AT_REST]

    def usage(self) -> Message:
        pids = self._everybody()
        tasks = self._tasks(pids)
        return {**self._used(pids, tasks), "runnable": any(map(self._table.is_runnable, tasks))}

    def _used(self, pids: list[int], tasks: list[int]) -> Message:
        cpu = max(now - before for now, before in zip(self._counts(pids), self._before, strict=True))
        waited = self._delays.total(tasks) - self._waited_before
        return {"cpu": cpu, "idle": self._idle, "waited": waited, "memory": self._memory_held(pids)}

    def _counts(self, pids: list[int]) -> tuple[float, float]:
        """Return two counts of CPU seconds. Neither is ever too high, so the higher one is nearer to the truth.

        The first adds what the living have used and what their dead children had used. It is exact as long as every child is
        waited for. The second adds the last figure seen of every process, whether or not anybody waited for it.
        """
        own = {pid: own_cpu(pid) for pid in pids}
        self._seen |= own
        ours = resource.getrusage(resource.RUSAGE_CHILDREN)
        exact = ours.ru_utime + ours.ru_stime + sum(own.values()) + sum(map(self._table.cpu_of_reaped, pids))
        return exact, sum(self._seen.values())

    def _memory_held(self, pids: list[int]) -> int:
        others = self._memory_of_sockets()
        in_use = others + sum(map(self._table.held, pids))
        # The exact figure is only taken near the limit: it costs the kernel milliseconds where page tables are big.
        return in_use if in_use <= self._memory else others + sum(map(self._table.share_of_memory, pids))

    def _memory_of_sockets(self) -> int:
        """Return the most bytes that may wait in sockets, which belong to no process."""
        return 0

    def kill(self, spare: int = 0) -> None:
        # Stopped at once, so that none can escape by forking.
        self._send_stop()
        self._seen_when_stopped = None
        deadline = time.monotonic() + _PATIENCE
        pause = 0.0002
        while time.monotonic() < deadline:
            for pid in self.others(spare):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._reap()
            if not self.others(spare):
                break
            time.sleep(pause)
            pause = min(2 * pause, 0.01)
        self._send_go()

    def _reap(self) -> None:
        """Reap the children that have ended."""
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass

    def why_not_fork(self, loader: int) -> str:
        """Return why not, in words.

        Whatever the import left and all forks share would carry news from one game to the next: a process, an open file,
        shared memory, a working directory in the import's folder. And a fork would lose a thread.
        """
        try:
            if self.others(loader):
                return "the import left a process running"
            if len(os.listdir(f"/proc/{loader}/task")) > 1:
                return "the import left a thread running"
            if len(os.listdir(f"/proc/{loader}/fd")) > 4:
                return "the import left a file open"
            if os.readlink(f"/proc/{loader}/cwd") != "/":
                return "the import kept its folder"
            with open(f"/proc/{loader}/maps", encoding="utf-8", errors="replace") as maps:
                if any(line.split()[1].endswith("s") and "w" in line.split()[1] for line in maps):
                    return "the import left shared memory"
        except OSError as error:
            return f"the import cannot be looked at: {error.strerror}"
        return ""


class EnclosedProcesses(_Counted):
    """All processes in this PID namespace except us, its first one. The network namespace must be theirs alone as well."""

    def __init__(self, memory: int) -> None:
        super().__init__(memory, open_processes(STAGE))
        with socket.socket(socket.AF_UNIX) as one:
            # A sender is stopped once this much waits, and its last message may be half as long.
            self._socket_holds = 2 * one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        self._last_process_id = open_last_process_id(STAGE)

    def starting(self, after: int) -> None:
        os.pwrite(self._last_process_id, str(after).encode(), 0)

    def started(self, pid: int) -> None:
        """Do nothing: the namespace shows all processes."""

    def _everybody(self) -> list[int]:
        return [pid for pid in self._table.everybody() if pid != 1]

    def _memory_of_sockets(self) -> int:
        with open("/proc/net/sockstat", "rb") as file:
            return int(file.readline().split()[2]) * self._socket_holds

    def _send_stop(self) -> None:
        # One call reaches all at once.
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)

    def _send_go(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGCONT)


class OpenProcesses(_Counted):
    """Our descendants. Where there is no /proc, only the process we have started: no other can be found."""

    def __init__(self, memory: int) -> None:
        super().__init__(memory)
        self._started = 0
        self._sees_all = os.path.exists("/proc/thread-self/children")
        if self._sees_all:
            confinement.adopt_orphans()

    def starting(self, after: int) -> None:
        """Do nothing: others start processes here as well."""

    def started(self, pid: int) -> None:
        self._started = pid

    def _everybody(self) -> list[int]:
        if not self._sees_all:
            return [self._started] if self._started and runs(self._started) else []
        found, open_ends = [], [os.getpid()]
        while open_ends:
            mine = self._table.children_of(open_ends.pop())
            found += mine
            open_ends += mine
        return found

    def _pids(self) -> list[int]:
        return super()._pids() if self._sees_all else self._everybody()

    def _send_stop(self) -> None:
        stopped: set[int] = set()
        # Repeat until no new process turns up: one may have been forked while we looked.
        for _ in range(100):
            new = set(self._pids()) - stopped
            if not new:
                return
            for pid in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            stopped |= new

    def _send_go(self) -> None:
        for pid in self._pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
