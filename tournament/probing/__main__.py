"""Make the positions of the probes anew: `python3 -m tournament.probing course`; `tournament.probing.making` says how."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from goban.common.command_lines import DONE, Parser, complain, run, whole_number
from goban.common.excerpts import is_terminal
from goban.common.files import check_writable, make_folder, write_beside
from goban.solver.errors import SearchError

_NAME = "probing"
_MOST_GAMES = 1_000_000


def parser() -> Parser:
    """Return the command line's parser."""
    from tournament.probing.positions import RULES

    made = Parser(name=_NAME, prog="python3 -m tournament.probing", description="Make the positions of the probes anew.")
    made.add_argument("rules", choices=RULES, help="rule set")
    made.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, metavar="N", help="default: %(default)s")
    made.add_argument("--games", type=whole_number(1, _MOST_GAMES, "a number of games"), default=40_000, metavar="N", help=(
        "to look through, at most (default: %(default)s)"
    ))  # fmt: skip
    made.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: the one that comes with the project)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run(_NAME, lambda: _make(arguments), SearchError)


def _make(arguments: Sequence[str] | None) -> int:
    # These need numba, numpy and tqdm, and `run` says so where they are missing.
    from tqdm import tqdm

    from tournament.probing.making import make_positions
    from tournament.probing.positions import file_text, shipped_path

    options = parser().parse_args(arguments)
    path = options.out or shipped_path(options.rules)
    make_folder(path.parent)
    check_writable(path, ".jsonl")
    with tqdm(unit=" positions", disable=not is_terminal(sys.stderr), leave=False) as bar:
        try:
            positions = make_positions(options.rules, options.seed, options.games, lambda _: bar.update())
        except KeyboardInterrupt:
            complain(_NAME, f"{path} is as it was")
            raise
    data = file_text(positions).encode("ascii")
    write_beside(path, data)
    print(f"{path}: {len(positions)} positions, {len(data):,} bytes")
    return DONE


if __name__ == "__main__":
    sys.exit(main())
