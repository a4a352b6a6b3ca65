"""The results file: an SQLite database that holds one event.

    store = open_store(Path("cup.db"), event)       to write; one process at a time
    store.begin_run(entrants, run)                  who plays now; games of changed contents are played anew
    store.keep_run()                                once this returns, that is on the disk; until then it can be taken back
    store.add(result, ...)                          once this returns, the games are on the disk
    store.expel(workers, games)                     these games, of workers of a cluster, count no more
    store = read_store(Path("cup.db"))              to read, even while another process writes
    store.rows(), store.results(), store.result(id)

Nothing is ever deleted. If a submission is handed in anew, its old games are marked as superseded; if a new event needs
the file's name, the old file is renamed. Every method may raise StoreError, a message in one line that names the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from goban.common.excerpts import quoted, suggestion
from goban.common.files import read_bounded, take_lock
from gojudge.records import Entrant, GameResult
from tournament.errors import OtherEventError, StoreBusyError, StoreError, StoreVersionError
from tournament.events.event_files import engine_text, event_from_text, event_hash, event_text
from tournament.events.events import (
    NO_RUBRIC,
    USUAL,
    Basis,
    Event,
    Machine,
    differences,
    file_of,
    mark_changes,
    record_of,
    unknown_record,
)
from tournament.events.schedules import Key, new_key
from tournament.store.stored_games import (
    DETAILS,
    ENTRANT,
    EVENT,
    RUN,
    SUMMARY,
    WORKER,
    Run,
    StoredGames,
    check_row,
    checksum,
    insertion,
    one_line,
    pack_moves,
    pack_people,
    pack_texts,
    pack_times,
    times_of,
)

__all__ = ["Run", "Store", "open_store", "read_store"]

VERSION = 2
# Tells our files from other SQLite databases: "GoCH".
_APPLICATION = 0x476F4348

# What SQLite keeps beside a file.
_JOURNALS = ("-wal", "-shm", "-journal")

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
_DIGITS = 64
"""Digits of a rubric's digest, which the first files hold in place of its text."""


def open_store(
    path: Path,
    event: Event,
    basis: Basis = NO_RUBRIC,
    *,
    key: Key | None = None,
    machine: Machine = USUAL,
    force_new: bool = False,
    lock_seconds: float = 10.0,
    named_by: str = "name",
) -> Store:
    """Open an event's results file to write, creating it if need be.

    basis: what its rubric decides. key: the one that the file must have; None for whichever it has, and for a secret one in a
    new file. machine: stored in a new file, for whoever plays its games again. force_new: rename an existing file and begin a
    new one. lock_seconds: seconds to wait for another process's transaction. named_by: the parameter of a command by which the
    user chooses the file; an error names it as a way out. Raises OtherEventError if the file holds another event or key, and
    StoreBusyError if another run writes to it.
    """
    with one_line(path), ExitStack() as undone:
        lock = undone.enter_context(closing(lock_for_writing(path, named_by)))
        if force_new and path.exists():
            move_aside(path)
        if not path.exists() or not path.stat().st_size:
            create(path, _event_row(event, machine, basis, key or new_key()))
        store = undone.enter_context(Store(path, connect(path, "rw", lock_seconds), lock, named_by))
        store._prepare(event, basis, key)
        undone.pop_all()
        return store


def read_store(path: Path | str, lock_seconds: float = 10.0) -> Store:
    """Open a results file to read. Raises StoreError if there is none."""
    path = Path(path)
    if not path.is_file():
        raise StoreError(f"{path}: expected a results file, found {'a folder' if path.is_dir() else 'nothing'}")
    if not path.stat().st_size:
        raise StoreError(f"{path}: expected a results file, found an empty file")
    with one_line(path), ExitStack() as undone:
        store = undone.enter_context(Store(path, connect(path, _reading_mode(path), lock_seconds)))
        store._check_tables()
        store._load_event()
        undone.pop_all()
        return store


def read_results(path: Path) -> Store:
    """Open a results file to show it, without the players who are `named_without`.

    Raises StoreError, also for a name that no player has.
    """
    with ExitStack() as undone:
        store = undone.enter_context(read_store(path))
        known = {entrant.name for entrant in store.entrants()}
        for number, name in (names := named_without(path)).items():
            if name not in known:
                wrong = f"expected the name of a player, got {quoted(name)}{suggestion(name, known)}"
                raise StoreError(f"{without_beside(path)}, line {number}: {wrong}")
        store.left_out = tuple(names.values())
        undone.pop_all()
        return store


def without_beside(path: Path) -> Path:
    """Return the file in which people name, one a line, those who are to be left out of standings, pages and exports."""
    return path.with_name(f"{path.name}.without.txt")


def named_without(path: Path) -> dict[int, str]:
    """Return line -> name of those whom the file beside a results file names; {} without such a file. Raises StoreError."""
    file = without_beside(path)
    try:
        lines = read_bounded(file, _MOST_NAMED_BYTES).decode("utf-8-sig", "replace").splitlines()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}") from error
    return {number: name for number, line in enumerate(lines, 1) if (name := line.strip())}


_MOST_NAMED_BYTES = 1_000_000


def _reading_mode(path: Path) -> str:
    """Return SQLite's mode for a file that is only read.

    A connection that may not write leaves SQLite's auxiliary files behind, so we open to write where we may. In a folder
    that we may not write to, SQLite cannot create them: a file without a journal is opened as immutable, since no run is
    writing to it.
    """
    if os.access(path.absolute().parent, os.W_OK):
        return "rw" if os.access(path, os.W_OK) else "ro"
    return "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"


class Store(StoredGames):
    """See the top of this file; made by `open_store` and `read_store`.

    event, key: those that the file holds. rubric: the text of its basis; the first files have a digest instead, see
    `tournament.events.events`. machine: that of the run that made the file, whatever later runs had. changes: in what the
    rubric with which it was opened to write differs from the one it had, where marks depend on that.
    """

    event: Event
    rubric: str
    machine: Machine
    changes: Sequence[str] = ()

    def __init__(
        self, path: Path, db: sqlite3.Connection, lock: sqlite3.Connection | None = None, named_by: str = "name"
    ) -> None:
        super().__init__(path, db)
        self._lock = lock
        self._named_by = named_by
        self._run = 0
        self._about = Run("", "", "")
        # address of a cluster's worker -> the number of the run that its games belong to
        self._of_workers: dict[str, int] = {}
        self._numbers: dict[str, int] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the file; after an error, a run without games has not been."""
        if kind is not None:
            with suppress(sqlite3.Error):
                self._db.rollback()
        self.close()

    def close(self) -> None:
        """Close the file; never raises."""
        with suppress(sqlite3.Error):
            self._db.commit()
        for connection in (self._db, self._lock):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    # Writing

    def begin_run(self, entrants: Sequence[Entrant], run: Run) -> dict[str, int]:
        """Record who plays. Return, for each submission that has changed, how many of its games are to be played again.

        Those played by its other contents are kept, marked as superseded. Call `keep_run` once nothing can be refused any more.
        """
        with self._writing():
            self._about, self._of_workers = run, {}
            self._run = self._new_run(run)
            changed = {entrant.name: self._games_of_others(entrant) for entrant in entrants}
            changed = {name: games for name, games in changed.items() if games}
            old = {number for entrant in entrants for number in self._others(entrant)} if changed else set()
            for entrant in entrants:
                self._numbers[entrant.name] = self._enter(entrant)
            self._db.executemany(
                "UPDATE games SET superseded = ? WHERE superseded = 0 AND ? IN (black, white)",
                [(self._run, number) for number in sorted(old)],
            )
        return changed

    def keep_run(self) -> None:
        """Have the run that was begun on the disk, so that whoever reads the file sees who plays."""
        with self._transaction():
            pass

    def _new_run(self, run: Run) -> int:
        about = (run.started, run.host, run.versions)
        return self._db.execute(insertion("runs", RUN), (*about, checksum(about))).lastrowid or 0

    def _others(self, entrant: Entrant) -> list[int]:
        """Return the numbers of an entrant's earlier forms: with other contents, or another file or class that plays."""
        if file_of(entrant.reference) is not None:
            # Its digest is its path, and what it holds is part of the event.
            return []
        # An engine has no file; all that counts of how it is started is in its digest.
        other_file = "" if entrant.engine is not None else " OR entry <> :entry"
        rows = self._db.execute(
            "SELECT entrant FROM entrants WHERE name = :name "
            f"AND (digest <> :digest OR class_name <> :class_name OR kind <> :kind{other_file})",
            {key: getattr(entrant, key) for key in ("name", "digest", "class_name", "kind", "entry")},
        )
        return [number for (number,) in rows]

    def _games_of_others(self, entrant: Entrant) -> int:
        """Count the current games under an entrant's name that were not played by what plays now."""
        numbers = self._others(entrant)
        # This scans the table of games, so it is done only for entrants that have changed.
        counts = [
            self._db.execute("SELECT count(*) FROM games WHERE superseded = 0 AND ? IN (black, white)", (number,)).fetchone()[0]
            for number in numbers
        ]
        return sum(counts)

    def _enter(self, entrant: Entrant) -> int:
        entry = entrant.entry if entrant.engine is None else engine_text(entrant.engine)
        about = (
            entrant.name, entrant.digest, entrant.reference, pack_people(entrant), entry, entrant.class_name, entrant.kind,
        )  # fmt: skip
        self._db.execute("UPDATE entrants SET current = 0 WHERE name = ?", (entrant.name,))
        self._db.execute(
            f"{insertion('entrants', f'{ENTRANT}, current')} ON CONFLICT (name, digest) DO UPDATE SET "
            "reference = excluded.reference, players = excluded.players, entry = excluded.entry, "
            "class_name = excluded.class_name, kind = excluded.kind, checksum = excluded.checksum, current = 1",
            (*about, checksum(about), 1),
        )
        row = self._db.execute("SELECT entrant FROM entrants WHERE name = ? AND current", (entrant.name,))
        return int(row.fetchone()[0])

    def add(self, *results: GameResult) -> None:
        """Store finished games, none of them void, in one transaction: all or none. Their players must be in this run.

        What a cluster's worker plays is a run of its own, whose host names the worker.
        """
        with self._transaction():
            runs = {"": self._run} | self._of_workers
            for worker in dict.fromkeys(result.worker for result in results):
                if worker not in runs:
                    runs[worker] = self._new_run(replace(self._about, host=WORKER + worker))
            rows = [self._row(result, runs[result.worker]) for result in results]
            self._db.executemany(insertion("games", f"{SUMMARY}, {DETAILS}, superseded"), rows)
        self._of_workers = {worker: run for worker, run in runs.items() if worker}

    def expel(self, workers: Collection[str], games: Iterable[str]) -> None:
        """Let these games of these workers count no more, all or none. What a worker plays later belongs to another run."""
        with self._transaction():
            # Only a later run supersedes a game.
            run = self._new_run(self._about)
            self._db.executemany(
                "UPDATE games SET superseded = ? WHERE superseded = 0 AND id = ?", ((run, game) for game in games)
            )
        self._run = run
        self._of_workers = {worker: number for worker, number in self._of_workers.items() if worker not in workers}

    def _row(self, result: GameResult, run: int) -> tuple[object, ...]:
        spec = result.spec
        if result.winner is None:
            raise ValueError(f"game {spec.id} is void")
        (black_moves, black_seconds, black_worst), (white_moves, white_seconds, white_worst) = (
            times_of(result, colour) for colour in (1, 2)
        )
        summary = (
            spec.id, self._numbers[spec.black], self._numbers[spec.white], result.winner, result.termination.value,
            result.forfeited_by, black_moves, white_moves, black_seconds, white_seconds, black_worst, white_worst,
        )  # fmt: skip
        details = (
            float(result.black_score), float(result.white_score), str(result.tier), result.replays, run, result.detail,
            json.dumps(result.notes) if result.notes else "", pack_moves(result.turns), pack_times(result.turns),
            pack_texts(result),
        )  # fmt: skip
        return (*summary, checksum(summary), *details, checksum((spec.id, *details)), 0)

    # The file itself

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write all that the block writes, and what was begun before, or none of it."""
        with self._writing():
            yield
            self._db.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write what stays only with the next transaction, or if the file is closed without one and without an error."""
        with one_line(self.path):
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                # If the disk is full, SQLite has rolled back already.
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    def differences(self, event: Event, basis: Basis) -> list[str]:
        """Return how an event differs from the file's, where results depend on that; see `tournament.events.events`."""
        return differences(self.event, event, self._record(basis), basis.record)

    def mark_changes(self, basis: Basis) -> list[str]:
        """Return how a rubric differs from the file's, where marks depend on that."""
        return mark_changes(self._record(basis), basis.record)

    def _record(self, basis: Basis) -> Mapping[str, Any] | None:
        """Return the record of the file's rubric; where it has a digest, what else is known, or the rubric it fits."""
        if not _is_digest(self.rubric):
            return record_of(self.rubric)
        if self.rubric == basis.digest:
            return basis.record
        return unknown_record({one.name: one.reference for one in self.entrants() if one.reference})

    def _prepare(self, event: Event, basis: Basis, key: Key | None) -> None:
        """Check that the file is about this event, and make it ready for games."""
        self._check_tables()
        self._db.execute("PRAGMA journal_mode = WAL")
        # A game that has been stored must survive a power failure.
        self._db.execute("PRAGMA synchronous = FULL")
        before = self._load_event()
        ways_out = f"give it another `{self._named_by}`, or move the old file away"
        record = self._record(basis)
        if different := differences(self.event, event, record, basis.record):
            raise OtherEventError(
                f"{self.path}: holds another event, {self.event.name!r}: {', '.join(different)}; {ways_out}"
            )
        if key not in (None, self.key):
            raise OtherEventError(
                f"{self.path}: its key is another than that of the seed given; leave the seed out to go on, {ways_out}"
            )
        self.changes = mark_changes(record, basis.record)
        row = _event_row(event, self.machine, basis, self.key)
        if row != before:
            with self._writing():
                columns = ", ".join(f"{column} = ?" for column in EVENT.split(", "))
                self._db.execute(f"UPDATE events SET {columns}", (*row, checksum(row)))
        self.event, self.rubric = event, basis.text

    def _load_event(self) -> Sequence[object]:
        """Set event, machine, rubric and key; return the row that holds them."""
        try:
            row = check_row(self.path, "event", next(self._query(f"SELECT {EVENT} FROM events")))
            _, _, self.rubric, text, secret = row
            self.event, self.machine = event_from_text(text)
            self.key = Key(secret)
            if not _is_digest(self.rubric):
                record_of(self.rubric)
        except (StopIteration, ValueError, TypeError, KeyError):
            raise StoreError(f"{self.path}: is damaged: it does not say which event it belongs to") from None
        except StoreVersionError as error:
            raise self._of_other_version(str(error)) from None
        return row

    def _check_tables(self) -> None:
        """Raise StoreVersionError if the file is another version's, StoreError if it is something else or has other tables."""
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise StoreError(f"{self.path}: expected a results file, found another kind of SQLite database")
        if version != VERSION:
            raise self._of_other_version(f"expected a results file of version {VERSION}, found version {version}")
        tables = self._db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")
        if [sql for (sql,) in tables] != _TABLES:
            raise StoreError(f"{self.path}: is damaged: its tables are not those of a results file")

    def _of_other_version(self, what: str) -> StoreVersionError:
        """Return the error of a file that another version of this program wrote."""
        ways_out = f"read it with the version that wrote it, or give the event another `{self._named_by}`"
        return StoreVersionError(f"{self.path}: {what}: {ways_out}")


def _event_row(event: Event, machine: Machine, basis: Basis, key: Key) -> tuple[object, ...]:
    """Return what EVENT names, but for the checksum."""
    return event.name, event_hash(event, basis), basis.text, event_text(event, machine), key.secret


def _is_digest(text: str) -> bool:
    return len(text) == _DIGITS and not text.startswith("{")


# The file itself: open it, lock it, rename it, make it.


def connect(path: Path, mode: str, lock_seconds: float) -> sqlite3.Connection:
    """Open a results file. mode: as in SQLite's file names, 'rwc' or 'ro'; lock_seconds: seconds to wait for a lock."""
    # We begin transactions ourselves. The module's implicit ones do not cover PRAGMA and SELECT.
    uri = f"file:{quote(os.fsencode(path))}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=lock_seconds, isolation_level=None)


def lock_for_writing(path: Path, named_by: str = "name") -> sqlite3.Connection:
    """Keep other runs from writing to a results file for as long as the returned connection is open.

    The lock is a file of its own, because the results must stay readable. named_by: see `open_store`.
    """
    with one_line(path):
        lock = take_lock(path.with_name(path.name + ".lock"))
    if lock is None:
        raise StoreBusyError(f"{path}: another run is writing to it; wait for it, or give the event another `{named_by}`")
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


def create(path: Path, event: Sequence[object]) -> None:
    """Make a results file for an event, given as EVENT names it but for the checksum. It is there whole or not at all.

    Only this user may read it: it holds the event's key.
    """
    beside = path.with_name(f"{path.name}.part")
    try:
        _remove(beside, "", *_JOURNALS)
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(connect(beside, "rw", 0.0)) as db:
            db.execute("BEGIN")
            for statement in (*_TABLES, f"PRAGMA application_id = {_APPLICATION}", f"PRAGMA user_version = {VERSION}"):
                db.execute(statement)
            db.execute(insertion("events", EVENT), (*event, checksum(event)))
            db.execute("COMMIT")
        # What an older file has left under these names would be taken for this one's.
        _remove(path, *_JOURNALS)
        beside.replace(path)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            _remove(beside, "", *_JOURNALS)
        if isinstance(error, sqlite3.Error):
            raise
        raise StoreError(f"{path}: cannot be created: {error.strerror}") from None
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
