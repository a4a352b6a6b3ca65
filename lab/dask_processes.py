"""A dask cluster on 127.0.0.1 whose processes can be killed, stopped and cut off: a scheduler, and workers behind relays."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from goban.common.files import kill_session

_ROOT = Path(__file__).resolve().parents[1]


class Relay:
    """Passes bytes between a worker and the scheduler, until it is cut: then both sides see a broken connection."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and let none be made any more."""
        for end in [self._listener, *self._open]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                theirs, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(theirs)
            try:
                ours = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                # The scheduler is not there yet; the worker tries again.
                theirs.close()
                continue
            self._open.append(ours)
            threading.Thread(target=_pass_on, args=(theirs, ours), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError, ValueError):
        while True:
            for end in select.select([one, other], [], [])[0]:
                data = end.recv(1 << 16)
                if not data:
                    return
                (other if end is one else one).sendall(data)


@dataclass
class WorkerProcess:
    """A worker, and the relay between it and the scheduler."""

    process: subprocess.Popen[bytes]
    relay: Relay


class DaskProcesses:
    """`dask scheduler` and `dask worker` processes, started as dask's documentation starts them.

    folder: for what they leave. workers: that they began with; whoever ends one may put another in its place.
    """

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self._environment = {**os.environ, "PYTHONPATH": str(_ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        options = ("--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard", "--no-show")
        self.scheduler = self._start("scheduler", *options)
        self._wait_for_scheduler()
        self.workers = [self.start_worker() for _ in range(workers)]

    def _wait_for_scheduler(self) -> None:
        """Wait until it takes connections: a program that begins earlier finds none there, and says so."""
        while self.scheduler.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return
            time.sleep(0.05)
        raise ChildProcessError(f"the scheduler has ended: {(self._folder / 'said.txt').read_text()}")

    def start_worker(self, preload: str = "") -> WorkerProcess:
        """Start another worker. preload: a file of Python that it runs first."""
        relay = Relay(self._port)
        process = self._start(
            "worker", relay.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--memory-limit", "0", "--local-directory", str(self._folder), *(("--preload", preload) if preload else ()),
        )  # fmt: skip
        return WorkerProcess(process, relay)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        with (self._folder / "said.txt").open("ab") as said:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=self._folder, env=self._environment, stdout=said, stderr=said, start_new_session=True,
            )  # fmt: skip

    def close(self) -> None:
        """Kill all."""
        for worker in self.workers:
            kill(worker.process)
            worker.relay.cut()
        kill(self.scheduler)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill one of these processes, stopped or not."""
    kill_session(process.pid)
    process.wait()
