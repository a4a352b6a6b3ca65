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


def hide_processes() -> None:
    """Show a process in /proc only itself and what it may trace: counters there would tell it of earlier games.

    Where the kernel cannot (before Linux 5.8), all stay visible. Raises OSError.
    """
    with contextlib.suppress(OSError):
        mount("proc", _PROC, "proc", _REMOUNT | _PLAIN, "hidepid=ptraceable")
    mount("", _PROC, "", _REMOUNT | BIND | READ_ONLY | _PLAIN)


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
