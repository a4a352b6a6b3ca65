"""standings: who stands where in an event."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from common.command_lines import DONE
from common.files import write_beside
from tournament.application.plans import rubric_now
from tournament.commands.progress import say
from tournament.events.events import Event
from tournament.records import Entrant, GameRow
from tournament.results.grade_report import grades_csv, grades_text, rubric_text
from tournament.results.grading import by_points, class_grades
from tournament.results.ratings import ratings
from tournament.results.refusals import read_refusals
from tournament.results.rubric_files import names
from tournament.results.rubrics import Rubric
from tournament.results.standings import crosstable_text, ranking_text, standings, standings_csv
from tournament.store.store import read_store

SUMMARY = "ranking by WINs, crosstable and ratings of an event; of a grade the points"
# A wider table would not fit on a screen.
_WIDEST = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("--rubric", metavar="NAME", help=f"what results are worth: {', '.join(names())} or a file.toml")
    parser.add_argument("--submissions-only", action="store_true", help="leave out reference players and games against them")
    parser.add_argument("--no-ratings", action="store_true", help="leave out ratings")
    parser.add_argument("--crosstable", action="store_true", help=f"print the crosstable of more than {_WIDEST} players too")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write the ranking to a CSV file")


def run(options: argparse.Namespace) -> int:
    """Print the standings, or the points of a grade."""
    with read_store(options.store) as store:
        event, entrants, rows, different = store.event, store.entrants(), store.rows(), store.different_games()
        rubric = rubric_now(store, options.rubric, say)
    of_them = "" if options.submissions_only else f", {different} different"
    if rubric is not None and rubric.opponents:
        text, csv = _points(options, event, entrants, rows, rubric)
    else:
        if options.submissions_only:
            entrants = [entrant for entrant in entrants if entrant.is_submission]
            own = {entrant.name for entrant in entrants}
            rows = [row for row in rows if row.black in own and row.white in own]
        text, csv = _ranking(options, entrants, rows, rubric)
    print(f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}, {len(rows)} games{of_them}\n\n{text}")
    if options.csv is not None:
        write_beside(options.csv, csv.encode())
    return DONE


def _points(
    options: argparse.Namespace, event: Event, entrants: Sequence[Entrant], rows: Sequence[GameRow], rubric: Rubric
) -> tuple[str, str]:
    """Return the points of all submissions, refused ones too, and what they are for, as text; and as CSV."""
    found = by_points(class_grades(rows, rubric, entrants, read_refusals(options.store), event.games, event.until_decided))
    return f"{grades_text(found, rubric, event)}\n\n{rubric_text(found, rubric)}", grades_csv(found, rubric)


def _ranking(
    options: argparse.Namespace, entrants: Sequence[Entrant], rows: Sequence[GameRow], rubric: Rubric | None
) -> tuple[str, str]:
    """Return the ranking and the crosstable as text, and the ranking as CSV."""
    found = standings(rows, (entrant.name for entrant in entrants), rubric)
    rated = None if options.no_ratings or not rows else ratings(found.tallies)
    parts = [ranking_text(found, rated)]
    if len(found.players) <= _WIDEST or options.crosstable:
        parts.append(crosstable_text(found))
    return "\n\n".join(parts), standings_csv(found.players, rated, entrants)
