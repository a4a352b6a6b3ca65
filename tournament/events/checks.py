"""What a value in an event file may be, where several tables of it have such values."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Callable
from typing import Any

from common.tables import WrongValueError, number, whole
from tournament.seats import Limits

Checks = dict[str, Callable[[Any], object]]
"""Key -> the check of its value, see `common.tables`."""

_LONGEST_NAME = 60
_LARGEST = 100_000
"""Upper bound of every limit, in its own unit. Anything above it is a typing error."""

LIMIT_CHECKS: Checks = {
    field.name: whole(1, _LARGEST) if isinstance(field.default, int) else number(0.001, _LARGEST)
    for field in dataclasses.fields(Limits)
}
"""The limits, by the names that `tournament.seats.Limits` has for them."""


def event_name(value: object) -> str:
    """Check the name of an event or of an engine: letters of any script, since files are named after it."""
    fits = isinstance(value, str) and all(sign in "._-" or unicodedata.category(sign)[0] in "LMN" for sign in value)
    if not isinstance(value, str) or not fits or not 0 < len(value) <= _LONGEST_NAME or value.startswith((".", "-")):
        raise WrongValueError("1 to 60 letters, digits, '.', '_' or '-'")
    return value
