"""What the kernel says of single processes and their threads: Linux's /proc, CPU clocks, signals (man proc, clock_gettime)."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from functools import cache

# Among the fields of /proc/PID/stat from the state on.
_THREADS = 17

_TICK = os.sysconf("SC_CLK_TCK")

# Page tables, which can grow without a page in them, and pages set aside for large mappings.
_ITS_OWN = (b"VmPTE:", b"HugetlbPages:")


class ProcessTable:
    """Processes and their threads, as a proc file system shows them. root: where it is mounted."""

    def __init__(self, root: str = "/proc") -> None:
        self._root = root

    def everybody(self) -> list[int]:
        """Return all processes it shows, zombies included."""
        return [int(name) for name in os.listdir(self._root) if name.isdigit()]

    def stat_fields(self, pid: int) -> list[str]:
        """Return the fields of /proc/PID/stat from the state on; [] if the process or thread is gone."""
        try:
            with open(f"{self._root}/{pid}/stat", "rb") as file:
                # The name that comes before may contain anything, brackets included.
                return file.read().rpartition(b")")[2].decode().split()
        except OSError:
            return []

    def is_alive(self, pid: int) -> bool:
        """Tell whether any thread of a process lives. A first thread that has ended alone looks like a zombie."""
        fields = self.stat_fields(pid)
        return bool(fields) and (fields[0] not in ("Z", "X") or int(fields[_THREADS]) > 1)

    def is_runnable(self, task: int) -> bool:
        """Tell whether a thread runs or wants a core."""
        return self.stat_fields(task)[:1] == ["R"]

    def tasks_of(self, pid: int) -> list[int]:
        """Return the threads of a process; [] if it is gone."""
        try:
            return [int(name) for name in os.listdir(f"{self._root}/{pid}/task")]
        except OSError:
            return []

    def children_of(self, pid: int) -> list[int]:
        """Return the children of a process, zombies included; [] if it is gone."""
        children: list[int] = []
        try:
            for task in os.listdir(f"{self._root}/{pid}/task"):
                with open(f"{self._root}/{pid}/task/{task}/children", encoding="ascii") as file:
                    children += map(int, file.read().split())
        except OSError:
            pass
        return children

    def cpu_of_reaped(self, pid: int) -> float:
        """Return the CPU seconds of the children that a process has waited for."""
        stat = self.stat_fields(pid)
        return (int(stat[13]) + int(stat[14])) / _TICK if stat else 0.0

    def held(self, pid: int) -> int:
        """Return the bytes of memory a process holds, pages it shares and pages that are swapped out included."""
        return _kibibytes(f"{self._root}/{pid}/status", (b"VmRSS:", b"VmSwap:", *_ITS_OWN))

    def share_of_memory(self, pid: int) -> int:
        """Return the same, but a page that k processes share counts 1/k for each."""
        shared = _kibibytes(f"{self._root}/{pid}/smaps_rollup", (b"Pss:", b"SwapPss:"))
        return shared + _kibibytes(f"{self._root}/{pid}/status", _ITS_OWN) if shared else self.held(pid)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def stop_task(pid: int, task: int) -> None:
    """Send SIGSTOP to one thread of a process."""
    tgkill = getattr(_libc(), "tgkill", None)
    if tgkill is not None:
        tgkill(pid, task, int(signal.SIGSTOP))


def own_cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its threads, alive or a zombie."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def _kibibytes(path: str, names: tuple[bytes, ...]) -> int:
    """Return the sum of some figures of a file, in bytes; 0 if the process is gone."""
    try:
        with open(path, "rb") as file:
            return sum(int(words[1]) << 10 for words in map(bytes.split, file) if words[0] in names)
    except OSError:
        return 0


def runs(pid: int) -> bool:
    """Tell whether a process is there, zombies included, on any system."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
