"""The desk of the board in a browser: it keeps the games, and does what pages ask for.

    {"do": "new", "rules": "course", "size": 5, "players": ["", "smart"], "moves": []}    begin a game; '' is a person
    {"do": "branch", "game": "...", "players": ["", "smart"], "number": 3, "moves": []}   one that leaves it after so many moves
    {"do": "wait", "game": "...", "version": 7}                                           the game, as soon as it is another
    {"do": "play", "game": "...", "move": "C3", "number": 4}                              a person's move, 'pass', 'resign';
                                                                                          in a file's game a variation
    {"do": "undo" | "again" | "stop", "game": "..."}                                      see `goban.board.games`
    {"do": "values" | "line" | "game", "game": "...", "number": 4}                        see `goban.board.truths`
    {"do": "ideas", "game": "...", "number": 4}                                           what moves do there
    {"do": "teach", "game": "...", "stones": 3}                                           see `goban.board.games.Game.teach`
    {"do": "check", "game": "...", "colour": 2}                                           what would be graded of its file
    {"do": "uncheck", "game": "..."}                                                      enough of that
    {"do": "sgf", "data": "KDs..."}                                                       look at a file's game
    {"do": "follow", "game": "...", "node": 5}                                            along another variation

Every answer is {"game": ..., and what `goban.board.views.view` returns}, where a game is new to a page also "file", see
`goban.board.reviews.tree_of`. GameError for all that cannot be done. Players' files are watched: who is saved is loaded anew.

The teacher of a game takes back moves that throw the game away, and says why and how they are punished. It asks the solver in a
process of its own, so that what pages ask of the other does not end its search. What it does not find out in `_SECONDS` it lets
pass.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from goban.board.games import Game, GameError, Seat
from goban.board.processes import AskedCheck, AskedSolver, Message, Program
from goban.board.reviews import ReviewedGame, lines_from, open_file, tree_of
from goban.board.truths import Truths, ideas_at, solvable
from goban.board.views import view
from goban.common.excerpts import quoted
from goban.errors import GobanError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.ideas import ideas_in
from goban.moves import RESIGN, Move, move_name
from goban.points import parse_vertex
from goban.reviews import start_message
from goban.rulesets import COLOUR_NAMES, ruleset
from goban.states import State

_SECONDS = 12.0

_OWN = {
    "self-atari": "it leaves its own stones one liberty", "own-eye": "it fills an eye of its own",
    "ladder-run": "it runs into a ladder", "bait": "it takes a bait",
}  # fmt: skip
_REPLIES = {
    "snapback": "a snapback", "ladder": "a ladder", "double-atari": "an atari on two groups", "larger-capture": "a capture",
    "rescuing-capture": "a capture that saves stones", "capture": "a capture", "ko": "a ko", "rescue": "a rescue",
    "cut": "a cut", "connection": "a connection",
}  # fmt: skip


class Lessons:
    """Looks at a person's last move, one at a time. The game's `changes` guard all that is here."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._solver = AskedSolver(game.changes, self._take)

    def look_at_last(self) -> None:
        """Have the game wait until its last move is known to be none to be taken back."""
        game = self._game
        if not (game.solvable and game.moves) or game.moves[-1] is RESIGN:
            return
        game.checking = True
        position = game.position(len(game.moves))
        self._solver.ask({"ask": "judge", "position": position, "stones": game.teach, "seconds": _SECONDS})
        game.changed()

    def close(self) -> None:
        """End the solver."""
        self._solver.close()

    def _take(self, answer: Message) -> None:
        game = self._game
        if not game.checking:
            return
        game.checking = False
        if not answer.get("line"):
            game.changed()
            return
        number, name = len(game.moves) - 1, game.names()[-1]
        lesson = lesson_in(game.states[number], game.moves[number], answer) | {"number": number, "move": name}
        game.undo()
        game.lesson = lesson
        game.changed()


def lesson_in(state: State, move: Move, answer: Message) -> dict[str, Any]:
    """Return why a move was taken back, in a sentence, the line that punishes it, and what would have been better."""
    name = move_name(move, state.grid.size)
    cost = answer["cost"] or 0
    stones = f"costs {cost} {'stone' if cost == 1 else 'stones'}"
    turn = answer["turn"].partition(" ")[0]
    what = f"throws the {turn} away" if turn else stones
    more = f" and {stones}" if turn and cost else ""
    after, reply = state.after(move), answer["line"][0]
    why = _kind(state, move, _OWN)
    does = _kind(after, parse_vertex(reply, state.grid.size), _REPLIES)
    other = COLOUR_NAMES[after.to_move].capitalize()
    punished = f"{other} answers {reply}{f', {does}' if does else ''}."
    said = f"{name} {what}{more}{f': {why}' if why else ''}. {punished}"
    return {"said": said, "cost": cost, "turn": answer["turn"], "line": answer["line"], "better": answer["better"]}


def _kind(state: State, move: Move, words: dict[str, str]) -> str:
    """Return the words for the first of these ideas that a move is of; '' if it is of none."""
    ideas = ideas_in(state)
    return next((words_of_kind for kind, words_of_kind in words.items() if move in ideas.get(kind, ())), "")


Request = dict[str, Any]
MOST_GAMES = 24
"""The one that nobody has asked for the longest is closed for another."""
_WAIT_SECONDS = 20.0
_MOST_MOVES = 2000
_MOST_SGF = 250_000
"""Letters of base 64."""
_LOOK_SECONDS = 0.3
_SOURCE = re.compile(r"(.+?\.py)(?::|$)", re.DOTALL)
Sources = tuple[tuple[str, int, int], ...]
"""Names, times and sizes of files."""
_PLAYER = "players.player_process"
"""The module that plays as a player."""


@dataclass(frozen=True)
class _Table:
    """A game, who knows what its moves and its files are worth, and each colour's player's sources as they were loaded."""

    game: Game
    truths: Truths
    lessons: Lessons
    check: AskedCheck
    sources: dict[int, Sources]

    def close(self) -> None:
        self.game.close()
        self.truths.close()
        self.lessons.close()
        self.check.close()


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
        self._ended = threading.Event()
        self._watcher: threading.Thread | None = None

    def answer(self, request: Request) -> dict[str, Any]:
        """Return what the page is to show; raises GameError, and ClosedError when all games have been ended."""
        kind = request.get("do")
        beginnings = {"new": self._begin, "branch": self._branch, "sgf": self._look_at}
        if isinstance(kind, str) and kind in beginnings:
            key = beginnings[kind](request)
            game = self._table(key).game
            return {"game": key, **view(game), "file": tree_of(game)}
        key = _text(request, "game")
        table = self._table(key)
        game = table.game
        if kind == "wait":
            version = _number(request, "version", -1, 10**9)
            game.wait(version, _WAIT_SECONDS)
            return {"game": key, **view(game), **({"file": tree_of(game)} if version < 0 else {})}
        if kind == "ideas":
            return {"game": key, **view(game), "ideas": ideas_at(game, _number(request, "number", 0, 10**9))}
        self._do(kind, request, table)
        return {"game": key, **view(game)}

    def _do(self, kind: object, request: Request, table: _Table) -> None:
        """Change a game as a page asks for."""
        game = table.game
        if kind == "play":
            with game.changes:
                game.play(_text(request, "move"), _number(request, "number", 0, 10**9))
                if game.teach >= 0 and not isinstance(game, ReviewedGame):
                    table.lessons.look_at_last()
        elif kind == "undo":
            game.undo()
        elif kind == "again":
            game.ask_again()
        elif kind == "stop":
            game.stop()
        elif kind in ("values", "line", "game"):
            table.truths.ask(str(kind), _number(request, "number", 0, 10**9))
        elif kind == "teach":
            with game.changes:
                game.teach = _number(request, "stones", -1, MAX_SIZE**2)
                game.changed()
        elif kind == "check":
            self._check(table, _number(request, "colour", 1, 2))
        elif kind == "uncheck":
            with game.changes:
                table.check.stop()
        elif kind == "follow" and isinstance(game, ReviewedGame):
            game.follow(_number(request, "node", 0, 10**9))
        else:
            raise GameError(f"expected something to do, got {quoted(kind)}")

    def _check(self, table: _Table, colour: int) -> None:
        """Have somebody say what would be graded of a player's file."""
        file = table.game.seats[colour - 1].file
        if file is None:
            raise GameError("expected a player from a file, got none")
        with table.game.changes:
            table.check.ask(file, sources_of(file), table.game.rules.name)
            _tell_verdict(table.game, table.check)

    def close(self) -> None:
        """End all games, for good."""
        self._ended.set()
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
        return self._open(Game(rules, _number(request, "size", MIN_SIZE, MAX_SIZE), self._seats(request)), request)

    def _branch(self, request: Request) -> str:
        """Begin a game that another one is until a move; all that was tried in that is a variation of the new one.

        Where stones were set up on the way there, it begins with them.
        """
        old = self._table(_text(request, "game")).game
        with old.changes:
            number = _number(request, "number", 0, len(old.moves))
            first = old.beginning(number)
            before = old.names()[first:number]
            origin = old.origin
            if isinstance(old, ReviewedGame) and origin is not None:
                origin = replace(origin, node=old.path[first])
            begun = old.states[first] if start_message(old.states[first]) else None
            game = Game(old.rules, old.size, self._seats(request), begun=begun, origin=origin)
            game.lines = lines_from(game) if isinstance(old, ReviewedGame) else old.all_lines()
        return self._open(game, request, before)

    def _look_at(self, request: Request) -> str:
        """Open the first game of an SGF file."""
        return self._keep(open_file(_text(request, "data", _MOST_SGF)))

    def _open(self, game: Game, request: Request, before: Sequence[str] = ()) -> str:
        """Begin a game with moves made before, and those of a request."""
        game.teach = _number({"teach": -1} | request, "teach", -1, MAX_SIZE**2)
        game.solvable = solvable(game.rules, game.size)
        game.start([*before, *_texts(request, "moves", _MOST_MOVES)])
        return self._keep(game)

    def _keep(self, game: Game) -> str:
        game.solvable = solvable(game.rules, game.size)
        key = secrets.token_urlsafe(9)
        sources = {colour: sources_of(seat.file) for colour, seat in enumerate(game.seats, 1) if seat.file is not None}
        with self._lock:
            if self._closed:
                game.close()
                raise ClosedError
            check = AskedCheck(game.changes, lambda: _tell_verdict(game, check))
            self._tables[key] = _Table(game, Truths(game), Lessons(game), check, sources)
            for old in list(self._tables)[:-MOST_GAMES]:
                self._tables.pop(old).close()
            if sources and self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, daemon=True)
                self._watcher.start()
        return key

    def _watch(self) -> None:
        """Have players whose files were saved be loaded anew, once the files stay as they are: one may be half written."""
        seen: dict[Path, Sources] = {}
        while not self._ended.wait(_LOOK_SECONDS):
            with self._lock:
                tables = [table for table in self._tables.values() if table.sources]
            before, seen = seen, {}
            for table in tables:
                for colour, loaded in table.sources.items():
                    file = table.game.seats[colour - 1].file
                    assert file is not None
                    now = seen[file] = seen.get(file) or sources_of(file)
                    with table.game.changes:
                        table.check.see(file, now)
                    if now != loaded and now == before.get(file):
                        table.sources[colour] = now
                        table.game.reload(colour)

    def _seats(self, request: Request) -> tuple[Seat, Seat]:
        names = _texts(request, "players", 2)
        people = _texts({"names": ["", ""]} | request, "names", 2)
        if len(names) != 2 or len(people) != 2:
            raise GameError(f"expected two players, got {min(len(names), len(people))}")
        with self._lock:
            self._made += 1
            seed = self._seed + self._made
        black, white = (self._seat(name, seed, colour, people[colour]) for colour, name in enumerate(names))
        return black, white

    def _seat(self, name: str, seed: int, colour: int, person: str) -> Seat:
        if not name.strip():
            return Seat(person=person.strip())
        # Each colour draws from a seed of its own.
        return Seat(name.strip(), lambda: Program(_PLAYER, name.strip(), str(2 * seed + colour)), _file_of(name.strip()))

    def _table(self, key: str) -> _Table:
        with self._lock:
            if self._closed:
                raise ClosedError
            table = self._tables.pop(key, None)
            if table is None:
                raise GameError("there is no such game any more")
            self._tables[key] = table
            return table


def _tell_verdict(game: Game, check: AskedCheck) -> None:
    game.verdict = None if check.news is None else {**check.news}
    game.changed()


def _file_of(name: str) -> Path | None:
    """Return the source that a player's name stands for, as in 'file.py:Class'; None for others, and if it is not there."""
    match = _SOURCE.match(name)
    try:
        return Path(match[1]).absolute() if match and Path(match[1]).is_file() else None
    except (OSError, ValueError):
        return None


def sources_of(file: Path) -> Sources:
    """Return what tells whether a source, or one beside it that it may import, has been saved."""
    try:
        with os.scandir(file.parent) as entries:
            files = [(one.name, one.stat()) for one in entries if one.name.endswith(".py")]
    except OSError:
        return ()
    return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in files))


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
