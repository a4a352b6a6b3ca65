"""Ladders, counted in ataris, on boards drawn by hand. X chases, O runs."""

from goban.diagrams import parse_diagram
from goban.ideas import ataris_after, ladder_ataris, ladder_starts
from goban.points import parse_vertex
from goban.rulesets import COURSE
from goban.states import state_from_rows

LADDER = """
    . . . . .
    . . . X .
    . . O X .
    . X X X .
    . . . . .
"""


def position(drawing):
    return state_from_rows(COURSE, parse_diagram(drawing), 1, 14)


def point(name):
    return parse_vertex(name, 5)


def test_each_atari_counts_until_nothing_is_left_to_run_to():
    state = position(LADDER)
    assert ladder_starts(state, point("C3")) == [point("C4"), point("B3")]
    assert ataris_after(state, point("C4"), point("C3")) == 3
    assert ladder_ataris(state, point("C3")) == 3


def test_a_stone_that_waits_for_the_runner_breaks_it():
    """B3 and A3 join a stone of theirs, and have three liberties."""
    waiting = LADDER.replace(". . O X .", "O . O X .")
    assert ataris_after(position(waiting), point("C4"), point("C3")) == 0


def test_a_runner_who_can_take_a_chaser_is_safe():
    """After B3 the two stones on D3 and D4 can be taken on C4; with a liberty more they could not."""
    state = position("""
        . . X O .
        . . . X O
        . . O X O
        . X X O .
        . . . . .
    """)
    assert ataris_after(state, point("B3"), point("C3")) == 0
    free = position("""
        . . X O .
        . . . X .
        . . O X O
        . X X O .
        . . . . .
    """)
    assert ataris_after(free, point("B3"), point("C3")) > 0


def test_a_group_with_one_liberty_or_three_is_in_no_ladder():
    state = position("""
        . . . . .
        . . . . .
        . . O X .
        . . . . .
        O X . . .
    """)
    assert ladder_starts(state, point("C3")) == []
    assert ladder_starts(state, point("A1")) == []
