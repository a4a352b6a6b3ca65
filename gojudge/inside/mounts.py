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

# What is shown of /proc besides processes: it counts nothing, or is told without what it counts. `sys` has a list of its own.
_SHOWN = ("cmdline", "cpuinfo", "filesystems", "mounts", "net", "self", "sys", "thread-self", "version")
_COUNTERS = (
    "fs/file-nr", "fs/inode-nr", "fs/inode-state", "fs/dentry-state", "fs/dentry-negative", "fs/aio-nr", "kernel/pty/nr",
    "kernel/random/entropy_avail",
)  # fmt: skip
# Of /proc/meminfo: what is the same at all times, and what is shown as large as the whole of which it is a part.
_CONSTANT, _AS_THE_WHOLE = ("MemTotal", "SwapTotal", "Hugepagesize"), {"MemFree": 0, "MemAvailable": 0, "SwapFree": 1}

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
    """Put something empty over all but what is known to count nothing, and figures that never change over what is read."""
    mount("tmpfs", place, "tmpfs", _PLAIN, "size=1m,mode=555")
    try:
        file, folder = place / "file", place / "folder"
        file.touch(0o444)
        folder.mkdir(0o555)
        figures = _figures()
        for name, text in figures.items():
            (place / name).write_text(text)
        mount("", place, "", _REMOUNT | READ_ONLY | _PLAIN)
        hidden = [entry for entry in os.scandir(_PROC) if entry.name not in _SHOWN and not entry.name.isdigit()]
        nothing = {Path(entry.path): folder if entry.is_dir(follow_symlinks=False) else file for entry in hidden}
        nothing |= {_PROC / "sys" / name: file for name in _COUNTERS}
        for path, empty in nothing.items():
            # Not every kernel has all of them, and a container may have hidden some already.
            with contextlib.suppress(OSError):
                mount(str(place / path.name if path.name in figures else empty), path, "", BIND)
    finally:
        unmount(place)


def _figures() -> dict[str, str]:
    """Return what is shown of the machine's cores, memory, load and age, by the name in /proc."""
    texts = {name: (_PROC / name).read_text() for name in ("stat", "meminfo", "uptime")}
    return {
        "stat": "".join(map(_without_counts, texts["stat"].splitlines())), "meminfo": _without_use(texts["meminfo"]),
        "uptime": f"{texts['uptime'].split()[0]} 0.00\n", "loadavg": "0.00 0.00 0.00 1/1 1\n",
    }  # fmt: skip


def _without_counts(line: str) -> str:
    """Return a line of /proc/stat with its numbers 0, but for when the machine was started.

    >>> _without_counts("cpu0 12 0 345")
    'cpu0 0 0 0\\n'
    """
    name, *numbers = line.split()
    return " ".join([name, *(number if name == "btime" else "0" for number in numbers)]) + "\n"


def _without_use(text: str) -> str:
    """Return /proc/meminfo as if nothing of the memory were in use.

    >>> print(_without_use("MemTotal:  9 kB\\nMemFree:   4 kB\\nBuffers:   1 kB\\nHugePages_Total: 0\\n"), end="")
    MemTotal: 9 kB
    MemFree: 9 kB
    Buffers: 0 kB
    HugePages_Total: 0
    """
    found = {name: rest.split() for name, _, rest in (line.partition(":") for line in text.splitlines())}
    wholes = [found.get(name, ["0"])[0] for name in ("MemTotal", "SwapTotal")]
    lines = []
    for name, (number, *unit) in found.items():
        shown = wholes[_AS_THE_WHOLE[name]] if name in _AS_THE_WHOLE else number if name in _CONSTANT else "0"
        lines.append(" ".join([f"{name}:", shown, *unit]))
    return "\n".join(lines) + "\n"


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
