"""What a worker sends back: JSON in bytes, of which the head believes nothing before it is checked.

    {"failed": line}       the worker cannot do what it was asked to
    {"missing": [...]}     digests of submissions that it has not got
    {"games": [...], "seconds": number}
                           one list of fields for each game asked for, in that order; how long it took to play them
    {...}                  a description

A record can be false in what it says of a game, but not in its form: it is of the game asked for, its moves are names of points
of that board, its numbers and texts are of a size that a game can have, and loser and winner fit the way in which it ended.

How large a reply can be is known before it is read, see `Room`: of one that is larger nothing is made.

A description is what a worker says of its machine; `why_not` says why it may not be used. A submission's limits are seconds of
CPU time, so they mean the same only on machines of the same speed. A factor for each machine cannot mend that: how much faster
one is than another depends on the program. So nothing is converted. Whoever is not nearly as fast as the machine that started
the run is refused, as is who is much faster, since players that think for as long as they may would be stronger there. What is
measured is work like a submission's, in seconds of CPU time; the best of many short tries, which other programs on the machine
disturb least. They still disturb it: a core whose twin is busy computes at little more than half its speed. So workers on the
machine that started the run are not measured against it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from goban.common.excerpts import as_written
from gojudge.errors import SandboxError
from gojudge.game import BLACK, PASS, RESIGN, WHITE, move_name, ruleset
from gojudge.records import GameResult, GameSpec, Spent, Termination, Turn
from gojudge.refereeing.open_seats import Conditions
from gojudge.refereeing.referee import Played

_MICROSECONDS = 1_000_000
# A day. Nothing that a game consists of takes longer.
_LONGEST = 86_400 * _MICROSECONDS
_MOST_CHARACTERS = 20_000
"""Of a verdict's line, or of the traceback below it."""
_MOST_MOVES = 100_000
# No score and no time is that large.
_LARGEST = 1e6
_FIELDS = 15
# What JSON makes of a character, of a byte that a player has printed, of a move with its times, and of all else of a game.
_BYTES_OF_CHARACTER, _BYTES_OF_PRINTED, _BYTES_OF_MOVE, _BYTES_BESIDES = 12, 6, 80, 1000
# One without an end takes all the rest: else the end would be looked for behind each quotation mark in it.
_TEXT_IN_JSON = re.compile(rb'"(?:[^"\\]|\\.?)*(?:"|\Z)', re.S)


class NonsenseError(Exception):
    """A reply is not what a worker of ours would send."""


def pack_reply(**fields: object) -> bytes:
    """Return a reply as bytes."""
    return json.dumps(fields).encode()


@dataclass(frozen=True)
class Room:
    """How many bytes a reply may have, and how many of them outside its texts, where three can become an object of sixty."""

    all: int = 1 << 20
    outside_texts: int = 1 << 20

    def of_games(self, number: int) -> Room:
        """Return the room that a reply with this number of games needs; `self` is the room for one game."""
        return Room(number * self.all, number * self.outside_texts)


SMALL = Room()
"""Of replies without games."""


def room_of_game(conditions: Conditions) -> Room:
    """Return as much as the record of a game that was played under these conditions can have."""
    moves = min(ruleset(conditions.rules).max_move(conditions.size) or _MOST_MOVES, _MOST_MOVES)
    outside = _BYTES_BESIDES + moves * _BYTES_OF_MOVE
    # The verdict's line, the traceback below it and the last answer; what two players have printed.
    texts = 3 * _MOST_CHARACTERS * _BYTES_OF_CHARACTER + 2 * (conditions.limits.log_kib << 10) * _BYTES_OF_PRINTED
    return Room(outside + texts, outside)


def unpack_reply(data: object, room: Room = SMALL) -> dict[str, Any]:
    """Return the fields of a reply. Raises NonsenseError."""
    if not isinstance(data, bytes):
        raise NonsenseError("expected a reply")
    if len(data) > room.all:
        raise NonsenseError(f"expected a reply of at most {room.all} bytes, got {len(data)}")
    if len(data) > room.outside_texts and len(_TEXT_IN_JSON.sub(b"", data)) > room.outside_texts:
        raise NonsenseError(f"expected a reply with at most {room.outside_texts} bytes outside its texts")
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        raise NonsenseError("expected a reply")
    return reply


def record_of(played: Played) -> list[object]:
    """Return a game as plain data; `read_played` is the inverse, but for what only the worker needs to know."""
    result = played.result
    return [
        result.spec.id, result.winner, float(result.black_score), float(result.white_score), result.termination.value,
        result.forfeited_by, result.detail, result.evidence, [turn.move for turn in result.turns],
        [_times(turn.spent) for turn in result.turns], result.last and [result.last.move, _times(result.last.spent)],
        result.black_log, result.white_log, str(result.tier), played.lag,
    ]  # fmt: skip


def _times(spent: Spent) -> list[int]:
    return [round(seconds * _MICROSECONDS) for seconds in (spent.wall, spent.cpu, spent.slept, spent.waited)]


def games_of(records: object, specs: Sequence[GameSpec], conditions: Conditions) -> list[Played]:
    """Return the games of a reply, which must be those that were asked for. Raises NonsenseError."""
    if not isinstance(records, list) or len(records) != len(specs):
        raise NonsenseError(f"expected {len(specs)} games")
    return [read_played(record, spec, conditions) for record, spec in zip(records, specs, strict=True)]


def read_played(record: object, spec: GameSpec, conditions: Conditions) -> Played:
    """Return a game that was played as `spec` says. Raises NonsenseError."""
    if not isinstance(record, list) or len(record) != _FIELDS or record[0] != spec.id:
        raise NonsenseError(f"expected game {spec.id}")
    _, winner, black_score, white_score, ending, forfeited_by, detail, evidence, moves, times, last = record[:11]
    black_log, white_log, tier, lag = record[11:]
    termination = _termination(ending, winner, forfeited_by)
    log_characters = 8 * 1024 * conditions.limits.log_kib + _MOST_CHARACTERS
    result = GameResult(
        spec=spec,
        winner=winner,
        black_score=number_of(black_score),
        white_score=number_of(white_score),
        termination=termination,
        forfeited_by=forfeited_by,
        detail=_text(detail, _MOST_CHARACTERS, lines=False),
        evidence=_text(evidence, _MOST_CHARACTERS),
        turns=_turns(moves, times, conditions.size),
        last=None if last is None else _last(last),
        black_log=_text(black_log, log_characters),
        white_log=_text(white_log, log_characters),
        tier=_tier(tier, conditions.tier),
    )
    return Played(result, number_of(lag))


def _termination(ending: object, winner: object, forfeited_by: object) -> Termination:
    """Return how a game ended if that goes together with who won and who forfeited."""
    termination = _ENDINGS.get(ending) if isinstance(ending, str) else None
    pairs = {(winner, forfeited_by)} if {type(winner), type(forfeited_by)} <= {int, type(None)} else set()
    if termination is None or not pairs <= _PAIRS[termination is Termination.VOID, termination.is_forfeit] or not pairs:
        raise NonsenseError("expected a winner that fits the end of the game")
    return termination


_ENDINGS = {ending.value: ending for ending in Termination}
# (void, forfeit) -> the pairs of winner and who forfeited
_PAIRS: dict[tuple[bool, bool], set[tuple[object, object]]] = {
    (True, False): {(None, 0)},
    (False, True): {(WHITE, BLACK), (BLACK, WHITE)},
    (False, False): {(0, 0), (BLACK, 0), (WHITE, 0)},
}


def _turns(moves: object, times: object, size: int) -> tuple[Turn, ...]:
    if not isinstance(moves, list) or not isinstance(times, list) or not len(moves) == len(times) <= _MOST_MOVES:
        raise NonsenseError("expected moves with times")
    names = _names(size)
    if not all(isinstance(move, str) and move in names for move in moves):
        raise NonsenseError("expected moves on this board")
    return tuple(Turn(move, _spent(numbers)) for move, numbers in zip(moves, times, strict=True))


@cache
def _names(size: int) -> frozenset[str]:
    points = [(row, column) for row in range(size) for column in range(size)]
    return frozenset(move_name(move, size) for move in (*points, PASS, RESIGN))


def _last(last: object) -> Turn:
    if not isinstance(last, list) or len(last) != 2:
        raise NonsenseError("expected the last answer")
    return Turn(_text(last[0], _MOST_CHARACTERS, lines=False), _spent(last[1]))


def _spent(numbers: object) -> Spent:
    if not isinstance(numbers, list) or len(numbers) != 4 or set(map(type, numbers)) != {int}:
        raise NonsenseError("expected four numbers of microseconds")
    if not 0 <= min(numbers) <= max(numbers) <= _LONGEST:
        raise NonsenseError("expected four numbers of microseconds")
    return Spent(*[number / _MICROSECONDS for number in numbers])


def number_of(value: object) -> float:
    """Return a number of a size that scores and times have. Raises NonsenseError."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < _LARGEST:
        raise NonsenseError("expected a number")
    return float(value)


def _text(value: object, most: int, *, lines: bool = True) -> str:
    """Return a text that can be stored and shown. lines: whether it may have several."""
    if not isinstance(value, str) or len(value) > most or not (lines or as_written(value) == value):
        raise NonsenseError("expected a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NonsenseError("expected a text") from None
    return value


def _tier(value: object, of_the_run: str) -> str:
    if value != "" and value != of_the_run:
        raise NonsenseError("expected the run's tier")
    return str(value)


BOUND = 1.5
"""How many times as fast or as slow another machine may be."""

_TRIES = 20
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = ("goban", "gojudge", "golearn", "players", "tournament", "go.py", "my_player.py", "my_player_table.bin")
_SUFFIXES = (".py", ".bin", ".db", ".npz")


@dataclass(frozen=True)
class Description:
    """A machine, as a worker on it sees it.

    host: its name. cores: that the worker may use. tier: of the best sandbox there, '' if there is none; why_not: then the
    reason, one line. seconds: CPU time of a fixed piece of work. place: a name of the folder in which the worker keeps
    submissions, the same for all who share it. versions: name -> version of what must be the same everywhere. machine: what no
    other machine has, the same for all containers on it; '' if that is not known.
    """

    host: str
    cores: int
    tier: str
    why_not: str
    seconds: float
    place: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    machine: str = ""


def describe(python: str = "", *, sandboxed: bool = True, place: str = "") -> Description:
    """Describe this machine. python: the interpreter of submissions, '' for ours. sandboxed: whether sandboxes are needed."""
    tier, why_not = _best_sandbox(python) if sandboxed else ("", "")
    return Description(
        host=platform.node()[:100],
        cores=_cores(),
        tier=tier,
        why_not=why_not,
        seconds=speed(),
        place=place,
        versions=versions(),
        machine=_machine(),
    )


def _best_sandbox(python: str) -> tuple[str, str]:
    from gojudge.sandbox.launching import interpreter
    from gojudge.sandbox.tiers import best_tier

    try:
        interpreter(python)
        return str(best_tier()), ""
    except SandboxError as error:
        return "", str(error)[:1000]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _machine() -> str:
    """Return Linux's name of this machine since it was started, '' elsewhere."""
    try:
        return _BOOT.read_text().strip()[:100]
    except OSError:
        return ""


def speed() -> float:
    """Return how many seconds of CPU time a fixed piece of work takes here: lists, dictionaries and loops of Python."""
    return min(_work() for _ in range(_TRIES))


def _work() -> float:
    started = time.thread_time()
    seen: dict[int, int] = {}
    for number in range(20_000):
        key = number * 7919 % 1009
        seen[key] = seen.get(key, 0) + sum([number, key, 3])
    return time.thread_time() - started


@cache
def versions() -> dict[str, str]:
    """Return name -> version of everything on which results may depend. Of our own files it is a digest of their contents."""
    versions_here = {"Python": platform.python_version(), "processor": platform.machine(), "this program": _digest()}
    for package in ("numpy", "distributed"):
        try:
            versions_here[package] = version(package)
        except PackageNotFoundError:
            versions_here[package] = "none"
    return versions_here


def program_files() -> list[Path]:
    """Return our own files on which results may depend, relative to our root: code, tables, books, patterns and networks."""
    # `rglob` finds nothing below a file.
    files = [path for room in _ROOMS for path in (_ROOT / room, *sorted((_ROOT / room).rglob("*")))]
    return [path.relative_to(_ROOT) for path in files if path.suffix in _SUFFIXES and path.is_file()]


def _digest() -> str:
    whole = hashlib.sha256()
    for path in program_files():
        data = (_ROOT / path).read_bytes()
        whole.update(repr((str(path), len(data))).encode() + data)
    return whole.hexdigest()[:12]


def description_of(fields: dict[str, Any]) -> Description:
    """Return the description that a reply holds. Raises NonsenseError."""
    try:
        description = Description(**fields)
    except TypeError:
        raise NonsenseError("expected a description of a machine") from None
    texts = [description.host, description.tier, description.why_not, description.place, description.machine]
    if isinstance(description.versions, dict):
        texts += [*description.versions, *description.versions.values()]
    fine = all(isinstance(text, str) and len(text) <= 1000 and text.isprintable() for text in texts)
    fine &= type(description.cores) is int and type(description.seconds) is float and 0 < description.seconds < 1000
    if not fine or not isinstance(description.versions, dict):
        raise NonsenseError("expected a description of a machine")
    return description


def why_not(theirs: Description, ours: Description, bound: float = BOUND) -> str:
    """Return why a worker may not be used, one line; '' if it may. Its sandbox is another matter."""
    for name, here in ours.versions.items():
        there = theirs.versions.get(name, "none")
        if there != here:
            return f"{name} is {there} there, {here} here"
    factor = ours.seconds / theirs.seconds
    if theirs.machine and theirs.machine == ours.machine:
        return ""
    if not 1 / bound <= factor <= bound:
        return (
            f"it is {factor:.2f} times as fast as this machine, expected {1 / bound:.2f} to {bound:.2f}: "
            "limits of CPU time would mean something else there"
        )
    return ""
