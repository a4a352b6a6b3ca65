"""Options that describe an event, over an event file or without one: those that are typed. All others are keys of the file.
And the arguments that say who plays: submissions and their roster.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gojudge.intake.rosters import COLUMNS
from gojudge.records import Tier
from tournament.application.classes import SubmissionSources
from tournament.application.plans import EventPlan, in_file, make_plan, usual
from tournament.events.event_files import NO_FILE, EventFile, make_event, make_key, make_machine, read_event_file
from tournament.events.events import LIMIT_CHECKS, USUAL, Event, Machine
from tournament.results.rubric_files import names, read_rubric

_OPTIONS = {
    "name": ("NAME", "the event's name, and its results file's: NAME.db (default: the command)"),
    "rules": ("NAME", "rule set (default: the rubric's, or course)"),
    "size": ("N", "board size (default: the rubric's, or the rules' usual one)"),
    "games": ("N", "games per pair (default: the rubric's, or the command's)"),
    "seed": ("N", "fixes the games and makes all chance public (default: a secret key)"),
    "rubric": ("NAME", f"what results are worth: {', '.join(names())} or a FILE.toml"),
    "require-tier": ("TIER", f"the weakest sandbox to accept, T0 to T3 (default: {USUAL.require_tier})"),
    "move-seconds": ("N", f"for one answer, of a program seconds of CPU (default: {usual('move_seconds')})"),
    "memory-mib": ("N", f"MiB of memory, all processes of a submission together (default: {usual('memory_mib')})"),
}
PLAYED = ("name", "games", "seed", "require-tier", "move-seconds")
"""Of every command that plays an event."""


def add_event_arguments(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the option for an event file, and these of `_OPTIONS`, which override it."""
    add_event_option(parser)
    for name, (metavar, what) in _OPTIONS.items():
        if name in names:
            parser.add_argument(f"--{name}", type=_text if metavar in ("NAME", "TIER") else _number, metavar=metavar, help=what)


def add_move_seconds(parser: argparse.ArgumentParser) -> None:
    """Add the one limit that has an option where a single player is tried."""
    metavar, what = _OPTIONS["move-seconds"]
    parser.add_argument("--move-seconds", type=_number, metavar=metavar, help=what)


def add_event_option(parser: argparse.ArgumentParser, what: str = "a TOML file that says all this and more") -> None:
    """Add the option for an event file. what: it is."""
    parser.add_argument("--event", type=Path, metavar="FILE", help=f"{what}; options win over it")


def add_rubric_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for what stored results are worth."""
    parser.add_argument("--rubric", metavar="NAME", help=f"{_OPTIONS['rubric'][1]} (default: the event's)")


def _text(text: str) -> str:
    return text


def _number(text: str) -> object:
    """Return the number that a text stands for, else the text. Values are checked later, for files and options alike."""
    for kind in (int, float):
        try:
            return kind(text) if text.isascii() and "_" not in text else text
        except ValueError:
            continue
    return text


def _given(options: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Return the values of those of these options that were given. `kind` and `limits` are fields without an option."""
    found = {name: getattr(options, name, None) for name in names if name not in ("kind", "limits")}
    return {name: value for name, value in found.items() if value is not None}


def file_of(options: argparse.Namespace) -> EventFile:
    """Return what the event file says, if one was named. Raises BadEventError."""
    return NO_FILE if options.event is None else read_event_file(options.event)


def single_event(options: argparse.Namespace, file: EventFile, rules: str = Event.rules) -> tuple[Event, Machine]:
    """Return under what a player is tried, by the options and an event file: any sandbox will do if the file names none.

    rules: where nobody names any. Raises BadEventError or BadRubricError.
    """
    given = _given(options, ("rules", "size", "move_seconds"))
    named = file.values.get("rubric")
    rubric = read_rubric(named) if isinstance(named, str) and named else None
    usual_board = {"rules": rules} if rubric is None else {"rules": rubric.rules, "size": rubric.size}

    def place(key: str) -> str:
        return f"--{key.replace('_', '-')}" if key in given or options.event is None else in_file(options.event, key)

    said = {key: value for key, value in file.values.items() if key not in ("kind", "games", "until_decided", "deciding")}
    event = make_event({"kind": "gauntlet", **usual_board, **said, **given}, place)
    return event, make_machine({"require_tier": Tier.T0.value, **file.machine}, place)


def read_graded_plan(options: argparse.Namespace, file: EventFile) -> EventPlan | None:
    """Return the grade that an event file describes, else the usual one under these rules; None if the file is of another
    event, or no rubric has reference players under these rules.

    Any sandbox will do if the file names none. Raises BadEventError or BadRubricError.
    """
    given = _given(options, ("rules", "size", "move_seconds"))
    values = {**file.values, **given}
    if values.get("kind", "grade") != "grade" or file.engines or values.get("references"):
        return None
    named = values.get("rubric")
    rubrics = [named] if named else [name for name in names() if read_rubric(name).rules == values.get("rules", Event.rules)]
    rubric = next((name for name in rubrics if read_rubric(str(name)).opponents), None)
    if rubric is None:
        return None
    both = replace(
        file, values={**values, "rubric": rubric}, machine={"require_tier": Tier.T0.value, **file.machine}
    )
    return make_plan(both, "grade", lambda key: f"--{key.replace('_', '-')}" if key in given else in_file(options.event, key))


def seed_of(options: argparse.Namespace, file: EventFile, usual_seed: int) -> int:
    """Return the seed of an event file, `usual_seed` if it names none. Raises BadEventError."""
    make_key(file.chance, lambda key: in_file(options.event, key))
    seed = file.chance.get("seed")
    return seed if isinstance(seed, int) else usual_seed


def read_plan(
    options: argparse.Namespace, kind: str, default_rubric: str = "", *, references: Sequence[str] = ()
) -> EventPlan:
    """Return the event that the options and the event file describe. Raises BadEventError or BadRubricError.

    references: players that were named on the command line, in place of those of the file.
    """
    file = file_of(options)
    given = _given(options, [field.name for field in dataclasses.fields(Event)] + list(LIMIT_CHECKS))
    if references:
        given["references"] = list(references)
    of_machine = _given(options, [field.name for field in dataclasses.fields(Machine)])
    of_chance = _given(options, ["seed"])

    def place(key: str) -> str:
        if key in {**given, **of_machine, **of_chance} or key not in {**file.values, **file.machine, **file.chance}:
            return "PLAYER" if key == "references" else f"--{key.replace('_', '-')}"
        return in_file(options.event, key)

    store = None if "name" in given else file.store
    both = replace(
        file, values={**file.values, **given}, machine={**file.machine, **of_machine}, chance={**file.chance, **of_chance},
        store=store,
    )  # fmt: skip
    return make_plan(both, kind, place, default_rubric)


def add_class_arguments(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the arguments for a class's submissions and their roster; see `read_sources`. more: what else may be named."""
    what = f"submissions, or folders of them{more}"
    parser.add_argument("submissions", type=Path, nargs="*", metavar="FOLDER|FILE", help=what)
    parser.add_argument("--roster", type=Path, metavar="FILE", help=f"CSV file: {','.join(COLUMNS)}")


def read_sources(options: argparse.Namespace, file: EventFile) -> SubmissionSources:
    """Return what the arguments and the event file say; an argument overrides the file."""
    return SubmissionSources(options.submissions or file.submissions, options.roster or file.roster, file.only_listed)
