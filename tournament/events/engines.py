"""Engines in event files and on command lines: programs that speak GTP, as entrants.

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

import json
import re
import shlex
from collections.abc import Collection, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted
from goban.common.tables import Table, WrongValueError, one_of
from gojudge.records import ENGINE, GAME, MATCH, Engine, Entrant, engine_entrant
from tournament.errors import BadEventError
from tournament.events.events import LIMIT_CHECKS, event_name

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
    found: dict[str, Entrant] = {}
    for table in tables:
        for key in table.values:
            if key not in _KEYS:
                raise table.complaint(key, f"one of {', '.join(_KEYS)}", f"the key {quoted(key)}")
        name = table.take("name", event_name)
        others = {other.casefold() for other in (*taken, *found)}
        if name.casefold() in others:
            raise table.complaint("name", "a name that nobody else has", quoted(name))
        found[name] = engine_entrant(name, _engine(table, place))
    return tuple(found.values())


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
        clock=table.take("clock", _yes_or_no),
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


def _yes_or_no(value: object) -> bool:
    if value is not None and not isinstance(value, bool):
        raise WrongValueError("true or false")
    return value is not False


def engine_named(text: str) -> Entrant:
    """Return the engine of a command line, as `gtp:gnugo --mode gtp`; its name is made of the words. Raises BadEventError."""
    try:
        words = shlex.split(text.removeprefix(PREFIX))
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
