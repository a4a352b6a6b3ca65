"""Takes one submission in: reads it, finds what plays, copies its files. All of that happens in a process of its own.

The copy is the folder `<name>-<start of digest>` and holds the submission's files only. It is written under another name,
then renamed. Taking in the same contents again changes nothing; other contents get another folder, and the old one stays.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tournament.errors import BadSubmissionError
from tournament.inside.workdirs import remove_tree
from tournament.intake.archives import ARCHIVES, Bounds, Files, is_archive, read_files
from tournament.intake.dependencies import companions
from tournament.intake.player_files import Found, find_player
from tournament.records import PROGRAM, Entrant
from tournament.sandbox.compilers import why_not_here
from tournament.sandbox.leftovers import owned_name
from tournament.sandbox.reading import Answer, read_apart

PART = ".part"
"""How the names of copies begin that are not finished."""


@dataclass(frozen=True)
class Submission:
    """Something to be taken in, with the name it will have. lone: True for a single file given by its own path."""

    source: Path
    name: str
    students: tuple[str, ...] = ()
    class_name: str = ""
    lone: bool = False


def take(one: Submission, into: Path, class_name: str, bounds: Bounds | None, kinds: Collection[str]) -> Entrant:
    """Take one submission in; a lone file with what it needs of its folder. Raises BadSubmissionError.

    For the arguments see `tournament.intake.submissions.take_in`.
    """
    if one.source.name.lower().endswith(ARCHIVES) and one.source.is_file() and not is_archive(one.source):
        raise BadSubmissionError("expected a zip or tar archive, got something else under that name")
    part = into / owned_name(PART)
    try:
        made = read_apart(lambda: _copied(one, part, class_name, bounds, kinds))
        entry, kind, digest = str(made["entry"]), str(made["kind"]), str(made["digest"])
        folder = _folder(into, one, digest)
        if part.exists():
            remove_tree(folder)
            os.replace(part, folder)
    finally:
        remove_tree(part)
    return Entrant(one.name, one.students, "", folder, entry, class_name, digest, kind)


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


def _folder(into: Path, one: Submission, digest: str) -> Path:
    return into / f"{one.name}-{digest[:12]}"


# In the process that reads


def _copied(one: Submission, part: Path, class_name: str, bounds: Bounds | None, kinds: Collection[str]) -> Answer:
    """Read a submission. Write its copy to `part`, if there is none yet. Return the file that plays, its kind, the digest."""
    files = read_files(one.source, bounds)
    found = find_player(files, class_name)
    if found.kind not in kinds:
        raise BadSubmissionError(
            f"{found.entry}: expected a class {class_name}, found a program that reads input.txt; those play under the rules "
            "'littlego' only"
        )
    if found.kind == PROGRAM and (missing := why_not_here(found.entry)):
        raise BadSubmissionError(f"{found.entry}: {missing}")
    if one.lone:
        files |= companions(one.source)
    own = _below(files, found)
    digest = digest_of(own)
    if not _holds(_folder(part.parent, one, digest), digest):
        _write(own, part)
    return {"entry": found.entry, "kind": found.kind, "digest": digest}


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


def _write(files: Files, part: Path) -> None:
    part.mkdir()
    part.chmod(0o755)
    for path, data in files.items():
        (part / path).parent.mkdir(parents=True, exist_ok=True)
        (part / path).write_bytes(data)
