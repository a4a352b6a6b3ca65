"""The reading half of `tournament.store.store`: the games of a results file, in full or in few columns.

Every row is held against its checksum before it is used, so a damaged file gives a StoreError and never another result.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.excerpts import quoted
from tournament.errors import StoreError
from tournament.events.chance import Key
from tournament.records import Entrant, GameResult, GameRow, GameSpec, Tier
from tournament.store.packing import unpack_texts, unpack_turns
from tournament.store.schema import DETAILS, ENTRANT, RUN, SUMMARY, checked
from tournament.store.store_files import one_line
from tournament.verdicts import Termination

_IN_SUMMARY = len(SUMMARY.split(","))


@dataclass(frozen=True)
class Run:
    """One run of the program. started: ISO 8601; versions: of Python and of this program, as reports show them."""

    started: str
    host: str
    versions: str


class StoredGames:
    """The queries on a results file; see `tournament.store.store`. key: the event's, from which the seeds of games come."""

    key: Key

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    def finished(self) -> dict[str, str]:
        """Return id -> who was Black, for every game that counts."""
        return {row.id: row.black for row in self._rows()}

    def rows(self) -> list[GameRow]:
        """Return every game that counts, sorted by id, in few columns: light enough for 200,000 games."""
        return list(self._rows())

    def results(self, *, superseded: bool = False) -> Iterator[GameResult]:
        """Yield in full every game that counts, sorted by id; or, if `superseded`, those that no longer do, as played."""
        names = self._names()
        # Only a later run supersedes a game. The mark has no checksum, because it changes.
        if superseded and any(self._select("id", "superseded <> 0 AND superseded <= run")):
            raise StoreError(f"{self.path}: is damaged: a game is marked as played anew before it was played")
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
        found = []
        for _, (name, digest, reference, students, entry, class_name, kind), current in self._entrants():
            if current:
                people = tuple(json.loads(students))
                found.append(Entrant(name, people, reference, Path(), entry, class_name, digest, kind))
        return found

    def runs(self) -> list[Run]:
        """Return when and where games were played, first to last."""
        return [Run(*checked(self.path, "run", row)) for row in self._query(f"SELECT {RUN} FROM runs ORDER BY run")]

    def tiers(self) -> dict[str, int]:
        """Return tier -> number of games that count; '' is the tier of games between reference players."""
        query = "SELECT tier, count(*) FROM games WHERE superseded = 0 GROUP BY tier ORDER BY tier"
        found = dict(self._query(query))
        for tier in found:
            if tier not in ("", *Tier):
                raise StoreError(f"{self.path}: is damaged: a game at tier {quoted(tier)}, which is unknown")
        return found

    def _rows(self) -> Iterator[GameRow]:
        names, endings = self._names(), {ending.value: ending for ending in Termination}
        try:
            for row in self._select(SUMMARY):
                game_id, black, white, winner, termination, *rest = checked(self.path, "game", row)
                yield GameRow(game_id, names[black], names[white], winner, endings[termination], *rest)
        except KeyError as error:
            raise StoreError(f"{self.path}: is damaged: a game of {error}, which is unknown") from None

    def _result(self, row: Sequence[Any], names: Mapping[int, str]) -> GameResult:
        summary = checked(self.path, "game", row[:_IN_SUMMARY])
        _, *details = checked(self.path, "game", (row[0], *row[_IN_SUMMARY:]))
        try:
            return _result(summary, details, names, self.key)
        except (ValueError, KeyError, TypeError, struct.error, zlib.error):
            raise StoreError(f"{self.path}: game {quoted(row[0])} is damaged") from None

    def _names(self) -> dict[int, str]:
        return {number: values[0] for number, values, _ in self._entrants()}

    def _entrants(self) -> Iterator[tuple[int, Sequence[Any], int]]:
        """Yield number, columns, and whether they are the current contents under this name, of every entrant by name."""
        for number, *row, current in self._query(f"SELECT entrant, {ENTRANT}, current FROM entrants ORDER BY name"):
            yield number, checked(self.path, "entrant", row), current

    def _select(
        self, columns: str, where: str = "superseded = 0 ORDER BY id", values: Sequence[object] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield rows of the table of games."""
        return self._query(f"SELECT {columns} FROM games WHERE {where}", values)

    def _query(self, query: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query. Each call has a cursor of its own, so that games can be added meanwhile."""
        with one_line(self.path):
            # Not `yield from`: it would close the cursor of a query that nobody reads to its end, perhaps after the file.
            for row in self._db.execute(query, values):  # noqa: UP028
                yield row


def _result(summary: Sequence[Any], details: Sequence[Any], names: Mapping[int, str], key: Key) -> GameResult:
    """Return the game whose columns these are."""
    game_id, black, white, winner, termination, forfeited_by = summary[:6]
    black_score, white_score, tier, replays, _, detail, notes, moves, times, texts = details
    evidence, black_log, white_log, last = unpack_texts(texts)
    return GameResult(
        GameSpec(game_id, names[black], names[white], key.seeds(game_id)),
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
