"""Turns an event file, and the options that override it, into an event that can be run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from goban.common.arguments import check_fields, check_kind
from goban.common.excerpts import quoted
from goban.rulesets import PRESETS
from gojudge.records import Entrant
from gojudge.seats import Limits, usual_limits
from tournament.errors import BadEventError
from tournament.events.event_files import EventFile, event_file_of, make_event, make_key, make_machine, read_event_file
from tournament.events.events import LIMIT_CHECKS, Basis, Event, Machine
from tournament.events.schedules import Key, reference_entrants
from tournament.results.rubric_files import read_rubric, rubric_of
from tournament.results.rubrics import Rubric, basis_of
from tournament.store.store import Store

Tell = Callable[[str], None]
"""Receives messages, line by line."""


def tell_nobody(line: str) -> None:
    """Drop the message."""


def tell_changes(store: Path, changes: Sequence[str], tell: Tell) -> None:
    """Report how the rubric of a results file has changed, if it has; see `tournament.events.events`."""
    if changes:
        tell(f"{store}: the rubric has changed: {', '.join(changes)}; games stay, and marks are by the rubric as it is now")


def usual(limit: str) -> str:
    """Return the default of a limit, in words: '5; under littlego 10'."""
    general = getattr(Limits(), limit)
    others = {rules: value for rules in PRESETS if (value := getattr(usual_limits(rules), limit)) != general}
    return "; ".join([f"{general:g}", *(f"under {rules} {value:g}" for rules, value in others.items())])


USUAL_RUBRIC = "2019"
"""The rubric of a grade that names none."""
_SECONDS_A_GAME = {"course": 3.0, "littlego": 90.0}
"""What the rubrics under these rules allow: 1,200 s for 400 games, 7,200 s for 80."""


@dataclass(frozen=True)
class EventPlan:
    """An event to run, and the machine to run it on. key: None for a secret one, which the store keeps, or draws if it is new.

    rubric: None if the event has none. basis: what the rubric decides. file: the event file as read, empty if there is none.
    """

    event: Event
    machine: Machine
    key: Key | None
    rubric: Rubric | None
    basis: Basis
    file: EventFile

    def __post_init__(self) -> None:
        check_fields(self, BadEventError)

    @property
    def given(self) -> tuple[Entrant, ...]:
        """The entrants other than submissions: reference players and engines. Raises BadRubricError if a file is gone."""
        if self.rubric is not None and self.rubric.opponents:
            return self.rubric.references()
        return (*reference_entrants(self.event.references), *self.file.engines)

    def budget(self, games: int) -> float | None:
        """Return the budget in seconds of a submission with this many games, for all of them together; None for no bound.

        It comes from the event, or else its rubric, or else is as much per game as the rubrics of these rules allow.
        """
        if self.machine.submission_seconds is not None:
            return self.machine.submission_seconds or None
        if self.rubric is not None and self.rubric.seconds is not None:
            return float(self.rubric.seconds)
        each = _SECONDS_A_GAME.get(self.event.rules)
        return None if each is None else each * games


def read_file_plan(path: Path, kind: str) -> EventPlan:
    """Return the event of this kind that an event file describes, without options. Raises BadEventError or BadRubricError."""
    return make_plan(read_event_file(path), kind, lambda key: in_file(path, key))


def read_event(path: Path | str | Mapping[str, object], kind: str = "") -> EventPlan:
    """Return the event that an event file describes, or a dictionary with what such a file would hold.

    kind: used if none is named; by default 'round-robin'. Paths in a dictionary begin in the current folder. Raises
    BadEventError or BadRubricError.
    """
    if isinstance(path, Mapping):
        place = Path("event")
        file = event_file_of(path, str(place), Path())
    else:
        check_kind(path, (Path, str), "the path of an event file, or a dictionary", BadEventError)
        place = Path(path)
        file = read_event_file(place)
    kind = kind or str(file.values.get("kind", "round-robin"))
    return make_plan(file, kind, lambda key: in_file(place, key), USUAL_RUBRIC if kind == "grade" else "")


def in_file(path: Path, key: str) -> str:
    """Return the place of a key's value, for messages: 'cup.toml: limits.memory_mib'."""
    return f"{path}: {'limits.' if key in LIMIT_CHECKS else ''}{key}"


def make_plan(file: EventFile, kind: str, place: Callable[[str], str], default_rubric: str = "") -> EventPlan:
    """Return the event of this kind that an event file describes. place: gives the place of a key's value, for messages.

    Raises BadEventError or BadRubricError.
    """
    said = file.values.get("kind", kind)
    if said != kind:
        raise BadEventError(f"{place('kind')}: expected {kind!r}, which is the command, got {quoted(said)}")
    values: dict[str, Any] = {**file.values, "kind": kind}
    rubric_name = values.setdefault("rubric", default_rubric)
    rubric = read_rubric(rubric_name) if isinstance(rubric_name, str) and rubric_name else None
    if advice := _why_not(kind, rubric):
        raise BadEventError(f"{place('rubric')}: expected {advice[0]}, got {quoted(rubric_name)}; {advice[1]}")
    if rubric is not None:
        values = {"rules": rubric.rules, "size": rubric.size, "games": rubric.games, **values}
    event = make_event(values, place)
    if event.references and kind == "match":
        raise BadEventError(f"{place('references')}: expected none, a match names its two players; gauntlet takes some")
    machine, key = make_machine(file.machine, place), make_key(file.chance, place)
    if kind == "grade" and rubric is not None:
        if event.references:
            raise BadEventError(f"{place('references')}: expected none, since a grade's reference players are the rubric's")
        event = replace(event, references=tuple(opponent.name for opponent in rubric.opponents))
    return EventPlan(event, machine, key, rubric, basis_of(rubric), file)


def rubric_now(store: Store, chosen: str | None, tell: Tell = tell_nobody) -> Rubric | None:
    """Return the rubric for a store's results; if none was chosen, report how the store's own has changed.

    Raises BadRubricError.
    """
    rubric = rubric_of(store.event, store.path, chosen)
    if store.rubric and not chosen:
        tell_changes(store.path, store.mark_changes(basis_of(rubric)), tell)
    return rubric


def _why_not(kind: str, rubric: Rubric | None) -> tuple[str, str] | None:
    """Return what rubric an event of a kind should have, and what to do instead; None if this one will do."""
    if kind == "grade" and (rubric is None or not rubric.opponents):
        return "a rubric with reference players", "one that is about ranks is for round-robin"
    if kind == "round-robin" and rubric is not None and not rubric.ranks:
        return "a rubric of ranks, as 2019-second", "one that is about reference players is for grade"
    if kind in ("match", "gauntlet") and rubric is not None:
        return f"none, a {kind} gives no points", "`rules`, `size` and `games` say what is played"
    return None
