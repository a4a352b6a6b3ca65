"""The seat of a GTP engine: plays its moves on our board, tells it its opponent's, and says what it did wrong.

    starter    a process of ours in the sandbox, which starts the engine and says how it ends
    engine     the program of the person who runs the event; we talk to it over its standard input and output

An engine is started for each game, or for the first game at this seat and plays them all, as `Engine.restart` says. Like any
player it is stopped while it is not asked, and it and all that it has started are killed when its time is over.

    start_seconds   from its start to its list of commands, and again for what begins a game
    move_seconds    for hearing of its opponent's move and making its own

It runs in its folder, of which it sees a private view: what it writes there is gone with the process. Commands have ids, so
that an answer to another command is noticed. `goban.gtp` says what is sent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import NoReturn

from goban.common.excerpts import printable, quoted
from goban.common.files import search_path
from goban.gtp import (
    Answers,
    expect_id,
    explain_refused_move,
    explain_refused_opening,
    fill_in,
    genmove_command,
    last_move_command,
    opening_commands,
    play_command,
    read_generated_move,
    read_listed_commands,
)
from gojudge.errors import HarnessFaultError
from gojudge.game import BLACK, WHITE, GtpError, Point, Resign, RuleSet, State
from gojudge.inside.protocol import Channel, ClosedError, Message, ProtocolError, close_files
from gojudge.records import GAME, Engine, Fault, GameSpec, PlayerFaultError, Termination
from gojudge.sandbox.faults import death
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.supervisor import Phase, SupervisedSeat, Supervisor
from gojudge.sandbox.transcripts import Piece, presentable
from gojudge.seats import Limits, Reply

_CHUNK = 65_536


class GtpChannel:
    """A conversation in GTP, over two pipes that it makes and owns.

    engine_ends: what becomes the engine's standard input and output; to be closed by `hand_over` once the engine has them.
    number: the id of the last command.
    """

    def __init__(self) -> None:
        self.number = 0
        self._answers = Answers()
        opened: list[int] = []
        try:
            for _ in range(2):
                opened += os.pipe()
            theirs_in, self._commands, self._written, theirs_out = opened
            for descriptor in (self._commands, self._written):
                os.set_blocking(descriptor, False)
        except OSError:
            close_files(opened)
            raise
        self.engine_ends: tuple[int, ...] = theirs_in, theirs_out

    @property
    def unfinished(self) -> str:
        """The first line of an answer that the engine has not ended with an empty line; '' if there is none."""
        return self._answers.unfinished

    def hand_over(self) -> None:
        """Close the engine's ends."""
        ends, self.engine_ends = self.engine_ends, ()
        for descriptor in ends:
            os.close(descriptor)

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send {"gtp": command} under the next id. Raises ClosedError if nobody can read it, ProtocolError if nobody does."""
        self.number += 1
        try:
            os.write(self._commands, f"{self.number} {message['gtp']}\n".encode())
        except BlockingIOError:
            raise ProtocolError("a command was not read") from None
        except OSError as error:
            raise ClosedError(f"a command could not be sent: {error.strerror}") from None

    def take(self) -> Message | None:
        """Return {"id": ..., "ok": ..., "text": ...}, or {"junk": ...} if what comes is no answer; None for not yet."""
        try:
            answer = self._answers.take()
        except GtpError as error:
            return {"junk": str(error)}
        return None if answer is None else vars(answer)

    def fill(self) -> None:
        """Read what has arrived, some of it at least. Raises ClosedError when the engine has closed its output."""
        try:
            data = os.read(self._written, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            raise ClosedError("the output was closed")
        self._answers.feed(data)

    def fileno(self) -> int:
        """Return the descriptor of what the engine writes."""
        return self._written

    def close(self) -> None:
        """Close all; not to be used afterwards."""
        self.hand_over()
        os.close(self._commands)
        os.close(self._written)


_EVIDENCE = 4000
_LONGEST_NAME = 60


class EngineSeat(SupervisedSeat):
    """A `gojudge.seats.Seat` for an engine. launch: opens a sandbox for its folder.

    introduction: how it calls itself, as 'GNU Go 3.8'; '' before its first game.
    """

    def __init__(
        self, engine: Engine, rules: RuleSet, size: int, limits: Limits, tier: str, launch: Callable[[], Sandbox]
    ) -> None:
        super().__init__(limits, tier, Supervisor(limits, launch))
        self.introduction = ""
        self._engine = engine
        self._rules = rules
        self._size = size
        self._gtp: GtpChannel | None = None
        self._known: frozenset[str] = frozenset()
        self._seed = 0
        # Whether the engine has done nothing wrong, and so may be asked to quit, or play on.
        self._sound = False

    # A game

    def _begin(self, spec: GameSpec, colour: int) -> None:
        self._seed, supervisor = spec.seeds[colour - 1], self._supervisor
        sandbox, _ = supervisor.load(self._load)
        sandbox.begin_game()
        sandbox.go()
        komi = self._rules.komi(self._size)
        startup = [fill_in(command, self._seed, self._size, komi) for command in self._engine.startup]
        seconds = self._limits.move_seconds if self._engine.clock else None
        commands = opening_commands(self._size, komi, self._known, self._seed, seconds)
        for number, command in enumerate([*startup, *commands]):
            answer = self._query(command, self._limits.start_seconds, going_on=number > 0)
            if not answer["ok"]:
                self._give_up(Termination.START_UP_FAILURE, explain_refused_opening(command, answer["text"]))
        # It stays stopped until its first question.
        sandbox.stop()

    def _ask(self, state: State, complaint: str) -> Reply:
        supervisor, sandbox = self._supervisor, self._supervisor.sandbox
        if sandbox is None or self._gtp is None:
            raise HarnessFaultError("an engine was asked outside a game")
        if complaint:
            # It has played the move on its own board already, so it is not asked again.
            self._give_up(Termination.ILLEGAL_MOVE, complaint)
        supervisor.phase = Phase.PLAYING
        sandbox.mark(state.n_move + 1)
        sandbox.go()
        told = last_move_command(state)
        if told and not (heard := self._query(told, self._limits.move_seconds))["ok"]:
            self._give_up(Termination.INVALID_ANSWER, explain_refused_move(told, f"? {heard['text']}", self._rules))
        command = genmove_command(state.to_move)
        answer = self._query(command, self._limits.move_seconds, going_on=bool(told))
        spent = supervisor.charge(sandbox.stop())
        if not answer["ok"]:
            self._give_up(Termination.INVALID_ANSWER, f"it answers {command} with {quoted('? ' + answer['text'])}")
        try:
            move = read_generated_move(answer["text"], self._size)
        except GtpError:
            line = f"it answers {command} with {quoted(answer['text'])}, which is no point of this board"
            self._give_up(Termination.INVALID_ANSWER, line)
        return Reply(move if isinstance(move, Resign) else "PASS" if move is None else move, spent)

    def _end(self, sandbox: Sandbox) -> list[Piece]:
        if self._sound and self._engine.restart != GAME:
            sandbox.stop()
            return sandbox.transcript()
        self._quit(sandbox)
        self._supervisor.drop_zygote()
        return sandbox.kill()

    def _quit(self, sandbox: Sandbox) -> None:
        """Let an engine that has done nothing wrong end by itself, in its second."""
        if self._sound and self._gtp is not None:
            with suppress(PlayerFaultError):
                self._supervisor.send(self._gtp, {"gtp": "quit"})
                sandbox.go()
                self._supervisor.reap()
        self._hang_up()

    def _hang_up(self) -> None:
        self._sound = False
        if self._gtp is not None:
            self._gtp.close()
            self._gtp = None

    def takes(self, moves: Sequence[Point | None]) -> bool | None:
        """Have it clear its board in a game that has begun, and play moves of both sides; tell whether it takes the last.

        None if it refuses one before. The game cannot go on from there.
        """
        sandbox = self._supervisor.sandbox
        if sandbox is None:
            raise HarnessFaultError("an engine was asked outside a game")
        commands = [play_command(BLACK if k % 2 == 0 else WHITE, move, self._size) for k, move in enumerate(moves)]
        with self._judge():
            sandbox.go()
            taken = [self._query(each, self._limits.start_seconds, going_on=True)["ok"] for each in ("clear_board", *commands)]
            sandbox.stop()
        return bool(taken[-1]) if all(taken[:-1]) else None

    # Asking

    def _load(self, sandbox: Sandbox, starter: Channel) -> None:
        """Start the engine, and ask what it is and what it knows."""
        supervisor, seconds = self._supervisor, self._limits.start_seconds
        self._hang_up()
        self._gtp = gtp = GtpChannel()
        komi = self._rules.komi(self._size)
        command = [fill_in(word, self._seed, self._size, komi) for word in self._engine.command]
        supervisor.send(starter, {"engine": command, "path": search_path()}, gtp.engine_ends)
        gtp.hand_over()
        if why_not := supervisor.wait(starter, seconds, "it was not started").get("started"):
            line = f"{quoted(command[0])} cannot be started: {printable(str(why_not), 100)}"
            self._give_up(Termination.START_UP_FAILURE, line)
        supervisor.forks = True
        name, version, known = (self._query(each, seconds, going_on=True) for each in ("name", "version", "list_commands"))
        words = [printable(answer["text"], _LONGEST_NAME) for answer in (name, version) if answer["ok"]]
        self.introduction = " ".join(word for word in words if word)
        self._known = read_listed_commands(known["text"]) if known["ok"] else frozenset()
        sandbox.stop()

    def _query(self, command: str, seconds: float, *, going_on: bool = False) -> Message:
        """Return the engine's answer to a command. Raises PlayerFaultError if there is none, or no answer to this command."""
        gtp, supervisor = self._gtp, self._supervisor
        if gtp is None:
            raise HarnessFaultError("there is no engine to ask")
        supervisor.send(gtp, {"gtp": command})
        missing = f"no answer to {quoted(command)}"
        try:
            answer = supervisor.wait(gtp, seconds, missing, going_on=going_on)
        except PlayerFaultError as error:
            detail = error.fault.detail
            if detail == death(None):
                detail = "it closed its standard output"
            elif gtp.unfinished and detail.startswith(missing):
                detail += f"; no empty line follows {quoted(gtp.unfinished)}"
            raise PlayerFaultError(replace(error.fault, detail=detail), error.spent) from None
        if "junk" in answer:
            self._give_up(Termination.CRASH, f"it {answer['junk']}")
        try:
            expect_id(answer["id"], gtp.number, command)
        except GtpError as error:
            self._give_up(Termination.INVALID_ANSWER, f"it {error}")
        return answer

    def _give_up(self, termination: Termination, line: str) -> NoReturn:
        begun = self._supervisor.phase is Phase.PLAYING
        self._supervisor.give_up(Fault(termination if begun else Termination.START_UP_FAILURE, line))

    @contextmanager
    def _judge(self) -> Iterator[None]:
        """Note whether the engine fails, and show what it has written to standard error then."""
        self._sound = False
        try:
            with self._supervisor.blaming():
                yield
            self._sound = True
        except PlayerFaultError as error:
            sandbox = self._supervisor.sandbox
            words = presentable(sandbox.said())[-_EVIDENCE:] if sandbox is not None else ""
            raise PlayerFaultError(replace(error.fault, evidence=words), error.spent) from None
