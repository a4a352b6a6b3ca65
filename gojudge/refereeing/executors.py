"""Worker processes on this machine: executors of `concurrent.futures` with one process each.

Each executor has one process. So the runner can choose where a game is played (its players may be open there already), and
knows which game brought a process down. A cluster's executors may take the place of these.

A pool is where a runner's workers come from: so many processes of this machine, or others that join and are lost as it goes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any, ParamSpec, Protocol, TypeVar

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from gojudge.errors import JudgeError

P = ParamSpec("P")
T = TypeVar("T")

# How many seconds a process has to clear up once it is told to leave.
_PATIENCE = 5.0


class LocalExecutor(Executor):
    """Runs one task after the other in a process of its own. That process ends when this one does, in whatever way.

    Tasks and results go through a socket pair, which the kernel removes whoever is killed. The queues of
    `concurrent.futures.ProcessPoolExecutor` need semaphores with names, and a kill leaves those in /dev/shm.

    leave: called in that process when it is told to leave early. It is pickled, so a function at a module's top level.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        self._leave = leave
        self._child: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._receiver = ThreadPoolExecutor(1, "results")
        self._numbers = count(1)

    def submit(self, task: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a task; the first one starts the process. Raises BrokenExecutor if the process has died."""
        if self._child is None or self._pipe is None:
            self._child, self._pipe = _start(self._leave)
        number = next(self._numbers)
        if not self._child.is_alive():
            raise BrokenExecutor("a worker process has died")
        try:
            # Sent at once, so that the process need not wait for us between two tasks.
            self._pipe.send((number, task, args, kwargs))
        except OSError as error:
            raise BrokenExecutor("a worker process has died") from error
        return self._receiver.submit(_receive, self._pipe, number)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; the process ends after those it was given. wait: until it is gone."""
        self._receiver.shutdown(wait, cancel_futures=cancel_futures)
        if wait and self._child is not None and self._pipe is not None:
            self._pipe.close()
            self._child.join()

    def interrupt(self) -> None:
        """End now: the task in progress is given up, with a few seconds to clear up."""
        if self._child is not None and self._child.is_alive():
            self._child.terminate()
        self.shutdown(wait=False, cancel_futures=True)

    def wait_for_end(self) -> None:
        """Wait until the process is gone, and kill it if it takes too long. To be called after `interrupt`."""
        if self._child is not None:
            self._child.join(_PATIENCE)
            if self._child.is_alive():
                self._child.kill()


def _start(leave: Callable[[], None]) -> tuple[multiprocessing.process.BaseProcess, Connection]:
    """Start a worker process; return it and our end of the connection to it."""
    # A fork would inherit locks that other threads of this process hold.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    # A daemon is told to leave when this program ends, even if nobody has shut its executor down.
    child = context.Process(target=_work, args=(theirs, leave), daemon=True)
    with theirs, _ctrl_c_held(), main_hidden():
        child.start()
    return child, ours


@contextmanager
def main_hidden() -> Iterator[None]:
    """Keep a process that is started within the block from running the main program once more, as it would at first.

    A script that plays games would play them in each of its workers, unless it had the usual `if __name__ == "__main__":`.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _receive(pipe: Connection, number: int) -> Any:  # noqa: ANN401
    """Return the result of a task or raise its error; raises BrokenExecutor if the process has died."""
    answered = 0
    try:
        # Results of tasks that were cancelled come before it.
        while answered != number:
            answered, result, error = pipe.recv()
    except (EOFError, OSError) as end:
        raise BrokenExecutor("a worker process has died") from end
    if error is not None:
        raise error
    return result


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Keep Ctrl-C from a process that is started within the block until it has settled in; it would die with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python starts this helper along with the first process, and thereby resets the mask. So start it now.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the worker process


class _Left(BaseException):
    """The signal to leave came in the middle of a task."""


class _Door:
    """Handles the signal to leave: gives up the task if there is one, otherwise leaves directly."""

    def __init__(self, leave: Callable[[], None]) -> None:
        self.leave = leave
        self.busy = False

    def on_signal(self, *_: object) -> None:
        if self.busy:
            self.busy = False
            raise _Left
        self.go()

    def go(self) -> None:
        try:
            self.leave()
        finally:
            os._exit(0)


def _work(pipe: Connection, leave: Callable[[], None]) -> None:
    """Do tasks until the other end of the pipe is closed."""
    door = _settle_in(leave)
    while True:
        try:
            number, task, args, kwargs = pipe.recv()
        except (EOFError, OSError):
            door.go()
        else:
            _send(pipe, number, *_do(door, task, args, kwargs))


def _send(pipe: Connection, number: int, result: object, error: Exception | None) -> None:
    try:
        pipe.send((number, result, error))
    except OSError:
        pass  # nobody waits for it any more; the next task will not come
    except Exception as unfit:
        # Some results and errors cannot be pickled.
        pipe.send((number, None, RuntimeError(f"a task's result cannot be sent: {error or unfit}")))


def _settle_in(leave: Callable[[], None]) -> _Door:
    door = _Door(leave)
    # Ctrl-C at the terminal reaches every process; the parent answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, door.on_signal)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow_parent, name="parent", daemon=True).start()
    return door


def _follow_parent() -> None:
    """Leave when the parent is gone. Otherwise a process whose parent was killed would first finish its task."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_PATIENCE)
        os._exit(1)


def _do(door: _Door, task: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Any, Exception | None]:  # noqa: ANN401
    """Return a task's result and its error, one of them None."""
    door.busy = True
    try:
        return task(*args, **kwargs), None
    except _Left:
        door.go()
        raise
    except Exception as error:
        return None, error
    finally:
        door.busy = False


# How many games a process has at a time: one that it plays, and one that is ready when that ends.
_AHEAD = 2


class LostWorkerError(BrokenExecutor):
    """A worker is gone for a reason that is no game's: others play what it was given."""


class WorkerPool(Protocol):
    """The workers of a run, each an executor that runs one task at a time, in order.

    An executor may raise BrokenExecutor, from `submit` or as a result: then one more must be to be had at once. Or it raises
    LostWorkerError: then the run goes on with the others.
    """

    def hire(self, present: int) -> Sequence[Executor]:
        """Return those who join now. present: how many the runner has. Called several times a second; must not wait.

        Raises JudgeError if there is nobody left to play.
        """

    def ahead(self, executor: Executor) -> int:
        """Return how many games this one is to be given at a time, those that it plays included."""

    def late(self) -> Collection[Executor]:
        """Return those whose games take so long that others should play them too, if they have nothing else to do."""

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        """End these, the last that the runner has. in_peace: after what they were given; otherwise that is given up."""


class LocalPool:
    """A fixed number of executors, each replaced when it breaks.

    size: their number; JudgeError is raised if it is none and games are to be played. make: makes one.
    """

    def __init__(self, size: int, make: Callable[[], Executor]) -> None:
        self._size = size
        self._make = make

    def hire(self, present: int) -> Sequence[Executor]:
        if not is_whole(self._size, 1, sys.maxsize):
            raise JudgeError(f"expected 1 or more as `jobs`, got {quoted(self._size)}")
        return [self._make() for _ in range(self._size - present)]

    def ahead(self, executor: Executor) -> int:
        return _AHEAD

    def late(self) -> Collection[Executor]:
        return ()

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        if in_peace:
            for executor in executors:
                executor.shutdown(wait=True)
            return
        for executor in executors:
            if isinstance(executor, LocalExecutor):
                executor.interrupt()
            else:
                executor.shutdown(wait=False, cancel_futures=True)
        for executor in executors:
            if isinstance(executor, LocalExecutor):
                executor.wait_for_end()


class KeptPool(LocalPool):
    """A pool whose executors stay for the next run, unless one is given up. To be closed after the last one."""

    def __init__(self, size: int, make: Callable[[], Executor]) -> None:
        super().__init__(size, make)
        self._idle: list[Executor] = []

    def hire(self, present: int) -> Sequence[Executor]:
        wanted = self._size - present
        kept, self._idle = self._idle[:wanted], self._idle[wanted:]
        return [*kept, *super().hire(present + len(kept))]

    def dismiss(self, executors: Sequence[Executor], *, in_peace: bool) -> None:
        if in_peace:
            self._idle.extend(executors)
        else:
            super().dismiss(executors, in_peace=False)

    def close(self) -> None:
        """End the executors that are left, after what they were given."""
        super().dismiss(self._idle, in_peace=True)
        self._idle = []
