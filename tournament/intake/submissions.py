"""From folders and files to entrants: which submissions there are, and their names. Each is taken in by itself.

    a folder with my_player.py (or another entry file)     one submission
    any other folder                                       one submission per folder, archive and source file in it
    a .py file or an archive                               one submission

A roster names them and loses nobody: who is in it and hands nothing in is refused; who hands in and is not in it is taken in
under the name of their file, and called unlisted, or refused if only those listed may take part.

A submission that cannot be taken in becomes `Refused`, with one line that says why, and the others go on. Mistakes that
concern all of them (a missing folder, two submissions of one name, an unreadable roster) raise BadRosterError.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from common.excerpts import printable, quoted, quoted_path
from tournament.errors import BadRosterError, BadSubmissionError
from tournament.intake.archives import ARCHIVES, JUNK, Bounds, is_archive
from tournament.intake.attempts import Attempts, resolved
from tournament.intake.copies import PART, Submission, Taken, take
from tournament.intake.player_files import PROGRAM_FILES
from tournament.intake.rosters import RosterLine, clean_name, read_roster
from tournament.records import CLASS, Entrant, Fields
from tournament.sandbox.leftovers import sweep_folder

_SOURCES = (".py", ".cpp", ".java")


@dataclass(frozen=True)
class Refused:
    """A submission that cannot be taken in. reason: one printable line. fields: see `tournament.records.Entrant`."""

    name: str
    students: tuple[str, ...]
    source: Path
    reason: str
    fields: Fields = ()


@dataclass(frozen=True)
class Intake:
    """The outcome; each tuple is sorted. aside: files and folders that are not submissions. lone: name -> path, of the
    submissions that are a single file given by its own path. others: name -> what else in it could have played, in words,
    of those where the names of files have decided. unlisted: names of those, taken in or refused, that no roster lists."""

    entrants: tuple[Entrant, ...]
    refused: tuple[Refused, ...]
    aside: tuple[Path, ...] = ()
    lone: Mapping[str, Path] = field(default_factory=dict)
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()

    @property
    def as_listed(self) -> bool:
        """True if everybody was taken in whom the roster lists, and nobody else; without a roster, if nobody was refused."""
        return not self.refused and not self.unlisted


def take_in(
    sources: Sequence[Path],
    into: Path,
    roster: Path | None = None,
    reserved: Collection[str] = (),
    bounds: Bounds | None = None,
    kinds: Collection[str] = (CLASS,),
    with_companions: bool = False,
    only_listed: bool = False,
    attempts: Attempts | None = None,
) -> Intake:
    """Take submissions in.

    into: the folder for the copies, made if it is missing. roster: a CSV file as in `tournament.intake.rosters`.
    reserved: names that no submission may have, such as those of the reference players. kinds: the kinds of player that
    will do; others are refused. with_companions: a lone file brings along what it needs of its folder, see
    `tournament.intake.dependencies`. only_listed: refuse who is not in the roster. attempts: which of those of one in
    the roster play; None for the last one. Raises BadRosterError, and OSError if copies cannot be written.
    """
    found, aside = submissions_in(sources)
    missing: list[Submission] = []
    unlisted: list[Submission] = []
    if roster is not None:
        where = printable(roster.name, 100)
        lines = resolved(read_roster(roster), attempts or Attempts(), where)
        found, missing, unlisted = _named_by(lines, found, where)
    elif only_listed:
        raise BadRosterError("only_listed: expected a roster that lists who may take part, got none")
    _check_names([*found, *missing, *unlisted], reserved)
    refused = [_refused(one, "expected a file or folder, found none") for one in missing]
    if only_listed:
        refused += [_refused(one, f"not in {where}, and only those listed take part") for one in unlisted]
    else:
        found = [*found, *unlisted]
    into.mkdir(parents=True, exist_ok=True)
    sweep_folder(into, PART)
    taken: list[Taken] = []
    for one in found:
        try:
            taken.append(take(one if with_companions else replace(one, lone=False), into, bounds, kinds))
        except BadSubmissionError as error:
            refused.append(_refused(one, str(error)))
    return Intake(
        tuple(sorted((one.entrant for one in taken), key=lambda entrant: entrant.name)),
        tuple(sorted(refused, key=lambda one: one.name)),
        tuple(sorted(aside)),
        {one.name: one.source for one in found if one.lone},
        {one.entrant.name: one.others for one in taken if one.others},
        tuple(sorted(one.name for one in unlisted)),
    )


def _refused(one: Submission, reason: str) -> Refused:
    return Refused(one.name, one.students, one.source, reason, one.fields)


# Which submissions there are


def submissions_in(sources: Sequence[Path]) -> tuple[list[Submission], list[Path]]:
    """Return the submissions in folders and files, sorted by name, and the files that are not submissions.

    Raises BadRosterError if a source is missing, or if there is no submission at all.
    """
    found: list[Submission] = []
    aside: list[Path] = []
    for source in sources:
        if source.is_file() or (source.is_dir() and _is_submission(source)):
            lone = source.is_file() and not is_archive(source)
            found.append(replace(_submission(source.resolve()), lone=lone))
        elif source.is_dir():
            inside, others = _inside(source)
            found += inside
            aside += others
        else:
            raise BadRosterError(f"expected a folder or file of submissions, got {quoted_path(source)}, which does not exist")
    if not found:
        where = ", ".join(quoted_path(source) for source in sources) or "nothing"
        raise BadRosterError(f"expected submissions (folders, .py files, zip or tar archives) in {where}, found none")
    return sorted(found, key=lambda one: (one.name, one.source)), aside


def _is_submission(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in PROGRAM_FILES)


def _inside(folder: Path) -> tuple[list[Submission], list[Path]]:
    found: list[Submission] = []
    aside: list[Path] = []
    try:
        children = sorted(folder.iterdir())
    except OSError as error:
        raise BadRosterError(f"folder {quoted_path(folder)} cannot be read: {error.strerror}") from error
    for child in children:
        if child.name in JUNK or child.name.startswith("."):
            continue
        if child.is_dir() or child.name.lower().endswith((*_SOURCES, *ARCHIVES)) or is_archive(child):
            found.append(_submission(child))
        else:
            aside.append(child)
    return found, aside


def _submission(source: Path) -> Submission:
    title = source.name
    ending = next((ending for ending in (*_SOURCES, *ARCHIVES) if title.lower().endswith(ending)), "")
    if ending and not source.is_dir():
        title = title[: -len(ending)]
    if source.name in PROGRAM_FILES:
        # Everybody's own file is called my_player.py, so the folder gives the name.
        title = source.parent.name or title
    return Submission(source, clean_name(title), (printable(title, 100),))


def _named_by(
    lines: Sequence[RosterLine], found: Sequence[Submission], where: str
) -> tuple[list[Submission], list[Submission], list[Submission]]:
    """Return the submissions that the roster names, those it names but that do not exist, and those it leaves out."""
    named: list[Submission] = []
    missing: list[Submission] = []
    left = {one.source: one for one in found}
    for line in lines:
        fitting = [one for one in found if line.submission in (one.source.name, one.students[0])]
        if len(fitting) > 1:
            raise BadRosterError(
                f"{where}, line {line.number}: expected one submission {quoted(line.submission)}, found "
                f"{' and '.join(quoted(one.source.name) for one in fitting[:2])}"
            )
        source = fitting[0].source if fitting else Path(line.submission)
        if fitting and left.pop(source, None) is None:
            raise BadRosterError(f"{where}, line {line.number}: {quoted(line.submission)} stands in an earlier line already")
        if line.superseded:
            continue
        name = line.name or (fitting[0].name if fitting else clean_name(line.submission))
        lone = bool(fitting) and fitting[0].lone
        one = Submission(source, name, line.students or (name,), line.class_name, lone, line.entry, line.fields)
        (named if fitting else missing).append(one)
    return named, missing, list(left.values())


def _check_names(found: Sequence[Submission], reserved: Collection[str]) -> None:
    """Raise BadRosterError unless every submission has a name, and no two have the same."""
    taken = {name.casefold(): f"the reference player {quoted(name)}" for name in reserved}
    for one in found:
        where = quoted(one.source.name)
        if not one.name:
            raise BadRosterError(f"expected letters or digits in the name of {where}; a roster can give it another name")
        other = taken.setdefault(one.name.casefold(), where)
        if other is not where:
            raise BadRosterError(
                f"expected a name of its own for each submission, but {other} and {where} are both called "
                f"{quoted(one.name)}; a roster can give them other names"
            )
