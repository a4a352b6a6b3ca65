"""cluster: what other machines need to play the games of a run, and the lines that start them."""

from __future__ import annotations

import argparse
import platform
from datetime import UTC, datetime
from pathlib import Path

from goban.common.command_lines import DONE
from gojudge.cluster.kits import make_kit, python_needed

SUMMARY = "make what a cluster is started with: certificates, a wheel, and the lines to type"
EXAMPLE = "kit tls://head:8786"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where all of it goes; it must not be there yet")
    usual = f"tls://{platform.node()}:8786"
    parser.add_argument("address", nargs="?", metavar="ADDRESS", default=usual, help=(
        f"where workers are to reach this machine (default: {usual})"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Make it, and print the lines."""
    kit = make_kit(options.folder, options.address, datetime.now(UTC))
    print(f"On this machine, and leave it running:\n\n  {kit.scheduler}\n")
    print(f"On each other machine, which must have {python_needed()}, in a copy of {kit.folder}/worker:\n")
    print(f"  {kit.install}\n  {kit.worker}\n")
    print(f"Then a run here: --cluster {kit.address} --verify 2%\n")
    print(f"Whoever has a file of {kit.folder} may join, until {kit.until}: copy it over ssh, and to nobody else.")
    return DONE
