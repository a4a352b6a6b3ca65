"""What an event is: all that decides which games are played and how, apart from chance (see `tournament.events.schedules`).

Two events are told apart by what decides their results, and by nothing else:

    of the event      name, kind, rules, size, games, references in any order, limits, until_decided, deciding,
                      rounds
    of its rubric     who plays under each opponent's name, and the sources of a player of one's own; the rates at which bands
                      begin, but only where games end once they decide a band

The name is a part because another event has another key, whatever else they share. No part are titles and all that only words
or presents: a budget that is only reported, stages, how much is kept of what players print, paths of rubrics and of players. A
machine (`Machine`) is none, nor who takes part: that is held against games one by one.

Points are no part either, nor ranks and who is admitted: games stay what they are, whatever they are worth. Marks follow the
rubric as it is now; `mark_changes` says in what it has changed, for whoever reads the marks. A deadline may be moved as well.

A results file keeps all this as text. Records are compared, not digests of them: what a later version adds has a value for
files that do not know it, and what differs can be said. The first files with version 2 have a digest of their rubric only.
"""

from __future__ import annotations

import dataclasses
import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from goban.common.tables import WrongValueError, number, whole
from gojudge.records import Tier
from gojudge.seats import Limits
from tournament.errors import StoreVersionError

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
    `gojudge.refereeing.probation`; 0 for as long as it takes, None for what `tournament.application.plans` says.
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


VERSION = 1
"""Of the record of a rubric."""

_ONLY_PRESENTED = ("rubric", "limits.log_kib")
_NONE = "none"


@dataclass(frozen=True)
class Basis:
    """What a rubric decides. record: of `tournament.results.rubrics.Rubric`; None where there is no rubric. digest: by which
    files know it that have no more."""

    record: Mapping[str, Any] | None = None
    digest: str = ""

    @property
    def text(self) -> str:
        """The record as a results file keeps it, '' for none; `record_of` is the inverse."""
        return "" if self.record is None else json.dumps(self.record, sort_keys=True, separators=(",", ":"))


NO_RUBRIC = Basis()


def record_of(text: str) -> Mapping[str, Any] | None:
    """Return the record in the text of a `Basis`; None for no record.

    Raises StoreVersionError for another version's, ValueError for anything else.
    """
    if not text:
        return None
    record: Mapping[str, Any] = json.loads(text)
    version = record.get("version") if isinstance(record, dict) else None
    if type(version) is int and version > VERSION:
        raise StoreVersionError(f"expected a rubric as version {VERSION} keeps it, found version {version}'s")
    try:
        _worths(record)
        _ = [(one["player"], _starts(one), _player(one)) for one in _by_name(record).values()]
    except (KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ValueError(text) from error
    if version != VERSION:
        raise ValueError(text)
    return record


def unknown_record(players: Mapping[str, str]) -> Mapping[str, Any]:
    """Return what is known of a rubric of which there is a digest only. players: of its opponents that have played."""
    return {"version": 0, "opponents": [{"name": name, "player": name_player(player)} for name, player in players.items()]}


def name_player(player: str) -> str:
    """Return a reference player as records name it: of a file its name only, wherever it lies."""
    return Path(player).name if file_of(player) is not None else player


def file_of(player: str) -> Path | None:
    """Return the file that a reference player is in, named as `file.py` or `file.py:Class`; None if it is in none."""
    file, _, _ = player.partition(".py:")
    path = Path(player if file == player else f"{file}.py")
    return path if path.suffix == ".py" else None


def differences(
    there: Event, here: Event, record_there: Mapping[str, Any] | None = None, record_here: Mapping[str, Any] | None = None
) -> list[str]:
    """Return in what two events differ that decides results, as 'games (11 there, 9 here)'; [] if they are the same."""
    words = _changes(_fields(there), _fields(here))
    opponents = _by_name(record_there), _by_name(record_here)
    for name in [name for name in opponents[0] if name in opponents[1]]:
        one, other = opponents[0][name], opponents[1][name]
        if _plays(one, other) != _plays(other, one):
            words.append(f"opponent {name} ({_player(one)} there, {_player(other)} here)")
        if here.until_decided and _starts(one) != _starts(other):
            words.append(f"bands of {name} ({_starts(one)} there, {_starts(other)} here)")
    return words


def mark_changes(there: Mapping[str, Any] | None, here: Mapping[str, Any] | None) -> list[str]:
    """Return in what two rubrics differ that marks depend on, as 'random, from 90 % (30 there, 28 here)'."""
    unknown = there is not None and there["version"] != VERSION
    return ["not known in what, for only a digest was kept"] if unknown else _changes(_worths(there), _worths(here))


def _changes(there: Mapping[str, object], here: Mapping[str, object]) -> list[str]:
    keys = [*there, *(key for key in here if key not in there)]
    both = [(key, there.get(key, _NONE), here.get(key, _NONE)) for key in keys]
    return [f"{key} ({old} there, {new} here)" for key, old, new in both if old != new]


def _fields(event: Event) -> dict[str, object]:
    limits = {f"limits.{key}": value for key, value in vars(event.limits).items()}
    fields = {**vars(event), "references": ", ".join(sorted(event.references)) or _NONE, **limits}
    return {key: value for key, value in fields.items() if key not in ("limits", *_ONLY_PRESENTED)}


def _by_name(record: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    return {one["name"]: one for one in record["opponents"]} if record is not None else {}


def _plays(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return what is compared of who plays: the sources of a file and the class if both have kept them, else the name."""
    player = str(one["player"])
    return f"{one['sources']}:{player.partition('.py:')[2]}" if "sources" in one and "sources" in other else player


def _player(one: Mapping[str, Any]) -> str:
    return f"{one['player']} with sources {one['sources'][:12]}" if "sources" in one else str(one["player"])


def _starts(one: Mapping[str, Any]) -> str:
    """Return where bands begin, in words."""
    return ", ".join(_rate(start) for start, *_ in one["bands"]) if "bands" in one else "not kept"


def _rate(start: str) -> str:
    return f"from {float(100 * Fraction(start)):g} %"


def _worths(record: Mapping[str, Any] | None) -> dict[str, object]:
    """Return what everything is worth, in words."""
    if record is None:
        return {}
    found: dict[str, object] = {"entry": _number(record["entry"])} if "entry" in record else {}
    for one in record["opponents"]:
        found |= {f"{one['name']}, {_rate(start)}": _worth(points, times) for start, points, times in one["bands"]}
    return found | {f"ranks to {last}" if last else "other ranks": _number(points) for last, points in record["ranks"]}


def _worth(points: str, times_rate: bool) -> str:
    return f"{_number(points)} x rate" if times_rate else _number(points)


def _number(exact: str) -> str:
    return f"{float(Fraction(exact)):g}"
