"""The seat of a submission: asks its process in the sandbox, with a deadline, and says what it did wrong.

What the process sends is read as text from a stranger. What is believed: the bytes of an answer as an answer, our own
clock, and what the keeper and the kernel say about processes.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from typing import NoReturn

from common.excerpts import printable
from goban.rulesets import RuleSet
from goban.states import State
from tournament.errors import HarnessFaultError
from tournament.inside.protocol import Channel, ClosedError, Message, ProtocolError, encode_state, read_move
from tournament.records import Entrant, GameSpec, seed_of
from tournament.sandbox.faults import death, fault_of
from tournament.sandbox.handles import Sandbox, Usage
from tournament.sandbox.transcripts import presentable, presentable_log
from tournament.seats import Limits, Reply
from tournament.verdicts import Fault, PlayerFaultError, Termination

_SLICE = 0.025
"""Seconds between looks at what a thinking player uses; also how our own side's lateness is noticed."""

_LATE = 0.002

# What may come of it that the kernel has killed a process for the memory limit.
_FOR_LACK_OF_MEMORY = (Termination.CRASH, Termination.START_UP_FAILURE)

_LOADING_SEED = seed_of("import")


class ClassSeat:
    """A `tournament.seats.Seat` for a submission. launch: opens a sandbox for it; called again if one breaks."""

    def __init__(
        self, entrant: Entrant, rules: RuleSet, size: int, limits: Limits, tier: str, launch: Callable[[], Sandbox]
    ) -> None:
        self.tier = tier
        self._entrant = entrant
        self._rules = rules
        self._size = size
        self._limits = limits
        self._launch = launch
        self._sandbox: Sandbox | None = None
        self._zygote: Channel | None = None
        self._forks = False
        self._reaped = False
        self._game: Channel | None = None
        self._asked = 0
        self._cpu = 0.0
        self._lag = 0.0

    # A game

    def begin(self, spec: GameSpec, colour: int) -> None:
        self._asked, self._cpu, self._reaped = 0, 0.0, False
        sandbox, zygote = self._loaded()
        sandbox.begin_game()
        ours, theirs = socket.socketpair()
        self._game = Channel(ours)
        ours.setblocking(False)
        game = {"seed": seed_of(spec.seed, colour), "colour": colour, "rules": self._rules.name, "size": self._size}
        with theirs:
            self._send(zygote, {"game": {**game, "fork": self._forks}}, (theirs.fileno(),))
        sandbox.go()
        message = self._await(self._game, self._limits.start_seconds, "the player was not made")
        sandbox.stop()
        if message != {"ready": True}:
            self._give_up(fault_of(message, starting=True))

    def answer(self, state: State, complaint: str) -> Reply:
        sandbox, table = self._sandbox, self._game
        if sandbox is None or table is None:
            raise HarnessFaultError("a player was asked outside a game")
        self._asked += 1
        question = {"ask": self._asked, "state": encode_state(state), "complaint": complaint}
        sandbox.mark(state.n_move + 1)
        started = time.monotonic()
        sandbox.go()
        self._send(table, question)
        message = self._await(table, self._limits.move_seconds, "no answer")
        wall = time.monotonic() - started
        used = sandbox.stop()
        cpu, self._cpu = max(0.0, used.cpu - self._cpu), used.cpu
        self._judge_usage(used)
        if message.get("answer") != self._asked:
            self._give_up(Fault(Termination.INVALID_ANSWER, f"it answered out of turn: {printable(str(message), 60)}"))
        if "error" in message:
            self._give_up(fault_of(message))
        try:
            move = read_move(message)
        except ProtocolError as error:
            self._give_up(Fault(Termination.INVALID_ANSWER, f"it {error}"))
        return Reply(move, wall, cpu, min(self._lag, wall))

    def printed(self) -> str:
        try:
            return "" if self._sandbox is None else presentable(self._sandbox.printed())
        except HarnessFaultError:
            return ""

    def end(self) -> str:
        if self._game is not None:
            self._game.close()
            self._game = None
        if self._sandbox is None:
            return ""
        try:
            if self._zygote is None or not self._forks:
                self._drop_zygote()
                return presentable_log(self._sandbox.kill())
            log = self._sandbox.clear()
            self._reap(self._sandbox, self._zygote)
            return presentable_log(log)
        except HarnessFaultError:
            self.close()
            return ""

    def close(self) -> None:
        for channel in (self._game, self._zygote):
            if channel is not None:
                channel.close()
        self._game = self._zygote = None
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    # The sandbox and the process that loads the submission

    def _loaded(self) -> tuple[Sandbox, Channel]:
        """Return the sandbox, with a process in it that has loaded the submission and is stopped."""
        if self._sandbox is None:
            self._sandbox = self._launch()
        if self._zygote is None:
            self._zygote = self._sandbox.start()
            self._zygote.socket.setblocking(False)
            self._load(self._sandbox, self._zygote)
        return self._sandbox, self._zygote

    def _load(self, sandbox: Sandbox, zygote: Channel) -> None:
        sandbox.count_from_now()
        order = {"seed": _LOADING_SEED, "entry": self._entrant.entry, "class": self._entrant.class_name}
        self._send(zygote, {"load": order})
        message = self._await(zygote, self._limits.start_seconds, "the submission was not loaded", loading=True)
        sandbox.stop()
        if message != {"loaded": True}:
            self._give_up(fault_of(message, starting=True))
        self._forks = not sandbox.settle()
        self._cpu = 0.0

    def _reap(self, sandbox: Sandbox, zygote: Channel) -> None:
        """Let the loading process notice that its fork is gone, then stop it; if it does not, start anew next time."""
        try:
            well = self._reaped or self._next(zygote, 1.0).keys() == {"ended"}
        except (ProtocolError, TimeoutError):
            well = False
        if well:
            sandbox.stop()
        else:
            self._drop_zygote()
            sandbox.kill()

    def _drop_zygote(self) -> None:
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    # Waiting

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

    def _await(self, channel: Channel, seconds: float, missing: str, loading: bool = False) -> Message:
        """Return the player's next message; raises PlayerFaultError if it does not come in time or breaks a limit."""
        started = time.monotonic()
        deadline, look = started + seconds, started + _SLICE
        pipe = -1 if self._sandbox is None else self._sandbox.pipe
        poll = select.poll()
        for descriptor in (channel.socket.fileno(), pipe):
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        if self._zygote is not None and self._forks and not loading:
            poll.register(self._zygote.socket, select.POLLIN)
        self._lag = 0.0
        try:
            while True:
                message = channel.take()
                if message is not None:
                    return message
                now = time.monotonic()
                if now >= deadline:
                    self._time_out(missing, seconds, loading)
                due = max(now, min(look, deadline))
                ready = {descriptor for descriptor, _ in poll.poll(1000 * (due - now))}
                now = time.monotonic()
                self._lag += now - due if now - due > _LATE else 0.0
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
            self._ended(loading)
        except ProtocolError as error:
            self._give_up(Fault(Termination.INVALID_ANSWER, f"it {error}"))

    def _hear_zygote(self, poll: select.poll) -> None:
        """Read why the process that loaded the submission calls: the player's process has ended, or it has itself.

        Then the player, which was forked from it, may live on; whether it does must not depend on what is noticed first.
        """
        assert self._zygote is not None
        try:
            self._zygote.fill()
        except ClosedError:
            poll.unregister(self._zygote.socket)
            self._drop_zygote()
        else:
            self._ended(loading=False)

    def _read_printed(self, poll: select.poll, ready: set[int]) -> None:
        """Read what a thinking player prints, where it has printed something."""
        if self._sandbox is not None and ready:
            self._sandbox.drain()
            if self._sandbox.pipe < 0:
                poll.unregister(ready.pop())

    def _look(self) -> None:
        """See what a thinking player uses."""
        if self._sandbox is not None:
            self._judge_usage(self._sandbox.usage())

    def _judge_usage(self, used: Usage) -> None:
        limits = self._limits
        if used.memory > limits.memory_mib << 20:
            self._give_up(Fault(Termination.OUT_OF_MEMORY, f"it took more than {limits.memory_mib} MiB of memory"))
        if used.cpu > limits.game_cpu_seconds:
            self._give_up(
                Fault(Termination.TIME_OUT, f"it used more than {limits.game_cpu_seconds:g} s of CPU time in this game")
            )

    def _time_out(self, missing: str, seconds: float, loading: bool) -> NoReturn:
        kind = Termination.START_UP_FAILURE if loading or not self._asked else Termination.TIME_OUT
        self._give_up(Fault(kind, f"{missing} within {seconds:g} s", hung=loading))

    def _ended(self, loading: bool) -> NoReturn:
        """The player's process, or the one it was forked from, is gone in the middle of things."""
        status = None
        if self._zygote is not None and not loading:
            try:
                status = self._next(self._zygote, 0.2).get("ended")
                self._reaped = True
            except (ProtocolError, TimeoutError):
                self._drop_zygote()
        how = death(status)
        starting = loading or not self._asked
        self._give_up(Fault(Termination.START_UP_FAILURE if starting else Termination.CRASH, how))

    def _send(self, channel: Channel, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        try:
            channel.send(message, descriptors)
        except ClosedError:
            self._ended(loading=False)
        except ProtocolError:
            self._give_up(Fault(Termination.CRASH, "it does not read what it is sent"))

    def _give_up(self, fault: Fault) -> NoReturn:
        """Stop the player, and tell the referee."""
        if self._sandbox is not None:
            self._sandbox.stop()
            if fault.termination in _FOR_LACK_OF_MEMORY and self._sandbox.ran_out_of_memory():
                line = f"it took more than {self._limits.memory_mib} MiB of memory"
                fault = Fault(Termination.OUT_OF_MEMORY, line, fault.evidence)
        if self._zygote is not None and not self._asked and self._game is None:
            self._drop_zygote()
        raise PlayerFaultError(fault)
