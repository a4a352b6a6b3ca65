"""What harness and sandbox say to each other: one JSON object a line, over a socket of its own.

Between the harness and a player's process, which is not trusted with anything:

    harness -> player   {"ask": 3, "state": [...], "complaint": ""}
    player -> harness   {"answer": 3, "move": [1, 2]}  or "PASS" or "RESIGN"
                        {"answer": 3, "text": "(1.5, 2)"}            something that is no move, as text
                        {"answer": 3, "error": {...}}                the player raised an exception

The harness reads such lines with a size cap, plain JSON types and no surprises; whatever else comes is a ProtocolError,
which the seat turns into a verdict.
"""

from __future__ import annotations

import json
import socket
from typing import Any

from goban.grids import Grid
from goban.history import History
from goban.points import Point
from goban.rulesets import RuleSet
from goban.states import State

Message = dict[str, Any]

LINE_LIMIT = 64 * 1024
"""Bytes of the longest line that is read. The longest honest one is a traceback of 4,000 signs."""

# An answer is read as numbers as long as both lie below this; on no board can it be legal beyond.
LARGEST_NUMBER = 1_000_000


class ProtocolError(Exception):
    """The other side sent something that is no message."""


class ClosedError(ProtocolError):
    """The other side has closed the channel."""


class Channel:
    """One end of a conversation. Owns its socket."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        self._pending = b""

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message, with open files if any; raises ClosedError if nobody will read it.

        ProtocolError if the other side does not take it in the time the socket has.
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
        """Return the next message that has arrived already, None if there is none; never waits for more bytes."""
        line, newline, rest = self._pending.partition(b"\n")
        if not newline:
            if len(self._pending) > LINE_LIMIT:
                raise ProtocolError(f"sent a line of more than {LINE_LIMIT // 1024} KiB")
            return None
        self._pending = rest
        return read_message(line)

    def fill(self) -> None:
        """Read what has arrived, at most a line's limit; blocks if nothing has. Raises ClosedError at the end."""
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
        """Wait for the next message, for as long as the socket waits; TimeoutError passes through."""
        while True:
            message = self.take()
            if message is not None:
                return message
            self.fill()

    def receive_long(self) -> Message:
        """The same without a limit on the line's length. For the trusting side only."""
        while b"\n" not in self._pending:
            self.fill()
        return self.receive()

    def receive_with_descriptor(self) -> tuple[Message, int]:
        """Wait for a message that brings an open file; -1 if it brings none. For the trusting side only."""
        line, descriptors, _, _ = socket.recv_fds(self.socket, LINE_LIMIT, 1)
        if not line:
            raise ClosedError("the channel was closed")
        self._pending += line
        return self.receive(), descriptors[0] if descriptors else -1

    def close(self) -> None:
        """Close the socket."""
        self.socket.close()


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
    """Return a state as plain data, rules and size left out."""
    past = state.history.entries(state.n_move) if state.history is not None and state.rules.needs_history else ()
    return [
        state.black, state.white, state.empty, state.to_move, state.n_move, *state.previous, state.captured,
        state.last_point, state.passed, list(past),
    ]  # fmt: skip


def decode_state(data: list[Any], rules: RuleSet, grid: Grid) -> State:
    """Return the state `encode_state` wrote; the data are trusted."""
    black, white, empty, to_move, n_move, old_black, old_white, captured, last, passed, past = data
    last_point: Point | None = None if last is None else (last[0], last[1])
    return State(
        rules, grid, black, white, empty, to_move, n_move, (old_black, old_white), captured, last_point, passed,
        History(past) if past else None,
    )  # fmt: skip


class NotAMove:
    """An answer that is no move, as the player's side describes it; no reader of answers takes it for one."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def read_move(message: Message) -> object:
    """Return the answer in a player's message: (row, column), 'PASS', 'RESIGN' or NotAMove.

    Raises ProtocolError for anything the worker would not have written.
    """
    if message.keys() == {"answer", "text"} and type(message["text"]) is str:
        return NotAMove(message["text"][:200])
    move = message.get("move")
    if message.keys() == {"answer", "move"}:
        if type(move) is str and move in ("PASS", "RESIGN"):
            return move
        if type(move) is list and len(move) == 2 and all(type(part) is int for part in move):
            return move[0], move[1]
    raise ProtocolError(f"sent no answer: {json.dumps(message)[:60]}")
