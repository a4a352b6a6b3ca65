"""What course systems hand out of a whole class at once, as submissions: names, identifiers and times are read from its shape.

    Gradescope         submission_12345/my_player.py and submission_metadata.yml, which says whose they are and when they came
    Canvas             nunezjose_LATE_12345_678901_my_player-1.py: whose, whether late, their number, that of the file; -1 if it
                       is the second of this name. anon_Ab3xY_678901_my_player.py if whoever grades may not know
    Moodle             Jose Nunez_123_assignsubmission_file_/my_player.py, or all of that as one name;
                       ..._onlinetext_ holds what was typed; Participant_123_... if whoever grades may not know
    Blackboard         HW2_jnunez_attempt_2026-10-01-23-58-01_my_player.py: whose and when, for each file; ..._23-58-01.txt has
                       their real name in its first line
    Brightspace        "123456-7890 - Jose Nunez - Oct 1, 2026 1158 PM/my_player.py", or all of that as one name with " - " for
                       the slash: whose and when; index.html beside it lists them
    GitHub Classroom   hw2-jnunez: a clone of each repository, with its .git
    Autolab            2_jose@x.org_my_player.py or jose@x.org_2_handin.zip: whose, and which attempt; the e-mail stands before
                       the last two words between `_`
    PrairieLearn       jose@x.org_1_QUESTION_1_2_7003_my_player.py: whose, of which instance and variant of a question; which
                       attempt, and its number
    nbgrader           "jnunez+hw2+2026-10-01 23:58:01.000000 UTC/my_player.py": whose and when, of each attempt; or, collected,
                       jnunez/hw2/my_player.py with timestamp.txt beside it
    Sakai              "Nunez, Jose(jnunez)/Submission attachment(s)/my_player.py", with timestamp.txt above

Either the folder or a zip of it; folders around it that hold nothing else do not matter. The system is recognised by
what is there: most of it has that system's shape. Everything else is taken as if it lay there alone. What cannot be read costs
only its owner: a submission with a `fault` is refused.

Sources, as of 2026-11-26: Gradescope's guides, and programs that read its export (gradescope_auto_py, provenance); Canvas,
`lib/content_zipper.rb`; Moodle, `mod/assign/classes/downloader.php`; github.com/github/gh-classroom; as of 2026-11-28 ten
programs that read Blackboard's, and five that read Brightspace's; of these there is no source. As of 2026-11-29 Autolab,
`submissions_controller.rb`; PrairieLearn, `instructorAssessmentDownloads.tsx`; nbgrader 0.9.6, `exchange/default`; Sakai,
`AssignmentServiceImpl.java`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from goban.common.excerpts import as_written, quoted, quoted_path
from goban.common.files import read_bounded
from goban.common.moments import moment_text
from gojudge.intake.archives import ARCHIVES, contents_of, is_archive, names_in_zip, unpack
from gojudge.intake.copies import Submission
from gojudge.intake.gradescope_metadata import METADATA, creation_time, read_export_metadata
from gojudge.intake.names import clean_name, likeness
from gojudge.intake.repositories import commit_times
from gojudge.intake.rosters import ATTEMPT, MARKED_LATE, SUBMITTED
from gojudge.records import Fields

GRADESCOPE, CANVAS, MOODLE, BLACKBOARD, GITHUB = "Gradescope", "Canvas", "Moodle", "Blackboard", "GitHub Classroom"
BRIGHTSPACE, AUTOLAB, PRAIRIELEARN, NBGRADER, SAKAI = "Brightspace", "Autolab", "PrairieLearn", "nbgrader", "Sakai"
EMAIL, SID, CANVAS_ID, LOGIN, PARTICIPANT = "email", "sid", "canvas_id", "github_username", "participant"
USERNAME, BRIGHTSPACE_ID = "username", "brightspace_id"
"""The fields that say who somebody is."""

_SOURCES = (".py", ".cpp", ".java")
_MOST_AROUND, _MOST_TIMES, _MOST_ABOUT_BYTES = 4, 1000, 1_000_000
_ONLINE = "expected a file, got only a text or a link typed into the course system"
_IN_GRADESCOPE = re.compile(r"submission_\d+")
_IN_CANVAS = re.compile(
    r"(?:(?!LATE_|anon_)(?P<name>.*?)_)?(?P<late>LATE_)?(?P<id>\d+|anon_[A-Za-z0-9]+)_"
    r"(?:(?P<number>\d+)_(?P<file>.+)|(?P<online>text\.html|link\.html))",
    re.S,
)
_MOODLES = r"(?P<name>.*?)(?:_(?P<id>\d+))?_assignsubmission_(?P<what>[a-z]+)"
_IN_MOODLE, _MOODLES_FOLDER = re.compile(_MOODLES + "(?:_(?P<file>.*))?", re.S), re.compile(_MOODLES + "_?", re.S)
_IN_BLACKBOARD = re.compile(r"(?P<owner>.+?)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)", re.S)
_ABOUT_BLACKBOARDS = re.compile(r"[^:\n]*: *+(?P<name>[^\n]+) \((?P<id>[^()\n]+)\)\s*", re.S)
_IN_BRIGHTSPACE = re.compile(
    r"(?P<first>\d+)-(?P<second>\d+) - (?P<name>.+?) - (?P<time>[^-]*\b20\d\d\b[^-]*?)(?: - (?P<file>.+))?", re.S
)
_IN_AUTOLAB = re.compile(
    r"(?P<who>[^/]+@[^_/]+)_(?P<again>\d{1,4})_(?P<file>.+)|(?P<first>\d{1,4})_(?P<before>[^/]+@[^_/]+)_(?P<name>.+)", re.S
)
_IN_PRAIRIELEARN = re.compile(
    r"(?P<who>[^/]+?@[^_/]+|[^/]+?)_\d{1,2}_(?P<question>.+?)_\d{1,4}_(?P<again>\d{1,4})_(?P<number>\d+)_(?P<file>[^/]+)", re.S
)
_IN_NBGRADER = re.compile(r"(?P<who>.+)\+[^+]+\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \S+?)(?:\+[\w=-]+)?", re.S)
_IN_SAKAI = re.compile(r"(?P<last>[^,]*),(?P<first>.*)\((?P<who>[^()]+)\)", re.S)
_WHEN, _ATTACHED = "timestamp.txt", "Submission attachment(s)"
_AGAIN = re.compile(r"(?P<stem>.+)-(?P<again>[1-9]\d{0,3})(?P<ending>\.[^.]+)", re.S)
_IN_ZIP = re.compile(
    rf"(^|/)({re.escape(METADATA)}$|submission_\d+/|[^/]+_assignsubmission_|[^/]+_attempt_\d{{4}}(-\d\d){{5}}"
    r"|\d+-\d+ - [^/]+ - |[^/]+-[^/]+/\.git/|[^/]+/timestamp\.txt$|[^/]+\+[^/]+\+\d{4}-\d\d-\d\d )"
)
_BLIND = "participant"


@dataclass(frozen=True)
class Export:
    """What one of the systems handed out. left: what else lies there. told: what people should know, first which system it is,
    in one line each."""

    system: str
    submissions: tuple[Submission, ...]
    left: tuple[Path, ...]
    told: tuple[str, ...]


def export_in(folder: Path, shown: Path | None = None, faults: Mapping[Path, str] | None = None) -> Export | None:
    """Return the contents of a folder that is an export of one of the systems, None for any other.

    shown: what messages call it. faults: file or folder in it -> what is wrong with it, where that is known already.
    """
    shown = shown or folder
    for _ in range(_MOST_AROUND):
        children = _children(folder)
        for system, find in _SYSTEMS.items():
            export = find(folder, children)
            if export is not None:
                return _export(system, export, children, shown, faults or {})
        inner = [child for child in children if _could_be_submission(child)]
        if len(inner) != 1 or not _is_folder(inner[0]):
            return None
        folder = inner[0]
    return None


def unpack_export(path: Path, room: Callable[[], Path]) -> Export | None:
    """Unpack a zip that is an export of one of the systems into a folder that `room` makes; None for any other zip.

    Raises BadSubmissionError if it looks like one and cannot be unpacked.
    """
    if not _looks_like_one(names_in_zip(path)):
        return None
    into = room() / "export"
    faults = unpack(path, into)
    return export_in(into, path, faults)


def _looks_like_one(names: Sequence[str]) -> bool:
    """Guess from the names in a zip whether it is an export."""
    shapes = (_IN_CANVAS, _IN_AUTOLAB, _IN_PRAIRIELEARN)
    files = [name for name in names if any(shape.fullmatch(name.rpartition("/")[2]) for shape in shapes)]
    return bool(names) and (2 * len(files) >= len(names) or any(map(_IN_ZIP.search, names)))


@dataclass(frozen=True)
class _Found:
    """What a system handed out: submissions, all paths that are part of it, and lines about what is odd."""

    submissions: Sequence[Submission]
    used: Iterable[Path]
    told: tuple[str, ...] = ()


def _export(
    system: str, found: _Found, children: Sequence[Path], shown: Path, faults: Mapping[Path, str]
) -> Export:
    places = sorted(faults)
    submissions = [_with_fault(one, faults, places) for one in apart(found.submissions)]
    used = set(found.used)
    number = len(submissions)
    timed = sum(SUBMITTED in dict(one.fields) for one in submissions)
    counts = [f"{number} submission{'s' * (number != 1)}"]
    counts += [f"{timed} with {'their time' if timed != 1 else 'its time'}"] if timed else []
    counts += [f"{late} marked late"] if (late := sum((MARKED_LATE, "yes") in one.fields for one in submissions)) else []
    line = f"{quoted_path(shown)} is an export of {system}'s: {', '.join(counts)}"
    told = (line, *found.told, *_tell_astray(children[0].parent, submissions, places, faults))
    return Export(system, tuple(submissions), tuple(path for path in children if path not in used), told)


def _tell_astray(folder: Path, ones: Sequence[Submission], places: Sequence[Path], faults: Mapping[Path, str]) -> list[str]:
    """Return the line that says what is wrong with files that are no submission's, such as those that could not be written.

    ones: the submissions; places: of all faults.
    """
    own = sorted(path for one in ones for path in _own_paths(one)) if places else []
    before = [(place, bisect_right(own, place)) for place in places]
    astray = [place for place, at in before if not any(map(place.is_relative_to, own[max(at - 1, 0) : at]))]
    if not astray:
        return []
    shown = astray[0].relative_to(folder) if astray[0].is_relative_to(folder) else Path(astray[0].name)
    more = f", and so on: {len(astray)} files" if len(astray) > 1 else ""
    return [f"left out: {quoted(shown.as_posix())}: {faults[astray[0]]}{more}"]


def _children(folder: Path) -> list[Path]:
    try:
        # Who has one name alone may be called ". Teller" in Moodle.
        dotted = [path for path in folder.glob(". *") if _IN_MOODLE.fullmatch(path.name)]
        return sorted([*contents_of(folder), *dotted])
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _most(some: Sequence[object], of: Sequence[Path]) -> bool:
    """Tell whether a folder has a system's shape: at least half of what could be a submission there."""
    return bool(some) and 2 * len(some) >= sum(map(_could_be_submission, of))


def _could_be_submission(path: Path) -> bool:
    return path.is_dir() or path.name.lower().endswith((*_SOURCES, *ARCHIVES))


def _submission(
    system: str, who: str, source: Path, students: Sequence[str], fields: Iterable[tuple[str, str]], fault: str = ""
) -> Submission:
    """Return a submission. who: by what its name is kept from export to export, see `gojudge.intake.names`."""
    # A Mac's zips have accents as characters of their own.
    names = tuple(as_written(unicodedata.normalize("NFC", name)).strip() for name in students if name)
    filled = tuple((key, text) for key, text in fields if text)
    title = ", ".join(names) or source.name
    owner = f"{system} {who}".replace("/", " ")
    return Submission(source, "", names or (title,), title=title, owner=owner, fields=filled, fault=fault)


def apart(submissions: Sequence[Submission]) -> list[Submission]:
    """Return submissions with an identifier added to each title that several share, except titles that a roster gives."""
    names = [likeness(clean_name(one.title)) for one in submissions]
    times = Counter(names)
    return [
        replace(one, title=f"{one.title} {number}")
        if times[name] > 1 and not one.given and (number := _number(one.fields))
        else one
        for one, name in zip(submissions, names, strict=True)
    ]


def _last_of(times: int) -> str:
    """Say which of so many attempts the last one is; '' for a single one, and for more than anybody makes."""
    return f"{times} of {times}" if 1 < times < _MOST_TIMES else ""


def _number(fields: Fields) -> str:
    by_name = dict(fields)
    texts = (by_name.get(key, "") for key in (SID, CANVAS_ID, PARTICIPANT, USERNAME, BRIGHTSPACE_ID, LOGIN, EMAIL))
    return next((text.partition("@")[0] for text in texts if text), "")


def _own_paths(one: Submission) -> list[Path]:
    return [path for _, path in one.parts] or [one.source]


def _with_fault(one: Submission, faults: Mapping[Path, str], places: Sequence[Path]) -> Submission:
    """Return a submission with the first fault of its files. places: of all faults, sorted: a folder before what is in it."""
    firsts = [(path, bisect_left(places, path)) for path in _own_paths(one)]
    inside = [place for path, at in firsts for place in places[at : at + 1] if place.is_relative_to(path)]
    return replace(one, fault=one.fault or (faults[inside[0]] if inside else ""))


# Gradescope


def _in_gradescope(folder: Path, children: Sequence[Path]) -> _Found | None:
    path = folder / METADATA
    folders = [child for child in children if _is_folder(child) and _IN_GRADESCOPE.fullmatch(child.name)]
    if not path.is_file() and (len(folders) < 2 or not _most(folders, children)):
        return None
    metadata, notices = read_export_metadata(path)
    # Whoever is named without a folder has handed in nothing that could be exported.
    in_shape = set(folders)
    known = {child.name: child for child in children if _is_folder(child) and (child in in_shape or child.name in metadata)}
    names = sorted({*known, *metadata}, key=lambda name: (len(name), name))
    submissions = [_from_gradescope(known.get(name), folder / name, metadata.get(name, {})) for name in names]
    of_one: dict[str, list[Submission]] = {}
    # Of equal times the later number.
    for one in sorted(submissions, key=lambda one: dict(one.fields).get(SUBMITTED, "")):
        of_one.setdefault(one.owner, []).append(one)
    for *before, one in of_one.values():
        notices += _left_aside([each.source for each in before], f"{quoted(one.source.name)} is {one.title}'s later one")
    return _Found([one for one in submissions if of_one[one.owner][-1] is one], [path, *known.values()], tuple(notices))


def _left_aside(before: Sequence[Path], why: str) -> list[str]:
    """Return the line that says of all these that something came later, none if there are none."""
    more = f"and {len(before) - 1} more are" if len(before) > 1 else "is"
    return [f"{quoted(before[0].name)} {more} left aside: {why}"] if before else []


def _from_gradescope(folder: Path | None, place: Path, metadata: Mapping[str, Any]) -> Submission:
    submitters, history = metadata.get("submitters"), metadata.get("history")
    people = [one for one in submitters if isinstance(one, dict)] if isinstance(submitters, list) else []
    texts = {key: [_text(one.get(key)) for one in people] for key in ("name", "email", "sid")}
    fields = [(key, "; ".join(texts[key])) for key in (EMAIL, SID) if any(texts[key])]
    created = creation_time(metadata)
    times = 1 + len(history) if isinstance(history, list) else 1
    fields += [(SUBMITTED, created), (ATTEMPT, f"{times} of {times}" if times > 1 else "")]
    who = next((" ".join(sorted(of)).casefold() for of in (texts["email"], texts["sid"]) if of and all(of)), place.name)
    fault = "" if folder is not None else f"expected a folder {place.name}, found none"
    source = folder if folder is not None else place
    return _submission(GRADESCOPE, who, source, texts["name"], fields, fault)


def _text(value: object) -> str:
    """Return what somebody is called; '' for what is no text, number or date: short lists of lists may be endless as text."""
    # Several are told apart by a semicolon.
    return as_written(str(value)).replace(";", ",").strip() if isinstance(value, str | int | float | date) else ""


# Canvas


def _in_canvas(folder: Path, children: Sequence[Path]) -> _Found | None:
    matches = [(child, match) for child in children if not child.is_dir() and (match := _IN_CANVAS.fullmatch(child.name))]
    if not _most(matches, children):
        return None
    # Whose name ends in a number, as `eve_1000`, is not who has that number: that one's files have another name before it.
    both = [(child, match, _IN_CANVAS.fullmatch(child.name, match.end("id") + 1)) for child, match in matches]
    sure = {match["id"]: match["name"] for _, match, other in both if not other}
    of_one: dict[str, list[tuple[Path, re.Match[str]]]] = {}
    for child, match, other in both:
        told = other if other and sure.get(match["id"], match["name"]) != match["name"] else match
        of_one.setdefault(told["id"], []).append((child, told))
    notices: list[str] = []
    submissions = [_from_canvas(folder, who, files, notices) for who, files in of_one.items()]
    return _Found(submissions, [child for child, _ in matches], tuple(notices))


def _from_canvas(folder: Path, who: str, files: Sequence[tuple[Path, re.Match[str]]], notices: list[str]) -> Submission:
    name = next((match["name"] for _, match in files if match["name"]), "")
    late = "yes" if any(match["late"] for _, match in files) else "no"
    fields = [(CANVAS_ID, who if who.isdigit() else ""), (MARKED_LATE, late)]
    handed = sorted((int(match["number"]), path, match["file"]) for path, match in files if match["file"])
    of_name: dict[str, list[Path]] = {}
    for (_, path, _), own in zip(handed, _names_before([file for *_, file in handed]), strict=True):
        of_name.setdefault(own, []).append(path)
    for *before, path in of_name.values():
        notices += _left_aside(before, f"{quoted(path.name)} came later under the same name")
    parts = {own: paths[-1] for own, paths in of_name.items()}
    times = 1 + max((int(match["again"]) for *_, file in handed if (match := _again(file))), default=0)
    fields += [(ATTEMPT, _last_of(times))]
    one = _submission(CANVAS, who, folder / (f"{name}_{who}" if name else who), [name or who], fields)
    return _of_parts(one, tuple(parts.items()))


def _of_parts(one: Submission, parts: tuple[tuple[str, Path], ...]) -> Submission:
    """Return a submission whose files lie beside others'; its archive if that is all there is."""
    if not parts:
        return replace(one, fault=_ONLINE)
    return replace(one, source=parts[0][1]) if len(parts) == 1 and is_archive(parts[0][1]) else replace(one, parts=parts)


def _names_before(files: Iterable[str]) -> list[str]:
    """Return the names that files were handed in under: Canvas puts -1, -2, ... behind those that came again."""
    named = [(file, _AGAIN.fullmatch(file)) for file in files]
    again = {match["again"] for file, _ in named if (match := _again(file))}
    return [match["stem"] + match["ending"] if match and match["again"] in again else file for file, match in named]


def _again(file: str) -> re.Match[str] | None:
    """Return the parts of a source's name that has come again, None for any other."""
    match = _AGAIN.fullmatch(file)
    return match if match and match["ending"].lower() in (*_SOURCES, *ARCHIVES) else None


# Moodle


def _in_moodle(folder: Path, children: Sequence[Path]) -> _Found | None:
    # Behind whose it is a file's name has what they like, a folder's nothing.
    shapes = [(child, _MOODLES_FOLDER if _is_folder(child) else _IN_MOODLE) for child in children]
    matches = [(child, match) for child, shape in shapes if (match := shape.fullmatch(child.name))]
    if not _most(matches, children):
        return None
    of_one: dict[tuple[str, str], list[tuple[Path, re.Match[str]]]] = {}
    for child, match in matches:
        of_one.setdefault((match["name"], match["id"] or ""), []).append((child, match))
    return _Found([_from_moodle(folder, *who, files) for who, files in of_one.items()], [child for child, _ in matches])


def _from_moodle(folder: Path, name: str, number: str, files: Sequence[tuple[Path, re.Match[str]]]) -> Submission:
    handed = [(path, match) for path, match in files if match["what"] == "file"]
    folders = [path for path, _ in handed if _is_folder(path)]
    who, fields = number or name, [(PARTICIPANT, number)]
    student = f"{name} {number}".strip() if name.casefold() == _BLIND else name
    if folders:
        return _submission(MOODLE, who, folders[0], [student], fields)
    one = _submission(MOODLE, who, folder / f"{name}_{number}".rstrip("_"), [student], fields)
    return _of_parts(one, tuple((match["file"] or "", path) for path, match in handed))


# Blackboard


def _in_blackboard(folder: Path, children: Sequence[Path]) -> _Found | None:
    matches = [(child, match) for child in children if not child.is_dir() and (match := _IN_BLACKBOARD.fullmatch(child.name))]
    if not _most(matches, children):
        return None
    attempts: dict[str, dict[str, list[tuple[Path, str]]]] = {}
    for child, match in matches:
        attempts.setdefault(match["owner"], {}).setdefault(match["time"], []).append((child, match["file"] or ""))
    submissions = [_from_blackboard(folder, owner, of_one) for owner, of_one in attempts.items()]
    return _Found(submissions, [child for child, _ in matches])


def _from_blackboard(folder: Path, owner: str, attempts: Mapping[str, Sequence[tuple[Path, str]]]) -> Submission:
    """Return a submission. owner: the assignment's name and the student's; attempts: time -> files, with their own names."""
    name, username = _owner_in_blackboard(owner, [path for files in attempts.values() for path, file in files if not file])
    fields = [(USERNAME, username), (SUBMITTED, _time_in_blackboard(max(attempts))), (ATTEMPT, _last_of(len(attempts)))]
    one = _submission(BLACKBOARD, username, folder / owner, [name], fields)
    return _of_parts(one, tuple((file, path) for path, file in attempts[max(attempts)] if file))


def _owner_in_blackboard(owner: str, about: Sequence[Path]) -> tuple[str, str]:
    """Return a student's name and username. Only what Blackboard wrote about an attempt says where a username begins."""
    for path in about:
        try:
            first = read_bounded(path, _MOST_ABOUT_BYTES).decode("utf-8-sig", "replace").partition("\n")[0]
        except (OSError, ValueError):
            continue
        if (match := _ABOUT_BLACKBOARDS.fullmatch(first)) and owner.endswith(f"_{match['id']}"):
            return match["name"], match["id"]
    username = owner.rpartition("_")[2]
    return username, username


def _time_in_blackboard(text: str) -> str:
    """Return a time in a file's name as a roster has it, in whatever zone Blackboard is in; '' if there is none such."""
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S").isoformat(sep=" ")
    except ValueError:
        return ""


# Brightspace


def _in_brightspace(folder: Path, children: Sequence[Path]) -> _Found | None:
    matches = [
        (child, found)
        for child in children
        if (found := _IN_BRIGHTSPACE.fullmatch(child.name)) and _is_folder(child) == (found["file"] is None)
    ]
    if not _most(matches, children):
        return None
    # One of the two numbers is the assignment's, and the same for all; programs that read them do not agree which.
    own = "first" if len({found["first"] for _, found in matches}) > 1 else "second"
    attempts: dict[tuple[str, str], dict[str, list[tuple[Path, str]]]] = {}
    for child, found in matches:
        of_one = attempts.setdefault((found["name"], found[own]), {})
        of_one.setdefault(_time_in_brightspace(found["time"]), []).append((child, found["file"] or ""))
    submissions = [_from_brightspace(folder, *who, of_one) for who, of_one in attempts.items()]
    return _Found(submissions, [folder / "index.html", *(child for child, _ in matches)])


def _from_brightspace(folder: Path, name: str, number: str, attempts: Mapping[str, Sequence[tuple[Path, str]]]) -> Submission:
    """Return a submission: the last of the attempts, time -> folders, or files with their own names."""
    fields = [(BRIGHTSPACE_ID, number), (SUBMITTED, max(attempts)), (ATTEMPT, _last_of(len(attempts)))]
    last = attempts[max(attempts)]
    folders = [path for path, file in last if not file]
    one = _submission(BRIGHTSPACE, f"{number} {name}", folders[-1] if folders else folder / name, [name], fields)
    return one if folders else _of_parts(one, tuple((file, path) for path, file in last))


def _time_in_brightspace(text: str) -> str:
    """Return a time as a roster has it, in whatever zone Brightspace is in; '' unless it is in English."""
    words = text.replace(",", " ").split()
    month, day = sorted(words[:2], key=str.isdigit) if len(words) in (4, 5) else ("", "")
    said = [month[:3], day, *words[2:3], *(word.zfill(4) for word in words[3:4]), *words[4:]]
    try:
        return datetime.strptime(" ".join(said), "%b %d %Y %I%M %p" if words[4:] else "%b %d %Y %H%M").isoformat(sep=" ")
    except ValueError:
        return ""


# GitHub Classroom


def _in_github(folder: Path, children: Sequence[Path]) -> _Found | None:
    folders = [child for child in children if _is_folder(child)]
    clones = [child for child in folders if _is_folder(child / ".git")]
    if not _most(clones, children):
        return None
    # `gh classroom clone student-repos` makes the folder hw2-submissions for the assignment hw2.
    start = folder.name.removesuffix("submissions") if folder.name.endswith("-submissions") else ""
    if not start or not all(child.name.startswith(start) for child in clones):
        first, last = clones[0].name, clones[-1].name  # Sorted, so that what the first and the last have in common all have.
        same = next((k for k, signs in enumerate(zip(first, last, strict=False)) if signs[0] != signs[1]), len(first))
        start = first[: first.rfind("-", 0, same) + 1] if len(clones) > 1 else ""
    if not start:
        return None
    own = [child for child in folders if child.name.startswith(start) and child.name != start]
    times = commit_times(own)
    return _Found([_from_github(child, child.name.removeprefix(start), times[child]) for child in own], own)


def _from_github(folder: Path, login: str, moment: datetime | None) -> Submission:
    time = "" if moment is None else moment.isoformat(sep=" ")
    return _submission(GITHUB, login, folder, [login], [(LOGIN, login), (SUBMITTED, time)])


# Autolab and PrairieLearn


def _in_autolab(folder: Path, children: Sequence[Path]) -> _Found | None:
    found = [(child, match) for child in children if not child.is_dir() and (match := _IN_AUTOLAB.fullmatch(child.name))]
    if not _most(found, children):
        return None
    whose: dict[str, dict[int, list[tuple[Path, str]]]] = {}
    for child, match in found:
        attempts = whose.setdefault(match["who"] or match["before"], {})
        attempts.setdefault(int(match["again"] or match["first"]), []).append((child, match["file"] or match["name"]))
    own = [_of_email(AUTOLAB, folder, who, max(attempts), attempts[max(attempts)]) for who, attempts in whose.items()]
    return _Found(own, [child for child, _ in found])


def _in_prairielearn(folder: Path, children: Sequence[Path]) -> _Found | None:
    # A question's name may have slashes, which make folders.
    lie_in = {file: child for child in children for file in (_files_below(child) if _is_folder(child) else [child])}
    paths = ((file, file.relative_to(folder).as_posix()) for file in lie_in)
    found = [(file, match) for file, path in paths if (match := _IN_PRAIRIELEARN.fullmatch(path))]
    used = {lie_in[file] for file, _ in found}
    if not _most([*used], children):
        return None
    whose: dict[str, dict[int, list[tuple[Path, str]]]] = {}
    times: Counter[str] = Counter()
    for file, match in found:
        whose.setdefault(match["who"], {}).setdefault(int(match["number"]), []).append((file, match["file"]))
        times[match["who"]] = max(times[match["who"]], int(match["again"]))
    own = [_of_email(PRAIRIELEARN, folder, who, times[who], attempts[max(attempts)]) for who, attempts in whose.items()]
    questions = sorted({match["question"] for _, match in found})
    several = f"{len(questions)} questions, such as {quoted(questions[0])}: of each student only the last answer plays"
    return _Found(own, used, (several,) if len(questions) > 1 else ())


def _files_below(folder: Path) -> list[Path]:
    """Return the files up to three folders below this one."""
    return [path for depth in ("*", "*/*", "*/*/*") for path in sorted(folder.glob(depth)) if path.is_file()]


def _of_email(system: str, folder: Path, who: str, times: int, files: Sequence[tuple[Path, str]]) -> Submission:
    """Return what somebody handed in last. who: their e-mail, by which alone they are known, or a group's name. times: how
    often they did."""
    fields = [(EMAIL, who if "@" in who else ""), (ATTEMPT, _last_of(times))]
    one = _submission(system, who.casefold(), folder / who, [who], fields)
    return _of_parts(one, tuple((name, file) for file, name in files))


# nbgrader and Sakai


def _in_nbgrader(folder: Path, children: Sequence[Path]) -> _Found | None:
    handed = [(child, match) for child in children if _is_folder(child) and (match := _IN_NBGRADER.fullmatch(child.name))]
    if _most(handed, children):
        whose: dict[str, dict[str, Path]] = {}
        for child, match in handed:
            whose.setdefault(match["who"], {})[match["time"]] = child
        newest = [_timed(NBGRADER, who, who, of[max(of)], max(of), len(of)) for who, of in whose.items()]
        return _Found(newest, [child for child, _ in handed])
    collected = {child: _collected(child) for child in children if _is_folder(child)}
    own = {child: folders for child, folders in collected.items() if folders}
    if not _most([*own], children):
        return None
    several = sorted({path.name for folders in own.values() for path in folders})
    fault = f"expected one assignment, found {', '.join(several)}: leave the folders of one" if len(several) > 1 else ""
    submissions = [_timed(NBGRADER, one.name, one.name, of[0], _read_time(of[0])) for one, of in own.items()]
    return _Found([replace(one, fault=fault) for one in submissions], own)


def _collected(folder: Path) -> list[Path]:
    """Return the assignments that nbgrader has collected from a student, whose folder this is."""
    return [path for path in _children(folder) if (path / _WHEN).is_file() and not _IN_SAKAI.fullmatch(path.name)]


def _in_sakai(folder: Path, children: Sequence[Path]) -> _Found | None:
    found = [
        (child, match)
        for child in children
        if _is_folder(child) and (match := _IN_SAKAI.fullmatch(child.name)) and (child / _WHEN).is_file()
    ]
    if not _most(found, children):
        return None
    submissions = []
    for child, match in found:
        # Letters that are not ASCII are left out there, so that nothing may be left of a name.
        name = f"{match['first'].strip()} {match['last'].strip()}".strip() or match["who"]
        source = child / _ATTACHED if _is_folder(child / _ATTACHED) else child
        submissions.append(_timed(SAKAI, match["who"], name, source, _read_time(child)))
    return _Found(submissions, [*(child for child, _ in found), *folder.glob("grades.*")])


def _timed(system: str, who: str, name: str, source: Path, time: str, times: int = 1) -> Submission:
    """Return the submission of a user, whose folder is `source`; time: as the system writes it."""
    fields = [(USERNAME, who), (SUBMITTED, moment_text(time)), (ATTEMPT, _last_of(times))]
    return _submission(system, who, source, [name], fields)


def _read_time(folder: Path) -> str:
    try:
        return read_bounded(folder / _WHEN, _MOST_ABOUT_BYTES).decode("utf-8-sig", "replace").strip()
    except OSError:
        return ""


_SYSTEMS: dict[str, Callable[[Path, Sequence[Path]], _Found | None]] = {
    GRADESCOPE: _in_gradescope, MOODLE: _in_moodle, BLACKBOARD: _in_blackboard, BRIGHTSPACE: _in_brightspace,
    PRAIRIELEARN: _in_prairielearn, CANVAS: _in_canvas, AUTOLAB: _in_autolab, NBGRADER: _in_nbgrader, SAKAI: _in_sakai,
    GITHUB: _in_github,
}  # fmt: skip
