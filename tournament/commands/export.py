"""export: the games of an event as csv, json or SGF."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from common.command_lines import DONE
from tournament.events.event_files import event_fields
from tournament.results.exports import FORMATS, Extras, write_csv, write_json, write_sgfs
from tournament.store.store import read_store

SUMMARY = "the games of an event as csv, json or SGF"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("format", choices=FORMATS, help="what to write")
    parser.add_argument(
        "--out", type=Path, metavar="PATH", help="file to write, folder for sgf (default: the store's name + .FORMAT)"
    )
    parser.add_argument("--per-game", action="store_true", help="sgf: a file per game instead of one per pair")
    add = parser.add_argument_group("parts that differ from run to run, left out unless asked for")
    add.add_argument("--times", action="store_true", help="seconds of every move")
    add.add_argument("--machine", action="store_true", help="sandbox and replays; in json also when and where")
    add.add_argument("--logs", action="store_true", help="what players printed, and tracebacks")


def run(options: argparse.Namespace) -> int:
    """Write the games, sorted by id."""
    extras = Extras(options.times, options.machine, options.logs)
    with read_store(options.store) as store:
        event = store.event
        if options.format == "sgf":
            out = options.out or options.store.with_name(f"{options.store.stem}.sgf")
            number = write_sgfs(store.results(), out, event.rules, event.size, extras, options.per_game)
        elif options.format == "csv":
            out = options.out or options.store.with_suffix(".csv")
            number = write_csv(store.results(), out, extras)
        else:
            out = options.out or options.store.with_suffix(".json")
            runs = [vars(run) for run in store.runs()]
            about = event_fields(event, store.machine) | ({"runs": runs} if options.machine else {})
            number = write_json(store.results(), out, extras, about)
    print(f"{number} games written to {out}", file=sys.stderr)
    return DONE
