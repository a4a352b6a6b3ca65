"""How long tasks wanted a core and had none, as Linux counts it: the run delay.

It is the second number of /proc/TID/schedstat, nanoseconds since the task began. A task is a thread. Kernels that do not
count it have no such file, or one with zeros: then nobody is known to have waited.

Source: Linux, Documentation/scheduler/sched-stats.rst.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from gojudge.inside.process_table import ProcessTable

_TABLE = ProcessTable()


class RunDelays:
    """Adds up the run delays of a changing set of tasks. What a task had waited when it was last seen stays counted.

    table: shows them.
    """

    def __init__(self, table: ProcessTable = _TABLE) -> None:
        self._table = table
        self._seen: dict[int, int] = {}
        self._total = 0

    def total(self, tasks: Iterable[int]) -> float:
        """Return the seconds that all have waited so far. tasks: the ids of those that live now."""
        seen = {task: run_delay(task, self._table) for task in tasks}
        for task, delay in seen.items():
            before = self._seen.get(task, 0)
            # A smaller number than before: the kernel has given the id of a task that ended to a new one.
            self._total += delay - before if delay >= before else delay
        self._seen = seen
        return self._total / 1e9


def run_delay(task: int | str, table: ProcessTable = _TABLE) -> int:
    """Return a task's run delay in nanoseconds, 0 if it is gone or not counted. task: its id, or 'thread-self' for our own."""
    fields = _schedstat(task, table)
    return fields[1] if len(fields) > 1 else 0


@cache
def are_counted() -> bool:
    """Tell whether this kernel counts run delays."""
    # Where the kernel counts, a process that asks has been counted for the time it ran.
    return any(_schedstat("self", _TABLE)[:1])


def _schedstat(task: int | str, table: ProcessTable) -> list[int]:
    return list(map(int, table.read(f"{task}/schedstat").split()))
