"""Checks of what a caller gives a public function, so that a wrong kind of object is told at once and in one line."""

from __future__ import annotations

import operator
from functools import cache

from goban.common.excerpts import quoted


def check_kind(value: object, kind: type | tuple[type, ...], what: str, error: type[Exception]) -> None:
    """Raise `error` unless a value is of a kind. what: that kind in words, such as 'a position (goban.State)'."""
    if not isinstance(value, kind):
        raise error(f"expected {what}, got {quoted(value)}")


def check_functions(error: type[Exception], **functions: object) -> None:
    """Raise `error` unless all values can be called; they go by the names of the arguments."""
    for name, value in functions.items():
        if not callable(value):
            raise error(f"expected a function as `{name}`, got {quoted(value)}")


def check_fields(record: object, error: type[Exception], but: tuple[str, ...] = ()) -> None:
    """Raise `error` unless all fields of a dataclass are of the kinds that their types say; what is in a tuple is, too.

    It is what `__post_init__` does, so that `dataclasses.replace` does it as well. but: fields that are checked elsewhere.
    """
    for name, kinds, parts, words in _kinds_of(type(record)):  # type: ignore[arg-type]  # A class can be a key.
        value = getattr(record, name)
        is_right = _is_of(value, kinds) and not (
            parts and isinstance(value, tuple) and not all(_is_of(part, parts) for part in value)
        )
        if not is_right and name not in but:
            raise error(f"{type(record).__name__}: expected {words} as `{name}`, got {quoted(value)}")


def _is_of(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds or object in kinds)


@cache
def _kinds_of(record: type) -> list[tuple[str, tuple[type, ...], tuple[type, ...], str]]:
    """Return of each field its name, its kinds, those of the parts of a tuple of any length, and its type in words."""
    # Imported late, because it takes longer than all the rest of this module.
    from dataclasses import fields
    from typing import get_args, get_origin, get_type_hints

    hints, found = get_type_hints(record), []
    for field in fields(record):
        hint = hints[field.name]
        parts = get_args(hint) if get_origin(hint) is tuple else ()
        inner = _kinds(parts[0]) if parts[1:] == (...,) else ()
        found.append((field.name, _kinds(hint), inner, str(field.type)))
    return found


def _kinds(hint: object) -> tuple[type, ...]:
    """Return the classes of a type's values: numbers of numpy are numbers, too."""
    from numbers import Integral, Real
    from types import UnionType
    from typing import Union, get_args, get_origin

    if get_origin(hint) in (Union, UnionType):
        return tuple(kind for part in get_args(hint) for kind in _kinds(part))
    kind = get_origin(hint) or hint
    if kind is int:
        return (Integral,)
    if kind is float:
        return (Real,)
    return (kind,) if isinstance(kind, type) and not getattr(kind, "_is_protocol", False) else (object,)


def is_whole(value: object, low: int, high: int) -> bool:
    """Tell whether a value is a whole number, of Python or of numpy, in this range, both ends included."""
    try:
        return not isinstance(value, bool) and low <= operator.index(value) <= high  # type: ignore[arg-type]
    except TypeError:
        return False


def take_whole(value: object, low: int, high: int, what: str, error: type[Exception]) -> int:
    """Return a whole number, of Python or of numpy, as Python's; raise `error` if none is in this range. what: in words."""
    if not is_whole(value, low, high):
        raise error(f"expected {what}, got {quoted(value)}")
    return operator.index(value)  # type: ignore[arg-type]
