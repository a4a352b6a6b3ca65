"""When the last commit of a cloned repository was made, read from its files.

Git itself is not run: what a repository says in its configuration may start programs. So only what is needed is read here,
within bounds and in a process of its own: HEAD, the ref that it names, and the commit, which is a file or lies in a pack.

    commit_time(Path("hw2-ann"))     2026-10-01 20:00:00+02:00, or None if that cannot be read

A commit says what the clock of its author's machine said, or what they wanted it to say.

Source: https://git-scm.com/docs/pack-format, https://git-scm.com/docs/gitrepository-layout
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from gojudge.errors import BadSubmissionError
from gojudge.intake.archives import open_regular
from gojudge.sandbox.reading import read_apart

_MOST_REFS_BYTES = 10_000_000
_MOST_OBJECT_BYTES = 1_000_000
_MOST_PACKS = 1000
_MOST_DELTAS = 60
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REF = re.compile(r"refs(/[\w][\w.+-]*)+")
_COMMITTER = re.compile(rb"^committer [^\n]*> (\d{1,11}) ([+-])(\d\d)(\d\d)$", re.M)
_COMMIT, _DELTA_TO_OFFSET, _DELTA_TO_NAME = 1, 6, 7


def commit_time(repository: Path) -> datetime | None:
    """Return when the commit that is checked out was made, aware; None if that cannot be read."""
    return commit_times([repository])[repository]


def commit_times(repositories: Sequence[Path]) -> dict[Path, datetime | None]:
    """Return the same of each repository."""
    try:
        times = read_apart(lambda: {str(one): _find_commit_time(one) for one in repositories})
    except (BadSubmissionError, OSError):
        # One that is too much for the process that reads costs nobody else their time.
        if len(repositories) == 1:
            return {repositories[0]: None}
        return {one: commit_time(one) for one in repositories}
    return {one: datetime.fromisoformat(times[str(one)]) if times[str(one)] else None for one in repositories}


# In the process that reads. Whatever is raised there costs the repository its time only.


def _find_commit_time(repository: Path) -> str:
    folder = repository / ".git"
    try:
        return "" if folder.is_symlink() or not folder.is_dir() else read_commit_time(folder).isoformat()
    except Exception:
        return ""


def read_commit_time(folder: Path) -> datetime:
    """Return when the commit was made that is checked out. folder: `.git`. Raises whatever may come of a damaged file."""
    match = _COMMITTER.search(_commit(folder, _head(folder)))
    if match is None:
        raise BadSubmissionError("expected a commit that says when it was made")
    seconds, sign, hours, minutes = int(match[1]), match[2], int(match[3]), int(match[4])
    offset = timedelta(hours=hours, minutes=minutes)
    moment = datetime.fromtimestamp(seconds, timezone(-offset if sign == b"-" else offset))
    if not 1970 <= moment.year < 2100:
        raise BadSubmissionError("expected a commit of this century")
    return moment


def _head(folder: Path) -> str:
    """Return the name of the commit that is checked out."""
    name = _text(folder / "HEAD").strip()
    if name.startswith("ref: "):
        ref = name.removeprefix("ref: ").strip()
        if not _REF.fullmatch(ref) or ".." in ref:
            raise BadSubmissionError("expected the name of a ref in HEAD")
        try:
            name = _text(folder / ref).strip()
        except FileNotFoundError:
            lines = (line.split() for line in _text(folder / "packed-refs").splitlines())
            name = next((words[0] for words in lines if words[1:] == [ref]), "")
    if not _HASH.fullmatch(name):
        raise BadSubmissionError("expected the name of a commit")
    return name


def _text(path: Path) -> str:
    with open_regular(path) as file:
        return file.read(_MOST_REFS_BYTES).decode("utf-8", "replace")


def _commit(folder: Path, name: str) -> bytes:
    try:
        with open_regular(folder / "objects" / name[:2] / name[2:]) as file:
            whole = _inflate(file.read(_MOST_OBJECT_BYTES))
        header, _, text = whole.partition(b"\0")
        if not header.startswith(b"commit "):
            raise BadSubmissionError("expected a commit, got another object")
        return text
    except FileNotFoundError:
        kind, text = _read_packed(folder, bytes.fromhex(name), 0)
    if kind != _COMMIT:
        raise BadSubmissionError("expected a commit, got another object")
    return text


def _inflate(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _MOST_OBJECT_BYTES)


def _read_packed(folder: Path, name: bytes, depth: int) -> tuple[int, bytes]:
    """Return kind and contents of an object that lies in a pack."""
    for index in sorted((folder / "objects/pack").glob("*.idx"))[:_MOST_PACKS]:
        place = _place(index, name)
        if place is not None:
            return _object(folder, index.with_suffix(".pack"), place, len(name), depth)
    raise BadSubmissionError("expected a commit that is there")


def _place(index: Path, name: bytes) -> int | None:
    """Return where in its pack an object begins, None if it is in another one. Indexes are of version 2."""
    with open_regular(index) as file:

        def number(at: int, size: int = 4) -> int:
            file.seek(at)
            return int.from_bytes(file.read(size), "big")

        if number(0, 8) != 0xFF744F63_00000002:
            raise BadSubmissionError("expected the index of a pack")
        names = 8 + 4 * 256
        low = number(8 + 4 * (name[0] - 1)) if name[0] else 0
        high, total = number(8 + 4 * name[0]), number(8 + 4 * 255)
        while low < high:
            middle = (low + high) // 2
            file.seek(names + middle * len(name))
            here = file.read(len(name))
            if here == name:
                offsets = names + total * (len(name) + 4)
                at = number(offsets + 4 * middle)
                return number(offsets + 4 * total + 8 * (at & 0x7FFFFFFF), 8) if at & 0x80000000 else at
            low, high = (middle + 1, high) if here < name else (low, middle)
    return None


def _object(folder: Path, pack: Path, place: int, size: int, depth: int) -> tuple[int, bytes]:
    """Return kind and contents of what begins at a place of a pack; a delta is applied to what it changes. size: of names."""
    if depth > _MOST_DELTAS:
        raise BadSubmissionError("expected fewer deltas in a row")
    with open_regular(pack) as file:
        file.seek(place)
        data = file.read(_MOST_OBJECT_BYTES)
    kind, at = (data[0] >> 4) & 7, 1
    while data[at - 1] & 0x80:
        at += 1
    if kind == _DELTA_TO_OFFSET:
        back, at = data[at] & 0x7F, at + 1
        while data[at - 1] & 0x80:
            back, at = ((back + 1) << 7) | (data[at] & 0x7F), at + 1
        kind, base = _object(folder, pack, place - back, size, depth + 1)
        return kind, _apply_delta(base, _inflate(data[at:]))
    if kind == _DELTA_TO_NAME:
        kind, base = _read_packed(folder, data[at : at + size], depth + 1)
        return kind, _apply_delta(base, _inflate(data[at + size :]))
    return kind, _inflate(data[at:])


def _apply_delta(base: bytes, delta: bytes) -> bytes:
    """Return what a delta makes of a text: pieces of that, and pieces of its own."""
    at = 0
    for _ in range(2):  # the two sizes
        while delta[at] & 0x80:
            at += 1
        at += 1
    made = bytearray()
    while at < len(delta) and len(made) <= _MOST_OBJECT_BYTES:
        code, at = delta[at], at + 1
        if not code & 0x80:
            made += delta[at : at + code]
            at += code
            continue
        values = []
        for bit in range(7):
            values.append(delta[at] if code >> bit & 1 else 0)
            at += code >> bit & 1
        start, size = int.from_bytes(values[:4], "little"), int.from_bytes(values[4:], "little") or 0x10000
        made += base[start : start + size]
    return bytes(made)
