"""sample: a made-up class of twenty submissions for trying the other commands, and the pages of a small event."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

from common.command_lines import DONE
from tournament.commands import report, round_robin
from tournament.errors import TournamentError
from tournament.shelf.classroom import make_class, make_small_class, roster_of

SUMMARY = "write twenty submissions, good, bad and broken, for trying the other commands"

# Time per game for computing what its moves were worth: enough to find the mistakes in most games.
_TRUTH_SECONDS = 2.0
_EVENT = ("--name=cup", "--rubric=2019-second", "--size=5", "--games=2", "--move-seconds=1", "--require-tier=T0", "--seed=1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where they are written; the roster is FOLDER.csv")
    parser.add_argument("--site", action="store_true", help=(
        "also play a small event of twelve and write its pages to FOLDER-small.site; takes minutes, can be stopped and resumed"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the class, and the site if asked for."""
    folder: Path = options.folder
    if not folder.name:
        raise TournamentError(f"FOLDER: expected the name of a folder, got {str(folder)!r}")
    number = make_class(folder)
    print(f"{number} submissions in {folder}, roster in {roster_of(folder)}")
    return _make_site(folder.with_name(f"{folder.name}-small")) if options.site else DONE


def _make_site(small: Path) -> int:
    """Play the small event and write its pages; return the exit status. What was played or computed before is kept."""
    make_small_class(small)
    store = small.with_name(f"{small.name}.db")
    status = _run(round_robin, str(small), *_EVENT, "--store", str(store))
    if status == DONE:
        status = _run(report, str(store), "--truth", str(_TRUTH_SECONDS), "--out", str(small.with_name(f"{small.name}.site")))
    return status


def _run(command: ModuleType, *arguments: str) -> int:
    """Run another command with these arguments; return its status."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_intermixed_args(arguments))
    return status
