"""Eight numbers at once: compiled and uncompiled they give what one after the other gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goban.kernels.numba_tools.compile import kernel
from goban.kernels.numba_tools.vectors import WIDTH, counts, eightfold, equal, greater, load, signs, store

numbers = st.lists(st.integers(-(2**24), 2**24), min_size=WIDTH, max_size=WIDTH)
masks = st.lists(st.integers(0, 2**25 - 1), min_size=WIDTH, max_size=WIDTH)
RESULTS = 14


def everything(array):
    """Write what becomes of the eights at 0 and 8 and of the number at 16, from 24 on; return the signs of the first."""
    one, other, number = load(array, 0), load(array, 8), array[16]
    store(array, 24, one & other)
    store(array, 32, one | other)
    store(array, 40, one ^ number)
    store(array, 48, one + other)
    store(array, 56, number - one)
    store(array, 64, (one & 1023) * 1000)
    store(array, 72, (one & 65535) << 5)
    store(array, 80, one >> 3)
    store(array, 88, ~one)
    store(array, 96, equal(one, other))
    store(array, 104, equal(one, number))
    store(array, 112, greater(one, other))
    store(array, 120, greater(one, number))
    store(array, 128, counts(one & 0x1FFFFFF) + eightfold(number))
    return signs(one)


compiled = kernel(everything)


def one_by_one(a, b, c):
    """The same for one number and one other."""
    return [
        a & b, a | b, a ^ c, a + b, c - a, (a & 1023) * 1000, (a & 65535) << 5, a >> 3, ~a,
        -(a == b), -(a == c), -(a > b), -(a > c), (a & 0x1FFFFFF).bit_count() + c,
    ]  # fmt: skip


@given(one=numbers, other=numbers, number=st.integers(-(2**24), 2**24), same=st.integers(0, WIDTH))
def test_eight_at_once_are_eight_times_one(one, other, number, same):
    # Some pairs, and one number, must be equal, or equality is never seen.
    other[:same] = one[:same]
    number = one[0] if same % 2 else number
    expected = [one_by_one(a, b, number) for a, b in zip(one, other, strict=True)]
    for function in (compiled, everything):
        array = np.zeros(24 + RESULTS * WIDTH, dtype=np.int64)
        array[:WIDTH], array[WIDTH : 2 * WIDTH], array[2 * WIDTH] = one, other, number
        assert function(array) == sum(1 << k for k in range(WIDTH) if one[k] < 0)
        found = array[24:].reshape(RESULTS, WIDTH).T
        assert found.tolist() == expected


def moved(array, place):
    """Write the eight numbers at 0 to a place."""
    store(array, place, load(array, 0))


compiled_move = kernel(moved)


@given(one=masks)
def test_reading_and_writing_keep_what_stands_beside(one):
    for function in (compiled_move, moved):
        array = np.arange(3 * WIDTH, dtype=np.int64)
        array[:WIDTH] = one
        function(array, 11)
        assert array.tolist() == [*one, 8, 9, 10, *one, *range(19, 24)]
