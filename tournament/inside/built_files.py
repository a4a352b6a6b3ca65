"""Reads what a compiler wrote, in the keeper: no link is followed, nothing is waited for or read beyond a limit."""

from __future__ import annotations

import base64
import os
import stat

from tournament.inside.protocol import Message

BUILT = ".built"
_MOST_BYTES = 32 << 20
_MOST_FILES = 1000


def read_built(home: str) -> Message:
    """Return the files in a program's folder `.built`: {"files": {name: base64}}, or {"failed": why not}."""
    files: dict[str, str] = {}
    room = _MOST_BYTES
    try:
        folder = os.open(f"{home}/{BUILT}", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            for name in sorted(os.listdir(folder)):
                file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
                with os.fdopen(file, "rb") as source:
                    found = os.fstat(file)
                    room -= found.st_size
                    if not stat.S_ISREG(found.st_mode) or room < 0 or len(files) == _MOST_FILES:
                        return {"failed": "the compiler has written more than can be kept"}
                    files[name] = base64.b64encode(source.read(found.st_size)).decode()
        finally:
            os.close(folder)
    except OSError as error:
        return {"failed": f"what the compiler wrote cannot be read: {error.strerror}"}
    return {"files": files}
