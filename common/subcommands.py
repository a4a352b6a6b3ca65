"""A command line of several commands, `PROGRAM COMMAND ...`; each is a module, imported when it is asked for.

COMMANDS = Subcommands("python3 -m tournament", "Competitions.", {"match": "tournament.commands.match"})
status = COMMANDS.main(arguments, TournamentError)
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from common.command_lines import DONE, Parser, complain, run


class Command(Protocol):
    """What a command's module must have."""

    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; return the exit status. Raises the errors that `Subcommands.main` is told of, CommandError and OSError."""


@dataclass(frozen=True)
class Subcommands:
    """The commands of a program; `modules`: name -> module. moved: what is called otherwise now, as 'old' or 'command --old' ->
    how it is said now."""

    program: str
    description: str
    modules: Mapping[str, str]
    moved: Mapping[str, str] = field(default_factory=dict)

    def load(self, name: str) -> Command:
        """Return a command's module."""
        return cast(Command, importlib.import_module(self.modules[name]))

    def overview(self) -> Parser:
        """Return the parser that lists the commands."""
        summaries = [f"  {name:<22} {self.load(name).SUMMARY}" for name in self.modules]
        parser = Parser(
            prog=self.program,
            description=self.description,
            epilog="\n".join(["commands:", *summaries, "", f"{self.program} COMMAND --help says more."]),
            formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=120),
        )
        parser.add_argument("command", choices=self.modules, metavar="COMMAND", help="what to do, see below")
        return parser

    def parser(self, name: str) -> Parser:
        """Return the parser of one command."""
        command = self.load(name)
        parser = Parser(
            prog=f"{self.program} {name}",
            description=command.SUMMARY,
            formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=32, width=120),
        )
        command.add_arguments(parser)
        return parser

    def main(self, arguments: Sequence[str] | None, *known: type[Exception]) -> int:
        """Run a command line and return its exit status; `known`: errors whose text says everything."""
        given = sys.argv[1:] if arguments is None else list(arguments)
        for old in (" ".join(given[:1]), *(f"{given[0]} {one.partition('=')[0]}" for one in given[1:])):
            if old in self.moved:
                return complain(self._name, f"{old} is gone: {self.moved[old]}")
        if given and given[0] in self.modules:
            return run(given[0], lambda: self._do(given[0], given[1:]), *known)
        return run(self._name, lambda: self._show_overview(given or ["--help"]), *known)

    @property
    def _name(self) -> str:
        return self.program.rpartition(".")[2].rpartition(" ")[2]

    def _do(self, name: str, arguments: list[str]) -> int:
        return self.load(name).run(self.parser(name).parse_intermixed_args(arguments))

    def _show_overview(self, arguments: list[str]) -> int:
        self.overview().parse_args(arguments)
        return DONE
