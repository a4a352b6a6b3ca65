"""Events from TOML files and from options, and the fingerprint by which two events are told apart.

    name = "cup"                    rules = "course"         [limits]
    kind = "round-robin"            size = 5                 move_seconds = 5
    submissions = "handed-in"       games = 11               memory_mib = 1024
    roster = "class.csv"            seed = 7
    first_stage = "grade.db"

The fields are those of `tournament.events.events.Event`. The file may also have those of
`tournament.events.machines.Machine`; `submissions` (a folder, a file, or a list of them), `roster` and `first_stage`, which
say who takes part; and `seed`, which makes the event's key public (see `tournament.events.chance`). None of these are part
of the event itself. Paths are relative to the file.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.excerpts import printable, quoted
from common.files import read_bounded
from common.tables import Table, WrongValueError, number, one_of, parse_toml, whole
from goban.errors import GobanError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import PRESETS, ruleset
from players.registry import NAMES
from tournament.errors import BadEventError
from tournament.events.chance import Key, key_of_seed
from tournament.events.events import KINDS, Event
from tournament.events.machines import Machine
from tournament.records import Tier
from tournament.seats import Limits, usual_limits

# A person at the keyboard cannot take part in a competition of programs.
REFERENCES = tuple(name for name in NAMES if name != "manual")
GAMES = {"grade": 100, "round-robin": 11, "match": 2, "gauntlet": 20}
_PATHS = ("submissions", "roster", "first_stage")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,60}")
_MOST_BYTES = 100_000
_LARGEST = 100_000
"""Upper bound of every limit, in its own unit. Anything above it is a typing error."""


@dataclass(frozen=True)
class EventFile:
    """What a file says: the fields of the event and of the machine and the seed, not checked yet, and who takes part.

    chance: {'seed': N}, or empty. roster: a file with names for the submissions, see `tournament.intake.rosters`.
    first_stage: a file with points, see `tournament.results.first_stage`.
    """

    values: Mapping[str, object]
    machine: Mapping[str, object] = field(default_factory=dict)
    chance: Mapping[str, object] = field(default_factory=dict)
    submissions: tuple[Path, ...] = ()
    roster: Path | None = None
    first_stage: Path | None = None


def read_event_file(path: Path) -> EventFile:
    """Return what a TOML file says; raises BadEventError if it cannot be read or has unknown keys."""
    try:
        values = parse_toml(read_bounded(path, _MOST_BYTES))
    except OSError as error:
        raise BadEventError(f"{printable(str(path), 400)}: {error.strerror}") from None
    except ValueError as error:
        raise BadEventError(f"{path}: expected a TOML file: {error}") from None
    limits = values.pop("limits", {})
    if not isinstance(limits, dict):
        raise BadEventError(f"{path}: limits: expected a table [limits], got {quoted(limits)}")
    _refuse_unknown(limits, _LIMITS, f"{path}: [limits]")
    paths = {key: values.pop(key) for key in _PATHS if key in values}
    _refuse_unknown(values, {**_FIELDS, **_MACHINE, **_CHANCE}, str(path), more=("limits", *_PATHS))
    for key, value in paths.items():
        places = value if key == "submissions" and isinstance(value, list) else [value]
        if not all(isinstance(place, str) for place in places):
            what = "a path or a list of paths" if key == "submissions" else "a path"
            raise BadEventError(f"{path}: {key}: expected {what}, got {quoted(value)}")
        paths[key] = [path.parent / place for place in places]
    rubric = values.get("rubric")
    if isinstance(rubric, str) and rubric.endswith(".toml"):
        values["rubric"] = str(path.parent / rubric)
    submissions, roster, first_stage = (paths.get(key, []) for key in _PATHS)
    machine, chance = ({key: values.pop(key) for key in known if key in values} for known in (_MACHINE, _CHANCE))
    return EventFile(
        {**values, **limits},
        machine,
        chance,
        tuple(submissions),
        roster[0] if roster else None,
        first_stage[0] if first_stage else None,
    )


def _refuse_unknown(values: Mapping[str, object], known: Mapping[str, object], where: str, more: tuple[str, ...] = ()) -> None:
    for key in values:
        if key not in known and key not in more:
            raise BadEventError(f"{where}: expected one of {', '.join((*known, *more))}; got {quoted(key)}")


def make_event(values: Mapping[str, object], place: Callable[[str], str] = str) -> Event:
    """Return the event with these fields (of Event and of Limits, in one mapping) and defaults for the others.

    `place(field)` names the source of a value in messages, as 'cup.toml: rules' or '--rules'. Raises BadEventError.
    """
    table = Table(values, place, BadEventError)
    kind = table.take("kind", one_of(KINDS))
    checked = _checked(table, {**_FIELDS, **_LIMITS})
    checked.setdefault("name", kind)
    checked.setdefault("games", GAMES[kind])
    checked.setdefault("size", ruleset(checked.get("rules", Event.rules)).default_size)
    if kind == "grade" and checked["games"] % 2:
        raise table.complaint("games", "an even number, for as many with each colour", str(checked["games"]))
    given = {key: checked.pop(key) for key in _LIMITS if key in checked}
    limits = dataclasses.replace(usual_limits(checked.get("rules", Event.rules)), **given)
    return Event(**checked, limits=limits)


def make_machine(values: Mapping[str, object], place: Callable[[str], str] = str) -> Machine:
    """Return the machine with these fields and defaults for the others; see `make_event`."""
    return Machine(**_checked(Table(values, place, BadEventError), _MACHINE))


def make_key(values: Mapping[str, object], place: Callable[[str], str] = str) -> Key | None:
    """Return the key that a seed stands for, None if there is no seed: then the key is drawn. See `make_event`."""
    checked = _checked(Table(values, place, BadEventError), _CHANCE)
    return key_of_seed(checked["seed"]) if checked else None


def _checked(table: Table, checks: _Checks) -> dict[str, Any]:
    return {key: table.take(key, checks[key]) for key in table.values}


def event_fields(event: Event, machine: Machine) -> dict[str, Any]:
    """Return event and machine as plain data, as results files and reports have them: one record, the limits last."""
    values = dataclasses.asdict(event)
    limits = values.pop("limits")
    return {**values, **dataclasses.asdict(machine), "limits": limits}


def event_text(event: Event, machine: Machine) -> str:
    """Return all fields of event and machine as canonical JSON; `event_from_text` is the inverse."""
    return json.dumps(event_fields(event, machine), sort_keys=True, separators=(",", ":"))


def event_from_text(text: str) -> tuple[Event, Machine]:
    """Return the event and the machine that `event_text` wrote."""
    values = json.loads(text)
    machine = Machine(Tier(values.pop("require_tier")), values.pop("python"))
    values["references"] = tuple(values["references"])
    return Event(**{**values, "limits": Limits(**values["limits"])}), machine


def event_hash(event: Event, rubric_digest: str = "") -> str:
    """Return 64 hexadecimal digits that differ if the events differ. They do not depend on the machine.

    rubric_digest: a digest of the rubric's contents; its name and path do not matter.
    """
    values = {**dataclasses.asdict(event), "rubric": rubric_digest}
    return hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def differences(one: Event, other: Event) -> str:
    """Return the fields in which two events differ, in words, e.g. 'games (11 there, 9 here), limits.move_seconds (...)'."""
    flat = [{**vars(event), **{f"limits.{key}": value for key, value in vars(event.limits).items()}} for event in (one, other)]
    words = [
        f"{key} ({flat[0][key]} there, {flat[1][key]} here)"
        for key in flat[0]
        if key != "limits" and flat[0][key] != flat[1][key]
    ]
    return ", ".join(words) or "what the rubric says"


# What a field may hold


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise WrongValueError("a text")
    return value


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value.startswith((".", "-")):
        raise WrongValueError("1 to 60 letters, digits, '.', '_' or '-'")
    return value


def _rules(value: Any) -> str:  # noqa: ANN401
    try:
        return ruleset(value).name
    except (GobanError, TypeError):
        raise WrongValueError(f"one of {', '.join(PRESETS)}") from None


def _references(value: object) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or len(set(map(repr, names))) < len(names):
        raise WrongValueError("a list of different reference players")
    for name in names:
        if name not in REFERENCES:
            raise WrongValueError(f"some of {', '.join(REFERENCES)}")
    return tuple(names)


def _tier(value: object) -> Tier:
    return Tier(one_of(tuple(Tier))(value))


_Checks = dict[str, Callable[[Any], object]]
_FIELDS: _Checks = {
    "name": _name,
    "kind": one_of(KINDS),
    "rules": _rules,
    "size": whole(MIN_SIZE, MAX_SIZE),
    "games": whole(1, 10_000),
    "references": _references,
    "rubric": _text,
}
_MACHINE: _Checks = {"require_tier": _tier, "python": _text}
_CHANCE: _Checks = {"seed": whole(0, 2**63 - 1)}
_LIMITS: _Checks = {
    field.name: whole(1, _LARGEST) if isinstance(field.default, int) else number(0.001, _LARGEST)
    for field in dataclasses.fields(Limits)
}
LIMITS = tuple(_LIMITS)
