"""What players can do, on their pages: read from the file that `probe --out STORE.probes.json` has written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted_path
from goban.common.files import read_bounded
from goban.errors import GobanError
from goban.rulesets import COLOUR_NAMES
from gojudge.errors import JudgeError
from gojudge.records import Entrant
from tournament.pages.words import visible
from tournament.probing.findings import drawing
from tournament.probing.positions import Position, read_moves

_MOST_BYTES = 2**28
_CHARACTERS = 200


@dataclass(frozen=True)
class MissedPosition:
    """A position that was missed: who moves, what was played, which moves win, how it looks, and the moves that lead to it."""

    to_move: str
    played: str
    wins: str
    cost: int | None
    board: str
    moves: str


@dataclass(frozen=True)
class ProbeLine:
    """One probe, as a line of a table."""

    says: str
    passed: int
    of: int
    missed: tuple[MissedPosition, ...]


@dataclass(frozen=True)
class Probed:
    """What is known of one submission. phases: (name, stones lost a game, None if unknown)."""

    passed: int
    of: int
    lines: tuple[ProbeLine, ...]
    phases: tuple[tuple[str, float | None], ...]
    alike: int
    images: int
    by_chance: int
    symmetric: int


def probed_path(store: Path) -> Path:
    """Return the path of the file with what the players of an event can do."""
    return store.with_name(f"{store.name}.probes.json")


def read_probed(path: Path, entrants: Iterable[Entrant]) -> dict[str, Probed]:
    """Return name -> what is known of a submission; {} if there is no such file.

    Of a submission that has changed since, nothing is known. Raises JudgeError for a file that cannot be read.
    """
    if not path.is_file():
        return {}
    digests = {entrant.name: entrant.digest for entrant in entrants if entrant.is_submission}
    try:
        data = json.loads(read_bounded(path, _MOST_BYTES))
        rules, profiles = str(data["rules"]), {str(one["name"]): one for one in data["profiles"]}
        return {name: _probed(rules, one) for name, one in profiles.items() if digests.get(name) == one["digest"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, GobanError):
        line = "expected what probe --out writes; remove the file, or write it anew"
        raise JudgeError(f"{quoted_path(path)}: {line}") from None


def _probed(rules: str, data: Mapping[str, Any]) -> Probed:
    lines = tuple(_line(rules, one) for one in data["probes"])
    phases = tuple((_text(one["name"]), _number(one["stones_a_game"])) for one in data["phases"])
    alike = (int(data["symmetric"][key]) for key in ("alike", "images", "by_chance", "positions"))
    return Probed(int(data["passed"]), int(data["of"]), lines, phases, *alike)


def _line(rules: str, data: Mapping[str, Any]) -> ProbeLine:
    missed = tuple(_missed(rules, one) for one in data["missed"])
    return ProbeLine(_text(data["says"]), int(data["passed"]), int(data["of"]), missed)


def _missed(rules: str, data: Mapping[str, Any]) -> MissedPosition:
    position = Position(rules, "", read_moves(data["moves"]), {})
    cost = None if data["cost"] is None else int(data["cost"])
    colour = COLOUR_NAMES[position.to_move].capitalize()
    return MissedPosition(colour, _text(data["played"]), _text(data["wins"]), cost, drawing(position), _text(data["moves"]))


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))


def _text(value: object) -> str:
    return visible(str(value), _CHARACTERS)
