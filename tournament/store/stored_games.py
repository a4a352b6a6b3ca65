"""The reading half of `tournament.store.store`: the games of a results file, in full or in few columns.

Each row ends with a checksum of what it says; of a game there are two, so that standings need not read its moves. Whether an
entrant's contents are current, and a game superseded, may change, and stands outside the checksum. Every row is held against
its checksum before it is used, so a damaged file gives a StoreError and never another result.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from goban.common.excerpts import printable, quoted
from goban.common.files import primary_code
from gojudge.records import ENGINE, Engine, Entrant, Fields, GameResult, GameRow, GameSpec, Spent, Termination, Tier, Turn
from tournament.errors import StoreBusyError, StoreError
from tournament.events.event_files import engine_from_text
from tournament.events.schedules import Key

EVENT = "name, hash, rubric, text, key, checksum"
RUN = "started, host, versions, checksum"
ENTRANT = "name, digest, reference, players, entry, class_name, kind, checksum"
SUMMARY = (
    "id, black, white, winner, termination, forfeited_by, black_moves, white_moves, black_seconds, white_seconds, "
    "black_worst, white_worst, summary_checksum"
)
DETAILS = "black_score, white_score, tier, replays, run, detail, notes, moves, times, texts, checksum"
"""The columns that are written and read together, their checksum last. That of DETAILS covers the game's id too."""


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
    *values, sum_found = row
    if sum_found not in (checksum(values), _checksum_before(values)):
        raise StoreError(f"{path}: {what} {quoted(values[0])} is damaged")
    return values


@contextmanager
def one_line(path: Path) -> Iterator[None]:
    """Turn an SQLite error into a StoreError of one line."""
    try:
        yield
    except sqlite3.Error as error:
        code = primary_code(error)
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


# Parts of records in few bytes: moves as readable text, their times as numbers, long texts compressed; people as JSON.


_MICROSECONDS = 1_000_000
"""In a second."""
_TIMES = len(fields(Spent))
# Four bytes hold an hour and eleven minutes.
_LONGEST_MICROSECONDS = 2**32 - 1


def pack_people(entrant: Entrant) -> str:
    """Return an entrant's students as a JSON list; where a roster says more, as an object that holds both."""
    if not entrant.fields:
        return json.dumps(entrant.students)
    return json.dumps({"students": entrant.students, "fields": entrant.fields})


def unpack_people(text: str) -> tuple[tuple[str, ...], Fields]:
    """Return the students, and what a roster says besides."""
    people = json.loads(text)
    if isinstance(people, list):
        return tuple(people), ()
    return tuple(people["students"]), tuple((column, value) for column, value in people["fields"])


def pack_moves(turns: Sequence[Turn]) -> str:
    """Return 'C3 D4 pass'."""
    return " ".join(turn.move for turn in turns)


def pack_times(turns: Sequence[Turn]) -> bytes:
    """Return what each turn took, four little-endian 32-bit numbers of microseconds: wall, CPU, slept, waited."""
    # `astuple` would copy each of the numbers with care, which takes longer than all the rest of storing a game.
    seconds = [time for turn in turns for time in (turn.spent.wall, turn.spent.cpu, turn.spent.slept, turn.spent.waited)]
    numbers = [min(round(time * _MICROSECONDS), _LONGEST_MICROSECONDS) for time in seconds]
    return struct.pack(f"<{len(numbers)}I", *numbers)


def unpack_turns(moves: str, times: bytes) -> tuple[Turn, ...]:
    """Return the turns, their times rounded to microseconds."""
    numbers = struct.unpack(f"<{len(times) // 4}I", times)
    # The nearest number to so many microseconds, as rounding to six places would give, but ten times as fast.
    seconds = [number / _MICROSECONDS for number in numbers]
    parts = zip(*(seconds[number::_TIMES] for number in range(_TIMES)), strict=True)
    return tuple(Turn(move, Spent(*part)) for move, part in zip(moves.split(), parts, strict=True))


def pack_texts(result: GameResult) -> bytes:
    """Return what only few games have: evidence, logs, and the last answer if it was not a move. Empty if there is none."""
    last = None if result.last is None else [result.last.move, *(round(time, 6) for time in astuple(result.last.spent))]
    texts = [result.evidence, result.black_log, result.white_log, last]
    return zlib.compress(json.dumps(texts).encode()) if any(texts) else b""


def unpack_texts(data: bytes) -> tuple[str, str, str, Turn | None]:
    """Return (evidence, Black's log, White's log, last)."""
    if not data:
        return "", "", "", None
    evidence, black_log, white_log, last = json.loads(zlib.decompress(data))
    return evidence, black_log, white_log, None if last is None else Turn(last[0], Spent(*last[1:]))


def times_of(result: GameResult, colour: int) -> tuple[int, float, float]:
    """Return how many answers a player gave, and what it was charged for all of them and for the longest. Black began."""
    own = [float(answer.spent.charge) for answer in result.answers_of(colour)]
    return len(own), round(sum(own, 0.0), 6), round(max(own, default=0.0), 6)


_IN_SUMMARY = len(SUMMARY.split(","))
_AT_ONCE = 100
"""Games read by one query."""


WORKER = "worker "
"""The host of a run begins with this if it holds the games of one worker of a cluster; the worker's address follows."""


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
        self.left_out: tuple[str, ...] = ()
        """Players who, with their games, are read as if they were not there."""

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
            raise StoreError(f"{self.path}: is damaged: a game is marked as replayed before it was played")
        where = "superseded > 0 ORDER BY game" if superseded else "superseded = 0 ORDER BY id"
        return (self._result(row, names) for row in self._select(f"{SUMMARY}, {DETAILS}", where))

    def results_of(self, game_ids: Iterable[str]) -> Iterator[GameResult]:
        """Yield in full the games of these ids that count, in their order."""
        names, ids = self._names(), iter(game_ids)
        while some := list(islice(ids, _AT_ONCE)):
            where = f"superseded = 0 AND id IN ({', '.join('?' * len(some))})"
            rows = {row[0]: row for row in self._select(f"{SUMMARY}, {DETAILS}", where, some)}
            yield from (self._result(rows[game_id], names) for game_id in some if game_id in rows)

    def workers(self) -> dict[str, str]:
        """Return id -> address of the cluster's worker that played it, for every game that counts and was not played here."""
        addresses = {
            number: check_row(self.path, "run", row)[1].removeprefix(WORKER)
            for number, *row in self._query(f"SELECT run, {RUN} FROM runs")
            if str(row[1]).startswith(WORKER)
        }
        return {game: addresses[run] for game, run in self._select("id, run") if run in addresses}

    def noted(self, note: str) -> list[GameResult]:
        """Return in full the games that count and have this note."""
        rows = self._select("id", "superseded = 0 AND notes <> '' ORDER BY id")
        return [result for result in self.results_of([game for (game,) in rows]) if note in result.notes]

    def result(self, game_id: str) -> GameResult:
        """Return the game of this id that counts; raises StoreError if there is none."""
        for result in self.results_of([game_id]):
            return result
        raise StoreError(f"{self.path}: expected the id of a finished game, got {game_id!r}")

    def entrants(self) -> list[Entrant]:
        """Return the entrants by name, submissions without folders. Of one handed in anew, the last contents count."""
        entrants = []
        for _, (name, digest, reference, people, entry, class_name, kind), current in self._entrants():
            if current and name not in self.left_out:
                students, fields = unpack_people(people)
                engine = self._engine(name, entry) if kind == ENGINE else None
                entrants.append(Entrant(
                    name=name,
                    students=students,
                    reference=reference,
                    folder=Path(),
                    entry=entry,
                    class_name=class_name,
                    digest=digest,
                    kind=kind,
                    fields=fields,
                    engine=engine,
                ))
        return entrants

    def _engine(self, name: str, text: str) -> Engine:
        try:
            return engine_from_text(text)
        except (ValueError, KeyError, TypeError):
            raise StoreError(f"{self.path}: entrant {quoted(name)} is damaged") from None

    def different_games(self) -> int:
        """Return how many of the games that count differ from each other in players, colours, moves or end."""
        columns = f"{SUMMARY}, {DETAILS}"
        black, white, end, moves = (columns.split(", ").index(name) for name in ("black", "white", "termination", "moves"))
        different = set()
        for row in self._select(columns):
            check_row(self.path, "game", row[:_IN_SUMMARY])
            check_row(self.path, "game", (row[0], *row[_IN_SUMMARY:]))
            different.add((row[black], row[white], row[end], row[moves]))
        return len(different)

    def runs(self) -> list[Run]:
        """Return when and where games were played, first to last."""
        return [Run(*check_row(self.path, "run", row)) for row in self._query(f"SELECT {RUN} FROM runs ORDER BY run")]

    def last_run(self) -> Run | None:
        """Return the run in which the last game that counts was played; without games the last run, if there is one."""
        last = "SELECT run FROM games WHERE superseded = 0 ORDER BY game DESC LIMIT 1"
        for row in self._query(f"SELECT {RUN} FROM runs ORDER BY run = ({last}) DESC, run DESC LIMIT 1"):
            return Run(*check_row(self.path, "run", row))
        return None

    def tiers(self) -> dict[str, int]:
        """Return tier -> number of games that count; '' is the tier of games between reference players."""
        query = "SELECT tier, count(*) FROM games WHERE superseded = 0 GROUP BY tier ORDER BY tier"
        tiers = dict(self._query(query))
        for tier in tiers:
            if tier not in ("", *Tier):
                raise StoreError(f"{self.path}: is damaged: a game at tier {quoted(tier)}, which is unknown")
        return tiers

    def _rows(self, where: str = "superseded = 0 ORDER BY id") -> Iterator[GameRow]:
        names, endings = self._names(), {ending.value: ending for ending in Termination}
        try:
            for row in self._select(SUMMARY, where):
                game_id, black, white, winner, termination, *rest = check_row(self.path, "game", row)
                yield GameRow(game_id, names[black], names[white], winner, endings[termination], *rest)
        except KeyError as error:
            raise StoreError(f"{self.path}: is damaged: a game of {error}, which is unknown") from None

    def _result(self, row: Sequence[Any], names: Mapping[int, str]) -> GameResult:
        summary = check_row(self.path, "game", row[:_IN_SUMMARY])
        _, *details = check_row(self.path, "game", (row[0], *row[_IN_SUMMARY:]))
        try:
            return _result(summary, details, names, self.key)
        except (ValueError, KeyError, TypeError, struct.error, zlib.error):
            raise StoreError(f"{self.path}: game {quoted(row[0])} is damaged") from None

    def _names(self) -> dict[int, str]:
        return {number: values[0] for number, values, _ in self._entrants()}

    def _entrants(self) -> Iterator[tuple[int, Sequence[Any], int]]:
        """Yield number, columns, and whether they are the current contents under this name, of every entrant by name."""
        for number, *row, current in self._query(f"SELECT entrant, {ENTRANT}, current FROM entrants ORDER BY name"):
            yield number, check_row(self.path, "entrant", row), current

    def _select(
        self, columns: str, where: str = "superseded = 0 ORDER BY id", values: Sequence[object] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield rows of the table of games."""
        games = "games"
        if self.left_out:
            numbers = ", ".join(str(number) for number, name in self._names().items() if name in self.left_out)
            games = f"(SELECT * FROM games WHERE black NOT IN ({numbers}) AND white NOT IN ({numbers}))"
        return self._query(f"SELECT {columns} FROM {games} WHERE {where}", values)

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
        spec=GameSpec(game_id, names[black], names[white], key.seeds(game_id)),
        winner=winner,
        black_score=black_score,
        white_score=white_score,
        termination=Termination(termination),
        forfeited_by=forfeited_by,
        detail=detail,
        evidence=evidence,
        turns=unpack_turns(moves, times),
        last=last,
        black_log=black_log,
        white_log=white_log,
        tier=tier,
        replays=replays,
        notes=tuple(json.loads(notes)) if notes else (),
    )
