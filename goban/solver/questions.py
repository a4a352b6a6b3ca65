"""Answers a program's questions about positions and games, line by line in JSON.

    python3 -m goban.solver.questions

A position is {"rules": "course", "size": 5, "moves": ["C3", "D4"]}, with "komi" if it is not that of the rules; one that was
set up has besides the start of its moves, "start": {"rows": [[0, 1, ...], ...], "to_move": 1, "n_move": 4}. Each question is
one of these, in a line:

    {"id": 1, "ask": "values", "position": ...}    what every move is worth; answered again whenever more is known
    {"id": 2, "ask": "line", "position": ...}      how the game goes on with best play
    {"id": 3, "ask": "game", "position": ..., "seconds": 20}    what every move of a game was worth, as far as found by then
    {"id": 4, "ask": "judge", "position": ..., "stones": 3, "seconds": 9}    what its last move threw away
    {"id": 5, "ask": "sgf", "data": "KDs..."}      an SGF file in base 64, whatever its encoding, and by which rules it is read

Every answer has the question's id, {"id": 1, "error": "", "done": true, ...}, and these besides:

    values    moves: name -> [1 win, 0.5 tie, 0 loss; points ahead at the end or null], both for the player to move; of how many
              bounds: null, or at the end, where rules count area and moves stay unknown, the least and the most that Black's
              points less White's can be
    line      line: names of moves; exact: whether they are best by points, or only keep the result
    game      truth: [winners, margins, best, winning] as a replay of games in a browser reads them
    judge     turn: 'win to loss' or the like, or ''; cost: in stones, null if unknown; better: the moves that would have won,
              line: how it is punished, if it threw away the game or as many stones; exact: as of a line
    sgf       text; rules and komi, by which the first game of the file is to be looked at; notes: what is not as the file says

The next question ends the search for the last one. Ends with its input. Only `sgf` does without packages.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from goban.common.command_lines import missing_package, what_is_needed
from goban.common.terminals import keep_streams
from goban.errors import GobanError
from goban.moves import Move, Resign, move_name
from goban.points import parse_vertex
from goban.reviews import Review, read_review, start_from
from goban.rulesets import with_komi
from goban.sgf import SgfGame, SgfMove
from goban.solver.candidates import cost_stones, loses, turn_of
from goban.solver.errors import SearchError
from goban.solver.positions import counts_area, rules_by_name, rules_of
from goban.states import State

if TYPE_CHECKING:
    from goban.solver.analysis import ExactAnalyst
    from goban.solver.solver import Solver

Message = dict[str, Any]
_MEMORY_MIB = 128
_LINE_SECONDS = 5.0
_BOUNDS_NODES = 200_000
_MOST_MOVES = 12
_UNKNOWN = -1


class Questions:
    """Answers one question after another. stopped: whether the answer is no longer wanted."""

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped

    def answers(self, question: Message) -> Iterator[Message]:
        """Yield the answers to a question; an answer with an error is the last."""
        ask = {
            "values": self._values, "line": self._line, "game": self._game, "judge": self._judge, "sgf": _sgf,
        }[question["ask"]]  # fmt: skip
        fixed = {"id": question["id"], "error": "", "done": True}
        try:
            yield from (fixed | answer for answer in ask(question))
        except (GobanError, SearchError) as error:
            yield fixed | {"error": str(error)}
        except ModuleNotFoundError as error:
            yield fixed | {"error": what_is_needed(missing_package(error))}

    @cached_property
    def _analyst(self) -> ExactAnalyst:
        from goban.solver.analysis import ExactAnalyst

        return ExactAnalyst(_MEMORY_MIB)

    def _values(self, question: Message) -> Iterator[Message]:
        state = play_moves(question["position"])[-1]
        of, values = sum(not isinstance(move, Resign) for move in state.legal_moves()), {}
        for candidates in self._analyst.candidates(state, self._stopped):
            values = {move_name(one.move, state.grid.size): [one.winrate, one.lead] for one in candidates}
            yield {"moves": values, "of": of, "bounds": None, "done": False}
        bounds = None
        if len(values) < of and not self._stopped():
            solver = self._analyst.solver_until(state, self._stopped)
            bounds = solver.margin(state, nodes=_BOUNDS_NODES, seconds=_LINE_SECONDS).bounds
        yield {"moves": values, "of": of, "bounds": bounds, "done": not self._stopped()}

    def _line(self, question: Message) -> Iterator[Message]:
        state = play_moves(question["position"])[-1]
        solver = self._analyst.solver_until(state, self._stopped)
        if counts_area(state.rules) and solver.winner(state, seconds=_LINE_SECONDS).winner is None:
            yield {"line": [], "exact": False, "error": f"Unknown: this takes longer than {_LINE_SECONDS:g} s."}
        else:
            yield self._play_on(state, solver)

    def _play_on(self, state: State, solver: Solver) -> Message:
        """Return how the game goes on, and whether that is best by points."""
        from goban.solver.solver import perfect_moves

        # Under such rules who is ahead may go on for long before they pass.
        most = _MOST_MOVES if counts_area(state.rules) else state.grid.size**2
        line: list[Move] = list(solver.line(state, seconds=_LINE_SECONDS).line)
        exact = bool(line)
        size = state.grid.size
        while not exact and len(line) < most and not state.is_over and not self._stopped():
            line.append(perfect_moves(state, solver)[0])
            state = state.after(line[-1])
        return {"line": _names(line, size), "exact": exact}

    def _judge(self, question: Message) -> Iterator[Message]:
        *_, before, after = play_moves(question["position"])
        solver = self._analyst.solver_until(before, self._stopped)
        # Compiling, and reading the book, must not use up the time there is.
        solver.winner(before, nodes=0)
        seconds, colour = question["seconds"] / 4, before.to_move
        won = [solver.winner(state, seconds=seconds).winner for state in (before, after)]
        turn = turn_of(colour, *won)
        margins = [solver.margin(state, seconds=seconds).margin for state in (after, before) if question["stones"]]
        cost = cost_stones(colour, margins[1], margins[0]) if margins else None
        if loses(turn) or (question["stones"] and (cost or 0) >= question["stones"]):
            better = solver.best_moves(before, seconds=seconds)
            names = _names(better.best_moves or better.winning_moves, before.grid.size)
            yield {"turn": turn, "cost": cost, "better": names, **self._play_on(after, solver)}
        else:
            yield {"turn": "", "cost": cost, "better": [], "line": [], "exact": False}

    def _game(self, question: Message) -> Iterator[Message]:
        from goban.solver.analysis import values_of

        states = play_moves(question["position"])
        values = values_of(states, self._analyst.solver_until(states[0], self._stopped), question["seconds"])
        size = states[0].grid.size

        # A replay looks at what was better by the number of the move that was made.
        numbered = list(enumerate(values[:-1], 1))
        best = {str(ply): " ".join(_names(value.best_moves, size)) for ply, value in numbered if value.best_moves}
        winning = {str(ply): " ".join(_names(value.winning_moves, size)) for ply, value in numbered if value.winning_moves}
        winners = [_UNKNOWN if value.winner is None else value.winner for value in values]
        yield {"truth": [winners, [value.margin for value in values], best, winning]}


def _sgf(question: Message) -> Iterator[Message]:
    from goban.solver.sgf_repair import as_utf8, komi_notes

    data, _, notes = as_utf8(base64.b64decode(question["data"]))
    text = data.decode("utf-8", "replace")
    review = read_review(text)
    rules, more = rules_of(_main_line(review))
    notes += [*komi_notes(*review.komi_value), *more]
    yield {"text": text, "rules": rules.name, "komi": rules.komi(review.size), "notes": notes}


def _main_line(review: Review) -> SgfGame:
    """Return what the rules of a file depend on."""
    nodes = [review.nodes[place] for place in review.line(0)]
    moves = tuple(SgfMove(node.colour, node.move) for node in nodes if node.colour)
    return SgfGame(review.size, review.komi, review.rules, moves=moves)


def _names(moves: Iterable[Move], size: int) -> list[str]:
    return [move_name(move, size) for move in moves]


def play_moves(position: Message) -> list[State]:
    """Return the positions of a game, from its start; raises GobanError for moves that may not be played."""
    rules = with_komi(rules_by_name(position["rules"]), position["size"], position.get("komi"))
    states = [start_from(rules, position["size"], position.get("start"))]
    for name in position["moves"]:
        states.append(states[-1].play(parse_vertex(name, position["size"])))
    return states


def main() -> None:
    """Answer until the input ends."""
    asked: queue.Queue[str] = queue.Queue()
    commands, answers = keep_streams()

    def read() -> None:
        with os.fdopen(commands, encoding="ascii") as lines:
            for line in lines:
                asked.put(line)
        asked.put("")

    threading.Thread(target=read, daemon=True).start()
    questions = Questions(lambda: not asked.empty())
    with os.fdopen(answers, "w", encoding="ascii") as lines:
        while line := asked.get():
            for answer in questions.answers(json.loads(line)):
                lines.write(json.dumps(answer) + "\n")
                lines.flush()


if __name__ == "__main__":
    main()
