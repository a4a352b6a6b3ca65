"""What is needed of a cluster: who is there, and a way to have a worker do something."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import Protocol


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
