"""How games end: by passes, resignation, the move limit or for want of a legal placement; and who has won then."""

from dataclasses import replace

import pytest

from goban.errors import IllegalMoveError
from goban.grids import grid_of
from goban.moves import PASS, RESIGN
from goban.rulesets import PRESETS, ruleset
from goban.states import State, new_game, state_from_rows
from tests.support.states import ending


def test_nothing_may_be_played_after_the_end():
    state = new_game(ruleset("aga"), 9).play(PASS).play(PASS)
    assert state.legal_moves() == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        state.play((0, 0))


def test_resigning_loses():
    state = new_game(ruleset("aga"), 9).play((4, 4)).play(RESIGN)
    assert (ending(state), state.outcome.winner, state.outcome.result()) == ("resignation", 1, "B+R")


def test_an_opening_pass_ends_littlego_only():
    assert ending(new_game(ruleset("littlego")).play(PASS)) == "two passes"
    for preset in PRESETS.keys() - {"littlego", "course"}:
        assert not new_game(ruleset(preset), 5).play(PASS).is_over


PASSES = [
    ("littlego", [], True),
    ("littlego", [(0, 0)], False),
    ("littlego", [(0, 0), PASS], True),
    ("littlego", [(0, 0), PASS, (1, 1)], False),
    ("aga", [], False),
    ("aga", [(0, 0), PASS], True),
    ("tromp-taylor-pgx", [PASS], True),
    ("tromp-taylor-pgx", [PASS, (0, 0)], False),
    ("course", [], False),
    ("course", [(0, 0)], False),
]


@pytest.mark.parametrize(("preset", "moves", "ends"), PASSES)
def test_whether_a_pass_would_end_the_game(preset, moves, ends):
    state = new_game(ruleset(preset), 5)
    for move in moves:
        state = state.play(move)
    assert state.pass_ends is ends
    if state.rules.passing:
        assert state.play(PASS).is_over is ends


def test_an_unchanged_board_alone_ends_only_where_the_rules_say_so():
    grid = grid_of(5)
    for preset, ends in (("littlego", True), ("aga", False), ("course", False)):
        state = State(ruleset(preset), grid, 1, 2, grid.full ^ 3, n_move=2, previous=(1, 2))
        assert state.pass_ends is ends


@pytest.mark.parametrize("size", range(2, 20))
def test_the_course_ends_after_one_move_less_than_points(size):
    rules = ruleset("course")
    grid = grid_of(size)
    last_but_one = State(rules, grid, 0, 0, grid.full, n_move=size * size - 2)
    assert not last_but_one.is_over
    assert ending(last_but_one.play((0, 0))) == "move limit"


def test_the_course_ends_when_nothing_is_legal():
    state = state_from_rows(ruleset("course"), [[0, 1], [1, 0]], to_move=2)
    assert ending(state) == "no legal placement"
    assert state.outcome.winner == 1
    assert ending(state_from_rows(ruleset("littlego"), [[0, 1], [1, 0]], to_move=2)) is None


def test_equal_stones_tie_on_an_even_board():
    state = state_from_rows(ruleset("course"), [[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 2]], n_move=15)
    assert state.outcome.winner == 0
    assert state.outcome.result() == "0"


@pytest.mark.parametrize(("preset", "winner"), [("tromp-taylor-pgx", 2), ("tromp-taylor-openspiel", 0)])
def test_with_whole_komi_a_tie_may_be_a_win_for_white(preset, winner):
    rules = replace(ruleset(preset), fixed_komi=-3.0)
    state = state_from_rows(rules, [[1, 1, 1, 1], [1, 1, 0, 2], [2, 2, 2, 2], [0, 2, 0, 2]])
    assert state.points() == (6, 9)
    assert state.play(PASS).play(PASS).outcome.winner == winner
