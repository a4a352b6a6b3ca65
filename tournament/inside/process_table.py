"""What the kernel says of single processes and their threads: Linux's /proc, CPU clocks, signals (man proc, clock_gettime)."""

from __future__ import annotations

import ctypes
import os
import signal
import time

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


def stat_fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on; [] if the process or thread is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name that comes before may contain anything, brackets included.
            return file.read().rpartition(b")")[2].decode().split()
    except OSError:
        return []


def is_alive(pid: int) -> bool:
    """Tell whether a process is there, and no zombie."""
    return stat_fields(pid)[:1] not in ([], ["Z"], ["X"])


def is_runnable(task: int) -> bool:
    """Tell whether a thread runs or wants a core."""
    return stat_fields(task)[:1] == ["R"]


def tasks_of(pid: int) -> list[int]:
    """Return the threads of a process; [] if it is gone."""
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def stop_task(pid: int, task: int) -> None:
    """Send SIGSTOP to one thread of a process."""
    tgkill = getattr(ctypes.CDLL(None), "tgkill", None)
    if tgkill is not None:
        tgkill(pid, task, int(signal.SIGSTOP))


def children_of(pid: int) -> list[int]:
    """Return the children of a process, zombies included; [] if it is gone."""
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
    except OSError:
        pass
    return children


def own_cpu(pid: int) -> float:
    """Return the CPU seconds of a process and its threads, alive or a zombie."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def cpu_of_reaped(pid: int) -> float:
    """Return the CPU seconds of the children that a process has waited for."""
    stat = stat_fields(pid)
    return (int(stat[13]) + int(stat[14])) / _TICK if stat else 0.0


def resident(pid: int) -> int:
    """Return the bytes of memory a process holds, shared pages included."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return 0


def share_of_memory(pid: int) -> int:
    """Return the same, but a page that k processes share counts 1/k for each."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    except OSError:
        return resident(pid)


def runs(pid: int) -> bool:
    """Tell whether a process is there, zombies included, on any system."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
