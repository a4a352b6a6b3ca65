"""What a player did wrong, in words, from what its process says and how it ended: text and numbers from a stranger."""

from __future__ import annotations

import os
import re
import signal

from common.excerpts import printable
from tournament.inside.protocol import Message
from tournament.sandbox.transcripts import presentable
from tournament.verdicts import Fault, Termination

# An error at the beginning of a line: 'MemoryError', 'numpy...ArrayMemoryError: Unable to allocate', 'Exception in thread
# "main" java.lang.OutOfMemoryError: Java heap space', "terminate called after throwing an instance of 'std::bad_alloc'".
_ERRORS = re.compile(
    r"""^(?:Exception in thread "[^"\n]*" |terminate called after throwing an instance of ')?"""
    r"""((?:[\w.]*(?:Error|Exception)|std::\w+)\b)""",
    re.M,
)
_OUT_OF_MEMORY = ("MemoryError", "std::bad_alloc")

_SIGNALS = {int(each): each.name for each in signal.Signals}


def fault_of(message: Message, starting: bool = False) -> Fault:
    """Return the fault for an exception that the player's process describes, or for whatever else it sent in its place.

    starting: whether the player had not been asked yet.
    """
    error = message.get("error")
    kind = Termination.START_UP_FAILURE if starting else Termination.CRASH
    if type(error) is not dict or any(type(error.get(key)) is not str for key in ("type", "line", "trace")):
        return Fault(kind, f"it answered out of turn: {printable(str(message), 60)}")
    if error["type"] == "memory":
        kind = Termination.OUT_OF_MEMORY
    return Fault(kind, printable(error["line"], 300) or "an exception", presentable(error["trace"])[-4000:])


def ran_out_of_memory(said: str) -> bool:
    """Tell whether the last error that a program printed says that it could not get memory.

    Knows how Python, numpy, C++ and Java say it. A program that says so falsely harms only itself.
    """
    errors = _ERRORS.findall(said)
    return bool(errors) and errors[-1].endswith(_OUT_OF_MEMORY)


def death(status: object) -> str:
    """Return how a process ended, in words. status: as os.waitpid has it, but reported by a stranger, so of any type."""
    if type(status) is int and 0 <= status < 1 << 16:
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            return f"its process was ended by {_SIGNALS.get(number, f'signal {number}')}"
        return f"its process ended with status {os.WEXITSTATUS(status)}"
    return "its process ended"
