"""Programs that speak GTP, started and asked from Python.

    with Engine(["gnugo", "--mode", "gtp"]) as engine:
        state = state.play(engine.genmove(state))

The board and the rules are ours: the engine's own board is not trusted. At the first move of a game, and whenever
more than one move was made since its last one, the engine is sent the whole position, stone by stone. There is no sandbox and
no clock: the engine is trusted, and its answer may take any time.
"""

from __future__ import annotations

import atexit
import os
import random
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from types import NoneType, TracebackType
from typing import Self

from goban.common.arguments import check_kind
from goban.common.excerpts import quoted
from goban.common.files import kill_session, search_path, split_command
from goban.common.turns import Turns, in_turn
from goban.errors import BadArgumentError, EngineError, GtpError
from goban.grids import BLACK, WHITE
from goban.gtp import (
    Answer,
    Answers,
    expect_id,
    explain_refused_move,
    explain_refused_opening,
    genmove_command,
    opening_commands,
    play_command,
    read_generated_move,
    read_listed_commands,
)
from goban.moves import PASS, Move, Resign
from goban.states import State

_CHUNK = 65_536
_PATIENCE = 2.0
"""Seconds that an engine has to exit after `quit`."""


class Engine:
    """An engine's process. It ends with ours, by `close`, or at the end of a `with` block.

    command: a list of words, one text, split as a shell would, or the path of a program. rng: the source of each game's
    seed, for engines that take one; `random.Random(0)` by default. Threads that share an engine wait for each other; it
    cannot be copied or pickled, and a forked process needs one of its own.
    Raises EngineError if the engine cannot be started; every method raises GtpError if the engine violates GTP.
    """

    def __init__(self, command: Sequence[str] | str | os.PathLike[str], rng: random.Random | None = None) -> None:
        check_kind(rng, (random.Random, NoneType), "a random.Random as `rng`", BadArgumentError)
        self._rng = rng or random.Random(0)
        words = self._words = _words(command)
        try:
            # In a session of its own: Ctrl-C is for whoever started us.
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={**os.environ, "PATH": search_path()},
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"engine {quoted(words[0])} cannot be started: {reason}") from None
        atexit.register(self.close)
        self._starter, self._turns = os.getpid(), Turns()
        self._answers = Answers()
        self._number = 0
        # The position as the engine knows it; None if it must be told anew.
        self._known: State | None = None

    def __enter__(self) -> Self:
        return self

    def __repr__(self) -> str:
        # Whether it has ended is known once it has been closed, or waited for.
        return f"<Engine {shlex.join(self._words)}{'' if self._process.poll() is None else ', ended'}>"

    def __reduce_ex__(self, protocol: object) -> str:
        raise TypeError("an Engine is a process, which cannot be copied or pickled: start another with the same command")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @cached_property
    def name(self) -> str:
        """The engine's name."""
        return self.ask("name").text

    @cached_property
    def version(self) -> str:
        """The engine's version."""
        return self.ask("version").text

    @cached_property
    def commands(self) -> frozenset[str]:
        """The commands that the engine knows."""
        return read_listed_commands(self.ask("list_commands").text)

    # Playing

    @in_turn
    def genmove(self, state: State) -> Move:
        """Return the engine's move: a point, PASS or RESIGN, whether or not the rules allow it.

        It may take as long as it likes: `close`, from another thread, ends its thinking with a GtpError.
        """
        check_kind(state, State, "a position (goban.State)", BadArgumentError)
        known, self._known = self._known, None
        played = "" if known is None else _one_move(known, state)
        if played:
            self._tell(played, state)
        else:
            self._begin(state)
        move = self._generate(state)
        if not isinstance(move, Resign) and state.why_illegal(move) is None:
            self._known = state.after(move)
        return move

    def new_game(self) -> None:
        """Start a new game with the next move, with its own seed, even if its position continues the last one."""
        self._known = None

    def _begin(self, state: State) -> None:
        """Have the engine begin a game that stands as this one does."""
        size, rules = state.grid.size, state.rules
        for command in opening_commands(size, rules.komi(size), self.commands, self._rng.getrandbits(64)):
            answer = self.ask(command)
            if not answer.ok:
                raise GtpError(explain_refused_opening(command, answer.text))
        for colour in (BLACK, WHITE):
            for point in state.grid.points_of(state.stones(colour)):
                self._tell(play_command(colour, point, size), state)

    def _tell(self, command: str, state: State) -> None:
        answer = self.ask(command)
        if not answer.ok:
            raise GtpError(explain_refused_move(command, f"? {answer.text}", state.rules))

    def _generate(self, state: State) -> Move:
        command = genmove_command(state.to_move)
        answer = self.ask(command)
        if not answer.ok:
            raise GtpError(f"it answers {command} with {quoted(f'? {answer.text}')}")
        return read_generated_move(answer.text, state.grid.size)

    # Talking

    @in_turn
    def ask(self, command: str) -> Answer:
        """Send any command and return the answer; raises GtpError if there is none. A refusal is an answer that is not `ok`.

        Raises BadArgumentError for what is not one line of text: an engine does not answer it, or answers twice; and
        EngineError in a forked process.
        """
        if not isinstance(command, str) or not command.split("#")[0].strip() or len(command.splitlines()) > 1:
            raise BadArgumentError(f"expected one line with a command, such as 'list_commands', got {quoted(command)}")
        if self._starter != os.getpid():
            # Each of two processes could take the other's answer for its own.
            raise EngineError("an Engine answers only the process that started it: start another with the same command")
        self._send(command)
        while (answer := self._answers.take()) is None:
            output = self._process.stdout
            data = b"" if output is None or output.closed else os.read(output.fileno(), _CHUNK)
            if not data:
                raise GtpError(f"the engine has ended, without an answer to {quoted(command)}")
            self._answers.feed(data)
        expect_id(answer.id, self._number, command)
        return answer

    def _send(self, command: str) -> None:
        self._number += 1
        # Whether it has ended is learnt from its output.
        with suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.write(f"{self._number} {command}\n".encode())

    def close(self) -> None:
        """Tell the engine to quit, and kill it if it does not. A forked process leaves its parent's engine alone."""
        atexit.unregister(self.close)
        if self._starter != os.getpid():
            return
        if self._process.returncode is None:
            self._send("quit")
            try:
                # Its answer is waited for: it may fail where nobody reads it.
                self._process.communicate(timeout=_PATIENCE)
            except subprocess.TimeoutExpired:
                self._kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _kill(self) -> None:
        """Kill it and, where systems know groups of processes, what it has started."""
        kill_session(self._process.pid)
        self._process.kill()
        self._process.wait()


def _words(command: Sequence[str] | str | os.PathLike[str]) -> list[str]:
    """Return the words of a command; raises EngineError if there is none."""
    if isinstance(command, os.PathLike):
        return [os.fsdecode(command)]
    try:
        words = split_command(command) if isinstance(command, str) else [os.fsdecode(word) for word in command]
    except (TypeError, ValueError) as error:
        raise EngineError(f"expected the command of an engine, got {quoted(str(command))}: {error}") from None
    if not words:
        raise EngineError("expected the command of an engine, got nothing")
    return words


def _one_move(known: State, now: State) -> str:
    """Return the command that tells of the one move from a position to the next; '' if no move leads there."""
    mover = known.to_move
    added = known.grid.points_of(now.stones(mover) & ~known.stones(mover)) if known.grid is now.grid else []
    move = added[0] if added else PASS
    after = known.after(move)
    leads_there = (after.black, after.white) == (now.black, now.white) and now.to_move == after.to_move
    return play_command(mover, move, now.grid.size) if leads_there else ""
