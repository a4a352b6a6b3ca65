"""A ladder's past on its pages: who moved since a week before, and each player's versions and ratings over time.

All names are those of an edition; a student's edition has their own past only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from tournament.pages.editions import Edition
from tournament.pages.svg import interval_bar, rating_chart
from tournament.results.ratings import Ranking, Span, count_places_gained, history, week_before


@dataclass(frozen=True)
class PastLine:
    """What a player was from a time on. version: its number, '' if it is the one of the line before. bar: of the rating."""

    time: str
    version: str
    rank: int
    rating: str
    bar: Markup


@dataclass(frozen=True)
class Past:
    """since: the time of the ranking that movement is counted from, in words; '' if there is no earlier one.

    moved: name -> places gained, below 0 if lost, without those who were not on that ranking. lines: name -> their past, newest
    first. charts: name -> their rating over time, of who has more than one line.
    """

    since: str
    moved: Mapping[str, int]
    lines: Mapping[str, Sequence[PastLine]]
    charts: Mapping[str, Markup]

    def movement(self, name: str) -> str:
        """Return '▲ 2', '▼ 1', '–' for no movement, or 'new'."""
        gained = self.moved.get(name)
        if gained is None:
            return "new"
        return f"{'▲' if gained > 0 else '▼'} {abs(gained)}" if gained else "–"


def past_of(rankings: Sequence[Ranking], edition: Edition) -> Past | None:
    """Return the past that the rankings show to the readers of an edition, None if there is no ranking."""
    if not rankings:
        return None
    seen = {
        name: shown for name, shown in edition.names.items() if edition.kind != "student" or name == edition.student
    }  # fmt: skip
    spans = {shown: found for name, shown in seen.items() if (found := history(rankings, name))}
    places = [place for ranking in rankings for place in ranking.places]
    bounds = min(place.low for place in places), max(place.high for place in places)
    before = week_before(rankings)
    return Past(
        "" if before is None else _day(before.time),
        {seen[name]: gained for name, gained in count_places_gained(rankings).items() if name in seen},
        {name: _lines(found, bounds) for name, found in spans.items()},
        {name: _chart(found, rankings[-1].time) for name, found in spans.items() if len(found) > 1},
    )


def _lines(spans: Sequence[Span], bounds: tuple[float, float]) -> list[PastLine]:
    lines = []
    for number, span in enumerate(spans):
        place = span.place
        again = number > 0 and spans[number - 1].number == span.number
        rating = f"{place.rating:.0f} ± {place.high - place.rating:.0f}"
        bar = interval_bar(place.low, place.rating, place.high, bounds)
        when = f"{span.time.astimezone(UTC):%Y-%m-%d %H:%M}"
        lines.append(PastLine(when, "" if again else str(span.number), place.rank, rating, bar))
    return lines[::-1]


def _chart(spans: Sequence[Span], end: datetime) -> Markup:
    """Return the chart of a player's ratings until the last ranking."""
    days = [(span.time - spans[0].time).total_seconds() / 86_400 for span in spans]
    values = [(span.place.low, span.place.rating, span.place.high) for span in spans]
    last = (end - spans[0].time).total_seconds() / 86_400
    return rating_chart([*days, last], [*values, values[-1]], _day(spans[0].time), _day(end))


def _day(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d}"
