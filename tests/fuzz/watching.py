"""A reader in a process of its own: it may hang, take all memory or end, and the input that did it is still known.

Every input is in shared memory before the reader sees it. A hang is told by CPU time, so a busy machine makes none: a timer
of the system ends the process, whatever it is at. Memory has a limit.
"""

from __future__ import annotations

import faulthandler
import mmap
import multiprocessing
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path

from tests.fuzz.fuzzing import Finding, Inputs, Tally, Trial, inputs_of
from tests.fuzz.readers import Reader

_MEMORY_BYTES = 4 * 2**30
_LOOK_SECONDS = 0.2


class _Board:
    """Shared memory: how many inputs were given, the last of them, and whether to stop."""

    _MOST_BYTES = 2**24

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 17 + self._MOST_BYTES)

    def put(self, number: int, data: bytes) -> None:
        self._shared[:16] = number.to_bytes(8, "little") + len(data).to_bytes(8, "little")
        self._shared[17 : 17 + len(data)] = data

    @property
    def inputs(self) -> int:
        return int.from_bytes(self._shared[:8], "little")

    @property
    def data(self) -> bytes:
        return self._shared[17 : 17 + int.from_bytes(self._shared[8:16], "little")]

    def stop(self) -> None:
        self._shared[16] = 1

    @property
    def stopped(self) -> bool:
        return bool(self._shared[16])


def fuzz(
    reader: Reader, seed: int, runs: int, seconds: float | None, cpu_seconds: int, show: Callable[[int], object]
) -> Tally:
    """Give a reader inputs until there is a fault, or have been enough, or Ctrl-C; return what came of them.

    show: is told now and then how many there were. cpu_seconds: of CPU for one input.
    """
    return _watched(reader, inputs_of(reader, seed), runs, seconds, cpu_seconds, show)


def again(reader: Reader, data: bytes, cpu_seconds: int) -> Finding | None:
    """Give a reader one input; return the fault, if there is one."""
    return _watched(reader, iter([(data, lambda refused: None)]), 1, None, cpu_seconds, lambda done: None).finding


def _watched(
    reader: Reader, inputs: Inputs, runs: int, seconds: float | None, cpu_seconds: int, show: Callable[[int], object]
) -> Tally:
    context, board, started = multiprocessing.get_context("fork"), _Board(), time.monotonic()
    ours, theirs = context.Pipe(duplex=False)
    in_memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=in_memory) as folder:
        trial = Trial(reader, Path(folder))
        process = context.Process(target=_work, args=(trial, inputs, runs, cpu_seconds, board, theirs))
        with _ctrl_c(board, process) as pressed:
            process.start()
            theirs.close()
            while not ours.poll(_LOOK_SECONDS):
                show(board.inputs)
                if seconds is not None and time.monotonic() - started >= seconds:
                    board.stop()
            try:
                tally: Tally = ours.recv()
            except EOFError:
                process.join()
                what = f"the process ended with status {process.exitcode}"
                if process.exitcode == -signal.SIGPROF:
                    what = f"a hang: more than {cpu_seconds} s of CPU; where it was stands above"
                tally = Tally(board.inputs, finding=Finding(board.data, what))
            process.join()
    tally.interrupted, tally.seconds = bool(pressed), time.monotonic() - started
    return tally


@contextmanager
def _ctrl_c(board: _Board, process: ForkProcess) -> Iterator[list[int]]:
    """Have the first Ctrl-C end the trial after the input it is at, and the second one kill it."""
    pressed: list[int] = []

    def press(*_: object) -> None:
        board.stop()
        if pressed:
            process.kill()
        pressed.append(1)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _work(trial: Trial, inputs: Inputs, runs: int, cpu_seconds: int, board: _Board, ours: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Says where it hung, and leaves the rest to the signal's own action: the end of the process.
    faulthandler.register(signal.SIGPROF, chain=True)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tally = trial.tally
    for data, keep in inputs:
        if tally.inputs >= runs or board.stopped:
            break
        board.put(tally.inputs, data)
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        trial.give(data, keep)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if tally.finding is not None:
            break
    ours.send(tally)
