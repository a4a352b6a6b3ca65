"""Values under `area` rules, held against the published ones and against tables of all positions of a board."""

from itertools import combinations

import numpy as np
import pytest

from goban.grids import BLACK, WHITE
from goban.solver.area.boards import shape_of, symmetries_of
from goban.solver.area.life import FAR, ROOM, count_missing, safe_points
from goban.solver.area.solver import AreaPosition, AreaSolver, empty_board
from goban.solver.errors import BadBudgetError, BadPositionError, UnsupportedGameError
from tests.support.area_retrograde import all_values, living, some_positions
from tests.support.area_values import black_reaches

# Board, what Black can force, what White can, the published value. E. van der Werf and others 2003, 2009.
PUBLISHED = [
    (2, 2, -4, 4, 0), (2, 3, -6, 6, 0), (3, 2, -6, 6, 0), (2, 4, 8, 8, 8), (2, 5, 10, 10, 10), (3, 3, 9, 9, 9),
    (3, 4, 4, 12, 4), (3, 5, 15, 15, 15),
]  # fmt: skip
SUICIDE = pytest.mark.parametrize("suicide", [False, True], ids=["no suicide", "suicide"])


def bounds_of(table, black=0, white=0, turn=0):
    """What the table says of a position, as `AreaSolver.value` tells it: the points of the board bound a margin at any rate."""
    points = table.board[1].bit_count()
    lower = (table.prover_moves, table.opponent_moves)[turn](black, white)
    upper = -(table.opponent_moves, table.prover_moves)[turn](white, black)
    return max(lower, -points), min(upper, points)


@pytest.mark.parametrize(("height", "width", "lower", "upper", "tied"), PUBLISHED)
def test_the_empty_board_is_worth_what_was_published(height, width, lower, upper, tied):
    value = AreaSolver(height, width, 64).value(empty_board(height, width))
    assert (value.lower, value.upper, value.tied) == (lower, upper, tied)


@SUICIDE
@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (2, 4), (3, 3)])
def test_the_bounds_are_those_of_a_table_of_all_positions(height, width, suicide):
    value = AreaSolver(height, width, 16, suicide).value(empty_board(height, width))
    assert (value.lower, value.upper) == bounds_of(all_values(height, width, suicide))


@pytest.mark.slow
def test_on_4x4_black_forces_1_whoever_repeats_and_white_nothing():
    value = AreaSolver(4, 4, 64).value(empty_board(4, 4))
    assert (value.lower, value.upper, value.tied) == (1, 16, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("height", "width"), [(2, 8), (3, 6)])
def test_oblong_boards_are_blacks_wholly(height, width):
    assert AreaSolver(height, width, 64).reaches(empty_board(height, width), BLACK, height * width)


@pytest.mark.long
def test_on_2x10_black_forces_4_and_white_lets_black_have_no_more():
    solver = AreaSolver(2, 10, 1024)
    assert solver.reaches(empty_board(2, 10), BLACK, 4)
    assert solver.reaches(empty_board(2, 10), WHITE, -4)


@pytest.mark.long
@SUICIDE
def test_the_bounds_on_4x4_are_those_of_a_table_of_all_positions(suicide):
    value = AreaSolver(4, 4, 64, suicide).value(empty_board(4, 4))
    assert (value.lower, value.upper) == bounds_of(all_values(4, 4, suicide)) == (1, 16)


@SUICIDE
@pytest.mark.parametrize(("height", "width", "number"), [(2, 4, 40), (3, 3, 40)])
def test_every_answer_about_a_position_is_the_tables(height, width, number, suicide):
    table, solver = all_values(height, width, suicide), AreaSolver(height, width, 2, suicide)
    points = height * width
    for p, o in some_positions(table, height, width, number):
        for turn, true in enumerate((table.prover_moves(p, o), table.opponent_moves(p, o))):
            position = AreaPosition(height, width, p, o, (BLACK, WHITE)[turn])
            for wanted in {true, true + 1, -true} - {points + 1, -points - 1}:
                if abs(wanted) <= points:
                    assert solver.reaches(position, BLACK, wanted) == (true >= wanted), (p, o, turn, wanted)
            swapped = AreaPosition(height, width, o, p, (WHITE, BLACK)[turn])
            assert abs(true) > points or solver.reaches(swapped, WHITE, true)


# By all games under positional superko: 1 on 2x2 and 0 on 2x3, where repetitions decide; 9 on 3x3, all that there is.
@SUICIDE
@pytest.mark.parametrize(("height", "width", "value"), [(2, 2, 1), (2, 3, 0), (3, 3, 9)])
def test_the_value_under_positional_superko_lies_between_the_bounds(height, width, value, suicide):
    table, bounds = all_values(height, width, suicide), AreaSolver(height, width, 2, suicide).value(empty_board(height, width))
    assert black_reaches(table, value, suicide)
    assert value == height * width or not black_reaches(table, value + 1, suicide)
    assert bounds.lower <= value <= bounds.upper


@SUICIDE
@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3)])
def test_under_positional_superko_no_position_is_worth_less_or_more_than_the_bounds(height, width, suicide):
    table, solver = all_values(height, width, suicide), AreaSolver(height, width, 2, suicide)
    for p, o in some_positions(table, height, width, 12):
        for turn in (0, 1):
            value = solver.value(AreaPosition(height, width, p, o, (BLACK, WHITE)[turn]))
            assert (value.lower, value.upper) == bounds_of(table, p, o, turn)
            assert black_reaches(table, value.lower, suicide, p, o, turn)
            assert value.upper == height * width or not black_reaches(table, value.upper + 1, suicide, p, o, turn)


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


@pytest.mark.parametrize("wanted", [-8, 1, 9])
def test_missing_stones_are_the_fewest_that_make_a_margin_safe(wanted):
    shape, room, missing = shape_of(3, 3), np.zeros(ROOM, dtype=np.int64), np.zeros(515, dtype=np.uint8)
    count_missing(wanted, shape, symmetries_of(3, 3), missing, 3, room)
    enough = {stones for stones in range(512) if 2 * int(safe_points(stones, 0, shape, room, 0)).bit_count() - 9 >= wanted}
    for stones in range(512):
        more = [1 << k for k in range(9) if not stones >> k & 1]
        sizes = (k for k in range(len(more) + 1) if any(stones + sum(some) in enough for some in combinations(more, k)))
        assert missing[3 + stones] == next(sizes, FAR)


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
