"""One frame for all command lines: their exit statuses, their complaints in one line, and their numbers.

    def main(arguments: Sequence[str] | None = None) -> int:
        return run("truth", lambda: _answer(arguments), SearchError)

What a command line needs besides the standard library it imports within its work: then a missing package is one line, too,
and nothing leaves the process while being imported.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

DONE = 0
LEFT = 1
"""Something is left to do, or wrong with what was looked at; the output says what."""
FAILED = 2
"""It could not be done; one line says why."""
INTERRUPTED = 130


class CommandError(Exception):
    """Why a command line cannot do what it was asked, in words for the person at the keyboard."""


class Parser(argparse.ArgumentParser):
    """Complains in one line that begins with `name`, and leaves with status FAILED. name: `prog` unless given."""

    def __init__(self, *args: Any, name: str = "", **options: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **options)
        self.name = name or self.prog

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"{self.name}: {' '.join(message.split())}\n")


def whole_number(low: int, high: int, what: str) -> Callable[[str], int]:
    """Return a converter for argparse: text -> integer from `low` to `high`, both 0 or more. what: 'a size', for complaints."""

    def convert(text: str) -> int:
        # int() by itself also reads '1_000', ' 5' and digits of other scripts.
        if text.isascii() and text.isdigit() and len(text) <= 20 and low <= int(text) <= high:
            return int(text)
        got = ascii(text if len(text) <= 40 else text[:37] + "...")
        raise argparse.ArgumentTypeError(f"expected {what} from {low} to {high}, got {got}")

    return convert


def run(name: str, work: Callable[[], int], *known: type[Exception]) -> int:
    """Do a command line's work and return its exit status; what can go wrong becomes one line on standard error.

    known: errors whose text says everything, besides CommandError; they win over what is said of OSError here. Errors that
    nobody expected are raised: they are faults of ours.
    """
    expected: tuple[type[Exception], ...] = (CommandError, *known)
    try:
        status = work()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return complain(name, "stopped", INTERRUPTED)
    except BrokenPipeError:
        # `... | head`: nobody reads on.
        _give_up_output()
        return INTERRUPTED
    except expected as error:
        return complain(name, str(error))
    except ModuleNotFoundError as error:
        package = missing_package(error)
        if not package:
            raise
        return complain(name, f"this needs {package}: pip install -e . (or run it with .venv/bin/python)")
    except OSError as error:
        _give_up_full_output()
        where = f"{error.filename}: " if error.filename else ""
        return complain(name, f"{where}{error.strerror or error}")
    except MemoryError:
        return complain(name, "out of memory")


def complain(name: str, text: str, status: int = FAILED) -> int:
    """Write one line, 'name: text', to standard error; return the status."""
    if sys.stderr is not None:
        sys.stderr.write(f"{name}: {' '.join(text.split())}\n")
    return status


def missing_package(error: ModuleNotFoundError) -> str:
    """Return the package that is not installed; '' if it is there, and only a module of it is missing."""
    from importlib.util import find_spec

    package = (error.name or "").partition(".")[0]
    try:
        return "" if not package or find_spec(package) else package
    except ValueError:
        # A module without a spec has been imported under this name, or None put in its place.
        return package if sys.modules[package] is None else ""


def _give_up_full_output() -> None:
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _give_up_output()


def _give_up_output() -> None:
    """Send the rest of standard output nowhere: at its end, Python would try again to write it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
