"""What killed harnesses have left behind is removed when the next one starts: processes, folders, control groups.

Only what says by its name that its maker is gone is touched, so any number of harnesses may start and sweep at once. A process
says it by its environment where nothing else ends it: in a sandbox without namespaces whose keeper was killed too, and a
bubblewrap that waits for ever to be told that it is in its namespaces, by a process that was killed before it could.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from gojudge.sandbox import cgroups
from gojudge.sandbox.leftovers import NAMED_BY, PREFIX, is_ours, is_stale, owned_name, sweep_folder, temporary_folder

# As `gojudge.sandbox.launching` sets them for a sandbox without namespaces, and for bubblewrap.
_NAME = re.compile(rb"(?:^|\0)(?:TMPDIR=[^\0]*/|%b=)(%b-[0-9-]+)(?:/space/tmp)?\0" % (NAMED_BY.encode(), PREFIX.encode()))
# How many seconds a killed process may take to be gone.
_PATIENCE = 5.0


def sweep() -> None:
    """Remove the processes, temporary folders and control groups of harness processes that are gone."""
    end_strays(is_stale)
    sweep_folder(temporary_folder(), f"{PREFIX}-")
    layout = cgroups.find_layout()
    if layout is not None:
        cgroups.sweep(layout)


def end_strays(is_meant: Callable[[str], bool]) -> None:
    """Kill the processes whose environment names a sandbox that is meant; wait for their end."""
    deadline = time.monotonic() + _PATIENCE
    while (strays := [pid for pid, name in _find_named() if is_meant(name)]) and time.monotonic() < deadline:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _find_named() -> Iterator[tuple[int, str]]:
    """Yield the processes of ours that say by their environment for which sandbox they were started, each with its name."""
    for place in Path("/proc").glob("[1-9]*"):
        with contextlib.suppress(OSError):
            match = _NAME.search((place / "environ").read_bytes()) if is_ours(place.stat().st_uid) else None
            if match is not None:
                yield int(place.name), match[1].decode()


def leftovers() -> list[str]:
    """Return the folders and control groups that this process has made and not yet removed, those of open seats included."""
    mine = owned_name("").rpartition("-")[0]
    return [path for path in all_leftovers() if mine + "-" in path]


def all_leftovers() -> list[str]:
    """Return the folders and control groups of all harness processes, living or not."""
    places = {temporary_folder()}
    layout = cgroups.find_layout()
    if layout is not None:
        places |= set(layout.folders.values())
    return sorted({str(path) for place in places for path in place.glob(f"{PREFIX}-*")})
