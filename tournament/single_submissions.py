"""A player named on the command line: a reference player, or the one submission in a file, folder or archive.

A student's file is rarely alone: its own modules and tables lie beside it, and come along (`tournament.intake.dependencies`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from common.excerpts import quoted, quoted_path
from tournament.errors import BadRosterError, BadSubmissionError
from tournament.events.event_files import REFERENCES
from tournament.events.schedules import reference_entrants
from tournament.intake.rosters import clean_name
from tournament.intake.submissions import submissions_in, take
from tournament.records import CLASS, PROGRAM, Entrant


def single_players(names: Sequence[str], copies: Path) -> list[Entrant]:
    """Return who plays, with different names. copies: an empty folder, where submissions are copied to.

    Raises BadRosterError or BadSubmissionError.
    """
    found: list[Entrant] = []
    for number, name in enumerate(names, 1):
        place = copies / str(number)
        entrant = reference_entrants([name])[0] if name in REFERENCES else _submission(Path(name), place)
        taken = {other.name.casefold() for other in found}
        own = entrant.name
        if own.casefold() in taken or (not entrant.reference and own in REFERENCES):
            own = f"{own}-{number}"
        found.append(replace(entrant, name=own))
    return found


def _submission(source: Path, place: Path) -> Entrant:
    if not source.exists():
        raise BadRosterError(f"expected a player ({', '.join(REFERENCES)}), a file or a folder, got {quoted(str(source))}")
    found, _ = submissions_in([source])
    if len(found) != 1:
        raise BadSubmissionError(f"expected one submission, found {len(found)} in {quoted_path(source)}")
    one = replace(found[0], name=clean_name(source.stem) or "player")
    place.mkdir(parents=True)
    try:
        return take(one, place, "MyPlayer", None, (CLASS, PROGRAM))
    except BadSubmissionError as error:
        raise BadSubmissionError(f"{quoted_path(source)}: {error}") from error
