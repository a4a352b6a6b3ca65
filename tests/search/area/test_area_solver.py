"""Values under `area` rules, held against the published ones and against tables of all positions of a board."""

import random
from functools import cache

import numpy as np
import pytest

from goban.grids import BLACK, WHITE
from search.area.boards import shape_of
from search.area.life import ROOM, safe_points
from search.area.solver import AreaPosition, AreaSolver, empty_board
from search.errors import BadBudgetError, BadPositionError, UnsupportedGameError
from tests.support.area_retrograde import AllValues, living
from tests.support.area_values import superko_value

# Board, what Black can force, what White can, the published value. E. van der Werf and others 2003, 2009.
PUBLISHED = [
    (2, 2, -4, 4, 0), (2, 3, -6, 6, 0), (3, 2, -6, 6, 0), (2, 4, 8, 8, 8), (2, 5, 10, 10, 10), (3, 3, 9, 9, 9),
    (3, 4, 4, 12, 4), (3, 5, 15, 15, 15),
]  # fmt: skip



@cache
def all_values(height, width):
    return AllValues(height, width)


@pytest.mark.parametrize(("height", "width", "lower", "upper", "tied"), PUBLISHED)
def test_the_empty_board_is_worth_what_was_published(height, width, lower, upper, tied):
    value = AreaSolver(height, width, 64).value(empty_board(height, width))
    assert (value.lower, value.upper, value.tied) == (lower, upper, tied)


@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (2, 4), (3, 3)])
def test_the_bounds_are_those_of_a_table_of_all_positions(height, width):
    table = all_values(height, width)
    value = AreaSolver(height, width, 16).value(empty_board(height, width))
    assert (value.lower, value.upper) == (table.prover_moves(0, 0), -table.opponent_moves(0, 0))


def some_positions(table, height, width, number):
    rng = random.Random(f"{height}x{width}")
    while number:
        marks = [rng.choice((0, 1, 2)) if rng.random() < 0.8 else 0 for _ in range(height * width)]
        p, o = (sum(1 << k for k, mark in enumerate(marks) if mark == colour) for colour in (1, 2))
        empty = table.board[1] & ~(p | o)
        if living(p, empty, table.board) == p and living(o, empty, table.board) == o:
            number -= 1
            yield p, o


@pytest.mark.parametrize(("height", "width", "number"), [(2, 4, 40), (3, 3, 40)])
def test_every_answer_about_a_position_is_the_tables(height, width, number):
    table, solver = all_values(height, width), AreaSolver(height, width, 2)
    points = height * width
    for p, o in some_positions(table, height, width, number):
        for turn, true in enumerate((table.prover_moves(p, o), table.opponent_moves(p, o))):
            position = AreaPosition(height, width, p, o, (BLACK, WHITE)[turn])
            for wanted in {true, true + 1, -true} - {points + 1, -points - 1}:
                if abs(wanted) <= points:
                    assert solver.reaches(position, BLACK, wanted) == (true >= wanted), (p, o, turn, wanted)
            swapped = AreaPosition(height, width, o, p, (WHITE, BLACK)[turn])
            assert abs(true) > points or solver.reaches(swapped, WHITE, true)


def test_repetitions_decide_2x2_and_what_superko_makes_of_it_lies_between_the_bounds():
    value = AreaSolver(2, 2, 2).value(empty_board(2, 2))
    assert value.lower <= superko_value(2, 2) == 1 <= value.upper


@pytest.mark.parametrize(("height", "width"), [(2, 4), (3, 3)])
def test_what_is_called_safe_is_its_owners_on_every_board(height, width):
    table, shape, room, found = all_values(height, width), shape_of(height, width), np.zeros(ROOM, dtype=np.int64), 0
    full = shape[1]
    for p in range(1, full + 1):
        o = rest = full & ~p
        while True:
            empty = full & ~(p | o)
            if living(p, empty, table.board) == p and living(o, empty, table.board) == o:
                safe = int(safe_points(p, o, shape, room, 0))
                if safe:
                    least = 2 * safe.bit_count() - height * width
                    assert min(table.prover_moves(p, o), table.opponent_moves(p, o)) >= least, (p, o)
                    found += 1
            if o == 0:
                break
            o = (o - 1) & rest
    assert found > 10


def test_a_limit_gives_no_answer_and_a_larger_one_does():
    solver = AreaSolver(3, 4, 16)
    assert solver.reaches(empty_board(3, 4), BLACK, 4, nodes=100) is None
    assert solver.reaches(empty_board(3, 4), BLACK, 4) is True
    assert solver.reaches(empty_board(3, 4), BLACK, 5) is False


@pytest.mark.parametrize(("height", "width"), [(1, 5), (5, 7), (0, 0), (31, 2)])
def test_boards_that_are_too_narrow_or_too_large_are_refused(height, width):
    with pytest.raises(UnsupportedGameError, match=f"got {height}x{width}"):
        AreaSolver(height, width, 2)


@pytest.mark.parametrize(("black", "white"), [(1, 1), (1 << 9, 0), (0b1010, 1)])
def test_positions_that_cannot_be_are_refused(black, white):
    with pytest.raises(BadPositionError):
        AreaSolver(3, 3, 2).reaches(AreaPosition(3, 3, black, white), BLACK, 1)


@pytest.mark.parametrize(("memory", "nodes"), [(0, 1), (2, -1)])
def test_budgets_that_cannot_be_are_refused(memory, nodes):
    with pytest.raises(BadBudgetError):
        AreaSolver(2, 2, memory).reaches(empty_board(2, 2), BLACK, 1, nodes=nodes)
