"""Results files: SQLite databases with damaged bytes, and whole ones with other cells than a run would write."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from functools import cache
from pathlib import Path

from gojudge.errors import JudgeError
from tests.fuzz.mutations import BYTES, NUMBERS
from tests.fuzz.readers import Reader
from tests.support.stores import game, opened
from tournament.results.standings import standings
from tournament.store.store import read_store

_NAME = "cup.db"
_CELLS = {
    "events": ("name", "hash", "rubric", "text"),
    "runs": ("started", "host", "versions"),
    "entrants": ("entrant", "name", "digest", "reference", "players", "entry", "class_name", "kind", "current"),
    "games": (
        "id", "black", "white", "winner", "termination", "forfeited_by", "black_moves", "white_moves", "black_seconds",
        "white_seconds",
        "black_worst", "white_worst", "seed", "black_score", "white_score", "tier", "replays", "run", "superseded", "detail",
        "notes",
        "moves", "times", "texts",
    ),
}  # fmt: skip


@cache
def _database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _NAME
        with opened(path) as store:
            for number in range(1, 5):
                fields = {"evidence": "Traceback", "black_log": "said", "notes": ("late",)} if number == 2 else {}
                store.add(game(f"alice-bob-{number:03}", **fields))
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        return path.read_bytes()


def _odd_database(rng: random.Random) -> bytes:
    """Return a sound database in which some cells hold something else."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    # A database in memory has no log beside it; bytes 18 and 19 say whether there is one.
    data = _database()
    db.deserialize(data[:18] + b"\1\1" + data[20:])
    for _ in range(rng.randrange(1, 4)):
        table = rng.choice(tuple(_CELLS))
        value = rng.choice((
            None, rng.choice(NUMBERS), rng.choice(BYTES), rng.choice(NUMBERS).decode(), rng.choice((-1, 0, 1, 2, 2**62,
                -2**63, 0.5, 1e308)),
            float("inf"), rng.choice(("[]", "{}", "null", '["a"]', '{"kind": 1}', "[[[", "x", "\x1b[2J", "a-b-001")),
        ))  # fmt: skip
        try:
            db.execute(f"UPDATE {table} SET {rng.choice(_CELLS[table])} = ? WHERE rowid % ? = 0", (value, rng.choice((1, 2))))
        except sqlite3.Error:
            continue
    with db:
        changed = db.serialize()
    db.close()
    return changed


def _read_store(data: bytes, folder: Path) -> str:
    path = folder / _NAME
    for ending in ("", "-wal", "-shm"):
        path.with_name(_NAME + ending).unlink(missing_ok=True)
    path.write_bytes(data)
    with read_store(path) as store:
        rows, entrants, results = store.rows(), store.entrants(), list(store.results())
        told = f"{store.event.kind} {len(rows)} {len(entrants)} {len(results)} {len(store.runs())} {len(store.tiers())}"
    standings(rows, (entrant.name for entrant in entrants))
    return told


READERS = {
    "store": Reader(
        lambda: [_database()], _read_store, (JudgeError,), (b"SQLite format 3\0", b"GoCH", b"CREATE TABLE"),
        (_odd_database,), most_bytes=2**20,
    ),
}  # fmt: skip
