"""What an event is: all that decides which games are played and how, apart from chance (see `tournament.events.chance`)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from tournament.seats import Limits

KINDS = ("grade", "round-robin", "match", "gauntlet")
MOST_UNTIL_DECIDED = 1000
"""The most games per opponent of a grade that may end before."""
MOST_DECIDING = 100_000
_FIRST = ("name", "kind", "rules", "size", "games", "references", "rubric", "limits")
"""The fields that every record has had from the beginning."""


@dataclass(frozen=True)
class Event:
    """A competition.

    kind: one of KINDS. rules: the name of a preset of `goban.rulesets`. size: of the board. games: per pair, or per opponent
    if kind is 'grade'. references: the reference players a grade or a gauntlet is played against.
    rubric: the name of a shipped rubric, or the path of a TOML file; '' for none. until_decided: in a grade, the chance of a
    wrong band at which games end before `games` are played; 0 to play all. deciding: in a round robin, how many more games may
    be played where they decide most.
    """

    name: str
    kind: str
    rules: str = "course"
    size: int = 5
    games: int = 2
    references: tuple[str, ...] = ()
    rubric: str = ""
    limits: Limits = field(default_factory=Limits)
    until_decided: float = 0.0
    deciding: int = 0

    @property
    def record(self) -> dict[str, Any]:
        """Its fields as plain data. What came later is left out where it is off, so events from before it stay the same."""
        values, usual = dataclasses.asdict(self), {one.name: one.default for one in dataclasses.fields(self)}
        return {key: value for key, value in values.items() if key in _FIRST or value != usual[key]}

    @property
    def per_opponent(self) -> str:
        """How many games a grade has against each reference player, in words."""
        if not self.until_decided:
            return f"{self.games} games per opponent"
        return f"up to {self.games} games per opponent, until they decide the band (error {100 * self.until_decided:g} %)"
