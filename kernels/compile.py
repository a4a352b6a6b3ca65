"""The one switch between compiled and plain Python kernels.

    @njit
    def f(mask: np.uint64) -> np.uint64: ...

With numba a kernel is compiled when it is first called, for the types it is called with, and kept in `__pycache__` for
the next process; importing a module of kernels compiles nothing. Without numba the same source runs as it stands, some
hundred times slower, and gives the same results.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, TypeVar

HAVE_NUMBA = importlib.util.find_spec("numba") is not None

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(function: Kernel) -> Kernel:
    """Return the function compiled on its first call, or the function itself where numba is missing.

    Compiled kernels release the interpreter lock, so that threads run them side by side. Arithmetic keeps the order of
    the source (no `fastmath`): the same input gives the same bits everywhere.
    """
    if not HAVE_NUMBA:
        return function
    import numba

    compiled: Kernel = numba.njit(function, cache=True, nogil=True)
    return compiled
