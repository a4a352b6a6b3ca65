"""What a submission's processes have used, counted from /proc and the CPU clocks of processes.

Where there is a control group, the kernel counts instead: see `gojudge.sandbox.accounts`.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable

from gojudge.inside.process_table import Look, ProcessTable, own_cpu
from gojudge.inside.protocol import Message
from gojudge.inside.run_delays import RunDelays


class IdleCpu:
    """CPU used between a stop and the next go. seconds: in this game. It is told what a count of CPU seconds shows."""

    def __init__(self) -> None:
        self.seconds = 0.0
        # The count at the last stop, as long as all are stopped.
        self._at_stop: float | None = None

    def begin(self, cpu: float) -> None:
        """A game begins. Whoever is stopped is stopped still, and what was used since belongs to this game."""
        self.seconds = 0.0
        stopped = self._at_stop is not None
        self.go(cpu)
        if stopped:
            self.stop(cpu)

    def stop(self, cpu: float) -> None:
        """All are stopped."""
        self._at_stop = cpu

    def go(self, cpu: float) -> None:
        """They run on."""
        if self._at_stop is not None:
            self.seconds += max(0.0, cpu - self._at_stop)
        self.end()

    def end(self) -> None:
        """They run on or are killed, and the game is over."""
        self._at_stop = None


class ProcessAccount:
    """The account of some processes. table: shows them; memory: the limit, in bytes; sockets: returns the most bytes that may
    wait in sockets, which belong to no process.
    """

    def __init__(self, table: ProcessTable, memory: int, sockets: Callable[[], int]) -> None:
        self._table = table
        self._memory = memory
        self._sockets = sockets
        self._delays = RunDelays(table)
        self._idle = IdleCpu()
        # The CPU seconds last seen of each process since the game began, and those of processes that ended before it.
        self._seen: dict[int, float] = {}
        self._ended = 0.0
        self._before = (0.0, 0.0)
        self._waited_before = 0.0

    def begin(self, look: Look) -> None:
        """A game begins: count from now on. Whoever is stopped is stopped still."""
        self._idle.begin(self._note(_cpu_of(look.pids)))
        for pid in self._seen.keys() - set(look.pids):
            self._ended += self._seen.pop(pid)
        self._before = self._counts(look)
        self._waited_before = self._waited(look)

    def stop(self, look: Look) -> Message:
        """All have been stopped: return what they have used, as `usage` does."""
        used = self.usage(look)
        self._idle.stop(self._seen_in_all())
        return {**used, "runnable": False}

    def go(self, pids: list[int]) -> None:
        """They run on."""
        self._idle.go(self._note(_cpu_of(pids)))

    def end(self) -> None:
        """They are killed."""
        self._idle.end()

    def usage(self, look: Look) -> Message:
        """Return what all have used since `begin`: see `gojudge.inside.processes`."""
        cpu = max(now - before for now, before in zip(self._counts(look), self._before, strict=True))
        return {
            "cpu": cpu, "idle": self._idle.seconds, "waited": self._waited(look) - self._waited_before,
            "memory": self._memory_held(look), "runnable": look.runnable,
        }  # fmt: skip

    def _counts(self, look: Look) -> tuple[float, float]:
        """Return two counts of CPU seconds. Neither is ever too high, so the higher one is nearer to the truth.

        The first adds what the living have used and what their dead children had used. It is exact as long as every child is
        waited for. The second adds the last figure seen of every process, whether or not anybody waited for it.
        """
        own = _cpu_of(look.pids)
        ours = resource.getrusage(resource.RUSAGE_CHILDREN)
        exact = ours.ru_utime + ours.ru_stime + look.reaped + sum(own.values())
        return exact, self._note(own)

    def _note(self, own: dict[int, float]) -> float:
        """Take note of the CPU seconds that processes have used by now; return those of all, the dead included."""
        self._seen |= own
        return self._seen_in_all()

    def _seen_in_all(self) -> float:
        return self._ended + sum(self._seen.values())

    def _waited(self, look: Look) -> float:
        return self._delays.total(task for _, task in look.tasks)

    def _memory_held(self, look: Look) -> int:
        others = self._sockets()
        # Three figures, each nearer to the truth than the one before, and dearer. For each page, there are at most three with
        # tables of pages.
        most = others + 4 * look.address_space
        if most > self._memory:
            most = others + sum(map(self._table.held, look.pids))
        if most > self._memory:
            # This one costs the kernel milliseconds where page tables are big.
            most = others + sum(map(self._table.share_of_memory, look.pids))
        return most


def _cpu_of(pids: Iterable[int]) -> dict[int, float]:
    """Return the CPU seconds of processes, those left out that are gone: what was seen of them last still holds."""
    return {pid: cpu for pid in pids if (cpu := own_cpu(pid))}
