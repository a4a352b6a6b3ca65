"""What a page asks of the board's server: requests in JSON, one in a line, with GAME for the game that the first has begun."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

from goban.board import desk, processes, truths
from goban.board.desk import Desk
from goban.board.games import GameError
from goban.board.processes import EndedError
from goban.common.excerpts import quoted
from tests.fuzz.readers import Reader

_NEW = {"do": "new", "rules": "course", "size": 3, "players": ["", ""], "moves": ["B2"]}
_REQUESTS: tuple[dict[str, Any], ...] = (
    {"do": "play", "game": "GAME", "move": "A1", "number": 1}, {"do": "undo", "game": "GAME"},
    {"do": "branch", "game": "GAME", "players": ["", ""], "number": 1, "moves": ["C3"]},
    {"do": "wait", "game": "GAME", "version": -1}, {"do": "ideas", "game": "GAME", "number": 1},
    {"do": "teach", "game": "GAME", "stones": 0}, {"do": "follow", "game": "GAME", "node": 1},
    {"do": "values", "game": "GAME", "number": 1}, {"do": "line", "game": "GAME", "number": 0},
    {"do": "game", "game": "GAME", "number": 1}, {"do": "play", "game": "GAME", "move": "resign", "number": 1},
    {"do": "again", "game": "GAME"}, {"do": "stop", "game": "GAME"},
    {"do": "sgf", "data": "KDtTWls1XTtCW2NjXSk="},
)  # fmt: skip


class _NoProgram:
    """A program that ends as soon as it is asked: none is started."""

    def __init__(self, *words: str) -> None:
        assert all("\0" not in word for word in words)

    def tell(self, message: dict[str, Any]) -> None:
        json.dumps(message)

    def answer(self) -> dict[str, Any]:
        raise EndedError("no program")

    greeting = answer

    def printed(self) -> str:
        return ""

    def where(self, seconds: float) -> str:
        return ""

    def end(self) -> None:
        """It has ended."""


def _read_requests(data: bytes, folder: Path) -> str:
    told = []
    with (
        mock.patch.object(desk, "Program", _NoProgram), mock.patch.object(truths, "Program", _NoProgram),
        mock.patch.object(processes, "Program", _NoProgram), mock.patch.object(desk, "_WAIT_SECONDS", 0.0),
    ):  # fmt: skip
        served = Desk(1)
        try:
            key = served.answer(_NEW)["game"].encode()
            for line in data.replace(b"GAME", key).splitlines()[:20]:
                told.append(_answered(served, line))
        finally:
            served.close()
    return " ".join(told)


def _answered(served: Desk, line: bytes) -> str:
    """Return what was asked for, if it could be done; '!' and the first words of the reason if not."""
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            return quoted(request)[:1]
        answer = served.answer(request)
    except (ValueError, RecursionError):
        return "?"
    except GameError as error:
        reason = str(error)
    else:
        json.dumps(answer)
        return str(request["do"])
    assert reason.isprintable(), reason
    return f"!{reason[:12]}"


def _seeds() -> list[bytes]:
    every = b"\n".join(json.dumps(one).encode() for one in _REQUESTS)
    return [every, *(json.dumps(one).encode() for one in (_NEW, *_REQUESTS))]


READERS = {
    "requests": Reader(
        _seeds, _read_requests, (),
        (b'"do"', b'"new"', b'"branch"', b'"smart"', b'"gtp:x"',
         b'"GAME"', b'"moves"', b'"players"', b'"number"', b"[", b"{", b"-1", b"1e9", b"NaN", b"null", b"true", b"\\ud800",
         b"\\u0000", b'"pass"', b'"littlego"', b'"aga"', b"19", b"\n"),
    ),
}  # fmt: skip
