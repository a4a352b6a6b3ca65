"""The desk of the board in a browser: it keeps the games, and does what pages ask for.

    {"do": "new", "rules": "course", "size": 5, "players": ["", "smart"], "moves": []}    begin a game; '' is a person
    {"do": "branch", "game": "...", "players": ["", "smart"], "moves": ["C3"]}            one like it, with other moves
    {"do": "wait", "game": "...", "version": 7}                                           the game, as soon as it is another
    {"do": "play", "game": "...", "move": "C3", "number": 4}                              a person's move, 'pass', 'resign'
    {"do": "undo" | "again" | "stop", "game": "..."}                                      see `board.games`
    {"do": "values" | "line" | "game", "game": "...", "number": 4}                        see `board.truths`
    {"do": "sgf", "players": ["", ""], "text": "(;..."}                                   go on with a file's game

Every answer is {"game": ..., and what `board.views.view` returns}; GameError for all that cannot be done.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from board.games import Game, GameError, Seat
from board.processes import Program
from board.truths import Truths, read_sgf, solvable
from board.variations import Line
from board.views import view
from common.excerpts import quoted
from goban.errors import GobanError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import RuleSet, ruleset, with_komi

Request = dict[str, Any]
MOST_GAMES = 24
"""The one that nobody has asked for the longest is closed for another."""
_WAIT_SECONDS = 20.0
_MOST_MOVES = 2000
_MOST_SGF = 200_000
_PLAYER = "players.player_process"
"""The module that plays as a player."""


@dataclass(frozen=True)
class _Table:
    """A game, and who knows what its moves are worth."""

    game: Game
    truths: Truths

    def close(self) -> None:
        self.game.close()
        self.truths.close()


class ClosedError(Exception):
    """All games have been ended."""


class Desk:
    """Answers requests, from any thread. seed: what the players of all games draw from."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._tables: dict[str, _Table] = {}
        self._made = 0
        self._closed = False
        self._lock = threading.Lock()

    def answer(self, request: Request) -> dict[str, Any]:
        """Return what the page is to show; raises GameError, and ClosedError when all games have been ended."""
        kind = request.get("do")
        beginnings = {"new": self._begin, "branch": self._branch, "sgf": self._go_on}
        if isinstance(kind, str) and kind in beginnings:
            key = beginnings[kind](request)
            return {"game": key, **view(self._table(key).game)}
        key = _text(request, "game")
        table = self._table(key)
        game = table.game
        if kind == "wait":
            game.wait(_number(request, "version", -1, 10**9), _WAIT_SECONDS)
        elif kind == "play":
            game.play(_text(request, "move"), _number(request, "number", 0, 10**9))
        elif kind in ("undo", "again", "stop"):
            {"undo": game.undo, "again": game.ask_again, "stop": game.stop}[kind]()
        elif kind in ("values", "line", "game"):
            table.truths.ask(kind, _number(request, "number", 0, 10**9))
        else:
            raise GameError(f"expected something to do, got {quoted(kind)}")
        return {"game": key, **view(game)}

    def close(self) -> None:
        """End all games, for good."""
        with self._lock:
            self._closed = True
            for table in self._tables.values():
                table.close()
            self._tables.clear()

    def _begin(self, request: Request) -> str:
        try:
            rules = ruleset(_text(request, "rules"))
        except GobanError as error:
            raise GameError(str(error)) from None
        return self._open(rules, _number(request, "size", MIN_SIZE, MAX_SIZE), request, [])

    def _branch(self, request: Request) -> str:
        """Begin a game under the rules of another one, whose line and variations are variations of the new one."""
        game = self._table(_text(request, "game")).game
        with game.changes:
            lines = game.all_lines()
        return self._open(game.rules, game.size, request, lines)

    def _go_on(self, request: Request) -> str:
        """Begin a game as the first one of an SGF file stands at its end, with the file's variations."""
        found, lines = read_sgf(_text(request, "text", _MOST_SGF))
        rules = with_komi(ruleset(found["rules"]), found["size"], found["komi"])
        return self._open(rules, found["size"], {**request, "moves": found["moves"]}, lines)

    def _open(self, rules: RuleSet, size: int, request: Request, lines: list[Line]) -> str:
        names, moves = _texts(request, "players", 2), _texts(request, "moves", _MOST_MOVES)
        if len(names) != 2:
            raise GameError(f"expected two players, got {len(names)}")
        with self._lock:
            self._made += 1
            seed = self._seed + self._made
        seats = [self._seat(name, seed, colour) for colour, name in enumerate(names)]
        game = Game(rules, size, (seats[0], seats[1]), lines)
        game.solvable = solvable(rules, size)
        game.start(moves)
        key = secrets.token_urlsafe(9)
        with self._lock:
            if self._closed:
                game.close()
                raise ClosedError
            self._tables[key] = _Table(game, Truths(game))
            for old in list(self._tables)[:-MOST_GAMES]:
                self._tables.pop(old).close()
        return key

    def _seat(self, name: str, seed: int, colour: int) -> Seat:
        if not name.strip():
            return Seat()
        # Each colour draws from a seed of its own.
        return Seat(name.strip(), lambda: Program(_PLAYER, name.strip(), str(2 * seed + colour)))

    def _table(self, key: str) -> _Table:
        with self._lock:
            if self._closed:
                raise ClosedError
            table = self._tables.pop(key, None)
            if table is None:
                raise GameError("there is no such game any more")
            self._tables[key] = table
            return table


def _text(request: Request, name: str, most: int = 1000) -> str:
    value = request.get(name)
    if not isinstance(value, str) or len(value) > most or "\0" in value:
        raise GameError(f"{name}: expected a text, got {quoted(value)}")
    return value


def _texts(request: Request, name: str, most: int) -> Sequence[str]:
    values = request.get(name)
    if not isinstance(values, list) or len(values) > most:
        raise GameError(f"{name}: expected up to {most} texts, got {quoted(values)}")
    return [_text({name: value}, name) for value in values]


def _number(request: Request, name: str, low: int, high: int) -> int:
    value = request.get(name)
    if type(value) is not int or not low <= value <= high:
        raise GameError(f"{name}: expected a number from {low} to {high}, got {quoted(value)}")
    return value
