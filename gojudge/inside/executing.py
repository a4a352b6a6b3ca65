"""Turns a process into another program."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def execute(command: list[str]) -> NoReturn:
    """Become the program of a command line, in the folder and environment that this process has. Raises OSError."""
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)
