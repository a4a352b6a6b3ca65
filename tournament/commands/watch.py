"""watch: the standings of an event, live in the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common.command_lines import DONE
from tournament.application.plans import rubric_now
from tournament.application.runs import stop_signals
from tournament.errors import StoreBusyError, TournamentError
from tournament.events.events import Event
from tournament.intake.submissions import Refused
from tournament.records import Entrant, GameRow
from tournament.results.grade_report import grades_text
from tournament.results.grading import by_points, class_grades
from tournament.results.ratings import ratings
from tournament.results.refusals import read_refusals
from tournament.results.rubric_files import names
from tournament.results.rubrics import Rubric
from tournament.results.standings import ranking_text, standings
from tournament.store.store import read_store

SUMMARY = "the standings, or the points of a grade, live in the terminal while the event runs"
# The terminal's alternate screen, so that leaving brings back what was there before; the cursor is hidden.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _TO_LINE_END, _TO_END = "\x1b[H", "\x1b[K", "\x1b[J"
_TICK_SECONDS = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file; a run may be writing to it")
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="how often to look (default: %(default)g)")
    parser.add_argument("--rubric", metavar="NAME", help=f"what a grade's games are worth: {', '.join(names())} or a file.toml")
    parser.add_argument("--once", action="store_true", help="print one screen and exit, as when the output is not a terminal")


def run(options: argparse.Namespace) -> int:
    """Show the standings until Ctrl-C, the normal way to leave."""
    if not 0.1 <= options.every <= 3600:
        raise TournamentError(f"--every: expected a number of seconds from 0.1 to 3600, got {options.every:g}")
    if options.once or not sys.stdout.isatty():
        size = shutil.get_terminal_size((200, 100)) if sys.stdout.isatty() else None
        print(screen(_read(options), *((size.columns, size.lines) if size else (0, 0))))
        return DONE
    shown = _read(options)
    print(_ENTER, end="")
    try:
        with stop_signals() as seen:
            while not seen:
                _draw(shown)
                _rest(options.every, seen)
                try:
                    shown = _read(options)
                except StoreBusyError:
                    continue
    finally:
        print(_LEAVE, end="", flush=True)
    return DONE


@dataclass(frozen=True)
class Shown:
    """What a screen is made of. rubric: None if only games and WINs count; told: what is to be known of it."""

    event: Event
    entrants: Sequence[Entrant]
    rows: Sequence[GameRow]
    rubric: Rubric | None = None
    refused: Sequence[Refused] = ()
    told: Sequence[str] = ()


def _read(options: argparse.Namespace) -> Shown:
    with read_store(options.store) as store:
        event, entrants, rows = store.event, store.entrants(), store.rows()
        told: list[str] = []
        rubric = rubric_now(store, options.rubric, told.append)
    return Shown(event, entrants, rows, rubric, read_refusals(options.store), told)


def _draw(shown: Shown) -> None:
    size = shutil.get_terminal_size()
    lines = screen(shown, size.columns, size.lines - 1).split("\n")
    print(_HOME + "\n".join(line + _TO_LINE_END for line in lines) + _TO_END, end="", flush=True)


def _rest(seconds: float, seen: list[int]) -> None:
    """Wait this long, or until a signal has come."""
    pause = threading.Event()
    for _ in range(round(seconds / _TICK_SECONDS)):
        if seen:
            return
        pause.wait(_TICK_SECONDS)


def screen(shown: Shown, columns: int, height: int) -> str:
    """Return one screenful: a line about the event, then the table, cut to the screen. columns: 0 to cut nothing."""
    event, rows = shown.event, shown.rows
    expected = _expected(event, shown.entrants)
    of_all = f" of {expected}" if expected else ""
    forfeits = sum(bool(row.forfeited_by) for row in rows)
    refused = f", {len(shown.refused)} submissions refused" if shown.refused else ""
    about = f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}"
    lines = [f"{about}: {len(rows)}{of_all} games, {forfeits} forfeits{refused}", *shown.told, "", *_table(shown)]
    if columns:
        room = max(4, height - 2)
        left = len(lines) - room
        lines = [*lines[:room], f"... {left} more" if left > 0 else "", "Ctrl-C leaves; the event goes on"]
        lines = [line[:columns] for line in lines]
    return "\n".join(lines)


def _table(shown: Shown) -> list[str]:
    """Return the lines of the points of a grade, most points first, or of the ranking."""
    event, rows, rubric = shown.event, shown.rows, shown.rubric
    if rubric is not None and rubric.opponents:
        found = by_points(class_grades(rows, rubric, shown.entrants, shown.refused, event.games, event.until_decided))
        return grades_text(found, rubric, event).split("\n")
    found_standings = standings(rows, (entrant.name for entrant in shown.entrants))
    rated = ratings(found_standings.tallies) if rows else None
    return ranking_text(found_standings, rated).split("\n\n")[0].split("\n")


def _expected(event: Event, entrants: Sequence[Entrant]) -> int:
    """Return the number of games once all are played; 0 if only the command that plays them knows."""
    references = sum(bool(entrant.reference) for entrant in entrants)
    if event.kind == "round-robin" and not event.deciding:
        return len(entrants) * (len(entrants) - 1) // 2 * event.games
    fixed = event.kind == "grade" and not event.until_decided
    return (len(entrants) - references) * references * event.games if fixed else 0
