"""Worker processes on this machine: executors of `concurrent.futures` with one process each.

Each executor has one process. So the runner can choose where a game is played (its players may be open there already), and
knows which game brought a process down. A cluster's executors may take the place of these.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# How many seconds a process has to clear up once it is told to leave.
_PATIENCE = 5.0


class LocalExecutor(ProcessPoolExecutor):
    """Runs one task after the other in a process of its own. That process ends when this one does, in whatever way.

    leave: called in that process when it is told to leave early. It is pickled, so a function at a module's top level.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        # A fork would inherit locks that other threads of this process hold.
        super().__init__(1, multiprocessing.get_context("spawn"), _settle_in, (leave,))
        self._child: multiprocessing.process.BaseProcess | None = None

    def submit(self, task: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a task, like the base class; the first one starts the process."""
        if self._child is not None:
            return super().submit(_do, task, *args, **kwargs)
        before = set(multiprocessing.active_children())
        with _ctrl_c_held():
            future = super().submit(_do, task, *args, **kwargs)
        self._child = next(iter(set(multiprocessing.active_children()) - before), None)
        return future

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


_doors: list[_Door] = []


def _settle_in(leave: Callable[[], None]) -> None:
    door = _Door(leave)
    _doors.append(door)
    # Ctrl-C at the terminal reaches every process; the parent answers it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, door.on_signal)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_follow_parent, name="parent", daemon=True).start()


def _follow_parent() -> None:
    """Leave when the parent is gone. Otherwise a process whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_PATIENCE)
        os._exit(1)


def _do(task: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
    door = _doors[0]
    door.busy = True
    try:
        return task(*args, **kwargs)
    except _Left:
        door.go()
    finally:
        door.busy = False
