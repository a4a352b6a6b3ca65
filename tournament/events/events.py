"""What an event is: all that decides which games are played and how, apart from chance (see `tournament.events.schedules`)."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from goban.common.tables import WrongValueError, number, whole
from gojudge.records import Tier
from gojudge.seats import Limits

KINDS = ("grade", "round-robin", "match", "gauntlet")
MOST_UNTIL_DECIDED = 1000
"""The most games per opponent of a grade that may end before."""
MOST_DECIDING = 100_000
MOST_ROUNDS = 10_000
_FIRST = ("name", "kind", "rules", "size", "games", "references", "rubric", "limits")
"""The fields that every record has had from the beginning."""


@dataclass(frozen=True)
class Event:
    """A competition.

    kind: one of KINDS. rules: the name of a preset of `goban.rulesets`. size: of the board. games: per pair, or per opponent
    if kind is 'grade'. references: the reference players a grade or a gauntlet is played against.
    rubric: the name of a shipped rubric, or the path of a TOML file; '' for none. until_decided: in a grade, the chance of a
    wrong band at which games end before `games` are played; 0 to play all. deciding: in a round robin, how many more games may
    be played where they decide most. rounds: in a round robin, how many opponents everybody has, see
    `tournament.results.due_games`; 0 for all.
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
    rounds: int = 0

    @property
    def record(self) -> dict[str, Any]:
        """Its fields as plain data. What came later is left out where it is off, so events from before it stay the same."""
        values, usual = dataclasses.asdict(self), {one.name: one.default for one in dataclasses.fields(self)}
        return {key: value for key, value in values.items() if key in _FIRST or value != usual[key]}

    @property
    def ranks_by_rating(self) -> bool:
        """Whether ranks of a round robin are by rating. By WINs only where everybody has the same opponents."""
        return self.rounds > 0

    @property
    def per_opponent(self) -> str:
        """How many games a grade has against each reference player, in words."""
        if not self.until_decided:
            return f"{self.games} games per opponent"
        return f"up to {self.games} games per opponent, until they decide the band (error {100 * self.until_decided:g} %)"


# What an event asks of the machine that plays it. No result depends on it, so it is not part of the event.


@dataclass(frozen=True)
class Machine:
    """require_tier: the weakest sandbox that will do. python: the interpreter submissions run under; '' for our own.

    load_each_game: whether each game loads the submission anew, rather than play by a copy of what was loaded once.
    start_each_move: whether a program is started anew for each move, rather than forked; many times slower.
    submission_seconds: what a submission should be charged in all its games, or else they are played last, see
    `gojudge.refereeing.budgets`; 0 for as long as it takes, None for what `tournament.application.plans` says.
    """

    require_tier: Tier = Tier.T2
    python: str = ""
    load_each_game: bool = False
    start_each_move: bool = False
    submission_seconds: int | None = None

    @property
    def record(self) -> dict[str, Any]:
        """Its fields as plain data. What came later is left out where it is off, as in `Event.record`."""
        values, usual = dataclasses.asdict(self), {one.name: one.default for one in dataclasses.fields(self)}
        return {key: value for key, value in values.items() if key in ("require_tier", "python") or value != usual[key]}


USUAL = Machine()


# What a value in an event file may be, where several tables of it have such values.


Checks = dict[str, Callable[[Any], object]]
"""Key -> the check of its value, see `goban.common.tables`."""

_LONGEST_NAME = 60
_LARGEST = 100_000
"""Upper bound of every limit, in its own unit. Anything above it is a typing error."""

LIMIT_CHECKS: Checks = {
    field.name: whole(1, _LARGEST) if isinstance(field.default, int) else number(0.001, _LARGEST)
    for field in dataclasses.fields(Limits)
}
"""The limits, by the names that `gojudge.seats.Limits` has for them."""


def event_name(value: object) -> str:
    """Check the name of an event or of an engine: letters of any script, since files are named after it."""
    fits = isinstance(value, str) and all(sign in "._-" or unicodedata.category(sign)[0] in "LMN" for sign in value)
    if not isinstance(value, str) or not fits or not 0 < len(value) <= _LONGEST_NAME or value.startswith((".", "-")):
        raise WrongValueError("1 to 60 letters, digits, '.', '_' or '-'")
    return value
