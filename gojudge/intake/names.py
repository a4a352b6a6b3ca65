"""Short names of submissions: what games, tables, reports and files call them. No two in an event are alike.

    given by a roster     as written, but for what no file may be called: `written_name`
    made of a file's      letters, marks and digits of any script, `.` and `_`; Latin letters lose their accents: `clean_name`
    where none is left    a number made of the file's name, as `s417`
    where one has it      a number behind it: `bob-2`; also if they differ only by case or accents, as on some file systems

Names stay with their files: `read_names` and `write_names` keep them, and `hand_out` gives a file the name it had.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from goban.common.excerpts import as_written
from goban.common.files import read_bounded, write_beside
from gojudge.errors import BadRosterError

_MOST_CHARACTERS = 60
# So that the names of two fit into that of a file, which has 255.
_MOST_BYTES = 100
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_ANY_ACCENTS = re.compile("[\u0300-\u036f]+")
_ROOM = 4
# Marks without a picture of their own, and letters without one.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]+")
_MARKS_IN_A_ROW = 4
# What some file system, or a game's id, keeps for itself.
_NOT_IN_FILES = re.compile(r'[\\/:*?"<>|~]')
_LATIN_ONLY = re.compile(r"[^A-Za-z0-9._]+")
_NUMBERS = 1000
_MOST_NAMES_BYTES = 10_000_000


def clean_name(text: str) -> str:
    """Return a text of any kind as a name, '' if nothing is left of it.

    >>> clean_name("Zoë O'Brien-Łukasz (late)"), clean_name("Иван.1"), clean_name("!!!")
    ('Zoe_O_Brien_Łukasz_late', 'Иван.1', '')
    """
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", _UNSEEN.sub("", text)))
    kept: list[str] = []
    marks, between = 0, False
    for sign in _UNSEEN.sub("", unicodedata.normalize("NFKC", plain)):
        kind = unicodedata.category(sign)[0]
        if kind == "M":
            marks += 1
            if marks <= _MARKS_IN_A_ROW and kept and kept[-1] not in "._":
                kept.append(sign)
            continue
        marks, fits = 0, kind in "LN" or sign in "._"
        if fits or not between:
            kept.append(sign if fits else "_")
        between = not fits
    return _cut("".join(kept)).strip("._")


def written_name(text: str) -> str:
    """Return a name as an instructor has written it, but for what cannot stand in names of files; '' without letter or digit.

    >>> written_name("Mary-Ann O'Neil"), written_name("Ann/Kim")
    ("Mary-Ann O'Neil", 'Ann_Kim')
    """
    if not any(unicodedata.category(sign)[0] in "LN" for sign in text):
        return ""
    return _cut(_NOT_IN_FILES.sub("_", as_written(text)).strip(" .")).strip(" .")


def _cut(name: str, less: int = 0) -> str:
    """Return a name, cut where it is too long for the names of files; with room for `less` more signs."""
    cut = name[: _MOST_CHARACTERS - less].encode()[: _MOST_BYTES - less]
    return cut.decode(errors="ignore")


def likeness(name: str) -> str:
    """Return what is the same for names that are too much alike: those that differ by case, accents or width only."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return _ANY_ACCENTS.sub("", plain)


def _name_before(text: str) -> str:
    """Return what a text was as a name before letters of other scripts were letters: stores of that time have such names."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return _LATIN_ONLY.sub("_", plain)[:_MOST_CHARACTERS].strip("._")


# Who is called what


@dataclass(frozen=True)
class Owner:
    """A submission that needs a name. title: the file's name without its ending; for a name that a roster gives, its text.

    files: how its name may have been kept, best first, as ('/srv/hw2/bob.py', 'hw2/bob.py', 'bob.py'). given: whether the name
    comes from a roster.
    """

    title: str
    files: tuple[str, ...] = ()
    given: bool = False


@dataclass(frozen=True)
class Kept:
    """What is known of earlier names. of_file: pairs as ('/srv/hw2/bob.py', 'bob'). before: names in stores, perhaps of an
    older form."""

    of_file: tuple[tuple[str, str], ...] = ()
    before: frozenset[str] = frozenset()


NOTHING_KEPT = Kept()


def hand_out(owners: Sequence[Owner], reserved: Collection[str] = (), kept: Kept = NOTHING_KEPT) -> list[str]:
    """Return a name for each owner, in their order; no two are alike, but for those that a roster gives.

    Nothing depends on the order of the owners but, of two that are alike, who is asked first. reserved: names that are taken.
    """
    names = _find_given(owners, kept)
    taken = {likeness(name) for name in (*reserved, *names) if name}

    def take(place: int, name: str) -> None:
        names[place] = name
        taken.add(likeness(name))

    for place, name in _as_kept(owners, kept):
        if not names[place] and likeness(name) not in taken:
            take(place, name)
    bases = _older([clean_name(owner.title) for owner in owners], owners, kept)
    # Whoever has played under a name keeps it. A made name takes nobody's own.
    order = sorted((not base, base not in kept.before, place) for place, base in enumerate(bases) if not names[place])
    for _, _, place in order:
        base = bases[place]
        if base and likeness(base) not in taken:
            take(place, base)
    # Nor that of somebody who hands in nothing now, and has games in a store.
    taken |= {likeness(name) for _, name in kept.of_file}
    tried: dict[str, int] = {}
    for _, _, place in order:
        if not names[place]:
            take(place, _make_name(bases[place], owners[place], taken, tried))
    return names


def _find_given(owners: Sequence[Owner], kept: Kept) -> list[str]:
    """Return the names that a roster gives, '' for the others."""
    return _older([written_name(owner.title) if owner.given else "" for owner in owners], owners, kept)


def _older(names: Sequence[str], owners: Sequence[Owner], kept: Kept) -> list[str]:
    """Return names, or their older forms where only those are known, and nobody else's."""
    before = [_name_before(owner.title) for owner in owners]
    own, of_now = Counter(before), set(names)
    return [
        old if name and old in kept.before and name not in kept.before and own[old] == 1 and old not in of_now else name
        for name, old in zip(names, before, strict=True)
    ]


def _as_kept(owners: Sequence[Owner], kept: Kept) -> Iterable[tuple[int, str]]:
    """Yield places of owners and the names that their files had: the same files', then those called so elsewhere."""
    for parts in (0, 2, 1):
        known: dict[str, str] = {}
        for file, name in kept.of_file:
            known.setdefault("/".join(file.split("/")[-parts:]), name)
        for place, owner in enumerate(owners):
            yield from ((place, known[file]) for file in owner.files if file in known)


def _make_name(base: str, owner: Owner, taken: Collection[str], tried: dict[str, int]) -> str:
    """Make a name for an owner whose own is taken, or who has none. tried: a taken name -> the next number to try behind what
    it begins with: those in between are taken, too."""
    begin, number = (f"{_cut(base, _ROOM)}-", 2) if base else ("s", _number_of(owner))
    passed: list[str] = []
    while (like := likeness(f"{begin}{number}")) in taken:
        passed.append(like)
        number = tried.get(like, number + 1)
    tried |= dict.fromkeys([*passed, like], number + 1)
    return f"{begin}{number}"


def _number_of(owner: Owner) -> int:
    """Return the number in the name of an owner of whose own nothing is left."""
    # Made of the file's name alone, so that it is the same wherever the file is handed in.
    try:
        title = owner.title.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # Windows lets a name have half of a character
        title = owner.title.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(title).digest()
    return int.from_bytes(digest, "big") % _NUMBERS


# Kept from run to run


def read_names(path: Path) -> tuple[tuple[str, str], ...]:
    """Return the files of earlier runs with their names, () if there were none. Raises BadRosterError."""
    try:
        names = json.loads(read_bounded(path, _MOST_NAMES_BYTES))
        pairs = tuple((file, name) for file, name in names["names"].items())
        if not all(type(name) is str and name and written_name(name) == name for _, name in pairs):
            raise TypeError("expected names")
        return pairs
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadRosterError(f"{path}: expected the names of files as this program writes them") from None


def write_names(path: Path, names: Iterable[tuple[str, str]], known: Iterable[tuple[str, str]] = ()) -> None:
    """Keep the names of files, those `known` before included. Raises OSError."""
    both = dict(known) | dict(names)
    if both != dict(known):
        write_beside(path, (json.dumps({"names": both}, indent=1, sort_keys=True) + "\n").encode())


def names_in(folder: Path) -> frozenset[str]:
    """Return the names of submissions whose copies lie in a folder; see `gojudge.intake.copies`."""
    try:
        return frozenset(entry.name[:-13] for entry in os.scandir(folder) if entry.name[-13:-12] == "-")
    except OSError:
        return frozenset()
