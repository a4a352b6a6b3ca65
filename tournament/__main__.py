"""python3 -m tournament COMMAND ...: competitions between people's programs.

Exit status of every command: 0 done, 1 done but something is left or wrong (the output says what), 2 it could not be done
(one line says why), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

from goban.errors import GobanError
from tournament.commands.statuses import DONE, FAILED, INTERRUPTED
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
    "doctor": "tournament.commands.doctor",
    "sample": "tournament.commands.sample",
}
PROGRAM = "python3 -m tournament"


class Command(Protocol):
    """What a module of `tournament.commands` has to be."""

    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; return the exit status. Raises TournamentError, GobanError, OSError for what main says in one line."""


class Parser(argparse.ArgumentParser):
    """Complains in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"{self.prog}: {' '.join(message.split())}\n")


def load(name: str) -> Command:
    """Return a command's module."""
    return cast(Command, importlib.import_module(COMMANDS[name]))


def overview() -> Parser:
    """Return a parser that knows what commands there are."""
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
    if not given or given[0] not in COMMANDS:
        overview().parse_args(given or ["--help"])
        return DONE
    name = given[0]
    try:
        status = load(name).run(command_parser(name).parse_intermixed_args(given[1:]))
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return _say(name, "stopped", INTERRUPTED)
    except BrokenPipeError:
        # `... | head`: nobody reads on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("tournament", "common", "goban", "go", "search", "players"):
            raise
        return _say(name, f"this needs {error.name}: pip install -e . (or run it with .venv/bin/python)", FAILED)
    except (TournamentError, GobanError, HarnessFaultError) as error:
        return _say(name, str(error), FAILED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(name, f"{where}{error.strerror or error}", FAILED)
    except MemoryError:
        return _say(name, "out of memory", FAILED)


def _say(name: str, text: str, status: int) -> int:
    line = " ".join(text.split())
    print(f"{name}: {line}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
