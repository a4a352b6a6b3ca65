"""The messages between harness and sandbox: one JSON object a line, over a socket of their own.

Between the harness and a player's process, of which nothing is believed:

    harness -> player   {"ask": 3, "state": [...], "complaint": ""}      perhaps with "follow": true, "where": true
    player -> harness   {"answer": 3, "move": [1, 2]}  or "PASS" or "RESIGN"
                        {"answer": 3, "move": [1, 2], "remark": ...}   a move that is illegal, and what may be the reason
                        {"answer": 3, "text": "(1.5, 2)", "why": ...}  something that is no move, as text, and why it is none
                        {"answer": 3, "error": {...}}                the player raised an exception
                        any of these with "came_from": [...]         where it was returned, if that was asked

The harness reads such lines up to a size limit, and accepts plain JSON types only. Anything else is a ProtocolError, which
the seat turns into a verdict.
"""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterable
from typing import Any, Protocol

from goban.common.excerpts import printable, quoted
from goban.common.player_faults import CHANGED_BOARD
from goban.grids import Grid, History
from goban.moves import Remarked, Unreadable
from goban.points import Point
from goban.rulesets import RuleSet
from goban.states import State

Message = dict[str, Any]

LINE_LIMIT = 64 * 1024
"""Bytes of the longest line that is read. The longest honest one is a traceback of 4,000 characters."""

WHERE = getattr(signal, "SIGRTMAX", 0) - 1
"""The signal by which a process that is loading a submission is asked where it is; it prints the calls that lead there."""


class ProtocolError(Exception):
    """The other side sent something that is no message, or did not read what it was sent."""


class ClosedError(ProtocolError):
    """The other side has closed the channel."""


class Conversation(Protocol):
    """What a game asks and answers through; a `Channel`, or where there is no sandbox two pipes."""

    def send(self, message: Message) -> None:
        """Send a message; raises ClosedError if the other side is gone."""

    def receive(self) -> Message:
        """Wait for the next message; raises ClosedError when no more can come."""


class Channel:
    """One end of a conversation. Owns its socket."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        self._pending = b""

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message, with open files if any.

        Raises ClosedError if the other side is gone, ProtocolError if it does not read the message within the socket's timeout.
        """
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        try:
            if descriptors:
                sent = socket.send_fds(self.socket, [line], list(descriptors))
                line = line[sent:]
            if line:
                self.socket.sendall(line)
        except (TimeoutError, BlockingIOError):
            raise ProtocolError("a message was not read") from None
        except OSError as error:
            raise ClosedError(f"a message could not be sent: {error.strerror}") from None

    def take(self) -> Message | None:
        """Return the next message that has already been read from the socket, None if there is none. Never waits.

        Raises ProtocolError for a line that is too long or is no message.
        """
        line, newline, rest = self._pending.partition(b"\n")
        if not newline:
            if len(self._pending) > LINE_LIMIT:
                raise ProtocolError(f"sent a line of more than {LINE_LIMIT // 1024} KiB")
            return None
        self._pending = rest
        return read_message(line)

    def fill(self) -> None:
        """Read what has arrived, at most LINE_LIMIT bytes; waits for the first if the socket blocks.

        Raises ClosedError when the channel has been closed.
        """
        try:
            piece = self.socket.recv(LINE_LIMIT)
        except BlockingIOError:
            return
        except TimeoutError:
            raise
        except OSError as error:
            raise ClosedError(f"the channel broke: {error.strerror}") from None
        if not piece:
            raise ClosedError("the channel was closed")
        self._pending += piece

    def receive(self) -> Message:
        """Wait for the next message. Raises TimeoutError when the socket does."""
        while True:
            message = self.take()
            if message is not None:
                return message
            self.fill()

    def receive_long(self) -> Message:
        """Like `receive`, without a limit on the line's length. Only for a side that is trusted."""
        while b"\n" not in self._pending:
            self.fill()
        return self.receive()

    def receive_with_descriptor(self) -> tuple[Message, int]:
        """Wait for a message that may bring an open file; return both, -1 for no file. Only for a side that is trusted."""
        message, descriptors = self.receive_with_descriptors(1)
        return message, descriptors[0] if descriptors else -1

    def receive_with_descriptors(self, most: int) -> tuple[Message, list[int]]:
        """The same for any number of open files up to `most`."""
        line, descriptors, _, _ = socket.recv_fds(self.socket, LINE_LIMIT, most)
        if not line:
            raise ClosedError("the channel was closed")
        self._pending += line
        try:
            return self.receive(), descriptors
        except BaseException:
            close_files(descriptors)
            raise

    def fileno(self) -> int:
        """Return the socket's descriptor, -1 once it is closed."""
        return self.socket.fileno()

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


def close_files(descriptors: Iterable[int]) -> None:
    """Close open files that came with a message and that nobody has taken."""
    for descriptor in descriptors:
        os.close(descriptor)


def read_message(line: bytes) -> Message:
    """Return the JSON object on a line; raises ProtocolError for anything else."""
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ProtocolError(f"sent a line that is no message: {line[:60]!r}") from None
    if type(message) is not dict:
        raise ProtocolError(f"sent a line that is no message: {line[:60]!r}")
    return message


def encode_state(state: State) -> list[object]:
    """Return a state as plain data, without its rules and size."""
    past = state.history.entries(state.n_move) if state.history is not None and state.rules.needs_history else ()
    return [
        state.black, state.white, state.empty, state.to_move, state.n_move, *state.previous, state.captured,
        state.last_point, state.passed, list(past),
    ]  # fmt: skip


def decode_state(data: list[Any], rules: RuleSet, grid: Grid) -> State:
    """Return the state that `encode_state` wrote; the data are trusted."""
    black, white, empty, to_move, n_move, old_black, old_white, captured, last, passed, past = data
    last_point: Point | None = None if last is None else (last[0], last[1])
    return State(
        rules, grid, black, white, empty, to_move, n_move, (old_black, old_white), captured, last_point, passed,
        History(past) if past else None,
    )  # fmt: skip


def read_move(message: Message) -> object:
    """Return the answer in a player's message: (row, column), 'PASS', 'RESIGN', Unreadable, or Remarked.

    Raises ProtocolError for anything the worker would not have written.
    """
    if message.keys() == {"answer", "text", "why"} and type(message["text"]) is type(message["why"]) is str:
        return Unreadable(printable(message["text"], 200), printable(message["why"], 300))
    move = message.get("move")
    if message.keys() == {"answer", "move", "remark"} and message["remark"] == CHANGED_BOARD:
        return Remarked(read_move({"answer": message["answer"], "move": move}), CHANGED_BOARD)
    if message.keys() == {"answer", "move"}:
        if type(move) is str and move in ("PASS", "RESIGN"):
            return move
        if type(move) is list and len(move) == 2 and all(type(part) is int for part in move):
            return move[0], move[1]
    raise ProtocolError(f"sent no answer: {quoted(message)}")
