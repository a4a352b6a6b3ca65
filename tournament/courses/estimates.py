"""How long games will take, from how long those took that were played: a pure function of rows.

A game lasts as long as the answers of its two players. Of whom no game is known the class's mean is taken; if nothing at all is
known, so much as players of this kind usually take: a first estimate, which says so. What sandboxes take to start, and pages to
be written, is not in the rows: that is taken from docs/measurements.md, of a machine with nothing else to do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gojudge.records import PROGRAM, Entrant, GameRow
from gojudge.refereeing.budgets import in_words

_FIRST, _FIRST_OF_PROGRAMS = 0.5, 2.0
"""Seconds that a submission takes for its answers in a game, where nothing is known: a class, and a program, which is started
for each move."""
_REFERENCE = 0.1
_BESIDES = 0.05
"""Seconds of our own for each game."""
_START = 0.12
"""Seconds in which a sandbox starts: one for each pair and submission, of which few stay open."""
_EDITION, _EDITION_OF_GAME = 1.2, 0.0002
"""Seconds in which the pages of an edition are written, and more for each game."""
_MOST_NAMES = 6


@dataclass(frozen=True)
class PlayingTime:
    """seconds: of games one after the other, with starts of sandboxes. pages: seconds in which pages are written. mean, first:
    those of whom no game was known, and whose games are taken to last as long as the others' in the mean, or as those of
    players usually do.
    """

    seconds: float = 0.0
    mean: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    pages: float = 0.0

    def __add__(self, other: PlayingTime) -> PlayingTime:
        first, pages = self.first | other.first, self.pages + other.pages
        return PlayingTime(self.seconds + other.seconds, self.mean | other.mean, first, pages)

    def words(self, at_once: int) -> str:
        """Return it in a line. at_once: how many games are played at the same time."""
        said = [f"about {in_words(self.seconds / at_once + self.pages)}, {at_once} game{'s' * (at_once != 1)} at a time"]
        if self.first:
            said.append(f"a first estimate, for nothing was played yet by {_some(self.first)}")
        if self.mean:
            said.append(f"of {_some(self.mean)} no game is known, and the mean of the others is taken")
        return ": ".join([said[0], "; ".join(said[1:])]) if said[1:] else f"{said[0]}, as measured so far"


def measured(*sources: Iterable[GameRow]) -> dict[str, float]:
    """Return the seconds that players were charged for their answers in a game, in the mean: by the first source that knows."""
    found: dict[str, float] = {}
    for rows in sources:
        games, seconds = Counter[str](), defaultdict[str, float](float)
        for row in rows:
            for name, charged in ((row.black, row.black_seconds), (row.white, row.white_seconds)):
                games[name] += 1
                seconds[name] += charged
        found = {name: seconds[name] / number for name, number in games.items()} | found
    return found


def estimate(games: Mapping[frozenset[str], int], known: Mapping[str, float], entrants: Iterable[Entrant]) -> PlayingTime:
    """Return how long games take. games: pair of names -> how many; an empty pair for those whose players are not known yet.

    known: see `measured`. entrants: everybody who plays.
    """
    everybody = {one.name: one for one in entrants}
    own = [known[name] for name, one in everybody.items() if name in known and not one.reference]
    mean = sum(own) / len(own) if own else None
    usual = mean if mean is not None else _FIRST

    def length(name: str) -> float:
        one = everybody.get(name)
        if name in known or one is None:
            return known.get(name, usual)
        if one.reference:
            return _REFERENCE
        return mean if mean is not None else _FIRST_OF_PROGRAMS if one.kind == PROGRAM else _FIRST

    seconds = sum(
        number * (_BESIDES + (sum(map(length, pair)) if pair else 2 * usual)) for pair, number in games.items()
    )
    seconds += _START * sum(_starts(pair, everybody) for pair, number in games.items() if number)
    unknown = frozenset(
        name for pair, number in games.items() if number for name in pair
        if name not in known and name in everybody and not everybody[name].reference
    )  # fmt: skip
    return PlayingTime(seconds, unknown if own else frozenset(), frozenset() if own else unknown)


def _starts(pair: frozenset[str], everybody: Mapping[str, Entrant]) -> int:
    """Return how many sandboxes a pair's games need; of a pair that is not known yet, two."""
    return sum(name in everybody and not everybody[name].reference for name in pair) if pair else 2


def writing(games: int) -> PlayingTime:
    """Return how long the pages of an edition take, of so many games."""
    return PlayingTime(pages=_EDITION + games * _EDITION_OF_GAME)


def _some(names: frozenset[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(sorted(names)[:_MOST_NAMES]) + more
