"""The arguments that say who plays: submissions and their roster."""

from __future__ import annotations

import argparse
from pathlib import Path

from tournament.application.classes import SubmissionSources
from tournament.events.event_files import NO_FILE, EventFile
from tournament.intake.rosters import COLUMNS


def add_class_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a class's submissions and their roster; see `handed_in`."""
    parser.add_argument("submissions", type=Path, nargs="*", metavar="FOLDER|FILE", help="submissions, or folders of them")
    add_roster_argument(parser)
    parser.add_argument("--only-listed", action="store_true", help="refuse who hands in and is not in the roster")


def add_roster_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for a roster."""
    parser.add_argument("--roster", type=Path, metavar="FILE", help=f"CSV file: {','.join(COLUMNS)}")


def handed_in(options: argparse.Namespace, file: EventFile = NO_FILE) -> SubmissionSources:
    """Return what the arguments and the event file say; an argument overrides the file."""
    only_listed = options.only_listed or file.only_listed
    return SubmissionSources(options.submissions or file.submissions, options.roster or file.roster, only_listed)
