"""How a process confines itself before it loads a submission: resource limits, privileges, system calls.

Runs inside the sandbox, in the process that will load the submission. It has the keeper's privileges until it gives them up
here.

By Landlock a process names the files it needs, and gives up all others for itself and everything it will start. That is the
wall of tier T1, where there are no namespaces; it needs no privileges. The numbers of its calls are the same everywhere.
Source: linux/landlock.h and Documentation/userspace-api/landlock.rst.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gojudge.inside import seccomp
from gojudge.inside.c_library import libc

_MIB = 1 << 20
# C libraries send a thread a signal to end it, and the Java machine has dozens of threads.
_MOST_SIGNALS = 256

_SET_DUMPABLE, _DROP_BOUNDING, _SET_SECURE_BITS, _NO_NEW_PRIVILEGES, _AMBIENT = 4, 24, 28, 38, 47
_RAISE, _CLEAR_ALL = 2, 4
_READS_ALL = 2
"""The capability CAP_DAC_READ_SEARCH."""
# A user id of 0 gives no capabilities when a program is started, and nothing can undo that.
_NO_ROOT = 0b1111
_SET_SUBREAPER, _SET_NO_HUGE_PAGES = 36, 41


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
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    _check(libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "privileges cannot be given up for good")
    # Whoever changes its user is hidden from others of that user, among them the one that counts its memory.
    libc().prctl(_SET_DUMPABLE, 1, 0, 0, 0)


def give_up(wanted: Confinement) -> int:
    """Confine this process for good, but for `limit_open_files`; return what `seccomp.install` does, -1 if there is no filter.

    Raises OSError; the process must then not go on.
    """
    _limit(wanted)
    if wanted.user < 0 and not wanted.filter:
        return -1
    with contextlib.suppress(PermissionError):  # a user namespace has no groups to give up
        os.setgroups([])
    for capability in range(64):
        if not (wanted.reads_all and capability == _READS_ALL):
            libc().prctl(_DROP_BOUNDING, capability, 0, 0, 0)
    libc().prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    libc().prctl(_SET_SECURE_BITS, _NO_ROOT, 0, 0, 0)
    if wanted.user >= 0:
        os.setresgid(wanted.user, wanted.user, wanted.user)
        os.setresuid(wanted.user, wanted.user, wanted.user)
    kept = 1 << _READS_ALL if wanted.reads_all else 0
    sets = struct.pack("=6I", kept, kept, kept, 0, 0, 0)
    _check(libc().capset(struct.pack("=II", 0x20080522, 0), sets), "privileges cannot be given up")
    if wanted.reads_all:
        _check(libc().prctl(_AMBIENT, _RAISE, _READS_ALL, 0, 0), "the right to read files cannot be kept")
    _check(libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "privileges cannot be given up for good")
    if wanted.readable or wanted.writable:
        restrict(wanted.readable, wanted.writable)
    return seccomp.install(wanted.filter) if wanted.filter else -1


def _limit(wanted: Confinement) -> None:
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: wanted.file_mib * _MIB,
        # While memory is locked its marks cannot be levelled.
        resource.RLIMIT_MEMLOCK: 0,
        # The kernel counts those that wait by user, all sandboxes of one together.
        resource.RLIMIT_SIGPENDING: _MOST_SIGNALS,
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


def open_hatch(hatch: int) -> None:
    """Give a file the number HATCH, and let this process have, and send, more files than that; raises OSError if it may not."""
    most, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= hard <= seccomp.HATCH:
        raise OSError(errno.EMFILE, f"expected a limit of open files (ulimit -Hn) above {seccomp.HATCH}, got {hard}")
    wanted = 4 * seccomp.HATCH if hard < 0 else min(hard, 4 * seccomp.HATCH)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(most, wanted), hard))
    os.dup2(hatch, seccomp.HATCH)


def limit_open_files() -> None:
    """Let this process have few files open, and send none: it can never have one with the number HATCH again.

    The kernel counts files that are being sent by user, and refuses whoever may have fewer open. So a process sends what it has
    to send before that.
    """
    with contextlib.suppress(ValueError):  # our own limit is lower still
        resource.setrlimit(resource.RLIMIT_NOFILE, (seccomp.HATCH, seccomp.HATCH))


def hide_from_tracing() -> None:
    """Keep other processes of this user from tracing this one or reading its memory."""
    libc().prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def use_small_pages() -> None:
    """Give this process, and all that it starts, no huge pages: the marks of one cannot be levelled, and those of files are
    shown to everybody. See `gojudge.inside.process_table.PageMarks`."""
    libc().prctl(_SET_NO_HUGE_PAGES, 1, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent has ended."""
    libc().prctl(_SET_SUBREAPER, 1, 0, 0, 0)


def _check(result: int, complaint: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), complaint)


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
    version: int = libc().syscall(_CREATE, None, 0, 1)
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


def _call(number: int, *arguments: int | bytes) -> int:
    result: int = libc().syscall(number, *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock cannot be used")
    return result
