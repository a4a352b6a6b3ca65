"""submission: the network that comes with the project as what a student hands in, without any library."""

from __future__ import annotations

import argparse
from pathlib import Path

from goban.common.command_lines import DONE, CommandError
from goban.common.files import write_beside
from golearn.alphazero.go_zero import SHIPPED

SUMMARY = "write the player zero as a submission: one file of plain Python, and its network"
PLAYER = Path(__file__).parents[1] / "go_submission.py"
FILES = {"my_player.py": PLAYER, "my_player_network.npz": SHIPPED}
"""Name in the folder -> of what it is a copy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder for its two files")


def run(options: argparse.Namespace) -> int:
    """Write them."""
    folder: Path = options.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(f"{folder}: expected a new or an empty folder, found something else")
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in FILES.items():
        write_beside(folder / name, source.read_bytes())
    print(f"{folder}: {', '.join(FILES)}")
    return DONE
