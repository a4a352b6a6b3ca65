"""The eight symmetries on masks: what undoes what, and one form for all symmetric positions."""

import random

import numpy as np
import pytest

from goban.kernels.numba_tools.compile import kernel
from goban.kernels.numba_tools.vectors import WIDTH, load, store
from goban.solver.alphabeta.boards import (
    canonical,
    inverse,
    least_forms,
    point_mask,
    symmetry_of,
    transform,
    turned_point,
)

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


@kernel
def turn_eight(boards, size):
    """Replace eight boards, first their own stones, then the others, by their least forms."""
    own, other = least_forms(load(boards, 0), load(boards, WIDTH), size)
    store(boards, 0, own)
    store(boards, WIDTH, other)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stones", [1, 2, 6, 25])
def test_eight_boards_at_once_get_the_forms_that_each_would_get(size, stones):
    rng = random.Random(f"{size} {stones}")
    for _ in range(20):
        own, other = [0] * WIDTH, [0] * WIDTH
        for which in range(WIDTH):
            for bit in rng.sample(points(size), min(stones, size * size)):
                (own if rng.random() < 0.5 else other)[which] |= bit
        boards = np.array(own + other, dtype=np.int64)
        turn_eight(boards, size)
        least = [canonical(mine, theirs, 0, size)[:2] for mine, theirs in zip(own, other, strict=True)]
        assert list(zip(boards[:WIDTH].tolist(), boards[WIDTH:].tolist(), strict=True)) == least
