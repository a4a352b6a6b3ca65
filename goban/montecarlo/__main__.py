"""Pattern sets and pattern files, told in words.

    python3 -m goban.montecarlo table mogo_classic     counts, digest and warnings of a built-in set
    python3 -m goban.montecarlo table my.db            the same of a file
    python3 -m goban.montecarlo table my.db --at 'XO./O*./...' --if near,osafe
                                                        also what this neighbourhood is worth then, and by which lines
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from goban.common.command_lines import DONE, CommandError, Parser, run
from goban.solver.errors import SearchError

# What needs more than the standard library is imported where it is used, so that `run` can say what is missing.
_NAME = "montecarlo"


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(name=_NAME, prog="python3 -m goban.montecarlo", description="Pattern sets and files for Monte Carlo Go.")
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    table = commands.add_parser("table", help="what a set or a file comes to", description="What a set or a file comes to.")
    table.name = _NAME
    table.add_argument("patterns", metavar="NAME|FILE", help="a built-in set, or a file of patterns")
    table.add_argument("--at", metavar="ROWS", help="also what this neighbourhood is worth, drawn as 'XO./O*./---'")
    table.add_argument("--if", dest="words", metavar="WORDS", help="only if these words hold, as 'near,ocap1+'; with --at")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run(_NAME, lambda: _table(parser().parse_args(arguments)), SearchError)


def _table(options: argparse.Namespace) -> int:
    from goban.montecarlo.pattern_files import check_words
    from goban.montecarlo.pattern_sets import table_of
    from goban.montecarlo.pattern_tables import explanation, parse_neighbourhood, summary

    if options.at is None and options.words is not None:
        raise CommandError("--if: expected with --at only")
    table = table_of(options.patterns)
    text = summary(table)
    if options.at is not None:
        words = check_words(options.words.split(",")) if options.words is not None else ()
        text += f"\n\n{explanation(table, parse_neighbourhood(options.at), words)}"
    print(text)
    return DONE


if __name__ == "__main__":
    sys.exit(main())
