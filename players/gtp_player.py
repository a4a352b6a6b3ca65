"""gtp:COMMAND: an engine that speaks GTP, as `gtp:gnugo --mode gtp --level 1`. Its process is started here, without a sandbox.

The board and the rules are the host's: what the engine's own board says is not believed. One process plays all games; it is
given a seed for each if it takes one. At its first move in a game, and whenever more than one move came since its last one,
the engine is told the whole position, stone by stone.
"""

from __future__ import annotations

import atexit
import os
import random
import shlex
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from common.excerpts import quoted
from common.programs import kill_session, search_path
from goban.errors import GtpError
from goban.grids import BLACK, WHITE
from goban.gtp_answers import Answer, Answers
from goban.gtp_games import (
    commands_listed,
    expect_id,
    generated_move,
    genmove_command,
    opening_commands,
    play_command,
    refused_move,
    refused_opening,
)
from goban.moves import PASS, RESIGN, Move, Resign
from goban.states import State
from players.errors import BadPlayerError
from players.host import Host

PREFIX = "gtp:"
_CHUNK = 65_536
_PATIENCE = 2.0
"""Seconds that an engine has to end when it is told to quit."""


class GtpPlayer:
    """Plays what an engine answers to genmove; may resign under all rules. Raises GtpError where the engine fails in a game.

    command: its words. Raises BadPlayerError if it cannot be started, GtpError if it does not speak GTP. close: ends the
    engine, as the end of our process does.
    """

    def __init__(self, command: Sequence[str], rng: random.Random) -> None:
        self._rng = rng
        self._engine = _Engine(command)
        self._known = commands_listed(self._engine.ask("list_commands").text)
        self.close = self._engine.end
        self._view: Host | None = None
        # The position as the engine knows it; None if it must be told anew.
        self._known_position: State | None = None

    def get_input(self, go: Host, piece_type: int) -> object:
        """Return the engine's move: a point, "PASS", or RESIGN."""
        state = go.position(piece_type)
        known = self._known_position if go is self._view else None
        self._view, self._known_position = go, None
        told = "" if known is None else _news(known, state)
        if told:
            self._tell(told, state)
        else:
            self._begin(state)
        move = self._move(state)
        if isinstance(move, Resign):
            return RESIGN
        if state.why_illegal(move) is None:
            self._known_position = state.after(move)
        return "PASS" if move is None else move

    def _begin(self, state: State) -> None:
        """Have the engine begin a game that stands as this one does."""
        size, rules = state.grid.size, state.rules
        for command in opening_commands(size, rules.komi(size), self._known, self._rng.getrandbits(64)):
            answer = self._engine.ask(command)
            if not answer.ok:
                raise GtpError(refused_opening(command, answer.text))
        for colour in (BLACK, WHITE):
            for point in state.grid.points_of(state.stones(colour)):
                self._tell(play_command(colour, point, size), state)

    def _tell(self, command: str, state: State) -> None:
        answer = self._engine.ask(command)
        if not answer.ok:
            raise GtpError(refused_move(command, f"? {answer.text}", state.rules))

    def _move(self, state: State) -> Move:
        command = genmove_command(state.to_move)
        answer = self._engine.ask(command)
        if not answer.ok:
            raise GtpError(f"it answers {command} with {quoted(f'? {answer.text}')}")
        return generated_move(answer.text, state.grid.size)


def _news(known: State, now: State) -> str:
    """Return the command that tells of the one move from a position to the next; '' if no move leads there."""
    mover = known.to_move
    added = known.grid.points_of(now.stones(mover) & ~known.stones(mover)) if known.grid is now.grid else []
    move = added[0] if added else PASS
    after = known.after(move)
    leads_there = (after.black, after.white) == (now.black, now.white) and now.to_move == after.to_move
    return play_command(mover, move, now.grid.size) if leads_there else ""


class _Engine:
    """The engine's process. It is ended with ours."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            # In a session of its own: Ctrl-C is for the host.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={**os.environ, "PATH": search_path()},
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BadPlayerError(f"engine {quoted(command[0])} cannot be started: {reason}") from None
        atexit.register(self.end)
        self._answers = Answers()
        self._number = 0

    def ask(self, command: str) -> Answer:
        """Return the answer to a command; raises GtpError if there is none."""
        self._send(command)
        while (answer := self._answers.take()) is None:
            output = self._process.stdout
            data = b"" if output is None else os.read(output.fileno(), _CHUNK)
            if not data:
                raise GtpError(f"the engine has ended, without an answer to {quoted(command)}")
            self._answers.feed(data)
        expect_id(answer.id, self._number, command)
        return answer

    def _send(self, command: str) -> None:
        self._number += 1
        # Whether it has ended is learnt from its output.
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.write(f"{self._number} {command}\n".encode())

    def end(self) -> None:
        """Have it quit, and kill it if it does not."""
        atexit.unregister(self.end)
        self._send("quit")
        try:
            # Its answer is waited for: it may fail where nobody reads it.
            self._process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill()

    def _kill(self) -> None:
        """Kill it and, where systems know groups of processes, what it has started."""
        kill_session(self._process.pid)
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def engine_player(name: str, rng: random.Random) -> GtpPlayer:
    """Return a player for `gtp:COMMAND`, whose words are as in a shell. Raises BadPlayerError."""
    try:
        words = shlex.split(name.removeprefix(PREFIX))
    except ValueError as error:
        raise BadPlayerError(f"expected an engine as {PREFIX}COMMAND, got {quoted(name)}: {error}") from None
    if not words:
        raise BadPlayerError(f"expected an engine as {PREFIX}COMMAND, got {quoted(name)}")
    try:
        return GtpPlayer(words, rng)
    except GtpError as error:
        raise BadPlayerError(f"player {quoted(name)}: {error}") from None
