"""Python's own generator for kernels."""

import random

import numpy as np

from goban.kernels.numba_tools.random_numbers import draw_as_python, new_twisters


def test_a_word_draws_what_pythons_generator_draws():
    lots = random.Random(1)
    words = [0, 1, 2**32 - 1, 2**32, 2**64 - 1, *(lots.getrandbits(bits) for bits in range(1, 65))]
    bounds = [1 + k % 9 if k % 2 else lots.randrange(1, 400) for k in range(len(words))]
    drawn = np.empty(len(words), dtype=np.int64)
    draw_as_python(np.array(words, dtype=np.uint64), np.array(bounds), new_twisters(), drawn)
    assert drawn.tolist() == [random.Random(word).choice(range(bound)) for word, bound in zip(words, bounds, strict=True)]
