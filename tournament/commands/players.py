"""The arguments that say who plays: submissions and their roster."""

from __future__ import annotations

import argparse
from pathlib import Path

from gojudge.intake.rosters import COLUMNS
from tournament.application.classes import SubmissionSources
from tournament.events.event_files import EventFile


def add_class_arguments(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the arguments for a class's submissions and their roster; see `handed_in`. more: what else may be named."""
    what = f"submissions, or folders of them{more}"
    parser.add_argument("submissions", type=Path, nargs="*", metavar="FOLDER|FILE", help=what)
    parser.add_argument("--roster", type=Path, metavar="FILE", help=f"CSV file: {','.join(COLUMNS)}")


def handed_in(options: argparse.Namespace, file: EventFile) -> SubmissionSources:
    """Return what the arguments and the event file say; an argument overrides the file."""
    return SubmissionSources(options.submissions or file.submissions, options.roster or file.roster, file.only_listed)
