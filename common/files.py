"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def opened_beside(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write to under another name next to `path`; it is renamed once the block has ended without an error.

    At no time is there half a file under `path`, and after an error (the disk may be full) there is the old one.
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
