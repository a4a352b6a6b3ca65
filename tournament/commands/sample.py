"""sample: a made-up class of submissions for trying the other commands, and the pages of a small event."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

from goban.common.command_lines import DONE, need_packages, whole_number
from goban.common.files import write_beside
from gojudge.errors import JudgeError
from gojudge.shelf.classroom import TWENTY, make_class, make_small_class, roster_of
from tournament.commands import grade, report, round_robin

SUMMARY = "write a class of submissions, good, bad and broken, for trying the other commands"
EXAMPLE = "hw2"

# Time per game for computing what its moves were worth: enough to find the mistakes in most games.
_TRUTH_SECONDS = 2.0
_GAMES = 4
_SMALL = "-small"
_EVENT = """\
name = "{name}"
rubric = "{rubric}"
size = 5
games = {games}
submissions = "{folder}"
store = "{store}"
seed = 1                        # of a demonstration: marks need a secret key, which is drawn without this line
require_tier = "T0"

[limits]
move_seconds = 1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where they are written; the roster is FOLDER.csv")
    number = whole_number(1, 1000, "a number of submissions")
    parser.add_argument("number", type=number, nargs="?", default=TWENTY, metavar="N", help=(
        f"how many; more than twenty are the same again under other names (default: {TWENTY})"
    ))  # fmt: skip
    parser.add_argument("--site", action="store_true", help=(
        "also play and grade a small event, and write FOLDER-small.site and FOLDER-grade.site"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the class, and the site if asked for."""
    folder: Path = options.folder
    if not folder.name:
        raise JudgeError(f"FOLDER: expected the name of a folder, got {str(folder)!r}")
    if options.site:
        need_packages("jinja2", "numpy", "scipy", "tabulate", "tqdm")
    number = make_class(folder, options.number)
    print(f"{number} submissions in {folder}, roster in {roster_of(folder)}")
    return _make_site(folder.with_name(f"{folder.name}{_SMALL}")) if options.site else DONE


def _make_site(small: Path) -> int:
    """Play the small event, grade its class, write the pages; return the exit status. What was done before is kept."""
    make_small_class(small)
    grades = small.with_name(f"{small.name.removesuffix(_SMALL)}-grade.toml")
    cup = small.with_name(f"{small.name}.toml")
    for command, file, name, rubric, games in (
        (round_robin, cup, "cup", "2019-second", 2), (grade, grades, "grade", "2019", _GAMES),
    ):  # fmt: skip
        store = file.with_suffix(".db")
        text = _EVENT.format(name=name, rubric=rubric, games=games, folder=small.name, store=store.name)
        write_beside(file, text.encode())
        status = _run(command, "--event", str(file))
        if status == DONE:
            status = _run(report, str(store), "--truth", str(_TRUTH_SECONDS))
        if status != DONE:
            return status
    return DONE


def _run(command: ModuleType, *arguments: str) -> int:
    """Run another command with these arguments; return its status."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_intermixed_args(arguments))
    return status
