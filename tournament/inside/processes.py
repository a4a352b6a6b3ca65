"""All processes of one submission, as the keeper sees them: stopped, continued, counted and killed, with none left out.

    EnclosedProcesses   the keeper is the first process of a PID namespace: every other process in it is the submission's
    OpenProcesses       no namespace: the keeper adopts orphans, and finds its descendants in /proc (where there is one)
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from typing import Protocol

from tournament.inside import confinement

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")
# The kernel takes a while to kill a process that holds gigabytes; nothing else can keep one alive.
_PATIENCE = 10.0


class Processes(Protocol):
    """See the top of this file."""

    def started(self, pid: int) -> None:
        """Take note of the one process that the keeper itself has started."""

    def begin(self) -> None:
        """Count CPU from now on."""

    def stop(self) -> None:
        """Stop all."""

    def go(self) -> None:
        """Let all run on."""

    def cpu(self) -> float:
        """Return the CPU seconds that all have used since `begin`, the dead included."""

    def memory(self) -> int:
        """Return the bytes of memory that all hold together; may be an overestimate as long as it is within the limit."""

    def others(self, spare: int) -> list[int]:
        """Return the living processes except `spare`."""

    def kill(self, spare: int = 0) -> None:
        """Kill all but `spare`, which is continued if it was stopped; return when they are gone."""

    def why_not_fork(self, loader: int) -> str:
        """Return why forks of a process would not be independent of each other, '' if they will be."""


class _Counted:
    """What both kinds share: counting, from /proc and the CPU clocks of processes. memory: the limit, in bytes."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._seen: dict[int, float] = {}
        self._before = (0.0, 0.0)

    def _everybody(self) -> list[int]:
        """Return the processes, zombies included."""
        raise NotImplementedError

    def _pids(self) -> list[int]:
        """Return the living processes."""
        return [pid for pid in self._everybody() if _is_alive(pid)]

    def others(self, spare: int) -> list[int]:
        return [pid for pid in self._pids() if pid != spare]

    def begin(self) -> None:
        self._seen = {}
        self._before = self._counts()

    def cpu(self) -> float:
        return max(now - before for now, before in zip(self._counts(), self._before, strict=True))

    def _counts(self) -> tuple[float, float]:
        """Return two counts of CPU seconds. Neither is ever too high, so the higher one is nearer to the truth.

        The first adds what the living have used and what their dead children had used. It is exact as long as every child is
        waited for. The second adds the last figure seen of every process, whether or not anybody waited for it.
        """
        pids = self._everybody()
        own = {pid: _own_cpu(pid) for pid in pids}
        self._seen |= own
        ours = resource.getrusage(resource.RUSAGE_CHILDREN)
        exact = ours.ru_utime + ours.ru_stime + sum(own.values()) + sum(map(_cpu_of_reaped, pids))
        return exact, sum(self._seen.values())

    def memory(self) -> int:
        pids = self._pids()
        resident = sum(map(_resident, pids))
        # The exact figure is only taken near the limit: it costs the kernel milliseconds where page tables are big.
        return resident if resident <= self._memory else sum(map(_share_of_memory, pids))

    def _kill(self, spare: int) -> None:
        """Kill until no process is left, apart from zombies that `spare` has to reap."""
        deadline = time.monotonic() + _PATIENCE
        pause = 0.0002
        while time.monotonic() < deadline:
            for pid in self.others(spare):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._reap(spare)
            if not self.others(spare):
                return
            time.sleep(pause)
            pause = min(2 * pause, 0.01)

    def _reap(self, spare: int) -> None:
        """Reap the children that have ended, `spare` included."""
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
    """All processes in this PID namespace except us, its first one."""

    def started(self, pid: int) -> None:
        """Do nothing: the namespace shows all processes."""

    def _everybody(self) -> list[int]:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)

    def go(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGCONT)

    def kill(self, spare: int = 0) -> None:
        # One call stops all at once, so that none can escape by forking.
        self.stop()
        self._kill(spare)
        self.go()


class OpenProcesses(_Counted):
    """Our descendants. Where there is no /proc, only the process we have started: no other can be found."""

    def __init__(self, memory: int) -> None:
        super().__init__(memory)
        self._started = 0
        self._sees_all = os.path.exists("/proc/thread-self/children")
        if self._sees_all:
            confinement.adopt_orphans()

    def started(self, pid: int) -> None:
        self._started = pid

    def _everybody(self) -> list[int]:
        if not self._sees_all:
            return [self._started] if self._started and _runs(self._started) else []
        found, open_ends = [], [os.getpid()]
        while open_ends:
            mine = _children_of(open_ends.pop())
            found += mine
            open_ends += mine
        return found

    def _pids(self) -> list[int]:
        return super()._pids() if self._sees_all else self._everybody()

    def stop(self) -> None:
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

    def go(self) -> None:
        for pid in self._pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def kill(self, spare: int = 0) -> None:
        self.stop()
        self._kill(spare)
        self.go()


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on; [] if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name that comes before may contain anything, brackets included.
            return file.read().rpartition(b")")[2].decode().split()
    except OSError:
        return []


def _is_alive(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], ["Z"], ["X"])


def _children_of(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
    except OSError:
        pass
    return children


def _own_cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its threads, alive or a zombie."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def _cpu_of_reaped(pid: int) -> float:
    """Return the CPU seconds of the children that a process has waited for."""
    stat = _stat(pid)
    return (int(stat[13]) + int(stat[14])) / _TICK if stat else 0.0


def _resident(pid: int) -> int:
    """Return the bytes of memory a process holds, shared pages included."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return 0


def _share_of_memory(pid: int) -> int:
    """Return the same, but a page that k processes share counts 1/k for each."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    except OSError:
        return _resident(pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
