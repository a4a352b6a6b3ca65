"""Options behind the name of a player: `montecarlo:simulations=5000,patterns=mogo_classic`.

Options are those parameters of the player's constructor that hold a whole number, a number, yes or no, or a text. No value
has a comma.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

from common.excerpts import quoted
from players.errors import BadPlayerError

Value = int | float | bool | str

_BEGINNING = re.compile(r":(?=[A-Za-z_]\w*=)")
_BETWEEN_NAMES = re.compile(r",(?![A-Za-z_]\w*=)")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
_FLAGS = {"yes": True, "no": False}


class _WrongValueError(Exception):
    """The message says what was expected."""


def split_options(name: str) -> tuple[str, str]:
    """Return what stands before and behind the colon with which options begin; '' behind it if there are none.

    >>> split_options("mine.py:Player:depth=3,fast=yes")
    ('mine.py:Player', 'depth=3,fast=yes')
    """
    found = _BEGINNING.search(name)
    return (name, "") if found is None else (name[: found.start()], name[found.end() :])


def split_names(text: str) -> list[str]:
    """Return the names of a list with commas, each with its options.

    >>> split_names("my,montecarlo:simulations=500,rave=no,smart")
    ['my', 'montecarlo:simulations=500,rave=no', 'smart']
    """
    return _BETWEEN_NAMES.split(text)


def read_options(text: str, cls: type) -> dict[str, Value]:
    """Return what the options of a class are set to; raises BadPlayerError, which names the choices.

    text: what stands behind the colon, '' for no options.
    """
    found: dict[str, Value] = {}
    readers = _readers(cls) if text else {}
    for option in text.split(",") if text else ():
        key, equals, value = option.partition("=")
        if key not in readers or not equals:
            choices = f"one of {', '.join(readers)}" if readers else "no options"
            raise BadPlayerError(f"expected {choices}, got {quoted(option)}")
        if key in found:
            raise BadPlayerError(f"expected {key} once, got it again: {quoted(option)}")
        try:
            found[key] = readers[key](value)
        except _WrongValueError as wrong:
            raise BadPlayerError(f"{key}: expected {wrong}, got {quoted(value)}") from None
    return found


def _readers(cls: type) -> dict[str, Callable[[str], Value]]:
    """Return what reads the value of each option that a class has."""
    found = {}
    for name, parameter in inspect.signature(cls).parameters.items():
        reader = _READERS.get(_type_of(parameter))
        if reader is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            found[name] = reader
    return found


def _type_of(parameter: inspect.Parameter) -> str:
    """Return the name of a parameter's type: that of its annotation, None left out, else that of its default."""
    if parameter.annotation is parameter.empty:
        return type(parameter.default).__name__
    said = parameter.annotation
    text = said.__name__ if isinstance(said, type) else str(said)
    return text.replace("| None", "").replace("None |", "").strip()


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise _WrongValueError("a whole number")
    return int(text)


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise _WrongValueError("a number")
    return float(text)


def _flag(text: str) -> bool:
    if text not in _FLAGS:
        raise _WrongValueError(" or ".join(_FLAGS))
    return _FLAGS[text]


_READERS: dict[str, Callable[[str], Value]] = {"int": _whole, "float": _number, "bool": _flag, "str": str}
