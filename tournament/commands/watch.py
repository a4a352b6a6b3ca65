"""watch: the standings of an event, live in the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
from pathlib import Path

from common.command_lines import DONE
from tournament.commands.running import stop_signals
from tournament.errors import StoreBusyError, TournamentError
from tournament.events.events import Event
from tournament.records import Entrant, GameRow
from tournament.results.ratings import ratings
from tournament.results.standings import standings
from tournament.results.standings_report import ranking_text
from tournament.store.store import read_store

SUMMARY = "the standings, live in the terminal while the event runs"
# The terminal's alternate screen, so that leaving brings back what was there before; the cursor is hidden.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _TO_LINE_END, _TO_END = "\x1b[H", "\x1b[K", "\x1b[J"
_TICK_SECONDS = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file; a run may be writing to it")
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="how often to look (default: %(default)g)")
    parser.add_argument("--once", action="store_true", help="print one screen and exit, as when the output is not a terminal")


def run(options: argparse.Namespace) -> int:
    """Show the standings until Ctrl-C, the normal way to leave."""
    if not 0.1 <= options.every <= 3600:
        raise TournamentError(f"--every: expected a number of seconds from 0.1 to 3600, got {options.every:g}")
    if options.once or not sys.stdout.isatty():
        size = shutil.get_terminal_size((200, 100)) if sys.stdout.isatty() else None
        print(screen(*_read(options.store), *((size.columns, size.lines) if size else (0, 0))))
        return DONE
    shown = _read(options.store)
    print(_ENTER, end="")
    try:
        with stop_signals() as seen:
            while not seen:
                _draw(shown)
                _rest(options.every, seen)
                try:
                    shown = _read(options.store)
                except StoreBusyError:
                    continue
    finally:
        print(_LEAVE, end="", flush=True)
    return DONE


def _read(path: Path) -> tuple[Event, list[Entrant], list[GameRow]]:
    with read_store(path) as store:
        return store.event, store.entrants(), store.rows()


def _draw(shown: tuple[Event, list[Entrant], list[GameRow]]) -> None:
    size = shutil.get_terminal_size()
    lines = screen(*shown, size.columns, size.lines - 1).split("\n")
    print(_HOME + "\n".join(line + _TO_LINE_END for line in lines) + _TO_END, end="", flush=True)


def _rest(seconds: float, seen: list[int]) -> None:
    """Wait this long, or until a signal has come."""
    pause = threading.Event()
    for _ in range(round(seconds / _TICK_SECONDS)):
        if seen:
            return
        pause.wait(_TICK_SECONDS)


def screen(event: Event, entrants: list[Entrant], rows: list[GameRow], columns: int, height: int) -> str:
    """Return one screenful: a line about the event, then the ranking, cut to the screen. columns: 0 to cut nothing."""
    found = standings(rows, (entrant.name for entrant in entrants))
    rated = ratings(found.tallies) if rows else None
    expected = _expected(event, entrants)
    of_all = f" of {expected}" if expected else ""
    forfeits = sum(bool(row.forfeited_by) for row in rows)
    about = f"{event.name}: {event.kind}, {event.rules}, {event.size}x{event.size}"
    title = f"{about}: {len(rows)}{of_all} games, {forfeits} forfeits"
    table = ranking_text(found, rated).split("\n\n")[0].split("\n")
    lines = [title, "", *table]
    if columns:
        room = max(4, height - 2)
        left = len(lines) - room
        lines = [*lines[:room], f"... {left} more" if left > 0 else "", "Ctrl-C leaves; the event goes on"]
        lines = [line[:columns] for line in lines]
    return "\n".join(lines)


def _expected(event: Event, entrants: list[Entrant]) -> int:
    """Return the number of games once all are played; 0 if only the command that plays them knows."""
    references = sum(bool(entrant.reference) for entrant in entrants)
    if event.kind == "round-robin":
        return len(entrants) * (len(entrants) - 1) // 2 * event.games
    return (len(entrants) - references) * references * event.games if event.kind == "grade" else 0
