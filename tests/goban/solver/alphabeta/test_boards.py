"""The eight symmetries on masks: what undoes what, and one form for all symmetric positions."""

import random

import pytest

from goban.solver.alphabeta.boards import canonical, inverse, point_mask, symmetry_of, transform, turned_point

SIZES = [2, 3, 4, 5]


def points(size):
    return [point_mask((i, j)) for i in range(size) for j in range(size)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("which", range(8))
def test_a_symmetry_moves_points_to_points_and_its_inverse_moves_them_back(size, which):
    there = [transform(bit, which, size) for bit in points(size)]
    assert sorted(there) == points(size)
    assert [transform(bit, inverse(which), size) for bit in there] == points(size)
    turned = [turned_point(bit.bit_length() - 1, which, size) for bit in points(size)]
    assert [1 << point for point in turned] == there


@pytest.mark.parametrize("which", range(8))
def test_a_pass_and_no_move_stay_what_they_are(which):
    assert [turned_point(point, which, 5) for point in (-1, 25)] == [-1, 25]


@pytest.mark.parametrize("size", SIZES)
def test_symmetric_positions_have_one_form(size):
    rng = random.Random(size)
    for _ in range(50):
        masks = [0, 0, 0]
        for bit in points(size):
            masks[rng.randrange(3)] |= bit
        own, other, rest = masks
        ko = rest & -rest
        form = canonical(own, other, ko, size)
        which = symmetry_of(own, other, ko, size)
        assert form == tuple(transform(mask, which, size) for mask in (own, other, ko))
        for turn in range(8):
            assert canonical(*(transform(mask, turn, size) for mask in (own, other, ko)), size) == form
