"""A pool of processes that measure at the same time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import BaseContext


@contextmanager
def processes(context: BaseContext | None = None) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool with a process per core. Ctrl-C ends the processes without tracebacks, and queued work is cancelled."""
    pool = ProcessPoolExecutor(mp_context=context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
