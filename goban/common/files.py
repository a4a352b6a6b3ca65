"""Files and programs of the machine.

Files of strangers are read within bounds, and files are written so that they are there whole or not at all. Files of arrays
are those that `numpy.savez` writes, from whoever made them or damaged them:

    read_arrays(content)    the arrays by name, or one error that says in one line what is wrong
    check_array(...)        that one of them is as it must be
    one_line(error)         what such an error says, or any other that came of what a file holds

numpy raises some ten kinds of exceptions for such a file, depending on what is damaged where: of its own, of zip files, of
decompression, of the tokens of a header. It is asked for when an array is.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from goban.common.excerpts import error_line, printable, quoted

if TYPE_CHECKING:
    import sqlite3

_MOST_ARRAY_BYTES = 2**31
"""How many bytes all arrays of a file may take."""
# Debian puts GNU Go there, and leaves it out of root's path.
_GAMES = "/usr/games"


def read_bounded(path: str | Path, most_bytes: int) -> bytes:
    """Return what a file holds. Raises OSError, also for more than `most_bytes`, and for names that no file can have.

    A pipe is read to its end; one that nobody writes to is empty, and not waited for.
    """
    try:
        with open(os.fspath(path), "rb", opener=_without_waiting) as file:
            data = file.read(most_bytes + 1)
    except ValueError as error:
        # A NUL in the name, or a part of a character.
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"expected at most {most_bytes} bytes, found more", str(path))
    return data


def is_utf_16(data: bytes) -> bool:
    """Tell whether data is text in UTF-16, with its mark or, if most of it is ASCII, without."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    zeros, others = sorted((data[::2].count(0), data[1::2].count(0)), reverse=True)
    return others == 0 and 4 * zeros > len(data)


def _without_waiting(path: str, flags: int) -> int:
    # Windows has none of these, and no such pipes among its files.
    without_waiting = getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | without_waiting)
    if without_waiting:
        os.set_blocking(descriptor, True)
    return descriptor


_NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


@contextmanager
def open_beside(path: Path) -> Iterator[BinaryIO]:
    """Open a file under another name next to `path`; rename it to `path` when the block ends without an error.

    There is never half a file at `path`. After an error, such as a full disk, the old file is still there. What is no file, a
    device say, is never replaced: OSError.
    """
    _expect_file(path)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            yield file
        beside.replace(path)
    except OSError as error:
        # The file that is meant. Of a write that finds no room the system names none.
        if error.filename == str(beside) or (error.errno in _NO_ROOM and error.filename is None):
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_beside(path: Path, data: bytes) -> None:
    """Write a file as `open_beside` does."""
    with open_beside(path) as file:
        file.write(data)


def check_writable(path: Path, *suffixes: str) -> None:
    """Raise OSError if `write_beside` could write no file there, before long work for it is done. Leaves all as it is.

    suffixes: how names of such files end; see `check_kind_of_file`.
    """
    _expect_file(path)
    check_kind_of_file(path, *suffixes)
    _try_to_write(path.with_name(f"{path.name}.{os.getpid()}.part"), path)


_KNOWN = frozenset({
    ".bin", ".c", ".cpp", ".csv", ".db", ".gz", ".html", ".ipynb", ".java", ".json", ".jsonl", ".md", ".npz", ".onnx", ".pdf",
    ".proof", ".py", ".sgf", ".sqlite", ".tar", ".tgz", ".toml", ".txt", ".xlsx", ".zip",
})  # fmt: skip
"""What people have beside what we write: players, classes, events, results, games, lists."""


def check_kind_of_file(path: Path, *suffixes: str) -> None:
    """Raise OSError if the name of what is to be written says that it is of another kind, or none at all.

    suffixes: how its names end. So a slip of the hand, such as a results file after --out, loses nothing, and what is written
    once may be written again.
    """
    _expect_name(path)
    suffix = path.suffix.lower()
    if suffix in _KNOWN and suffix not in suffixes:
        expected = f"expected a name that ends in {' or '.join(suffixes)}"
        raise OSError(errno.EINVAL, f"that is a name of another kind: {expected}", str(path))


def check_folder_writable(folder: Path) -> None:
    """Raise OSError if no files could be written into a folder, which need not be there yet, as `check_writable` does."""
    _expect_name(folder)
    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(place))
    if not there.is_dir():
        raise OSError(errno.ENOTDIR, "expected a folder, or none yet", str(folder))
    _try_to_write(there / f".{os.getpid()}.part", folder)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, however many are missing. Raises OSError."""
    # With `parents=True` Path.mkdir calls itself for each of them, and gives up after a thousand.
    for place in reversed((folder, *folder.parents)):
        place.mkdir(exist_ok=True)


def is_new_or_empty(folder: Path) -> bool:
    """Tell whether nothing is there that could be overwritten, also where `..` follows a folder that is still to be made."""
    place = folder.resolve()
    return not place.exists() or (place.is_dir() and not any(place.iterdir()))


def _expect_name(path: Path) -> None:
    if path == Path("-"):
        raise OSError(errno.EINVAL, "expected a name, since nothing is written to standard output", str(path))


def _expect_file(path: Path) -> None:
    _expect_name(path)
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "expected a file, or none yet", str(path))


def _try_to_write(trial: Path, meant: Path) -> None:
    """Write a file and remove it; raise OSError that names the path that is meant."""
    try:
        try:
            with trial.open("wb") as file:
                file.write(bytes(_TRIAL_BYTES))
        finally:
            trial.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(meant)) from None


# More than a file system keeps with the name: a full disk has no room for it.
_TRIAL_BYTES = 1 << 14


def take_lock(place: Path) -> sqlite3.Connection | None:
    """Return what keeps others from taking the same lock for as long as it is open; None if another process has it.

    place: a file of its own, made where there is none. The lock is SQLite's: these work on every system, are not inherited by
    child processes, and vanish with the process however it ends. Raises sqlite3.Error where no file can be made.
    """
    import sqlite3

    lock = sqlite3.connect(place, timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if primary_code(error) == sqlite3.SQLITE_BUSY:
            return None
        raise
    return lock


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def append_line(path: Path, line: bytes, mode: int = 0o666) -> None:
    """Append a line to a file, made with this mode if there is none; where it ends in half a line, a new one is begun.

    Earlier lines are never touched. Raises OSError.
    """
    with open(path, "a+b", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        # Whoever was killed while they wrote has left half a line.
        begin = b"" if file.read(1) in (b"", b"\n") else b"\n"
        file.write(begin + line + b"\n")


def read_arrays(content: bytes, most_bytes: int = _MOST_ARRAY_BYTES) -> dict[str, Any]:
    """Return the arrays of a file by name, without running code of it. Raises ValueError, with one line, for any other file."""
    import numpy as np

    try:
        # It warns of headers that it then refuses.
        with warnings.catch_warnings(action="ignore"), np.load(io.BytesIO(content), allow_pickle=False) as file:
            size = sum(member.file_size for member in file.zip.infolist())
            if size > most_bytes:
                raise ValueError(f"expected arrays of at most {most_bytes} bytes, got {size}")
            if len(set(file.files)) < len(file.files):
                # The last of a name would be unpacked as often as the name is there.
                raise ValueError("expected a name of its own for each array")
            arrays = {name: file[name] for name in file.files}
        if other := next((name for name, array in arrays.items() if not isinstance(array, np.ndarray)), None):
            raise ValueError(f"{quoted(other)} is no array")
        return arrays
    except Exception as error:
        raise ValueError(f"no file of arrays, or a damaged one ({error_line(error)})") from None


def check_array(name: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> None:  # noqa: ANN401
    """Raise ValueError unless an array has this kind of numbers and this shape. dtype: whatever numpy.dtype takes."""
    import numpy as np

    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name}: expected {np.dtype(dtype)} of shape {shape}, got {array.dtype} of {array.shape}")


def one_line(error: Exception) -> str:
    """Return what went wrong with a file, in one printable line, which does not name the file."""
    if isinstance(error, (OSError, ValueError)):
        return printable(getattr(error, "strerror", None) or str(error), 200)
    return error_line(error)


def search_path() -> str:
    """Return where a program is looked for whose name has no slash: as in the shell that started us, and among the games."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), _GAMES))


def split_command(line: str, windows: bool = os.name == "nt") -> list[str]:
    """Return the words of a command line, as a shell splits them; on Windows a backslash is part of a path.

    Raises ValueError where a quotation has no end.
    """
    import shlex

    words = shlex.shlex(line, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if windows:
        words.escape = ""
    return list(words)


def kill_session(leader: int) -> None:
    """Kill a process that began a session of its own, with what it has started; do nothing if all are gone.

    leader: its id; it must not have been waited for. Nothing happens on Windows, which knows no sessions: what a process has
    started stays there, and the caller must kill the process itself.
    """
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
