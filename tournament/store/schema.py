"""The tables of a results file: make a new file with them, and tell whether a file has them.

Each row ends with a checksum of what it says; of a game there are two, so that standings need not read its moves. Whether an
entrant's contents are current, and a game superseded, may change, and stands outside the checksum.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from common.excerpts import quoted
from tournament.errors import StoreError, StoreVersionError
from tournament.store.store_files import connect, one_line

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


def checked(path: Path, what: str, row: Sequence[Any]) -> Sequence[Any]:
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
    except OSError as error:
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
            "read it with the program that wrote it, or choose another --store"
        )
    with one_line(path):
        if [sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")] != _TABLES:
            raise StoreError(f"{path}: is damaged: its tables are not those of a results file")
