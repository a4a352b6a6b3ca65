"""Mounting, as the keeper does it within its own view of the file system. Needs the right to mount."""

from __future__ import annotations

import ctypes
from pathlib import Path

NO_SUID, NO_DEVICES, READ_ONLY, BIND = 2, 4, 1, 4096
_REMOUNT, _NO_PROGRAMS, _DETACH = 32, 8, 2

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
