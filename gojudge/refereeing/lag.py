"""How late our own side is, for kernels that do not tell how long a player waited for a core (`gojudge.inside.run_delays`).

There, a game lost by a time-out that a busy machine may have caused is replayed before it counts.

A thread sleeps one tick at a time and adds up how late it woke. An overloaded machine, a suspended process or a swapping host
delays the code that reads the player's answer and the clock in the same way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_TICK = 0.02
# An idle machine is late by a fraction of a millisecond; Python's threads may make each other wait 5 ms.
_GRACE = 0.01
# A time-out is in doubt if we were late by this share of the player's time, or by this many seconds if that is more.
_DOUBTFUL_SHARE = 0.05
_DOUBTFUL_SECONDS = 0.05


class LagMeter:
    """A call returns by how many seconds this process was late, in total, since the meter was made."""

    def __init__(self) -> None:
        self._late = 0.0
        self._due = time.monotonic() + _TICK
        threading.Thread(target=self._watch, name="lag", daemon=True).start()

    def __call__(self) -> float:
        # The thread itself may not have woken up yet.
        return self._late + _overdue(self._due)

    def _watch(self) -> None:
        while True:
            time.sleep(_TICK)
            self._late += _overdue(self._due)
            self._due = time.monotonic() + _TICK


def _overdue(due: float) -> float:
    late = time.monotonic() - due
    return late if late > _GRACE else 0.0


def never_late() -> float:
    """Return 0: stands in for a LagMeter where no clock matters."""
    return 0.0


Lag = Callable[[], float]


def is_doubtful(lag: float, seconds: float) -> bool:
    """Tell whether a time-out may be our own fault. lag: seconds we were late; seconds: how long the player had."""
    return lag >= max(_DOUBTFUL_SECONDS, _DOUBTFUL_SHARE * seconds)
