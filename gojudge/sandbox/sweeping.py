"""What killed harnesses have left behind is removed when the next one starts: processes, folders, control groups.

Only what says by its name that its maker is gone is touched, so any number of harnesses may start and sweep at once. A process
of a sandbox without namespaces says it by its environment: nothing else ends it if its keeper was killed too.
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
from gojudge.sandbox.leftovers import PREFIX, is_ours, is_stale, owned_name, sweep_folder, temporary_folder

# As `gojudge.sandbox.launching` sets it for a sandbox without namespaces.
_SPACE = re.compile(rb"(?:^|\0)TMPDIR=[^\0]*/(" + PREFIX.encode() + rb"-[0-9-]+)/space/tmp\0")
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
    """Kill our processes of sandboxes without namespaces whose folder has a name that is meant; wait for their end."""
    deadline = time.monotonic() + _PATIENCE
    while (strays := [pid for pid, name in _in_spaces() if is_meant(name)]) and time.monotonic() < deadline:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _in_spaces() -> Iterator[tuple[int, str]]:
    """Yield the processes of ours that were started in a sandbox without namespaces, each with the name of its folder."""
    for place in Path("/proc").glob("[1-9]*"):
        with contextlib.suppress(OSError):
            found = _SPACE.search((place / "environ").read_bytes()) if is_ours(place.stat().st_uid) else None
            if found is not None:
                yield int(place.name), found[1].decode()


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
