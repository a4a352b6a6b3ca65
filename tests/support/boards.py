"""Hypothesis strategies for boards."""

from hypothesis import strategies as st


def boards(largest):
    """Square boards of 0, 1 and 2, of sizes 2 to `largest`. Groups without liberties may occur."""
    return st.integers(2, largest).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 2), min_size=n, max_size=n), min_size=n, max_size=n)
    )
