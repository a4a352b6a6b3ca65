"""The positions that come with the project, one file for each rule set the solver knows: `positions/course.jsonl`.

A line is one position, with the exact value of every legal move:

    {"set": "capture", "moves": "C3 D4 ...", "margins": {"A1": 3, "B4": -5}}

set: a probe's name, SAMPLE or SYMMETRIC. moves: from the empty board, so all that a player is told of the past is true.
margins: Black's stones less White's at the end with best play after the move, komi left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from goban.grids import BLACK
from goban.ideas import BY_NAME
from goban.moves import PASS, Move, move_name
from goban.points import parse_vertex
from goban.rulesets import RuleSet, ruleset
from goban.solver.candidates import cost_stones
from goban.states import State, new_game
from gojudge.errors import JudgeError

# The eight symmetries of a square board, numbered from 0, which leaves it as it is


IMAGES = range(8)


def image(move: Move, number: int, size: int) -> Move:
    """Return where a symmetry takes a move: 1 to 3 turn it by so many quarters, 4 to 7 reflect it first."""
    if not isinstance(move, tuple):
        return move
    row, column = move
    if number >= len(IMAGES) // 2:
        column = size - 1 - column
    for _ in range(number % (len(IMAGES) // 2)):
        row, column = column, size - 1 - row
    return row, column


def play_moves(moves: Sequence[Move], rules: RuleSet, size: int, number: int = 0) -> State:
    """Return the position after these moves, each taken through a symmetry.

    Raises IllegalMoveError or BadPointError for a move that may not be played.
    """
    state = new_game(rules, size)
    for move in moves:
        state = state.play(image(move, number, size))
    return state


def boards(state: State) -> frozenset[tuple[tuple[int, ...], ...]]:
    """Return all images of a board: two boards that differ by a symmetry have the same."""
    rows = state.rows()
    found = []
    for _ in range(len(IMAGES) // 2):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        found += [rows, [row[::-1] for row in rows]]
    return frozenset(tuple(map(tuple, each)) for each in found)


# Positions


RULES = ("course", "littlego")
SIZE = 5


@dataclass(frozen=True)
class Position:
    """A position, and what every legal move in it is worth. group: the set it belongs to; see the top of this file."""

    rules: str
    group: str
    moves: tuple[Move, ...]
    margins: Mapping[Move, int]

    def state(self, number: int = 0) -> State:
        """Return the position, or its image under a symmetry."""
        return play_moves(self.moves, ruleset(self.rules), SIZE, number)

    @property
    def to_move(self) -> int:
        """Whose turn it is, 1 or 2."""
        return len(self.moves) % 2 + 1

    @cached_property
    def best(self) -> int:
        """The margin with best play."""
        return (max if self.to_move == BLACK else min)(self.margins.values())

    @cached_property
    def winning(self) -> frozenset[Move]:
        """The moves after which the player to move wins."""
        return frozenset(move for move, margin in self.margins.items() if winner(self.rules, margin) == self.to_move)

    def cost(self, move: Move) -> int:
        """Return how many stones a legal move loses against the best, 0 or more."""
        cost = cost_stones(self.to_move, self.best, self.margins[move])
        assert cost is not None
        return cost

    def line(self) -> str:
        """Return the line of a file."""
        margins = {move_name(move, SIZE): margin for move, margin in self.margins.items()}
        return json.dumps({"set": self.group, "moves": moves_text(self.moves), "margins": margins})


def winner(rules: str, margin: int) -> int:
    """Return who wins with so many stones more for Black than for White; komi on odd boards leaves no tie."""
    return BLACK if margin > ruleset(rules).komi(SIZE) else 3 - BLACK


def moves_text(moves: Iterable[Move]) -> str:
    """Return moves as a line: 'C3 D4 pass'."""
    return " ".join(move_name(move, SIZE) for move in moves)


def read_moves(text: str) -> tuple[Move, ...]:
    """Return the moves of such a line. Raises BadPointError."""
    return tuple(_move(name) for name in text.split())


def shipped_path(rules: str) -> Path:
    """Return where the positions of a rule set lie."""
    return Path(__file__).parent / "positions" / f"{rules}.jsonl"


def read_shipped(rules: RuleSet, size: int) -> list[Position]:
    """Return the positions for a rule set and a board; raises JudgeError if there are none."""
    if rules.name not in RULES or size != SIZE:
        game = f"{rules.name} on {size}x{size}"
        raise JudgeError(f"expected {' or '.join(RULES)} on {SIZE}x{SIZE}, where every move's value is known, got {game}")
    return read_lines(rules.name, shipped_path(rules.name).read_text("ascii"))


def read_lines(rules: str, text: str) -> list[Position]:
    """Return the positions in a file's text, which is ours."""
    return [_read(rules, line) for line in text.splitlines()]


def file_text(positions: Iterable[Position]) -> str:
    """Return positions as a file holds them: by their sets, in the order of the probes."""
    order = [*BY_NAME]
    ranked = sorted(positions, key=lambda one: order.index(one.group) if one.group in BY_NAME else len(order))
    return "".join(f"{position.line()}\n" for position in ranked)


def _read(rules: str, line: str) -> Position:
    data = json.loads(line)
    margins = {_move(name): margin for name, margin in data["margins"].items()}
    return Position(rules, data["set"], read_moves(data["moves"]), margins)


def _move(name: str) -> Move:
    return PASS if name == "pass" else parse_vertex(name, SIZE)
