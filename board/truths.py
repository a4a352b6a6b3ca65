"""What moves are worth in a game of the browser: asked of the solver, in a process of its own, when a page wants to know.

Answers come into the game: `values` of a position, its `line` of best play, and `truth` of the whole game. The process is
started at the first question. A question ends the search for the last one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from board.games import Game, GameError
from board.processes import EndedError, Message, Program
from board.variations import Line, with_line
from goban.moves import RESIGN, Move, move_name
from goban.rulesets import RuleSet, ruleset

RULES = ("course", "littlego")
MOST_SIZE = 5
_SOLVER = "search.questions"
"""The module that answers."""
_GAME_SECONDS = 20.0


def solvable(rules: RuleSet, size: int) -> bool:
    """Tell whether a solver knows such games, and can run here."""
    return knows(rules, size) and can_solve()


def knows(rules: RuleSet, size: int) -> bool:
    """Tell whether a solver knows such games. It counts with the komi of the rules."""
    return rules.name in RULES and size <= MOST_SIZE and rules == ruleset(rules.name)


def can_solve() -> bool:
    """Tell whether the solver can run here."""
    return all(map(find_spec, ("numpy", "numba")))


class Truths:
    """The questions of one game, whose `changes` guard all that is here."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._solver: Program | None = None
        self._number, self._kind = 0, ""

    def ask(self, kind: str, number: int) -> None:
        """Ask for the 'values' or the 'line' of the position after so many moves, or about the 'game'; raises GameError."""
        game = self._game
        with game.changes:
            if not game.solvable:
                raise GameError("what moves are worth is known up to 5x5 under course and littlego, where numpy and numba are")
            if number > len(game.moves):
                raise GameError(f"expected a move up to {len(game.moves)}, got {number}")
            self._number, self._kind = self._number + 1, kind
            fresh: dict[str, Any] = {"number": number, "moves": {} if kind == "values" else [], "done": False, "error": ""}
            if kind == "values":
                game.values = fresh
            elif kind == "line":
                game.line = fresh
            game.analysing = kind == "game"
            position = {"rules": game.rules.name, "size": game.size, "moves": _names(game.moves[:number], game.size)}
            if self._solver is None:
                self._solver = Program(_SOLVER)
                threading.Thread(target=self._listen, args=(self._solver,), daemon=True).start()
            self._solver.tell({"id": self._number, "ask": kind, "position": position, "seconds": _GAME_SECONDS})
            game.changed()

    def close(self) -> None:
        """End the solver."""
        with self._game.changes:
            if self._solver is not None:
                self._solver.end()

    def _listen(self, solver: Program) -> None:
        while True:
            try:
                answer = solver.answer()
            except EndedError as error:
                answer = {"id": self._number, "done": True, "error": f"the solver has failed: {error}"}
            with self._game.changes:
                if answer["id"] == self._number:
                    self._take(answer)
                if "failed" in answer["error"]:
                    self._solver = None
                    return

    def _take(self, answer: Message) -> None:
        game = self._game
        if game.analysing and self._kind == "game":
            game.truth, game.analysing = padded(answer.get("truth", 0), len(game.moves)), False
        elif self._kind == "line" and game.line is not None:
            game.line |= answer
        elif self._kind == "values" and game.values is not None:
            game.values |= answer
        game.changed()


def truths_of(games: Sequence[Message], seconds: float) -> list[object]:
    """Return what the moves of games were worth, as a replay reads it; 0 where nothing is known.

    games: rules, size and moves of each, a resignation included. seconds: for each.
    """
    solver = Program(_SOLVER)
    found: list[object] = []
    try:
        for number, game in enumerate(games):
            moves = [name for name in game["moves"] if name != "resign"]
            solver.tell({"id": number, "ask": "game", "position": game | {"moves": moves}, "seconds": seconds})
            found.append(padded(solver.answer().get("truth", 0), len(game["moves"])))
    except EndedError:
        found += [0] * (len(games) - len(found))
    finally:
        solver.end()
    return found


def padded(truth: object, moves: int) -> object:
    """Return what is known of a game, with nothing known after a resignation, which changes no position."""
    if not isinstance(truth, list):
        return 0
    winners, margins, best, winning = truth
    missing = moves + 1 - len(winners)
    return [winners + [-1] * missing, margins + [None] * missing, best, winning]


def read_sgf(text: str) -> tuple[Message, list[Line]]:
    """Return the first game of an SGF file, its rules, size, komi and moves, and its variations. Raises GameError."""
    reader = Program(_SOLVER)
    try:
        reader.tell({"id": 0, "ask": "sgf", "text": text})
        answer = reader.answer()
    except EndedError as error:
        raise GameError(f"the file cannot be read: {error}") from None
    finally:
        reader.end()
    if answer["error"]:
        raise GameError(answer["error"])
    lines: list[Line] = []
    for line in answer["lines"]:
        lines = with_line(lines, line)
    return answer["position"], lines


def _names(moves: list[Move], size: int) -> list[str]:
    return [move_name(move, size) for move in moves if move is not RESIGN]
