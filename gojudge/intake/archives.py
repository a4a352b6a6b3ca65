"""The files of a submission, as a dict from path to bytes. Nothing is written and nothing is run.

    read_files(path)     a folder, a single file, or a zip or tar archive (plain, gzip, bzip2, xz), told by its contents; a
                         folder with an archive and nothing else is that archive

Paths in the dict are relative, with `/` between folders. Submissions are not trusted: they may hold regular files and
folders only, within `Bounds`, and no two of the same name. Names may be in any script. Sizes are counted as
bytes arrive, whatever an archive says of itself. Archives within archives are not unpacked. What editors and systems
leave behind (`__MACOSX`, `.DS_Store`, `.git`, `__pycache__`, `*.pyc`, ...) is left out.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol, cast

from goban.common.excerpts import as_written, error_line, printable, quoted
from gojudge.errors import BadSubmissionError

Files = dict[str, bytes]

_MIB = 2**20
_CHUNK_BYTES = 2**16
JUNK = frozenset({"__MACOSX", "__pycache__", ".git", ".github", ".svn", ".idea", ".vscode", ".DS_Store", "Thumbs.db",
                  "desktop.ini", ".ipynb_checkpoints", ".mypy_cache", ".pytest_cache", ".ruff_cache",
                  "venv", ".venv", "node_modules"})  # fmt: skip
_DRIVE = re.compile(r"[A-Za-z]:")
# Archives by name. Damaged ones, and kinds that are not unpacked, must be refused with a message, not overlooked.
ARCHIVES = (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tbz2", ".txz", ".zip", ".tar", ".gz", ".bz2", ".xz", ".rar", ".7z",
            ".zst")  # fmt: skip
_SAYS_UTF_8 = 0x800
# The first bytes of a compressed file -> the module that opens it. A Python that somebody built may lack one.
_OPENERS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}
# Archives that need a program that may not be there.
_FOREIGN = {b"Rar!": "RAR", b"7z\xbc\xaf\x27\x1c": "7z", b"\x28\xb5\x2f\xfd": "Zstandard"}
# What the archive modules raise for damaged files; struct.error and the like come from hostile ones.
_DAMAGE: tuple[type[Exception], ...] = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, ValueError, NotImplementedError,
    RuntimeError, struct.error, KeyError, IndexError, OverflowError,
)  # fmt: skip
with suppress(ModuleNotFoundError):
    from lzma import LZMAError

    _DAMAGE += (LZMAError,)


@dataclass(frozen=True)
class Bounds:
    """How large a submission may be. entries: files and folders; mib: 2**20 bytes; depth: folders above a file."""

    entries: int = 2000
    mib: int = 128
    depth: int = 12
    path_length: int = 200


# A course system puts some folders around each submission; a repository's own lie below it.
_OF_CLASS = Bounds(entries=200_000, mib=8192, depth=Bounds.depth + 8)
# Bytes of a file's or folder's, on every system. In a zip one can have 65,535 characters.
_LONGEST_NAME = 255


def read_files(path: Path, bounds: Bounds | None = None) -> Files:
    """Return the files of a submission. Raises BadSubmissionError, which does not name the submission itself."""
    unpacked = _Unpacked(bounds or Bounds())
    try:
        if path.is_symlink():
            raise BadSubmissionError("expected a regular file or folder, got a symbolic link")
        if path.is_dir():
            path = _lone_archive(path)
        if path.is_dir():
            _read_folder(path, unpacked)
        else:
            with open_regular(path) as file:
                _read_file(file, path.name, unpacked)
    except BadSubmissionError:
        raise
    except OSError as error:
        raise BadSubmissionError(f"cannot be read: {error.strerror or error_line(error)}") from error
    if not unpacked.files:
        raise BadSubmissionError("expected files, found none")
    return unpacked.files


def read_parts(parts: Iterable[tuple[str, Path]], bounds: Bounds | None = None) -> Files:
    """Return the files of a submission that lie beside others', under other names. Raises BadSubmissionError."""
    unpacked = _Unpacked(bounds or Bounds())
    for name, path in parts:
        unpacked.count(name)
        try:
            with open_regular(path) as file:
                unpacked.add(name, _chunks(file))
        except OSError as error:
            raise BadSubmissionError(f"{printable(name, 100)} cannot be read: {error.strerror or error_line(error)}") from error
    if not unpacked.files:
        raise BadSubmissionError("expected files, found none")
    return unpacked.files


def why_no_archive(path: Path) -> str:
    """Return why `read_files` cannot unpack a file that has an archive's name."""
    try:
        with open_regular(path) as file:
            start = file.read(8)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    kind = next((f"a {kind} archive" for magic, kind in _FOREIGN.items() if start.startswith(magic)), "something else")
    return f"expected a zip or tar archive, got {kind}{' under that name' if kind == 'something else' else ''}"


def is_archive(path: Path) -> bool:
    """Return whether a file begins like an archive that `read_files` unpacks; False if it cannot be read."""
    try:
        with open_regular(path) as file:
            start = file.read(512)
    except (OSError, BadSubmissionError):
        return False
    return _is_zip(start) or _is_tar(start) or start.startswith(tuple(_OPENERS))


class _Unpacked:
    """The files read so far, with all checks on names and sizes."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.files: Files = {}
        self.entries = 0
        self.left = bounds.mib * _MIB
        self._folders: set[str] = set()

    def count(self, name: str) -> bool:
        """Count an entry of any kind, and return True; False if it is left out. Raises BadSubmissionError."""
        if self.path_of(name) is None:
            return False
        self.entries += 1
        if self.entries > self.bounds.entries:
            raise _too_many(self.bounds, f" at {quoted(name)}")
        return True

    def path_of(self, name: str) -> str | None:
        """Return the path that a name in an archive stands for, None if it is left out; raises BadSubmissionError."""
        # Windows programs write backslashes into zip files. On Windows no name contains one.
        parts = name.replace("\\", "/").split("/")
        if not name or parts[0] == "" or _DRIVE.match(parts[0]):
            raise BadSubmissionError(f"expected relative file names, got {quoted(name)}")
        parts = [part for part in parts if part not in ("", ".")]
        if ".." in parts:
            raise BadSubmissionError(f"expected file names within the submission, got {quoted(name)}")
        if any(part in JUNK or part.startswith("._") or part.endswith((".pyc", ".pyo")) for part in parts):
            return None
        path = decode_name("/".join(parts))
        if not path or as_written(path) != path:
            raise BadSubmissionError(f"expected printable file names, got {quoted(name)}")
        if len(path.encode()) > self.bounds.path_length or len(parts) > self.bounds.depth + 1:
            limits = f"{self.bounds.path_length} bytes and {self.bounds.depth} folders deep"
            raise BadSubmissionError(f"expected file names of at most {limits}, got {quoted(name)}")
        return path

    def add(self, name: str, chunks: Iterable[bytes]) -> None:
        """Add a file, reading no more of it than there is room for."""
        path = self.path_of(name)
        if path is None:
            return
        self._take(path)
        data = bytearray()
        for chunk in chunks:
            self.left -= len(chunk)
            if self.left < 0:
                raise BadSubmissionError(f"expected at most {self.bounds.mib} MiB, unpacked, found more")
            data += chunk
        self.files[path] = bytes(data)

    def _take(self, path: str) -> None:
        """Raise BadSubmissionError if this path is taken already. Paths that differ by case or accents are different."""
        parents = [*map(str, PurePosixPath(path).parents[:-1])]
        if path in self.files:
            raise BadSubmissionError(f"expected a name of its own for each file, got {quoted(path)} twice")
        if path in self._folders or any(parent in self.files for parent in parents):
            raise BadSubmissionError(f"expected a name of its own for each file, got a folder and a file {quoted(path)}")
        self._folders.update(parents)


def decode_name(name: str) -> str:
    r"""Return the name of a file with a sign that shows it in place of each byte that is not UTF-8.

    >>> decode_name("caf\udce9.txt")
    'caf�.txt'
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _too_many(bounds: Bounds, where: str = "") -> BadSubmissionError:
    return BadSubmissionError(f"expected at most {bounds.entries} files and folders, found more{where}")


class _Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _chunks(file: _Source) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


# Folders and single files


def contents_of(folder: Path) -> list[Path]:
    """Return what lies in a folder, in order, without what systems and tools leave there. Raises OSError."""
    return [path for path in sorted(folder.iterdir()) if path.name not in JUNK and not path.name.startswith(".")]


def _lone_archive(folder: Path) -> Path:
    """Return the archive that is all a folder holds, else the folder itself. Raises OSError."""
    inside = contents_of(folder)
    return inside[0] if len(inside) == 1 and not inside[0].is_symlink() and is_archive(inside[0]) else folder


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read. Never follows a symbolic link, and never waits for a pipe that nobody writes to."""
    # Only Windows has the last one: without it, bytes that look like line ends would be changed.
    flags = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    descriptor = os.open(path, os.O_RDONLY | sum(flags))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadSubmissionError(f"expected regular files, got {quoted(path.name)}, which is not one")
    return os.fdopen(descriptor, "rb")


def _read_folder(folder: Path, unpacked: _Unpacked) -> None:
    stack = [(folder, "")]
    while stack:
        here, prefix = stack.pop()
        for entry in sorted(os.scandir(here), key=lambda entry: entry.name):
            name = prefix + entry.name
            if not unpacked.count(name):
                continue
            if entry.is_symlink():
                raise BadSubmissionError(f"expected regular files, got the symbolic link {quoted(name)}")
            if entry.is_dir(follow_symlinks=False):
                stack.append((Path(entry.path), f"{name}/"))
            else:
                with open_regular(Path(entry.path)) as file:
                    unpacked.add(name, _chunks(file))


def _read_file(file: BinaryIO, name: str, unpacked: _Unpacked) -> None:
    start = file.read(512)
    file.seek(0)
    opener = _opener(start)
    try:
        if _is_zip(start):
            _read_zip(file, unpacked)
        elif opener is not None:
            with opener(file) as source:
                _read_tar(source, unpacked)
        elif _is_tar(start):
            _read_tar(file, unpacked)
        else:
            unpacked.add(name, _chunks(file))
    except BadSubmissionError:
        raise
    except _DAMAGE as error:
        raise BadSubmissionError(f"the archive cannot be unpacked: {_damage(error)}") from error


def _opener(start: bytes) -> Callable[[BinaryIO], Any] | None:
    """Return what opens a compressed file that begins so, None if it is none."""
    module = next((module for magic, module in _OPENERS.items() if start.startswith(magic)), "")
    try:
        return cast("Callable[[BinaryIO], Any]", importlib.import_module(module).open) if module else None
    except ModuleNotFoundError as error:
        raise BadSubmissionError(f"cannot be read: this Python was built without {error.name}, which unpacks it") from None


# Archives


def _damage(error: Exception) -> str:
    """Describe what is wrong with an archive that has raised one of _DAMAGE."""
    if isinstance(error, zipfile.BadZipFile) and "not a zip file" in str(error):
        # The table of contents stands at the end.
        return "its end is missing, as after an upload that broke off"
    if isinstance(error, NotImplementedError):
        return "it is compressed in a way that is not supported, as Deflate64; make a plain zip"
    # The rest of it is a path on this machine.
    return error.strerror if isinstance(error, OSError) and error.strerror else error_line(error)


def _is_zip(start: bytes) -> bool:
    return start.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _is_tar(start: bytes) -> bool:
    return start[257:262] == b"ustar"


def _read_zip(file: BinaryIO, unpacked: _Unpacked) -> None:
    data = file.read(unpacked.left + 1)
    if len(data) > unpacked.left:
        raise BadSubmissionError(f"expected at most {unpacked.bounds.mib} MiB, found more")
    # `ZipFile` reads the whole table of contents at once. It may hold much that is left out, so the bound is generous.
    if data.count(b"PK\x01\x02") > 20 * unpacked.bounds.entries:
        raise _too_many(unpacked.bounds)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            kind, name = stat.S_IFMT(entry.external_attr >> 16), _name_in_zip(entry)
            if not unpacked.count(name):
                continue
            if kind == stat.S_IFLNK:
                raise BadSubmissionError(f"expected regular files, got the symbolic link {quoted(name)}")
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise BadSubmissionError(f"expected regular files, got {quoted(name)}, which is not one")
            if entry.is_dir():
                continue
            if entry.flag_bits & 1:
                raise BadSubmissionError("expected an archive without a password, got an encrypted one")
            with archive.open(entry) as member:
                unpacked.add(name, _chunks(member))


def _name_in_zip(entry: zipfile.ZipInfo) -> str:
    """Return the name of a file in a zip, with slashes.

    Windows programs write backslashes. Some programs write UTF-8 without saying so, and it is read as code page 437.
    """
    name = entry.filename
    if not entry.flag_bits & _SAYS_UTF_8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


# A zip of a whole class


def names_in_zip(path: Path) -> list[str]:
    """Return the names in a zip that a file can have; [] for any other file."""
    with suppress(BadSubmissionError, *_DAMAGE), open_regular(path) as file, zipfile.ZipFile(file) as archive:
        names = [_name_in_zip(entry) for entry in archive.infolist()[: _OF_CLASS.entries]]
        return [name for name in names if all(len(part) <= _LONGEST_NAME for part in name.split("/"))]
    return []


def unpack(path: Path, into: Path) -> dict[Path, str]:
    """Unpack a zip of a whole class into a new folder. Return file -> what is wrong with it, for files not written
    whole. What systems leave behind is left out, except repositories of git.

    Raises BadSubmissionError if the zip is too large, or damaged as a whole.
    """
    faults: dict[Path, str] = {}
    left = _OF_CLASS.mib * _MIB
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            if len(archive.infolist()) > _OF_CLASS.entries:
                raise _too_many(_OF_CLASS)
            into.mkdir()
            for entry in archive.infolist():
                place, fault = _place_in(into, entry)
                if place is None or (entry.is_dir() and not fault):
                    continue
                try:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    with place.open("xb") as out:
                        left -= 0 if fault else _unpack_to(out, archive, entry, left)
                except BadSubmissionError:
                    raise
                except _DAMAGE as error:
                    fault = fault or f"{printable(place.name, 100)} cannot be unpacked: {_damage(error)}"
                if fault:
                    faults[place] = fault
    except _DAMAGE as error:
        raise BadSubmissionError(f"the archive cannot be unpacked: {_damage(error)}") from error
    return faults


def _place_in(into: Path, entry: zipfile.ZipInfo) -> tuple[Path | None, str]:
    """Return where an entry is written, None for nowhere, and what is wrong with it.

    Which names can be shown is looked at when the submissions are read: somebody's own name may have signs that cannot.
    """
    name = _name_in_zip(entry)
    parts = [part for part in name.split("/") if part not in ("", ".")]
    names = parts[: parts.index(".git")] if ".git" in parts else parts
    if not parts or name.startswith("/") or any(part in JUNK or part.startswith("._") for part in names):
        return None, ""
    bad = next((k for k, part in enumerate(parts) if part == ".." or _DRIVE.match(part)), None)
    if bad is not None:
        # A fault costs only the owner of the folder it is in.
        safe = parts[:bad]
        return (into.joinpath(*safe, "unreadable name") if safe else None), "expected file names within the submission"
    if len(parts) > _OF_CLASS.depth + 1:
        # Each folder would be made, and all of them removed: of a small zip there could be millions.
        where = into.joinpath(*parts[: _OF_CLASS.depth], "too deep")
        return where, f"expected files at most {Bounds.depth} folders deep, got {quoted(name)}"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    odd = kind not in (0, stat.S_IFREG, stat.S_IFDIR)
    fault = f"expected regular files, got {quoted(parts[-1])}, which is not one" if odd else ""
    return into.joinpath(*map(_fitting, parts)), fault


def _fitting(name: str) -> str:
    """Return a name that a file can have: of a longer one the beginning and the end, where course systems write numbers."""
    written = name.encode(errors="surrogatepass")
    if len(written) <= _LONGEST_NAME:
        return name
    half = (_LONGEST_NAME - 1) // 2
    return "~".join(part.decode(errors="ignore") for part in (written[:half], written[-half:]))


def _unpack_to(out: BinaryIO, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> int:
    """Write an entry; return how many bytes that were. Raises BadSubmissionError if they are more than there is room for."""
    written = 0
    with archive.open(entry) as member:
        for chunk in _chunks(member):
            written += out.write(chunk)
            if written > left:
                raise BadSubmissionError(f"expected at most {_OF_CLASS.mib} MiB, unpacked, found more")
    return written


class _BoundedStream(io.RawIOBase):
    """A stream that raises BadSubmissionError once it has given more bytes than a submission may have.

    Raises EOFError if it is read beyond its end: `tarfile` would go on for as many bytes as an entry claims to have.
    """

    def __init__(self, source: _Source, unpacked: _Unpacked) -> None:
        self._source = source
        # Headers and padding take up to 2 KiB per entry.
        self._left = unpacked.left + unpacked.bounds.entries * 2**11
        self._mib = unpacked.bounds.mib
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(_CHUNK_BYTES if size < 0 else min(size, _CHUNK_BYTES))
        if not data and self._ended:
            raise EOFError("it is cut off")
        self._ended = not data
        self._left -= len(data)
        if self._left < 0:
            raise BadSubmissionError(f"expected at most {self._mib} MiB, unpacked, found more")
        return data


def _read_tar(source: _Source, unpacked: _Unpacked) -> None:
    with tarfile.open(fileobj=_BoundedStream(source, unpacked), mode="r|", bufsize=_CHUNK_BYTES) as archive:
        for entry in archive:
            if entry.name in (".", "./") or not unpacked.count(entry.name) or entry.isdir():
                continue
            if not entry.isreg() or entry.issparse():
                what = "the link" if entry.issym() or entry.islnk() else "the special file"
                raise BadSubmissionError(f"expected regular files, got {what} {quoted(entry.name)}")
            member = archive.extractfile(entry)
            if member is None:
                raise BadSubmissionError(f"the archive cannot be unpacked: {printable(entry.name, 60)} is missing")
            with member:
                unpacked.add(entry.name, _chunks(member))
