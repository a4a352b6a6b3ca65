"""Who would take longer than a submission should: their games are played last, so that nobody waits for them.

    budgets = Budgets({"bob": 400}, seconds=1200.0)      bob has 400 games
    budgets.count(row)                                   a game has ended
    budgets.is_slow("bob")                               whether its games are put off

A budget is what a submission should be charged for all its answers in an event together. It is no limit: no game is forfeited
by it, and no result depends on it. What an answer may take is decided by `gojudge.seats.Limits` alone.

A submission is slow as soon as it would break its budget if all its games took as long as those so far; a first look takes a
twentieth of the budget. So who takes all the time there is for each answer is known after the first game or two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gojudge.records import GameRow

_FIRST_LOOK = 0.05
"""Of the budget: before a submission has used so much, nothing is made of how long its games take."""


@dataclass(frozen=True)
class Pace:
    """What a submission has been charged for `played` of its `games`. budget: seconds."""

    name: str
    spent: float
    played: int
    games: int
    budget: float

    @property
    def expected(self) -> float:
        """What it will be charged for all its games if the others are like those so far."""
        return self.spent * max(1.0, self.games / self.played) if self.played else 0.0

    @property
    def is_slow(self) -> bool:
        """Whether its games are put off."""
        return self.spent >= _FIRST_LOOK * self.budget and self.expected > self.budget

    @property
    def words(self) -> str:
        """What it has taken, in a line: 'slow: bob used 12 min of 20 min in 80 of 400 games, at this rate 1 h'."""
        games = f"{self.played} of {self.games} games" if self.played < self.games else f"{self.played} games"
        rate = f", at this rate {in_words(self.expected)}" if self.played < self.games else ""
        return f"slow: {self.name} used {in_words(self.spent)} of {in_words(self.budget)} in {games}{rate}"


class Budgets:
    """See the top of this file.

    games: name -> how many games each has in the event, of those who have a budget. seconds: everybody's budget; None for none.
    before: games of earlier runs.
    """

    def __init__(self, games: Mapping[str, int], seconds: float | None, before: Iterable[GameRow] = ()) -> None:
        self._games = dict(games) if seconds is not None else {}
        self._seconds = seconds or 0.0
        self._spent = dict.fromkeys(self._games, 0.0)
        self._played = dict.fromkeys(self._games, 0)
        # Kept, for it is asked for before each game, and only a game changes it.
        self._slow: set[str] = set()
        for row in before:
            self.count(row.black, row.black_seconds)
            self.count(row.white, row.white_seconds)

    def count(self, name: str, seconds: float) -> None:
        """Note what an entrant was charged for a game."""
        if name in self._games:
            self._spent[name] += seconds
            self._played[name] += 1
            (self._slow.add if self.pace(name).is_slow else self._slow.discard)(name)

    def is_slow(self, name: str) -> bool:
        """Tell whether the games of an entrant are put off."""
        return name in self._slow

    def pace(self, name: str) -> Pace:
        """Return what an entrant with a budget has taken."""
        return Pace(name, self._spent[name], self._played[name], self._games[name], self._seconds)

    def slow(self) -> list[Pace]:
        """Return those whose games are put off, the slowest last."""
        if not self._slow:
            return []
        return sorted((self.pace(name) for name in self._games if name in self._slow), key=lambda pace: pace.expected)


def in_words(seconds: float) -> str:
    """Return a duration in a few words: '40 s', '12 min', '1.5 h'."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
