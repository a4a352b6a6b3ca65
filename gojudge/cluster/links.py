"""What is needed of a cluster: who is there, and a way to have a worker do something.

Submissions are sent to a machine once, however many workers there ask for them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Protocol

from gojudge.cluster import at_worker
from gojudge.intake.archives import read_files
from gojudge.records import Entrant


class Link(Protocol):
    """A connection to a cluster. name: how the person who started the run calls it.

    Nothing is promised of a result: it may come late, twice, or never, and it may be anything.
    """

    name: str

    def alive(self) -> Collection[str]:
        """Return the addresses of the workers that have been heard of lately. Raises ClusterError if the scheduler is gone."""

    def submit(self, address: str, task: Callable[..., bytes], *arguments: object) -> Future[bytes]:
        """Have a function, at the top level of a module, called by this worker and no other. Must not wait."""

    def close(self) -> None:
        """Leave the cluster; never raises."""


class Deliveries:
    """Sends submissions through a link.

    sent: bytes of each parcel so far. lock: for all of a run's workers, since what becomes of one may concern others.
    """

    def __init__(self, link: Link) -> None:
        self.sent: list[int] = []
        self.lock = threading.RLock()
        self._link = link
        # (place, digest) -> to whom it was sent, and what comes back
        self._under_way: dict[tuple[str, str], tuple[str, Future[bytes]]] = {}

    def bring(self, address: str, place: str, entrant: Entrant, *, anew: bool) -> Future[bytes]:
        """Send a submission to a worker, unless it is on its way to that worker's machine; return what will come back.

        place: where workers of that machine keep submissions. anew: send it though it has arrived there in this run; otherwise
        it may have come since the worker missed it. Raises ClusterError, BadSubmissionError.
        """
        key = place, entrant.digest
        with self.lock:
            _, coming = self._under_way.get(key, ("", None))
            if coming is None or (coming.done() and (anew or coming.cancelled() or coming.exception() is not None)):
                parcel = at_worker.parcel_of(read_files(entrant.folder))
                coming = self._link.submit(address, at_worker.keep, entrant.digest, parcel)
                self._under_way[key] = address, coming
                self.sent.append(len(parcel))
            return coming

    def give_up(self, address: str) -> None:
        """Forget what is on its way to a worker that is gone; who waits for it may ask for it again."""
        with self.lock:
            # A list, since whoever waits is told at once, and may come back here.
            for coming in [coming for to, coming in self._under_way.values() if to == address]:
                coming.cancel()
