"""Whose submission in a course system's export a line of a roster is: by e-mail, identifier or login, else by name.

A line and a submission belong together only if nobody else's would do as well. The lines of a group, which has one submission,
become one line.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace
from functools import partial

from gojudge.intake.copies import Submission
from gojudge.intake.exports import CANVAS_ID, EMAIL, LOGIN, PARTICIPANT, SID, USERNAME
from gojudge.intake.rosters import RosterLine
from gojudge.intake.system_rosters import columns_of, plain

# The field of a submission -> the columns of rosters that may say the same.
_COLUMNS = {
    EMAIL: columns_of("email", "sis login id", "username"),
    SID: columns_of("sid", "sis user id", "id number", "id"),
    CANVAS_ID: columns_of("canvas id", "id"),
    PARTICIPANT: ("participant",),
    USERNAME: columns_of("username", "sis login id", "email"),
    LOGIN: columns_of("github login", "sis login id", "username"),
}
_GROUPS = ("groups", "group")
_WORDS = re.compile(r"[\W_]+")
_WITH_LETTERS = frozenset({"Mn", "Mc", "Me", "So"})
_MOST_WORDS = 20


def match_lines(lines: Sequence[RosterLine], submissions: Sequence[Submission]) -> list[tuple[RosterLine, Submission]]:
    """Return the lines that can be told to belong to a submission of an export, each with that."""
    of_export = [one for one in submissions if one.owner]
    pairs: list[tuple[RosterLine, Submission]] = []
    left = list(lines)
    for field, columns in _COLUMNS.items():
        new = _pairs(left, of_export, partial(_values, columns=columns), partial(_values, columns=(field,)))
        new += _by_end(left, of_export, columns) if field == LOGIN else []
        pairs += new
        told = {line.number for line, _ in pairs}
        left = [line for line in left if line.number not in told]
    for squash in (_squash_signs, _squash):
        taken, told = {one.source for _, one in pairs}, {line.number for line, _ in pairs}
        rest = [one for one in of_export if one.source not in taken]
        left = [line for line in left if line.number not in told]
        pairs += _pairs(left, rest, partial(_line_names, squash=squash), partial(_names, squash=squash))
    return pairs + _by_group(lines, of_export, pairs)


def names_of(submissions: Iterable[Submission]) -> set[str]:
    """Return what those of an export's submissions are called, as `is_alike` needs it."""
    return {name for one in submissions if one.owner for name in _names(one, _squash)}


def is_alike(line: RosterLine, names: Set[str]) -> bool:
    """Tell whether a line has one of these names."""
    return not names.isdisjoint(_line_names(line, _squash))


def together(group: Sequence[RosterLine]) -> RosterLine:
    """Return the lines of a group as one: students one after the other, and what differs of them with `;` between."""
    first = group[0]
    fields_of_lines = [dict(line.fields) for line in group]
    fields = []
    for key in dict.fromkeys(key for one in fields_of_lines for key in one):
        texts = [one.get(key, "") for one in fields_of_lines]
        fields.append((key, texts[0] if len(set(texts)) == 1 else "; ".join(texts)))
    return replace(first, students=tuple(name for line in group for name in line.students), fields=tuple(fields))


def _pairs(
    lines: Sequence[RosterLine], submissions: Sequence[Submission], of_line: Callable[[RosterLine], set[str]],
    of_one: Callable[[Submission], set[str]],
) -> list[tuple[RosterLine, Submission]]:  # fmt: skip
    """Return lines and submissions that have a key in common which neither another line nor another submission has."""
    whose: dict[str, list[Submission]] = {}
    for one in submissions:
        for key in of_one(one):
            whose.setdefault(key, []).append(one)
    asking: dict[str, int] = {}
    keys = [of_line(line) for line in lines]
    for key in (key for own in keys for key in own):
        asking[key] = asking.get(key, 0) + 1
    pairs = []
    for line, own in zip(lines, keys, strict=True):
        fitting = {one.source: one for key in own if asking[key] == 1 and len(whose.get(key, ())) == 1 for one in whose[key]}
        pairs += [(line, one) for one in fitting.values()] if len(fitting) == 1 else []
    return pairs


def _by_end(
    lines: Sequence[RosterLine], submissions: Sequence[Submission], columns: Sequence[str]
) -> list[tuple[RosterLine, Submission]]:
    """Return lines whose login is the end of one repository's name: where the assignment ends may not be plain."""
    by_end: dict[str, list[Submission]] = {}
    for one in submissions:
        words = one.source.name.casefold().split("-") if dict(one.fields).get(LOGIN) else []
        for first in range(1, len(words)):
            by_end.setdefault("-".join(words[first:]), []).append(one)
    pairs = []
    for line in lines:
        fitting = [one for login in _values(line, columns) for one in by_end.get(login, ())]
        pairs += [(line, fitting[0])] if len(fitting) == 1 else []
    return pairs


def _by_group(
    lines: Sequence[RosterLine], submissions: Sequence[Submission], pairs: Sequence[tuple[RosterLine, Submission]]
) -> list[tuple[RosterLine, Submission]]:
    """Return lines of a group's members, with its submission: Moodle says of that only what the group is called."""
    taken, told = {one.source for _, one in pairs}, {line.number for line, _ in pairs}
    called = {_squash(one.title): one for one in submissions if one.source not in taken}
    groups = [(line, {*map(_squash, _groups(line))} - {""}) for line in lines]
    groups = [(line, names & called.keys()) for line, names in groups if line.number not in told]
    return [(line, called[name]) for line, names in groups if len(names) == 1 for name in names]


def _values(one: RosterLine | Submission, columns: Iterable[str]) -> set[str]:
    known = {plain(column) for column in columns}
    texts = [text for key, text in one.fields if plain(key) in known]
    return {part.strip().casefold() for text in texts for part in text.replace(", ", ";").split(";") if part.strip()}


def _groups(line: RosterLine) -> set[str]:
    """Return the names of a student's groups, as Moodle writes them into names of files, too: `&` as `&amp;`.

    Groups have commas between them, and so may have their names.
    """
    names = set[str]()
    for texts in (text.split(", ") for key, text in line.fields if plain(key) in _GROUPS):
        ends = range(1, len(texts) + 1 if len(texts) <= _MOST_WORDS else 1)
        names |= {*texts, *(", ".join(texts[k:end]) for end in ends for k in range(end))}
    return names | {html.escape(name) for name in names}


def _line_names(line: RosterLine, squash: Callable[[str], str]) -> set[str]:
    return {form for name in line.students for form in _forms(name, squash)} - {""}


def _names(one: Submission, squash: Callable[[str], str]) -> set[str]:
    return {*map(squash, one.students)} - {""}


def _forms(name: str, squash: Callable[[str], str]) -> set[str]:
    """Return a name as course systems may write it: also with the last name first."""
    words = name.split()
    # No name has more, and what has takes a time that grows with the square of its length.
    turns = range(1, len(words) if len(words) <= _MOST_WORDS else 1)
    return {squash(name), *(squash(" ".join((*words[k:], *words[:k]))) for k in turns)}


def _squash(name: str) -> str:
    """Return a name's letters and digits alone, as Canvas writes names of files."""
    return _WORDS.sub("", unicodedata.normalize("NFC", name).casefold())


def _squash_signs(name: str) -> str:
    """Return a name's letters, digits, pictures, and marks, which are vowels in many scripts; not every system writes those."""
    signs = unicodedata.normalize("NFC", name).casefold()
    others = {ord(sign): None for sign in {*signs} if not sign.isalnum() and unicodedata.category(sign) not in _WITH_LETTERS}
    return signs.translate(others)
