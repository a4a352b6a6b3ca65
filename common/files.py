"""Writes files so that they are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


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
