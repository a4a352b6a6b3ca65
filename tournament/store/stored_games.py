"""The reading half of `tournament.store.store`: the games of a results file, in full or in few columns."""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tournament.errors import StoreError
from tournament.records import Entrant, GameResult, GameRow, GameSpec
from tournament.store.packing import unpack_texts, unpack_turns
from tournament.store.store_files import one_line
from tournament.verdicts import Termination

SUMMARY = (
    "id, black, white, winner, termination, forfeited_by, black_moves, white_moves, black_seconds, white_seconds, "
    "black_worst, white_worst"
)
DETAILS = "seed, black_score, white_score, tier, replays, run, superseded, detail, notes, moves, times, texts"


@dataclass(frozen=True)
class Run:
    """One run of the program. started: ISO 8601; versions: of Python and of this program, as reports show them."""

    started: str
    host: str
    versions: str


class StoredGames:
    """The queries on a results file; see `tournament.store.store`."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    def finished(self) -> dict[str, str]:
        """Return id -> who was Black, for every game that counts."""
        names = self._names()
        return {game_id: names[black] for game_id, black in self._select("id, black")}

    def rows(self) -> list[GameRow]:
        """Return every game that counts, sorted by id, in few columns: light enough for 200,000 games."""
        names, endings = self._names(), {ending.value: ending for ending in Termination}
        try:
            return [
                GameRow(game_id, names[black], names[white], winner, endings[termination], *rest)
                for game_id, black, white, winner, termination, *rest in self._select(SUMMARY)
            ]
        except KeyError as error:
            raise StoreError(f"{self.path}: is damaged: a game of {error}, which is unknown") from None

    def results(self, *, superseded: bool = False) -> Iterator[GameResult]:
        """Yield in full every game that counts, sorted by id; or, if `superseded`, those that no longer do, as played."""
        names = self._names()
        where = "superseded > 0 ORDER BY game" if superseded else "superseded = 0 ORDER BY id"
        return (self._result(row, names) for row in self._select(f"{SUMMARY}, {DETAILS}", where))

    def result(self, game_id: str) -> GameResult:
        """Return the game of this id that counts; raises StoreError if there is none."""
        where = "superseded = 0 AND id = ?"
        for row in self._select(f"{SUMMARY}, {DETAILS}", where, (game_id,)):
            return self._result(row, self._names())
        raise StoreError(f"{self.path}: expected the id of a finished game, got {game_id!r}")

    def entrants(self) -> list[Entrant]:
        """Return the entrants by name, without folders. Of a submission handed in anew, the last contents count."""
        with one_line(self.path):
            rows = self._db.execute(
                "SELECT name, players, reference, entry, class_name, digest, kind FROM entrants WHERE current ORDER BY name"
            ).fetchall()
        return [
            Entrant(name, tuple(json.loads(students)), reference, Path(), entry, class_name, digest, kind)
            for name, students, reference, entry, class_name, digest, kind in rows
        ]

    def runs(self) -> list[Run]:
        """Return when and where games were played, first to last."""
        with one_line(self.path):
            return [Run(*row) for row in self._db.execute("SELECT started, host, versions FROM runs ORDER BY run")]

    def tiers(self) -> dict[str, int]:
        """Return tier -> number of games that count; '' is the tier of games between reference players."""
        with one_line(self.path):
            return dict(self._db.execute("SELECT tier, count(*) FROM games WHERE superseded = 0 GROUP BY tier ORDER BY tier"))

    def _result(self, row: Sequence[Any], names: Mapping[int, str]) -> GameResult:
        try:
            return _result(row, names)
        except (ValueError, KeyError, TypeError, struct.error, zlib.error):
            raise StoreError(f"{self.path}: game {row[0]!r} is damaged") from None

    def _names(self) -> dict[int, str]:
        with one_line(self.path):
            return dict(self._db.execute("SELECT entrant, name FROM entrants"))

    def _select(
        self, columns: str, where: str = "superseded = 0 ORDER BY id", values: Sequence[object] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield rows of the table of games. Each call has a cursor of its own, so that games can be added meanwhile."""
        with one_line(self.path):
            yield from self._db.execute(f"SELECT {columns} FROM games WHERE {where}", values)


def _result(row: Sequence[Any], names: Mapping[int, str]) -> GameResult:
    """Return the game in a row that has all columns."""
    game_id, black, white, winner, termination, forfeited_by = row[:6]
    seed, black_score, white_score, tier, replays, _, _, detail, notes, moves, times, texts = row[12:]
    evidence, black_log, white_log, last = unpack_texts(texts)
    return GameResult(
        GameSpec(game_id, names[black], names[white], seed),
        winner,
        black_score,
        white_score,
        Termination(termination),
        forfeited_by,
        detail,
        evidence,
        unpack_turns(moves, times),
        last,
        black_log,
        white_log,
        tier,
        replays,
        tuple(json.loads(notes)) if notes else (),
    )
