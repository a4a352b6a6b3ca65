"""Programs that a game in the browser asks, each in a process of its own: players, the solver, and what grades.

Players and the solver read and write lines of JSON. What they print besides goes to standard error, where a line that holds
only NUL stands before each answer, so that it is known at which move a text was printed.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from goban.common.command_lines import how_to_install
from goban.common.files import kill_session

Message = dict[str, Any]
SOLVER = "goban.solver.questions"
"""The module that answers questions about positions."""
CHECK = ("tournament", "check")
"""The module, and its word, that says what would be graded of a file."""

_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE = 3.0
"""Seconds that a program has to end when its input does, and its last words to arrive."""
_LONGEST = 1_000_000
_PAUSE = 0.01
_MOST_PRINTED = 20_000
_END_OF_TEXT = b"\0\n"
_WITHOUT = "--no-sandbox"
# What players read and print is UTF-8, as at the judge's, whatever the locale; Windows has others.
_PYTHON = {"PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}


class EndedError(Exception):
    """The program has ended without an answer; the message says how."""


class Program:
    """A module of ours that runs beside us, with its words. Any thread may ask it; it is ended with `end`."""

    def __init__(self, module: str, *words: str) -> None:
        # In a session of its own: Ctrl-C is for us.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *words], env=_environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._answers: queue.Queue[Message | None] = queue.Queue()
        self._places: queue.Queue[str] = queue.Queue()
        self._greeting: Message | None = None
        self._texts: queue.Queue[None] = queue.Queue()
        self._printed = b""
        self._lock = threading.Lock()
        try:
            for work in (self._read_answers, self._read_printed):
                threading.Thread(target=work, daemon=True).start()
        except RuntimeError:  # there can be no more threads
            self.stop()
            # A thread that was started closes the first, once it has read to its end.
            for pipe in (self._process.stdout, self._process.stderr):
                _pipe(pipe).close()
            raise

    def tell(self, message: Message) -> None:
        """Send a message; whether the program still lives is learnt from its answer."""
        with suppress(OSError, ValueError), self._lock:
            stdin = _pipe(self._process.stdin)
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()

    def answer(self, seconds: float | None = None) -> Message:
        """Return the next answer. Raises EndedError, and TimeoutError after so many seconds."""
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if answer is None:
            # For whoever asks again.
            self._answers.put(None)
            raise EndedError(self._how_it_ended())
        return answer

    def greeting(self) -> Message:
        """Return what the program said when it had started. Raises EndedError."""
        if self._greeting is None:
            self._greeting = self.answer()
        return self._greeting

    def where(self, seconds: float) -> str:
        """Return where its code is, '' if it does not say so in time."""
        self.tell({"where": True})
        try:
            return self._places.get(timeout=seconds)
        except queue.Empty:
            return ""

    def printed(self) -> str:
        """Return what was printed since the last call; to be asked for after an answer, once, or after the end."""
        with suppress(queue.Empty):
            self._texts.get(timeout=_PATIENCE)
        with self._lock:
            text, self._printed = self._printed, b""
        return text.decode("utf-8", "replace").replace("\r\n", "\n").strip("\n")

    def await_words(self, words: str, seconds: float) -> None:
        """Wait until it has printed these words since the last call of `printed`, or so many seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with self._lock:
                if words.encode() in self._printed:
                    return
            time.sleep(_PAUSE)

    def end(self) -> None:
        """Have the program end, if need be by force; our own process does not end before."""
        threading.Thread(target=self.stop, args=(_PATIENCE,)).start()

    def stop(self, patience: float = 0.0) -> None:
        """Have the program end, by force after so many seconds; return when it has ended."""
        with suppress(OSError, ValueError):
            _pipe(self._process.stdin).close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            kill_session(self._process.pid)
            self._process.kill()
            self._process.wait()

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            return "its process does not answer any more"
        if status < 0:
            return f"its process was ended by {signal.Signals(-status).name}"
        return f"its process ended with status {status}"

    def _read_answers(self) -> None:
        with _pipe(self._process.stdout) as pipe:
            while line := pipe.readline(_LONGEST):
                try:
                    message = json.loads(line)
                except ValueError:
                    break
                if "where" in message:
                    self._places.put(str(message["where"]))
                else:
                    self._answers.put(message)
        self._answers.put(None)

    def _read_printed(self) -> None:
        with _pipe(self._process.stderr) as pipe:
            while line := pipe.readline(_MOST_PRINTED):
                text, mark, _ = line.partition(_END_OF_TEXT)
                with self._lock:
                    # The first and the last are what people look for.
                    half = _MOST_PRINTED // 2
                    kept = self._printed + text
                    self._printed = kept if len(kept) <= _MOST_PRINTED else kept[:half] + b"\n[...]\n" + kept[-half:]
                if mark:
                    self._texts.put(None)
        self._texts.put(None)


class AskedSolver:
    """Asks the solver, one question at a time: of its answers only those to the last question are taken.

    The process is started at the first question, and anew after it has failed. changes: guards all that is here, and is held
    while `take` is told an answer.
    """

    def __init__(self, changes: threading.Condition, take: Callable[[Message], None]) -> None:
        self._changes, self._take = changes, take
        self._program: Program | None = None
        self._number = 0

    def ask(self, question: Message) -> None:
        """Send a question, which ends the search for the last one. Whoever calls holds `changes`."""
        self._number += 1
        if self._program is None:
            self._program = Program(SOLVER)
            threading.Thread(target=self._listen, args=(self._program,), daemon=True).start()
        self._program.tell(question | {"id": self._number})

    def close(self) -> None:
        """End the process."""
        with self._changes:
            if self._program is not None:
                self._program.end()

    def _listen(self, program: Program) -> None:
        ended = ""
        while not ended:
            try:
                answer = program.answer()
            except EndedError as error:
                answer, ended = {"done": True}, f"the solver has failed: {error}"
            with self._changes:
                if ended:
                    # Whatever was asked last is not answered any more.
                    answer |= {"id": self._number, "error": ended}
                    self._program = None
                if answer["id"] == self._number:
                    self._take(answer)


class AskedCheck:
    """Has a command say what would be graded of a file, one at a time. news: what a page is told, None before the first.

    It is the command that people type. changes: guards all that is here, and is held while `told` is called with news.
    """

    def __init__(self, changes: threading.Condition, told: Callable[[], None]) -> None:
        self._changes, self._told = changes, told
        self._process: subprocess.Popen[bytes] | None = None
        self._file = Path()
        self._sources: object = None
        self._rules = ""
        self.news: Message | None = None

    def ask(self, file: Path, sources: object, rules: str) -> None:
        """Begin, unless it is under way. sources: what tells of each version of the file. Whoever calls holds `changes`."""
        if self._process is None:
            self._file, self._sources, self._rules = file, sources, rules
            self.news = {"file": file.name, "lines": [], "doing": "It begins …", "done": False, "changed": False}
            # Elsewhere there is no sandbox.
            self._start([] if sys.platform == "linux" else [_WITHOUT])

    def see(self, file: Path, sources: object) -> None:
        """Note whether the file that was asked about has been saved since. Whoever calls holds `changes`."""
        if self.news is not None and file == self._file and not self.news["changed"] and sources != self._sources:
            self.news["changed"] = True
            self._told()

    def stop(self) -> None:
        """Have the command end, and say what it knows. Whoever calls holds `changes`."""
        if self._process is not None:
            # Windows knows no other way.
            self._process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)

    def close(self) -> None:
        """End the command, if need be by force; our own process does not end before."""
        with self._changes:
            process = self._process
            self.stop()
        if process is not None:
            threading.Thread(target=_end, args=(process,)).start()

    def _start(self, options: Sequence[str]) -> None:
        module, *words = CHECK
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *words, str(self._file), "--rules", self._rules, *options], env=_environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Take in all lines until the end; where there is no sandbox, begin again without one."""
        besides: list[str] = []
        reader = threading.Thread(target=self._hear, args=(process.stderr, besides.append), daemon=True)
        reader.start()
        lines: list[str] = []
        self._hear(process.stdout, lines.append)
        reader.join()
        status = process.wait()
        with self._changes:
            news, self._process = self.news, None
            assert news is not None
            if not lines and besides and _WITHOUT in besides[-1]:
                self._start([_WITHOUT])
                return
            # What only a command line can say is on its last line.
            news["lines"] = lines or besides[-1:] or [f"it ended with status {status}"]
            news |= {"doing": "", "done": True}
            self._told()

    def _hear(self, pipe: IO[bytes] | None, take: Callable[[str], None]) -> None:
        with _pipe(pipe) as lines:
            for line in iter(lambda: lines.readline(_MOST_PRINTED), b""):
                text = line.decode("utf-8", "replace").rstrip()
                take(text)
                with self._changes:
                    if self.news is not None and text:
                        self.news["doing"] = text
                        self._told()


def no_grades() -> str:
    """Return why nothing can be said of what would be graded, and what helps; '' if it can."""
    return "" if find_spec(CHECK[0]) else f"This needs the package {CHECK[0]} beside go_play.py: {how_to_install()}"


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        kill_session(process.pid)
        process.kill()
        process.wait()


def _environment() -> dict[str, str]:
    """Return the environment of our programs, which find our modules where a student's files have the same names, too."""
    paths = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, **_PYTHON, "PYTHONPATH": paths}


def _pipe(file: IO[bytes] | None) -> IO[bytes]:
    assert file is not None
    return file
