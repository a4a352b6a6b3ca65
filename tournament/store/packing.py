"""Parts of records in few bytes: moves as readable text, their times as numbers, long texts compressed; people as JSON."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import astuple, fields

from tournament.records import Entrant, Fields, GameResult, Turn
from tournament.times import Spent

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
    found = json.loads(text)
    if isinstance(found, list):
        return tuple(found), ()
    return tuple(found["students"]), tuple((column, value) for column, value in found["fields"])


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
    """Return how many answers a player gave, and what it was charged for all of them and for the dearest. Black began."""
    own = [float(answer.spent.charge) for answer in result.answers_of(colour)]
    return len(own), round(sum(own, 0.0), 6), round(max(own, default=0.0), 6)
