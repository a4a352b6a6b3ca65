"""The keeper: the first process in a sandbox. It is ours, and starts and stops everything else there.

It talks to the harness over a socket that no process of the submission has, and never loads, reads or believes anything of a
submission. What players print goes into a pipe; the harness has its other end. Orders are JSON lines. Each is answered by
one line, except "go":

    {"do": "start"} + socket   make the folder as handed in; start a process that will load the submission; the answer
                               brings the read end of the pipe
    {"do": "settle"}           the submission is loaded: say whether games may be forks of that process, and whether we make
                               them as copies of an image, see `tournament.inside.images`
    {"do": "game"}             make the folder for a game, and the copy that will play it
    {"do": "stop"}             stop all processes; say what they have used: see `Processes.usage`
    {"do": "go"}               let them run again
    {"do": "usage"}            say what they have used, while they run
    {"do": "question"} + text  programs only: write a new input.txt, remove output.txt
    {"do": "output"}           programs only: kill all but the loading process; return output.txt
    {"do": "built"}            return the files of the folder `.built`, which a compiler has written
    {"do": "clear"}            kill all processes but the loading one
    {"do": "kill"}             kill all processes

When a copy ends, the keeper reports that on the loading process's own channel, as such a process does that forks by itself.
When the harness closes its end, for whatever reason, the keeper kills all processes and ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from tournament.inside.answer_files import AnswerFiles
from tournament.inside.built_files import read_built
from tournament.inside.confinement import Confinement
from tournament.inside.images import Image
from tournament.inside.processes import Processes
from tournament.inside.protocol import Channel, ClosedError, Message
from tournament.inside.workdirs import Folder

Work = Callable[[socket.socket], None]
"""What the started process does: talk to the harness over a socket, and never return."""


class Keeper:
    """Keeps one submission's processes. home: its folder. work: what each started process runs; it confines itself first.

    images: whether games are played by copies that we make of the loading process.
    """

    def __init__(
        self,
        channel: Channel,
        folder: Folder,
        processes: Processes,
        confinement: Confinement,
        home: str,
        work: Work,
        images: bool,
    ) -> None:
        self._channel = channel
        self._folder = folder
        self._processes = processes
        self._confinement = confinement
        self._home = home
        self._files: AnswerFiles | None = None
        self._work = work
        self._images = images
        self._loader = 0
        self._image: Image | None = None
        # The copy that plays, as a descriptor of the process; -1 if there is none, or if its end has been reported.
        self._copy = -1
        self._nothing = os.open(os.devnull, os.O_RDONLY)
        self._pipe, self._player_output = os.pipe()
        os.set_blocking(self._pipe, False)
        # It is waited for instead.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})

    def run(self) -> None:
        """Follow orders until the harness closes its end."""
        order: Message | None
        try:
            while True:
                self._watch_copy()
                order, extra = self._channel.receive_with_descriptor()
                self._follow(order, extra)
                # An order that is not answered may arrive together with the next one.
                while (order := self._channel.take()) is not None:
                    self._follow(order, -1)
        except ClosedError:
            pass
        finally:
            self._processes.kill()
            self._folder.remove()

    def _follow(self, order: Message, descriptor: int) -> None:
        what = order["do"]
        answer: Message = {"done": what}
        descriptors: tuple[int, ...] = ()
        if what == "start":
            self._start(descriptor)
            descriptors = (self._pipe,)
        elif what == "settle":
            answer["why_not"] = self._settle()
            answer["image"] = self._image is not None
        elif what == "game":
            self._close_files()
            self._folder.for_game()
            self._processes.begin()
            self._make_copy()
        elif what == "stop":
            answer |= self._processes.stop()
        elif what == "usage":
            answer |= self._processes.usage()
        elif what == "go":
            self._processes.go()
            return
        elif what == "clear":
            self._clear()
        elif what == "kill":
            self._kill()
        else:
            answer |= self._follow_for_program(order)
        self._channel.send(answer, descriptors)

    def _follow_for_program(self, order: Message) -> Message:
        """Follow an order that is only given for programs; return what to answer."""
        what = order["do"]
        if what == "question":
            try:
                if self._files is None:
                    self._files = AnswerFiles(self._home, self._confinement.user)
                self._files.put(order["text"])
            except OSError as error:
                return {"failed": error.strerror}
        elif what == "output" and self._files is not None:
            usage = self._processes.usage()
            if self._processes.others(self._loader):
                self._processes.kill(spare=self._loader)
            return {**usage, "output": self._files.take()}
        elif what == "built":
            return read_built(self._home)
        return {}

    def _close_files(self) -> None:
        if self._files is not None:
            self._files.close()
            self._files = None

    # The image, and the copy of it that plays a game

    def _settle(self) -> str:
        """The submission is loaded: return why games may not be forks of that process, '' if they may."""
        try:
            # Once it is stopped for good, nothing of what is then looked at can change.
            image = Image(self._loader) if self._images else None
        except OSError as error:
            return str(error.strerror)
        why_not = self._processes.why_not_fork(self._loader)
        if not why_not:
            self._image = image
            self._folder.keep_import()
        elif image is not None:
            image.channel.close()
            image.release()
        return why_not

    def _make_copy(self) -> None:
        if self._image is None:
            return
        # All copies share these open files, and a game may have changed how they are read and written.
        for shared in (self._nothing, self._player_output, self._image.channel.fileno()):
            fcntl.fcntl(shared, fcntl.F_SETFL, 0)
        self._processes.starting(after=self._loader)
        self._copy = os.pidfd_open(self._image.copy())

    def _watch_copy(self) -> None:
        """Return when there is an order to read. Report the end of the copy if that comes first."""
        while self._copy >= 0:
            poll = select.poll()
            for descriptor in (self._copy, self._channel.socket.fileno()):
                poll.register(descriptor, select.POLLIN)
            ready = {descriptor for descriptor, _ in poll.poll()}
            if self._copy in ready:
                ended = os.waitid(os.P_PIDFD, self._copy, os.WEXITED)
                if ended is not None:
                    self._report(ended.si_status << 8 if ended.si_code == os.CLD_EXITED else ended.si_status)
            if self._channel.socket.fileno() in ready:
                return

    def _report(self, status: int) -> None:
        """Tell the harness how the copy has ended, as a loading process does that forks by itself; once a game."""
        if self._image is not None and self._copy >= 0:
            os.close(self._copy)
            self._copy = -1
            Channel(self._image.channel).send({"ended": status})

    def _clear(self) -> None:
        """Kill all but the loading process; that one as well if the game has left traces in it."""
        self._processes.kill(spare=self._loader)
        if self._copy >= 0:
            with contextlib.suppress(ChildProcessError):  # it has been reaped already
                os.waitid(os.P_PIDFD, self._copy, os.WEXITED)  # its id must be free for the next copy
        if self._image is not None and not self._image.is_unchanged():
            self._kill()  # the harness sees its channel closed, and has the submission loaded anew
        self._report(signal.SIGKILL)

    def _kill(self) -> None:
        self._processes.kill()
        if self._image is not None:
            self._image.channel.close()
            self._image = None
        if self._copy >= 0:
            os.close(self._copy)
            self._copy = -1

    # A process

    def _start(self, descriptor: int) -> None:
        self._close_files()
        self._folder.for_import()
        self._processes.begin()
        self._processes.starting(after=1)
        self._loader = os.fork()
        if not self._loader:
            self._become_player(descriptor)
        self._processes.started(self._loader)
        os.close(descriptor)

    def _become_player(self, descriptor: int) -> NoReturn:
        """In the new process: give up everything of the keeper's, then load and play."""
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            os.dup2(self._nothing, 0)
            os.dup2(self._player_output, 1)
            os.dup2(self._player_output, 2)
            self._channel.close()
            os.closerange(3, descriptor)
            os.closerange(descriptor + 1, os.sysconf("SC_OPEN_MAX"))
            self._work(socket.socket(fileno=descriptor))
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(70)
