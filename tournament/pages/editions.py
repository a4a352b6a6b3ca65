"""Who may see what. An edition changes rows, games and entrants before any page is made of them, so that nothing leaks.

    edition      names                     games        forfeit and refusal, traceback, log, probes,    people, machine
                                                        where moves were returned
    instructor   as in the event           all          yes                                            yes
    class        nicknames                 all          no                                             no
    named        real names                all          no                                             no
    agreed       real names of who agreed  all          no                                             no
    student      own; nicknames of others  own only     own only                                       no

Who has agreed says the roster's column `agreed`: yes or no, or nothing for no. All others have their nicknames there.
Reference players keep their names. Game ids are made of names, so they change too. Seeds are in no edition.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from goban.common.excerpts import quoted
from goban.common.files import write_beside
from goban.common.tables import SheetError, read_sheet
from gojudge.errors import BadRosterError
from gojudge.intake.rosters import student_of
from gojudge.records import Entrant, Fields, GameResult, GameRow
from gojudge.sandbox.transcripts import shorten_paths
from tournament.pages.words import show_name, visible
from tournament.results.exports import csv_line, from_cell
from tournament.results.grading import Grade

# What students are called in public: a CSV file beside the results, with columns name and nickname.
#
# The file is made with random nicknames when it is first needed, and tells the instructor who is who. The instructor may
# edit it to give a student the nickname of their choice. Entrants who join later are added to it.


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
    nicknames: dict[str, str] = {}
    owners: dict[str, str] = {}
    for row in sheet.rows:
        where = f"{path}: line {row.number}"
        if len(row.cells) < 2 or not row.cells[1]:
            raise BadRosterError(f"{where}: expected a name and a nickname, got {quoted([*row.cells])}")
        name, nickname = from_cell(row.cells[0]), from_cell(row.cells[1])
        other = owners.setdefault(nickname.casefold(), name)
        if name in nicknames or other != name:
            raise BadRosterError(f"{where}: expected every name and nickname once, got {quoted([*row.cells])}")
        nicknames[name] = nickname
    return nicknames


def nickname_notices(path: Path) -> list[str]:
    """Return what people should know of how the file was read, one line each; nothing if there is no such file."""
    try:
        return [*read_sheet(path, str(path), _MOST_BYTES).notices]
    except (SheetError, OSError):
        return []


def complete_nicknames(
    known: Mapping[str, str], names: Iterable[str], taken: Iterable[str], rng: random.Random
) -> dict[str, str]:
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
    nicknames = complete_nicknames(known, sorted(names), taken, rng)
    if nicknames.keys() - known.keys():
        lines = [csv_line(_HEADER), *(csv_line([name, nickname]) for name, nickname in (known | nicknames).items())]
        write_beside(path, "".join(lines).encode())
    return nicknames


def nicknames_in_event(path: Path, entrants: Sequence[Entrant], rng: random.Random) -> dict[str, str]:
    """Return the nicknames of all students among the entrants, as `nicknames_of` does: one for all attempts of each."""
    own = dict.fromkeys(student_of(one.name, one.fields) for one in entrants if one.is_submission)
    return nicknames_of(path, own, (one.name for one in entrants if not one.is_submission), rng)


Shown = TypeVar("Shown")

AGREED = "agreed"
"""An edition, and the roster's column that decides whose name it shows."""
PUBLIC = ("class", "named", AGREED)
"""What everybody may read."""
KINDS = ("instructor", *PUBLIC, "student")
START = "index.html"
"""The page that a folder's pages begin with."""
SECTION = "section"
"""The roster's column that says in which part of the class a student is."""
_LEAST_IN_SECTION = 3
UNSAID = "Its own students see why."
_REASON_CHARACTERS = 600


@dataclass(frozen=True)
class Edition:
    """names: name in the event -> name in this edition. own: the student's name in it, '' in editions for others; student:
    the same in the event."""

    kind: str
    names: Mapping[str, str]
    own: str = ""
    student: str = ""

    @property
    def shows_all(self) -> bool:
        """True if everything may be seen."""
        return self.kind == "instructor"

    @property
    def shows_logs(self) -> bool:
        """True if what somebody printed may be seen."""
        return self.kind in ("instructor", "student")

    @property
    def hides(self) -> bool:
        """True if somebody is shown by a nickname, who must not be known by anything else."""
        return self.kind in ("class", AGREED)

    def counting(self, grades: Iterable[Grade]) -> Edition:
        """Return the edition in which the attempt that counts has the name of its student, and with it their page's address.

        grades: under the names of the event. Other attempts have that name with their number.
        """
        names = dict(self.names)
        student = self.student
        for grade in grades:
            if grade.attempts and grade.name != grade.person and grade.person in names:
                own = names[grade.person]
                names |= {grade.name: own, grade.person: f"{own}.1"}
                student = grade.name if student == grade.person else student
        names = _distinct(names)
        return replace(self, names=names, own=names[student] if student else "", student=student)

    def allows(self, black: str, white: str) -> bool:
        """Tell whether a game between these two may be seen. They go by their names in this edition."""
        return self.kind != "student" or self.own in (black, white)

    def rows(self, rows: Iterable[GameRow]) -> list[GameRow]:
        """Return all rows, under the names of this edition; standings are counted from them."""
        return [
            replace(row, id=self._id(row.id, row.black, row.white), black=self.names[row.black], white=self.names[row.white])
            for row in rows
        ]

    def results(self, results: Iterable[GameResult]) -> Iterator[GameResult]:
        """Yield the games that may be seen, without the parts that may not."""
        return (shown for result in results if (shown := self._result(result)) is not None)

    def _result(self, result: GameResult) -> GameResult | None:
        spec = result.spec
        black, white = self.names[spec.black], self.names[spec.white]
        if not self.allows(black, white):
            return None
        named = replace(spec, id=self._id(spec.id, spec.black, spec.white), black=black, white=white, seeds=(0, 0))
        if self.shows_all:
            return replace(result, spec=named)
        own = {black: 1, white: 2}.get(self.own, 0) if self.kind == "student" else 0
        forfeited = bool(own) and result.forfeited_by == own
        return replace(
            result,
            spec=named,
            # Games of before were stored with paths of the machine that played them.
            detail=shorten_paths(result.detail) if forfeited else "",
            evidence=shorten_paths(result.evidence) if forfeited else "",
            black_log=shorten_paths(result.black_log) if own == 1 else "",
            white_log=shorten_paths(result.white_log) if own == 2 else "",
            tier="",
            replays=0,
            notes=(),
        )

    def show_probed(self, probed: Mapping[str, Shown]) -> dict[str, Shown]:
        """Return what is known of submissions that may be seen, from name in the event to name in this edition."""
        seen = [self.student] if self.kind == "student" else [*self.names] if self.shows_all else []
        return {self.names[name]: probed[name] for name in seen if name in probed}

    def entrants(self, entrants: Iterable[Entrant]) -> list[Entrant]:
        """Return the entrants, without people and files unless this edition may show them."""
        renamed = [replace(entrant, name=self.names[entrant.name]) for entrant in entrants]
        if self.shows_all:
            return renamed
        others = [Entrant(one.name, reference=one.reference, kind=one.kind) for one in renamed]
        # Which of their own files plays is no secret from them.
        return [
            replace(other, entry=one.entry, class_name=one.class_name) if one.name == self.own else other
            for one, other in zip(renamed, others, strict=True)
        ]

    def sections(self, entrants: Iterable[Entrant]) -> dict[str, str]:
        """Return name in this edition -> section, as the roster says it; nothing in a student's edition.

        Sections of so few that they would give away whose nickname it is are left out where there are nicknames.
        """
        if self.kind == "student":
            return {}
        said = [(one, dict(one.fields).get(SECTION, "")) for one in entrants if one.is_submission]
        sizes = Counter(section for one, section in said if student_of(one.name, one.fields) == one.name)
        least = _LEAST_IN_SECTION if self.hides else 1
        return {self.names[one.name]: visible(section, 60) for one, section in said if section and sizes[section] >= least}

    def grade(self, grade: Grade) -> Grade:
        """Return a grade under the name of this edition. Only the instructor and its own students may see why it was refused,
        and when it was handed in: to others it has the points that it has without a penalty."""
        name = self.names[grade.name]
        seen = self.shows_all or name == self.own
        reason = grade.refused and (visible(grade.refused, _REASON_CHARACTERS) if seen else UNSAID)
        shown = replace(grade, name=name, refused=reason)
        if not self.shows_all:
            shown = replace(shown, students=(), fields=())
        if not seen:
            return replace(shown, points=grade.earned, late=None, attempts=())
        return replace(shown, attempts=tuple(replace(one, name=self.names[one.name]) for one in grade.attempts))

    def _id(self, game_id: str, black: str, white: str) -> str:
        """Return the game's id in this edition: the names are replaced, the number at its end stays. Who sees all needs the
        event's own ids."""
        return game_id if self.shows_all else f"{self.names[black]}-{self.names[white]}-{game_number(game_id)}"


def game_number(game_id: str) -> str:
    """Return '003' for 'alice-bob-003'."""
    number = game_id.rpartition("-")[2]
    return number if number.isascii() and number.isdigit() else "0"


def first_attempts(entrants: Iterable[Entrant]) -> list[str]:
    """Return the submissions for each of which a student has a page, by name: without further attempts."""
    return [one.name for one in entrants if one.is_submission and student_of(one.name, one.fields) == one.name]


def edition(kind: str, entrants: Iterable[Entrant], nicknames: Mapping[str, str], student: str = "") -> Edition:
    """Return an edition for these entrants. nicknames: of all students; not used in the instructor's edition.

    Raises BadRosterError if there is no such student, or if the roster does not say plainly who has agreed.
    """
    entrants = list(entrants)
    if kind == "instructor":
        return Edition(kind, _distinct({entrant.name: show_name(entrant.name) for entrant in entrants}))
    names = _public_names(kind, entrants, nicknames)
    if kind != "student":
        return Edition(kind, _distinct(names))
    students = {one.name: student_of(one.name, one.fields) for one in entrants if one.is_submission}
    if student not in students:
        raise BadRosterError(f"student: expected the name of a submission of this event, got {quoted(student)}")
    names = _distinct(names | {name: show_name(name) for name, whose in students.items() if whose == students[student]})
    return Edition(kind, names, names[student], student)


def _public_names(kind: str, entrants: Sequence[Entrant], nicknames: Mapping[str, str]) -> dict[str, str]:
    """Return what others call everybody: by real names or nicknames, and further attempts by that with their number."""
    own = [(one, student_of(one.name, one.fields)) for one in entrants if one.is_submission]
    unnamed = {whose for one, whose in own if kind != "named" and not (kind == AGREED and has_agreed(one.name, one.fields))}
    names = {one.name: show_name(one.name) for one in entrants}
    for one, whose in own:
        name = nicknames[whose] if whose in unnamed else ", ".join(one.students) or whose
        names[one.name] = show_name(name) + ("" if whose == one.name else f".{one.name.rpartition('.')[2]}")
    return names


def has_agreed(name: str, fields: Fields) -> bool:
    """Tell whether the people of a submission have agreed to be shown by their names. Raises BadRosterError."""
    text = dict(fields).get(AGREED, "")
    if text.casefold() not in ("", "yes", "no"):
        raise BadRosterError(f"{name}: {AGREED}: expected yes or no, got {quoted(text)}")
    return text.casefold() == "yes"


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names, with a number added to those that look the same."""
    seen: dict[str, int] = {}
    distinct = {}
    for name, shown in names.items():
        seen[shown] = seen.get(shown, 0) + 1
        distinct[name] = shown if seen[shown] == 1 else f"{shown} ({seen[shown]})"
    return distinct
