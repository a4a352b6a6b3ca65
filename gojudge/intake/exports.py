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

Either the folder or a zip of it; folders around it that hold nothing else do not matter. The system is recognised by
what is there: most of it has that system's shape. Everything else is taken as if it lay there alone. What cannot be read costs
only its owner: a submission with a `fault` is refused.

Sources, as of 2026-11-26: Gradescope's guides, and programs that read its export (gradescope_auto_py, provenance); Canvas,
`lib/content_zipper.rb`; Moodle, `mod/assign/classes/downloader.php`; github.com/github/gh-classroom; as of 2026-11-28 ten
programs that read Blackboard's, and five that read Brightspace's; of these there is no source.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from goban.common.excerpts import as_written, message_line, printable, quoted, quoted_path
from goban.common.files import read_bounded
from gojudge.intake.archives import ARCHIVES, contents_of, is_archive, names_in_zip, unpack
from gojudge.intake.copies import Submission
from gojudge.intake.names import clean_name, likeness
from gojudge.intake.repositories import commit_times
from gojudge.intake.rosters import ATTEMPT, MARKED_LATE, SUBMITTED
from gojudge.records import Fields

GRADESCOPE, CANVAS, MOODLE, BLACKBOARD, GITHUB = "Gradescope", "Canvas", "Moodle", "Blackboard", "GitHub Classroom"
BRIGHTSPACE = "Brightspace"
METADATA = "submission_metadata.yml"
EMAIL, SID, CANVAS_ID, LOGIN, PARTICIPANT = "email", "sid", "canvas_id", "github_username", "participant"
USERNAME, BRIGHTSPACE_ID = "username", "brightspace_id"
"""The fields that say who somebody is."""

_SOURCES = (".py", ".cpp", ".java")
_MOST_METADATA_BYTES = 200_000_000
_MOST_AROUND = 4
_MOST_TIMES = 1000
_ONLINE = "expected a file, got only a text or a link typed into the course system"
_IN_GRADESCOPE = re.compile(r"submission_\d+")
_RESULTS = re.compile(r"^  :results:[^\n]*\n(?:(?: {3,}[^\n]*|  - [^\n]*|)\n)*", re.M)
_IN_CANVAS = re.compile(
    r"(?:(?!LATE_|anon_)(?P<name>.+?)_)?(?P<late>LATE_)?(?P<id>\d+|anon_[A-Za-z0-9]+)_"
    r"(?:(?P<number>\d+)_(?P<file>.+)|(?P<online>text\.html|link\.html))",
    re.S,
)
_IN_MOODLE = re.compile(r"(?P<name>.+?)(?:_(?P<id>\d+))?_assignsubmission_(?P<what>[a-z]+)(?:_(?P<file>.*))?", re.S)
_IN_BLACKBOARD = re.compile(r"(?P<owner>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)", re.S)
_ABOUT_BLACKBOARDS = re.compile(r"[^:\n]*: *(?P<name>[^\n]+) \((?P<id>[^()\n]+)\)\s*", re.S)
_MOST_ABOUT_BYTES = 1_000_000
_IN_BRIGHTSPACE = re.compile(
    r"(?P<first>\d+)-(?P<second>\d+) - (?P<name>.+?) - (?P<time>[^-]*\b20\d\d\b[^-]*?)(?: - (?P<file>.+))?", re.S
)
_ABOUT_BRIGHTSPACES = "index.html"
_AGAIN = re.compile(r"(?P<stem>.+)-(?P<again>[1-9]\d{0,3})(?P<ending>\.[^.]+)", re.S)
_IN_ZIP = re.compile(
    rf"(^|/)({re.escape(METADATA)}$|submission_\d+/|[^/]+_assignsubmission_|[^/]+_attempt_\d{{4}}(-\d\d){{5}}"
    r"|\d+-\d+ - [^/]+ - |[^/]+-[^/]+/\.git/)"
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
    canvas = [name for name in names if _IN_CANVAS.fullmatch(name.rpartition("/")[2])]
    return bool(names) and (2 * len(canvas) >= len(names) or any(map(_IN_ZIP.search, names)))


@dataclass(frozen=True)
class _Found:
    """What a system handed out: submissions, all paths that are part of it, and lines about what is odd."""

    submissions: Sequence[Submission]
    used: Iterable[Path]
    told: tuple[str, ...] = ()


def _export(
    system: str, found: _Found, children: Sequence[Path], shown: Path, faults: Mapping[Path, str]
) -> Export:
    submissions = [_with_fault(one, faults) for one in apart(found.submissions)]
    used = set(found.used)
    number = len(submissions)
    timed = sum(SUBMITTED in dict(one.fields) for one in submissions)
    late = sum(dict(one.fields).get(MARKED_LATE) == "yes" for one in submissions)
    counts = [f"{number} submission{'s' * (number != 1)}"]
    counts += [f"{timed} with {'their time' if timed != 1 else 'its time'}"] if timed else []
    counts += [f"{late} marked late"] if late else []
    line = f"{quoted_path(shown)} is an export of {system}'s: {', '.join(counts)}"
    return Export(system, tuple(submissions), tuple(path for path in children if path not in used), (line, *found.told))


def _children(folder: Path) -> list[Path]:
    try:
        return contents_of(folder)
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
    names = tuple(printable(unicodedata.normalize("NFC", name), 100) for name in students if name)
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


def _with_fault(one: Submission, faults: Mapping[Path, str]) -> Submission:
    own = [path for _, path in one.parts] or [one.source]
    fault = next((text for path, text in faults.items() if any(path.is_relative_to(place) for place in own)), "")
    return replace(one, fault=one.fault or fault)


# Gradescope


def _in_gradescope(folder: Path, children: Sequence[Path]) -> _Found | None:
    path = folder / METADATA
    folders = [child for child in children if _is_folder(child) and _IN_GRADESCOPE.fullmatch(child.name)]
    if not path.is_file() and (len(folders) < 2 or not _most(folders, children)):
        return None
    metadata, notices = _metadata(path)
    # Whoever is named without a folder has handed in nothing that could be exported.
    known = {child.name: child for child in children if _is_folder(child) and (child in folders or child.name in metadata)}
    names = sorted({*known, *metadata}, key=lambda name: (len(name), name))
    submissions = [_from_gradescope(known.get(name), folder / name, metadata.get(name, {})) for name in names]
    newest: dict[str, Submission] = {}
    # Of equal times the later number.
    for one in sorted(submissions, key=lambda one: dict(one.fields).get(SUBMITTED, "")):
        if (before := newest.get(one.owner)) is not None:
            notices.append(f"{quoted(before.source.name)} is left aside: {quoted(one.source.name)} is {one.title}'s later one")
        newest[one.owner] = one
    return _Found([one for one in submissions if newest[one.owner] is one], [path, *known.values()], tuple(notices))


def _from_gradescope(folder: Path | None, place: Path, metadata: Mapping[str, Any]) -> Submission:
    submitters, history = metadata.get("submitters"), metadata.get("history")
    people = [one for one in submitters if isinstance(one, dict)] if isinstance(submitters, list) else []
    texts = {key: [_text(one.get(key)) for one in people] for key in ("name", "email", "sid")}
    fields = [(key, "; ".join(texts[key])) for key in (EMAIL, SID) if any(texts[key])]
    created = _iso(metadata.get("created_at"))
    times = 1 + len(history) if isinstance(history, list) else 1
    fields += [(SUBMITTED, created), (ATTEMPT, f"{times} of {times}" if times > 1 else "")]
    who = next((" ".join(sorted(of)).casefold() for of in (texts["email"], texts["sid"]) if of and all(of)), place.name)
    fault = "" if folder is not None else f"expected a folder {place.name}, found none"
    source = folder if folder is not None else place
    return _submission(GRADESCOPE, who, source, texts["name"], fields, fault)


def _metadata(path: Path) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return submission -> what is said of it, keys without the `:` of Ruby's symbols; and lines about what cannot be read."""
    if not path.is_file():
        return {}, [f"expected {METADATA} beside the submissions, found none: whose they are is not known"]
    try:
        text = read_bounded(path, _MOST_METADATA_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError) as error:
        return {}, [f"{METADATA} cannot be read: {message_line(str(error), 200)}"]
    # Results of tests are most of it, and take long to read. They may be referred to from elsewhere.
    short = _yaml(_RESULTS.sub("", text))
    document = short if isinstance(short, dict) else _yaml(text)
    if isinstance(document, dict):
        return {str(key): _plain(value) for key, value in document.items()}, []
    # Each entry by itself, so that one that is damaged costs nobody else their name.
    entries: dict[str, dict[str, Any]] = {}
    lost = 0
    for block in re.split(r"(?m)^(?=\S)", text):
        one = _yaml(block) if block.strip() not in ("", "---") else {}
        if isinstance(one, dict):
            entries |= {str(key): _plain(value) for key, value in one.items()}
        else:
            lost += 1
    return entries, [f"{METADATA}: {lost} of {lost + len(entries)} entries cannot be read: whose these are is not known"]


def _yaml(text: str) -> object:
    """Return a text of YAML as plain data; None if it is no YAML."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc, valid-type]
        """Objects of Ruby's are what they hold, and so are its texts of bytes."""

    def of_bytes(loader: Any, node: Any) -> str:  # noqa: ANN401
        return base64.b64decode(loader.construct_scalar(node)).decode("utf-8", "replace")

    def plain(loader: Any, _: str, node: Any) -> object:  # noqa: ANN401
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_constructor("!binary", of_bytes)
    Loader.add_multi_constructor("!", plain)
    try:
        document: object = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, OverflowError):
        return None
    return document


def _plain(value: object) -> dict[str, Any]:
    """Return a table, and the tables right in its lists, without the `:` that begins a symbol of Ruby's.

    No deeper: what YAML reads may hold itself.
    """
    return {key: [_bare(one) for one in part] if isinstance(part, list) else part for key, part in _bare(value).items()}


def _bare(table: object) -> dict[str, Any]:
    return {str(key).lstrip(":"): part for key, part in table.items()} if isinstance(table, dict) else {}


def _text(value: object) -> str:
    # Several are told apart by a semicolon.
    return "" if value is None else as_written(str(value)).replace(";", ",").strip()


def _iso(value: object) -> str:
    """Return a time of YAML's with its zone, '' if it is none. Without one it is in UTC, as Gradescope writes it."""
    if isinstance(value, dict):  # ActiveSupport::TimeWithZone
        value = value.get("utc", value.get(":utc"))
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


# Canvas


def _in_canvas(folder: Path, children: Sequence[Path]) -> _Found | None:
    matches = [(child, match) for child in children if not child.is_dir() and (match := _IN_CANVAS.fullmatch(child.name))]
    if not _most(matches, children):
        return None
    of_one: dict[str, list[tuple[Path, re.Match[str]]]] = {}
    for child, match in matches:
        of_one.setdefault(match["id"], []).append((child, match))
    notices: list[str] = []
    submissions = [_from_canvas(folder, who, files, notices) for who, files in of_one.items()]
    return _Found(submissions, [child for child, _ in matches], tuple(notices))


def _from_canvas(folder: Path, who: str, files: Sequence[tuple[Path, re.Match[str]]], notices: list[str]) -> Submission:
    name = next((match["name"] for _, match in files if match["name"]), "")
    late = "yes" if any(match["late"] for _, match in files) else "no"
    fields = [(CANVAS_ID, who if who.isdigit() else ""), (MARKED_LATE, late)]
    handed = sorted((int(match["number"]), path, match["file"]) for path, match in files if match["file"])
    parts: dict[str, Path] = {}
    for (_, path, _), own in zip(handed, _names_before([file for *_, file in handed]), strict=True):
        if own in parts:
            notices.append(f"{quoted(parts[own].name)} is left aside: {quoted(path.name)} came later under the same name")
        parts[own] = path
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
    matches = [(child, match) for child in children if (match := _IN_MOODLE.fullmatch(child.name))]
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
    return _Found(submissions, [folder / _ABOUT_BRIGHTSPACES, *(child for child, _ in matches)])


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


_SYSTEMS: dict[str, Callable[[Path, Sequence[Path]], _Found | None]] = {
    GRADESCOPE: _in_gradescope, MOODLE: _in_moodle, BLACKBOARD: _in_blackboard, BRIGHTSPACE: _in_brightspace,
    CANVAS: _in_canvas, GITHUB: _in_github,
}  # fmt: skip
