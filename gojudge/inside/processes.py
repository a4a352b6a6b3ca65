"""All processes of one submission, as the keeper sees them: stopped, continued, counted and killed, with none left out.

    EnclosedProcesses   the keeper is the first process of a PID namespace: every other process in it is the submission's
    OpenProcesses       no namespace: the keeper adopts orphans, and finds its descendants in /proc (where there is one)
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Protocol

from gojudge.inside import confinement
from gojudge.inside.accounts import ProcessAccount
from gojudge.inside.mounts import open_last_process_id, open_processes
from gojudge.inside.process_table import Look, ProcessTable, await_child, forget_children, runs, stop_task
from gojudge.inside.protocol import Message
from gojudge.inside.workdirs import STAGE

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

    def why_not_fork(self, loader: int, files: frozenset[int] = STANDARD_FILES) -> str:
        """Return why forks of a process would not be independent of each other, '' if they will be. files: the descriptors that
        it may have."""


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

        A process takes SIGSTOP in one of its threads. If that one is deep in the kernel (in vfork, say), the others would run
        on, so whoever still runs is sent a SIGSTOP of its own.
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
            self._reap()
            pause = min(2 * pause, 0.01)
        # Their ids must be free for those that come next.
        self._reap()
        self._send_go()

    def _reap(self) -> None:
        """Reap the children that have ended."""
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass

    def give_first(self, pid: int) -> None:
        """Do nothing: no other process here lives longer than a game."""

    def why_not_fork(self, loader: int, files: frozenset[int] = STANDARD_FILES) -> str:
        """Return why not, in words.

        Whatever the import left and all forks share would carry news from one game to the next: a process, an open file,
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
            if int(self._table.read(f"{loader}/status").partition(b"SigBlk:")[2].split(None, 1)[0], 16):
                # They would wait in it, and the kernel says how many do.
                return "the import blocks signals"
        except OSError as error:
            return f"the import cannot be looked at: {error.strerror}"
        return ""


    def _shares_memory(self, pid: int) -> bool:
        """Tell whether a process has memory that it shares and may write to, now or once it asks for that.

        Of files it has open for reading only it may keep some: nobody can write to what an import has left.
        """
        maps = self._table.read(f"{pid}/maps").splitlines()
        if not maps:
            return True
        if not any(line.split(None, 2)[1].endswith(b"s") for line in maps):
            return False
        # Their flags take the kernel longer to find out.
        flags = [line.split()[1:] for line in self._table.read(f"{pid}/smaps").splitlines() if line.startswith(b"VmFlags:")]
        return len(flags) != len(maps) or any(b"sh" in each for each in flags)


class EnclosedProcesses(_Tree):
    """All processes in this PID namespace except us, its first one. The network namespace must be theirs alone as well."""

    def __init__(self, memory: int) -> None:
        super().__init__(memory, ProcessTable(open_processes(STAGE)), self._memory_of_sockets)
        self._sockets = os.open("/proc/net/sockstat", os.O_RDONLY | os.O_CLOEXEC)
        with socket.socket(socket.AF_UNIX) as one:
            # A sender is stopped once this much waits, and its last message may be half as long.
            self._socket_holds = 2 * one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        self._last_process_id = open_last_process_id(STAGE)

    def starting(self, after: int) -> None:
        os.pwrite(self._last_process_id, str(after).encode(), 0)

    def started(self, pid: int) -> None:
        """Do nothing: the namespace shows all processes."""

    def give_first(self, pid: int) -> None:
        self._table.write(f"{pid}/oom_score_adj", b"1000")

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
        found, open_ends = [], [os.getpid()]
        while open_ends:
            mine = self._table.children_of(open_ends.pop())
            found += mine
            open_ends += mine
        return found

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
