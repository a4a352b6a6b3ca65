"""How a process confines itself before it loads a submission: resource limits, privileges, system calls.

Runs inside the sandbox, in the process that will load the submission. It has the keeper's privileges until it gives them up
here.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import struct
from dataclasses import dataclass
from pathlib import Path

from gojudge.inside import landlock, seccomp

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
        landlock.restrict(wanted.readable, wanted.writable)
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
