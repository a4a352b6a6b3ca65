"""Programs that a game in the browser asks, each in a process of its own: players, and the solver.

They read and write lines of JSON. What they print besides goes to standard error, where a line that holds only NUL stands
before each answer, so that it is known at which move a text was printed.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from common.programs import kill_session

Message = dict[str, Any]
SOLVER = "search.questions"
"""The module that answers questions about positions."""

_ROOT = Path(__file__).resolve().parent.parent
_PATIENCE = 3.0
"""Seconds that a program has to end when its input does, and its last words to arrive."""
_LONGEST = 1_000_000
_MOST_PRINTED = 20_000
_END_OF_TEXT = b"\0\n"
# What players read and print is UTF-8, as at the judge's, whatever the locale; Windows has others.
_PYTHON = {"PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}


class EndedError(Exception):
    """The program has ended without an answer; the message says how."""


class Program:
    """A module of ours that runs beside us, with its words. Any thread may ask it; it is ended with `end`."""

    def __init__(self, module: str, *words: str) -> None:
        # Not from the current folder, where a student's files may have the names of ours.
        paths = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
        # In a session of its own: Ctrl-C is for us.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *words], env={**os.environ, **_PYTHON, "PYTHONPATH": paths},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._answers: queue.Queue[Message | None] = queue.Queue()
        self._places: queue.Queue[str] = queue.Queue()
        self._greeting: Message | None = None
        self._texts: queue.Queue[None] = queue.Queue()
        self._printed = b""
        self._lock = threading.Lock()
        for work in (self._read_answers, self._read_printed):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, message: Message) -> None:
        """Send a message; whether the program still lives is learnt from its answer."""
        with suppress(OSError, ValueError), self._lock:
            stdin = _pipe(self._process.stdin)
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()

    def answer(self, seconds: float | None = None) -> Message:
        """Return the next answer. Raises EndedError, and TimeoutError after so many seconds."""
        try:
            found = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if found is None:
            # For whoever asks again.
            self._answers.put(None)
            raise EndedError(self._how_it_ended())
        return found

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
                    found = json.loads(line)
                except ValueError:
                    break
                if "where" in found:
                    self._places.put(str(found["where"]))
                else:
                    self._answers.put(found)
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


def _pipe(file: IO[bytes] | None) -> IO[bytes]:
    assert file is not None
    return file
