"""From folders and files to entrants: which submissions there are, and their names. Each is taken in by itself.

    a folder with my_player.py (or another entry file)     one submission
    any other folder                                       one submission per folder, archive and source file in it; if
                                                           people try their own code, one if all belongs together
    a .py file or an archive                               one submission
    what a course system hands out, or a zip of it         see `gojudge.intake.exports`

A roster names them and loses nobody. Those in it who hand in nothing are refused. Those who hand in and are not in it are taken
in under the name of their file and called unlisted, or refused if only those listed may take part. In a course
system's export people are also found by e-mail, identifier or login, or by name. For the names of files see
`gojudge.intake.names`: whatever they are, they cost nobody anything.

A submission that cannot be taken in becomes `Refused`, with one line that says why, and the others go on. Mistakes that
concern all of them (a missing folder, a roster that cannot be read or gives two people one name) raise BadRosterError.

A folder in which no file has one of the course's names may be one submission, or hold one of each student. It is one where all
its sources belong together: one of them plays, and the others are imported by it, or import it. Where one source plays and
nothing lies beside it that it needs, it does not matter. Everything else is a class: its players have nothing to do with each
other. The course's own files count for nothing.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from goban.common.arguments import check_fields, check_kind
from goban.common.excerpts import printable, quoted, quoted_path
from goban.common.files import make_folder
from gojudge.errors import BadRosterError, BadSubmissionError, JudgeError
from gojudge.intake.archives import ARCHIVES, Bounds, Files, contents_of, is_archive, read_files
from gojudge.intake.copies import PART, Submission, Taken, take
from gojudge.intake.dependencies import companions
from gojudge.intake.exports import Export, apart, export_in, unpack_export
from gojudge.intake.names import NOTHING_KEPT, Kept, Owner, clean_name, hand_out, likeness
from gojudge.intake.owners import is_alike, match_lines, names_of, together
from gojudge.intake.player_files import PROGRAM_FILES, find_player, is_handout
from gojudge.intake.rosters import NOT_TOLD_APART, Attempts, RosterLine, read_roster, resolve_attempts
from gojudge.records import CLASS, Entrant, Fields
from gojudge.sandbox.leftovers import owned_folder, sweep_folder
from gojudge.sandbox.reading import read_apart

# A class's folder may hold hundreds of files; to read them all takes time.
_MOST_SOURCES = 20


def why_one(folder: Path) -> str:
    """Return why a folder is one submission as a whole, as 'agent.py needs helpers.py'; '' if that is not plain.

    Nothing in it is run.
    """
    try:
        return str(read_apart(lambda: {"why": _why_one(folder)})["why"])
    except (BadSubmissionError, OSError):
        return ""


# In the process that reads


def _why_one(folder: Path) -> str:
    children = contents_of(folder)
    sources = [child.name for child in children if child.is_file() and child.suffix in _SOURCES]
    if not 0 < len(sources) <= _MOST_SOURCES or any(child.is_file() and is_archive(child) for child in children):
        return ""
    files = read_files(folder)
    own = [name for name in sources if not is_handout(files, PurePosixPath(name))]
    player = _player(files, own)
    if not player:
        return ""
    needs = {name: set(companions(folder / name)) for name in own}
    if _together(player, needs) != set(own):
        return ""
    used = {path.partition("/")[0] for paths in needs.values() for path in paths}
    unused = [child for child in children if child.is_dir() and child.name not in used]
    return "" if any(path.suffix in _SOURCES for child in unused for path in child.iterdir()) else _tie(player, needs)


def _player(files: Files, own: Sequence[str]) -> str:
    """Return the file that plays; '' if it is none of the student's own, or if several play. own: those beside each other."""
    try:
        single = find_player(files)
    except BadSubmissionError:
        # Two that play are two submissions. If none does, what is wrong is told of one if its files belong together.
        return own[0] if len(own) > 1 and not any(_plays(files, name) for name in own) else ""
    return single.entry if not single.folder and single.entry in own else ""


def _plays(files: Files, name: str) -> bool:
    try:
        find_player({name: files[name]})
    except BadSubmissionError:
        return False
    return True


def _together(player: str, needs: Mapping[str, set[str]]) -> set[str]:
    """Return the sources that are tied to the player: by what one of them needs, one way or the other."""
    tied, new = {player}, {player}
    while new:
        new = {name for name in needs.keys() - tied if any(name in needs[one] or one in needs[name] for one in new)}
        tied |= new
    return tied


def _tie(player: str, needs: Mapping[str, set[str]]) -> str:
    """Return what ties the player to another file, as 'a needs b'; '' if nothing does."""
    # A tie to a source says more than one to data.
    pairs = [(player, path) for path in sorted(needs[player], key=lambda path: (path not in needs, path))]
    pairs += [(name, player) for name in sorted(needs) if player in needs[name]]
    return f"{printable(pairs[0][0], 60)} needs {printable(pairs[0][1], 60)}" if pairs else ""


_SOURCES = (".py", ".cpp", ".java")
NO_EXPORTS: Mapping[Path, Export] = {}


@dataclass(frozen=True)
class Refused:
    """A submission that cannot be taken in. reason: one printable line. fields: see `gojudge.records.Entrant`."""

    name: str
    students: tuple[str, ...]
    source: Path
    reason: str
    fields: Fields = ()


@dataclass(frozen=True)
class Intake:
    """The outcome; each tuple is sorted. aside: files and folders that are not submissions. lone: name -> path, for
    submissions that are a single file given by its own path. others: name -> a description of what else in it could have
    played, where file names decided. unlisted: names of those, taken in or refused, that are not in the roster.
    called: name -> one line, for those whose name is not that of their file. files: file -> name, to be kept with
    `gojudge.intake.names.write_names`. origins: name -> the source it was found in. folders: one line for each folder
    that could be one submission or several, and for each that is a course system's export."""

    entrants: tuple[Entrant, ...]
    refused: tuple[Refused, ...]
    aside: tuple[Path, ...] = ()
    lone: Mapping[str, Path] = field(default_factory=dict)
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, Path] = field(default_factory=dict)
    folders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self, JudgeError)

    @property
    def as_listed(self) -> bool:
        """True if exactly those in the roster were taken in; without a roster, if nobody was refused."""
        return not self.refused and not self.unlisted


def take_in(
    sources: Path | str | Sequence[Path | str],
    into: Path | str,
    roster: Path | str | None = None,
    reserved: Collection[str] = (),
    bounds: Bounds | None = None,
    kinds: Collection[str] = (CLASS,),
    with_companions: bool = False,
    only_listed: bool = False,
    attempts: Attempts | None = None,
    kept: Kept = NOTHING_KEPT,
) -> Intake:
    """Take submissions in.

    sources: folders, files and archives, or one of these. into: the folder for the copies, created if missing. roster: a CSV
    file, see `gojudge.intake.rosters`. reserved: names that no submission may have, such as those of the reference players.
    kinds: the accepted kinds of player; others are refused. with_companions: for people who try their own code: a lone file
    brings along what it needs from its folder, see `gojudge.intake.dependencies`, and a folder may be one submission.
    only_listed: refuse submissions that are not in the roster. attempts: which of a student's attempts in the roster play;
    None for the last one. kept: names from earlier runs. Raises BadRosterError, and OSError if copies cannot be written.
    """
    check_kind(sources, (Path, Iterable), "folders, files and archives", BadRosterError)
    paths = [Path(source) for source in ([sources] if isinstance(sources, (Path, str)) else sources)]
    # Whoever opens a seat may have gone to another folder since, and workers have one of their own.
    into = Path(into).absolute()
    trying = with_companions and roster is None
    with ExitStack() as rooms:
        exports = exports_in(paths, lambda: rooms.enter_context(owned_folder()))
        plain = [source for source in paths if source not in exports]
        whole = whole_folders(plain) if trying else {}
        submissions, aside = submissions_in(paths, whole, exports)
        folders = [line for export in exports.values() for line in export.told]
        folders += _folders(plain, whole, submissions) if trying else ()
        if roster is not None:
            submissions = _match_roster(submissions, Path(roster), attempts or Attempts(), bool(exports), only_listed)
        elif only_listed:
            raise BadRosterError("only_listed: expected a roster that lists who may take part, got none")
        submissions = _give_names(submissions, reserved, kept)
        copies, refused = _copy_all(submissions, into, bounds, kinds, with_companions)
    return Intake(
        entrants=tuple(sorted((copy.entrant for copy in copies), key=lambda entrant: entrant.name)),
        refused=tuple(sorted(refused, key=lambda one: one.name)),
        aside=tuple(sorted(aside)),
        lone={one.name: one.source for one in submissions if one.lone and not one.fault},
        others={copy.entrant.name: copy.others for copy in copies if copy.others},
        unlisted=tuple(sorted(one.name for one in submissions if one.unlisted)),
        called=_tell_made_names(submissions, reserved),
        files={_files(one)[0]: one.name for one in submissions if one.found and not one.given},
        origins={one.name: one.origin for one in submissions},
        folders=tuple(folders),
    )


def _match_roster(
    submissions: Sequence[Submission], roster: Path, attempts: Attempts, exported: bool, only_listed: bool
) -> list[Submission]:
    """Return all submissions, first those that the roster lists. Those that it refuses have a fault.

    exported: whether submissions come from a course system. Raises BadRosterError.
    """
    where = printable(roster.name, 100)
    lines = resolve_attempts(read_roster(roster), attempts, where)
    if not exported and not any(line.submission for line in lines):
        raise BadRosterError(f"{where}, line 1: expected a column submission, since these are no course system's export")
    listed, others = _match(lines, submissions, where)
    # People of the same name get a number in a course system; the names of a plain folder's files stay as they are.
    listed = apart(listed) if any(one.owner for one in submissions) else listed
    fault = f"not in {where}, and only those listed take part" if only_listed else ""
    return [*listed, *(replace(one, unlisted=True, fault=fault or one.fault) for one in others)]


def _give_names(submissions: Sequence[Submission], reserved: Collection[str], kept: Kept) -> list[Submission]:
    """Return the submissions with the names under which they play. Raises BadRosterError, see `_check_given`."""
    owners = [Owner(one.title, _files(one), one.given) for one in submissions]
    names = hand_out(owners, reserved, kept)
    named = [replace(one, name=name, students=one.students or (name,)) for one, name in zip(submissions, names, strict=True)]
    _check_given(named, reserved)
    return named


def _copy_all(
    submissions: Sequence[Submission], into: Path, bounds: Bounds | None, kinds: Collection[str], with_companions: bool
) -> tuple[list[Taken], list[Refused]]:
    """Copy the submissions that have no fault; return the copies, and those that cannot be taken in. Raises OSError."""
    make_folder(into)
    sweep_folder(into, PART)
    copies: list[Taken] = []
    refused: list[Refused] = []
    for one in submissions:
        try:
            copies.append(take(one if with_companions else replace(one, lone=False), into, bounds, kinds))
        except BadSubmissionError as error:
            refused.append(Refused(one.name, one.students, one.source, str(error), one.fields))
    return copies, refused


# Which submissions there are


def whole_folders(sources: Sequence[Path]) -> dict[Path, str]:
    """Return the folders that are one submission though no file in them has a course's name, and why they are."""
    folders = [source for source in sources if source.is_dir() and not _is_submission(source)]
    return {folder: why for folder in folders if (why := why_one(folder))}


def _folders(sources: Sequence[Path], whole: Mapping[Path, str], submissions: Sequence[Submission]) -> tuple[str, ...]:
    """Return a line for each folder with sources under other names: what it was taken for, and how to say otherwise."""
    lines = []
    for source in dict.fromkeys(sources):
        inside = [one.source for one in submissions if one.origin == source]
        loose = sorted(path.name for path in inside if path.is_file() and path.suffix in _SOURCES)
        if source in whole:
            otherwise = "for several, name their files, or give a roster"
            lines.append(f"{quoted_path(source)} was taken for one submission, since {whole[source]}; {otherwise}")
        elif len(inside) > 1 and loose and source.is_dir() and not any(map(_is_somebody_s, inside)):
            otherwise = f"name the file that plays, such as {quoted_path(source / loose[0])}, or call it my_player.py"
            several = f"a folder of {len(inside)} submissions"
            lines.append(f"{quoted_path(source)} was taken for {several}; if it is one, {otherwise}")
    return tuple(lines)


def _is_somebody_s(path: Path) -> bool:
    """Tell whether what lies in a folder is a submission beyond doubt, so that the folder is a class's."""
    return _is_submission(path) if path.is_dir() else path.name.lower().endswith(ARCHIVES)


def exports_in(sources: Sequence[Path], room: Callable[[], Path]) -> dict[Path, Export]:
    """Return the sources that are exports of course systems. room: makes a folder in which zips are unpacked.

    Raises BadRosterError for one that cannot be unpacked.
    """
    exports: dict[Path, Export] = {}
    for source in dict.fromkeys(sources):
        try:
            if source.is_dir():
                export = None if _is_submission(source) else export_in(source)
            else:
                export = unpack_export(source, room) if source.is_file() and is_archive(source) else None
        except BadSubmissionError as error:
            raise BadRosterError(f"{quoted_path(source)}: {error}") from None
        if export is not None:
            exports[source] = export
    return exports


def submissions_in(
    sources: Sequence[Path], whole: Collection[Path] = (), exports: Mapping[Path, Export] = NO_EXPORTS
) -> tuple[list[Submission], list[Path]]:
    """Return the submissions in folders and files, sorted by name, and the files that are not submissions.

    whole: folders that are one submission, whatever their files are called. exports: see `exports_in`. Raises BadRosterError if
    a source is missing, or if there is no submission at all.
    """
    submissions: list[Submission] = []
    aside: list[Path] = []
    for source in sources:
        if source in exports:
            inside, others = _of_children(exports[source].left)
            submissions += [replace(one, origin=source) for one in (*exports[source].submissions, *inside)]
            # Nobody would look for it in the folder into which its zip was unpacked.
            aside += others if source.is_dir() else [source / path.name for path in others]
        elif source.is_file() or (source.is_dir() and (source in whole or _is_submission(source))):
            lone = source.is_file() and not is_archive(source)
            submissions.append(replace(_submission(source.resolve()), lone=lone, origin=source))
        elif source.is_dir():
            inside, others = _inside(source)
            submissions += [replace(one, origin=source) for one in inside]
            aside += others
        else:
            raise BadRosterError(f"expected a folder or file of submissions, got {quoted_path(source)}, which does not exist")
    if not submissions:
        where = ", ".join(quoted_path(source) for source in sources) or "nothing"
        raise BadRosterError(f"expected submissions (folders, .py files, zip or tar archives) in {where}, found none")
    # A file may be named beside its folder.
    once = {_whole(one.source): one for one in reversed(submissions)}
    return sorted(once.values(), key=lambda one: (one.name or clean_name(one.title), one.source)), aside


def _whole(source: Path) -> Path:
    return source.parent.resolve() / source.name


def _is_submission(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in PROGRAM_FILES)


def _inside(folder: Path) -> tuple[list[Submission], list[Path]]:
    try:
        return _of_children(contents_of(folder))
    except OSError as error:
        raise BadRosterError(f"folder {quoted_path(folder)} cannot be read: {error.strerror}") from error


def _of_children(children: Sequence[Path]) -> tuple[list[Submission], list[Path]]:
    """Return what lies in a class's folder: the submissions, and the rest."""
    submissions: list[Submission] = []
    aside: list[Path] = []
    for child in children:
        if child.is_dir() or child.name.lower().endswith((*_SOURCES, *ARCHIVES)) or is_archive(child):
            submissions.append(_submission(child))
        else:
            aside.append(child)
    return submissions, aside


def _submission(source: Path) -> Submission:
    # Everybody's own file is called my_player.py, so the folder gives the name.
    title = source.parent.name if source.name in PROGRAM_FILES and source.parent.name else _title(source)
    return Submission(source, clean_name(title), (printable(title, 100),), title=title)


def _title(source: Path) -> str:
    """Return what a file or folder is called, without its ending."""
    title = source.name
    ending = next((ending for ending in (*_SOURCES, *ARCHIVES) if title.lower().endswith(ending)), "")
    return title if not ending or source.is_dir() else title[: -len(ending)]


def _match(
    lines: Sequence[RosterLine], submissions: Sequence[Submission], where: str
) -> tuple[list[Submission], list[Submission]]:
    """Return a submission for each line, and the submissions without a line. Raises BadRosterError."""
    matched: list[tuple[RosterLine, list[Submission]]] = []
    left = {one.source: one for one in submissions}
    named = _Named(submissions)
    for line, owner in _of_groups(lines, submissions, named):
        fitting = [owner] if owner is not None else named.find(line.submission)
        matches = [left.pop(one.source) for one in fitting if one.source in left]
        if fitting and not matches:
            raise BadRosterError(f"{where}, line {line.number}: {quoted(line.submission)} stands in an earlier line already")
        if not line.superseded:
            matched.append((line, matches))
    alike = names_of(left.values())
    return [_of_line(line, matches, alike) for line, matches in matched], [*left.values()]


def _of_line(line: RosterLine, matches: Sequence[Submission], alike: Set[str]) -> Submission:
    """Return what is handed in for a line of the roster, as that describes it. matches, alike: see `_why_not_found`."""
    title = line.submission or ", ".join(line.students)
    one = matches[0] if matches else Submission(Path(title), "", title=title)
    fields = dict(line.fields)
    return replace(
        one, students=line.students or (one.students if one.owner else ()), class_name=line.class_name, entry=line.entry,
        # The roster wins, but where it says nothing.
        fields=tuple((fields | {key: text for key, text in one.fields if not fields.get(key)}).items()),
        title=line.name or (title if one.owner and not line.submission and title else one.title), given=bool(line.name),
        found=len(matches) == 1, fault=_why_not_found(line, matches, alike) or one.fault,
    )  # fmt: skip


def _why_not_found(line: RosterLine, matches: Sequence[Submission], alike: Set[str]) -> str:
    """Return why a line has no submission, or several; '' if it has one. alike: see `is_alike`, of those without a line."""
    if len(matches) > 1:
        both = " and ".join(quoted(one.source.name) for one in matches[:2])
        return f"expected one submission {quoted(line.submission)}, found {both}"
    if matches:
        return ""
    if line.submission:
        return "expected a file or folder, found none"
    return NOT_TOLD_APART if is_alike(line, alike) else "handed in nothing"


def _of_groups(
    lines: Sequence[RosterLine], submissions: Sequence[Submission], named: _Named
) -> list[tuple[RosterLine, Submission | None]]:
    """Return the lines with those submissions in exports that are found by their authors; the lines of a group are one."""
    nameless = [line for line in lines if not named.find(line.submission)]
    owners = {line.number: one for line, one in match_lines(nameless, submissions)}
    groups: dict[Path, list[RosterLine]] = {}
    for line in lines:
        if line.number in owners:
            groups.setdefault(owners[line.number].source, []).append(line)
    merged = {group[0].number: together(group) for group in groups.values()}
    others = {line.number for group in groups.values() for line in group[1:]}
    return [(merged.get(line.number, line), owners.get(line.number)) for line in lines if line.number not in others]


def _compose(text: str) -> str:
    """Return a text with each accent composed with its letter: some systems write the names of files so, and others do not."""
    return unicodedata.normalize("NFC", text)


# Spreadsheets begin a cell with a capital of their own accord.
_FORMS: tuple[Callable[[str], str], ...] = (str, _compose, lambda text: _compose(text).casefold())


class _Named:
    """Submissions by their names."""

    def __init__(self, submissions: Sequence[Submission]) -> None:
        self._tables: list[tuple[Callable[[str], str], dict[str, list[Submission]]]] = []
        for form in _FORMS:
            for names in ([one.source.name for one in submissions], [one.title for one in submissions]):
                table: dict[str, list[Submission]] = {}
                for one, name in zip(submissions, names, strict=True):
                    table.setdefault(form(name), []).append(one)
                self._tables.append((form, table))

    def find(self, text: str) -> list[Submission]:
        """Return those of this name, with its ending or else without: as written, or else as `_FORMS` has it."""
        return next((of_name for form, table in self._tables if text and (of_name := table.get(form(text)))), [])


def _files(one: Submission) -> tuple[str, ...]:
    """Return how the name of a submission is kept, see `gojudge.intake.names.Owner`."""
    if one.owner:
        return (one.owner,)
    place = one.source.parent if one.source.name in PROGRAM_FILES else one.source
    folder = place.parent.absolute()
    return str(folder / place.name), f"{folder.name}/{place.name}", place.name


def _check_given(submissions: Sequence[Submission], reserved: Collection[str]) -> None:
    """Raise BadRosterError if two of the names that a roster gives are the same, or one is reserved."""
    owners = {_same(name): f"the reference player {quoted(name)}" for name in reserved}
    for one in submissions:
        if one.given:
            whose = quoted(one.source.name)
            other = owners.setdefault(_same(one.name), whose)
            if other is not whose:
                raise BadRosterError(
                    f"expected a roster with a name of its own for each submission, but {other} and {whose} are both called "
                    f"{quoted(one.name)}"
                )


def _same(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _tell_made_names(submissions: Sequence[Submission], reserved: Collection[str]) -> dict[str, str]:
    """Return name -> one line, for all submissions whose name had to be made."""
    owner = {likeness(one.name): one for one in submissions}
    reserved_names = {likeness(name): name for name in reserved}
    lines = {}
    for one in submissions:
        base = clean_name(one.title)
        if one.given or one.name == base or (base and likeness(one.name) == likeness(base)):
            continue
        line = f"{quoted(one.source.name)} plays as {one.name}"
        other = owner.get(likeness(base))
        if not base:
            line += ", for its name has no letter or digit"
        elif other is not None:
            line = f"{quoted(other.source.name)} plays as {other.name}, {quoted(one.source.name)} as {one.name}"
        elif likeness(base) in reserved_names:
            line += f", for {reserved_names[likeness(base)]} is another player"
        else:
            line += ", as before"
        lines[one.name] = line
    return lines
