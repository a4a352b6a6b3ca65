"""Submissions that a grade could not take in: a JSON file beside its results, so that reports can name them.

The results file holds who has played. Whoever was refused has not, and is written to STORE.refused.json by each run of
`grade`: {"refused": [{"name": ..., "students": [...], "reason": ..., "fields": [[column, text], ...]}, ...]}, where the
fields are what a roster says of them besides. Without the file nobody was refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from goban.common.excerpts import printable
from goban.common.files import read_bounded, write_beside
from gojudge.intake.submissions import Refused
from gojudge.records import Entrant
from tournament.errors import StoreError

_MOST_BYTES = 10_000_000
_REASON_CHARACTERS = 1_000


def refusals_path(store: Path) -> Path:
    """Return the path of the file with a store's refused submissions."""
    return store.with_name(f"{store.name}.refused.json")


def write_refusals(store: Path, refused: Iterable[Refused]) -> None:
    """Write the file as a whole, or remove an old one if nobody was refused. Raises OSError."""
    found = [
        {"name": one.name, "students": list(one.students), "reason": one.reason, "fields": [list(pair) for pair in one.fields]}
        for one in refused
    ]
    if found:
        write_beside(refusals_path(store), (json.dumps({"refused": found}, indent=1) + "\n").encode())
    else:
        refusals_path(store).unlink(missing_ok=True)


def read_refusals(store: Path) -> list[Refused]:
    """Return a store's refused submissions. Raises StoreError if the file is not as `write_refusals` writes it."""
    path = refusals_path(store)
    try:
        found = json.loads(read_bounded(path, _MOST_BYTES))["refused"]
        return [_refused(**one) for one in found]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        name = printable(path.name, 200)
        raise StoreError(f"{name}: expected the refused submissions as grade writes them; delete it and grade again") from None


def _refused(name: str, students: list[str], reason: str, fields: list[list[str]]) -> Refused:
    said = tuple((column, text) for column, text in fields)
    if not all(type(text) is str for text in (name, reason, *students, *chain.from_iterable(said))):
        raise TypeError("expected texts")
    return Refused(name, tuple(students), Path(), printable(reason, _REASON_CHARACTERS), said)


def everybody(entrants: Iterable[Entrant], refused: Sequence[Refused]) -> list[Entrant]:
    """Return the entrants of an event and its refused submissions, as if those had taken part, by name.

    Who was refused last may have played before: then the entrant is returned.
    """
    found = {one.name: Entrant(one.name, one.students, fields=one.fields) for one in refused}
    found.update((entrant.name, entrant) for entrant in entrants)
    return sorted(found.values(), key=lambda entrant: entrant.name)
