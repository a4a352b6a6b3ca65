"""python3 -m tournament COMMAND ...: competitions between people's programs.

Exit status of every command: 0 done, 1 done but something is left or wrong (the output says what), 2 it could not be done
(one line says why), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from common.command_lines import DONE, Parser, run
from goban.errors import GobanError
from tournament.errors import HarnessFaultError, TournamentError

# A command's module is imported when it is asked for. It needs a SUMMARY, add_arguments(parser) and run(options) -> status.
COMMANDS = {
    "check": "tournament.commands.check",
    "grade": "tournament.commands.grade",
    "round-robin": "tournament.commands.round_robin",
    "play": "tournament.commands.play",
    "match": "tournament.commands.match",
    "gauntlet": "tournament.commands.gauntlet",
    "standings": "tournament.commands.standings",
    "export": "tournament.commands.export",
    "report": "tournament.commands.report",
    "watch": "tournament.commands.watch",
    "serve": "tournament.commands.serve",
    "verify": "tournament.commands.verify",
    "key": "tournament.commands.key",
    "doctor": "tournament.commands.doctor",
    "sample": "tournament.commands.sample",
}
PROGRAM = "python3 -m tournament"


class Command(Protocol):
    """What a module of `tournament.commands` must have."""

    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; return the exit status. Raises TournamentError, GobanError, OSError; `main` shows these in one line."""


def load(name: str) -> Command:
    """Return a command's module."""
    return cast(Command, importlib.import_module(COMMANDS[name]))


def overview() -> Parser:
    """Return the parser that lists the commands."""
    summaries = [f"  {name:<12} {load(name).SUMMARY}" for name in COMMANDS]
    parser = Parser(
        prog=PROGRAM,
        description="Competitions between people's programs that play Go.",
        epilog="\n".join(["commands:", *summaries, "", f"{PROGRAM} COMMAND --help says more."]),
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=120),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="what to do, see below")
    return parser


def command_parser(name: str) -> Parser:
    """Return the parser of one command."""
    command = load(name)
    parser = Parser(
        prog=f"{PROGRAM} {name}",
        description=command.SUMMARY,
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=32, width=120),
    )
    command.add_arguments(parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    name = given[0] if given and given[0] in COMMANDS else ""
    work = (lambda: _do(name, given[1:])) if name else (lambda: _show_overview(given or ["--help"]))
    return run(name or "tournament", work, TournamentError, GobanError, HarnessFaultError)


def _do(name: str, arguments: list[str]) -> int:
    return load(name).run(command_parser(name).parse_intermixed_args(arguments))


def _show_overview(arguments: list[str]) -> int:
    overview().parse_args(arguments)
    return DONE


if __name__ == "__main__":
    sys.exit(main())
