"""The judge's side of the two files of a program: it writes input.txt and reads output.txt.

`AnswerFiles` runs in the keeper. The program may have left anything in its folder, so no link there is followed, nothing is
waited for, and nothing is read beyond a limit. `read_answer_file` reads the answer as the course's own host does.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import os
import re
import stat

from common.excerpts import quoted
from goban.points import Point
from tournament.inside.protocol import Message

INPUT, OUTPUT = "input.txt", "output.txt"

MOST_BYTES = 16 * 1024
"""The longest output.txt that is read; a longer one is refused unread."""

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
            found = os.stat(OUTPUT, dir_fd=self._home, follow_symlinks=False)
            if not stat.S_ISREG(found.st_mode):
                return {"not": f"is {_KINDS.get(stat.S_IFMT(found.st_mode), 'no file')}"}
            file = os.open(OUTPUT, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=self._home)
        except FileNotFoundError:
            return {"not": "was not written"}
        except OSError as error:
            return {"not": f"cannot be opened: {error.strerror}"}
        try:
            found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode):
                return {"not": "is no file"}
            if found.st_size > MOST_BYTES:
                return {"not": f"holds {found.st_size} bytes, at most {MOST_BYTES} are read"}
            return {"bytes": base64.b64encode(os.read(file, MOST_BYTES)).decode()}
        except OSError as error:
            return {"not": f"cannot be read: {error.strerror}"}
        finally:
            os.close(file)


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
