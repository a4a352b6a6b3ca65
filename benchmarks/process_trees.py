"""The processes of a run, as /proc shows them, told apart by what they are for. Linux only."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

# How many seconds killed processes may take to be gone.
_PATIENCE = 2.0


@dataclass
class Family:
    """The processes that a runner has started. lanes: its worker processes; sandboxes: keepers, and what encloses them;
    players: all that keepers have started."""

    lanes: list[int] = field(default_factory=list)
    sandboxes: list[int] = field(default_factory=list)
    players: list[int] = field(default_factory=list)


def family_of(runner: int) -> Family:
    """Return the processes that a runner has started."""
    family = Family()
    for child in children_of(runner):
        command = _command(child)
        if b"spawn_main" in command:
            family.lanes.append(child)
        elif b"resource_tracker" not in command:
            family.sandboxes.append(child)
    for lane in family.lanes:
        family.sandboxes += children_of(lane)
    for outer in list(family.sandboxes):
        inner = children_of(outer)
        if b"bwrap" in _command(outer).split(b"\0")[0]:
            family.sandboxes += inner
            inner = [pid for keeper in inner for pid in children_of(keeper)]
        family.players += [each for pid in inner for each in (pid, *descendants_of(pid))]
    return family


def children_of(pid: int) -> list[int]:
    """Return a process's children, zombies included."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def descendants_of(pid: int) -> list[int]:
    """Return a process's children, their children, and so on."""
    return [each for child in children_of(pid) for each in (child, *descendants_of(child))]


def living_descendants() -> list[int]:
    """Return our own descendants, after reaping those that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return descendants_of(os.getpid())


def kill(*pids: int) -> None:
    """Kill processes, in this order; those that are gone already are left out."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_descendants() -> None:
    """Kill all our descendants, until none is left but those that are frozen: these die as soon as somebody thaws them."""
    deadline = time.monotonic() + _PATIENCE
    while (found := living_descendants()) and time.monotonic() < deadline:
        kill(*found)
        time.sleep(0.01)


def shared_memory_of(pids: list[int]) -> set[Path]:
    """Return the files in /dev/shm, semaphores included, that processes have mapped."""
    found = set()
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
            found |= {Path(line.split(maxsplit=5)[5]) for line in lines if "/dev/shm/" in line}
    return found


def describe(pid: int) -> str:
    """Return a process's number and command, for a report."""
    return f"process {pid}: {_command(pid).replace(bytes(1), b' ').decode(errors='replace')[:100]}"


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
