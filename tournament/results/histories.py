"""A ladder's history: pure functions of the rankings that were published, oldest first.

    moved(rankings)            name -> places gained since a week before the last ranking
    history(rankings, name)    what became of one player: versions, ranks and ratings over time
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Place:
    """A player in a ranking. version: the digest of what played. rating, low, high: Elo and its 95 % interval."""

    name: str
    version: str
    rank: int
    rating: float
    low: float
    high: float


@dataclass(frozen=True)
class Ranking:
    """The standings as they were published at an aware time."""

    time: datetime
    places: tuple[Place, ...]

    @property
    def of_name(self) -> dict[str, Place]:
        """The places by name."""
        return {place.name: place for place in self.places}


@dataclass(frozen=True)
class Span:
    """A player's place from a time on, until the next span. number: of the version, from 1."""

    time: datetime
    number: int
    place: Place


def week_before(rankings: Sequence[Ranking]) -> Ranking | None:
    """Return the ranking that stood a week before the last one was published; the first one if the ladder is younger.

    None if there are no two rankings.
    """
    if len(rankings) < 2:
        return None
    before = [ranking for ranking in rankings if ranking.time <= rankings[-1].time - _WEEK]
    return before[-1] if before else rankings[0]


def count_places_gained(rankings: Sequence[Ranking]) -> dict[str, int]:
    """Return name -> places gained since a week before, below 0 if lost, of all who are in both rankings."""
    before = week_before(rankings)
    if before is None:
        return {}
    then = before.of_name
    return {place.name: then[place.name].rank - place.rank for place in rankings[-1].places if place.name in then}


def history(rankings: Sequence[Ranking], name: str) -> list[Span]:
    """Return a player's spans, oldest first: one for each ranking in which something of theirs is another than before."""
    spans: list[Span] = []
    for ranking in rankings:
        place = ranking.of_name.get(name)
        if place is None or (spans and spans[-1].place == place):
            continue
        number = 1 if not spans else spans[-1].number + (spans[-1].place.version != place.version)
        spans.append(Span(ranking.time, number, place))
    return spans
