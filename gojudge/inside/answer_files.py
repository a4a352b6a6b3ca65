"""The judge's side of the two files of a program: it writes input.txt and reads output.txt.

`AnswerFiles` runs in the keeper. The program may have left anything in its folder, so no link there is followed, nothing is
waited for, and nothing is read beyond a limit. `read_answer_file` reads the answer as the course's own host does, and
`read_built` what a compiler wrote.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import IO

from goban.common.excerpts import printable, quoted
from goban.points import Point
from gojudge.inside.protocol import Message

INPUT, OUTPUT = "input.txt", "output.txt"

MOST_BYTES = 16 * 1024
"""The longest first line of output.txt. What follows it is not looked at, however long."""

# What a program left elsewhere is looked for so deep, and among so many files; so many are named.
_DEEPEST, _MOST_FILES, _MOST_NAMED = 4, 2000, 3
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_KINDS = {
    stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a FIFO", stat.S_IFDIR: "a folder", stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
}  # fmt: skip


class AnswerFileError(Exception):
    """output.txt holds no answer, or cannot be read; one line says why."""


class AnswerFiles:
    """The files in a program's folder. It is opened once a game, so the program cannot put another folder in its place.

    user: the user id that will own input.txt, -1 for ours. The caller closes it.
    """

    def __init__(self, home: str, user: int) -> None:
        self._user = user
        self._moved = 0
        self._home = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._known = dict(self._list())
        self._asked = 0

    def close(self) -> None:
        """Close the folder."""
        os.close(self._home)

    def put(self, text: str) -> None:
        """Write a new input.txt and remove output.txt. Raises OSError; the usual cause is a full folder."""
        with contextlib.suppress(OSError):
            os.fchmod(self._home, 0o755)
        for name in (INPUT, OUTPUT):
            self._remove(name)
        file = os.open(INPUT, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644, dir_fd=self._home)
        try:
            if self._user >= 0:
                os.fchown(file, self._user, self._user)
            if os.write(file, text.encode()) < len(text):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._asked = os.fstat(file).st_ctime_ns
        finally:
            os.close(file)

    def _remove(self, name: str) -> None:
        try:
            os.unlink(name, dir_fd=self._home)
        except FileNotFoundError:
            pass
        except OSError:
            # It is a folder, of any depth and any permissions. It belongs to the program, so it is kept under another name.
            self._moved += 1
            os.rename(name, f"{name}.moved-{self._moved}", src_dir_fd=self._home, dst_dir_fd=self._home)

    def take(self) -> Message:
        """Return the contents of output.txt as {"bytes": base64}, or {"not": why it cannot be read}."""
        try:
            status = os.stat(OUTPUT, dir_fd=self._home, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                return {"not": f"is {_KINDS.get(stat.S_IFMT(status.st_mode), 'no file')}"}
            file = os.open(OUTPUT, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=self._home)
        except FileNotFoundError:
            return {"not": not_written(path for path, changed in self._list() if self._is_new(path, changed))}
        except OSError as error:
            return {"not": f"cannot be opened: {error.strerror}"}
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return {"not": "is no file"}
            with os.fdopen(file, "rb", closefd=False) as contents:
                return first_line(contents)
        except OSError as error:
            return {"not": f"cannot be read: {error.strerror}"}
        finally:
            os.close(file)

    def _is_new(self, path: str, changed: int) -> bool:
        # The kernel's clock ticks slowly: what was there when the game began may have changed at the same time as input.txt.
        return changed >= self._asked and self._known.get(path) != changed

    def _list(self) -> Iterator[tuple[str, int]]:
        """Yield the files in the program's folder and, while there are few, below it; of each when it was last changed.

        That is the kernel's time, which no program can set.
        """
        left = _MOST_FILES
        for folder, folders, names, here in os.fwalk(".", dir_fd=self._home):
            left -= len(names)
            if left < 0:
                return
            for name in names:
                with contextlib.suppress(OSError):
                    changed = os.stat(name, dir_fd=here, follow_symlinks=False).st_ctime_ns
                    yield os.path.normpath(f"{folder}/{name}"), changed
            folders[:] = [name for name in folders if name != "__pycache__" and folder.count("/") < _DEEPEST]


def first_line(file: IO[bytes]) -> Message:
    """Return what `AnswerFiles.take` says of an output.txt that was opened."""
    line = file.read(MOST_BYTES + 1).split(b"\n", 1)[0]
    if len(line) > MOST_BYTES:
        return {"not": f"has a first line of more than {MOST_BYTES} bytes"}
    return {"bytes": base64.b64encode(line).decode()}


def not_written(new: Iterable[str]) -> str:
    """Return what to say where there is no output.txt. new: files that the program has left elsewhere in its folder."""
    names = sorted(path for path in new if path != INPUT)
    if not names:
        return "was not written"
    shown = ", ".join(printable(name, 60) for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"was not written; new files: {shown}{more}"


def read_answer_file(found: Message) -> Point | str:
    """Return the answer in what `AnswerFiles.take` found: (row, column), not yet checked against the board, or "PASS".

    Reads as the course's host does. Only the first line counts; blanks around it are dropped, and it is split at commas. The
    first piece must be PASS, or the first two must be whole numbers; blanks around each are allowed. Stricter than the course
    in two ways: the line must be plain ASCII, and numbers may not contain underscores. Raises AnswerFileError.
    """
    if "not" in found:
        raise AnswerFileError(f"{OUTPUT} {found['not']}")
    line = base64.b64decode(found["bytes"]).split(b"\n", 1)[0]
    try:
        text = line.decode("ascii").strip(" \t\r\f\v")
    except UnicodeDecodeError:
        raise AnswerFileError(f"{OUTPUT}: expected i,j or PASS in its first line, got {quoted(line)[1:]}") from None
    pieces = [piece.strip(" \t") for piece in text.split(",")]
    if pieces[0] == "PASS":
        return "PASS"
    if len(pieces) >= 2 and all(_WHOLE.fullmatch(piece) for piece in pieces[:2]):
        return int(pieces[0]), int(pieces[1])
    got = quoted(text) if text else "an empty file" if not line else "an empty line"
    raise AnswerFileError(f"{OUTPUT}: expected i,j or PASS in its first line, got {got}")


BUILT = ".built"
# What a compiler wrote is kept up to so many bytes and files, and so deep: Java's packages are folders.
_BUILT_BYTES, _BUILT_FILES, _BUILT_DEPTH = 32 << 20, 1000, 8


def read_built(home: str) -> Message:
    """Return the files in a program's folder `.built`, and below it: {"files": {path: base64}}, or {"failed": why not}."""
    files: dict[str, str] = {}
    try:
        folder = os.open(f"{home}/{BUILT}", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            left = _read_built_folder(folder, "", files, _BUILT_BYTES, _BUILT_DEPTH)
        finally:
            os.close(folder)
    except OSError as error:
        return {"failed": f"what the compiler wrote cannot be read: {error.strerror}"}
    return {"files": files} if left >= 0 else {"failed": "the compiler has written more than can be kept"}


def _read_built_folder(folder: int, place: str, files: dict[str, str], room: int, deep: int) -> int:
    """Read the files of an open folder; return how many of `room` bytes are left, less than 0 for more than can be kept.

    place: what stands before their names. deep: how many levels of folders may be below it.
    """
    for name in sorted(os.listdir(folder)):
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        try:
            status = os.fstat(file)
            if stat.S_ISDIR(status.st_mode) and deep:
                # Of Java's packages.
                room = _read_built_folder(file, f"{place}{name}/", files, room, deep - 1)
                continue
            room -= status.st_size
            if not stat.S_ISREG(status.st_mode) or room < 0 or len(files) == _BUILT_FILES:
                return -1
            with open(file, "rb", closefd=False) as source:
                files[f"{place}{name}"] = base64.b64encode(source.read(status.st_size)).decode()
        finally:
            os.close(file)
    return room
