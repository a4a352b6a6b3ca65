"""Answers a program's questions about positions and games, line by line in JSON.

    python3 -m search.questions

A position is {"rules": "course", "size": 5, "moves": ["C3", "D4"]}. Each question is one of these, in a line:

    {"id": 1, "ask": "values", "position": ...}    what every move is worth; answered again whenever more is known
    {"id": 2, "ask": "line", "position": ...}      how the game goes on with best play
    {"id": 3, "ask": "game", "position": ..., "seconds": 20}    what every move of a game was worth, as far as found by then
    {"id": 4, "ask": "sgf", "text": "(;..."}       the first game of an SGF file, as a position, with its komi

Every answer has the question's id, {"id": 1, "error": "", "done": true, ...}, and these besides:

    values    moves: name -> [1 win, 0.5 tie, 0 loss; points ahead at the end or null], both for the player to move; of how many
    line      moves: names; exact: whether they are best by points, or only keep the result
    game      truth: [winners, margins, best, winning] as a replay of games in a browser reads them
    sgf       position; lines: its variations, each a list of names of moves from the empty board, as far as they may be played

The next question ends the search for the last one. Ends with its input. Only `sgf` does without numba.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from common.command_lines import how_to_install, missing_package
from goban.errors import GobanError
from goban.moves import Move, move_name
from goban.points import parse_vertex
from goban.rulesets import ruleset
from goban.states import State, new_game
from search.errors import SearchError

if TYPE_CHECKING:
    from search.exact_candidates import ExactAnalyst

Message = dict[str, Any]
_MEMORY_MIB = 128
_MOST_LINES = 200
"""Of a file, its main line among them; more are left out."""
_LINE_SECONDS = 5.0
_UNKNOWN = -1


class Questions:
    """Answers one question after another. stopped: whether the answer is no longer wanted."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped

    def answers(self, question: Message) -> Iterator[Message]:
        """Yield the answers to a question; an answer with an error is the last."""
        ask = {"values": self._values, "line": self._line, "game": self._game, "sgf": self._sgf}[question["ask"]]
        fixed = {"id": question["id"], "error": "", "done": True}
        try:
            yield from (fixed | answer for answer in ask(question))
        except (GobanError, SearchError) as error:
            yield fixed | {"error": str(error)}
        except ModuleNotFoundError as error:
            yield fixed | {"error": f"this needs {missing_package(error)}: {how_to_install()}"}

    @cached_property
    def _analyst(self) -> ExactAnalyst:
        from search.exact_candidates import ExactAnalyst

        return ExactAnalyst(_MEMORY_MIB)

    def _values(self, question: Message) -> Iterator[Message]:
        state = played(question["position"])[-1]
        of, found = len(state.legal_moves()), {}
        for candidates in self._analyst.candidates(state, self._stopped):
            found = {move_name(one.move, state.grid.size): [one.winrate, one.lead] for one in candidates}
            yield {"moves": found, "of": of, "done": False}
        yield {"moves": found, "of": of, "done": not self._stopped()}

    def _line(self, question: Message) -> Iterator[Message]:
        from search.strategy import perfect_moves

        state = played(question["position"])[-1]
        solver = self._analyst.solver_until(state, self._stopped)
        line: list[Move] = list(solver.line(state, seconds=_LINE_SECONDS).line)
        exact = bool(line)
        while not exact and not state.is_over and not self._stopped():
            line.append(perfect_moves(state, solver)[0])
            state = state.after(line[-1])
        yield {"moves": [move_name(move, state.grid.size) for move in line], "exact": exact}

    def _game(self, question: Message) -> Iterator[Message]:
        from search.analysis import values_of

        states = played(question["position"])
        values = values_of(states, self._analyst.solver_until(states[0], self._stopped), question["seconds"])
        size = states[0].grid.size

        def names(moves: tuple[Move, ...]) -> str:
            return " ".join(move_name(move, size) for move in moves)

        # A replay looks at what was better by the number of the move that was made.
        numbered = list(enumerate(values[:-1], 1))
        best = {str(ply): names(value.best_moves) for ply, value in numbered if value.best_moves}
        winning = {str(ply): names(value.winning_moves) for ply, value in numbered if value.winning_moves}
        winners = [_UNKNOWN if value.winner is None else value.winner for value in values]
        yield {"truth": [winners, [value.margin for value in values], best, winning]}

    def _sgf(self, question: Message) -> Iterator[Message]:
        from search.positions import start_of
        from search.sgf_files import read_game

        data = question["text"].encode("utf-8", "replace")
        game = read_game(data, 1)
        if game.setup is not None or game.to_move == 2:
            raise SearchError("expected a game from the empty board, with Black to begin")
        rules = start_of(game).rules
        position = {
            "rules": rules.name,
            "size": game.size,
            "komi": rules.komi(game.size),
            "moves": [move_name(played.move, game.size) for played in game.moves],
        }
        played(position)
        yield {"position": position, "lines": _variations(data, position)}


def _variations(data: bytes, position: Message) -> list[list[str]]:
    """Return the lines of a file's first game but for its main line, each as far as the rules allow it."""
    from search.sgf_variations import lines_of

    size = position["size"]
    found: list[list[str]] = []
    moves: list[Move] = []
    states = [new_game(ruleset(position["rules"]), size)]
    for line in lines_of(data, size, _MOST_LINES)[1:]:
        # It begins as the line before it, whose positions are known.
        both = min(len(line), len(moves))
        shared = next((k for k in range(both) if line[k] != moves[k]), both)
        del moves[shared:], states[shared + 1 :]
        for move in line[shared:]:
            if states[-1].why_illegal(move) is not None:
                break
            moves.append(move)
            states.append(states[-1].play(move))
        found.append([move_name(move, size) for move in moves])
    return found


def played(position: Message) -> list[State]:
    """Return the positions of a game, from the empty board; raises GobanError for moves that may not be played."""
    states = [new_game(ruleset(position["rules"]), position["size"])]
    for name in position["moves"]:
        states.append(states[-1].play(parse_vertex(name, position["size"])))
    return states


def main() -> None:
    """Answer until the input ends."""
    asked: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            asked.put(line)
        asked.put("")

    threading.Thread(target=read, daemon=True).start()
    questions = Questions(lambda: not asked.empty())
    while line := asked.get():
        for answer in questions.answers(json.loads(line)):
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
