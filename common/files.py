"""Reads files of strangers within bounds, and writes files so that they are there whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def read_bounded(path: str | Path, most_bytes: int) -> bytes:
    """Return what a file holds. Raises OSError, also for more than `most_bytes`, and for names that no file can have.

    A pipe is read to its end; one that nobody writes to is empty, and not waited for.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            data = file.read(most_bytes + 1)
    except ValueError as error:
        # A NUL in the name, or a part of a character.
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"expected at most {most_bytes} bytes, found more", str(path))
    return data


def _without_waiting(path: str, flags: int) -> int:
    # Windows has none of these, and no such pipes among its files.
    without_waiting = getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | without_waiting)
    if without_waiting:
        os.set_blocking(descriptor, True)
    return descriptor


@contextmanager
def opened_beside(path: Path) -> Iterator[BinaryIO]:
    """Open a file under another name next to `path`; rename it to `path` when the block ends without an error.

    There is never half a file at `path`. After an error, such as a full disk, the old file is still there.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_beside(path: Path, data: bytes) -> None:
    """Write a file as `opened_beside` does."""
    with opened_beside(path) as file:
        file.write(data)
