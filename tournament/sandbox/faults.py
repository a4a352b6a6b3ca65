"""What a player did wrong, from what its process says of itself and from how it ended: text and numbers from a stranger."""

from __future__ import annotations

import os
import signal

from common.excerpts import printable
from tournament.inside.protocol import Message
from tournament.sandbox.transcripts import presentable
from tournament.verdicts import Fault, Termination

_SIGNALS = {int(each): each.name for each in signal.Signals}


def fault_of(message: Message, starting: bool = False) -> Fault:
    """Return the fault for an exception as the player's process describes it, or for nonsense in its place."""
    error = message.get("error")
    kind = Termination.START_UP_FAILURE if starting else Termination.CRASH
    if type(error) is not dict or any(type(error.get(key)) is not str for key in ("type", "line", "trace")):
        return Fault(kind, f"it answered out of turn: {printable(str(message), 60)}")
    if error["type"] == "memory":
        kind = Termination.OUT_OF_MEMORY
    return Fault(kind, printable(error["line"], 300) or "an exception", presentable(error["trace"])[-4000:])


def death(status: object) -> str:
    """Return how a process ended, from a status as os.waitpid has it, which may be anything."""
    if type(status) is int and 0 <= status < 1 << 16:
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            return f"its process was ended by {_SIGNALS.get(number, f'signal {number}')}"
        return f"its process ended with status {os.WEXITSTATUS(status)}"
    return "its process ended"
