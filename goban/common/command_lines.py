"""One frame for all command lines: exit statuses, errors in one line, checked numbers, and programs of several commands.

    def main(arguments: Sequence[str] | None = None) -> int:
        return run("truth", lambda: _answer(arguments), SearchError)

A command line imports packages outside the standard library within `work`. Then a missing package is one line too, and no
module ends the process while it is imported.

A command line of several commands, `PROGRAM COMMAND ...`, has a module for each, which is imported when it is asked for, or
small ones together in a module, as MODULE:NAME.

    COMMANDS = Subcommands("python3 -m tournament", "Competitions.", {"check": "tournament.commands.check"})
    status = COMMANDS.main(arguments, JudgeError)
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

from goban.common.excerpts import is_terminal, message_line, quoted, suggestion
from goban.common.starting import SCRIPTS, heed_ctrl_c, is_script

DONE = 0
LEFT = 1
"""Something is left to do, or something is wrong with the input; the output says what."""
FAILED = 2
"""It could not be done; one line says why."""
INTERRUPTED = 130


class CommandError(Exception):
    """A command line cannot do what it was asked; the message says why, in words for the user."""


class MissingExtraError(ImportError):
    """A package of an extra is not installed; the message says how to install it."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, beginning with `name`, and exits with FAILED. name: `prog` unless given."""

    def __init__(self, *args: Any, name: str = "", **options: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **options)
        self.name = name or self.prog

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"{self.name}: {message_line(message + self._meant(message))}\n")

    def name_option(self, message: str) -> str:
        """Return a library's error with options in place of parameters of their names, in 'jobs: expected ...' or as `jobs`."""
        return re.sub(r"^(\w+)(?=: )|`(\w+)`", self._option, message)

    def _option(self, parameter: re.Match[str]) -> str:
        option = f"--{(parameter[1] or parameter[2]).replace('_', '-')}"
        return option if option in self._option_string_actions else parameter[0]

    def _meant(self, message: str) -> str:
        """Return what may have been meant by an option that is not known."""
        unknown = message.removeprefix("unrecognized arguments: ").partition(" ")[0].partition("=")[0]
        if unknown == message or not unknown.startswith("--"):
            return ""
        return suggestion(unknown, [word for action in self._actions for word in action.option_strings])


def whole_number(low: int, high: int, what: str) -> Callable[[str], int]:
    """Return a converter for argparse: text -> integer from `low` to `high`, both 0 or more. what: for errors, as 'a size'."""

    def convert(text: str) -> int:
        # int() by itself also reads '1_000', ' 5' and digits of other scripts.
        if text.isascii() and text.isdigit() and len(text) <= 20 and low <= int(text) <= high:
            return int(text)
        got = quoted(text if len(text) <= 40 else text[:37] + "...")
        raise argparse.ArgumentTypeError(f"expected {what} from {low} to {high}, got {got}")

    return convert


def command_line(module: str) -> str:
    """Return how whoever started this process starts a module: as a script of an installation if this is one.

    Every hint to type a command begins with it. module: as in `python3 -m MODULE`.
    """
    if is_script() and module in SCRIPTS:
        return SCRIPTS[module]
    return "python3 go_play.py" if module == "go_play" and not is_script() else f"python3 -m {module}"


# Of a clone; an installation has none.
_MAKEFILE = Path(__file__).resolve().parents[2] / "Makefile"
# Modules of the standard library that Windows does not have.
_UNIX_MODULES = frozenset({"fcntl", "grp", "pwd", "resource", "termios"})


def run(name: str, work: Callable[[], int], *known: type[Exception]) -> int:
    """Do a command line's work and return its exit status. Expected errors become one line on standard error.

    known: errors, besides CommandError and MissingExtraError, whose text says everything; they are tried before OSError.
    Unexpected errors are raised: they are faults of ours. From here on Ctrl-C is heeded, see `goban.common.starting`.
    """
    expected: tuple[type[Exception], ...] = (CommandError, MissingExtraError, *known)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # A terminal of another encoding than that of people's names must not stop anything.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        heed_ctrl_c()
        status = work()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return complain(name, "stopped", INTERRUPTED)
    except BrokenPipeError:
        # As in `... | head`: nobody reads the rest.
        _give_up_output()
        return INTERRUPTED
    except expected as error:
        return complain(name, str(error))
    except ModuleNotFoundError as error:
        package = missing_package(error)
        if not package:
            raise
        return complain(name, what_is_needed(package))
    except OSError as error:
        _give_up_full_output()
        where = f"{message_line(os.fsdecode(error.filename), 400)}: " if error.filename else ""
        return complain(name, f"{where}{_folder_is_gone(error) or error.strerror or error}")
    except MemoryError:
        return complain(name, "out of memory")


def complain(name: str, text: str, status: int = FAILED) -> int:
    """Say one line, 'name: text'; return the status."""
    say(f"{name}: {message_line(text)}")
    return status


def say(text: str, file: TextIO | None = None) -> None:
    """Write a line at once, to standard error unless another file is given. A progress bar that is shown makes way for it."""
    out = file or sys.stderr
    if out is not None:
        bars = getattr(sys.modules.get("tqdm"), "tqdm", None)
        with nullcontext() if bars is None else bars.external_write_mode(sys.stderr):
            # In a worker of several processes a bar is another's: the line is written over it, and it goes on below.
            parallel = sys.modules.get("multiprocessing")
            over = "\r\033[K" if parallel and parallel.parent_process() and is_terminal(out) else ""
            out.write(f"{over}{text}\n")
            out.flush()


def need_packages(*names: str) -> None:
    """Raise ModuleNotFoundError, which `run` tells in one line, if a package is not installed that work of hours ends with."""
    for name in names:
        if not is_installed(name):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def is_installed(package: str) -> bool:
    """Tell whether a package can be imported."""
    from importlib.util import find_spec

    try:
        return find_spec(package) is not None
    except ValueError:
        # Either a module without a spec was imported under this name, or None was put in its place in sys.modules.
        return sys.modules[package] is not None


def how_to_install(extra: str = "") -> str:
    """Return the command that brings the packages of the project, or of an extra of it, for the end of a sentence."""
    target = f'".[{extra}]"' if extra else "."
    if not _MAKEFILE.is_file():
        return f'python -m pip install "go-competition-harness{f"[{extra}]" if extra else ""}"'
    if os.name == "nt":
        return rf"py -m venv .venv, then .venv\Scripts\python -m pip install {target}"
    more = f".venv/bin/python -m pip install -e {target}" if extra else "run .venv/bin/python"
    return f"make install, then {more}"


def what_is_needed(package: str, who: str = "this") -> str:
    """Return a sentence for somebody who lacks a package, or a part of Python's own library. who: what needs it."""
    if package in _UNIX_MODULES:
        return f"{who} needs Linux: Python has no {package} here (what to do on Windows: docs/platforms.md)"
    if package in sys.stdlib_module_names:
        return f"{who} needs {package}, without which this Python was built: use another one (docs/platforms.md)"
    return f"{who} needs {package}: {how_to_install()}"


def missing_package(error: ModuleNotFoundError) -> str:
    """Return the package that is not installed; '' if it is installed and only one of its modules is missing."""
    package = (error.name or "").partition(".")[0]
    return "" if not package or is_installed(package) else package


def _folder_is_gone(error: OSError) -> str:
    """Return what an error means that names no file, where the current folder has been removed; '' for any other."""
    if error.filename:
        return ""
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the folder in which this runs has been removed: change to another"
    return ""


def _give_up_full_output() -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _give_up_output()


def _give_up_output() -> None:
    """Send the rest of standard output nowhere: Python would otherwise try to write it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_WIDEST = 100


def _help_width() -> int:
    """Return the width of help: the terminal's, up to _WIDEST; _WIDEST where there is no terminal."""
    # Imported late, here and below: only help needs it.
    import shutil

    if not is_terminal(sys.stdout):
        return _WIDEST
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns)


def _in_column(start: str, indent: int, text: str) -> str:
    """Return `start` and beside it, from the column `indent` on, a text in as many lines as it needs."""
    import textwrap

    return textwrap.fill(text, _help_width(), initial_indent=start.ljust(indent), subsequent_indent=" " * indent)


@dataclass(frozen=True)
class Subcommand:
    """One of several commands. A module that is one has SUMMARY, `add_arguments` and `run`, and may have EXAMPLE."""

    summary: str
    """What it does, for the overview."""
    add_arguments: Callable[[argparse.ArgumentParser], object]
    run: Callable[[argparse.Namespace], int]
    """Does it; returns the exit status. Raises the errors that `Subcommands.main` is told of, CommandError and OSError."""
    example: str = ""
    """Arguments that its help begins with."""


def _nothing_is_old(command: str, arguments: Sequence[str]) -> None:
    """Know no spelling of before; see `Subcommands`."""


@dataclass(frozen=True)
class Subcommands:
    """The commands of a program; `modules`: name -> MODULE, or MODULE:NAME of a `Subcommand` in it.

    hidden: more of them, which have no line of their own in the overview. also: a line that names those of them that people
    type. example: of a command line, for the overview. old: is asked first, with the command and its arguments, and raises
    CommandError for a spelling of before.
    """

    program: str
    description: str
    modules: Mapping[str, str]
    hidden: Mapping[str, str] = field(default_factory=dict)
    example: str = ""
    old: Callable[[str, Sequence[str]], None] = _nothing_is_old
    also: str = ""

    def load(self, name: str) -> Subcommand:
        """Return a command; its module is imported for it."""
        place, _, attribute = {**self.modules, **self.hidden}[name].partition(":")
        module: Any = importlib.import_module(place)
        if attribute:
            return cast(Subcommand, getattr(module, attribute))
        return Subcommand(module.SUMMARY, module.add_arguments, module.run, getattr(module, "EXAMPLE", ""))

    def overview(self) -> Parser:
        """Return the parser that lists the commands."""
        width = max(map(len, self.modules)) + 2
        summaries = [_in_column(f"  {name}", width + 2, self._summary(name)) for name in self.modules]
        more = f"{self.program} COMMAND -h says more."
        lines = ["", *summaries, *([_in_column("  also:", 8, self.also)] if self.also else [])]
        parser = _Parser(prog=self.program, example=self.example, description=f"{self.description} {more}", lines=lines)
        parser.add_argument("command", choices=self.modules, metavar="COMMAND", help=argparse.SUPPRESS)
        return parser

    def _summary(self, name: str) -> str:
        try:
            return self.load(name).summary
        except ModuleNotFoundError as error:
            if missing_package(error) not in _UNIX_MODULES:
                raise
            return "needs Linux"

    def parser(self, name: str) -> Parser:
        """Return the parser of one command."""
        command = self.load(name)
        summary = f"{command.summary[:1].upper()}{command.summary[1:]}."
        parser = _Parser(prog=f"{self.program} {name}", example=command.example, description=summary)
        command.add_arguments(parser)
        return parser

    def main(self, arguments: Sequence[str] | None, *known: type[Exception]) -> int:
        """Run a command line and return its exit status; `known`: errors whose text says everything."""
        given = sys.argv[1:] if arguments is None else list(arguments)
        if not given or given[0].startswith("-"):
            return run(self.program, lambda: self._show_overview(given or ["--help"]), *known)
        is_known = given[0] in {**self.modules, **self.hidden}
        return run(given[0] if is_known else self.program, lambda: self._do(given[0], given[1:], known), *known)

    def _do(self, name: str, arguments: list[str], known: tuple[type[Exception], ...]) -> int:
        self.old(name, arguments)
        if name not in {**self.modules, **self.hidden}:
            commands = ", ".join(self.modules)
            raise CommandError(f"expected a command ({commands}), got {quoted(name)}{suggestion(name, self.modules)}")
        parser = self.parser(name)
        options = parser.parse_intermixed_args(arguments)
        try:
            return self.load(name).run(options)
        except known as error:
            raise CommandError(parser.name_option(str(error))) from error

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
    return argparse.HelpFormatter(prog, max_help_position=26, width=_help_width())
