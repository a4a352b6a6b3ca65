"""Events from TOML files and from options, and as the text in results files.

    name = "cup"                    rules = "course"         [limits]
    kind = "round-robin"            size = 5                 move_seconds = 5
    submissions = "handed-in"       games = 11               memory_mib = 1024
    roster = "class.csv"            seed = 7
    first_stage = "grade.db"

    [[engine]]                      command = ["gnugo", "--mode", "gtp"]
    name = "gnugo"                  folder = "engines"

The fields are those of `tournament.events.events.Event`. The file may also have those of `tournament.events.events.Machine`;
`submissions` (a folder, a file, or a list of them), `roster`, `only_listed` (true: refuse who is not in the roster) and
`first_stage`, which say who takes part, as do the tables `engine`; `base`, a folder of what the course has handed out, or a
list of them, for `similarity`; `store`, where results are kept; and `seed`, which makes the event's key public (see
`tournament.events.schedules`). None of these are part of the event itself. Paths are relative to the file.

An engine is a program that speaks GTP, as an entrant:

    [[engine]]
    name = "gnugo-10"                                      of the entrant
    command = ["gnugo", "--mode", "gtp", "--level", "10"]  its words; {seed}, {size} and {komi} are replaced
    folder = "engines/gnugo"                               where it runs, default: the event file's own folder
    startup = ["kata-set-rules aga"]                       GTP commands that begin each of its games
    restart = "game"                                       or "match": one process for all games of a pairing
    clock = true                                           send time_settings if it knows them
    limits = { move_seconds = 10 }                         where they differ from the event's

On a command line the same is `gtp:gnugo --mode gtp --level 10`, which runs in the present folder.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from goban.common.excerpts import printable, quoted, suggestion
from goban.common.files import read_bounded, split_command
from goban.common.tables import Table, WrongValueError, number, one_of, parse_toml, whole
from goban.errors import GobanError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import PRESETS, ruleset
from gojudge.records import ENGINE, GAME, MATCH, Engine, Entrant, Tier, engine_entrant
from gojudge.seats import Limits, usual_limits
from players.errors import BadPlayerError
from players.registry import NAMES, check_player, split_names, split_options
from tournament.errors import BadEventError, StoreVersionError
from tournament.events.events import (
    KINDS,
    LIMIT_CHECKS,
    MOST_DECIDING,
    MOST_ROUNDS,
    MOST_UNTIL_DECIDED,
    NO_RUBRIC,
    Basis,
    Checks,
    Event,
    Machine,
    event_name,
)
from tournament.events.schedules import Key, key_of_seed

PREFIX = "gtp:"
"""How the name of an engine begins on a command line."""

_KEYS = ("name", "command", "folder", "startup", "restart", "clock", "limits")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._]+")
_LONGEST_NAME = 60
_LONGEST_WORD = 2000

def read_engines(tables: Iterable[Table], place: Path, taken: Collection[str]) -> tuple[Entrant, ...]:
    """Return the engines of an event file that lies in the folder `place`. taken: names of others, which none may have.

    Raises the tables' error for what is wrong.
    """
    engines: dict[str, Entrant] = {}
    others = {name.casefold() for name in taken}
    for table in tables:
        for key in table.values:
            if key not in _KEYS:
                raise table.complaint(key, f"one of {', '.join(_KEYS)}", f"the key {quoted(key)}")
        name = table.take("name", event_name)
        if name.casefold() in others:
            raise table.complaint("name", "a name that nobody else has", quoted(name))
        others.add(name.casefold())
        engine = _engine(table, place)
        engines[name] = engine_entrant(name, engine)
    return tuple(engines.values())


def _engine(table: Table, place: Path) -> Engine:
    def folder(value: object) -> Path:
        path = place / value if isinstance(value, str) and "\0" not in value else None
        if value is not None and (path is None or not path.is_dir()):
            raise WrongValueError("a folder that is there")
        return (path or place).resolve()

    return Engine(
        command=table.take("command", _words),
        startup=table.take("startup", lambda value: () if value is None else _lines(value)),
        restart=table.take("restart", lambda value: one_of((GAME, MATCH))(GAME if value is None else value)),
        clock=table.take("clock", _yes_unless_false),
        folder=table.take("folder", folder),
        limits=_limits(table),
    )


def _limits(table: Table) -> tuple[tuple[str, Any], ...]:
    values = table.values.get("limits", {})
    if not isinstance(values, dict):
        raise table.complaint("limits", "a table", quoted(values))
    inner = Table(values, lambda key: table.place(f"limits.{key}"), table.error)
    for key in values:
        if key not in LIMIT_CHECKS:
            raise table.complaint("limits", f"some of {', '.join(LIMIT_CHECKS)}", quoted(key))
    return tuple((key, inner.take(key, check)) for key, check in LIMIT_CHECKS.items() if key in values)


def _words(value: object) -> tuple[str, ...]:
    words = _texts(value, "a list of words, the first one a program")
    if not words or not words[0]:
        raise WrongValueError("a list of words, the first one a program")
    return words


def _lines(value: object) -> tuple[str, ...]:
    return _texts(value, "a list of GTP commands, one line each", printable=True)


def _texts(value: object, what: str, *, printable: bool = False) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValueError(what)
    for text in value:
        fine = isinstance(text, str) and "\0" not in text and len(text) <= _LONGEST_WORD
        if not fine or (printable and not (text.isprintable() and text.strip())):
            raise WrongValueError(what)
    return tuple(value)


def _yes_unless_false(value: object) -> bool:
    if value is not None and not isinstance(value, bool):
        raise WrongValueError("true or false")
    return value is not False


def name_engine(text: str) -> Entrant:
    """Return the engine of a command line, as `gtp:gnugo --mode gtp`; its name is made of the words. Raises BadEventError."""
    try:
        words = split_command(text.removeprefix(PREFIX))
    except ValueError as error:
        raise BadEventError(f"expected an engine as {PREFIX}COMMAND, got {quoted(text)}: {error}") from None
    if not words or any("\0" in word for word in words):
        raise BadEventError(f"expected an engine as {PREFIX}COMMAND, got {quoted(text)}")
    program = Path(words[0]).name
    name = _NOT_IN_NAMES.sub("_", " ".join([program, *words[1:]]))[:_LONGEST_NAME].strip("._")
    return engine_entrant(name or ENGINE, Engine(tuple(words), folder=Path.cwd()))


def engine_text(engine: Engine) -> str:
    """Return an engine as canonical JSON, as results files have it; `engine_from_text` is the inverse."""
    return json.dumps({**asdict(engine), "folder": str(engine.folder)}, sort_keys=True, separators=(",", ":"))


def engine_from_text(text: str) -> Engine:
    """Return the engine that `engine_text` wrote. Raises ValueError, KeyError or TypeError for any other text."""
    values = json.loads(text)
    limits = tuple((name, value) for name, value in values["limits"])
    command, startup = tuple(values["command"]), tuple(values["startup"])
    return Engine(command, startup, values["restart"], values["clock"], Path(values["folder"]), limits)


# A person at the keyboard cannot take part in a competition of programs.
REFERENCES = tuple(name for name in NAMES if name != "manual")
GAMES = {"grade": 100, "round-robin": 11, "match": 2, "gauntlet": 20}
_PATHS = ("submissions", "roster", "first_stage", "base", "store")
_LISTS = ("submissions", "base")
_ONLY_LISTED = "only_listed"
_MOST_BYTES = 100_000


@dataclass(frozen=True)
class EventFile:
    """What a file says: the fields of the event and of the machine and the seed, not checked yet, and who takes part.

    chance: {'seed': N}, or empty. roster: a file with names for the submissions, see `gojudge.intake.rosters`.
    only_listed: whether nobody else may take part. first_stage: a file with points, see `tournament.application.grades`.
    engines: checked. base: what the course has handed out. store: where the results are kept; None for NAME.db here.
    """

    values: Mapping[str, object]
    machine: Mapping[str, object] = field(default_factory=dict)
    chance: Mapping[str, object] = field(default_factory=dict)
    submissions: tuple[Path, ...] = ()
    roster: Path | None = None
    first_stage: Path | None = None
    only_listed: bool = False
    engines: tuple[Entrant, ...] = ()
    base: tuple[Path, ...] = ()
    store: Path | None = None


NO_FILE = EventFile({})
"""What there is to read where no event file was given."""


def read_event_file(path: Path) -> EventFile:
    """Return what a TOML file says; raises BadEventError if it cannot be read, or has unknown keys or bad engines."""
    try:
        values = parse_toml(read_bounded(path, _MOST_BYTES))
    except OSError as error:
        raise BadEventError(f"{printable(str(path), 400)}: {error.strerror}") from None
    except ValueError as error:
        raise BadEventError(f"{path}: expected a TOML file: {error}") from None
    return event_file_of(values, str(path), path.parent)


def event_file_of(table: Mapping[str, object], where: str, folder: Path) -> EventFile:
    """Return what the table of an event says; raises BadEventError, which begins with `where`. folder: of relative paths."""
    values = dict(table)
    tables = Table(values, lambda key: f"{where}: {key}", BadEventError).tables("engine")
    engines = read_engines(tables, folder, NAMES)
    values.pop("engine", None)
    limits = values.pop("limits", {})
    if not isinstance(limits, dict):
        raise BadEventError(f"{where}: limits: expected a table [limits], got {quoted(limits)}")
    top = (*_FIELDS, *_MACHINE, *_CHANCE, "limits", "engine", *_PATHS, _ONLY_LISTED)
    _refuse_unknown(limits, LIMIT_CHECKS, f"{where}: [limits]", dict.fromkeys(top, "above [limits]"))
    only_listed = values.pop(_ONLY_LISTED, False)
    if not isinstance(only_listed, bool):
        raise BadEventError(f"{where}: {_ONLY_LISTED}: expected true or false, got {quoted(only_listed)}")
    _refuse_unknown(values, top, where, dict.fromkeys(LIMIT_CHECKS, "below [limits]"))
    paths: dict[str, Any] = {key: _paths(key, values.pop(key), where, folder) for key in _PATHS if key in values}
    rubric = values.get("rubric")
    if isinstance(rubric, str) and rubric.endswith(".toml"):
        values["rubric"] = str(folder / rubric)
    machine, chance = ({key: values.pop(key) for key in known if key in values} for known in (_MACHINE, _CHANCE))
    return EventFile({**values, **limits}, machine, chance, only_listed=only_listed, engines=engines, **paths)


def _paths(key: str, value: object, where: str, folder: Path) -> Path | tuple[Path, ...]:
    """Return the path under a key; the paths, if it may have several. folder: of relative ones. Raises BadEventError."""
    several = key in _LISTS
    places: list[Any] = value if several and isinstance(value, list) else [value]
    if not all(isinstance(place, str) and "\0" not in place for place in places):
        what = "a path or a list of paths" if several else "a path"
        raise BadEventError(f"{where}: {key}: expected {what}, got {quoted(value)}")
    paths = tuple(folder / place for place in places)
    return paths if several else paths[0]


def _refuse_unknown(values: Iterable[str], known: Collection[str], where: str, elsewhere: Mapping[str, str]) -> None:
    """Raise BadEventError for a key that is none of the known. elsewhere: key -> where it belongs, if it stands here."""
    for key in values:
        if key not in known:
            hint = f"; it belongs {elsewhere[key]}" if key in elsewhere else suggestion(str(key), known)
            raise BadEventError(f"{where}: expected one of {', '.join(known)}; got {quoted(key)}{hint}")


def make_event(values: Mapping[str, object], place: Callable[[str], str] = str) -> Event:
    """Return the event with these fields (of Event and of Limits, in one mapping) and defaults for the others.

    `place(field)` names the source of a value in messages, as 'cup.toml: rules' or '--rules'. Raises BadEventError.
    """
    table = Table(values, place, BadEventError)
    kind = table.take("kind", one_of(KINDS))
    checked = _check_values(table, {**_FIELDS, **LIMIT_CHECKS})
    checked.setdefault("name", kind)
    checked.setdefault("games", GAMES[kind])
    checked.setdefault("size", ruleset(checked.get("rules", Event.rules)).default_size)
    if kind == "grade" and checked["games"] % 2:
        raise table.complaint("games", "an even number, for as many with each colour", str(checked["games"]))
    if checked.get("until_decided") and (kind != "grade" or checked["games"] > MOST_UNTIL_DECIDED):
        got = f"{checked['games']} games" if kind == "grade" else f"a {kind}"
        raise table.complaint("until_decided", f"a grade of at most {MOST_UNTIL_DECIDED} games per opponent", got)
    if checked.get("deciding") and kind != "round-robin":
        raise table.complaint("deciding", "a round-robin", f"a {kind}")
    if checked.get("rounds") and (kind != "round-robin" or checked.get("deciding")):
        got = "one with deciding" if kind == "round-robin" else f"a {kind}"
        raise table.complaint("rounds", "a round-robin, without deciding", got)
    given = {key: checked.pop(key) for key in LIMIT_CHECKS if key in checked}
    limits = dataclasses.replace(usual_limits(checked.get("rules", Event.rules)), **given)
    return Event(**checked, limits=limits)


def make_machine(values: Mapping[str, object], place: Callable[[str], str] = str) -> Machine:
    """Return the machine with these fields and defaults for the others; see `make_event`."""
    return Machine(**_check_values(Table(values, place, BadEventError), _MACHINE))


def make_key(values: Mapping[str, object], place: Callable[[str], str] = str) -> Key | None:
    """Return the key that a seed stands for, None if there is no seed: then the key is drawn. See `make_event`."""
    checked = _check_values(Table(values, place, BadEventError), _CHANCE)
    return key_of_seed(checked["seed"]) if checked else None


def _check_values(table: Table, checks: Checks) -> dict[str, Any]:
    return {key: table.take(key, checks[key]) for key in table.values}


def event_fields(event: Event, machine: Machine) -> dict[str, Any]:
    """Return event and machine as plain data, as results files and reports have them: one record, the limits last."""
    values = event.record
    limits = values.pop("limits")
    return {**values, **machine.record, "limits": limits}


def event_text(event: Event, machine: Machine) -> str:
    """Return all fields of event and machine as canonical JSON; `event_from_text` is the inverse."""
    return json.dumps(event_fields(event, machine), sort_keys=True, separators=(",", ":"))


def event_from_text(text: str) -> tuple[Event, Machine]:
    """Return the event and the machine that `event_text` wrote.

    Raises StoreVersionError for fields that only a later version knows, ValueError, KeyError or TypeError for any other text.
    """
    values = json.loads(text)
    known = [{one.name for one in dataclasses.fields(kind)} for kind in (Event, Machine, Limits)]
    later = sorted({*values} - known[0] - known[1] | {*values["limits"]} - known[2])
    if later:
        raise StoreVersionError(f"expected an event as this version knows it, found {quoted(later[0])} in it")
    asked = (values.pop("load_each_game", False), values.pop("start_each_move", False), values.pop("submission_seconds", None))
    machine = Machine(Tier(values.pop("require_tier")), values.pop("python"), *asked)
    values["references"] = tuple(values["references"])
    return Event(**{**values, "limits": Limits(**values["limits"])}), machine


def event_hash(event: Event, basis: Basis = NO_RUBRIC) -> str:
    """Return 64 hexadecimal digits by which programs of before tell events apart; `tournament.events.events` does now."""
    values = {**event.record, "rubric": hashlib.sha256(basis.text.encode()).hexdigest() if basis.text else ""}
    return hashlib.sha256(json.dumps(values, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# What a field may hold


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise WrongValueError("a text")
    return value


def _rules(value: Any) -> str:  # noqa: ANN401
    try:
        return ruleset(value).name
    except (GobanError, TypeError):
        raise WrongValueError(f"one of {', '.join(PRESETS)}") from None


def _references(value: object) -> tuple[str, ...]:
    names = split_names(value) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or len(set(map(repr, names))) < len(names):
        raise WrongValueError("a list of different reference players")
    for name in names:
        if not is_reference(name):
            raise WrongValueError(f"some of {', '.join(REFERENCES)}")
    for name in names:
        try:
            check_player(name)
        except BadPlayerError as error:
            raise WrongValueError(f"players with options that they have ({error})") from None
    return tuple(names)


def is_reference(name: object) -> bool:
    """Tell whether this is one of REFERENCES, with options or without."""
    return isinstance(name, str) and split_options(name)[0] in REFERENCES


def _chance_of_error(value: object) -> float:
    """Check the chance of a wrong decision; 0 if nothing is decided before all games are played."""
    chance = number(0, 0.2)(value)
    if 0 < chance < 0.001:
        raise WrongValueError("0, or a number from 0.001 to 0.2")
    return chance


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError("true or false")
    return value


def _tier(value: object) -> Tier:
    return Tier(one_of(tuple(Tier))(value))


_FIELDS: Checks = {
    "name": event_name,
    "kind": one_of(KINDS),
    "rules": _rules,
    "size": whole(MIN_SIZE, MAX_SIZE),
    "games": whole(1, 10_000),
    "references": _references,
    "rubric": _text,
    "until_decided": _chance_of_error,
    "deciding": whole(0, MOST_DECIDING),
    "rounds": whole(0, MOST_ROUNDS),
}
_MACHINE: Checks = {
    "require_tier": _tier, "python": _text, "load_each_game": _yes_or_no, "start_each_move": _yes_or_no,
    "submission_seconds": whole(0, 10**9),
}  # fmt: skip
_CHANCE: Checks = {"seed": whole(0, 2**63 - 1)}
