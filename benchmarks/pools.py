"""Processes that measure at the same time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import BaseContext


@contextmanager
def processes(context: BaseContext | None = None) -> Iterator[ProcessPoolExecutor]:
    """Give a pool with a process for every core. Ctrl-C ends them without a word of theirs, and what waits is not begun."""
    pool = ProcessPoolExecutor(mp_context=context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
