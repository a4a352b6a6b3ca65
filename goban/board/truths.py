"""What moves are worth in a game of the browser: asked of the solver, in a process of its own, when a page wants to know.

Answers come into the game: `values` of a position, its `line` of best play, and `truth` of the whole game. The process is
started at the first question. A question ends the search for the last one. What a position teaches comes with its values; what
moves do on the board asks for no solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from goban.board.games import Game, GameError
from goban.board.processes import SOLVER, AskedSolver, EndedError, Message, Program
from goban.common.command_lines import how_to_install
from goban.ideas import ideas_in, lesson_of
from goban.moves import move_name
from goban.points import parse_vertex
from goban.reviews import Review, read_review
from goban.rulesets import PRESETS, RuleSet, Scoring, ruleset, with_komi
from goban.states import State

_BY_STONES = ("course", "littlego")
MOST_SIZE = 5
_PACKAGES = ("numpy", "numba")
_GAME_SECONDS = 20.0


def why_not(rules: RuleSet, size: int) -> str:
    """Return why no solver says what moves are worth in such games, '' if one does."""
    if not knows(rules, size):
        return "What moves are worth is known up to 5x5 under course, littlego and rules that count area."
    return "" if can_solve() else f"This needs {' and '.join(_PACKAGES)}: {how_to_install()}"


def solvable(rules: RuleSet, size: int) -> bool:
    """Tell whether a solver knows such games, and can run here."""
    return knows(rules, size) and can_solve()


def knows(rules: RuleSet, size: int) -> bool:
    """Tell whether a solver knows such games. Where stones count it does so with the komi of the rules only."""
    if rules.name not in PRESETS or size > MOST_SIZE:
        return False
    return rules.scoring is Scoring.AREA or (rules.name in _BY_STONES and rules == ruleset(rules.name))


def can_solve() -> bool:
    """Tell whether the solver can run here."""
    return all(map(find_spec, _PACKAGES))


class Truths:
    """The questions of one game, whose `changes` guard all that is here."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._solver = AskedSolver(game.changes, self._take)
        self._kind, self._first = "", 0

    def ask(self, kind: str, number: int) -> None:
        """Ask for the 'values' or the 'line' of the position after so many moves, or about the 'game'; raises GameError."""
        game = self._game
        with game.changes:
            if not game.solvable:
                raise GameError(why_not(game.rules, game.size))
            if number > len(game.moves):
                raise GameError(f"expected a move up to {len(game.moves)}, got {number}")
            self._kind = kind
            fresh: dict[str, Any] = {"number": number, "done": False, "error": ""}
            if kind == "values":
                game.values = fresh | {"moves": {}}
            elif kind == "line":
                game.line = fresh | {"line": []}
            game.analysing = kind == "game"
            self._first = game.beginning(number)
            position = game.position(number)
            self._solver.ask({"ask": kind, "position": position, "seconds": _GAME_SECONDS})
            game.changed()

    def close(self) -> None:
        """End the solver."""
        self._solver.close()

    def _take(self, answer: Message) -> None:
        game = self._game
        if game.analysing and self._kind == "game":
            game.truth, game.analysing = pad_moves(answer.get("truth", 0), len(game.moves), self._first), False
        elif self._kind == "line" and game.line is not None:
            game.line |= answer
        elif self._kind == "values" and game.values is not None:
            game.values |= answer
            if answer["done"] and not answer["error"]:
                game.values["lesson"] = _lesson(game.states[game.values["number"]], answer["moves"])
        game.changed()


def truths_of(games: Sequence[Message], seconds: float) -> list[object]:
    """Return what the moves of games were worth, as a replay reads it; 0 where nothing is known.

    games: rules, size and moves of each, a resignation included. seconds: for each.
    """
    solver = Program(SOLVER)
    truths: list[object] = []
    try:
        for number, game in enumerate(games):
            moves = [name for name in game["moves"] if name != "resign"]
            solver.tell({"id": number, "ask": "game", "position": game | {"moves": moves}, "seconds": seconds})
            truths.append(pad_moves(solver.answer().get("truth", 0), len(game["moves"])))
    except EndedError:
        truths += [0] * (len(games) - len(truths))
    finally:
        solver.end()
    return truths


def pad_moves(truth: object, moves: int, first: int = 0) -> object:
    """Return what is known of a game, with nothing known after a resignation, which changes no position.

    first: how many moves were made before the first position that it is known of.
    """
    if not isinstance(truth, list):
        return 0
    winners, margins, best, winning = truth
    missing = moves + 1 - len(winners) - first
    shifted = [{str(int(ply) + first): names for ply, names in one.items()} for one in (best, winning)]
    return [[-1] * first + winners + [-1] * missing, [None] * first + margins + [None] * missing, *shifted]


def _lesson(state: State, moves: Message) -> Message | None:
    """Return what a position teaches. moves: all, by name, with what each is worth, as the solver says."""
    winning = [parse_vertex(name, state.grid.size) for name, (rate, _) in moves.items() if rate == 1]
    probe = lesson_of(state, winning)
    return None if probe is None else {"name": probe.name, "says": probe.says}


def ideas_at(game: Game, number: int) -> Message:
    """Return what moves do in the position after so many, whatever they are worth: number, and of each idea its moves."""
    if number > len(game.moves):
        raise GameError(f"expected a move up to {len(game.moves)}, got {number}")
    ideas = ideas_in(game.states[number])
    return {"number": number, "found": {name: [move_name(move, game.size) for move in moves] for name, moves in ideas.items()}}


def read_sgf(data: str) -> tuple[Review, RuleSet, tuple[str, ...]]:
    """Return the first game of an SGF file, which comes in base 64, by which rules it is read, and what is not as it says.

    Raises GameError.
    """
    reader = Program(SOLVER)
    try:
        reader.tell({"id": 0, "ask": "sgf", "data": data})
        answer = reader.answer()
    except EndedError as error:
        raise GameError(f"the file cannot be read: {error}") from None
    finally:
        reader.end()
    if answer["error"]:
        raise GameError(answer["error"])
    review = read_review(answer["text"])
    return review, with_komi(ruleset(answer["rules"]), review.size, answer["komi"]), tuple(answer["notes"])
