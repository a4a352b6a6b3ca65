"""The reading half of `tournament.store.store`: the games of a results file, in full or in few columns.

Every row is held against its checksum before it is used, so a damaged file gives a StoreError and never another result.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from common.excerpts import quoted
from tournament.errors import StoreError
from tournament.events.chance import Key
from tournament.events.engines import engine_from_text
from tournament.records import ENGINE, Engine, Entrant, GameResult, GameRow, GameSpec, Tier
from tournament.store.packing import unpack_people, unpack_texts, unpack_turns
from tournament.store.schema import DETAILS, ENTRANT, RUN, SUMMARY, checked
from tournament.store.store_files import one_line
from tournament.verdicts import Termination

_IN_SUMMARY = len(SUMMARY.split(","))
_AT_ONCE = 100
"""Games read by one query."""


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

    def rows_after(self, run: int) -> list[GameRow]:
        """Return every game that counted after the run of this number, sorted by id: what marks of that time were made of."""
        return list(self._rows(f"run <= {run:d} AND (superseded = 0 OR superseded > {run:d}) ORDER BY id"))

    def run_number(self) -> int:
        """Return the number of the last run, from 1; 0 if there was none."""
        return int(next(self._query("SELECT coalesce(max(run), 0) FROM runs"))[0])

    def results(self, *, superseded: bool = False) -> Iterator[GameResult]:
        """Yield in full every game that counts, sorted by id; or, if `superseded`, those that no longer do, as played."""
        names = self._names()
        # Only a later run supersedes a game. The mark has no checksum, because it changes.
        if superseded and any(self._select("id", "superseded <> 0 AND superseded <= run")):
            raise StoreError(f"{self.path}: is damaged: a game is marked as played anew before it was played")
        where = "superseded > 0 ORDER BY game" if superseded else "superseded = 0 ORDER BY id"
        return (self._result(row, names) for row in self._select(f"{SUMMARY}, {DETAILS}", where))

    def results_of(self, game_ids: Iterable[str]) -> Iterator[GameResult]:
        """Yield in full the games of these ids that count, in their order."""
        names, ids = self._names(), iter(game_ids)
        while some := list(islice(ids, _AT_ONCE)):
            where = f"superseded = 0 AND id IN ({', '.join('?' * len(some))})"
            rows = {row[0]: row for row in self._select(f"{SUMMARY}, {DETAILS}", where, some)}
            yield from (self._result(rows[game_id], names) for game_id in some if game_id in rows)

    def result(self, game_id: str) -> GameResult:
        """Return the game of this id that counts; raises StoreError if there is none."""
        for result in self.results_of([game_id]):
            return result
        raise StoreError(f"{self.path}: expected the id of a finished game, got {game_id!r}")

    def entrants(self) -> list[Entrant]:
        """Return the entrants by name, submissions without folders. Of one handed in anew, the last contents count."""
        found = []
        for _, (name, digest, reference, people, entry, class_name, kind), current in self._entrants():
            if current:
                students, fields = unpack_people(people)
                engine = self._engine(name, entry) if kind == ENGINE else None
                found.append(Entrant(name, students, reference, Path(), entry, class_name, digest, kind, fields, engine))
        return found

    def _engine(self, name: str, text: str) -> Engine:
        try:
            return engine_from_text(text)
        except (ValueError, KeyError, TypeError):
            raise StoreError(f"{self.path}: entrant {quoted(name)} is damaged") from None

    def different_games(self) -> int:
        """Return how many of the games that count differ from each other in players, colours, moves or end."""
        columns = f"{SUMMARY}, {DETAILS}"
        black, white, end, moves = (columns.split(", ").index(name) for name in ("black", "white", "termination", "moves"))
        found = set()
        for row in self._select(columns):
            checked(self.path, "game", row[:_IN_SUMMARY])
            checked(self.path, "game", (row[0], *row[_IN_SUMMARY:]))
            found.add((row[black], row[white], row[end], row[moves]))
        return len(found)

    def runs(self) -> list[Run]:
        """Return when and where games were played, first to last."""
        return [Run(*checked(self.path, "run", row)) for row in self._query(f"SELECT {RUN} FROM runs ORDER BY run")]

    def last_run(self) -> Run | None:
        """Return the run in which the last game that counts was played; without games the last run, if there is one."""
        last = "SELECT run FROM games WHERE superseded = 0 ORDER BY game DESC LIMIT 1"
        for row in self._query(f"SELECT {RUN} FROM runs ORDER BY run = ({last}) DESC, run DESC LIMIT 1"):
            return Run(*checked(self.path, "run", row))
        return None

    def tiers(self) -> dict[str, int]:
        """Return tier -> number of games that count; '' is the tier of games between reference players."""
        query = "SELECT tier, count(*) FROM games WHERE superseded = 0 GROUP BY tier ORDER BY tier"
        found = dict(self._query(query))
        for tier in found:
            if tier not in ("", *Tier):
                raise StoreError(f"{self.path}: is damaged: a game at tier {quoted(tier)}, which is unknown")
        return found

    def _rows(self, where: str = "superseded = 0 ORDER BY id") -> Iterator[GameRow]:
        names, endings = self._names(), {ending.value: ending for ending in Termination}
        try:
            for row in self._select(SUMMARY, where):
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
