"""Make the book of early 5x5 positions anew: `python3 -m goban.solver.bookmaking`; `goban.solver.book_entries` says how."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from goban.common.command_lines import DONE, CommandError, Parser, complain, run, whole_number
from goban.common.excerpts import quoted
from goban.common.files import check_writable, write_beside
from goban.solver.errors import RULES, SearchError

_NAME = "bookmaking"


def parser() -> Parser:
    """Return the command line's parser."""
    from goban.solver.book_entries import MEMORY_MIB

    made = Parser(name=_NAME, prog="python3 -m goban.solver.bookmaking", description="Rebuild the book of early positions.")
    # With `choices`, argparse of Python 3.11 wants the default to be one of them.
    made.add_argument("rules", nargs="*", type=_rules, default=RULES, metavar="RULES", help=(
        f"rule sets, of {', '.join(RULES)} (default: both)"
    ))  # fmt: skip
    made.add_argument(
        "--memory", type=whole_number(1, 2**20, "a number of MiB"), default=MEMORY_MIB, metavar="MIB",
        help="size of a table; two are used (default: %(default)s)",
    )  # fmt: skip
    made.add_argument("--margins", action="store_true", help=(
        "only add the margins of the first positions to the existing books"
    ))  # fmt: skip
    made.add_argument("--out", type=Path, metavar="FOLDER", help="where to write (default: where the solver looks)")
    return made


def _rules(text: str) -> str:
    if text not in RULES:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(RULES)}, got {quoted(text)}")
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run(_NAME, lambda: _make_books(arguments), SearchError)


def _make_books(arguments: Sequence[str] | None) -> int:
    # Both need numba and numpy, and `run` says so where they are missing.
    from goban.kernels.numba_tools.compile import compilation_told
    from goban.solver.book import shipped_path

    options = parser().parse_args(arguments)
    with compilation_told(lambda: complain(_NAME, "compiling the solver, once for this machine...")):
        for rules in options.rules:
            path = shipped_path(rules)
            path = options.out / path.name if options.out else path
            check_writable(path, ".bin")
            _make_book(rules, path, options.memory, options.margins)
    return DONE


def _make_book(rules: str, path: Path, memory_mib: int, margins_only: bool) -> None:
    from goban.solver.book import book_bytes, read_book, shipped_path
    from goban.solver.book_entries import make_book, with_margins

    folder = path.with_suffix(f".{'margins' if margins_only else 'parts'}-{memory_mib}")
    try:
        book = read_book(shipped_path(rules)) if margins_only else make_book(rules, folder, memory_mib)
        data = book_bytes(with_margins(rules, folder, memory_mib, book))
    except KeyboardInterrupt:
        complain(_NAME, f"{path} is as it was; what is done of a new one is in {folder}")
        raise
    except BrokenProcessPool:
        raise CommandError(f"a part was killed (out of memory?); what is done is in {folder}") from None
    write_beside(path, data)
    shutil.rmtree(folder)
    print(f"{path}: {len(data):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
