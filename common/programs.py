"""Programs of the machine that people name on command lines and in files."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

# Debian puts GNU Go there, and leaves it out of root's path.
_GAMES = "/usr/games"


def search_path() -> str:
    """Return where a program is looked for whose name has no slash: as in the shell that started us, and among the games."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), _GAMES))


def kill_session(leader: int) -> None:
    """Kill a process that began a session of its own, with what it has started; do nothing if all are gone.

    leader: its id; it must not have been waited for. Nothing happens on Windows, which knows no sessions: what a process has
    started stays there, and the caller must kill the process itself.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
