"""A sandbox as the harness holds it: it gives orders to the keeper, and reads the kernel's account of what is inside.

The keeper's answers are trusted. If one fails, that is the harness's own fault, a HarnessFaultError. What the submission's
processes say is read by `gojudge.sandbox.supervisor` and the seats. What they print comes through a pipe and is only kept.

Where there is a control group, it counts what the processes have used; elsewhere the keeper does (`gojudge.inside.processes`).
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

from goban.common.excerpts import printable
from gojudge.errors import HarnessFaultError, SpoiltSandboxError
from gojudge.inside.process_table import ProcessTable, RunDelays
from gojudge.inside.processes import IdleCpu
from gojudge.inside.protocol import Channel, Message, ProtocolError, close_files
from gojudge.sandbox.cgroups import Group
from gojudge.sandbox.faults import has_all_calls
from gojudge.sandbox.transcripts import Piece, Printout, refused_calls

# The keeper is ours, and follows an order in milliseconds, a slow kill apart.
_PATIENCE = 60.0

# How many bytes of what was printed since the last question are kept separately.
_LATEST = 16 * 1024

# How long we wait for a process to print where it is, again and again while it prints.
_CALLS_MS, _MOST_CALLS = 300, 10

_AT_ONCE = 1 << 16
# How many files an answer brings at most.
_MOST_FILES = 3

MOST_PRINTED = 16 << 20
"""Bytes that may be printed from one question to the next, while a submission is loaded, or while a player is made."""

# A pipe holds 1 MiB at the most, unless root has made it longer.
_MOST_READS = 16


class Sandbox:
    """One sandbox. process: what was started; control: the harness's end of the keeper's socket; group: the control group
    for its processes, None where there is none. Owns all three, and calls `tidy` when it is closed.

    pipe: the read end of what is printed, -1 as long as there is none. A caller may poll it, and calls `drain` to read.
    home: what the processes inside call the submission's folder.
    exposed: whether code of the submission may have run here. From then on all that fails is its fault, whatever it is: see
    `_break_down`. That the keeper is killed is not, since nothing in a sandbox can do that.
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
        self.exposed = False
        # Whether games are copies or forks of the process that loaded the submission, and whether they are copies.
        self._forks = self._copies = False
        self._read = 0
        self._kills = 0
        self.pipe = -1
        self.home = ""
        self._printout = self._latest = Printout(0)
        # Where it is, since it was asked.
        self._calls: Printout | None = None
        control.settimeout(_PATIENCE)

    def begin(self, settings: Message) -> None:
        """Send the keeper its settings: the first message."""
        self.home = settings["home"]
        self._printout, self._latest = Printout(settings["log_kib"] << 10), Printout(_LATEST)
        self._tell(settings)

    def start(self) -> Channel:
        """Start the process that will load the submission, confined and in the control group; return the channel to it."""
        self._forget_printed()
        self._forks = self._copies = False
        self._read = 0
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                if self._group is not None:
                    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
                ours.settimeout(_PATIENCE)
                self._tell_for_files({"do": "start"}, (theirs.fileno(),))
            # The kernel tells the sender's process id. Nothing of the submission is loaded yet, so nothing has been forked.
            hello, credentials, _, _ = ours.recvmsg(64, socket.CMSG_SPACE(12))
            if not hello:
                self._break_down(f"a process could not be confined: {self._last_printed()}")
            if self._group is not None:
                self._group.add(struct.unpack("=iII", credentials[0][2])[0])
                self._kills = self._group.out_of_memory_kills()
                ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        except OSError as error:
            ours.close()
            self._break_down(f"a process of the sandbox could not be started: {error}")
        except BaseException:
            ours.close()
            raise
        # The next message may have it loaded.
        self.exposed = True
        return Channel(ours)

    def settle(self, alone: bool = False) -> tuple[str, Channel | None]:
        """Note that the submission is loaded; return why games may not be forks of the process that loaded it, '' if they may.

        If the keeper makes games as copies of that process, the process is gone, and the keeper reports over the returned
        channel how the copies end. What was printed so far is forgotten. alone: that process is to play a game, and no other.
        """
        self._forget_printed()
        if alone:
            return "each game is to load it anew", None
        answer, files = self._tell_for_files({"do": "settle"})
        self._forks, self._copies = not answer["why_not"], bool(files)
        reports = Channel(socket.socket(fileno=files[0])) if files else None
        return str(answer["why_not"]), reports

    def begin_game(self) -> tuple[int, ...]:
        """Make the folder for a game, and count CPU from now on.

        Returns open files: the socket of the copy that will play, or what a program's processes are to have as standard input
        and output; none if the process that has loaded the submission plays or forks.
        """
        group = self._group if self._forks else None
        if group is not None:
            with self._counting():
                group.renew()
        _, files = self._tell_for_files({"do": "game"})
        if group is not None and self._copies:
            group.prepare()
        self._read = 0
        try:
            self.count_from_now()
        except BaseException:
            close_files(files)
            raise
        return files

    def count_from_now(self) -> None:
        """Count CPU from now on, where the kernel does."""
        if self._account is not None:
            with self._counting():
                self._account.begin()

    def ask(self, text: str) -> str:
        """Write a program's new input.txt and remove its output.txt; return why that failed, '' if it did not."""
        self.drain()
        self._latest.clear()
        return str(self._tell({"do": "question", "text": text}).get("failed", ""))

    def output(self) -> tuple[Usage, Message]:
        """Kill all but the loading process; return what all have used, and output.txt as `AnswerFiles.take` found it."""
        used = None if self._account is None else self.usage()
        answer = self._tell({"do": "output"})
        return replace(used or _usage(answer), runnable=False), answer["output"]

    def read_built(self) -> Message:
        """Return what a compiler wrote: see `gojudge.inside.keeper.read_built`."""
        return self._tell({"do": "built"})

    def stop(self) -> Usage:
        """Stop all the submission's processes; return what they have used."""
        if self._account is None:
            return _usage(self._tell({"do": "stop"}))
        with self._counting():
            return self._account.stop()

    def go(self) -> None:
        """Let them run on."""
        if self._account is None:
            self._send({"do": "go"})
            return
        with self._counting():
            self._account.go()

    def usage(self) -> Usage:
        """Return what the submission's processes have used so far."""
        if self._account is None:
            return _usage(self._tell({"do": "usage"}))
        with self._counting():
            return self._account.usage()

    def ran_out_of_memory(self) -> bool:
        """Tell whether the kernel has killed one of them at the memory limit since this was last asked."""
        if self._group is None:
            return False
        with self._counting():
            before, self._kills = self._kills, self._group.out_of_memory_kills()
        return self._kills > before

    def transcript(self) -> list[Piece]:
        """Return what was printed since the game began; all live on, and the next game's begins anew.

        Before it stands which system calls were refused, if any were: at the import, or since then.
        """
        return self._transcript(self._tell({"do": "refused"}))

    def _transcript(self, answer: Message) -> list[Piece]:
        self.drain()
        pieces = [(ply, text.replace(f"{self.home}/", "")) for ply, text in self._printout.pieces()]
        self._forget_printed()
        return [*refused_calls(answer["refused"]), *pieces]

    def clear(self) -> list[Piece]:
        """Kill all but the process that loaded the submission; return what was printed since the game began."""
        pieces = self._end("clear")
        if self._group is not None and self._forks and not self._copies:
            # What forks had to stay where its forks were to be.
            self._group.prepare()
        return pieces

    def kill(self) -> list[Piece]:
        """Kill all; return what was printed."""
        return self._end("kill")

    def _end(self, what: str) -> list[Piece]:
        if self._account is not None:
            with self._counting():
                self._account.thaw()
        return self._transcript(self._tell({"do": what}))

    @contextlib.contextmanager
    def _counting(self) -> Iterator[None]:
        """Break down if what is done with the control group fails."""
        try:
            yield
        except OSError as error:
            self._break_down(f"its control group cannot be used: {error}")

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
            self._read += len(piece)
            for output in (self._calls,) if self._calls is not None else (self._printout, self._latest):
                output.add(piece)

    @property
    def flooded(self) -> bool:
        """Whether more has been printed than may be: reading it takes our time, and as long as it comes there is no end."""
        return self._read > MOST_PRINTED

    def mark(self, ply: int) -> None:
        """Count what is printed from now on as printed at this move; moves are counted from 1 over both players."""
        self.drain()
        self._read = 0
        self._printout.mark(ply)

    def printed(self) -> str:
        """Return head and tail of what was printed since this was last asked, or since a program's question."""
        text = self.said()
        self._latest.clear()
        return text

    def said(self) -> str:
        """Return the same without forgetting it. The submission's folder is cut from the paths in it."""
        self.drain()
        return self._latest.text().replace(f"{self.home}/", "")

    def calls(self) -> str:
        """Ask the process that loads the submission, or plays, where it is; return what it prints then. Paths are its own.

        The answer is ours, and comes in pieces: from now on nothing is kept of what is printed before all is ended.
        """
        self.drain()
        self._calls = calls = Printout(_LATEST)
        self._tell({"do": "where"})
        # It may not answer at all: what it prints is its own affair.
        for _ in range(_MOST_CALLS):
            if self.pipe < 0 or has_all_calls(calls.text()):
                break
            poll = select.poll()
            poll.register(self.pipe, select.POLLIN)
            poll.poll(_CALLS_MS)
            self.drain()
        return calls.text()

    def _last_printed(self) -> str:
        """Kill all; return the last line that was printed, of a traceback what was raised."""
        return printable("".join(text for _, text in self.kill()).rstrip().rpartition("\n")[2], 300)

    def _forget_printed(self) -> None:
        self.drain()
        self._calls = None
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
        if self._broken:
            self._process.kill()
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
            self._break_down(ConnectionError("its keeper is gone"))

    def _tell(self, order: Message) -> Message:
        """Give an order; return the answer."""
        self._send(order)
        try:
            answer = self._control.receive_long()
        except (OSError, ProtocolError) as error:
            self._break_down(error)
        return self._check(order, answer)

    def _tell_for_files(self, order: Message, descriptors: tuple[int, ...] = ()) -> tuple[Message, tuple[int, ...]]:
        """Give an order whose answer may bring open files, the read end of what will be printed first; return both.

        That end is kept here, and not returned.
        """
        self._send(order, descriptors)
        try:
            answer, files = self._control.receive_with_descriptors(_MOST_FILES)
        except (OSError, ProtocolError) as error:
            self._break_down(error)
        try:
            for file in files:
                os.set_inheritable(file, False)
            if files and order["do"] != "settle":
                self._close_pipe()
                self.pipe = files.pop(0)
            return self._check(order, answer), tuple(files)
        except BaseException:
            close_files(files)
            raise

    def _check(self, order: Message, answer: Message) -> Message:
        if "broken" in answer:
            self._break_down(answer["broken"])
        if answer.get("done") != order.get("do", "begin"):
            self._break_down(f"its keeper answered {answer.get('done')!r} to {order.get('do')!r}")
        return answer

    def _send(self, order: Message, descriptors: tuple[int, ...] = ()) -> None:
        if self._broken:
            raise HarnessFaultError("a sandbox has broken down")
        try:
            self._control.send(order, descriptors)
        except ProtocolError as error:
            self._break_down(error)

    def _break_down(self, why: Exception | str) -> NoReturn:
        """Raise SpoiltSandboxError if the failure is the submission's fault, else HarnessFaultError.

        Nothing that this sandbox says is trusted from now on: a late answer would be taken for the answer to the next order.
        """
        self._broken = True
        # A keeper that was waited for in vain has not ended.
        ended = isinstance(why, Exception) and not isinstance(why, TimeoutError)
        words, killed = self._last_words() if ended else ("", False)
        reason = printable(words or str(why), 300)
        if self.exposed and not killed:
            raise SpoiltSandboxError(f"its sandbox broke down once its code had run there: {reason}")
        raise HarnessFaultError(f"a sandbox broke down: {reason}")

    def _last_words(self) -> tuple[str, bool]:
        """Return the last line that the keeper or bubblewrap wrote to stderr, or else its exit status, '' if it still runs; and
        whether it was killed."""
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "", False
        lines = self._process.stderr.read().decode(errors="replace").splitlines() if self._process.stderr else []
        # Bubblewrap ends with 128 and the signal that the keeper was killed by.
        return lines[-1] if lines else f"exit status {status}", status < 0 or status > 128


def _usage(answer: Message) -> Usage:
    return Usage(answer["cpu"], answer["idle"], answer["waited"], answer["memory"], answer["runnable"])


# For how many seconds we check whether all have stopped: the first time in a game, and after that has failed once.
_STOPPED_WITHIN, _STUBBORN_WITHIN = 0.1, 0.005


@dataclass(frozen=True)
class Usage:
    """What a submission's processes have used since the game began.

    cpu: seconds in which they ran, added up; idle: the part of them used between a stop and the next go; waited: seconds in
    which they wanted a core and had none, added up, 0 where the kernel does not count it; memory: bytes held now, 0 where the
    kernel itself enforces that limit. runnable: whether one of them runs or wants a core now; False after a stop.
    """

    cpu: float = 0.0
    idle: float = 0.0
    waited: float = 0.0
    memory: int = 0
    runnable: bool = False


class GroupAccount:
    """The account of one control group. It also stops the group, so that what is used meanwhile can be told apart."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._table = ProcessTable()
        self._delays, self._idle = RunDelays(self._table), IdleCpu()
        self._cpu_before = self._waited_before = 0.0
        self._patience = _STOPPED_WITHIN

    def begin(self) -> None:
        """Begin a game: count from now on. Processes that are stopped stay so."""
        self._cpu_before = self._group.cpu()
        self._idle.begin(self._cpu_before)
        self._waited_before = self._delays.total(self._group.tasks())
        self._patience = _STOPPED_WITHIN

    def stop(self) -> Usage:
        """Stop all processes; return what they have used.

        As a rule all are seen stopped. One that stays awake somehow is not waited for: its CPU is counted from here on.
        """
        if not self._group.freeze(self._patience):
            self._patience = _STUBBORN_WITHIN
        cpu = self._group.cpu()
        self._idle.stop(cpu)
        return self._usage(cpu, self._group.tasks())

    def go(self) -> None:
        """Let them run on."""
        self._idle.go(self._group.cpu())
        self._group.thaw()

    def thaw(self) -> None:
        """Let them run, or die: the game is over. What is frozen cannot die."""
        self._idle.end()
        self._group.thaw()

    def usage(self) -> Usage:
        """Return what they have used, while they run."""
        tasks = self._group.tasks()
        used = self._usage(self._group.cpu(), tasks)
        return replace(used, runnable=any(self._table.state(task) == b"R" for task in tasks))

    def _usage(self, cpu: float, tasks: list[int]) -> Usage:
        waited = self._delays.total(tasks) - self._waited_before
        return Usage(cpu - self._cpu_before, self._idle.seconds, waited)
