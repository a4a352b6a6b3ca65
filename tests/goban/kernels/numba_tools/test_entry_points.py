"""Kernels called from Python with their one signature."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from goban.kernels.numba_tools.compile import HAVE_NUMBA, entry


def twice_all(numbers):
    for k in range(len(numbers)):
        numbers[k] *= 2


def test_threads_may_call_a_kernel_for_the_first_time_together():
    kernel, barrier = entry("void(int64[::1])")(twice_all), Barrier(4)
    arrays = [np.arange(5) + k for k in range(4)]

    def call(array):
        barrier.wait()
        kernel(array)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(call, arrays))
    assert [array.tolist() for array in arrays] == [[2 * (n + k) for n in range(5)] for k in range(4)]


@pytest.mark.skipif(not HAVE_NUMBA, reason="without numba nothing is compiled")
def test_other_types_than_those_of_the_signature_are_refused():
    kernel = entry("void(int64[::1])")(twice_all)
    with pytest.raises(TypeError):
        kernel(np.zeros(3))
