"""Reads tests/positions/weights.jsonl: positions with the weight and the properties of every legal move.

They were measured on a running GNU Go 3.8. A line is an object:

    set       the pattern set, as GNU Go's manual names it
    size      of the board; boards are written row by row with . X O, X being Black
    before    the board before the last move, null if the position was set up; then nothing is near
    move      the last move, null if there was none; it was made by the opponent of to_play
    board     the position; ko: where to_play may not play because of it, or null
    points    of every legal move its properties and its weight: 'nsu01- 100'

The six characters of the properties: n or f, near or far; s or u, safe or unsafe; the same for the opponent's move there;
stones captured; stones the opponent would capture; k if the opponent's move would be suicide, else -.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tests.support.oracle import Board, Point
from tests.support.positions_file import POSITIONS, parse_point

COLOURS = {"b": 1, "w": 2}


@dataclass(frozen=True)
class WeightCase:
    """A line of the file. properties and weights: of every legal move."""

    name: str
    pattern_set: str
    before: Board | None
    move: Point | None
    board: Board
    to_play: int
    ko: Point | None
    properties: dict[Point, str]
    weights: dict[Point, int]

    def __str__(self) -> str:
        return self.name


def weight_cases(path: Path = POSITIONS / "weights.jsonl") -> list[WeightCase]:
    """Every line of the file."""
    return [_case(number, json.loads(line)) for number, line in enumerate(path.read_text().splitlines(), 1)]


def _case(number: int, line: dict) -> WeightCase:
    size = line["size"]
    points = {parse_point(name, size): said.split() for name, said in line["points"].items()}
    return WeightCase(
        name=f"{line['set']}-{size}-line{number}",
        pattern_set=line["set"],
        before=line["before"] and board_of(line["before"], size),
        move=line["move"] and parse_point(line["move"], size),
        board=board_of(line["board"], size),
        to_play=COLOURS[line["to_play"]],
        ko=line["ko"] and parse_point(line["ko"], size),
        properties={point: said for point, (said, _) in points.items()},
        weights={point: int(weight) for point, (_, weight) in points.items()},
    )


def board_of(text: str, size: int) -> Board:
    """A board written row by row with . X O."""
    return tuple(tuple(".XO".index(mark) for mark in text[i * size : (i + 1) * size]) for i in range(size))
