"""standings: who stands where in an event; with --follow, live in the terminal while it is played."""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goban.common.command_lines import DONE, command_line, say
from goban.common.excerpts import is_terminal
from goban.common.files import check_writable, write_beside
from goban.common.terminals import fold_tables
from gojudge.errors import JudgeError
from gojudge.intake.submissions import Refused
from gojudge.records import Entrant, GameRow
from tournament.application.plans import rubric_now
from tournament.application.runs import stop_signals
from tournament.commands.event_options import add_rubric_argument, open_results, print_tables
from tournament.errors import StoreBusyError
from tournament.events.events import Event
from tournament.results.exports import check_list
from tournament.results.grade_report import grades_csv, grades_text, read_refusals, rubric_text
from tournament.results.grading import by_points, class_grades
from tournament.results.ratings import ratings
from tournament.results.rubrics import Rubric
from tournament.results.standings import crosstable_text, ranking_text, standings, standings_csv
from tournament.store.store import read_results

SUMMARY = "show an event's ranking by WINs, crosstable and ratings; for a grade, its points"
EXAMPLE = "cup.db --follow"
# A wider table would not fit on a screen.
_WIDEST = 20
# The terminal's alternate screen, so that leaving brings back what was there before; the cursor is hidden.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _TO_LINE_END, _TO_END = "\x1b[H", "\x1b[K", "\x1b[J"
_TICK_SECONDS, _EVERY_SECONDS = 0.1, 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file; a run may be writing to it")
    add_rubric_argument(parser)
    parser.add_argument("--follow", action="store_true", help="update them live while the event is played, until Ctrl-C")
    parser.add_argument("--submissions-only", action="store_true", help="leave out reference players and games against them")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the ranking, to a CSV file")


def run(options: argparse.Namespace) -> int:
    """Print the standings, or the points of a grade."""
    if options.follow:
        for name in ("submissions-only", "out"):
            if getattr(options, name.replace("-", "_")):
                raise JudgeError(f"--follow: expected without --{name}")
        _follow(options.store, options.rubric)
        return DONE
    if options.out is not None:
        check_writable(options.out, ".csv", ".txt")
        check_list(options.out, "points or ranks", "name,students,", "rank,name,")
    with open_results(options.store) as store:
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
        text, csv = _ranking(options, event, entrants, rows, rubric)
    print_tables(f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}, {len(rows)} games{of_them}\n\n{text}")
    if options.out is not None:
        write_beside(options.out, csv.encode())
    return DONE


def _points(
    options: argparse.Namespace, event: Event, entrants: Sequence[Entrant], rows: Sequence[GameRow], rubric: Rubric
) -> tuple[str, str]:
    """Return the points of all submissions, refused ones too, and what they are for, as text; and as CSV."""
    found = by_points(class_grades(rows, rubric, entrants, read_refusals(options.store), event.games, event.until_decided))
    return f"{grades_text(found, rubric, event)}\n\n{rubric_text(found, rubric)}", grades_csv(found, rubric)


def _ranking(
    options: argparse.Namespace, event: Event, entrants: Sequence[Entrant], rows: Sequence[GameRow], rubric: Rubric | None
) -> tuple[str, str]:
    """Return the ranking and the crosstable as text, and the ranking as CSV."""
    found = standings(rows, (entrant.name for entrant in entrants), rubric, by_rating=event.ranks_by_rating)
    rated = ratings(found.tallies) if rows else None
    parts = [ranking_text(found, rated)]
    if len(found.players) <= _WIDEST or not is_terminal(sys.stdout):
        parts.append(crosstable_text(found))
    else:
        # On a terminal its lines would be broken; `less -S` and files have room.
        again = f"{command_line('tournament')} standings {options.store} | less -S"
        parts.append(f"The crosstable of {len(found.players)} players is too wide for here: {again}")
    return "\n\n".join(parts), standings_csv(found.players, rated, entrants)

def _follow(path: Path, rubric: str | None) -> None:
    """Show the standings until Ctrl-C, the normal way to leave; once where the output is no terminal."""
    shown = _read(path, rubric)
    if not is_terminal(sys.stdout):
        print(screen(shown, 0, 0))
        return
    print(_ENTER, end="")
    try:
        with stop_signals() as seen:
            while not seen:
                _draw(shown)
                _rest(_EVERY_SECONDS, seen)
                try:
                    shown = _read(path, rubric)
                except StoreBusyError:
                    continue
    finally:
        print(_LEAVE, end="", flush=True)


@dataclass(frozen=True)
class Shown:
    """What a screen is made of. rubric: None if only games and WINs count; told: what is to be known of it."""

    event: Event
    entrants: Sequence[Entrant]
    rows: Sequence[GameRow]
    rubric: Rubric | None = None
    refused: Sequence[Refused] = ()
    told: Sequence[str] = ()


def _read(path: Path, chosen: str | None) -> Shown:
    with read_results(path) as store:
        event, entrants, rows = store.event, store.entrants(), store.rows()
        told: list[str] = []
        rubric = rubric_now(store, chosen, told.append)
    return Shown(event, entrants, rows, rubric, read_refusals(path), told)


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
    expected = _count_expected(event, shown.entrants)
    of_all = f" of {expected}" if expected else ""
    forfeits = sum(bool(row.forfeited_by) for row in rows)
    refused = f", {len(shown.refused)} submissions refused" if shown.refused else ""
    about = f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}"
    lines = [f"{about}: {len(rows)}{of_all} games, {forfeits} forfeits{refused}", *shown.told, "", *_table(shown)]
    if columns:
        # Of a table in parts the first: the columns that fit.
        lines = fold_tables("\n".join(lines), columns).split("\n")[: len(lines)]
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
    names = (entrant.name for entrant in shown.entrants)
    found_standings = standings(rows, names, rubric, by_rating=event.ranks_by_rating)
    rated = ratings(found_standings.tallies) if rows else None
    return ranking_text(found_standings, rated).split("\n\n")[0].split("\n")


def _count_expected(event: Event, entrants: Sequence[Entrant]) -> int:
    """Return the number of games once all are played; 0 if only the command that plays them knows."""
    references = sum(bool(entrant.reference) for entrant in entrants)
    if event.kind == "round-robin" and not (event.deciding or event.rounds):
        return len(entrants) * (len(entrants) - 1) // 2 * event.games
    fixed = event.kind == "grade" and not event.until_decided
    return (len(entrants) - references) * references * event.games if fixed else 0
