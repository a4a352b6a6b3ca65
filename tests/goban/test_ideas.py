"""Ideas, on boards drawn by hand: which placements do what an idea says. X is to move."""

import pytest

from goban import ideas
from goban.diagrams import parse_diagram
from goban.moves import PASS
from goban.points import parse_vertex
from goban.rulesets import COURSE, LITTLEGO
from goban.states import state_from_rows

CASES = {
    "a stone in atari is taken by a stone with two liberties": (ideas.safe_captures, "D3", """
        . . . . .
        . . X . .
        . X O . .
        . . X . .
        . . . . .
    """),
    "a capture that is itself in atari is not free": (ideas.safe_captures, "", """
        . O X . .
        O X . . .
        . . . . .
        . . . . .
        . . . . .
    """),
    "two stones are more than one": (ideas.larger_captures, "C5", """
        O O . . .
        X X . . .
        . . . . .
        X . . . .
        O . . . .
    """),
    "captures of one size leave nothing to choose": (ideas.larger_captures, "", """
        O . . . O
        X . . . X
        . . . . .
        . . . . .
        . . . . .
    """),
    "two stones run to more liberties": (ideas.rescues, "D3", """
        . O O . .
        O X X O .
        . O X . .
        . . O . .
        . . . . .
    """),
    "one stone alone is no group to rescue": (ideas.rescues, "", """
        . . . . .
        . . O . .
        . O X . .
        . . O . .
        . . . . .
    """),
    "the group is saved by taking what holds it": (ideas.rescuing_captures, "D4", """
        . . X . .
        . X O . .
        . . X O .
        . . O . .
        . . . . .
    """),
    "two groups are put into atari": (ideas.double_ataris, "C3", """
        . . X . .
        . X O . .
        X O . . .
        . . . . .
        . . . . .
    """),
    "a lone stone is thrown in": (ideas.snapbacks, "A5 B5", """
        . . O X .
        O O O X .
        X X X . .
        . . . . .
        . . . . .
    """),
    "a capture that loses more than it takes": (ideas.baits, "B5", """
        O . O . .
        X X O . .
        O O . . .
        . . . . .
        . . . . .
    """),
    "a ladder runs into the edge": (ideas.ladders, "B3 C4", """
        . . . . .
        . . . X .
        . . O X .
        . X X X .
        . . . . .
    """),
    "a ladder catches who runs": (ideas.ladder_runs, "D3", """
        . . . . .
        . . O O .
        . O X . .
        . . O . .
        . . . . .
    """),
    "who runs to three liberties is in no ladder": (ideas.ladder_runs, "", """
        . . . . .
        . . O . .
        . O X . .
        . . O . .
        . . . . .
    """),
    "two stones can be joined on two points": (ideas.connections, "B4 C3", """
        . . . . .
        . . X . .
        . X . . .
        . . . . .
        . . . . .
    """),
    "the same points cut": (ideas.cuts, "B4 C3", """
        . . . . .
        . . O . .
        . O . . .
        . . . . .
        . . . . .
    """),
    "next to two stones of the opponent in the corner": (ideas.self_ataris, "A5", """
        . O . . .
        . . . . .
        O . . . .
        . . . . .
        . . . . .
    """),
    "an eye in the corner": (ideas.own_eyes, "A5", """
        . X . . .
        X X . . .
        . . . . .
        . . . . .
        . . . . .
    """),
    "a false eye is none": (ideas.own_eyes, "", """
        . X . . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
    """),
    "a stone in atari is not quiet": (ideas.quiet_positions, "", """
        O . . . .
        X . . . .
        . . . . .
        . . . . .
        . . . . .
    """),
}


def names(text, size=5):
    return {parse_vertex(name, size) for name in text.split()}


def position(drawing, to_move=1, n_move=14, rules=COURSE):
    return state_from_rows(rules, parse_diagram(drawing), to_move, n_move)


@pytest.mark.parametrize(("idea", "moves", "drawing"), CASES.values(), ids=CASES)
def test_these_moves_do_it_and_no_others(idea, moves, drawing):
    assert idea(position(drawing)) == names(moves)


@pytest.mark.parametrize(("idea", "moves", "drawing"), CASES.values(), ids=CASES)
def test_colours_do_not_matter(idea, moves, drawing):
    swapped = drawing.translate(str.maketrans("XO", "OX"))
    assert idea(position(swapped, to_move=2, n_move=15)) == names(moves)


KO = """
    . X O . .
    X . X O .
    . X O . .
    . . . . .
    . . . . .
"""


def test_a_ko_is_taken_and_may_then_not_be_taken_back():
    before = position("""
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
    """)
    assert ideas.ko_captures(before) == names("C4")
    assert not ideas.ko_answers(before)
    after = before.play(parse_vertex("C4", 5))
    assert after.rows() == position(KO).rows()
    assert ideas.ko_answers(after) == set(after.legal_moves())
    assert parse_vertex("B4", 5) not in after.legal_moves()


def test_a_pass_is_an_idea_only_where_the_rules_have_it():
    assert ideas.passing(position(KO)) == set()
    assert ideas.passing(position(KO, rules=LITTLEGO)) == {PASS}
