"""Codes of neighbourhoods, and which of them are one class."""

import numpy as np

from goban.kernels.patterns.neighbourhoods import CLASSES, STEPS, all_codes, class_of_code, contents
from tests.support.plain_patterns import ORDER
from tests.support.symmetries import SYMMETRIES


def rows_of(code):
    """A 3x3 board of 0 to 3, the move in the middle being 4."""
    rows = [[4] * 3 for _ in range(3)]
    for (i, j), thing in zip(STEPS, contents(np.array([code]))[0], strict=True):
        rows[1 + i][1 + j] = int(thing)
    return tuple(map(tuple, rows))


def turned(rows, turn):
    moved = {turn(i, j, 2): rows[i][j] for i in range(3) for j in range(3)}
    return tuple(tuple(moved[i, j] for j in range(3)) for i in range(3))


def test_the_points_of_a_code_are_in_the_order_of_the_reference():
    assert tuple(ORDER.values()) == STEPS


def test_there_are_so_many_codes_in_the_middle_at_a_side_and_in_a_corner():
    edges = (contents(all_codes()) == 3).sum(axis=1)
    assert {int(edge): int((edges == edge).sum()) for edge in np.unique(edges)} == {0: 6561, 3: 972, 5: 108}
    assert (np.diff(all_codes()) > 0).all()


def test_other_codes_have_no_class():
    possible = class_of_code() < CLASSES
    assert np.flatnonzero(possible).tolist() == all_codes().tolist()


def test_codes_are_of_one_class_if_one_can_be_turned_or_mirrored_into_the_other():
    classes = {}
    for code in all_codes().tolist():
        drawn = min(turned(rows_of(code), turn) for turn in SYMMETRIES)
        classes.setdefault(drawn, set()).add(int(class_of_code()[code]))
    assert len(classes) == CLASSES
    assert sorted(number for numbers in classes.values() for number in numbers) == list(range(CLASSES))
