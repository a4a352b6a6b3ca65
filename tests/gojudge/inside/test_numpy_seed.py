"""numpy's chance comes from all 128 bits of a player's seed."""

import pytest

from gojudge.inside.numpy_seed import words_of

numpy = pytest.importorskip("numpy")


def test_a_seed_is_four_words_the_lowest_first():
    assert words_of(1 << 96 | 2 << 64 | 3 << 32 | 4) == [4, 3, 2, 1]
    assert words_of(2**128 - 1) == [2**32 - 1] * 4
    assert words_of(0) == [0, 0, 0, 0]


def test_every_bit_of_the_seed_counts():
    drawn = set()
    for seed in (0, *(1 << bit for bit in range(128))):
        drawn.add(numpy.random.RandomState(words_of(seed)).random())
    assert len(drawn) == 129
