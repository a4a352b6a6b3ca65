from hypothesis import given

from goban.diagrams import parse_diagram
from goban.grids import grid_of
from goban.rulesets import Scoring
from goban.scoring import points_on_board
from tests.support.boards import boards
from tests.support.oracle import area as slow_area


def points(scoring, drawing):
    rows = parse_diagram(drawing)
    grid = grid_of(len(rows))
    return points_on_board(scoring, grid, *grid.masks(rows)[1:])


WALL = """
    . X O . .
    . X O . .
    . X O . .
    X X O O O
    . X O . X
"""


def test_the_course_counts_stones():
    assert points(Scoring.STONES, WALL) == (7, 7)


def test_area_counts_what_only_one_colour_reaches():
    assert points(Scoring.AREA, WALL) == (7 + 4, 7 + 6)


def test_dead_stones_left_on_the_board_count_and_spoil_the_region():
    # The black stone bottom right stands in White's area: both reach the point beside it.
    assert points(Scoring.AREA, ". . O\n. . O\nX . O") == (1, 3)


def test_an_empty_board_belongs_to_nobody():
    assert points(Scoring.AREA, ". .\n. .") == (0, 0)


@given(boards(9))
def test_area_agrees_with_the_slow_count(rows):
    grid = grid_of(len(rows))
    board = tuple(map(tuple, rows))
    assert points_on_board(Scoring.AREA, grid, *grid.masks(rows)[1:]) == (slow_area(board, 1), slow_area(board, 2))
