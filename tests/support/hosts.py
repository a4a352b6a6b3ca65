"""A host in a drawn position, and players for a game whose moves do not matter."""

from __future__ import annotations

import random

from go import GO
from goban.diagrams import parse_diagram
from goban.rulesets import COURSE
from players.random_player import RandomPlayer


def host(drawing, rules=COURSE, **values):
    """A GO that shows a drawn board, and whatever else."""
    board = parse_diagram(drawing)
    go = GO(len(board), rules)
    go.update_board(board)
    for name, value in values.items():
        setattr(go, name, value)
    return go


def fillers():
    return RandomPlayer(random.Random(1)), RandomPlayer(random.Random(2))
