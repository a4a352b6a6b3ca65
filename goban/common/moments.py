"""Times as people and course systems write them, on the clocks of a zone, which may be put forward and back.

    zone = find_zone("America/Los_Angeles")
    read_moment("2026-10-01 23:59:59", zone)          by the clocks of that zone
    read_moment("2026-10-01T23:59:59-07:00", zone)    a time that has its own offset from UTC; 'Z' is UTC
    read_moment("1.10.2026 9:05", zone)               as spreadsheets save it; so is 2026/10/01 09:05

10/01/2026 is refused: it is January in one country and October in another.

What comes back is aware, in the zone. Two such times must be compared in UTC: Python compares those of one zone by their
clocks, and an hour that is shown twice would be one hour.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, tzinfo

from goban.common.tables import WrongValueError

# As in ISO 8601, and with a blank before the offset, as Gradescope writes it.
_MOMENT = re.compile(r"((?:19|20)\d\d-\d\d-\d\d)[T ]+(\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?) ?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?=[T ])", re.ASCII)
_DAY_FIRST = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})(?=[T ])", re.ASCII)
_EARLY = re.compile(r"([T ])(\d:)", re.ASCII)
# The characters and more than the length of any IANA name. `zoneinfo` asks for each part of a longer one in turn, and deeper.
_ZONE = re.compile(r"[A-Za-z0-9_+/-]{1,64}")
EXAMPLE = "2026-10-01 23:59:59"


def find_zone(name: object) -> tzinfo:
    """Return the zone of an IANA name; raises WrongValueError."""
    from zoneinfo import ZoneInfo

    if name == "UTC":
        # Also where no time zones are installed.
        return UTC
    try:
        return ZoneInfo(name if isinstance(name, str) and _ZONE.fullmatch(name) else "")
    except (OSError, ValueError, LookupError):
        raise WrongValueError("the name of a time zone, as 'America/Los_Angeles' or 'UTC'") from None


def read_moment(text: str, zone: tzinfo) -> datetime:
    """Return the time that a text stands for, in a zone. Raises WrongValueError.

    A time without an offset that clocks put back have shown twice is the earlier one of the two.
    """
    match = _match(text)
    try:
        moment = datetime.fromisoformat(f"{match[1]}T{match[2]}{match[3] or ''}") if match else None
    except ValueError:
        moment = None
    if moment is None:
        raise WrongValueError(f"a date and a time, as {EXAMPLE!r} or '{EXAMPLE}-07:00'")
    return on_clocks(moment, zone)


def _match(text: str) -> re.Match[str] | None:
    text = _YEAR_FIRST.sub(lambda date: _as_iso(*date.groups()), text.strip(), count=1)
    text = _DAY_FIRST.sub(lambda date: _as_iso(*date.groups()[::-1]), text, count=1)
    return _MOMENT.fullmatch(_EARLY.sub(r"\g<1>0\2", text, count=1))


def _as_iso(year: str, month: str, day: str) -> str:
    return f"{year}-{month:0>2}-{day:0>2}"


def on_clocks(moment: datetime, zone: tzinfo) -> datetime:
    """Return a time in a zone. Raises WrongValueError if it has no offset, and the zone's clocks have never shown it."""
    if moment.tzinfo is not None:
        return moment.astimezone(zone)
    local = moment.replace(tzinfo=zone)
    if local.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment:
        raise WrongValueError(f"a time that clocks in {zone} have shown, for they were put forward then")
    return local


def has_offset(text: str) -> bool:
    """Tell whether a text that `read_moment` takes has an offset from UTC of its own."""
    match = _match(text)
    return match is not None and match[3] is not None


def is_shown_twice(moment: datetime) -> bool:
    """Tell whether the clocks of an aware time's zone show this time a second time, put back in between."""
    return moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()


def moment_text(value: object) -> str:
    """Return a time, or a text of one, with its offset from UTC; '' if it is none, or not of our days. Without an offset it is
    in UTC, as course systems write it."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip().removesuffix(" UTC"))
        except ValueError:
            return ""
    if not isinstance(value, date):
        return ""
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    if not 1970 <= moment.year < 2100:
        return ""
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return moment.replace(microsecond=0).isoformat(sep=" ")
