"""standings: who stands where in an event."""

from __future__ import annotations

import argparse
from pathlib import Path

from common.command_lines import DONE
from common.files import write_beside
from tournament.results.ratings import ratings
from tournament.results.rubric_files import names, read_rubric
from tournament.results.standings import standings
from tournament.results.standings_report import crosstable_text, ranking_text, standings_csv
from tournament.store.store import read_store

SUMMARY = "ranking by WINs, crosstable and ratings of an event"
# A wider table would not fit on a screen.
_WIDEST = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("--rubric", metavar="NAME", help=f"what ranks are worth: {', '.join(names())} or a file.toml")
    parser.add_argument("--submissions-only", action="store_true", help="leave out reference players and games against them")
    parser.add_argument("--no-ratings", action="store_true", help="leave out ratings")
    parser.add_argument("--crosstable", action="store_true", help=f"print the crosstable of more than {_WIDEST} players too")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write the ranking to a CSV file")


def run(options: argparse.Namespace) -> int:
    """Print the standings."""
    with read_store(options.store) as store:
        event, entrants, rows = store.event, store.entrants(), store.rows()
    chosen = options.rubric or (event.rubric if event.kind == "round-robin" else "")
    rubric = read_rubric(chosen) if chosen else None
    if options.submissions_only:
        entrants = [entrant for entrant in entrants if not entrant.reference]
        own = {entrant.name for entrant in entrants}
        rows = [row for row in rows if row.black in own and row.white in own]
    found = standings(rows, (entrant.name for entrant in entrants), rubric)
    rated = None if options.no_ratings or not rows else ratings(found.tallies)
    print(f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}, {len(rows)} games\n")
    print(ranking_text(found, rated))
    if len(found.players) <= _WIDEST or options.crosstable:
        print(f"\n{crosstable_text(found)}")
    if options.csv is not None:
        write_beside(options.csv, standings_csv(found.players, rated).encode())
    return DONE
