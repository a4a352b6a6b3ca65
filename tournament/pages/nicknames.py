"""What students are called in public: a CSV file beside the results, with columns name and nickname.

The file is made with random nicknames when it is first needed, and tells the instructor who is who. The instructor may
edit it to give a student the nickname of their choice. Entrants who join later are added to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from common.excerpts import quoted
from common.files import write_beside
from common.sheets import SheetError, read_sheet
from tournament.errors import BadRosterError
from tournament.records import Entrant
from tournament.results.exports import csv_line, from_cell

_HEADER = ["name", "nickname"]
_MOST_BYTES = 10_000_000
_FIRST = (
    "Amber", "Brave", "Calm", "Clever", "Copper", "Coral", "Eager", "Fleet", "Gentle", "Golden", "Hazel", "Ivory", "Jolly",
    "Keen", "Lunar", "Merry", "Misty", "Noble", "Quick", "Quiet", "Silver", "Solar", "Sturdy", "Wise",
)  # fmt: skip
_LAST = (
    "Badger", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Gecko", "Hare", "Heron", "Ibex", "Jackdaw", "Kestrel", "Lark",
    "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl", "Panda", "Plover", "Puffin", "Raven", "Stoat", "Swift", "Tapir",
    "Wren", "Yak",
)  # fmt: skip


def read_nicknames(path: Path) -> dict[str, str]:
    """Return name -> nickname; an empty dict if there is no such file. Raises BadRosterError if it cannot be used."""
    if not path.exists():
        return {}
    try:
        sheet = read_sheet(path, str(path), _MOST_BYTES)
    except SheetError as error:
        raise BadRosterError(str(error)) from None
    if [*sheet.columns[:2]] != _HEADER:
        raise BadRosterError(f"{path}: expected columns name,nickname, got {quoted(', '.join(sheet.columns))}")
    found: dict[str, str] = {}
    owners: dict[str, str] = {}
    for row in sheet.rows:
        where = f"{path}: line {row.number}"
        if len(row.cells) < 2 or not row.cells[1]:
            raise BadRosterError(f"{where}: expected a name and a nickname, got {quoted([*row.cells])}")
        name, nickname = from_cell(row.cells[0]), from_cell(row.cells[1])
        other = owners.setdefault(nickname.casefold(), name)
        if name in found or other != name:
            raise BadRosterError(f"{where}: expected every name and nickname once, got {quoted([*row.cells])}")
        found[name] = nickname
    return found


def nickname_notices(path: Path) -> list[str]:
    """Return what people should know of how the file was read, one line each; nothing if there is no such file."""
    try:
        return [*read_sheet(path, str(path), _MOST_BYTES).notices]
    except (SheetError, OSError):
        return []


def completed(known: Mapping[str, str], names: Iterable[str], taken: Iterable[str], rng: random.Random) -> dict[str, str]:
    """Return a nickname for each of `names`: the known one, else a random one that nobody else has.

    taken: names that nobody may have, such as the reference players'. Raises BadRosterError if a known nickname is taken.
    """
    names = list(names)
    used = {name.casefold() for name in taken}
    for name in names:
        nickname = known.get(name)
        if nickname is not None and (nickname.casefold() in used or (nickname != name and nickname in names)):
            raise BadRosterError(f"nickname {quoted(nickname)} of {quoted(name)} is another player's name")
    used |= {nickname.casefold() for nickname in known.values()} | {name.casefold() for name in names}
    free = [f"{first}-{last}" for first in _FIRST for last in _LAST]
    rng.shuffle(free)
    free += [f"Player-{number}" for number in range(1, len(names) + 1)]
    drawn = (nickname for nickname in free if nickname.casefold() not in used)
    return {name: known[name] if name in known else next(drawn) for name in names}


def nicknames_of(path: Path, names: Iterable[str], taken: Iterable[str], rng: random.Random) -> dict[str, str]:
    """Return everybody's nickname, and write new ones to the file. Raises BadRosterError, OSError."""
    known = read_nicknames(path)
    found = completed(known, sorted(names), taken, rng)
    if found.keys() - known.keys():
        lines = [csv_line(_HEADER), *(csv_line([name, nickname]) for name, nickname in (known | found).items())]
        write_beside(path, "".join(lines).encode())
    return found


def nicknames_in_event(path: Path, entrants: Sequence[Entrant], rng: random.Random) -> dict[str, str]:
    """Return the nicknames of all submissions among the entrants, as `nicknames_of` does."""
    own = [entrant.name for entrant in entrants if entrant.is_submission]
    return nicknames_of(path, own, (one.name for one in entrants if not one.is_submission), rng)
