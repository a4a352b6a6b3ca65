"""key: the secret key of an event, for whoever runs it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from goban.common.command_lines import DONE
from tournament.store.store import read_store

SUMMARY = "the secret key of an event, from which all its chance comes"
EXAMPLE = "cup.db"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("store", type=Path, metavar="STORE", help="a results file; verify and later runs find the key in it")


def run(options: argparse.Namespace) -> int:
    """Print the key as hexadecimal digits. No other command shows it."""
    with read_store(options.store) as store:
        print(store.key.secret.hex())
    print("whoever has this key can compute every random choice in the event: keep it secret", file=sys.stderr)
    return DONE
