"""Reads tables that people write as TOML, and checks every value before it is used.

    values = parse_toml(data)
    table = Table(values, lambda key: f"cup.toml: {key}", BadEventError)
    table.take("size", whole(2, 19))        BadEventError: cup.toml: size: expected a whole number from 2 to 19, got 20

A check is a function: it takes the value, and returns what is to be used or raises WrongValueError.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any, TypeVar

from goban.common.excerpts import printable, quoted

T = TypeVar("T")

# The library takes a time that grows with the square of a key's parts: 15 s for 32,000.
_MOST_DOTS = 1000
# Python gives up at some hundreds, wherever a function calls itself for what is within.
_DEEPEST = 50


class WrongValueError(Exception):
    """A value is wrong; the message says what was expected."""


def parse_toml(data: bytes, parse_float: Callable[[str], object] = float) -> dict[str, Any]:
    """Return what a TOML file holds. Raises ValueError with one printable line if it is no TOML."""
    try:
        if any(line.count(b".") > _MOST_DOTS for line in data.splitlines()):
            raise ValueError(f"a line with more than {_MOST_DOTS:,} dots")
        values = tomllib.loads(data.decode("utf-8-sig"), parse_float=parse_float)
        if _is_deep(values):
            raise ValueError(f"tables within tables, more than {_DEEPEST} deep")
        return values
    except (ValueError, RecursionError, ArithmeticError) as error:
        # A Decimal cannot hold 1e9999999999999999999.
        said = "a number out of range" if isinstance(error, ArithmeticError) else str(error)
        raise ValueError(printable(said, 200)) from error


def _is_deep(values: dict[str, Any]) -> bool:
    level: list[object] = [values]
    for _ in range(_DEEPEST):
        level = [one for within in level if isinstance(within, dict | list) for one in _parts(within)]
    return bool(level)


def _parts(values: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return values.values() if isinstance(values, dict) else values


@dataclass(frozen=True)
class Table:
    """Values as they were written, and how to report errors in them.

    place: returns where the value of a key stands, as 'cup.toml: size' or '--size'. error: what is raised, with one line.
    """

    values: Mapping[str, Any]
    place: Callable[[str], str]
    error: type[Exception]

    def take(self, key: str, check: Callable[[Any], T]) -> T:
        """Return what the check returns for a value; the check is given None if the key is missing. Raises `error`."""
        try:
            return check(self.values.get(key))
        except WrongValueError as wrong:
            raise self.complaint(key, str(wrong), self._got(key)) from None

    def complaint(self, key: str, expected: str, got: str) -> Exception:
        """Return an `error` that says what was expected of a key, and what came."""
        return self.error(f"{self.place(printable(key, 60))}: expected {expected}, got {got}")

    def table(self, key: str) -> Table:
        """Return the table under a key. Errors call its keys 'limits.memory_mib'."""

        def is_table(value: object) -> dict[str, Any]:
            if not isinstance(value, dict):
                raise WrongValueError(f"a table [{key}]")
            return value

        return self._inner(self.take(key, is_table), f"{key}.")

    def tables(self, key: str) -> list[Table]:
        """Return the tables in a list, [] if the key is missing. Errors call the first one of 'bands' 'band 1'."""

        def is_list(value: object) -> list[dict[str, Any]]:
            if value is not None and not (isinstance(value, list) and all(isinstance(one, dict) for one in value)):
                raise WrongValueError("a list of tables")
            return value or []

        singular = key.removesuffix("s")
        return [self._inner(one, f"{singular} {place}: ") for place, one in enumerate(self.take(key, is_list), 1)]

    def _inner(self, values: Mapping[str, Any], within: str) -> Table:
        return Table(values, lambda key: self.place(f"{within}{key}"), self.error)

    def _got(self, key: str) -> str:
        if key not in self.values:
            return "nothing"
        value = self.values[key]
        # As it was written, without the name of its type.
        return printable(str(value), 60) if isinstance(value, Decimal | date | time) else quoted(value)


def whole(least: int, most: int) -> Callable[[object], int]:
    """Return the check for a whole number in a range, both ends included."""

    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise WrongValueError(f"a whole number from {least} to {most}")
        return value

    return check


def number(least: float, most: float) -> Callable[[object], float]:
    """Return the check for a number in a range, both ends included; it need not be whole."""

    def check(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise WrongValueError(f"a number from {least:g} to {most:g}")
        return float(value)

    return check


def one_of(choices: Collection[str]) -> Callable[[object], str]:
    """Return the check for one of a few words."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise WrongValueError(f"one of {', '.join(choices)}")
        return value

    return check
