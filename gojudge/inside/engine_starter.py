"""The process that starts a GTP engine, and says how it ends. It is confined like every process of a sandbox; so is the engine.

The harness talks GTP to the engine itself, through two pipes that come with the order. It asks this process over a socket:

    -> {"hello": 1}                                          confined
    <- {"engine": ["gnugo", ...], "path": where it is looked for} + its standard input and output
                                     -> {"started": ""}      or why not, as 'No such file or directory'
                                     -> {"ended": status}    the engine has ended; a status as os.waitpid has it
"""

from __future__ import annotations

import os
import signal
from typing import NoReturn

from gojudge.inside.protocol import Channel, ClosedError, Message


class EngineStarter:
    """Starts one engine. home: the folder in which it runs."""

    def __init__(self, channel: Channel, home: str) -> None:
        self._channel = channel
        self._home = home

    def run(self) -> None:
        """Follow the order, then wait until the harness closes the channel."""
        self._channel.send({"hello": 1})
        try:
            order, pipes = self._channel.receive_with_descriptors(2)
            self._start(order, pipes)
            self._channel.receive()
        except ClosedError:
            return

    def _start(self, order: Message, pipes: list[int]) -> None:
        # The engine closes it by becoming another program; until then it can say why that has failed.
        heard, said = os.pipe()
        engine = os.fork()
        if not engine:
            self._become(order["engine"], order["path"], pipes, said)
        for descriptor in (*pipes, said):
            os.close(descriptor)
        with open(heard, "rb") as failure:
            why_not = failure.read().decode()
        self._channel.send({"started": why_not})
        self._channel.send({"ended": os.waitpid(engine, 0)[1]})

    def _become(self, command: list[str], path: str, pipes: list[int], failure: int) -> NoReturn:
        try:
            self._channel.close()
            os.chdir(self._home)
            for number, pipe in enumerate(pipes):
                os.dup2(pipe, number)
                os.close(pipe)
            os.environ["PATH"] = path
            execute(command)
        except BaseException as error:
            os.write(failure, (getattr(error, "strerror", None) or type(error).__name__).encode())
        finally:
            os._exit(127)


_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def execute(command: list[str]) -> NoReturn:
    """Become the program of a command line, in the folder and environment that this process has. Raises OSError."""
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)
