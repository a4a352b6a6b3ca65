"""truth-set: positions of 5x5 Go with the exact value of every action, for `evaluate`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from goban.common.command_lines import DONE, complain, whole_number
from goban.common.files import check_writable, write_beside
from golearn.alphazero.go_positions import RULES

SUMMARY = "draws positions of 5x5 Go and finds the exact value of every action"
COUNT = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("rules", choices=RULES, help="rule set")
    parser.add_argument("--positions", type=whole_number(1, 100_000, "a number"), default=COUNT, metavar="N", help=(
        "how many, a quarter of them in each part of the game (default: %(default)s, which take a quarter of an hour)"
    ))  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, help="default: %(default)s")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write, an .npz (default: RULES.npz)")


def run(options: argparse.Namespace) -> int:
    """Make the file. What was found is kept beside it: stopped, the same command goes on."""
    from tqdm import tqdm

    from golearn.alphazero.go_positions import make_positions, set_bytes

    path = options.out or Path(f"{options.rules}.npz")
    check_writable(path)
    notes = path.with_name(f"{path.name}.part")
    with tqdm(total=options.positions, unit=" positions", disable=not sys.stderr.isatty()) as bar:
        try:
            known = make_positions(options.rules, options.positions, options.seed, notes, lambda n: bar.update(n - bar.n))
        except KeyboardInterrupt:
            complain("truth-set", f"what is done is in {notes}: the same command goes on from there")
            raise
    data = set_bytes(known)
    write_beside(path, data)
    notes.unlink()
    print(f"{path}: {len(known):,} positions, {len(data):,} bytes")
    return DONE
