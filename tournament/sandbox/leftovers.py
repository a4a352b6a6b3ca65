"""Names that say which process made a folder or group, so that the next harness knows what a killed one has left behind."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

_numbers = itertools.count(1)


def owned_name(prefix: str) -> str:
    """Return a name that no other process makes while this one lives: 'prefix-<world>-<pid>-<its start>-<number>'."""
    return f"{prefix}-{_world()}-{os.getpid()}-{_started(os.getpid())}-{next(_numbers)}"


def is_stale(name: str) -> bool:
    """Tell whether the process that made a name with `owned_name` is gone; False for names of any other form."""
    parts = name.rsplit("-", 4)
    if len(parts) != 5 or not all(part.isascii() and part.isdigit() for part in parts[1:]) or int(parts[1]) != _world():
        return False
    return _started(int(parts[2])) != int(parts[3])


def _world() -> int:
    """Return the number of our PID namespace: in another one (a container) the same pid is another process."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _started(pid: int) -> int:
    """Return when a process was started, in the kernel's ticks; -1 if it is gone, 0 if it lives and there is no /proc."""
    if not Path("/proc/self/stat").exists():
        try:
            os.kill(pid, 0)
        except OSError:
            return -1
        return 0
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19])
    except OSError:
        return -1
