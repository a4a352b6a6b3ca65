"""Pattern tables: mirror images share their weights, and the pieces of a board are the right ones."""

import random
from itertools import product

import numpy as np
import pytest

from golearn.qlearning.patterns import (
    CENTRE,
    CORNER,
    EDGE,
    ENTRIES,
    INNER,
    PATTERNS,
    SIZE,
    find_entries,
    find_lines,
    geometry,
    mirrored_lines,
    mirrored_windows,
    squash,
)

GEO = geometry()


def random_board(seed):
    lots = random.Random(seed)
    return np.array([[lots.choice((0, 1, 2)) for _ in range(SIZE)] for _ in range(SIZE)])


def images(board):
    """The eight symmetric images of a board."""
    turned = [np.rot90(board, quarter) for quarter in range(4)]
    return turned + [image.T for image in turned]


def lines(board):
    own, other = (np.uint64(sum(1 << int(at) for at in np.flatnonzero(board == kind))) for kind in (1, 2))
    found = np.empty(2 * SIZE, np.int32)
    find_lines(own, other, GEO, found)
    return found


def entries(board):
    found = np.empty(PATTERNS, np.int32)
    find_entries(lines(board), GEO, found)
    return sorted(found.tolist())


def number(stones):
    return sum(int(stone) * 3**k for k, stone in enumerate(stones))


def test_lines_are_base_three_numbers_of_rows_and_columns():
    board = random_board(1)
    assert lines(board).tolist() == [number(row) for row in board] + [number(column) for column in board.T]


@pytest.mark.parametrize(("mirrored", "length"), [(mirrored_lines, 5), (mirrored_windows, 3)])
def test_a_mirrored_row_is_read_backwards(mirrored, length):
    found = mirrored()
    assert all(found[number(row)] == number(row[::-1]) for row in product(range(3), repeat=length))


@pytest.mark.parametrize("seed", range(50))
def test_all_images_of_a_board_have_the_same_entries(seed):
    board = random_board(seed)
    assert all(entries(image) == entries(board) for image in images(board))


def test_each_kind_of_pattern_has_its_part_of_the_entries():
    found = np.array(entries(random_board(3)))
    borders = [0, INNER, CORNER, EDGE, CENTRE, ENTRIES]
    assert np.histogram(found, borders)[0].tolist() == [4, 4, 4, 4, 1]


@pytest.mark.parametrize("seed", range(20))
def test_a_stone_changes_exactly_the_patterns_it_lies_in(seed):
    board = random_board(seed)
    board[0, 0] = 1
    changed = board.copy()
    changed[0, 0] = 2
    # The corner lies in the two outer pairs of lines and in the corner's own window.
    assert sum(a != b for a, b in zip(entries(board), entries(changed), strict=True)) <= 3 * 2
    before, after = set(entries(board)), set(entries(changed))
    assert len(before - after) <= 3
    assert before != after


def test_shared_entries_are_stable_and_lowest():
    shared = GEO.shared
    assert (shared[shared] == shared).all()
    assert (shared <= np.arange(ENTRIES)).all()


def test_squash_keeps_the_order_and_stays_within_one():
    values = [squash(total) for total in (-1e6, -3.0, -0.1, 0.0, 0.1, 3.0, 1e6)]
    assert values == sorted(values)
    assert -1 <= values[0] < -0.999
    assert values[3] == 0
