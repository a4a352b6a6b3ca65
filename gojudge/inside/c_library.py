"""The C library, for the calls that Python does not offer. After a call that failed, `ctypes.get_errno()` says why."""

from __future__ import annotations

import ctypes
from functools import cache


@cache
def libc() -> ctypes.CDLL:
    """Return the C library that this process has loaded already. Not for Windows, which has none of that kind."""
    return ctypes.CDLL(None, use_errno=True)
