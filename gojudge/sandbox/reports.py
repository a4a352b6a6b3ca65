"""Waits for what the process that loads a submission reports, outside a player's time."""

from __future__ import annotations

import select

from gojudge.inside.protocol import Channel, Message
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.stopwatch import Stopwatch

# Seconds between looks at what its processes use.
_SLICE = 0.025

# However busy the machine is, nobody is waited for longer than this many seconds.
_PATIENCE = 60


def next_report(sandbox: Sandbox, channel: Channel, seconds: float) -> Message:
    """Return the next message on a channel, for which its sender may be charged some seconds.

    Raises TimeoutError or ProtocolError.
    """
    watch: Stopwatch | None = None
    while True:
        message = channel.take()
        if message is not None:
            return message
        if select.select([channel.socket], [], [], _SLICE)[0]:
            channel.fill()
        elif watch is None:
            # As a rule it is there already, and nobody has to be looked at.
            watch = Stopwatch(sandbox.usage())
            watch.start()
        else:
            spent = watch.read(sandbox.usage())
            if spent.charge >= seconds or spent.wall >= _PATIENCE:
                raise TimeoutError
