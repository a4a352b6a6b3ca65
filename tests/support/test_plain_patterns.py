"""The slow reference of playouts, held against positions measured on GNU Go, and against drawings."""

import random

import pytest

from goban.montecarlo.pattern_sets import set_named
from goban.rulesets import ruleset
from goban.states import new_game
from tests.support.near_drawings import NEAR, drawn
from tests.support.oracle import with_value
from tests.support.plain_patterns import (
    MOST_MOVES,
    PlainPlayout,
    code,
    combination,
    effect,
    ko_after,
    near_after,
    place,
    weights,
)
from tests.support.positions_file import parse_point
from tests.support.weight_cases import board_of, weight_cases

pytestmark = pytest.mark.slow

CASES = weight_cases()


def letters(properties):
    """Properties as the file of cases writes them."""
    marks = "fn"[properties & 1] + "su"[properties >> 6 & 1] + "su"[properties >> 5 & 1]
    return f"{marks}{properties >> 3 & 3}{properties >> 1 & 3}" + "-k"[properties >> 7]


def near_of(case):
    return near_after(case.before, case.move, 3 - case.to_play) if case.move else set()


def test_there_are_cases_of_every_set_and_of_small_and_large_boards():
    assert {case.pattern_set for case in CASES} == {"mc_uniform", "mc_mogo_classic", "mc_montegnu_classic"}
    assert {len(case.board) for case in CASES} == {2, 3, 5, 7, 9}
    assert sum(len(case.weights) for case in CASES) == 3262


@pytest.mark.parametrize("case", CASES, ids=str)
def test_properties_and_weights_are_those_of_gnu_go(case):
    near, value = near_of(case), set_named(case.pattern_set).value
    found = {point: letters(combination(case.board, point, case.to_play, point in near)) for point in case.weights}
    assert found == case.properties
    assert weights(case.board, case.to_play, case.ko, near, value) == case.weights


@pytest.mark.parametrize("case", [case for case in CASES if case.move], ids=str)
def test_board_and_ko_after_the_last_move_are_those_of_gnu_go(case):
    assert place(case.before, case.move, 3 - case.to_play).after == case.board
    assert ko_after(case.before, case.move, 3 - case.to_play) == case.ko


@pytest.mark.parametrize("size", [2, 3, 4, 6, 9, 19])
def test_boards_suicide_and_ko_are_those_of_goban(size):
    rng, state, last = random.Random(size), new_game(ruleset("alphago7"), size), None
    for _ in range(2 * size * size):
        board = tuple(map(tuple, state.rows()))
        moves = [move for move in state.legal_moves() if isinstance(move, tuple)]
        if not moves or state.n_move > 100:
            break
        ko = ko_after(*last) if last else None
        empty = [(i, j) for i in range(size) for j in range(size) if board[i][j] == 0]
        legal = [point for point in empty if point != ko and not effect(board, point, state.to_move)[2]]
        assert legal == moves
        last = board, rng.choice(moves), state.to_move
        state = state.play(last[1])
        assert place(*last).after == tuple(map(tuple, state.rows()))


@pytest.mark.parametrize("what", NEAR)
def test_near_points_are(what):
    board, move, near = drawn(NEAR[what])
    assert near_after(board, move, 1) == near


def test_a_code_begins_with_the_point_below():
    board = board_of("...X..O..", 3)
    assert code(board, (1, 1), 1) == 1 << 2 | 2 << 8
    assert code(board, (1, 1), 2) == 2 << 2 | 1 << 8
    assert code(board, (0, 0), 1) == 1 | 3 << 2 | 3 << 4 | 3 << 8 | 3 << 10 | 3 << 12


def test_a_single_stone_that_takes_one_makes_a_ko():
    board = board_of(".XO.X.XO..O.....", 4)
    assert ko_after(board, parse_point("C3", 4), 1) is None
    assert ko_after(with_value(board, [(1, 1)], 2), parse_point("C3", 4), 1) is None
    full = board_of(".XO.XO.O.XO.....", 4)
    assert ko_after(full, (1, 2), 1) == (1, 1)
    assert ko_after(with_value(full, [(2, 1)], 2), (1, 2), 1) is None


def test_three_passes_in_a_row_end_a_playout():
    playout = PlainPlayout(((0,) * 3,) * 3, 1, lambda code, combination: 0)
    playout.play((1, 1))
    assert playout.near
    playout.play_out(random.Random(1))
    assert (playout.over(), playout.depth, playout.colour, playout.near) == (True, 4, 1, set())


def test_after_six_hundred_and_one_moves_there_are_only_passes():
    playout = PlainPlayout(((0,) * 5,) * 5, 1, lambda code, combination: 1)
    playout.play_out(random.Random(1))
    assert playout.depth == MOST_MOVES + 1 + 3


def test_moves_are_drawn_by_their_weights():
    playout = PlainPlayout(((0,) * 3,) * 3, 2, lambda code, combination: int(code == 0))
    assert playout.weights() == {(i, j): int((i, j) == (1, 1)) for i in range(3) for j in range(3)}
    playout.play_out(random.Random(1))
    assert (playout.board, playout.depth) == (((0, 0, 0), (0, 2, 0), (0, 0, 0)), 4)
