"""Measures what an answer takes: how much of it the player ran, slept, or waited for a core.

It is read several times while the player thinks. For each of these slices the kernel says how long the player's processes ran
and how long they waited for a core; we know how long we waited for one ourselves. The rest of the slice the player slept.

The kernel counts a wait only when it is over. So while a task wants a core, the rest of a slice is left open: it is settled by
what is counted later, and what is then still left was sleep. Many threads that wait for each other's cores add up to more than
is open; the surplus is dropped, so that nobody can save it up to sleep for nothing later.
"""

from __future__ import annotations

import time

from gojudge.inside.run_delays import run_delay
from gojudge.sandbox.accounts import Usage
from gojudge.times import NOTHING, Spent

_NOTHING_USED = Usage()


class Stopwatch:
    """Measures one answer after the other. used: what the processes have used by now.

    spent: what the present answer has taken so far.
    """

    def __init__(self, used: Usage = _NOTHING_USED) -> None:
        self.spent = NOTHING
        self._at = 0.0
        self._own_delay = 0
        self._used = used
        # Seconds that may have been slept or waited: not known yet.
        self._open = 0.0

    def reset(self) -> None:
        """A game begins: the accounts of the processes are at 0."""
        self._used = _NOTHING_USED

    def start(self) -> None:
        """A question is asked. CPU used since the last answer is charged to this one."""
        self.spent, self._open = NOTHING, 0.0
        self._at, self._own_delay = time.monotonic(), run_delay("thread-self")

    def read(self, used: Usage, late: float = 0.0, at: float | None = None) -> Spent:
        """Take the slice that ends now, or ended at `at`, into account; return what the answer has taken so far.

        used: what the processes have used by then; late: seconds by which we woke up too late in this slice.
        """
        now, own = time.monotonic() if at is None else at, run_delay("thread-self")
        wall = now - self._at
        cpu = max(0.0, used.cpu - self._used.cpu)
        late = max(late, (own - self._own_delay) / 1e9)
        self._open = max(0.0, self._open + wall - late - cpu)
        waited = min(max(0.0, used.waited - self._used.waited), self._open)
        self._open -= waited
        slept = 0.0
        if not used.runnable:
            slept, self._open = self._open, 0.0
        self.spent += Spent(wall, cpu, slept, waited)
        self._at, self._own_delay, self._used = now, own, used
        return self.spent

    def count_waited(self, seconds: float) -> Spent:
        """Take into account that a process which has ended had waited so long during this answer; return what that makes."""
        spent = self.spent
        more = min(max(0.0, seconds - spent.waited), spent.slept)
        self.spent = Spent(spent.wall, spent.cpu, spent.slept - more, spent.waited + more)
        return self.spent
