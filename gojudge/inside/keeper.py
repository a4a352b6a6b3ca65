"""The keeper: the first process in a sandbox. It is ours, and starts and stops everything else there.

It talks to the harness over a socket that no process of the submission has, and never loads, reads or believes anything of a
submission. What players print goes into a pipe; the harness has its other end. Orders are JSON lines. Each is answered by
one line, except "go":

    {"do": "start"} + socket   make the folder as handed in; start a process that will load the submission; the answer
                               brings the read end of the pipe
    {"do": "settle"}           the submission is loaded: say whether games may be forks of that process. If we make them as
                               copies of an image, see `gojudge.inside.images`, that process is gone, and the answer brings
                               the socket over which we report how copies end
    {"do": "game"}             make the folder for a game, and the copy that will play it. The answer brings the read end of a
                               new pipe and the copy's socket; for a program that pipe, and what its next processes are to have
                               as standard input and output
    {"do": "stop"}             stop all processes; say what they have used: see `Processes.usage`
    {"do": "go"}               let them run again
    {"do": "where"}            have the process that is loading the submission, or making the player, print where it is
    {"do": "usage"}            say what they have used, while they run
    {"do": "question"} + text  programs only: write a new input.txt, remove output.txt
    {"do": "output"}           programs only: kill all but the loading process; return output.txt
    {"do": "built"}            return the files of the folder `.built`, which a compiler has written
    {"do": "clear"}            kill all processes but the loading one; say which system calls were refused
    {"do": "kill"}             kill all processes; say which system calls were refused
    {"do": "refused"}          say which system calls were refused at the import and in this game

Whatever fails while an order is followed is said in its answer, as "broken": a line. The harness then opens a new sandbox, and
decides whose fault it was. When it closes its end, for whatever reason, the keeper kills all processes and ends.

Games share no open file: every copy, and every process that loads a submission, gets a pipe and a /dev/null of its own, which
no game has had before it, and so none of the flags that a game may set there.
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

from goban.common.excerpts import error_line
from gojudge.inside import confinement, seccomp
from gojudge.inside.answer_files import AnswerFiles, read_built
from gojudge.inside.confinement import Confinement
from gojudge.inside.images import CHANNEL, CRADLE, Image
from gojudge.inside.process_table import forget_children
from gojudge.inside.processes import Processes
from gojudge.inside.protocol import WHERE, Channel, ClosedError, Message, ProtocolError
from gojudge.inside.seccomp import HATCH, Refusals, hand_over
from gojudge.inside.workdirs import Folder

Work = Callable[[socket.socket], None]
"""What the started process does once it is confined: talk to the harness over a socket, and never return."""


class Keeper:
    """Keeps one submission's processes. home: its folder. work: what each started process runs once it is confined.

    images: whether games are played by copies that we make of the loading process. programs: whether that process starts a
    program for each move.
    """

    def __init__(
        self,
        channel: Channel,
        folder: Folder,
        processes: Processes,
        confined: Confinement,
        home: str,
        work: Work,
        images: bool,
        programs: bool = False,
    ) -> None:
        self._channel = channel
        self._folder = folder
        self._processes = processes
        self._confinement = confined
        self._home = home
        self._files: AnswerFiles | None = None
        self._work = work
        self._images = images
        self._programs = programs
        self._refusals = Refusals()
        self._loader = 0
        # Whether games are copies or forks of what has loaded the submission.
        self._forks = False
        # What the loading process may be copied with: our end of the cradle, and the number of the other one.
        self._cradle: tuple[socket.socket, int] | None = None
        self._image: Image | None = None
        self._reports: socket.socket | None = None
        # The copy that plays, as a descriptor of the process; -1 if there is none, or if its end has been reported.
        self._copy = -1
        # To be closed once the answer is sent that brings them.
        self._given: list[int] = []
        # It is waited for instead.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})

    def run(self) -> None:
        """Follow orders until the harness closes its end."""
        order: Message | None
        try:
            while True:
                self._await_order()
                order, extra = self._channel.receive_with_descriptor()
                self._answer(order, extra)
                # An order that is not answered may arrive together with the next one.
                while (order := self._channel.take()) is not None:
                    self._answer(order, -1)
        except ClosedError:
            pass
        finally:
            self._processes.kill()
            self._folder.remove()

    def _answer(self, order: Message, descriptor: int) -> None:
        """Follow an order; answer it."""
        what = order["do"]
        try:
            answer = self._follow(order, descriptor)
        except Exception as error:
            answer = {"broken": getattr(error, "strerror", None) or error_line(error)}
        try:
            if answer is not None:
                self._channel.send({"done": what, **answer}, tuple(self._given))
        finally:
            for given in self._given:
                os.close(given)
            self._given.clear()

    def _follow(self, order: Message, descriptor: int) -> Message | None:
        """Follow an order; return what to answer, None if it is not answered."""
        what = order["do"]
        if what == "start":
            self._start(descriptor)
        elif what == "settle":
            return {"why_not": self._settle()}
        elif what == "game":
            self._close_files()
            self._refusals.begin_game()
            self._folder.for_game()
            self._processes.begin()
            self._prepare_game()
            # Without root the kernel tells players how many signals wait in their sandbox (SigQ), ours among them.
            forget_children()
        elif what == "stop":
            return self._processes.stop()
        elif what == "usage":
            return self._processes.usage()
        elif what == "go":
            self._processes.go()
            return None
        elif what == "where":
            self._ask_where()
        elif what == "clear":
            self._clear()
            return {"refused": self._refusals.names()}
        elif what == "kill":
            self._kill()
            return {"refused": self._refusals.names()}
        elif what == "refused":
            return {"refused": self._refusals.names()}
        else:
            return self._follow_for_program(order)
        return {}

    def _follow_for_program(self, order: Message) -> Message:
        """Follow an order that is only given for programs; return what to answer."""
        what = order["do"]
        if what == "question":
            # The ids of its processes would count moves.
            self._processes.starting(after=self._loader)
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

    def _ask_where(self) -> None:
        """Have the process print where it is that loads the submission or plays the game. The image is never sent a signal."""
        with contextlib.suppress(OSError):
            if self._copy >= 0:
                signal.pidfd_send_signal(self._copy, WHERE)
                return
            pids = self._processes.others(self._loader) if self._forks else [self._loader]
            # What a program has started would tell of itself in between.
            for pid in sorted(pids)[: 1 if self._programs else None]:
                os.kill(pid, WHERE)

    # The image, and the copy of it that plays a game

    def _settle(self) -> str:
        """The submission is loaded: return why games may not be forks of that process, '' if they may."""
        self._refusals.keep_import()
        if self._cradle is None:
            why_not = self._processes.why_not_fork(self._loader)
            self._level_marks()
        else:
            ours, theirs = self._cradle
            try:
                processes = self._processes
                self._image = Image(
                    self._loader, ours, theirs, self._why_no_copies, processes.starting, processes.level_marks
                )
            except OSError as error:
                return str(error.strerror)
            why_not, self._loader = "", self._image.pid
            self._reports, end = socket.socketpair()
            self._reports.setblocking(False)
            self._given.append(end.detach())
        self._forks = not why_not
        if self._forks:
            self._folder.keep_import()
            # What we do in one game would tell the next.
            with contextlib.suppress(OSError):
                self._processes.part_memory()
        return why_not

    def _why_no_copies(self) -> str:
        return self._processes.why_not_fork(self._loader, frozenset(range(CRADLE + 1)))

    def _prepare_game(self) -> None:
        """Make the copy that will play, or what a program's processes are to have."""
        if self._image is not None:
            nothing, output = self._new_streams()
            ours, theirs = socket.socketpair()
            self._given.append(ours.detach())
            with theirs:
                copy = self._image.copy((nothing, output, output, theirs.fileno()))
            os.close(nothing)
            os.close(output)
            self._copy = os.pidfd_open(copy)
            self._processes.give_first(copy)
        elif self._programs:
            self._level_marks()
            self._given += self._new_streams()

    def _level_marks(self) -> None:
        """Let a program leave no marks on the memory of the process that starts it. No submission can make that fail."""
        if self._programs:
            with contextlib.suppress(OSError):
                self._processes.level_marks(self._loader)

    def _new_streams(self) -> tuple[int, int]:
        """Return what processes get as standard input and output; the read end of the latter goes to the harness."""
        pipe, output = os.pipe()
        os.set_blocking(pipe, False)
        self._given.append(pipe)
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), output

    def _await_order(self) -> None:
        """Return when there is an order to read. Until then answer what is refused, and report the end of the copy."""
        while True:
            poll = select.poll()
            for descriptor in (self._copy, self._refusals.fileno(), self._channel.socket.fileno()):
                if descriptor >= 0:
                    poll.register(descriptor, select.POLLIN)
            ready = dict(poll.poll())
            if self._refusals.fileno() in ready:
                self._refusals.attend(ready[self._refusals.fileno()])
                if self._refusals.too_many:
                    self._end_players()
            if self._copy in ready:
                ended = os.waitid(os.P_PIDFD, self._copy, os.WEXITED)
                if ended is not None:
                    self._report(ended.si_status << 8 if ended.si_code == os.CLD_EXITED else ended.si_status)
            if self._channel.socket.fileno() in ready:
                return

    def _end_players(self) -> None:
        if self._forks:
            self._clear()
        else:
            self._processes.kill()

    def _report(self, status: int) -> None:
        """Tell the harness how the copy has ended, as a loading process does that forks by itself; once a game."""
        if self._reports is not None and self._copy >= 0:
            os.close(self._copy)
            self._copy = -1
            with contextlib.suppress(ProtocolError):  # the harness does not want to know
                Channel(self._reports).send({"ended": status})

    def _clear(self) -> None:
        """Kill all but the loading process, or the image."""
        self._processes.kill(spare=self._loader)
        if self._copy >= 0:
            with contextlib.suppress(ChildProcessError):  # it has been reaped already
                os.waitid(os.P_PIDFD, self._copy, os.WEXITED)  # its id must be free for the next copy
        self._report(signal.SIGKILL)
        # Nothing in the sandbox can end the image, but the machine may run out of memory. It is not looked for in /proc, where
        # players could find what has been looked up.
        if self._image is not None and self._loader not in self._processes.others(spare=0):
            self._kill()  # the harness sees its channel closed, and has the submission loaded anew

    def _kill(self) -> None:
        self._processes.kill()
        self._refusals.close()
        for socket_ in (self._reports, self._cradle[0] if self._cradle else None):
            if socket_ is not None:
                socket_.close()
        self._image = self._reports = self._cradle = None
        if self._copy >= 0:
            os.close(self._copy)
            self._copy = -1

    # A process

    def _start(self, descriptor: int) -> None:
        self._close_files()
        self._folder.for_import()
        self._processes.begin()
        self._forks = False
        ends = socket.socketpair() if self._images else None
        nothing, output = self._new_streams()
        # An image gets the id that is kept, and its copies the one that the loading process had.
        self._processes.starting(after=seccomp.KEPT if ends else seccomp.KEPT - 1)
        hatch = self._refusals.expect()
        self._loader = os.fork()
        if not self._loader:
            files = (nothing, output, output, descriptor, *([ends[1].fileno()] if ends else []))
            self._become_player(files, hatch.fileno())
        hatch.close()
        self._processes.started(self._loader)
        for file in (descriptor, nothing, output):
            os.close(file)
        if ends:
            with ends[1] as theirs:
                self._cradle = ends[0], os.fstat(theirs.fileno()).st_ino

    def _become_player(self, files: tuple[int, ...], hatch: int) -> NoReturn:
        """In the new process: give up everything of the keeper's, then load and play.

        files: what its descriptors are to be. hatch: over which the keeper is given what the filter asks by.
        """
        try:
            # While all that it has it shares with the keeper.
            self._processes.level_own_marks()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            # A session and a group of its own: nothing that is sent to one's own group reaches the keeper, or another game.
            os.setsid()
            # First to where they are in nobody's way.
            *held, hatch = [fcntl.fcntl(file, fcntl.F_DUPFD, 2 * CRADLE) for file in (*files, hatch)]
            for number, file in enumerate(held):
                os.dup2(file, number)
            confinement.open_hatch(hatch)
            os.closerange(len(held), HATCH)
            os.closerange(HATCH + 1, os.sysconf("SC_OPEN_MAX"))
            hand_over(confinement.give_up(self._confinement))
            confinement.limit_open_files()
            self._work(socket.socket(fileno=CHANNEL))
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(70)
