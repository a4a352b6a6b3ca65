"""How a process confines itself before it loads a submission: resource limits, privileges, system calls.

Runs inside the sandbox, in the process that will load the submission. It has the keeper's privileges until it gives them up
here.

By Landlock a process names the files it needs, and gives up all others for itself and everything it will start. That is the
wall of tier T1, where there are no namespaces; it needs no privileges. The numbers of its calls are the same everywhere.
Source: linux/landlock.h and Documentation/userspace-api/landlock.rst.

Last come the mounts that the keeper makes within its own view of the file system, for which it needs the right to mount.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gojudge.inside import seccomp

_MIB = 1 << 20

_SET_DUMPABLE, _DROP_BOUNDING, _SET_SECURE_BITS, _NO_NEW_PRIVILEGES, _AMBIENT = 4, 24, 28, 38, 47
_RAISE, _CLEAR_ALL = 2, 4
_READS_ALL = 2
"""The capability CAP_DAC_READ_SEARCH."""
# A user id of 0 gives no capabilities when a program is started, and nothing can undo that.
_NO_ROOT = 0b1111
_SET_SUBREAPER = 36


@dataclass(frozen=True)
class Confinement:
    """What a submission's processes may still do and use.

    user: the user id to become, -1 to stay. filter: the program of `gojudge.inside.seccomp`, b'' for none. memory_mib:
    private data per process, 0 for no such limit (something else counts the whole tree). processes: at most so many of this
    user, 0 for no limit. readable, writable: the only files left, enforced by Landlock; no Landlock if both are empty.
    reads_all: whether they may read and enter what belongs to others.
    """

    user: int
    filter: bytes
    memory_mib: int
    processes: int
    file_mib: int
    cpu_seconds: int
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    reads_all: bool = False


def become(user: int) -> None:
    """As root: become another user for good, so that nothing this process starts can be root again. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _check(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "privileges cannot be given up for good")
    # Whoever changes its user is hidden from others of that user, among them the one that counts its memory.
    libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0)


def give_up(wanted: Confinement) -> int:
    """Confine this process for good; return what `seccomp.install` does, -1 if there is no filter.

    Raises OSError; the process must then not go on.
    """
    _limit(wanted)
    if wanted.user < 0 and not wanted.filter:
        return -1
    libc = ctypes.CDLL(None, use_errno=True)
    with contextlib.suppress(PermissionError):  # a user namespace has no groups to give up
        os.setgroups([])
    for capability in range(64):
        if not (wanted.reads_all and capability == _READS_ALL):
            libc.prctl(_DROP_BOUNDING, capability, 0, 0, 0)
    libc.prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    libc.prctl(_SET_SECURE_BITS, _NO_ROOT, 0, 0, 0)
    if wanted.user >= 0:
        os.setresgid(wanted.user, wanted.user, wanted.user)
        os.setresuid(wanted.user, wanted.user, wanted.user)
    kept = 1 << _READS_ALL if wanted.reads_all else 0
    sets = struct.pack("=6I", kept, kept, kept, 0, 0, 0)
    _check(libc.capset(struct.pack("=II", 0x20080522, 0), sets), "privileges cannot be given up")
    if wanted.reads_all:
        _check(libc.prctl(_AMBIENT, _RAISE, _READS_ALL, 0, 0), "the right to read files cannot be kept")
    _check(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "privileges cannot be given up for good")
    if wanted.readable or wanted.writable:
        restrict(wanted.readable, wanted.writable)
    return seccomp.install(wanted.filter) if wanted.filter else -1


def _limit(wanted: Confinement) -> None:
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: wanted.file_mib * _MIB,
        resource.RLIMIT_NOFILE: 256,
        # A second line of defence, for a process that the account of the whole tree has missed.
        resource.RLIMIT_CPU: wanted.cpu_seconds,
    }
    if wanted.memory_mib:
        limits[resource.RLIMIT_DATA] = wanted.memory_mib * _MIB
    if wanted.processes:
        limits[resource.RLIMIT_NPROC] = wanted.processes
    for kind, most in limits.items():
        with contextlib.suppress(ValueError):  # our own limit is lower still
            resource.setrlimit(kind, (most, most))


def hide_from_tracing() -> None:
    """Keep other processes of this user from tracing this one or reading its memory."""
    ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent has ended."""
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, 1, 0, 0, 0)


def _check(result: int, complaint: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), complaint)


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


_CREATE, _ADD, _RESTRICT = 444, 445, 446

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15  # TRUNCATE, IOCTL_DEV
_READING = _EXECUTE | _READ_FILE | _READ_DIR

# How many kinds of file access each ABI version knows: 13 at first, then REFER, TRUNCATE, IOCTL_DEV.
_KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}
_BIND_AND_CONNECT_TCP = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3


def landlock_version() -> int:
    """Return the version of Landlock this kernel speaks, 0 if none."""
    version: int = _libc().syscall(_CREATE, None, 0, 1)
    return max(0, version)


def contains_signals() -> bool:
    """Tell whether Landlock on this kernel also keeps a process from sending signals to processes outside."""
    return landlock_version() >= 6


def restrict(readable: Sequence[Path], writable: Sequence[Path]) -> None:
    """Leave this process only these files and folders, with all that lies below them. Missing ones are skipped.

    Raises OSError where the kernel does not know Landlock. Needs no_new_privs.
    """
    version = landlock_version()
    everything = (1 << _KINDS_OF_ACCESS.get(version, 16)) - 1
    attributes = struct.pack("=QQQ", everything, _BIND_AND_CONNECT_TCP, _ABSTRACT_SOCKETS_AND_SIGNALS)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _call(_CREATE, attributes, size, 0)
    try:
        for paths, access in ((readable, _READING), (writable, everything)):
            for path in paths:
                _allow(rules, path, access & everything)
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not path.is_dir():
            access &= _OF_FILES
        _call(_ADD, rules, 1, struct.pack("=Qi", access, place), 0)
    finally:
        os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: int | bytes) -> int:
    result: int = _libc().syscall(number, *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock cannot be used")
    return result
