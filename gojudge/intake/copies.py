"""Takes one submission in: reads it, finds what plays, copies its files. All of that happens in a process of its own.

The copy is the folder `<name>-<start of digest>` and holds the submission's files only. It is written under another name,
then renamed. Taking in the same contents again changes nothing; other contents get another folder, and the old one stays.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goban.common.excerpts import quoted
from goban.common.player_sources import USUAL_CLASS
from gojudge.errors import BadSubmissionError
from gojudge.inside.workdirs import remove_tree
from gojudge.intake.archives import (
    ARCHIVES,
    Bounds,
    Files,
    decode_name,
    is_archive,
    read_files,
    read_parts,
    why_no_archive,
)
from gojudge.intake.dependencies import companions
from gojudge.intake.player_files import Found, find_player
from gojudge.records import PROGRAM, Entrant, Fields
from gojudge.sandbox.compilers import why_not_here
from gojudge.sandbox.leftovers import owned_name
from gojudge.sandbox.reading import Answer, read_apart

PART = ".part"
"""How the names of copies begin that are not finished."""


@dataclass(frozen=True)
class Submission:
    """Something to be taken in, with the name it will have. lone: True for a single file given by its own path.

    title: what the file or folder is called, without its ending. given: whether the name comes from a roster. origin: where it
    was looked for. entry, class_name: the file and the class that play, where a roster says so; else ''. fields: its other
    columns. owner: by what its name is kept, where not by its file. parts: of one whose files lie beside others', name -> file,
    which are read instead of `source`. found: whether exactly one was found for the roster's line. unlisted: whether the roster
    has no line for it. fault: why it cannot be taken in, where that is known already.
    """

    source: Path
    name: str
    students: tuple[str, ...] = ()
    class_name: str = ""
    lone: bool = False
    entry: str = ""
    fields: Fields = ()
    title: str = ""
    given: bool = False
    origin: Path = Path()
    owner: str = ""
    parts: tuple[tuple[str, Path], ...] = ()
    found: bool = True
    unlisted: bool = False
    fault: str = ""


@dataclass(frozen=True)
class Taken:
    """A submission that was taken in. others: what else in it could have played, in words."""

    entrant: Entrant
    others: tuple[str, ...] = ()


def take(one: Submission, into: Path, bounds: Bounds | None, kinds: Collection[str]) -> Taken:
    """Take one submission in; a lone file with what it needs of its folder. Raises BadSubmissionError.

    For the arguments see `gojudge.intake.submissions.take_in`.
    """
    if one.fault:
        raise BadSubmissionError(one.fault)
    if one.source.name.lower().endswith(ARCHIVES) and one.source.is_file() and not is_archive(one.source):
        raise BadSubmissionError(why_no_archive(one.source))
    part = into / owned_name(PART)
    try:
        made = read_apart(lambda: _copy(one, part, bounds, kinds))
        entry, kind, class_name, digest = (str(made[key]) for key in ("entry", "kind", "class", "digest"))
        folder = _folder(into, one, digest)
        if part.exists():
            remove_tree(folder)
            os.replace(part, folder)
    finally:
        remove_tree(part)
    entrant = Entrant(
        name=one.name,
        students=one.students,
        reference="",
        folder=folder,
        entry=entry,
        class_name=class_name or USUAL_CLASS,
        digest=digest,
        kind=kind,
        fields=one.fields,
    )
    return Taken(entrant, tuple(map(str, made["others"])))


def digest_of(files: Files) -> str:
    """Return the SHA-256 over all paths and contents, in the order of the paths."""
    whole = hashlib.sha256()
    for path in sorted(files):
        for part in (path.encode(), files[path]):
            # The length comes first, so that no two sets of files give the same bytes.
            whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def digest_of_copy(folder: Path) -> str:
    """Return the digest of what lies in a folder now. Raises BadSubmissionError."""
    return str(read_apart(lambda: {"digest": digest_of(read_files(folder))})["digest"])


def find_copies(entrants: Sequence[Entrant], folder: Path) -> tuple[list[Entrant], dict[str, str]]:
    """Return the entrants with an unchanged copy, and for all others name -> what is wrong with the copy.

    Entrants that are no submissions have no copy, and are among the first.
    """
    found: list[Entrant] = []
    absent: dict[str, str] = {}
    for entrant in entrants:
        if not entrant.is_submission:
            found.append(entrant)
            continue
        copy = folder / f"{entrant.name}-{entrant.digest[:12]}"
        try:
            if digest_of_copy(copy) == entrant.digest:
                found.append(replace(entrant, folder=copy))
            else:
                absent[entrant.name] = f"{copy} does not hold the contents that played"
        except (BadSubmissionError, OSError) as error:
            absent[entrant.name] = f"{copy}: {error}"
    return found, absent


def write_files(files: Files, folder: Path) -> None:
    """Write a submission's files to a new folder. Raises OSError, and BadSubmissionError if two of them cannot both exist."""
    folder.mkdir()
    folder.chmod(0o755)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        try:
            with (folder / path).open("xb") as file:
                file.write(data)
        except FileExistsError:
            # Where case, or how an accent is written, makes no difference.
            raise BadSubmissionError(f"expected names that this file system keeps apart, got {quoted(path)} twice") from None


def _folder(into: Path, one: Submission, digest: str) -> Path:
    return into / f"{one.name}-{digest[:12]}"


# In the process that reads


def _copy(one: Submission, part: Path, bounds: Bounds | None, kinds: Collection[str]) -> Answer:
    """Read a submission. Write its copy to `part`, if there is none yet. Return what plays, and the digest."""
    files = read_parts(one.parts, bounds) if one.parts else read_files(one.source, bounds)
    if one.lone:
        files |= companions(one.source)
    # Whoever gives a file by its own path has said which one plays.
    player = find_player(files, one.class_name, kinds, one.entry or (decode_name(one.source.name) if one.lone else ""))
    if player.kind == PROGRAM and (missing := why_not_here(player.entry)):
        raise BadSubmissionError(f"{player.entry}: {missing}")
    own = _below(files, player)
    digest = digest_of(own)
    if not _holds(_folder(part.parent, one, digest), digest):
        write_files(own, part)
    about = {"entry": player.entry, "kind": player.kind, "class": player.class_name, "others": player.others}
    return {**about, "digest": digest}


def _below(files: Files, found: Found) -> Files:
    """Return the files in the player's folder, with paths relative to it."""
    if not found.folder:
        return files
    prefix = f"{found.folder}/"
    return {path.removeprefix(prefix): data for path, data in files.items() if path.startswith(prefix)}


def _holds(folder: Path, digest: str) -> bool:
    """Tell whether a folder holds the contents of this digest, and nothing else."""
    try:
        return folder.is_dir() and digest_of(read_files(folder)) == digest
    except BadSubmissionError:
        return False
