"""All processes of one submission, as the keeper sees them: stopped, continued, counted and killed, with none left out.

    EnclosedProcesses   the keeper is the first process of a PID namespace: every other process in it is the submission's
    OpenProcesses       no namespace: the keeper adopts orphans, and finds its descendants in /proc (where there is one)

What they have used is counted from /proc and the CPU clocks of processes; where there is a control group, the kernel counts
instead (`gojudge.sandbox.handles`).
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from gojudge.inside import confinement
from gojudge.inside.process_table import (
    Look,
    PageMarks,
    ProcessTable,
    RunDelays,
    await_child,
    forget_children,
    own_cpu,
    reap_ended,
    runs,
    stop_task,
)
from gojudge.inside.protocol import Message
from gojudge.inside.workdirs import STAGE, open_last_process_id, open_processes

# The kernel takes a while to kill a process that holds gigabytes; nothing else can keep one alive.
_PATIENCE = 10.0
# How long we look whether all have stopped. Whoever has not by then pays for the CPU that it uses.
_STOPPED_WITHIN = 0.05
# How long we wait for news of a child before we look again: at first, and at most.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0002, 0.002


STANDARD_FILES = frozenset(range(4))
"""The descriptors of a loading process: standard input, output and error, and its channel."""


class Processes(Protocol):
    """See the top of this file."""

    def starting(self, after: int) -> None:
        """Give the next process the id that follows `after`, where that can be done: ids would count the games."""

    def started(self, pid: int) -> None:
        """Take note of the one process that the keeper itself has started."""

    def give_first(self, pid: int) -> None:
        """Have the kernel end this process, and what it starts, before all others if memory runs out."""

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

    def level_own_marks(self) -> None:
        """Let nobody mark our memory, which is about to be shared: see `PageMarks.level_own`. Raises OSError."""

    def level_marks(self, pid: int) -> None:
        """Let nobody mark what a process shares with its copies or forks, but not with us: see `PageMarks.level_alone`. Raises
        OSError."""

    def why_not_fork(self, loader: int, files: frozenset[int] = STANDARD_FILES) -> str:
        """Return why forks of a process would not be independent of each other, '' if they will be. files: the descriptors that
        it may have."""

    def part_memory(self) -> None:
        """Share no memory any more with what was forked from us: see `PageMarks.part`. Raises OSError."""


class _Tree:
    """What both kinds share. memory: the limit, in bytes. table: shows the processes. sockets: see `ProcessAccount`.

    The keeper has blocked SIGCHLD, so that it can be waited for.
    """

    def __init__(self, memory: int, table: ProcessTable, sockets: Callable[[], int] = lambda: 0) -> None:
        self._table = table
        self._account = ProcessAccount(table, memory, sockets)

    def _everybody(self) -> list[int]:
        """Return the processes, zombies included."""
        raise NotImplementedError

    def _living(self) -> list[int]:
        """Return the living processes."""
        return self._look().living

    def _look(self) -> Look:
        return self._table.look_at(self._everybody())

    def others(self, spare: int) -> list[int]:
        return [pid for pid in self._living() if pid != spare]

    def begin(self) -> None:
        self._account.begin(self._look())

    def stop(self) -> Message:
        forget_children()
        self._send_stop()
        return self._account.stop(self._see_stopped())

    def go(self) -> None:
        self._account.go(self._everybody())
        self._send_go()

    def usage(self) -> Message:
        return self._account.usage(self._look())

    def _send_stop(self) -> None:
        raise NotImplementedError

    def _send_go(self) -> None:
        raise NotImplementedError

    def _see_stopped(self) -> Look:
        """Wait until every task is at rest, for a while at most; return the last look at them.

        A process takes SIGSTOP in one of its threads. While that thread is deep in the kernel (in vfork, say), the others would
        run on; so each task that still runs gets a SIGSTOP of its own.
        """
        deadline = time.monotonic() + _STOPPED_WITHIN
        pause = _FIRST_PAUSE
        while (restless := (look := self._look()).restless) and time.monotonic() < deadline:
            if pause > _FIRST_PAUSE:
                for pid, task in restless:
                    stop_task(pid, task)
            # As a rule it is our child who plays, so we hear when it has stopped.
            await_child(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return look

    def kill(self, spare: int = 0) -> None:
        # Stopped at once, so that none can escape by forking.
        self._send_stop()
        self._account.end()
        deadline = time.monotonic() + _PATIENCE
        pause = _FIRST_PAUSE
        while (others := self.others(spare)) and time.monotonic() < deadline:
            forget_children()
            for pid in others:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await_child(pause)
            reap_ended()
            pause = min(2 * pause, 0.01)
        # Their ids must be free for those that come next.
        reap_ended()
        self._send_go()

    def give_first(self, pid: int) -> None:
        """Do nothing: no other process here lives longer than a game."""

    def level_own_marks(self) -> None:
        """Do nothing: who has a namespace does more."""

    def level_marks(self, pid: int) -> None:
        """Do nothing: who has a namespace does more."""

    def part_memory(self) -> None:
        """Do nothing: who has a namespace does more."""

    def why_not_fork(self, loader: int, files: frozenset[int] = STANDARD_FILES) -> str:
        """Return why not, in words.

        What the import left would carry news from one game to the next if all forks share it: a process, an open file,
        shared memory, a working directory in the import's folder. And a fork would lose a thread.
        """
        try:
            if self.others(loader):
                return "the import left a process running"
            if len(os.listdir(f"/proc/{loader}/task")) > 1:
                return "the import left a thread running"
            if not set(map(int, os.listdir(f"/proc/{loader}/fd"))) <= files:
                return "the import left a file open"
            if os.readlink(f"/proc/{loader}/cwd") != "/":
                return "the import kept its folder"
            if self._shares_memory(loader):
                return "the import left shared memory"
            if int(self._table.read(f"{loader}/status").partition(b"\nSigBlk:")[2].split(None, 1)[0], 16):
                # They would wait in it, and the kernel says how many do.
                return "the import blocks signals"
        except OSError as error:
            return f"the import cannot be looked at: {error.strerror}"
        return ""


    def _shares_memory(self, pid: int) -> bool:
        """Tell whether a process has memory that it shares and may write to, now or once it asks for that.

        It may keep memory of files that are open for reading only: nobody can write to what an import has left.
        """
        maps = self._table.read(f"{pid}/maps").splitlines()
        if not maps:
            return True
        if not any(line.split(None, 2)[1].endswith(b"s") for line in maps):
            return False
        # Their flags take the kernel longer to find out. All from one look: a process that is not stopped yet may still map
        # some.
        smaps = self._table.read(f"{pid}/smaps").splitlines()
        flags = [line.split()[1:] for line in smaps if line.startswith(b"VmFlags:")]
        told = len(flags) == sum(line.startswith(b"Size:") for line in smaps) > 0
        return not told or any(b"sh" in each for each in flags)


class EnclosedProcesses(_Tree):
    """All processes in this PID namespace except us, its first one. The network namespace must be theirs alone as well."""

    def __init__(self, memory: int) -> None:
        super().__init__(memory, ProcessTable(open_processes(STAGE)), self._memory_of_sockets)
        self._sockets = os.open("/proc/net/sockstat", os.O_RDONLY | os.O_CLOEXEC)
        with socket.socket(socket.AF_UNIX) as one:
            # A sender is stopped once this much waits, and its last message may be half as long.
            self._socket_holds = 2 * one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        self._last_process_id = open_last_process_id(STAGE)
        self._marks = PageMarks(self._table)

    def starting(self, after: int) -> None:
        os.pwrite(self._last_process_id, str(after).encode(), 0)

    def started(self, pid: int) -> None:
        """Do nothing: the namespace shows all processes."""

    def give_first(self, pid: int) -> None:
        self._table.write(f"{pid}/oom_score_adj", b"1000")

    def level_own_marks(self) -> None:
        self._marks.level_own()

    def level_marks(self, pid: int) -> None:
        self._marks.level_alone(pid)

    def part_memory(self) -> None:
        self._marks.part()

    def _everybody(self) -> list[int]:
        return [pid for pid in self._table.everybody() if pid != 1]

    def _memory_of_sockets(self) -> int:
        return int(os.pread(self._sockets, 64, 0).split(None, 3)[2]) * self._socket_holds

    def _send_stop(self) -> None:
        # One call reaches all at once.
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)

    def _send_go(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGCONT)


class OpenProcesses(_Tree):
    """Our descendants. Where there is no /proc, only the process we have started: no other can be found."""

    def __init__(self, memory: int) -> None:
        super().__init__(memory, ProcessTable())
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
        pids, open_ends = [], [os.getpid()]
        while open_ends:
            mine = self._table.children_of(open_ends.pop())
            pids += mine
            open_ends += mine
        return pids

    def _living(self) -> list[int]:
        return super()._living() if self._sees_all else self._everybody()

    def _send_stop(self) -> None:
        stopped: set[int] = set()
        # Repeat until no new process turns up: one may have been forked while we looked.
        for _ in range(100):
            new = set(self._everybody()) - stopped
            if not new:
                return
            for pid in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            stopped |= new

    def _send_go(self) -> None:
        for pid in self._everybody():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


class IdleCpu:
    """CPU used between a stop and the next go. seconds: in this game. It is told what a count of CPU seconds shows."""

    def __init__(self) -> None:
        self.seconds = 0.0
        # The count at the last stop, as long as all are stopped.
        self._at_stop: float | None = None

    def begin(self, cpu: float) -> None:
        """A game begins. Whoever is stopped is stopped still, and what was used since belongs to this game."""
        self.seconds = 0.0
        stopped = self._at_stop is not None
        self.go(cpu)
        if stopped:
            self.stop(cpu)

    def stop(self, cpu: float) -> None:
        """All are stopped."""
        self._at_stop = cpu

    def go(self, cpu: float) -> None:
        """They run on."""
        if self._at_stop is not None:
            self.seconds += max(0.0, cpu - self._at_stop)
        self.end()

    def end(self) -> None:
        """They run on or are killed, and the game is over."""
        self._at_stop = None


class ProcessAccount:
    """The account of some processes. table: shows them; memory: the limit, in bytes; sockets: returns the most bytes that may
    wait in sockets, which belong to no process.
    """

    def __init__(self, table: ProcessTable, memory: int, sockets: Callable[[], int]) -> None:
        self._table = table
        self._memory = memory
        self._sockets = sockets
        self._delays = RunDelays(table)
        self._idle = IdleCpu()
        # The CPU seconds last seen of each process since the game began, and those of processes that ended before it.
        self._seen: dict[int, float] = {}
        self._ended = 0.0
        self._before = (0.0, 0.0)
        self._waited_before = 0.0

    def begin(self, look: Look) -> None:
        """A game begins: count from now on. Whoever is stopped is stopped still."""
        self._idle.begin(self._note(_cpu_of(look.pids)))
        for pid in self._seen.keys() - set(look.pids):
            self._ended += self._seen.pop(pid)
        self._before = self._counts(look)
        self._waited_before = self._waited(look)

    def stop(self, look: Look) -> Message:
        """All have been stopped: return what they have used, as `usage` does."""
        used = self.usage(look)
        self._idle.stop(self._seen_in_all())
        return {**used, "runnable": False}

    def go(self, pids: list[int]) -> None:
        """They run on."""
        self._idle.go(self._note(_cpu_of(pids)))

    def end(self) -> None:
        """They are killed."""
        self._idle.end()

    def usage(self, look: Look) -> Message:
        """Return what all have used since `begin`: see `gojudge.inside.processes`."""
        cpu = max(now - before for now, before in zip(self._counts(look), self._before, strict=True))
        return {
            "cpu": cpu, "idle": self._idle.seconds, "waited": self._waited(look) - self._waited_before,
            "memory": self._memory_held(look), "runnable": look.runnable,
        }  # fmt: skip

    def _counts(self, look: Look) -> tuple[float, float]:
        """Return two counts of CPU seconds. Neither is ever too high, so the higher one is nearer to the truth.

        The first adds what the living have used and what their dead children had used. It is exact as long as every child is
        waited for. The second adds the last figure seen of every process, whether or not anybody waited for it.
        """
        own = _cpu_of(look.pids)
        ours = resource.getrusage(resource.RUSAGE_CHILDREN)
        exact = ours.ru_utime + ours.ru_stime + look.reaped + sum(own.values())
        return exact, self._note(own)

    def _note(self, own: dict[int, float]) -> float:
        """Take note of the CPU seconds that processes have used by now; return those of all, the dead included."""
        self._seen |= own
        return self._seen_in_all()

    def _seen_in_all(self) -> float:
        return self._ended + sum(self._seen.values())

    def _waited(self, look: Look) -> float:
        return self._delays.total(task for _, task in look.tasks)

    def _memory_held(self, look: Look) -> int:
        others = self._sockets()
        # Three figures, each nearer to the truth than the one before, and dearer. For each page, there are at most three with
        # tables of pages.
        most = others + 4 * look.address_space
        if most > self._memory:
            most = others + sum(map(self._table.held, look.pids))
        if most > self._memory:
            # This one costs the kernel milliseconds where page tables are big.
            most = others + sum(map(self._table.share_of_memory, look.pids))
        return most


def _cpu_of(pids: Iterable[int]) -> dict[int, float]:
    """Return the CPU seconds of processes, those left out that are gone: what was seen of them last still holds."""
    return {pid: cpu for pid in pids if (cpu := own_cpu(pid))}
