"""What an event is: all that decides which games are played and how, apart from chance (see `tournament.events.chance`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tournament.seats import Limits

KINDS = ("grade", "round-robin", "match", "gauntlet")


@dataclass(frozen=True)
class Event:
    """A competition.

    kind: one of KINDS. rules: the name of a preset of `goban.rulesets`. size: of the board. games: per pair, or per opponent
    if kind is 'grade'. references: the reference players a grade or a gauntlet is played against.
    rubric: the name of a shipped rubric, or the path of a TOML file; '' for none.
    """

    name: str
    kind: str
    rules: str = "course"
    size: int = 5
    games: int = 2
    references: tuple[str, ...] = ()
    rubric: str = ""
    limits: Limits = field(default_factory=Limits)
