"""What the kernel says of single processes and their threads: Linux's /proc, CPU clocks, signals (man proc, clock_gettime).

How long tasks, which are threads, wanted a core and had none is Linux's run delay: the second number of /proc/TID/schedstat, in
nanoseconds since the task began. Kernels that do not count it have no such file, or one with zeros: then nobody is known to
have waited. Source: Linux, Documentation/scheduler/sched-stats.rst.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import mmap
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from gojudge.inside.c_library import libc

# Systems without /proc have no such ticks either, and nobody asks for them there.
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0

# Among the fields of /proc/PID/stat from the state on: ticks of reaped children, in user and system mode; threads; bytes of
# address space.
_REAPED, _THREADS, _SIZE = slice(13, 15), 17, 20

_GONE = (b"Z", b"X", b"x")
# States of a task that uses no CPU and will not begin to: stopped, or gone, or deep in the kernel with a stop in store.
_AT_REST = frozenset((*_GONE, b"T", b"t", b"D", b"K", b"P"))

_IN_MEMORY = (b"\nVmRSS:", b"\nVmSwap:")
# Page tables, which can grow without a page in them, and pages set aside for large mappings.
_ITS_OWN = (b"\nVmPTE:", b"\nHugetlbPages:")
_SHARES = (b"\nPss:", b"\nSwapPss:")


# In /proc/PID/pagemap: the bytes of a page, little-endian. The highest says whether it is in memory (bit 7) or swapped out (6),
# of a file (5), and in memory of no other process (0). With bit 2 it is a guard, as below threads' stacks since glibc 2.42: the
# kernel shows it as swapped out, but it has no memory, and nobody may read it.
_ENTRY, _HIGHEST = 8, 7
_SWAPPED = rb"\x40-\x43\x48-\x4b\x50-\x53\x58-\x5b"
_PRESENT, _ALONE = re.compile(rb"[%b\x80-\x9f]+" % _SWAPPED), re.compile(rb"[%b\x81\x83]+" % _SWAPPED)
_MOST_AT_ONCE, _MARKED_FULLY, _POPULATE_READ, _POPULATE_WRITE = 1024, 3, 22, 23
_Vector = ctypes.c_size_t * 2  # struct iovec: address, length
# To look at each of its pages takes the keeper's time and memory.
_MOST_ADDRESSES = 16 << 30


@dataclass(frozen=True)
class Look:
    """Some processes as they were when they were looked at, zombies included.

    pids: of all; living: of those in which a thread lives. tasks: the state of each thread, a letter, by process and thread.
    reaped: CPU seconds of the children that they have waited for. address_space: its bytes in all of them, used or not.
    """

    pids: list[int]
    living: list[int]
    tasks: dict[tuple[int, int], bytes]
    reaped: float
    address_space: int

    @property
    def runnable(self) -> bool:
        """Whether one of them runs or wants a core."""
        return b"R" in self.tasks.values()

    @property
    def restless(self) -> list[tuple[int, int]]:
        """The threads that may use CPU, each with its process."""
        return [task for task, state in self.tasks.items() if state not in _AT_REST]


class ProcessTable:
    """Processes and their threads, as a proc file system shows them. root: its open folder; None for the one at /proc."""

    def __init__(self, root: int | None = None) -> None:
        self._root = root
        self._folder = "/proc/" if root is None else ""

    def everybody(self) -> list[int]:
        """Return all processes it shows, zombies included."""
        return _numbers(os.listdir(self._folder if self._root is None else self._root))

    def look_at(self, pids: Iterable[int]) -> Look:
        """Look at processes; those that are gone are left out."""
        found, living, ticks, size = [], [], 0, 0
        tasks: dict[tuple[int, int], bytes] = {}
        for pid in pids:
            stat = self._stat(pid)
            if not stat:
                continue
            found.append(pid)
            ticks += sum(map(int, stat[_REAPED]))
            size += int(stat[_SIZE])
            # A first thread that has ended alone looks like a zombie.
            several = int(stat[_THREADS]) > 1
            if several or stat[0] not in _GONE:
                living.append(pid)
            tasks |= {(pid, task): self.state(task) for task in self._threads(pid)} if several else {(pid, pid): stat[0]}
        return Look(found, living, tasks, ticks / _TICK, size)

    def state(self, task: int) -> bytes:
        """Return the state of a thread as a letter, X if it is gone."""
        stat = self._stat(task)
        return stat[0] if stat else b"X"

    def children_of(self, pid: int) -> list[int]:
        """Return the children of a process, zombies included; [] if it is gone."""
        return [int(child) for task in self._threads(pid) for child in self.read(f"{pid}/task/{task}/children").split()]

    def held(self, pid: int) -> int:
        """Return the bytes of memory a process holds, pages it shares and pages that are swapped out included."""
        return _kibibytes(self.read(f"{pid}/status"), _IN_MEMORY + _ITS_OWN)

    def share_of_memory(self, pid: int) -> int:
        """Return the same, but a page that k processes share counts 1/k for each."""
        shared = _kibibytes(self.read(f"{pid}/smaps_rollup"), _SHARES)
        return shared + _kibibytes(self.read(f"{pid}/status"), _ITS_OWN) if shared else self.held(pid)

    def read(self, name: str) -> bytes:
        """Return what a file of the file system says; b'' if its process or thread is gone."""
        try:
            file = self.open(name, os.O_RDONLY)
        except OSError:
            return b""
        try:
            # A list of maps comes in thousands of pieces.
            return b"".join(iter(lambda: os.read(file, 1 << 14), b""))
        except OSError:
            return b""
        finally:
            os.close(file)

    def write(self, name: str, text: bytes) -> None:
        """Write to a file of the file system; raises OSError."""
        file = self.open(name, os.O_WRONLY)
        try:
            os.write(file, text)
        finally:
            os.close(file)

    def open(self, name: str, flags: int) -> int:
        """Open a file of the file system; raises OSError."""
        # Python's own files would make three times as many system calls, and this is done many times a move.
        return os.open(self._folder + name, flags | os.O_CLOEXEC, dir_fd=self._root)

    def _stat(self, task: int) -> list[bytes]:
        """Return the first fields of /proc/TASK/stat from the state on; [] if it is gone."""
        # The name that comes before may contain anything, brackets included.
        return self.read(f"{task}/stat").rpartition(b")")[2].split(None, _SIZE + 1)

    def _threads(self, pid: int) -> list[int]:
        try:
            folder = os.open(f"{self._folder}{pid}/task", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._root)
        except OSError:
            return []
        try:
            return _numbers(os.listdir(folder))
        except OSError:
            return []
        finally:
            os.close(folder)


def stop_task(pid: int, task: int) -> None:
    """Send SIGSTOP to one thread of a process."""
    tgkill = getattr(libc(), "tgkill", None)
    if tgkill is not None:
        tgkill(pid, task, int(signal.SIGSTOP))


def forget_children() -> None:
    """Forget the news of children that `await_child` has not been called for."""
    await_child(0)


def await_child(seconds: float) -> None:
    """Return when a child stops, runs on or ends, or after some seconds. SIGCHLD must be blocked."""
    if sys.platform != "darwin":
        signal.sigtimedwait({signal.SIGCHLD}, seconds)
    else:
        time.sleep(seconds)


def reap_ended() -> None:
    """Reap all children that have ended, also those that a child of ours has made ours (CLONE_PARENT)."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def own_cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its threads, alive or a zombie; 0 if it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def runs(pid: int) -> bool:
    """Tell whether a process is there, zombies included, on any system."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _numbers(names: list[str]) -> list[int]:
    return [int(name) for name in names if name.isdigit()]


def _kibibytes(text: bytes, names: tuple[bytes, ...]) -> int:
    """Return the sum of some figures of a file, in bytes."""
    amounts = (text.partition(name)[2] for name in names)
    return sum(int(rest.split(None, 1)[0]) << 10 for rest in amounts if rest)


class PageMarks:
    """How the kernel has marked memory: used once, or often. table: shows the processes, to somebody who may trace them.

    The marks belong to pages, which a process shares with its copies and forks. The kernel tells each which of its pages are
    marked (`Referenced` in `smaps`, `active` in `numa_maps`), and some calls mark a page: a game could count those before it.
    So all marks are brought as far as they go. Only the kernel takes them back, if it must swap memory out or looks for what
    nobody uses (DAMON).

    A process that lives from game to game has two kinds of pages: those of the keeper, of which it is a fork, and those that
    it has alone. It levels the former itself, before anything of a submission runs in it. The latter we level by looking them
    up as a tracer does, which would give it pages of its own in place of those that it shares.
    """

    def __init__(self, table: ProcessTable) -> None:
        self._table = table

    def level_own(self) -> None:
        """Level the marks of all our memory; raises OSError."""
        pieces = self._pieces(os.getpid(), _PRESENT)

        def mark(file: int) -> None:
            for start, length in pieces:
                # Not before Linux 5.14, and not what nobody may read.
                if libc().madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), _POPULATE_READ):
                    with contextlib.suppress(OSError):  # the kernel's own pages, which have no marks
                        _read(file, range(start, start + length, mmap.PAGESIZE))

        self._mark_fully(os.getpid(), mark)

    def level_alone(self, pid: int) -> None:
        """Level the marks of what a process has alone, which does not run now and whose forks have ended; raises OSError."""
        pieces = self._pieces(pid, _ALONE)
        pages = [page for start, length in pieces for page in range(start, start + length, mmap.PAGESIZE)]
        vectors = [_Vectors(pages[first : first + _MOST_AT_ONCE]) for first in range(0, len(pages), _MOST_AT_ONCE)]

        def mark(file: int) -> None:
            for each in vectors:
                # What nobody may read ends it.
                _read(file, each.pages[each.look_up(pid) :])

        # Once before it counts: the kernel may give the process another page instead.
        self._mark_fully(pid, mark, 1 + _MARKED_FULLY)

    def part(self) -> None:
        """Give us pages of our own in place of those that other processes share with us; raises OSError.

        The kernel tells a process by how many its pages are shared (`Pss` in `smaps`), and whatever we do later, writing to
        some, would change that.
        """
        for start, length in self._pieces(os.getpid(), _PRESENT):
            # Not before Linux 5.14, and not what nobody may write to.
            libc().madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), _POPULATE_WRITE)

    def _mark_fully(self, pid: int, mark: Callable[[int], None], times: int = _MARKED_FULLY) -> None:
        """Mark pages of a process until the marks go no further. mark: is given the open file of its memory."""
        file, cores, here = self._table.open(f"{pid}/mem", os.O_RDONLY), os.sched_getaffinity(0), libc().sched_getcpu()
        try:
            # The kernel takes in new memory, and marks it, in batches, one for each core, and ends the core's where memory is
            # given back. What has not been taken in cannot be marked, and the process may have got it on any core.
            for core in (*(cores - {here}), here):
                os.sched_setaffinity(0, {core})
                _end_batch()
            for _ in range(times):
                mark(file)
                _end_batch()
        finally:
            os.close(file)
            os.sched_setaffinity(0, cores)

    def _pieces(self, pid: int, kinds: re.Pattern[bytes]) -> list[tuple[int, int]]:
        """Return where the pages of some kinds are in the memory of a process: each time an address, and how many bytes from
        there on. None if the kernel has no marks to show."""
        try:
            file = self._table.open(f"{pid}/pagemap", os.O_RDONLY)
        except FileNotFoundError:
            return []
        pieces, left = [], _MOST_ADDRESSES
        try:
            for line in self._table.read(f"{pid}/maps").splitlines():
                start, end = (int(text, 16) for text in line.split(None, 1)[0].split(b"-"))
                if end >> 63:  # the kernel's own
                    continue
                left -= end - start
                if left < 0:
                    raise OSError(0, "the import's memory cannot be read")
                pages = os.pread(file, (end - start) // mmap.PAGESIZE * _ENTRY, start // mmap.PAGESIZE * _ENTRY)
                for piece in kinds.finditer(pages[_HIGHEST::_ENTRY]):
                    first, last = (place * mmap.PAGESIZE for place in piece.span())
                    pieces.append((start + first, last - first))
        finally:
            os.close(file)
        return pieces


class _Vectors:
    """Pages of another process, of each of which a byte is to be read, all in one system call (man process_vm_readv)."""

    def __init__(self, pages: list[int]) -> None:
        self.pages = pages
        self._bytes = ctypes.create_string_buffer(len(pages))
        self._ours = _Vector(ctypes.addressof(self._bytes), len(pages))
        self._theirs = array.array("Q", [1]) * (2 * len(pages))
        self._theirs[::2] = array.array("Q", pages)

    def look_up(self, pid: int) -> int:
        """Have the kernel look up the pages; return how many it could, from the first on."""
        theirs, many = ctypes.c_void_p(self._theirs.buffer_info()[0]), ctypes.c_ulong(len(self.pages))
        one, no_flags = ctypes.c_ulong(1), ctypes.c_ulong(0)
        done: int = libc().process_vm_readv(pid, ctypes.byref(self._ours), one, theirs, many, no_flags)
        return max(0, done)


def _end_batch() -> None:
    """Give back a page."""
    with mmap.mmap(-1, mmap.PAGESIZE) as page:
        page[0] = 1


def _read(file: int, pages: Iterable[int]) -> None:
    """Read pages of a process by the open file of its memory; raises OSError."""
    for page in pages:
        if not os.pread(file, 1, page):
            raise OSError(0, "the import's memory cannot be read")


_TABLE = ProcessTable()


class RunDelays:
    """Adds up the run delays of a changing set of tasks. What a task had waited when it was last seen stays counted.

    table: shows them.
    """

    def __init__(self, table: ProcessTable = _TABLE) -> None:
        self._table = table
        self._seen: dict[int, int] = {}
        self._total = 0

    def total(self, tasks: Iterable[int]) -> float:
        """Return the seconds that all have waited so far. tasks: the ids of those that live now."""
        seen = {task: run_delay(task, self._table) for task in tasks}
        for task, delay in seen.items():
            before = self._seen.get(task, 0)
            # A smaller number than before: the kernel has given the id of a task that ended to a new one.
            self._total += delay - before if delay >= before else delay
        self._seen = seen
        return self._total / 1e9


def run_delay(task: int | str, table: ProcessTable = _TABLE) -> int:
    """Return a task's run delay in nanoseconds, 0 if it is gone or not counted. task: its id, or 'thread-self' for our own."""
    fields = _schedstat(task, table)
    return fields[1] if len(fields) > 1 else 0


@cache
def are_counted() -> bool:
    """Tell whether this kernel counts run delays."""
    # Where the kernel counts, a process that asks has been counted for the time it ran.
    return any(_schedstat("self", _TABLE)[:1])


def _schedstat(task: int | str, table: ProcessTable) -> list[int]:
    return list(map(int, table.read(f"{task}/schedstat").split()))
