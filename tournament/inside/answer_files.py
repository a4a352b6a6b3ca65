"""The two files through which judge and program speak, as the judge handles them: input.txt in, output.txt out.

`AnswerFiles` runs in the keeper, beside a folder in which a program may have left anything at all: nothing there is
followed, waited for, or read beyond a limit. `read_answer_file` is how the course's own host reads what was found.
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
"""Of output.txt; a longer one is refused without a look at it."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_KINDS = {
    stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a FIFO", stat.S_IFDIR: "a folder", stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
}  # fmt: skip


class AnswerFileError(Exception):
    """What is in the place of output.txt is no answer; one line says why."""


class AnswerFiles:
    """The files in a program's folder. The folder is opened once a game: it cannot be put in another's place later.

    user: who is to own input.txt, -1 for us. Close it.
    """

    def __init__(self, home: str, user: int) -> None:
        self._user = user
        self._moved = 0
        self._home = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._home)

    def put(self, text: str) -> None:
        """Write a new input.txt, and see to it that there is no output.txt. Raises OSError, for a full folder above all."""
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
            # A folder, of whatever depth and rights: it is the program's own, and may stay under another name.
            self._moved += 1
            os.rename(name, f"{name}.moved-{self._moved}", src_dir_fd=self._home, dst_dir_fd=self._home)

    def take(self) -> Message:
        """Return what is in the place of output.txt: {"bytes": ...} in base64, or {"not": why it cannot be read}."""
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
    """Return the answer in what `AnswerFiles.take` found: (row, column), anywhere at all, or "PASS".

    As the course's host does it: the first line counts, without the blanks around it; it is cut at the commas, and of the
    pieces the first is PASS or the first two are whole numbers, blanks allowed. Stricter only in that the line must be
    plain ASCII, without the underscores Python allows in numbers. Raises AnswerFileError.
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
