"""A submission's sandbox under supervision: what both kinds of seat need of it, whatever is played there.

The supervisor waits for messages of the submission's processes, with a deadline. Meanwhile it reads what they print, so that
printing never blocks, looks at the CPU and memory they use, and notices when one of them ends. What they do wrong it raises
as a PlayerFaultError, the processes stopped.

What a process sends is read as text from a stranger. What is believed: the bytes of an answer as an answer, our own clock,
and what the keeper and the kernel say about processes.
"""

from __future__ import annotations

import math
import select
import time
from collections.abc import Callable
from enum import Enum
from typing import NoReturn

from tournament.errors import HarnessFaultError
from tournament.inside.protocol import Channel, ClosedError, Message, ProtocolError
from tournament.sandbox.faults import death
from tournament.sandbox.handles import Sandbox, Usage
from tournament.sandbox.transcripts import presentable
from tournament.seats import Limits
from tournament.verdicts import Fault, PlayerFaultError, Termination

_SLICE = 0.025
"""Seconds between looks at what a thinking player uses; also how our own side's lateness is noticed."""

_LATE = 0.002

# What may come of it that the kernel has killed a process for the memory limit.
_FOR_LACK_OF_MEMORY = (Termination.CRASH, Termination.START_UP_FAILURE)


class Phase(Enum):
    """How far a player has come. What fails before it is asked is a start-up failure.

    LOADING: its submission is compiled or loaded; the process that failed at that is of no use for the next game.
    STARTING: the game has begun, the player is made. PLAYING: it has been asked.
    """

    LOADING = "loading"
    STARTING = "starting"
    PLAYING = "playing"


class Supervisor:
    """Supervises one sandbox at a time. launch: opens it; called again if one breaks.

    move_cpu_seconds: CPU time that may be used from one answer to the next. evidence: what to show where a player that has
    been asked does wrong, and says nothing of it itself.

    sandbox: None as long as it is not open. zygote: the channel to the process that has loaded the submission, None if
    there is none. forks: whether games are forks of that process, which then says how they end. lag: seconds our own side
    was late in the last wait. A seat sets `forks` once the submission is loaded, and `phase` when it asks the player.
    """

    def __init__(
        self,
        limits: Limits,
        launch: Callable[[], Sandbox],
        move_cpu_seconds: float = math.inf,
        evidence: Callable[[Sandbox], str] = lambda sandbox: "",
    ) -> None:
        self.sandbox: Sandbox | None = None
        self.zygote: Channel | None = None
        self.forks = False
        self.phase = Phase.STARTING
        self.lag = 0.0
        self._limits = limits
        self._launch = launch
        self._move_cpu_seconds = move_cpu_seconds
        self._evidence = evidence
        self._cpu = 0.0
        self._reaped = False

    # The sandbox, and the process that loads the submission

    def loaded(self, load: Callable[[Sandbox, Channel], None]) -> tuple[Sandbox, Channel]:
        """Return, for a new game, the sandbox with a process that has loaded the submission; `load` sees to that."""
        sandbox, zygote = self.sandbox, self.zygote
        if sandbox is None or zygote is None:
            sandbox, zygote = self.start()
            load(sandbox, zygote)
        self.phase, self._cpu, self._reaped = Phase.STARTING, 0.0, False
        return sandbox, zygote

    def start(self) -> tuple[Sandbox, Channel]:
        """Start a process that is to load the submission, in a new sandbox if none is open; CPU is counted from here."""
        self.phase, self._cpu = Phase.LOADING, 0.0
        if self.sandbox is None:
            self.sandbox = self._launch()
        self.zygote = self.sandbox.start()
        self.zygote.socket.setblocking(False)
        self.sandbox.count_from_now()
        return self.sandbox, self.zygote

    def reap(self) -> bool:
        """Let the loading process notice that the process it forked is gone; tell whether it does."""
        try:
            return self.zygote is not None and (self._reaped or self._next(self.zygote, 1.0).keys() == {"ended"})
        except (ProtocolError, TimeoutError):
            return False

    def drop_zygote(self) -> None:
        """Hang up on the loading process."""
        if self.zygote is not None:
            self.zygote.close()
            self.zygote = None

    def printed(self) -> str:
        """Return what `Seat.printed` does."""
        try:
            return "" if self.sandbox is None else presentable(self.sandbox.printed())
        except HarnessFaultError:
            return ""

    def close(self) -> None:
        """Close the sandbox."""
        self.drop_zygote()
        if self.sandbox is not None:
            self.sandbox.close()
            self.sandbox = None

    # Asking

    def send(self, channel: Channel, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message; a player that is gone, or reads nothing, has done wrong."""
        try:
            channel.send(message, descriptors)
        except ClosedError:
            self._ended()
        except ProtocolError:
            self.give_up(Fault(Termination.CRASH, "it does not read what it is sent"))

    def wait(self, channel: Channel, seconds: float, missing: str) -> Message:
        """Return the next message on a channel; a player that does not send one in time, or breaks a limit, has done wrong.

        missing: what to say of it if there is none.
        """
        started = time.monotonic()
        deadline, look = started + seconds, started + _SLICE
        pipe = -1 if self.sandbox is None else self.sandbox.pipe
        poll = select.poll()
        for descriptor in (channel.socket.fileno(), pipe):
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        if self.zygote is not None and self.forks and self.phase is not Phase.LOADING:
            poll.register(self.zygote.socket, select.POLLIN)
        self.lag = 0.0
        try:
            while True:
                message = channel.take()
                if message is not None:
                    return message
                now = time.monotonic()
                if now >= deadline:
                    self._time_out(missing, seconds)
                due = max(now, min(look, deadline))
                ready = {descriptor for descriptor, _ in poll.poll(1000 * (due - now))}
                now = time.monotonic()
                self.lag += now - due if now - due > _LATE else 0.0
                if channel.socket.fileno() in ready:
                    channel.fill()
                elif ready - {pipe}:
                    self._hear_zygote(poll)
                else:
                    self._read_printed(poll, ready)
                    if now >= look:
                        self._look()
                        look = time.monotonic() + _SLICE
        except ClosedError:
            self._ended()
        except ProtocolError as error:
            self.give_up(Fault(Termination.INVALID_ANSWER, f"it {error}"))

    def _next(self, channel: Channel, seconds: float) -> Message:
        """Return the next message within some seconds; raises TimeoutError or ProtocolError."""
        deadline = time.monotonic() + seconds
        while True:
            message = channel.take()
            if message is not None:
                return message
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if select.select([channel.socket], [], [], left)[0]:
                channel.fill()

    def _hear_zygote(self, poll: select.poll) -> None:
        """Read why the process that loaded the submission calls: the player's process has ended, or it has itself.

        Then the player, which was forked from it, may live on; whether it does must not depend on what is noticed first.
        """
        assert self.zygote is not None
        try:
            self.zygote.fill()
        except ClosedError:
            poll.unregister(self.zygote.socket)
            self.drop_zygote()
        else:
            self._ended()

    def _read_printed(self, poll: select.poll, ready: set[int]) -> None:
        """Read what a thinking player prints, where it has printed something."""
        if self.sandbox is not None and ready:
            self.sandbox.drain()
            if self.sandbox.pipe < 0:
                poll.unregister(ready.pop())

    # Judging

    def _look(self) -> None:
        """See what a thinking player uses."""
        if self.sandbox is not None:
            self._judge(self.sandbox.usage())

    def charge(self, used: Usage) -> float:
        """Return the CPU seconds used since the last answer; a player that has used more than it may has done wrong."""
        self._judge(used)
        spent, self._cpu = max(0.0, used.cpu - self._cpu), used.cpu
        return spent

    def _judge(self, used: Usage) -> None:
        limits, most = self._limits, self._move_cpu_seconds
        if self.phase is Phase.PLAYING and used.cpu - self._cpu > most:
            self.give_up(Fault(Termination.TIME_OUT, f"it used more than {most:g} s of CPU time for this move"))
        if used.memory > limits.memory_mib << 20:
            self.give_up(Fault(Termination.OUT_OF_MEMORY, self._too_much_memory()))
        if used.cpu > limits.game_cpu_seconds:
            most = limits.game_cpu_seconds
            self.give_up(Fault(Termination.TIME_OUT, f"it used more than {most:g} s of CPU time in this game"))

    def _too_much_memory(self) -> str:
        return f"it took more than {self._limits.memory_mib} MiB of memory"

    def _time_out(self, missing: str, seconds: float) -> NoReturn:
        kind = Termination.TIME_OUT if self.phase is Phase.PLAYING else Termination.START_UP_FAILURE
        self.give_up(Fault(kind, f"{missing} within {seconds:g} s", hung=self.phase is Phase.LOADING))

    def _ended(self) -> NoReturn:
        """The player's process, or the one it was forked from, is gone in the middle of things."""
        status = None
        if self.zygote is not None and self.phase is not Phase.LOADING:
            try:
                status = self._next(self.zygote, 0.2).get("ended")
                self._reaped = True
            except (ProtocolError, TimeoutError):
                self.drop_zygote()
        kind = Termination.CRASH if self.phase is Phase.PLAYING else Termination.START_UP_FAILURE
        self.give_up(Fault(kind, death(status)))

    def give_up(self, fault: Fault) -> NoReturn:
        """Stop the player, and tell the referee what it has done."""
        sandbox = self.sandbox
        if sandbox is not None:
            evidence = fault.evidence or (self._evidence(sandbox) if self.phase is Phase.PLAYING else "")
            fault = Fault(fault.termination, fault.detail, evidence, fault.hung)
            sandbox.stop()
            if fault.termination in _FOR_LACK_OF_MEMORY and sandbox.ran_out_of_memory():
                fault = Fault(Termination.OUT_OF_MEMORY, self._too_much_memory(), evidence)
        if self.phase is Phase.LOADING:
            self.drop_zygote()
        raise PlayerFaultError(fault)
