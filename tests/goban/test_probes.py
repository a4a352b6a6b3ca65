"""When a position belongs to a probe: all that wins is of the idea, or all that loses."""

import pytest

from goban.diagrams import parse_diagram
from goban.ideas import BY_NAME, PROBES, SAMPLE, SYMMETRIC, Kind, Probe, ideas_in, lesson_of
from goban.rulesets import COURSE
from goban.states import state_from_rows

STATE = state_from_rows(COURSE, parse_diagram("""
    X . O . .
    . . . . .
    . . . . .
    . . . . .
    . . . O X
"""), 1, 14)
MOVES = STATE.legal_moves()
FOUR = frozenset(MOVES[:4])


def probe(kind, found, **values):
    return Probe("mine", "does it", lambda state: frozenset(found), kind, **values)


@pytest.mark.parametrize(("winning", "shown"), [
    ([], False),
    (MOVES[:1], True),
    (MOVES[:4], True),
    (MOVES[:5], False),
    (MOVES[4:5], False),
])  # fmt: skip
def test_to_find_all_that_wins_is_of_the_idea(winning, shown):
    assert probe(Kind.FIND, FOUR).shows(STATE, winning) == shown


def test_to_find_at_most_half_of_all_moves_win():
    half = len(MOVES) // 2
    assert probe(Kind.FIND, MOVES).shows(STATE, MOVES[:half])
    assert not probe(Kind.FIND, MOVES).shows(STATE, MOVES[: half + 1])


@pytest.mark.parametrize(("losing", "shown"), [
    ([], False),
    (MOVES[:1], True),
    (MOVES[:4], True),
    (MOVES[:5], False),
    (MOVES[4:5], False),
    (MOVES, False),
])  # fmt: skip
def test_to_avoid_all_that_loses_is_of_the_idea(losing, shown):
    assert probe(Kind.AVOID, FOUR).shows(STATE, set(MOVES) - set(losing)) == shown


def test_to_avoid_a_least_share_may_be_asked_for():
    losing = MOVES[: len(MOVES) // 4]
    assert not probe(Kind.AVOID, MOVES, least=0.25).shows(STATE, set(MOVES) - set(losing[:-1]))
    assert probe(Kind.AVOID, MOVES, least=len(losing) / len(MOVES)).shows(STATE, set(MOVES) - set(losing))


def test_positions_are_of_some_part_of_the_game_and_have_the_idea_in_them():
    assert not probe(Kind.FIND, FOUR, plies=range(15, 20)).shows(STATE, MOVES[:1])
    assert not probe(Kind.FIND, ()).shows(STATE, MOVES[:1])


def test_names_are_different():
    assert len(BY_NAME) == len(PROBES) >= 12
    assert not {SAMPLE, SYMMETRIC} & {*BY_NAME}


TAKEN = """
    . O X . .
    . X X . .
    . . . . .
    . . . O .
    . . . . .
"""


def test_a_position_teaches_the_idea_that_decides_it():
    state = state_from_rows(COURSE, parse_diagram("""
        . . . . .
        . . X . .
        . X O . .
        . . X . .
        O . . . .
    """), 1, 14)
    assert lesson_of(state, [(2, 3)]).name == "capture"
    assert lesson_of(state, [(4, 4)]) is None
    assert lesson_of(state, state.legal_moves()) is None
    assert lesson_of(state.with_(n_move=20), [(4, 4)]).name == "count"
    assert lesson_of(state.with_(n_move=23), [(4, 4)]).name == "count"
    assert lesson_of(state, []) is None


def test_ideas_are_named_with_their_moves():
    state = state_from_rows(COURSE, parse_diagram(TAKEN), 1, 14)
    found = ideas_in(state)
    assert found["capture"] == [(0, 0)]
    assert "count" not in found
    assert "snapback" not in found
