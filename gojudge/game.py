"""All that the judge knows of Go: the one module outside `inside` that imports it. A test holds the others to that.

    rules        RuleSet, ruleset, COURSE, LITTLEGO, AGA, Repetition; move_seconds: what they allow a move
    a game       new_game, State: where it starts, and where it stands; play_answers: the loop over two seats
    an answer    judge_answer, Move, PASS, RESIGN, Resign, Point; move_name and parse_vertex: as text
    shown        question_text: the file that a program reads (what a class and an engine are shown, `inside` and GTP say)
    the end      Ending, Outcome, result_text
    colours      BLACK, WHITE, COLOUR_NAMES, opponent

Engines are talked to by GTP, which is `goban.gtp`. In a sandbox a player is shown Go itself, see `gojudge.inside`.
"""

from __future__ import annotations

from goban.errors import GtpError
from goban.game import judge_answer, play_answers
from goban.grids import BLACK, WHITE
from goban.inputs import question_text
from goban.moves import PASS, RESIGN, Move, Resign, move_name
from goban.points import Point, parse_vertex
from goban.rulesets import (
    AGA,
    COLOUR_NAMES,
    COURSE,
    LITTLEGO,
    Ending,
    Outcome,
    Repetition,
    RuleSet,
    move_seconds,
    opponent,
    result_text,
    ruleset,
)
from goban.states import State, new_game

__all__ = [
    "AGA", "BLACK", "COLOUR_NAMES", "COURSE", "LITTLEGO", "PASS", "RESIGN", "WHITE", "Ending", "GtpError", "Move", "Outcome",
    "Point", "Repetition", "Resign", "RuleSet", "State", "judge_answer", "move_name", "move_seconds", "new_game", "opponent",
    "parse_vertex", "play_answers", "question_text", "result_text", "ruleset",
]  # fmt: skip
