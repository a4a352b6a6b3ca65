"""A sandbox as the harness holds it: it gives orders to the keeper, and reads the kernel's account of what is inside.

The keeper's answers are trusted. If one fails, that is the harness's own fault, a HarnessFaultError. What the submission's
processes say is read by `tournament.sandbox.supervisor` and the seats. What they print comes through a pipe and is only kept.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from common.excerpts import printable
from tournament.errors import HarnessFaultError
from tournament.inside.protocol import Channel, Message, ProtocolError
from tournament.sandbox.accounts import GroupAccount, Usage
from tournament.sandbox.capture import Printout
from tournament.sandbox.cgroups import Group
from tournament.sandbox.transcripts import Piece

# The keeper is ours, and follows an order in milliseconds, a slow kill apart.
_PATIENCE = 60.0

# How many bytes of what was printed since the last question are kept separately.
_LATEST = 16 * 1024

_AT_ONCE = 1 << 16
# A pipe holds 1 MiB at the most, unless root has made it longer.
_MOST_READS = 16


class Sandbox:
    """One sandbox. process: what was started; control: the harness's end of the keeper's socket; group: the control group
    for its processes, None where there is none. Owns all three, and calls `tidy` when it is closed.

    pipe: the read end of what is printed, -1 as long as there is none. A caller may poll it, and calls `drain` to read.
    image: whether the keeper makes the process that plays a game, as a copy of the one that loaded the submission.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], control: socket.socket, group: Group | None, tidy: Callable[[], None]
    ) -> None:
        self._process = process
        self._control = Channel(control)
        self._group = group
        self._tidy = tidy
        self._broken = False
        self._account = None if group is None else GroupAccount(group)
        self.image = False
        self._kills = 0
        self.pipe = -1
        self._home = ""
        self._printout = self._latest = Printout(0)
        control.settimeout(_PATIENCE)

    def begin(self, settings: Message) -> None:
        """Send the keeper its settings: the first message."""
        self._home = settings["home"]
        self._printout, self._latest = Printout(settings["log_kib"] << 10), Printout(_LATEST)
        self._tell(settings)

    def start(self) -> Channel:
        """Start the process that will load the submission, confined and in the control group; return the channel to it."""
        ours, theirs = socket.socketpair()
        self._forget_printed()
        try:
            if self._group is not None:
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            ours.settimeout(_PATIENCE)
            with theirs:
                self._tell({"do": "start"}, (theirs.fileno(),))
            # The kernel tells the sender's process id. Nothing of the submission is loaded yet, so nothing has been forked.
            hello, credentials, _, _ = ours.recvmsg(64, socket.CMSG_SPACE(12))
            if not hello:
                raise HarnessFaultError(f"a process could not be confined: {self._last_printed()}")
            if self._group is not None:
                self._group.add(struct.unpack("=iII", credentials[0][2])[0])
                self._kills = self._group.out_of_memory_kills()
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        except OSError as error:
            ours.close()
            raise HarnessFaultError(f"a process of the sandbox could not be started: {error}") from error
        except BaseException:
            ours.close()
            raise
        return Channel(ours)

    def settle(self) -> str:
        """Note that the submission is loaded; return why games may not be forks of the process that loaded it, '' if they may.

        What was printed so far is forgotten.
        """
        self._forget_printed()
        answer = self._tell({"do": "settle"})
        self.image = answer["image"]
        return str(answer["why_not"])

    def begin_game(self) -> None:
        """Make the folder for a game, and count CPU from now on."""
        self._tell({"do": "game"})
        self.count_from_now()

    def count_from_now(self) -> None:
        """Count CPU from now on, where the kernel does."""
        if self._account is not None:
            self._account.begin()

    def ask(self, text: str) -> str:
        """Write a program's new input.txt and remove its output.txt; return why that failed, '' if it did not."""
        self.drain()
        self._latest.clear()
        return str(self._tell({"do": "question", "text": text}).get("failed", ""))

    def output(self) -> tuple[Usage, Message]:
        """Kill all but the loading process; return what all have used, and output.txt as `AnswerFiles.take` found it."""
        used = None if self._account is None else self._account.usage()
        answer = self._tell({"do": "output"})
        return replace(used or _usage(answer), runnable=False), answer["output"]

    def built(self) -> Message:
        """Return what a compiler wrote: see `tournament.inside.built_files.read_built`."""
        return self._tell({"do": "built"})

    def stop(self) -> Usage:
        """Stop all the submission's processes; return what they have used."""
        return _usage(self._tell({"do": "stop"})) if self._account is None else self._account.stop()

    def go(self) -> None:
        """Let them run on."""
        if self._account is None:
            self._send({"do": "go"})
        else:
            self._account.go()

    def usage(self) -> Usage:
        """Return what the submission's processes have used so far."""
        return _usage(self._tell({"do": "usage"})) if self._account is None else self._account.usage()

    def ran_out_of_memory(self) -> bool:
        """Tell whether the kernel has killed one of them at the memory limit since this was last asked."""
        if self._group is None:
            return False
        before, self._kills = self._kills, self._group.out_of_memory_kills()
        return self._kills > before

    def transcript(self) -> list[Piece]:
        """Return what was printed since the game began; all live on, and the next game's begins anew."""
        self.drain()
        pieces = [(ply, text.replace(f"{self._home}/", "")) for ply, text in self._printout.pieces()]
        self._forget_printed()
        return pieces

    def clear(self) -> list[Piece]:
        """Kill all but the process that loaded the submission; return what was printed since the game began."""
        return self._end("clear")

    def kill(self) -> list[Piece]:
        """Kill all; return what was printed."""
        return self._end("kill")

    def _end(self, what: str) -> list[Piece]:
        if self._account is not None:
            self._account.thaw()
        self._tell({"do": what})
        return self.transcript()

    # What is printed

    def drain(self) -> None:
        """Read what is in the pipe now. The number of reads is limited, so that a flood cannot hold us here."""
        for _ in range(_MOST_READS if self.pipe >= 0 else 0):
            try:
                piece = os.read(self.pipe, _AT_ONCE)
            except BlockingIOError:
                return
            if not piece:  # the keeper is gone
                self._close_pipe()
                return
            self._printout.add(piece)
            self._latest.add(piece)

    def mark(self, ply: int) -> None:
        """Count what is printed from now on as printed at this move; moves are counted from 1 over both players."""
        self.drain()
        self._printout.mark(ply)

    def printed(self) -> str:
        """Return head and tail of what was printed since this was last asked, or since a program's question."""
        said = self.said()
        self._latest.clear()
        return said

    def said(self) -> str:
        """Return the same without forgetting it. The submission's folder is cut from the paths in it."""
        self.drain()
        return self._latest.text().replace(f"{self._home}/", "")

    def _last_printed(self) -> str:
        """Kill all; return the end of what was printed, on one line."""
        return printable("".join(text for _, text in self.kill())[-300:], 300)

    def _forget_printed(self) -> None:
        self.drain()
        self._printout.clear()
        self._latest.clear()

    def _close_pipe(self) -> None:
        if self.pipe >= 0:
            os.close(self.pipe)
            self.pipe = -1

    def close(self) -> None:
        """Kill everything, and remove what the sandbox has left behind. Never raises."""
        self._control.close()
        self._close_pipe()
        with contextlib.suppress(OSError):
            if self._account is not None:
                self._account.thaw()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        with contextlib.suppress(OSError):
            if self._group is not None:
                self._group.close()
        self._tidy()

    def check(self) -> None:
        """Raise HarnessFaultError if the keeper is gone. Its end takes the submission's processes along, whose fault it is not.

        The kernel closes its socket before it kills the other processes of its namespace, so no player is seen dead before.
        """
        poll = select.poll()
        poll.register(self._control.socket, select.POLLIN)
        try:
            # Looked at first: a socket with a time-out waits even if told not to.
            gone = bool(poll.poll(0)) and not self._control.socket.recv(1, socket.MSG_PEEK)
        except OSError:
            gone = True
        if gone:
            self._break_down(ProtocolError("its keeper is gone"))

    def _tell(self, order: Message, descriptors: tuple[int, ...] = ()) -> Message:
        self._send(order, descriptors)
        try:
            if descriptors:
                # This is "start": its answer brings the read end of the new process's output.
                answer, pipe = self._control.receive_with_descriptor()
                self._close_pipe()
                os.set_inheritable(pipe, False)
                self.pipe = pipe
            else:
                answer = self._control.receive_long()
        except (OSError, ProtocolError) as error:
            self._break_down(error)
        if answer.get("done") != order.get("do", "begin"):
            self._break_down(ProtocolError(f"answered {answer.get('done')!r} to {order.get('do')!r}"))
        return answer

    def _send(self, order: Message, descriptors: tuple[int, ...] = ()) -> None:
        if self._broken:
            raise HarnessFaultError("a sandbox has broken down")
        try:
            self._control.send(order, descriptors)
        except ProtocolError as error:
            self._break_down(error)

    def _break_down(self, error: Exception) -> NoReturn:
        """Trust nothing that this sandbox says from now on: a late answer would be taken for the answer to the next order."""
        self._broken = True
        raise HarnessFaultError(f"a sandbox broke down: {self._last_words() or error}") from error

    def _last_words(self) -> str:
        """Return the last line that the keeper or bubblewrap wrote to stderr, or else its exit status; '' if it still runs."""
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            return ""
        lines = self._process.stderr.read().decode(errors="replace").splitlines() if self._process.stderr else []
        return printable(lines[-1], 300) if lines else f"exit status {self._process.returncode}"


def _usage(answer: Message) -> Usage:
    return Usage(answer["cpu"], answer["idle"], answer["waited"], answer["memory"], answer["runnable"])
