"""The results file as a file: open it, lock it, rename it, and put SQLite's errors into words. `store` uses this."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from common.excerpts import printable
from tournament.errors import StoreBusyError, StoreError


def connect(path: Path, mode: str, lock_seconds: float) -> sqlite3.Connection:
    """Open a results file. mode: as in SQLite's file names, 'rwc' or 'ro'; lock_seconds: seconds to wait for a lock."""
    with one_line(path):
        # We begin transactions ourselves. The module's implicit ones do not cover PRAGMA and SELECT.
        uri = f"file:{quote(os.fsencode(path))}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=lock_seconds, isolation_level=None)


def lock_for_writing(path: Path) -> sqlite3.Connection:
    """Keep other runs from writing to a results file for as long as the returned connection is open.

    The lock is a file of its own, because the results must stay readable. It is an SQLite lock: these work on every system,
    are not inherited by child processes, and vanish with the process however it ends.
    """
    place = path.with_name(path.name + ".lock")
    with one_line(path):
        lock = sqlite3.connect(place, timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if _code(error) == sqlite3.SQLITE_BUSY:
                raise StoreBusyError(f"{path}: another run is writing to it; wait for it, or choose another --store") from None
            raise
    return lock


def move_aside(path: Path) -> None:
    """Rename a results file, whatever it holds, to a free name."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.old-{number}{path.suffix}")).exists():
        number += 1
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0)) as db:
        # After this there is usually nothing left beside the file.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try:
        for ending in ("-wal", "-shm", ""):
            beside = path.with_name(path.name + ending)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise StoreError(f"{path}: cannot be renamed to {aside.name}: {error.strerror}") from None


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def one_line(path: Path) -> Iterator[None]:
    """Turn an SQLite error into a StoreError of one line."""
    try:
        yield
    except sqlite3.Error as error:
        code = _code(error)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusyError(f"{path}: another program keeps it locked; try again when it has finished") from None
        reasons = {
            # Our statements are right, so it is the tables that are not.
            sqlite3.SQLITE_ERROR: f"is damaged: {printable(str(error), 100)}",
            sqlite3.SQLITE_FULL: "the disk is full; what was saved before is safe",
            sqlite3.SQLITE_IOERR: "cannot be read or written (is the disk full?); what was saved before is safe",
            sqlite3.SQLITE_NOTADB: "expected a results file, found something else",
            sqlite3.SQLITE_CORRUPT: "is damaged",
            sqlite3.SQLITE_CANTOPEN: "cannot be opened: does its folder exist, and may you write there?",
            sqlite3.SQLITE_READONLY: "may not be written to",
        }
        raise StoreError(f"{path}: {reasons.get(code) or printable(str(error), 100)}") from None
    except UnicodeError:
        # In a message of SQLite's that quotes the file.
        raise StoreError(f"{path}: is damaged") from None
