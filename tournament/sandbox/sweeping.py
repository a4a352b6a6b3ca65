"""What killed harnesses have left behind is removed when the next one starts: processes, folders, control groups.

Only what says by its name that its maker is gone is touched, so any number of harnesses may start and sweep at once. A process
of a sandbox without namespaces says it by its environment: nothing else ends it if its keeper was killed too.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tournament.sandbox import cgroups
from tournament.sandbox.leftovers import PREFIX, is_stale, owned_name, sweep_folder

# As `tournament.sandbox.launching` sets it for a sandbox without namespaces.
_SPACE = re.compile(rb"(?:^|\0)TMPDIR=[^\0]*/(" + PREFIX.encode() + rb"-[0-9-]+)/space/tmp\0")
# How many seconds a killed process may take to be gone.
_PATIENCE = 5.0


def sweep() -> None:
    """Remove the processes, temporary folders and control groups of harness processes that are gone."""
    end_strays(is_stale)
    sweep_folder(Path(tempfile.gettempdir()), f"{PREFIX}-")
    layout = cgroups.find_layout()
    if layout is not None:
        cgroups.sweep(layout)


def end_strays(is_meant: Callable[[str], bool]) -> None:
    """Kill this user's processes of sandboxes without namespaces whose folder has a name that is meant; wait for their end."""
    deadline = time.monotonic() + _PATIENCE
    while (strays := [pid for pid in _pids() if is_meant(_name_of_space(pid))]) and time.monotonic() < deadline:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _name_of_space(pid: int) -> str:
    """Return the name of the folder whose sandbox a process was started in; '' if in none or if it is not ours to kill."""
    try:
        place = f"/proc/{pid}"
        if os.stat(place).st_uid != os.geteuid():
            return ""
        found = _SPACE.search(Path(place, "environ").read_bytes())
    except OSError:
        return ""
    return found[1].decode() if found else ""


def leftovers() -> list[str]:
    """Return the folders and control groups that this process has made and not yet removed, those of open seats included."""
    mine = owned_name("").rpartition("-")[0]
    return [path for path in all_leftovers() if mine + "-" in path]


def all_leftovers() -> list[str]:
    """Return the folders and control groups of all harness processes, living or not."""
    places = {Path(tempfile.gettempdir())}
    layout = cgroups.find_layout()
    if layout is not None:
        places |= set(layout.folders.values())
    return sorted({str(path) for place in places for path in place.glob(f"{PREFIX}-*")})
