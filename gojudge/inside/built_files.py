"""Reads what a compiler wrote, in the keeper: no link is followed, nothing is waited for or read beyond a limit."""

from __future__ import annotations

import base64
import os
import stat

from gojudge.inside.protocol import Message

BUILT = ".built"
_MOST_BYTES = 32 << 20
_MOST_FILES = 1000
_DEEPEST = 8


def read_built(home: str) -> Message:
    """Return the files in a program's folder `.built`, and below it: {"files": {path: base64}}, or {"failed": why not}."""
    files: dict[str, str] = {}
    try:
        folder = os.open(f"{home}/{BUILT}", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            left = _read(folder, "", files, _MOST_BYTES, _DEEPEST)
        finally:
            os.close(folder)
    except OSError as error:
        return {"failed": f"what the compiler wrote cannot be read: {error.strerror}"}
    return {"files": files} if left >= 0 else {"failed": "the compiler has written more than can be kept"}


def _read(folder: int, place: str, files: dict[str, str], room: int, deep: int) -> int:
    """Read the files of an open folder; return how many of `room` bytes are left, less than 0 for more than can be kept.

    place: what stands before their names. deep: how many levels of folders may be below it.
    """
    for name in sorted(os.listdir(folder)):
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        try:
            found = os.fstat(file)
            if stat.S_ISDIR(found.st_mode) and deep:
                # Of Java's packages.
                room = _read(file, f"{place}{name}/", files, room, deep - 1)
                continue
            room -= found.st_size
            if not stat.S_ISREG(found.st_mode) or room < 0 or len(files) == _MOST_FILES:
                return -1
            with open(file, "rb", closefd=False) as source:
                files[f"{place}{name}"] = base64.b64encode(source.read(found.st_size)).decode()
        finally:
            os.close(file)
    return room
