"""export: the games of an event as csv, json or SGF; the points of a grade as course systems import them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from goban.common.command_lines import DONE, LEFT
from goban.common.excerpts import quoted
from goban.common.files import check_folder_writable, check_writable, write_beside
from tournament.application.plans import rubric_now
from tournament.commands.event_options import add_rubric_argument
from tournament.commands.progress import say
from tournament.errors import BadEventError
from tournament.events.event_files import event_fields
from tournament.results.course_systems import SYSTEMS, canvas_csv, moodle_csv, people, vocareum_files
from tournament.results.exports import FORMATS, Extras, write_csv, write_json, write_sgfs
from tournament.results.grading import class_grades
from tournament.results.refusals import read_refusals
from tournament.results.rubrics import shown
from tournament.store.store import read_store

SUMMARY = "an event's games as csv, json or SGF; a grade's points for Canvas, Moodle, Vocareum"
EXAMPLE = "grade.db canvas"
_WITH = ("times", "machine", "logs")
_PER_GAME = "sgf-per-game"
_FORMATS = (*FORMATS, _PER_GAME)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file")
    parser.add_argument("format", choices=(*_FORMATS, *SYSTEMS), metavar="FORMAT", help=(
        f"{', '.join((*_FORMATS, *SYSTEMS))}; sgf has a file for each pair"
    ))  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="PATH", help=(
        "the file to write, or the folder for sgf and vocareum (default: beside the store)"
    ))  # fmt: skip
    parser.add_argument("--with", dest="parts", type=_parts, default=(), metavar="PART,...", help=(
        "of games, what differs from run to run: times of moves; machine: sandbox, replays, when and "
        "where; logs: what players printed"
    ))  # fmt: skip
    parser.add_argument("--assignment", metavar="NAME", help="the column with the points (default: the rubric's title)")
    add_rubric_argument(parser)


def _parts(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in _WITH:
            raise argparse.ArgumentTypeError(f"expected some of {','.join(_WITH)}, got {quoted(name)}")
    return names


def run(options: argparse.Namespace) -> int:
    """Write the games, sorted by id, or the points."""
    if options.out is not None:
        (check_folder_writable if options.format in (_PER_GAME, "vocareum") else check_writable)(options.out)
    return _write_points(options) if options.format in SYSTEMS else _write_games(options)


def _write_games(options: argparse.Namespace) -> int:
    extras = Extras(*(part in options.parts for part in _WITH))
    with read_store(options.store) as store:
        event, entrants = store.event, store.entrants()
        if options.format in ("sgf", _PER_GAME):
            out = options.out or options.store.with_name(f"{options.store.stem}.sgf")
            number = write_sgfs(store.results(), out, event.rules, event.size, extras, options.format == _PER_GAME)
        elif options.format == "csv":
            out = options.out or options.store.with_suffix(".csv")
            number = write_csv(store.results(), out, extras, entrants)
        else:
            out = options.out or options.store.with_suffix(".json")
            runs = [vars(run) for run in store.runs()]
            about = event_fields(event, store.machine) | ({"runs": runs} if extras.machine else {})
            number = write_json(store.results(), out, extras, about, entrants)
    _say(f"{number} games written to {out}")
    return DONE


def _write_points(options: argparse.Namespace) -> int:
    """Write a grade's points for a course system; say who is left out, and whose points are not final."""
    with read_store(options.store) as store:
        event, entrants, rows = store.event, store.entrants(), store.rows()
        rubric = rubric_now(store, options.rubric, say)
    if event.kind != "grade" or rubric is None or not rubric.opponents:
        raise BadEventError(f"{options.format}: expected the results of a grade, got those of a {event.kind}")
    grades = class_grades(rows, rubric, entrants, read_refusals(options.store), event.games, event.until_decided)
    everybody = people(grades, options.format)
    title = options.assignment or rubric.title
    if options.format == "vocareum":
        out = options.out or options.store.with_suffix(".vocareum")
        for path, text in vocareum_files(everybody.found).items():
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            write_beside(out / path, text.encode())
    else:
        out = options.out or options.store.with_suffix(f".{options.format}.csv")
        canvas = options.format == "canvas"
        text = canvas_csv(everybody.found, title, shown(rubric.full)) if canvas else moodle_csv(everybody.found, title)
        write_beside(out, text.encode())
    unfinished = [grade.name for grade in grades if grade.played and not grade.complete]
    open_ones = [f"{name}: games are missing; these points are not final" for name in unfinished]
    for line in (*everybody.left_out, *open_ones):
        _say(line)
    number = len(everybody.found)
    _say(f"the points of {number} student{'s' * (number != 1)} written to {out}")
    return LEFT if everybody.left_out or open_ones else DONE


def _say(text: str) -> None:
    print(text, file=sys.stderr)
