"""What a submission's processes have used, as a control group counts it. Without one, the keeper counts: see
`gojudge.inside.accounts`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gojudge.inside.accounts import IdleCpu
from gojudge.inside.process_table import ProcessTable
from gojudge.inside.run_delays import RunDelays
from gojudge.sandbox.cgroups import Group

# How many seconds we look whether all have stopped: the first time in a game, and once that has been in vain.
_STOPPED_WITHIN, _STUBBORN_WITHIN = 0.1, 0.005


@dataclass(frozen=True)
class Usage:
    """What a submission's processes have used since the game began.

    cpu: seconds in which they ran, added up; idle: the part of them used between a stop and the next go; waited: seconds in
    which they wanted a core and had none, added up, 0 where the kernel does not count it; memory: bytes held now, 0 where the
    kernel itself enforces that limit. runnable: whether one of them runs or wants a core now; False after a stop.
    """

    cpu: float = 0.0
    idle: float = 0.0
    waited: float = 0.0
    memory: int = 0
    runnable: bool = False


class GroupAccount:
    """The account of one control group. It also stops the group, so that what is used meanwhile can be told apart."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._table = ProcessTable()
        self._delays, self._idle = RunDelays(self._table), IdleCpu()
        self._cpu_before = self._waited_before = 0.0
        self._patience = _STOPPED_WITHIN

    def begin(self) -> None:
        """A game begins: count from now on. Whoever is stopped is stopped still."""
        self._cpu_before = self._group.cpu()
        self._idle.begin(self._cpu_before)
        self._waited_before = self._delays.total(self._group.tasks())
        self._patience = _STOPPED_WITHIN

    def stop(self) -> Usage:
        """Stop all processes; return what they have used.

        As a rule all are seen stopped. One that stays awake somehow is not waited for: its CPU is counted from here on.
        """
        if not self._group.freeze(self._patience):
            self._patience = _STUBBORN_WITHIN
        cpu = self._group.cpu()
        self._idle.stop(cpu)
        return self._usage(cpu, self._group.tasks())

    def go(self) -> None:
        """Let them run on."""
        self._idle.go(self._group.cpu())
        self._group.thaw()

    def thaw(self) -> None:
        """Let them run, or die: the game is over. What is frozen cannot die."""
        self._idle.end()
        self._group.thaw()

    def usage(self) -> Usage:
        """Return what they have used, while they run."""
        tasks = self._group.tasks()
        used = self._usage(self._group.cpu(), tasks)
        return replace(used, runnable=any(self._table.state(task) == b"R" for task in tasks))

    def _usage(self, cpu: float, tasks: list[int]) -> Usage:
        waited = self._delays.total(tasks) - self._waited_before
        return Usage(cpu - self._cpu_before, self._idle.seconds, waited)
