"""Reads what strangers handed in, in a process of its own: a file that takes for ever to read costs only the one who made it.

    read_apart(work)    runs `work`, our own code, and returns what it returns

The process is a fork of ours that ends with the answer, so each submission is read in the same state, whoever came before.
It ends with us, too: Ctrl-C reaches the whole group, and whenever it comes no reader is left, nor one that takes itself for us.
It has limits on CPU time and memory; a wall clock, generous since a busy machine is nobody's fault, ends one that only waits.
Its stack is deep, because honest sources are: a table of 1,500 `elif`s is a tree of that depth.

Nothing that was handed in is run there. What comes back is JSON that our own code wrote, of which the caller takes texts it
knows; no bytes of a submission become objects of ours. Systems without `fork` read in this process, with the deep stack and
without the limits; memory is limited only where the kernel says how much we have, which is on Linux.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from goban.common.excerpts import error_line
from gojudge.errors import BadSubmissionError
from gojudge.inside.c_library import libc
from gojudge.sandbox.faults import death

CPU_SECONDS = 30
MEMORY_MIB = 1024
"""Beyond what this process has already. Parsing one MiB of Python may take 500 MiB."""

# On a machine that is twenty times too busy CPU time still runs out first.
WALL_SECONDS = 20 * CPU_SECONDS

# Python gives up at 3 levels of nesting for each of the 1,000 calls that its limit allows by default. Here it reads 60,000
# levels, for which 64 MiB of stack were enough.
_CALLS = 20_000
_STACK_MIB = 128
_MOST_BYTES = 1 << 20
_LIBC = libc() if sys.platform == "linux" else None
_SET_DEATH_SIGNAL = 1

Answer = dict[str, Any]
"""Plain data, as JSON has it."""


def read_apart(work: Callable[[], Answer]) -> Answer:
    """Return what `work` returns. Raises BadSubmissionError and OSError as it does.

    Raises BadSubmissionError, too, if it breaks a limit, if it raises anything else, or if its process is killed.
    """
    if not forks():
        return _outcome(_done(work))
    pipe, child = -1, 0
    try:
        with _hold_interrupts():
            pipe, child = _start(work)
        answer_line = _heard(pipe)
    finally:
        with _hold_interrupts():
            status = _end(pipe, child)
    if not answer_line.endswith(b"\n"):
        raise BadSubmissionError(_death(status))
    return _outcome(json.loads(answer_line))


def forks() -> bool:
    """Say whether a process can be forked here."""
    return hasattr(os, "fork")


def _start(work: Callable[[], Answer]) -> tuple[int, int]:
    """Return the pipe on which a new reader answers, and its process."""
    ours, (pipe, theirs) = os.getpid(), os.pipe()
    try:
        child = os.fork()
        if not child:
            _become_reader(work, theirs, ours)
    except BaseException:
        os.close(pipe)
        raise
    finally:
        os.close(theirs)
    return pipe, child


def _end(pipe: int, child: int) -> int:
    """End a reader, if there is one; return its status as os.waitpid has it."""
    if not child:
        return 0
    os.close(pipe)
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait for the end of this block: it may come when a reader runs and nobody knows its number yet."""
    usual = signal.getsignal(signal.SIGINT)
    # Other threads are never interrupted, and may not say what a signal does.
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    came: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _, frame: came.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            usual(signal.SIGINT, came[0])


def _heard(pipe: int) -> bytes:
    """Return what a reader says until it ends; raises BadSubmissionError if it does not end."""
    deadline = time.monotonic() + WALL_SECONDS
    heard = b""
    while len(heard) <= _MOST_BYTES:
        if not select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise BadSubmissionError(f"cannot be read within {WALL_SECONDS} s")
        piece = os.read(pipe, _MOST_BYTES)
        if not piece:
            break
        heard += piece
    return heard


def _death(status: int) -> str:
    """Return what to say of a reader that has ended without an answer; status: as os.waitpid has it."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return f"cannot be read within {CPU_SECONDS} s of CPU time"
    return f"cannot be read: {death(status)}"


def _outcome(answer: Answer) -> Answer:
    if "refused" in answer:
        raise BadSubmissionError(answer["refused"])
    if "failed" in answer:
        raise OSError(*answer["failed"])
    done: Answer = answer["done"]
    return done


# In the process that reads


def _become_reader(work: Callable[[], Answer], pipe: int, harness: int) -> NoReturn:
    try:
        # Ctrl-C reaches us both; the harness ends this process, or the kernel if the harness is killed.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if _LIBC is not None:
            _LIBC.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != harness:
            os._exit(1)
        _limit()
        answer_line = json.dumps(_done(work)).encode() + b"\n"
        while answer_line:
            answer_line = answer_line[os.write(pipe, answer_line) :]
    finally:
        os._exit(1)


def _limit() -> None:
    import resource  # not on Windows

    limits = [(resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_CORE, 0)]
    pages = Path("/proc/self/statm")
    if pages.exists():
        ours = int(pages.read_text().split()[0]) * resource.getpagesize()
        limits.append((resource.RLIMIT_AS, ours + (MEMORY_MIB + _STACK_MIB << 20)))
    for kind, most in limits:
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _done(work: Callable[[], Answer]) -> Answer:
    """Run `work`, with a deep stack; return its result, or what it raised, as plain data."""
    try:
        return {"done": _on_deep_stack(work)}
    except BadSubmissionError as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"refused": f"cannot be read within {MEMORY_MIB} MiB of memory"}
    except OSError as error:
        return {"failed": [error.errno, error.strerror, error.filename and str(error.filename)]}
    except Exception as error:  # of our own making, and yet only this submission's loss
        return {"refused": f"cannot be read: {error_line(error)}"}


def _on_deep_stack(work: Callable[[], Answer]) -> Answer:
    stack, calls = threading.stack_size(_STACK_MIB << 20), sys.getrecursionlimit()
    sys.setrecursionlimit(_CALLS)
    try:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(work).result()
    finally:
        sys.setrecursionlimit(calls)
        threading.stack_size(stack)
