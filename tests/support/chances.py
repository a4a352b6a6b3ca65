"""Whether drawn things come up as often as they should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any


def chi_square(observed: Counter[Any], expected: Mapping[Hashable, float]) -> tuple[float, float]:
    """The statistic and a bound that chance passes once in three million; rare outcomes are taken together."""
    total = sum(observed.values())
    assert set(observed) <= set(expected), f"came up against all odds: {set(observed) - set(expected)}"
    rare = [key for key, chance in expected.items() if chance * total < 5]
    pairs = [(observed[key], chance * total) for key, chance in expected.items() if key not in rare]
    if rare:
        pairs.append((sum(observed[key] for key in rare), sum(expected[key] for key in rare) * total))
    statistic = sum((seen - due) ** 2 / due for seen, due in pairs)
    free = max(1, len(pairs) - 1)
    # Wilson and Hilferty's approximation of the quantile, at five standard deviations.
    return statistic, free * (1 - 2 / (9 * free) + 5 * (2 / (9 * free)) ** 0.5) ** 3
