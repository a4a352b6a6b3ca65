"""sample: a made-up class of submissions for trying the other commands, and the pages of a small event."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

from common.command_lines import DONE, need_packages, whole_number
from tournament.commands import grade, report, round_robin
from tournament.errors import TournamentError
from tournament.shelf.classroom import TWENTY, make_class, make_small_class, roster_of

SUMMARY = "write a class of submissions, good, bad and broken, for trying the other commands"

# Time per game for computing what its moves were worth: enough to find the mistakes in most games.
_TRUTH_SECONDS = 2.0
_SMALL = "-small"
_SAME = ("--move-seconds=1", "--require-tier=T0", "--seed=1")
_EVENT = ("--name=cup", "--rubric=2019-second", "--size=5", "--games=2", *_SAME)
_GRADE = ("--name=grade", "--rubric=2019", "--games=4", *_SAME)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where they are written; the roster is FOLDER.csv")
    number = whole_number(1, 1000, "a number of submissions")
    parser.add_argument("--submissions", type=number, default=TWENTY, metavar="N", help=(
        "how many; more than twenty are the same again under other names (default: %(default)s)"
    ))  # fmt: skip
    parser.add_argument("--site", action="store_true", help=(
        "also play a small event of twelve, grade them, and write both pages, FOLDER-small.site and FOLDER-grade.site; "
        "takes minutes, can be stopped and resumed"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the class, and the site if asked for."""
    folder: Path = options.folder
    if not folder.name:
        raise TournamentError(f"FOLDER: expected the name of a folder, got {str(folder)!r}")
    if options.site:
        need_packages("jinja2", "numpy", "scipy", "tabulate", "tqdm")
    number = make_class(folder, options.submissions)
    print(f"{number} submissions in {folder}, roster in {roster_of(folder)}")
    return _make_site(folder.with_name(f"{folder.name}{_SMALL}")) if options.site else DONE


def _make_site(small: Path) -> int:
    """Play the small event, grade its class, write the pages; return the exit status. What was done before is kept."""
    make_small_class(small)
    grades = small.with_name(f"{small.name.removesuffix(_SMALL)}-grade.db")
    for command, options, store in ((round_robin, _EVENT, small.with_name(f"{small.name}.db")), (grade, _GRADE, grades)):
        status = _run(command, str(small), *options, "--store", str(store))
        if status == DONE:
            status = _run(report, str(store), "--truth", str(_TRUTH_SECONDS), "--out", str(store.with_suffix(".site")))
        if status != DONE:
            return status
    return DONE


def _run(command: ModuleType, *arguments: str) -> int:
    """Run another command with these arguments; return its status."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_intermixed_args(arguments))
    return status
