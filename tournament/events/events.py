"""What an event is: everything that decides which games are played and how, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from tournament.seats import Limits

KINDS = ("grade", "round-robin", "match", "gauntlet")


@dataclass(frozen=True)
class Event:
    """A competition.

    kind: one of KINDS. rules, size: a preset of `goban.rulesets`, and the board. games: per pair (per opponent where kind is
    'grade'). references: the reference players a grade or a gauntlet is played against. seed: 0 .. 2**63 - 1.
    rubric: name of a shipped rubric, or path of a TOML file, for 'grade'.
    """

    name: str
    kind: str
    rules: str = "course"
    size: int = 5
    games: int = 2
    seed: int = 0
    references: tuple[str, ...] = ()
    rubric: str = ""
    limits: Limits = field(default_factory=Limits)
