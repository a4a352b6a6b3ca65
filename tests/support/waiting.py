"""Waiting in tests, on a machine that may be busy: for what happens, not for some time to pass."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which something hangs. Nothing may depend on them: they only end a test that would wait for ever."""


def wait_until(condition: Callable[[], object]) -> None:
    """Return as soon as a condition holds; fail if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
