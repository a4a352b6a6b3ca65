"""From names on the command line to entrants: all those of an event, or the two of a single game.

A student's file rarely stands alone. Its own modules and tables lie beside it, and come along; see
`tournament.intake.dependencies`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from common.excerpts import quoted, quoted_path
from tournament.errors import BadRosterError, BadSubmissionError
from tournament.events.event_files import REFERENCES
from tournament.events.schedules import reference_entrants
from tournament.intake.copies import take
from tournament.intake.player_files import kinds_for
from tournament.intake.rosters import clean_name
from tournament.intake.submissions import Intake, submissions_in, take_in
from tournament.records import CLASS, PROGRAM, Entrant


def add_class_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a class's submissions and their roster."""
    parser.add_argument("submissions", type=Path, nargs="*", metavar="FOLDER|FILE", help="submissions, or folders of them")
    add_roster_argument(parser)


def add_roster_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for a roster."""
    parser.add_argument("--roster", type=Path, metavar="FILE", help="CSV file: submission,name,students,class")


def copies_beside(store: Path) -> Path:
    """Return the folder for the copies of the submissions whose games are in a results file."""
    return store.with_name(f"{store.stem}.submissions")


def take_in_class(
    sources: Sequence[Path],
    roster: Path | None,
    store: Path,
    reserved: Sequence[str],
    rules: str,
    *,
    complain: bool = True,
    with_companions: bool = False,
) -> Intake:
    """Return a class's submissions to an event under some rules; report on stderr which were refused or left aside.

    with_companions: see `tournament.intake.submissions.take_in`.
    """
    if not sources:
        raise BadRosterError("expected a folder of submissions, got none")
    intake = take_in(
        sources, copies_beside(store), roster, reserved=reserved, kinds=kinds_for(rules), with_companions=with_companions
    )
    if complain:
        for refused in intake.refused:
            print(f"{refused.name}: refused: {refused.reason}", file=sys.stderr)
        for path in intake.aside:
            print(f"{path}: left aside, not a submission", file=sys.stderr)
    return intake


def take_in_players(names: Sequence[str], roster: Path | None, store: Path, rules: str) -> list[list[Entrant]]:
    """Return the entrants each name stands for: a reference player, a submission, or all submissions in a folder.

    Raises BadRosterError, or BadSubmissionError for a submission that cannot be taken in.
    """
    return [_players(name, roster, store, rules) for name in names]


def _players(name: str, roster: Path | None, store: Path, rules: str) -> list[Entrant]:
    if name in REFERENCES:
        return reference_entrants([name])
    intake = take_in([Path(name)], copies_beside(store), roster, reserved=REFERENCES, kinds=kinds_for(rules))
    for refused in intake.refused:
        raise BadSubmissionError(f"{refused.name}: {refused.reason}")
    return list(intake.entrants)


def single_players(names: Sequence[str], copies: Path) -> list[Entrant]:
    """Return the players of a game, under different names. copies: an empty folder for the copies of submissions.

    Raises BadRosterError or BadSubmissionError.
    """
    found: list[Entrant] = []
    for number, name in enumerate(names, 1):
        place = copies / str(number)
        entrant = reference_entrants([name])[0] if name in REFERENCES else _one_submission(Path(name), place)
        taken = {other.name.casefold() for other in found}
        own = entrant.name
        if own.casefold() in taken or (not entrant.reference and own in REFERENCES):
            own = f"{own}-{number}"
        found.append(replace(entrant, name=own))
    return found


def _one_submission(source: Path, place: Path) -> Entrant:
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
