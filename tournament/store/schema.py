"""The tables of a results file: make a new file with them, and tell whether a file has them.

Each row ends with a checksum of what it says; of a game there are two, so that standings need not read its moves. Whether an
entrant's contents are current, and a game superseded, may change, and stands outside the checksum.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from goban.common.excerpts import printable, quoted
from tournament.errors import StoreBusyError, StoreError, StoreVersionError

# The results file as a file: open it, lock it, rename it, and put SQLite's errors into words. `store` uses this.


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
                ways_out = "wait for it, or give the event another --name"
                raise StoreBusyError(f"{path}: another run is writing to it; {ways_out}") from None
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


VERSION = 2
# Tells our files from other SQLite databases: "GoCH".
_APPLICATION = 0x476F4348

# What SQLite keeps beside a file.
_JOURNALS = ("-wal", "-shm", "-journal")

EVENT = "name, hash, rubric, text, key, checksum"
RUN = "started, host, versions, checksum"
ENTRANT = "name, digest, reference, players, entry, class_name, kind, checksum"
SUMMARY = (
    "id, black, white, winner, termination, forfeited_by, black_moves, white_moves, black_seconds, white_seconds, "
    "black_worst, white_worst, summary_checksum"
)
DETAILS = "black_score, white_score, tier, replays, run, detail, notes, moves, times, texts, checksum"
"""The columns that are written and read together, their checksum last. That of DETAILS covers the game's id too."""

_TABLES = """
CREATE TABLE events (name TEXT, hash TEXT, rubric TEXT, text TEXT, key BLOB, checksum INTEGER);
CREATE TABLE runs (run INTEGER PRIMARY KEY, started TEXT, host TEXT, versions TEXT, checksum INTEGER);
CREATE TABLE entrants (
    entrant INTEGER PRIMARY KEY, name TEXT, digest TEXT, reference TEXT, players TEXT, entry TEXT, class_name TEXT,
    kind TEXT, checksum INTEGER, current INTEGER, UNIQUE (name, digest));
CREATE TABLE games (
    game INTEGER PRIMARY KEY, id TEXT, black INTEGER, white INTEGER, winner INTEGER, termination TEXT,
    forfeited_by INTEGER, black_moves INTEGER, white_moves INTEGER, black_seconds REAL, white_seconds REAL,
    black_worst REAL, white_worst REAL, summary_checksum INTEGER, black_score REAL, white_score REAL, tier TEXT,
    replays INTEGER, run INTEGER, detail TEXT, notes TEXT, moves TEXT, times BLOB, texts BLOB, checksum INTEGER,
    superseded INTEGER);
CREATE UNIQUE INDEX current_games ON games (id) WHERE superseded = 0
""".strip().split(";\n")


def insertion(table: str, columns: str) -> str:
    """Return the statement that puts a row into a table."""
    return f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(columns.split(',')))})"


def checksum(values: Sequence[object]) -> int:
    """Return the CRC-32 of numbers, texts and bytes as they come back from the file: a REAL column gives floats."""
    return zlib.crc32(ascii(tuple(values)).encode())


def _checksum_before(values: Sequence[object]) -> int:
    """Return the checksum as it was made first. It depends on which characters Python knows, so newer ones read as damage."""
    return zlib.crc32(repr(tuple(values)).encode("utf-8", "backslashreplace"))


def check_row(path: Path, what: str, row: Sequence[Any]) -> Sequence[Any]:
    """Return a row without its checksum, the last value; raises StoreError if that is wrong. what: as 'game'."""
    *values, found = row
    if found not in (checksum(values), _checksum_before(values)):
        raise StoreError(f"{path}: {what} {quoted(values[0])} is damaged")
    return values


def create(path: Path, event: Sequence[object]) -> None:
    """Make a results file for an event, given as EVENT names it but for the checksum. It is there whole or not at all.

    Only this user may read it: it holds the event's key.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        _remove(beside, "", *_JOURNALS)
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL, 0o600))
        with one_line(path), closing(connect(beside, "rw", 0.0)) as db:
            db.execute("BEGIN")
            for statement in (*_TABLES, f"PRAGMA application_id = {_APPLICATION}", f"PRAGMA user_version = {VERSION}"):
                db.execute(statement)
            db.execute(insertion("events", EVENT), (*event, checksum(event)))
            db.execute("COMMIT")
        # What an older file has left under these names would be taken for this one's.
        _remove(path, *_JOURNALS)
        beside.replace(path)
    except (OSError, StoreError) as error:
        with suppress(OSError):
            _remove(beside, "", *_JOURNALS)
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{path}: cannot be made: {error.strerror}") from None
    _sync(path.absolute().parent)


def _remove(path: Path, *endings: str) -> None:
    for ending in endings:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Have the name of a new file on the disk before its first game."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_tables(path: Path, db: sqlite3.Connection) -> None:
    """Raise StoreVersionError if a file is another version's, StoreError if it is something else or has not our tables."""
    with one_line(path):
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise StoreError(f"{path}: expected a results file, found another kind of SQLite database")
    if version != VERSION:
        raise StoreVersionError(
            f"{path}: expected a results file of version {VERSION}, found version {version}: "
            "read it with the program that wrote it, or give the event another --name"
        )
    with one_line(path):
        if [sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")] != _TABLES:
            raise StoreError(f"{path}: is damaged: its tables are not those of a results file")
