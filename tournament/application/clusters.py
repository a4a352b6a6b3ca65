"""--cluster: the games of a run are played, or looked at, by workers of a dask cluster; results are stored here."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gojudge.errors import ClusterError
from gojudge.records import ENGINE, PROGRAM, Entrant, Turn
from tournament.application.plans import Tell
from tournament.events.events import Event, Machine

if TYPE_CHECKING:
    from gojudge.cluster.cluster_crew import ClusterCrew
    from tournament.pages.truths import Truth

# On a busy machine a game may take this many times what its players may be charged.
_BUSY = 4.0
# Players of ours have no limit of time.
_REFERENCE_SECONDS = 3600.0


@dataclass(frozen=True)
class Cluster:
    """Workers that were found. tier: of the sandboxes that all of them have, '' if no submission plays."""

    crew: ClusterCrew
    tier: str


@contextmanager
def join_cluster(
    address: str, jobs: int | None, event: Event, machine: Machine, entrants: Sequence[Entrant], tell: Tell
) -> Iterator[Cluster]:
    """Join the cluster of an address, and ask its workers what they are; leave it in the end. Raises ClusterError.

    jobs: the option, which it is an error to give.
    """
    from gojudge.cluster.cluster_crew import ClusterCrew, Needs
    from gojudge.cluster.dask_link import connect
    from gojudge.cluster.descriptions import describe

    if jobs is not None:
        raise ClusterError(f"--jobs: expected none with --cluster, each worker plays one game at a time; got {jobs}")
    for entrant in entrants:
        if entrant.kind == ENGINE:
            raise ClusterError(f"--cluster: expected no engines, which play where they are installed; got {entrant.name!r}")
    link = connect(address)
    try:
        needs = Needs(
            describe(sandboxed=False),
            machine.python,
            "" if all(entrant.reference for entrant in entrants) else str(machine.require_tier),
            any(entrant.kind == PROGRAM for entrant in entrants),
            _longest_game(event),
        )
        crew = ClusterCrew(link, needs, tell)
        yield Cluster(crew, crew.muster())
    finally:
        link.close()


def open_truths(
    address: str, event: Event, seconds: float, wanted: Mapping[str, Sequence[Turn]], tell: Tell
) -> Generator[tuple[str, Truth], None, None]:
    """Yield key and truth of games as the workers of a cluster find them, see `pages.truths`. Raises ClusterError."""
    from gojudge.cluster.cluster_crew import ClusterCrew, Needs
    from gojudge.cluster.dask_link import connect
    from gojudge.cluster.descriptions import describe
    from tournament.pages.truths import TruthQuestion, truths_from

    link = connect(address)
    try:
        crew = ClusterCrew(link, Needs(describe(sandboxed=False), bound=math.inf), tell)
        crew.muster()
        yield from truths_from(crew, link, TruthQuestion(event.rules, event.size, seconds), wanted)
    finally:
        link.close()


def _longest_game(event: Event) -> float:
    """Return after how many seconds a game that has not ended hangs."""
    charged = 2 * event.size**2 * event.limits.move_seconds + 4 * event.limits.start_seconds
    return _BUSY * charged + _REFERENCE_SECONDS
