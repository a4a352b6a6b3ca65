"""Options that describe an event, on top of an event file or without one."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tournament.application.conditions import usual
from tournament.application.plans import EventPlan, in_file, make_plan
from tournament.events.event_files import NO_FILE, read_event_file
from tournament.events.events import LIMIT_CHECKS, USUAL, Event, Machine
from tournament.records import Tier
from tournament.results.rubric_files import names
from tournament.seats import Limits

_UNITS = {"seconds": "seconds", "mib": "MiB", "kib": "KiB", "processes": "processes"}
_WHAT = {
    "move_seconds": "for one answer, of a program seconds of CPU",
    "start_seconds": "for loading a submission, and again for making its player",
    "game_cpu_seconds": "of CPU in a game, all processes together",
    "memory_mib": "of memory, all processes together",
    "processes": "at the same time, threads included",
    "disk_mib": "a player may write",
    "log_kib": "kept of what a player prints, per game",
}


def add_event_arguments(
    parser: argparse.ArgumentParser, *, references: bool = True, until_decided: bool = False, deciding: bool = False,
    usual_tier: Tier = USUAL.require_tier,
) -> None:  # fmt: skip
    """Add the options that describe an event and its machine. They override the event file.

    usual_tier: what the command makes of an event that names no tier.
    """
    event = parser.add_argument_group("the event (its games depend on nothing else)")
    event.add_argument("--event", type=Path, metavar="FILE", help="a TOML file that describes it; options below override it")
    event.add_argument("--name", help="its name (default: the command)")
    event.add_argument("--rules", metavar="NAME", help="rule set (default: the rubric's, or course)")
    event.add_argument("--size", type=_number, metavar="N", help="board size (default: the rubric's, or the rules' usual one)")
    event.add_argument("--games", type=_number, metavar="N", help="games per pair (default: the rubric's, or the command's)")
    event.add_argument("--seed", type=_number, metavar="N", help=(
        "play the games of this whole number; anybody can then compute all random choices (default: a secret key)"
    ))  # fmt: skip
    if references:
        event.add_argument("--references", metavar="NAME,...", help="reference players that take part")
    if until_decided:
        event.add_argument("--until-decided", type=_number, metavar="P", help=(
            "end the games against a reference player once they decide the band, with a chance of a wrong one of at most P, "
            "from 0.001 to 0.2; --games is the limit (default: play all games)"
        ))  # fmt: skip
    if deciding:
        event.add_argument("--deciding", type=_number, metavar="N", help=(
            "up to N more games between neighbours in rating whose order the games leave open, those first that need fewest"
        ))  # fmt: skip
    event.add_argument("--rubric", metavar="NAME", help=f"what results are worth: {', '.join(names())} or a file.toml")
    event.add_argument(
        "--require-tier", metavar="TIER", help=f"the weakest sandbox to accept, T0 to T3 (default: {usual_tier})"
    )
    event.add_argument("--python", metavar="PROGRAM", help="interpreter submissions run under (default: this one)")
    limits = parser.add_argument_group("what a submission may use")
    for field in dataclasses.fields(Limits):
        unit = next(words for ending, words in _UNITS.items() if field.name.endswith(ending))
        limits.add_argument(
            f"--{field.name.replace('_', '-')}", type=_number, metavar="N",
            help=f"{unit} {_WHAT[field.name]} (default: {usual(field.name)})",
        )  # fmt: skip


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


def read_plan(options: argparse.Namespace, kind: str, default_rubric: str = "") -> EventPlan:
    """Return the event that the options and the event file describe. Raises BadEventError or BadRubricError."""
    file = NO_FILE if options.event is None else read_event_file(options.event)
    given = _given(options, [field.name for field in dataclasses.fields(Event)] + list(LIMIT_CHECKS))
    of_machine = _given(options, [field.name for field in dataclasses.fields(Machine)])
    of_chance = _given(options, ["seed"])

    def place(key: str) -> str:
        if key in {**given, **of_machine, **of_chance} or key not in {**file.values, **file.machine, **file.chance}:
            return f"--{key.replace('_', '-')}"
        return in_file(options.event, key)

    both = replace(
        file, values={**file.values, **given}, machine={**file.machine, **of_machine}, chance={**file.chance, **of_chance}
    )
    return make_plan(both, kind, place, default_rubric)
