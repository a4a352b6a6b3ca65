"""Supervises a submission's sandbox: what both kinds of seat need, whatever is played there.

The supervisor waits for messages of the submission's processes, for as long as their time lasts. Meanwhile it reads what they
print, so that printing never blocks, looks at the time and memory they use, and notices when one of them ends. If they do
something wrong, it stops them and raises a PlayerFaultError.

Several things may have happened by the time we look. They are judged in this order, and the first one decides:

    a whole line                    a message counts, even if time has run out or the process has died since it was sent; a
                                    line that is no message, or too long, is an invalid answer
    16 MiB are printed              crash: reading it takes our time, which is charged to nobody
    a look at the usage             every 25 ms: CPU used while it should be stopped, or too much CPU or time, is a time-out,
                                    too much memory is out of memory
    the channel is closed           crash: the process is gone; the zygote, where it forked it, says how it ended
    the zygote reports an end       crash: the same death, learnt from the other side

Before the player is asked for the first time, running out of time and a death are start-up failures instead.

Time is what `gojudge.records.Spent.charge` says: that in which the processes ran or slept, not that in which they wanted a
core and had none. So nobody loses because a machine is busy. If many times the player's time goes by before it is used up, we
give up: that is our own side's fault, and the game is played again.

A message comes first so that no player loses because our side reads late. Printed output is read last, so that no amount of it
keeps us from an answer or from a look. A process that the kernel has killed at the memory limit looks like a crash at first,
so `give_up` asks the kernel before it reports one.

What a process sends is read as text from a stranger. We believe only that an answer is what the player answered, our own
clock, and what the keeper and the kernel say about processes.

A stopwatch measures what an answer takes: how much of it the player ran, slept, or waited for a core.

It is read several times while the player thinks. For each of these slices the kernel says how long the player's processes ran
and how long they waited for a core; we know how long we waited for one ourselves. The rest of the slice the player slept.

The kernel counts a wait only when it is over. So while a task wants a core, the rest of a slice is left open: it is settled by
what is counted later, and what is then still left was sleep. Many threads that wait for each other's cores add up to more than
is open; the surplus is dropped, so that nobody can save it up to sleep for nothing later.

If several limits are overrun, CPU used while the player should be stopped comes first, then the limits of a move, of memory
and of a game.
"""

from __future__ import annotations

import math
import select
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from enum import Enum
from typing import NoReturn, Protocol

from gojudge.errors import HarnessFaultError, SpoiltSandboxError
from gojudge.game import State
from gojudge.inside.process_table import run_delay
from gojudge.inside.protocol import Channel, ClosedError, Message, ProtocolError
from gojudge.records import NOTHING, Fault, GameSpec, PlayerFaultError, Spent, Termination
from gojudge.sandbox.faults import death
from gojudge.sandbox.handles import MOST_PRINTED, Sandbox, Usage
from gojudge.sandbox.transcripts import Piece, presentable, presentable_log, shorten_paths
from gojudge.seats import Limits, Reply


class Conversation(Protocol):
    """The way to ask a process: JSON lines (`gojudge.inside.protocol.Channel`), or GTP."""

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message; raises as `Channel.send`."""

    def take(self) -> Message | None:
        """Return a message that has been read already, None if there is none. Raises ProtocolError."""

    def fill(self) -> None:
        """Read what has arrived. Raises ClosedError."""

    def fileno(self) -> int:
        """Return the descriptor to wait for."""


class Phase(Enum):
    """How far a player has come. What fails before PLAYING is a start-up failure.

    LOADING: its submission is being compiled or loaded; a process that fails at that is of no use for the next game.
    STARTING: the game has begun, the player is being made. PLAYING: the player has been asked.
    """

    LOADING = "loading"
    STARTING = "starting"
    PLAYING = "playing"


# Seconds of CPU that may be used between an answer and the next question: what it takes to stop, and the clock's own grain.
_IDLE = 0.02

# We wait for an answer up to this many times the player's time, and this many seconds.
_PATIENCE_FACTOR, _PATIENCE_SECONDS = 20, 60


def overrun(used: Usage, spent: Spent, limits: Limits, move_cpu_seconds: float, playing: bool) -> Fault | None:
    """Return the fault of a player that has used more than it may, None if it has not.

    used: in this game; spent: since it was asked; playing: whether it has been asked in this game.
    """
    if playing and used.idle > _IDLE:
        return Fault(Termination.TIME_OUT, "it thinks in the opponent's time")
    if playing and spent.cpu > move_cpu_seconds:
        return Fault(Termination.TIME_OUT, f"it used more than {move_cpu_seconds:g} s of CPU time for this move")
    if used.memory > limits.memory_mib << 20:
        return too_much_memory(limits)
    if used.cpu > limits.game_cpu_seconds:
        return Fault(Termination.TIME_OUT, f"it used more than {limits.game_cpu_seconds:g} s of CPU time in this game")
    return None


def too_much_memory(limits: Limits, evidence: str = "") -> Fault:
    """Return the fault of a player that holds too much, or that the kernel has killed for that."""
    return Fault(Termination.OUT_OF_MEMORY, f"it took more than {limits.memory_mib} MiB of memory", evidence)


def is_hopeless(spent: Spent, seconds: float) -> bool:
    """Tell whether so much time has gone by that the machine must be too busy. seconds: how much the player may be charged."""
    return spent.wall > _PATIENCE_FACTOR * seconds + _PATIENCE_SECONDS


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
            # Usually it is there already, and no usage has to be read.
            watch = Stopwatch(sandbox.usage())
            watch.start()
        else:
            spent = watch.read(sandbox.usage())
            if spent.charge >= seconds or spent.wall >= _PATIENCE:
                raise TimeoutError


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
        # Seconds that were either slept or waited; which, is not known yet.
        self._open = 0.0

    def reset(self) -> None:
        """Begin a game: the accounts of the processes are at 0."""
        self._used = _NOTHING_USED

    def start(self) -> None:
        """Begin a question. CPU used since the last answer is charged to this one."""
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
        """Add the time that a process, which has ended, waited for a core during this answer; return what has been spent."""
        spent = self.spent
        more = min(max(0.0, seconds - spent.waited), spent.slept)
        self.spent = Spent(spent.wall, spent.cpu, spent.slept - more, spent.waited + more)
        return self.spent


_SLICE = 0.025
"""Seconds between looks at what a thinking player uses. Waking up at a known time also shows how late our own side is."""

# Waking up no more than this many seconds late is normal: the player's time ran on.
_LATE = 0.002

# When a player's time is nearly up, we look again after what is left of it, but not sooner than this.
_SHORTEST_SLICE = 0.001

# What it looks like when the kernel has killed a process at the memory limit.
_FOR_LACK_OF_MEMORY = (Termination.CRASH, Termination.START_UP_FAILURE)


class Supervisor:
    """Supervises one sandbox at a time. launch: opens it; called again if one breaks down.

    move_cpu_seconds: CPU time that may be used from one answer to the next. evidence: returns what to show for a fault of a
    player that has been asked, where the fault brings no evidence of its own. where: returns what to add for a submission that
    is not loaded in time, or whose player is not made in time or does not answer in time.

    sandbox: None while none is open. zygote: the channel to the process that has loaded the submission, None if there is
    none. forks: whether games are forks of that process, which then reports how they end. A seat sets `forks` once the
    submission is loaded, and `phase` when it asks the player.
    """

    def __init__(
        self,
        limits: Limits,
        launch: Callable[[], Sandbox],
        move_cpu_seconds: float = math.inf,
        evidence: Callable[[Sandbox], str] = lambda sandbox: "",
        where: Callable[[Sandbox], str] = lambda sandbox: "",
    ) -> None:
        self.sandbox: Sandbox | None = None
        self.zygote: Channel | None = None
        self.forks = False
        self.phase = Phase.STARTING
        self._limits = limits
        self._launch = launch
        self._move_cpu_seconds = move_cpu_seconds
        self._evidence = evidence
        self._where = where
        self._stopwatch = Stopwatch()
        # When the last message was noticed.
        self._noticed = 0.0
        # Whether the zygote's report on this game's process has been read already.
        self._reaped = False

    # The sandbox, and the process that loads the submission

    def load(self, load: Callable[[Sandbox, Channel], None]) -> tuple[Sandbox, Channel]:
        """Return the sandbox for a new game, with a process that has loaded the submission.

        `load` is called if none has; it may call `start` again.
        """
        sandbox, zygote = self.sandbox, self.zygote
        if sandbox is None or zygote is None:
            sandbox, zygote = self.start()
            load(sandbox, zygote)
            sandbox, zygote = self.sandbox or sandbox, self.zygote or zygote
        self.phase, self._reaped = Phase.STARTING, False
        self._stopwatch.reset()
        return sandbox, zygote

    def start(self) -> tuple[Sandbox, Channel]:
        """Start a process that is to load the submission, in a new sandbox; CPU is counted from here.

        It begins as a copy of the keeper: one that had kept earlier games would tell it what they have used.
        """
        self.close()
        self.phase, self.forks = Phase.LOADING, False
        self._stopwatch.reset()
        self.sandbox = self._launch()
        self.zygote = self.sandbox.start()
        self.zygote.socket.setblocking(False)
        self.sandbox.count_from_now()
        return self.sandbox, self.zygote

    def hear_of_copies(self, reports: Channel) -> None:
        """Hear on this channel how games' processes end: copies of the one that loaded the submission, which is gone."""
        self.drop_zygote()
        self.zygote = reports
        reports.socket.setblocking(False)

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Turn a failure of the sandbox within the block into a forfeit, if code of the submission may have run there."""
        try:
            yield
        except SpoiltSandboxError as error:
            self.close()
            kind = Termination.CRASH if self.phase is Phase.PLAYING else Termination.START_UP_FAILURE
            raise PlayerFaultError(Fault(kind, str(error)), self._stopwatch.spent) from error

    def reap(self) -> bool:
        """Wait until the end of the process that has played is reported; tell whether it is, in its second, and nothing else.

        A loading process that has hung up, or has more to say, cannot serve the next game.
        """
        if self.sandbox is None or self.zygote is None:
            return False
        try:
            if not self._reaped and "ended" not in next_report(self.sandbox, self.zygote, 1.0):
                return False
            if self.zygote.take() is None:
                self.zygote.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            return False
        except BlockingIOError:
            return True
        except (OSError, ProtocolError):
            return False

    def drop_zygote(self) -> None:
        """Close the channel to the loading process."""
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

    def send(self, channel: Conversation, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message. It is the player's fault if it is gone or does not read."""
        try:
            channel.send(message, descriptors)
        except ClosedError:
            self._raise_end()
        except ProtocolError:
            self.give_up(Fault(Termination.CRASH, "it does not read what it is sent"))

    def wait(self, channel: Conversation, seconds: float, missing: str, *, going_on: bool = False) -> Message:
        """Return the next message on a channel. Raises PlayerFaultError if none comes in time, or if a limit is broken.

        seconds: how much the player may be charged until then; missing: what to say if that is not enough. going_on: its clock
        runs on from the message before. The order of judging is explained at the top of this file. Raises HarnessFaultError if
        the machine is too busy.
        """
        pipe, poll = self._poll(channel)
        if not going_on:
            self._stopwatch.start()
        look, late = self._look_at(seconds), 0.0
        try:
            while True:
                # Before anything is judged: what has arrived counts.
                message = channel.take()
                if message is not None:
                    self._noticed = time.monotonic()
                    return message
                # In every round: a player that keeps sending, but never a whole line, runs out of time too.
                if time.monotonic() >= look:
                    self._look(seconds, missing, late)
                    look, late = self._look_at(seconds), 0.0
                ready = {descriptor for descriptor, _ in poll.poll(1000 * max(0.0, look - time.monotonic()))}
                # We asked to wake up at `look` at the latest; what is beyond is our side's doing.
                beyond = time.monotonic() - look
                late = beyond if beyond > _LATE else 0.0
                # The channel before the zygote: a player may answer and die at once, and its answer counts.
                if channel.fileno() in ready:
                    channel.fill()
                elif ready - {pipe}:
                    self._hear_zygote(poll)
                elif ready:
                    self._read_printed(poll)
        except ClosedError:
            self._raise_end()
        except ProtocolError as error:
            self.give_up(Fault(Termination.INVALID_ANSWER, f"it {error}"))

    def _poll(self, channel: Conversation) -> tuple[int, select.poll]:
        """Return the pipe of what is printed, -1 if there is none, and what to poll while waiting for a message."""
        pipe = -1 if self.sandbox is None else self.sandbox.pipe
        poll = select.poll()
        for descriptor in (channel.fileno(), pipe):
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        # The zygote only reports the end of a fork. Where there is none, it plays itself, or is the process we wait for.
        if self.zygote is not None and self.forks:
            poll.register(self.zygote.socket, select.POLLIN)
        return pipe, poll

    def _look_at(self, seconds: float) -> float:
        """Return when to look next at what the player uses."""
        left = max(seconds - self._stopwatch.spent.charge, _SHORTEST_SLICE)
        return time.monotonic() + min(_SLICE, left)

    def _hear_zygote(self, poll: select.poll) -> None:
        """The zygote's channel has something to read: it reports that the player's process has ended, or has ended itself.

        If it has ended itself, the player, a fork of it, may live on and answer. We go on waiting for that; if the player is
        gone too, its own channel says so. So the verdict does not depend on what we notice first.
        """
        assert self.zygote is not None
        try:
            self.zygote.fill()
        except ClosedError:
            poll.unregister(self.zygote.socket)
            self.drop_zygote()
        else:
            self._raise_end()

    def _read_printed(self, poll: select.poll) -> None:
        """Read what a thinking player has printed; stop polling a pipe that has been closed. A flood is a fault."""
        if self.sandbox is not None:
            pipe = self.sandbox.pipe
            self.sandbox.drain()
            if self.sandbox.flooded:
                playing = self.phase is Phase.PLAYING
                line = f"it printed more than {MOST_PRINTED >> 20} MiB {'in one move' if playing else 'before its first move'}"
                self.give_up(Fault(Termination.CRASH if playing else Termination.START_UP_FAILURE, line))
            if self.sandbox.pipe < 0:
                poll.unregister(pipe)

    # Judging

    def _look(self, seconds: float, missing: str, late: float) -> None:
        """Judge what a thinking player has used so far."""
        if self.sandbox is None:
            return
        spent = self._judge(self.sandbox.usage(), late, still_runs=True)
        if spent.charge >= seconds:
            kind = Termination.TIME_OUT if self.phase is Phase.PLAYING else Termination.START_UP_FAILURE
            self.give_up(Fault(kind, f"{missing} within {seconds:g} s{self._where(self.sandbox)}"))
        if is_hopeless(spent, seconds):
            self.sandbox.stop()
            raise HarnessFaultError(
                f"{missing} after {spent.wall:.0f} s: this machine is too busy (CPU {spent.cpu:.1f} s, slept "
                f"{spent.slept:.1f} s, waited {spent.waited:.1f} s for a core)"
            )

    def charge(self, used: Usage, waited: float = 0.0) -> Spent:
        """Return what the last answer has taken. Raises PlayerFaultError over a limit.

        used: now, after the player was stopped; waited: what a process that has ended had waited for a core, if that is known.
        """
        self._judge(used, at=self._noticed)
        return self._stopwatch.count_waited(waited)

    def _judge(self, used: Usage, late: float = 0.0, at: float | None = None, still_runs: bool = False) -> Spent:
        """Note what has been used by now, or by the time `at`; return it. Raises PlayerFaultError over a limit."""
        spent = self._stopwatch.read(used, late, at)
        fault = overrun(used, spent, self._limits, self._move_cpu_seconds, self.phase is Phase.PLAYING)
        if fault is not None and fault.termination is Termination.TIME_OUT and still_runs and self.sandbox is not None:
            fault = replace(fault, detail=fault.detail + self._where(self.sandbox))
        if fault is not None:
            self.give_up(fault)
        return spent

    def _raise_end(self) -> NoReturn:
        """Raise a crash or start-up failure: the player's process is gone, or the one that was loading the submission.

        The zygote has waited for the player's process and knows its status; its report may take a moment to arrive. Without
        a zygote, or without a report, the verdict is the same and only says less.
        """
        status = None
        if self.sandbox is not None and self.zygote is not None and (self.forks or self.phase is not Phase.LOADING):
            try:
                status = next_report(self.sandbox, self.zygote, 0.2).get("ended")
                self._reaped = True
            except (ProtocolError, TimeoutError):
                self.drop_zygote()
        kind = Termination.CRASH if self.phase is Phase.PLAYING else Termination.START_UP_FAILURE
        self.give_up(Fault(kind, death(status)))

    def give_up(self, fault: Fault) -> NoReturn:
        """Stop the player's processes, and raise its fault as a PlayerFaultError."""
        sandbox = self.sandbox
        if sandbox is not None:
            evidence = fault.evidence or (self._evidence(sandbox) if self.phase is Phase.PLAYING else "")
            fault = Fault(fault.termination, shorten_paths(fault.detail), shorten_paths(evidence))
            sandbox.stop()
            sandbox.check()
            # A process that the kernel kills at the memory limit ends like any other that is killed.
            if fault.termination in _FOR_LACK_OF_MEMORY and sandbox.ran_out_of_memory():
                fault = too_much_memory(self._limits, evidence)
        # Half loaded, it cannot serve the next game, which starts a new one.
        if self.phase is Phase.LOADING:
            self.drop_zygote()
        raise PlayerFaultError(fault, self._stopwatch.spent)


class SupervisedSeat(ABC):
    """What the seats of a class, a program and an engine have in common: a supervisor, and a sandbox that may break down.

    `_begin`, `_ask` and `_end` do the work of `begin`, `answer` and `end`.
    """

    def __init__(self, limits: Limits, tier: str, supervisor: Supervisor) -> None:
        self.tier = tier
        self._limits = limits
        self._supervisor = supervisor

    def begin(self, spec: GameSpec, colour: int) -> None:
        """Begin a game."""
        with self._judge():
            self._begin(spec, colour)

    def answer(self, state: State, complaint: str) -> Reply:
        """Return the player's answer."""
        with self._judge():
            return self._ask(state, complaint)

    def printed(self) -> str:
        """Return what the player has printed lately."""
        return self._supervisor.printed()

    def end(self) -> str:
        """End the game; return what the player printed."""
        sandbox = self._supervisor.sandbox
        if sandbox is None:
            self._hang_up()
            return ""
        try:
            return presentable_log(self._end(sandbox))
        except SpoiltSandboxError:
            # The game is over, and its result stands; what it printed is lost. The next one begins in a new sandbox.
            self.close()
            return ""
        except HarnessFaultError:
            self.close()
            raise

    def close(self) -> None:
        """Close the sandbox."""
        self._hang_up()
        self._supervisor.close()

    def _judge(self) -> AbstractContextManager[None]:
        """Return the block in which code of the player runs, see `Supervisor.blaming`."""
        return self._supervisor.blaming()

    @abstractmethod
    def _hang_up(self) -> None:
        """Close the channels of a game, if it has any."""

    @abstractmethod
    def _begin(self, spec: GameSpec, colour: int) -> None: ...

    @abstractmethod
    def _ask(self, state: State, complaint: str) -> Reply: ...

    @abstractmethod
    def _end(self, sandbox: Sandbox) -> list[Piece]:
        """End the game in its sandbox; return what the player printed."""
