"""Indices that count from the start of an array, for the hottest loops.

numba lets an index be negative, as Python does, and so adds a test to every access by a signed one. `array[nth(i)]` is
`array[i]` for i >= 0 without the test: a seventh of the solver's time.
"""

from __future__ import annotations

import numpy as np

nth = np.uint64
