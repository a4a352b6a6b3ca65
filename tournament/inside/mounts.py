"""Mounting, as the keeper does it within its own view of the file system. Needs the right to mount."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

NO_SUID, NO_DEVICES, READ_ONLY, BIND, RECURSIVE = 2, 4, 1, 4096, 16384
_REMOUNT, _NO_PROGRAMS, _DETACH = 32, 8, 2
_PROC = Path("/proc")
_PLAIN = NO_SUID | NO_DEVICES | _NO_PROGRAMS

# What counts over the whole machine. /proc/loadavg and /proc/meminfo are not among them: `sysinfo` tells the same.
_COUNTERS = (
    "stat", "vmstat", "diskstats", "interrupts", "softirqs", "schedstat", "zoneinfo", "buddyinfo", "pagetypeinfo", "slabinfo",
    "timer_list", "locks", "keys", "key-users", "cgroups", "pressure/cpu", "pressure/memory", "pressure/io", "pressure/irq",
    "sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/inode-state", "sys/fs/dentry-state", "sys/fs/dentry-negative", "sys/fs/aio-nr",
    "sys/kernel/pty/nr", "sys/kernel/random/entropy_avail",
)  # fmt: skip

DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""The devices a submission finds. They are the host's own, the same for all sandboxes."""


def mount(source: str, target: Path, kind: str, flags: int, options: str = "") -> None:
    """Mount something on a folder; raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(source.encode(), bytes(target), kind.encode(), ctypes.c_ulong(flags), options.encode()):
        raise OSError(ctypes.get_errno(), f"{kind or 'bind'} cannot be mounted on {target}")


def unmount(target: Path) -> None:
    """Detach the topmost mount on a folder, even if it is in use. Do nothing if there is none."""
    ctypes.CDLL(None).umount2(bytes(target), _DETACH)


def seal_devices() -> None:
    """Let nobody change a device's times, owner or permissions, which would outlive the sandbox. Raises OSError.

    A device can be written to all the same.
    """
    for device in DEVICES:
        mount("", Path(device), "", _REMOUNT | BIND | READ_ONLY | NO_SUID | _NO_PROGRAMS)


def hide_processes(place: Path) -> None:
    """Show a process in /proc only itself and what it may trace, and nothing that counts what happens on the machine: either
    would tell it of earlier games, and of others.

    Where the kernel cannot (before Linux 5.8), all processes stay visible. place: a folder in which nothing is mounted, used
    for a moment. Raises OSError.
    """
    with contextlib.suppress(OSError):
        mount("proc", _PROC, "proc", _REMOUNT | _PLAIN, "hidepid=ptraceable")
    _hide_counters(place)
    mount("", _PROC, "", _REMOUNT | BIND | READ_ONLY | _PLAIN)


def _hide_counters(place: Path) -> None:
    """Put empty files over those that count; in that which tells how many cores there are, every number is 0."""
    mount("tmpfs", place, "tmpfs", _PLAIN, "size=1m,mode=555")
    try:
        nothing, cores = place / "nothing", place / "cores"
        nothing.touch(0o444)
        cores.write_text("".join(map(_without_counts, (_PROC / "stat").read_text().splitlines())))
        mount("", place, "", _REMOUNT | READ_ONLY | _PLAIN)
        for name in _COUNTERS:
            # Not every kernel has all of them, and a container may have hidden some already.
            with contextlib.suppress(OSError):
                mount(str(cores if name == "stat" else nothing), _PROC / name, "", BIND)
    finally:
        unmount(place)


def _without_counts(line: str) -> str:
    """Return a line of /proc/stat with its numbers 0, but for when the machine was started.

    >>> _without_counts("cpu0 12 0 345")
    'cpu0 0 0 0\\n'
    """
    name, *numbers = line.split()
    return " ".join([name, *(number if name == "btime" else "0" for number in numbers)]) + "\n"


def open_last_process_id(place: Path) -> int:
    """Return a descriptor to which the keeper writes what process id was given last; the next process gets the next one.

    place: a folder in which nothing is mounted, used for a moment. Raises OSError.
    """
    mount(str(_PROC), place, "", BIND)
    try:
        mount("", place, "", _REMOUNT | BIND | _PLAIN)
        return os.open(place / "sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)
    finally:
        unmount(place)


def open_processes(place: Path) -> int:
    """Return the open folder of a proc file system that hides no process, for the keeper alone. It is mounted nowhere.

    In the other one, a user's own right to trace does not show it a process whose first thread has ended. It shows nothing but
    processes, where the kernel can do so (Linux 5.8): the list is then read in a fifth of the time.
    place: a folder in which nothing is mounted, used for a moment. Raises OSError.
    """
    try:
        mount("proc", place, "proc", _PLAIN, "subset=pid")
    except OSError:
        mount("proc", place, "proc", _PLAIN)
    try:
        return os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        unmount(place)
