"""Our ends of an engine's standard input and output, as something the supervisor can wait for."""

from __future__ import annotations

import os

from goban.errors import GtpError
from goban.gtp import Answers
from gojudge.inside.protocol import ClosedError, Message, ProtocolError

_CHUNK = 65_536


class GtpChannel:
    """A conversation in GTP, over two pipes that it makes and owns.

    engine_ends: what becomes the engine's standard input and output; to be closed by `hand_over` once the engine has them.
    number: the id of the last command.
    """

    def __init__(self) -> None:
        theirs_in, self._commands = os.pipe()
        self._written, theirs_out = os.pipe()
        self.engine_ends: tuple[int, ...] = theirs_in, theirs_out
        self.number = 0
        self._answers = Answers()
        for descriptor in (self._commands, self._written):
            os.set_blocking(descriptor, False)

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
