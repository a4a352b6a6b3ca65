import pickle

import pytest
from hypothesis import given

from goban.errors import BadBoardError
from goban.grids import WHITE_TO_MOVE, Grid, History, board_hash, grid_of, stone_keys
from tests.support.boards import boards
from tests.support.oracle import has_liberty, neighbours, region, stones_without_liberty


@pytest.mark.parametrize("size", [1, 20, 0, -5])
def test_sizes_end_at_2_and_19(size):
    with pytest.raises(BadBoardError, match=f"from 2 to 19, got {size}"):
        Grid(size)


@pytest.mark.parametrize("size", [2, 3, 5, 19])
def test_neighbours_are_the_points_one_step_away(size):
    grid = grid_of(size)
    for point, bit in grid.bit.items():
        assert set(grid.points_of(grid.near[bit])) == set(neighbours(point, size))


@pytest.mark.parametrize(("point", "count"), [((0, 0), 1), ((0, 2), 2), ((2, 2), 4), ((4, 4), 1), ((3, 4), 2)])
def test_diagonals_in_the_corner_on_the_edge_and_inside(point, count):
    grid = grid_of(5)
    diagonals = grid.points_of(grid.diagonal[grid.bit[point]])
    assert len(diagonals) == count
    assert all(abs(i - point[0]) == abs(j - point[1]) == 1 for i, j in diagonals)


@given(boards(9))
def test_rows_and_masks_say_the_same(rows):
    grid = grid_of(len(rows))
    empty, black, white = grid.masks(rows)
    assert grid.rows(black, white) == rows
    assert empty | black | white == grid.full
    assert empty.bit_count() + black.bit_count() + white.bit_count() == grid.size**2


@given(boards(9))
def test_rows_are_fresh_lists(rows):
    grid = grid_of(len(rows))
    _, black, white = grid.masks(rows)
    scribbled = grid.rows(black, white)
    for row in scribbled:
        row[:] = [7]
    assert grid.rows(black, white) == rows


@given(boards(9))
def test_groups_liberties_and_the_dead_agree_with_the_slow_search(rows):
    grid = grid_of(len(rows))
    board = tuple(map(tuple, rows))
    masks = grid.masks(rows)
    for (i, j), bit in grid.bit.items():
        group = grid.group(bit, masks[rows[i][j]])
        assert set(grid.points_of(group)) == set(region(board, (i, j)))
        assert bool(grid.liberties(group, masks[0])) == has_liberty(board, (i, j))
    for colour in (1, 2):
        assert grid.points_of(grid.dead(masks[colour], masks[0])) == stones_without_liberty(board, colour)


def test_other_numbers_are_neither_empty_nor_a_stone():
    grid = grid_of(2)
    empty, black, white = grid.masks([[0, 3], [1, -1]])
    assert grid.points_of(empty) == [(0, 0)]
    assert grid.points_of(black) == [(1, 0)]
    assert white == 0


@pytest.mark.parametrize("rows", [[[0, 0]], [[0, 0], [0]], [[0, 0], [0, 0], [0, 0]]])
def test_rows_of_another_shape_are_refused(rows):
    with pytest.raises(BadBoardError, match="expected"):
        grid_of(2).masks(rows)


def test_a_full_table_of_rows_starts_again():
    grid = Grid(19)
    boards = [(k, k << 10) for k in range(1 << 10)]
    wanted = [grid.rows(*board) for board in boards]
    for k in range(1 << 16):
        grid.rows(k << 1, k << 20)
    assert len(grid._row_lists) <= 1 << 16
    assert [grid.rows(*board) for board in boards] == wanted


def test_one_grid_serves_a_size_even_through_pickle():
    assert grid_of(5) is grid_of(5)
    assert pickle.loads(pickle.dumps(grid_of(5))) is grid_of(5)


EYES = [
    ("an inner point needs three of four diagonals", [". X .", "X * X", "X X X"], False),
    ("one inner diagonal may be missing", ["X X .", "X * X", "X X X"], True),
    ("a missing neighbour is no eye", ["X . X", "X * X", "X X X"], False),
    ("a corner needs its only diagonal", ["* X .", "X . .", ". . ."], False),
    ("a corner with its diagonal", ["* X .", "X X .", ". . ."], True),
    ("an edge needs both diagonals", ["X * X", "X X .", ". . ."], False),
    ("an edge with both", ["X * X", "X X X", ". . ."], True),
]


@pytest.mark.parametrize(("name", "drawing", "is_eye"), EYES, ids=[name for name, _, _ in EYES])
def test_eyes(name, drawing, is_eye):
    rows = [[".X".find(mark) if mark != "*" else 0 for mark in line.split()] for line in drawing]
    star = next((i, line.split().index("*")) for i, line in enumerate(drawing) if "*" in line)
    grid = grid_of(3)
    assert grid.is_eye(grid.bit[star], grid.masks(rows)[1]) is is_eye


FIRST_KEY = 0x63033B0CA389C35A


def test_keys_differ_and_fill_64_bits():
    keys = [key for size in (5, 19) for colour in (1, 2) for key in stone_keys(size)[colour].values()]
    keys.append(WHITE_TO_MOVE)
    assert len(set(keys)) == len(keys)
    assert all(0 < key < 1 << 64 for key in keys)
    assert max(keys) > 1 << 63


def test_hashes_are_the_same_in_every_run():
    # Stored hashes must stay good: a change of the stream is a change of the format.
    assert stone_keys(5)[1][1] == FIRST_KEY
    assert board_hash(5, 0, 0) == 0


def test_a_board_is_the_xor_of_its_stones():
    black, white = stone_keys(5)[1], stone_keys(5)[2]
    assert board_hash(5, 1 | 4, 2) == black[1] ^ black[4] ^ white[2]


def test_a_line_of_play_shares_one_history():
    history = History([])
    for number, situation in enumerate([11, 12, 13]):
        assert history.extend(situation, number) is history
    assert history.entries(3) == (11, 12, 13)


def test_each_state_sees_its_own_past_only():
    history = History([11, 12, 13])
    assert history.first(13, before=3) == 2
    assert history.first(13, before=2) is None
    assert history.first(99, before=3) is None


def test_a_situation_is_found_where_it_stood_first():
    history = History([11, 12, 11])
    assert history.first(11, before=3) == 0


def test_a_second_branch_gets_a_history_of_its_own():
    history = History([11, 12, 13])
    branch = history.extend(99, 1)
    assert branch.entries(2) == (11, 99)
    assert history.entries(3) == (11, 12, 13)
    assert history.first(99, before=3) is None


def test_of_two_threads_that_add_a_move_the_second_gets_a_history_of_its_own():
    class Meddled(dict):
        """A dictionary in which another thread adds a move while ours is being added."""

        def setdefault(self, *item):
            if not branches:
                branches.append(None)
                branches[0] = history.extend(22, 0)
            return super().setdefault(*item)

    branches, history = [], History([])
    history.numbers = Meddled()
    assert history.extend(11, 0).entries(1) == (11,)
    assert branches[0].entries(1) == (22,)


def test_missing_moves_become_the_empty_board():
    assert History([]).extend(11, 2).entries(3) == (0, 0, 11)
