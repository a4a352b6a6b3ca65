"""Landlock: a process names the files it needs, and gives up all others for itself and everything it will start.

This is the wall of tier T1, where there are no namespaces. It needs no privileges. Source: linux/landlock.h and
Documentation/userspace-api/landlock.rst. The numbers of the calls are the same on every architecture.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15  # TRUNCATE, IOCTL_DEV
_READING = _EXECUTE | _READ_FILE | _READ_DIR

# How many kinds of file access each ABI version knows: 13 at first, then REFER, TRUNCATE, IOCTL_DEV.
_KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}
_BIND_AND_CONNECT_TCP = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3


def abi() -> int:
    """Return the version of Landlock this kernel speaks, 0 if none."""
    version: int = _libc().syscall(_CREATE, None, 0, 1)
    return max(0, version)


def contains_signals() -> bool:
    """Tell whether Landlock on this kernel also keeps a process from sending signals to processes outside."""
    return abi() >= 6


def restrict(readable: Sequence[Path], writable: Sequence[Path]) -> None:
    """Leave this process only these files and folders, with all that lies below them. Missing ones are skipped.

    Raises OSError where the kernel does not know Landlock. Needs no_new_privs.
    """
    version = abi()
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
