"""A command line of several commands, `PROGRAM COMMAND ...`; each is a module, imported when it is asked for.

COMMANDS = Subcommands("python3 -m tournament", "Competitions.", {"check": "tournament.commands.check"})
status = COMMANDS.main(arguments, TournamentError)
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from common.command_lines import DONE, CommandError, Parser, run
from common.excerpts import quoted, suggestion

_WIDTH = 100


class Command(Protocol):
    """What a command's module must have. It may have EXAMPLE, too: arguments that help begins with."""

    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; return the exit status. Raises the errors that `Subcommands.main` is told of, CommandError and OSError."""


def nothing_is_old(command: str, arguments: Sequence[str]) -> None:
    """Know no spelling of before; see `Subcommands`."""


@dataclass(frozen=True)
class Subcommands:
    """The commands of a program; `modules`: name -> module.

    hidden: more of them, which have no line of their own in the overview. also: a line that names those of them that people
    type. example: of a command line, for the overview. old: is asked first, with the command and its arguments, and raises
    CommandError for a spelling of before.
    """

    program: str
    description: str
    modules: Mapping[str, str]
    hidden: Mapping[str, str] = field(default_factory=dict)
    example: str = ""
    old: Callable[[str, Sequence[str]], None] = nothing_is_old
    also: str = ""

    def load(self, name: str) -> Command:
        """Return a command's module."""
        return cast(Command, importlib.import_module({**self.modules, **self.hidden}[name]))

    def overview(self) -> Parser:
        """Return the parser that lists the commands."""
        width = max(map(len, self.modules)) + 2
        summaries = [f"  {name:<{width}}{self.load(name).SUMMARY}" for name in self.modules]
        more = f"{self.program} COMMAND -h says more."
        lines = ["", *summaries, *([f"  also: {self.also}"] if self.also else [])]
        parser = _Parser(prog=self.program, example=self.example, description=f"{self.description} {more}", lines=lines)
        parser.add_argument("command", choices=self.modules, metavar="COMMAND", help=argparse.SUPPRESS)
        return parser

    def parser(self, name: str) -> Parser:
        """Return the parser of one command."""
        command = self.load(name)
        summary = f"{command.SUMMARY[:1].upper()}{command.SUMMARY[1:]}."
        parser = _Parser(prog=f"{self.program} {name}", example=getattr(command, "EXAMPLE", ""), description=summary)
        command.add_arguments(parser)
        return parser

    def main(self, arguments: Sequence[str] | None, *known: type[Exception]) -> int:
        """Run a command line and return its exit status; `known`: errors whose text says everything."""
        given = sys.argv[1:] if arguments is None else list(arguments)
        if not given or given[0].startswith("-"):
            return run(self.program, lambda: self._show_overview(given or ["--help"]), *known)
        is_known = given[0] in {**self.modules, **self.hidden}
        return run(given[0] if is_known else self.program, lambda: self._do(given[0], given[1:]), *known)

    def _do(self, name: str, arguments: list[str]) -> int:
        self.old(name, arguments)
        if name not in {**self.modules, **self.hidden}:
            known = ", ".join(self.modules)
            raise CommandError(f"expected a command ({known}), got {quoted(name)}{suggestion(name, self.modules)}")
        return self.load(name).run(self.parser(name).parse_intermixed_args(arguments))

    def _show_overview(self, arguments: list[str]) -> int:
        self.overview().parse_args(arguments)
        return DONE


class _Parser(Parser):
    """A parser whose help is an example, what it is for, and a line for each argument. lines: more lines below those."""

    def __init__(self, *, prog: str, example: str, description: str, lines: Sequence[str] = ()) -> None:
        super().__init__(prog=prog, description=description, formatter_class=lambda prog: _formatter(prog))
        self._example, self._lines = example, lines

    def format_help(self) -> str:
        """Return the help."""
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        formatter.start_section(None)
        formatter.add_arguments(action for action in self._actions if "--help" not in action.option_strings)
        formatter.end_section()
        example = f"example: {self.prog} {self._example}\n\n" if self._example else self.format_usage()
        return "\n".join([example + formatter.format_help().rstrip("\n"), *self._lines, ""])


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, max_help_position=26, width=_WIDTH)
